// A scene as JSON, made to be read and compared by people: one line per body's properties and one per point, numbers with as
// few digits as give the same number again.
#include "cad/cad_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_locale.h"

typedef struct writer {
    vs_context *context;
    vs_text *text;
    vs_error error; // the first
} writer;

static void put_bytes(writer *w, const char *bytes, size_t length) {
    if (!w->error)
        w->error = VS_RESERVE(w->context, w->text, w->text->count + (int64_t)length + 1);
    if (w->error)
        return;
    memcpy(w->text->data + w->text->count, bytes, length);
    w->text->count += (int64_t)length;
    w->text->data[w->text->count] = '\0';
}

static void put(writer *w, const char *text) {
    put_bytes(w, text, strlen(text));
}

// The shortest of 15, 16 and 17 digits that gives the number again.
static void put_number(writer *w, double x) {
    char text[40];
    x += 0.; // no -0
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    put(w, text);
}

static void put_vector(writer *w, vs_vec3 v) {
    put(w, "[");
    put_number(w, v.x);
    put(w, ", ");
    put_number(w, v.y);
    put(w, ", ");
    put_number(w, v.z);
    put(w, "]");
}

// The text has no control characters.
static void put_string(writer *w, const char *text) {
    put(w, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            put(w, "\\");
        put_bytes(w, c, 1);
    }
    put(w, "\"");
}

// ---- materials -------------------------------------------------------------------------------------

static const char *material_of(const vs_scene_text *scene, const vs_cad_block *block) {
    const char *material = scene->object[block->object].material;
    return material ? material : "stone";
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_materials(writer *w, const vs_scene_text *scene) {
    const char **name = vs_allocate(w->context, ((size_t)scene->blocks + 1) * sizeof *name);
    if (!name) {
        w->error = vs_fail_memory(w->context);
        return;
    }
    for (int k = 0; k < scene->blocks; k++)
        name[k] = material_of(scene, &scene->block[k]);
    qsort(name, (size_t)scene->blocks, sizeof *name, compare_texts);
    put(w, "  \"materials\": {");
    for (int k = 0; k < scene->blocks; k++) {
        if (k > 0 && strcmp(name[k], name[k - 1]) == 0)
            continue;
        put(w, k > 0 ? ",\n    " : "\n    ");
        put_string(w, name[k]);
        put(w, ": { \"mu\": ");
        put_number(w, scene->mu);
        put(w, " }");
    }
    put(w, "\n  },\n");
    vs_release(w->context, name);
}

// ---- bodies ----------------------------------------------------------------------------------------

static void put_points(writer *w, const vs_cad_block *b) {
    for (int k = 0; k < b->vertices; k++) {
        put(w, k > 0 ? ",\n        " : "\n        ");
        put_vector(w, b->vertex[k]);
    }
    put(w, "\n      ]");
}

static void put_triangles(writer *w, const vs_cad_block *b) {
    char text[64];
    put(w, ", \"triangles\": [");
    for (int64_t k = 0; k < 3 * (int64_t)b->triangles; k += 3) {
        (void)snprintf(text, sizeof text, "%s[%d, %d, %d]", k > 0 ? ",\n        " : "\n        ", b->index[k],
                       b->index[k + 1], b->index[k + 2]);
        put(w, text);
    }
    put(w, "\n      ], \"decompose\": { \"error\": 0.01, \"parts\": 32 }");
}

static void put_body(writer *w, const vs_scene_text *scene, const vs_cad_block *b) {
    put(w, "    { \"name\": ");
    put_string(w, b->name);
    put(w, ", \"material\": ");
    put_string(w, material_of(scene, b));
    if (b->fixed) {
        put(w, ", \"motion\": \"static\"");
    } else {
        put(w, ", \"density\": ");
        put_number(w, scene->density);
    }
    put(w, b->convex ? ",\n      \"shape\": { \"kind\": \"hull\", \"points\": ["
                     : ",\n      \"shape\": { \"kind\": \"mesh\", \"vertices\": [");
    put_points(w, b);
    if (!b->convex)
        put_triangles(w, b);
    put(w, " } }");
}

static void put_ground(writer *w, const vs_scene_text *scene) {
    put(w, "    { \"name\": \"ground\", \"motion\": \"static\", ");
    if (scene->ground_z != 0) {
        put(w, "\"position\": ");
        put_vector(w, (vs_vec3){0, 0, scene->ground_z});
        put(w, ", ");
    }
    put(w, "\"material\": ");
    put_string(w, scene->blocks > 0 ? material_of(scene, &scene->block[0]) : "stone");
    put(w, ", \"shape\": { \"kind\": \"plane\" } }");
}

vs_error vs_scene_text_write(vs_context *context, const vs_scene_text *scene, vs_text *text) {
    vs_plain_locale plain;
    writer w = {context, text, VS_OK};
    if (!vs_plain_locale_enter(&plain))
        return vs_fail_memory(context);
    put(&w, "{\n  \"voussoir\": 1,\n  \"name\": ");
    put_string(&w, scene->name);
    put(&w, ",\n");
    put_materials(&w, scene);
    put(&w, "  \"bodies\": [\n");
    if (scene->ground)
        put_ground(&w, scene);
    for (int k = 0; k < scene->blocks && !w.error; k++) {
        put(&w, k > 0 || scene->ground ? ",\n" : "");
        put_body(&w, scene, &scene->block[k]);
    }
    put(&w, "\n  ],\n  \"output\": { \"duration\": 1 }\n}\n");
    vs_plain_locale_leave(&plain);
    return w.error;
}
