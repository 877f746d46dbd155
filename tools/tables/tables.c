// Prints the tables of the library as JSON, by its public functions: the fields of materials.
#include <stdio.h>

#include "voussoir/voussoir.h"

// Texts of the library have no control characters.
static void put_text(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void put_names(const char *const *names) {
    printf("[");
    for (int k = 0; names && names[k]; k++) {
        printf("%s", k ? ", " : "");
        put_text(names[k]);
    }
    printf("]");
}

static void put_member(const char *name, const char *text) {
    printf("\"%s\": ", name);
    put_text(text ? text : "");
    printf(", ");
}

static void put_field(const vs_material_field *field) {
    printf("{");
    put_member("name", field->name);
    put_member("unit", field->unit);
    put_member("text", field->text);
    put_member("pair", field->pair);
    put_member("over", field->over);
    printf("\"choices\": ");
    put_names(field->choices);
    printf(", \"default\": %.17g}", field->normal);
}

int main(void) {
    printf("{\"material\": [\n");
    for (int k = 0; k < vs_material_field_count(); k++) {
        const vs_material_field field = vs_material_field_at(k);
        printf("%s  ", k ? ",\n" : "");
        put_field(&field);
    }
    printf("\n]}\n");
    return 0;
}
