// Prints the tables of the library as JSON, by its public functions: the fields of materials, and names.
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

static void put_fields(void) {
    printf("\"material\": [\n");
    for (int k = 0; k < vs_material_field_count(); k++) {
        const vs_material_field field = vs_material_field_at(k);
        printf("%s  ", k ? ",\n" : "");
        put_field(&field);
    }
    printf("\n]");
}

static const struct {
    const char *type;
    const char *const *(*names)(void);
} lists[] = {{"vs_model", vs_model_names},         {"vs_status", vs_status_names},
             {"vs_criterion", vs_criterion_names}, {"vs_warm_start", vs_warm_start_names},
             {"vs_scheme", vs_scheme_names},       {"vs_on_inaccurate", vs_on_inaccurate_names},
             {"vs_motion", vs_motion_names},       {"vs_joint_kind", vs_joint_kind_names},
             {"vs_softening", vs_softening_names}, {"vs_elastic_law", vs_elastic_law_names},
             {"vs_section", vs_section_names},     {"vs_baseline", vs_baseline_names},
             {"vs_stop_when", vs_stop_when_names}};

static const char *method_name(int index) {
    return vs_method_at(index).name;
}

static void put_by_index(const char *type, const char *(*name)(int index)) {
    printf(",\n  \"%s\": [", type);
    for (int k = 0; name(k); k++) {
        printf("%s", k ? ", " : "");
        put_text(name(k));
    }
    printf("]");
}

static void put_lists(void) {
    printf(",\n\"names\": {\n");
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        printf("%s  \"%s\": ", k ? ",\n" : "", lists[k].type);
        put_names(lists[k].names());
    }
    put_by_index("vs_method", method_name);
    put_by_index("vs_shape_kind", vs_shape_kind_name);
    printf("\n}");
}

int main(void) {
    printf("{");
    put_fields();
    put_lists();
    printf("}\n");
    return 0;
}
