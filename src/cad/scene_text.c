// A scene as JSON, made to be read and compared by people: one line per body's properties and one per point, numbers with as
// few digits as give the same number again.
#include "cad/text_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_locale.h"

// ---- materials -------------------------------------------------------------------------------------

static const char *material_of(const vs_scene_text *scene, const vs_cad_block *block) {
    const char *material = scene->object[block->object].material;
    return material ? material : "stone";
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_materials(vs_text_writer *w, const vs_scene_text *scene) {
    const char **name = vs_allocate(w->context, ((size_t)scene->blocks + 1) * sizeof *name);
    if (!name) {
        w->error = vs_fail_memory(w->context);
        return;
    }
    for (int k = 0; k < scene->blocks; k++)
        name[k] = material_of(scene, &scene->block[k]);
    qsort(name, (size_t)scene->blocks, sizeof *name, compare_texts);
    vs_put(w, "  \"materials\": {");
    for (int k = 0; k < scene->blocks; k++) {
        if (k > 0 && strcmp(name[k], name[k - 1]) == 0)
            continue;
        vs_put(w, k > 0 ? ",\n    " : "\n    ");
        vs_put_string(w, name[k]);
        vs_put(w, ": { \"mu\": ");
        vs_put_number(w, scene->mu);
        vs_put(w, " }");
    }
    vs_put(w, "\n  },\n");
    vs_release(w->context, name);
}

// ---- bodies ----------------------------------------------------------------------------------------

static void put_body(vs_text_writer *w, const vs_scene_text *scene, const vs_cad_block *b) {
    vs_put(w, "    { \"name\": ");
    vs_put_string(w, b->name);
    vs_put(w, ", \"material\": ");
    vs_put_string(w, material_of(scene, b));
    if (b->fixed) {
        vs_put(w, ", \"motion\": \"static\"");
    } else {
        vs_put(w, ", \"density\": ");
        vs_put_number(w, b->density);
    }
    vs_put(w, b->convex ? ",\n      \"shape\": { \"kind\": \"hull\", \"points\": ["
                        : ",\n      \"shape\": { \"kind\": \"mesh\", \"vertices\": [");
    vs_put_points(w, b);
    if (!b->convex) {
        vs_put_triangles(w, b);
        vs_put(w, b->notched ? ", \"decompose\": { \"error\": 1e-06, \"parts\": 64 }"
                             : ", \"decompose\": { \"error\": 0.01, \"parts\": 32 }");
    }
    vs_put(w, " } }");
}

static void put_ground(vs_text_writer *w, const vs_scene_text *scene) {
    vs_put(w, "    { \"name\": \"ground\", \"motion\": \"static\", ");
    if (scene->ground_z != 0) {
        vs_put(w, "\"position\": ");
        vs_put_vector(w, (vs_vec3){0, 0, scene->ground_z});
        vs_put(w, ", ");
    }
    vs_put(w, "\"material\": ");
    vs_put_string(w, scene->blocks > 0 ? material_of(scene, &scene->block[0]) : "stone");
    vs_put(w, ", \"shape\": { \"kind\": \"plane\" } }");
}

vs_error vs_scene_text_write(vs_context *context, const vs_scene_text *scene, vs_text *text) {
    vs_plain_locale plain;
    vs_text_writer w = {context, text, VS_OK};
    if (!vs_plain_locale_enter(&plain))
        return vs_fail_memory(context);
    vs_put(&w, "{\n  \"voussoir\": 1,\n  \"name\": ");
    vs_put_string(&w, scene->name);
    vs_put(&w, ",\n");
    put_materials(&w, scene);
    vs_put(&w, "  \"bodies\": [\n");
    if (scene->ground)
        put_ground(&w, scene);
    for (int k = 0; k < scene->blocks && !w.error; k++) {
        vs_put(&w, k > 0 || scene->ground ? ",\n" : "");
        put_body(&w, scene, &scene->block[k]);
    }
    vs_put(&w, "\n  ],\n  \"output\": { \"duration\": 1 }\n}\n");
    vs_plain_locale_leave(&plain);
    return w.error;
}
