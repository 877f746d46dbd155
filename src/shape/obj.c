// OBJ files: vertices and faces.
//
//     v x y z …          a vertex; anything after z (weight, colour) is ignored
//     f 1/2/3 -1//4 …    a face: numbers of vertices from 1, or backwards from the last one as -1; slashes and the
//                        numbers between them (texture, normal) are ignored
//
// Everything else (groups, materials, lines, curves) is skipped. Faces with more than three corners are divided into
// triangles by ear clipping, in the plane of their mean normal. A backslash continues a line.
#include "shape/build.h"

#include <math.h>
#include <string.h>

enum { CORNERS_MOST = 512 }; // of a face

typedef struct reader {
    vs_context *context;
    const char *name;
    vs_scan scan;
    int64_t vertices;  // so far
    int64_t triangles; // so far
    int64_t total;     // vertices of the file
    vs_soup *soup;     // null while counting
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

// ---- faces into triangles --------------------------------------------------------------------------

typedef struct polygon {
    int count;
    int vertex[CORNERS_MOST];
    double x[CORNERS_MOST], y[CORNERS_MOST]; // in its plane
} polygon;

// Coordinates in the plane of Newell's normal.
static void flatten(polygon *p, const vs_vec3 *vertex) {
    const vs_vec3 o = vertex[p->vertex[0]];
    vs_vec3 n = VS_ZERO3;
    for (int k = 1; k + 1 < p->count; k++)
        n = vs_add(n, vs_cross(vs_subtract(vertex[p->vertex[k]], o), vs_subtract(vertex[p->vertex[k + 1]], o)));
    n = vs_normalize(n);
    const vs_vec3 other = fabs(n.x) < .6 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0};
    const vs_vec3 u = vs_normalize(vs_cross(other, n)), w = vs_cross(n, u);
    for (int k = 0; k < p->count; k++) {
        const vs_vec3 r = vs_subtract(vertex[p->vertex[k]], o);
        p->x[k] = vs_dot(u, r);
        p->y[k] = vs_dot(w, r);
    }
}

// Twice the area of three corners, positive when counter-clockwise.
static double turn(const polygon *p, int a, int b, int c) {
    return (p->x[b] - p->x[a]) * (p->y[c] - p->y[a]) - (p->y[b] - p->y[a]) * (p->x[c] - p->x[a]);
}

// Is corner k an ear: convex, and with no other corner in its triangle?
static bool is_ear(const polygon *p, int k) {
    const int a = (k + p->count - 1) % p->count, c = (k + 1) % p->count;
    if (!(turn(p, a, k, c) > 0))
        return false;
    for (int j = 0; j < p->count; j++) {
        const int v = p->vertex[j];
        // Corners of the triangle itself may be repeated (a slit).
        if (v == p->vertex[a] || v == p->vertex[k] || v == p->vertex[c])
            continue;
        if (turn(p, a, k, j) >= 0 && turn(p, k, c, j) >= 0 && turn(p, c, a, j) >= 0)
            return false;
    }
    return true;
}

static void remove_corner(polygon *p, int k) {
    const size_t rest = (size_t)(p->count - 1 - k);
    memmove(p->vertex + k, p->vertex + k + 1, rest * sizeof *p->vertex);
    memmove(p->x + k, p->x + k + 1, rest * sizeof *p->x);
    memmove(p->y + k, p->y + k + 1, rest * sizeof *p->y);
    p->count--;
}

static void cut_ears(polygon *p, const vs_vec3 *vertex, int *index) {
    if (p->count > 3)
        flatten(p, vertex);
    for (int start = 1; p->count > 3;) {
        // Where there is no ear (a polygon that crosses itself), any corner serves.
        int k = start % p->count, tried = 0;
        while (tried < p->count && !is_ear(p, k)) {
            k = (k + 1) % p->count;
            tried++;
        }
        const int ear[3] = {p->vertex[(k + p->count - 1) % p->count], p->vertex[k], p->vertex[(k + 1) % p->count]};
        memcpy(index, ear, sizeof ear);
        index += 3;
        remove_corner(p, k);
        // Continue after the clipped corner, or a convex polygon would become a fan about one corner.
        start = k + 1;
    }
    memcpy(index, p->vertex, 3 * sizeof *index);
}

static vs_error read_face(reader *r) {
    const vs_scan before = r->scan;
    polygon p;
    p.count = 0;
    for (skip(&r->scan); vs_scan_word(&r->scan) > 0 && *r->scan.at != '#'; skip(&r->scan)) {
        if (p.count == CORNERS_MOST)
            return vs_scan_fail(r->context, r->name, &before, "a face with at most 512 corners");
        vs_error error = read_corner(r, p.vertex + p.count);
        if (error)
            return error;
        p.count++;
    }
    if (p.count < 3)
        return vs_scan_fail(r->context, r->name, &before, "a face with at least 3 corners");
    const int triangles = p.count - 2;
    if (r->soup)
        cut_ears(&p, r->soup->vertex, r->soup->index + 3 * r->triangles);
    r->triangles += triangles;
    return VS_OK;
}

// ---- the file --------------------------------------------------------------------------------------

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
        }
        if (error)
            return error;
        skip_line(&r->scan, bytes);
    }
}

vs_error vs_obj_read(vs_arena *arena, const char *name, const char *bytes, size_t length, vs_soup *soup) {
    reader r = {.context = arena->context, .name = name};
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
