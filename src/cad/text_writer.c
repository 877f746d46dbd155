// Text of scenes: JSON made to be read and compared by people.
#include "cad/text_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vs_put_bytes(vs_text_writer *w, const char *bytes, size_t length) {
    if (!w->error)
        w->error = VS_RESERVE(w->context, w->text, w->text->count + (int64_t)length + 1);
    if (w->error)
        return;
    memcpy(w->text->data + w->text->count, bytes, length);
    w->text->count += (int64_t)length;
    w->text->data[w->text->count] = '\0';
}

void vs_put(vs_text_writer *w, const char *text) {
    vs_put_bytes(w, text, strlen(text));
}

// The shortest of 15, 16 and 17 digits that gives the number again.
void vs_put_number(vs_text_writer *w, double x) {
    char text[40];
    x += 0.; // no -0
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    vs_put(w, text);
}

void vs_put_vector(vs_text_writer *w, vs_vec3 v) {
    vs_put(w, "[");
    vs_put_number(w, v.x);
    vs_put(w, ", ");
    vs_put_number(w, v.y);
    vs_put(w, ", ");
    vs_put_number(w, v.z);
    vs_put(w, "]");
}

// The text has no control characters.
void vs_put_string(vs_text_writer *w, const char *text) {
    vs_put(w, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            vs_put(w, "\\");
        vs_put_bytes(w, c, 1);
    }
    vs_put(w, "\"");
}

void vs_put_points(vs_text_writer *w, const vs_cad_block *b) {
    for (int k = 0; k < b->vertices; k++) {
        vs_put(w, k > 0 ? ",\n        " : "\n        ");
        vs_put_vector(w, b->vertex[k]);
    }
    vs_put(w, "\n      ]");
}

void vs_put_triangles(vs_text_writer *w, const vs_cad_block *b) {
    char text[64];
    vs_put(w, ", \"triangles\": [");
    for (int64_t k = 0; k < 3 * (int64_t)b->triangles; k += 3) {
        (void)snprintf(text, sizeof text, "%s[%d, %d, %d]", k > 0 ? ",\n        " : "\n        ", b->index[k],
                       b->index[k + 1], b->index[k + 2]);
        vs_put(w, text);
    }
    vs_put(w, "\n      ]");
}
