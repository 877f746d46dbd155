// Text of scenes while it is written: numbers with as few digits as give the same number again.
#ifndef VS_CAD_TEXT_WRITER_H
#define VS_CAD_TEXT_WRITER_H

#include "cad/cad_data.h"

typedef struct vs_text_writer {
    vs_context *context;
    vs_text *text;
    vs_error error; // the first; nothing is written after it
} vs_text_writer;

void vs_put_bytes(vs_text_writer *w, const char *bytes, size_t length);
void vs_put(vs_text_writer *w, const char *text);
void vs_put_number(vs_text_writer *w, double x); // finite
void vs_put_vector(vs_text_writer *w, vs_vec3 v);
void vs_put_string(vs_text_writer *w, const char *text); // in quotes; has no control characters
// Vertices and triangles, one per line, as the lists that begin with '[' in the text so far.
void vs_put_points(vs_text_writer *w, const vs_cad_block *b);
void vs_put_triangles(vs_text_writer *w, const vs_cad_block *b);

#endif
