// OBJ files: vertices and faces.
//
//     v x y z …          a vertex; anything after z (weight, colour) is ignored
//     f 1/2/3 -1//4 …    a face: numbers of vertices from 1, or backwards from the last one as -1; slashes and the
//                        numbers between them (texture, normal) are ignored
//
//     o, g, usemtl …     an object, a group, a material: reported to those who ask for marks, else skipped
//
// Everything else (lines, curves) is skipped. A backslash continues a line.
#include "shape/build.h"

#include <math.h>
#include <string.h>

typedef struct reader {
    vs_context *context;
    const char *name;
    vs_scan scan;
    int64_t vertices;  // so far
    int64_t triangles; // so far
    int64_t total;     // vertices of the file
    vs_soup *soup;     // null while counting
    const vs_marks *marks;
} reader;

// Skips blanks and continued ends of lines.
static void skip(vs_scan *scan) {
    vs_scan_blanks(scan, false);
    while (scan->at[0] == '\\' && (scan->at[1] == '\n' || (scan->at[1] == '\r' && scan->at[2] == '\n'))) {
        scan->at += scan->at[1] == '\r' ? 3 : 2;
        scan->line++;
        vs_scan_blanks(scan, false);
    }
}

// Skips the rest of the line, and the lines that continue it.
static void skip_line(vs_scan *scan, const char *bytes) {
    for (vs_scan_line(scan); scan->at < scan->end; vs_scan_line(scan)) {
        const char *last = scan->at - (scan->at > bytes);
        last -= last > bytes && *last == '\r';
        if (*last != '\\')
            return;
        scan->at++;
        scan->line++;
    }
}

static vs_error read_vertex(reader *r) {
    double x[3] = {0};
    for (int k = 0; k < 3; k++) {
        skip(&r->scan);
        const vs_scan before = r->scan;
        if (!vs_scan_number(&r->scan, x + k) || !isfinite(x[k]))
            return vs_scan_fail(r->context, r->name, &before, "a finite number");
    }
    if (r->soup)
        r->soup->vertex[r->vertices] = (vs_vec3){x[0], x[1], x[2]};
    r->vertices++;
    return VS_OK;
}

// The number before the first slash; the rest of the word may hold digits, signs and slashes.
static vs_error read_corner(reader *r, int *vertex) {
    const vs_scan before = r->scan;
    const char *at = r->scan.at, *end = at + vs_scan_word(&r->scan);
    const bool back = *at == '-';
    int64_t number = 0;
    at += back;
    const char *digits = at;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        if (number <= VS_TRIANGLES_MOST * 4LL)
            number = 10 * number + (*at - '0');
    bool good = at > digits && (at == end || *at == '/');
    for (; at < end; at++)
        good = good && *at && strchr("/-0123456789", *at);
    if (!good)
        return vs_scan_fail(r->context, r->name, &before, "the number of a vertex");
    const int64_t found = back ? r->vertices - number : number - 1;
    // While counting, the number of vertices is not known yet.
    if (r->soup && (number == 0 || found < 0 || found >= r->total))
        return vs_scan_fail(r->context, r->name, &before, "a vertex of the file");
    *vertex = r->soup ? (int)found : 0;
    r->scan.at = end;
    return VS_OK;
}

// ---- faces ------------------------------------------------------------------------------------------

static vs_error read_face(reader *r) {
    const vs_scan before = r->scan;
    int corner[VS_POLYGON_MOST], count = 0;
    for (skip(&r->scan); vs_scan_word(&r->scan) > 0 && *r->scan.at != '#'; skip(&r->scan)) {
        if (count == VS_POLYGON_MOST)
            return vs_scan_fail(r->context, r->name, &before, "a face with at most 512 corners");
        vs_error error = read_corner(r, corner + count);
        if (error)
            return error;
        count++;
    }
    if (count < 3)
        return vs_scan_fail(r->context, r->name, &before, "a face with at least 3 corners");
    if (r->soup)
        vs_polygon_cut(r->soup->vertex, corner, count, r->soup->index + 3 * r->triangles);
    r->triangles += count - 2;
    return VS_OK;
}

// ---- the file --------------------------------------------------------------------------------------

static vs_error report_mark(const reader *r) {
    static const struct {
        const char *word;
        vs_mark mark;
    } known[] = {{"o", VS_MARK_OBJECT}, {"g", VS_MARK_GROUP}, {"usemtl", VS_MARK_MATERIAL}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (vs_scan_is(&r->scan, known[k].word))
            return vs_marks_report(r->marks, known[k].mark, &r->scan, (int)r->triangles);
    return VS_OK;
}

static vs_error read_lines(reader *r, const char *bytes, size_t length) {
    r->scan = (vs_scan){bytes, bytes + length, 1};
    r->vertices = r->triangles = 0;
    for (;;) {
        vs_error error = VS_OK;
        vs_scan_blanks(&r->scan, true);
        if (r->scan.at == r->scan.end)
            return VS_OK;
        const size_t word = vs_scan_word(&r->scan);
        if (word == 1 && (*r->scan.at == 'v' || *r->scan.at == 'f')) {
            const bool vertex = *r->scan.at == 'v';
            r->scan.at++;
            error = vertex ? read_vertex(r) : read_face(r);
        } else if (r->soup && r->marks) {
            error = report_mark(r);
        }
        if (error)
            return error;
        skip_line(&r->scan, bytes);
    }
}

vs_error vs_obj_read(vs_arena *arena, const char *name, const char *bytes, size_t length, const vs_marks *marks,
                     vs_soup *soup) {
    reader r = {.context = arena->context, .name = name, .marks = marks};
    // Once to count, once to fill: no more memory than the file needs.
    vs_error error = read_lines(&r, bytes, length);
    if (error)
        return error;
    if (r.vertices > VS_TRIANGLES_MOST || r.triangles > VS_TRIANGLES_MOST)
        return vs_fail(arena->context, VS_ERROR_DATA, "%s: too large (%zu bytes)", name, length);
    if (r.vertices == 0)
        return vs_fail(arena->context, VS_ERROR_DATA, "%s: no vertices", name);
    *soup = (vs_soup){.vertices = (int)r.vertices, .triangles = (int)r.triangles};
    soup->vertex = VS_NEW_ZERO(arena, vs_vec3, r.vertices);
    soup->index = VS_NEW(arena, int, 3 * r.triangles);
    if (!soup->vertex || !soup->index)
        return VS_ERROR_MEMORY;
    r.total = r.vertices;
    r.soup = soup;
    return read_lines(&r, bytes, length);
}
