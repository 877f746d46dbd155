// The text of a scene, with doubles to the last bit.
#include <stdarg.h>
#include <stdio.h>

#include "assembly.h"

typedef struct page {
    char *text;
    size_t size, length;
} page;

__attribute__((format(printf, 2, 3))) static void print(page *p, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int length = p->length < p->size ? vsnprintf(p->text + p->length, p->size - p->length, format, list) : 0;
    va_end(list);
    p->length += length > 0 ? (size_t)length : 0;
}

static void print_vector(page *p, const char *key, const double *x, int count) {
    print(p, ", \"%s\": [", key);
    for (int k = 0; k < count; k++)
        print(p, "%s%.17g", k ? ", " : "", x[k]);
    print(p, "]");
}

static bool is_zero(const double x[3]) {
    return x[0] == 0 && x[1] == 0 && x[2] == 0;
}

static void print_shape(page *p, const solid *s) {
    static const char *const kinds[] = {"box", "hull", "cylinder", "sphere", "plane"};
    print(p, ", \"shapes\": [{\"kind\": \"%s\"", kinds[s->kind]);
    if (s->kind == SOLID_BOX)
        print_vector(p, "half", s->half, 3);
    if (s->kind == SOLID_CYLINDER || s->kind == SOLID_SPHERE)
        print(p, ", \"radius\": %.17g", s->half[0]);
    if (s->kind == SOLID_CYLINDER)
        print(p, ", \"half_length\": %.17g", s->half[2]);
    if (s->kind == SOLID_HULL) {
        print(p, ", \"points\": [");
        for (int k = 0; k < s->corners; k++)
            print(p, "%s[%.17g, %.17g, %.17g]", k ? ", " : "", s->corner[k][0], s->corner[k][1], s->corner[k][2]);
        print(p, "]");
    }
    if (!is_zero(s->belt))
        print_vector(p, "surface_velocity", s->belt, 3);
    print(p, "}]");
}

static void print_body(page *p, const solid *s, int number) {
    print(p, "%s{\"name\": \"s%d\", \"material\": \"m%d\"", number ? ",\n  " : "", number, s->material);
    if (s->fixed)
        print(p, ", \"motion\": \"%s\"", is_zero(s->velocity) ? "static" : "kinematic");
    else
        print(p, ", \"mass\": %.17g", s->mass);
    if (!is_zero(s->velocity))
        print_vector(p, "velocity", s->velocity, 3);
    print_vector(p, "position", s->position, 3);
    if (!is_zero(s->rotation + 1))
        print_vector(p, "rotation", s->rotation, 4);
    print_shape(p, s);
    print(p, "}");
}

static void print_load(page *p, const solid *s, int number, bool first) {
    print(p, "%s{\"body\": \"s%d\", \"force\": [", first ? "" : ",\n  ", number);
    for (int k = 0; k < 3; k++)
        if (s->ramped)
            print(p, "%s{\"table\": {\"time\": [0, 1], \"value\": [0, %.17g]}}", k ? ", " : "", s->force[k]);
        else
            print(p, "%s%.17g", k ? ", " : "", s->force[k]);
    print(p, "]}");
}

bool write_scene(const assembly *a, char *text, size_t size) {
    page p = {text, size, 0};
    bool first = true;
    print(&p, "{\"voussoir\": 1, \"name\": \"%s\", \"gravity\": [0, 0, %.17g],\n\"materials\": {", a->family,
          -a->gravity);
    for (int k = 0; k < a->materials; k++)
        print(&p, "%s\"m%d\": {\"mu\": %.17g}", k ? ", " : "", k, a->mu[k]);
    print(&p, "},\n\"bodies\": [");
    for (int k = 0; k < a->solids; k++)
        print_body(&p, &a->solid[k], k);
    print(&p, "],\n\"loads\": [");
    for (int k = 0; k < a->solids; k++)
        if (!is_zero(a->solid[k].force)) {
            print_load(&p, &a->solid[k], k, first);
            first = false;
        }
    print(&p, "]}\n");
    return p.length < p.size;
}
