// OFF files: vertices and faces.
//
//     OFF
//     8 6 0                    vertices, faces, edges (not read); may stand in the first line
//     0 0 0
//     …
//     4 0 1 2 3                corners of a face; what follows in its line, a colour, is skipped
//
// Comments begin with '#'. Faces have 3 to 512 corners. There are no names.
#include "cad/cad_data.h"

#include <math.h>

typedef struct reader {
    vs_drawing *drawing;
    vs_scan scan;
} reader;

// To the next word, over ends of lines and comments.
static void skip(reader *r) {
    for (vs_scan_blanks(&r->scan, true); r->scan.at < r->scan.end && *r->scan.at == '#'; vs_scan_blanks(&r->scan, true))
        vs_scan_line(&r->scan);
}

static vs_error read_number(reader *r, double *x) {
    skip(r);
    return vs_scan_number(&r->scan, x) ? VS_OK : vs_drawing_expected(r->drawing, &r->scan, "a number");
}

// A whole number from 0 to below `end`.
static vs_error read_count(reader *r, double end, const char *what, int *count) {
    double x = 0;
    skip(r);
    const vs_scan at = r->scan;
    if (!vs_scan_number(&r->scan, &x) || !(x >= 0 && x < end) || x != floor(x))
        return vs_drawing_expected(r->drawing, &at, what);
    *count = (int)x;
    return VS_OK;
}

static vs_error read_vertices(reader *r, int count) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && !error; k++) {
        double x[3];
        for (int i = 0; i < 3 && !error; i++)
            error = read_number(r, &x[i]);
        if (!error)
            error = vs_drawing_add_vertex(r->drawing, (vs_vec3){x[0], x[1], x[2]});
    }
    return error;
}

static vs_error read_faces(reader *r, int count, int vertices) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && !error; k++) {
        int corners = 0, corner[VS_POLYGON_MOST];
        skip(r);
        const vs_scan at = r->scan;
        error = read_count(r, VS_POLYGON_MOST + 1., "3 to 512 corners", &corners);
        if (!error && corners < 3)
            error = vs_drawing_expected(r->drawing, &at, "3 to 512 corners");
        for (int i = 0; i < corners && !error; i++)
            error = read_count(r, vertices, "the number of a vertex, from 0", &corner[i]);
        if (!error)
            error = vs_drawing_add_face(r->drawing, corner, corners);
        if (!error)
            vs_scan_line(&r->scan);
    }
    return error;
}

vs_error vs_cad_read_off(vs_drawing *d, const char *bytes, size_t length) {
    reader r = {d, {bytes, bytes + length, 1}};
    int count[3] = {0};
    skip(&r);
    if (!vs_scan_is(&r.scan, "OFF"))
        return vs_drawing_expected(d, &r.scan, "OFF");
    r.scan.at += vs_scan_word(&r.scan);
    vs_error error = VS_OK;
    for (int k = 0; k < 3 && !error; k++)
        error = read_count(&r, VS_TRIANGLES_MOST, "the number of vertices, faces and edges", &count[k]);
    if (!error)
        error = read_vertices(&r, count[0]);
    return error ? error : read_faces(&r, count[1], count[0]);
}
