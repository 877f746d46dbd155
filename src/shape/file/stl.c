// STL files, binary and text, as triangles with vertices of their own.
//
//     binary: 80 bytes of anything, count (uint32), then count times
//             { normal, 3 vertices (12 float32), 2 bytes }, all little-endian
//     text:   solid …, count times
//             { facet normal x y z, outer loop, 3 times vertex x y z, endloop, endfacet },
//             endsolid …; words in any case; several solids may follow each other
//
// The length decides which one it is, since many binary files begin with "solid". Normals are not used: the order of
// the vertices implies them and is more often right. Sizes are checked against the length before memory is allocated.
#include "shape/build.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { HEADER = 80, BEGIN = 84, RECORD = 50, NORMAL = 12 }; // bytes

static uint32_t read_uint(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_float(const char *bytes) {
    const uint32_t bits = read_uint(bytes);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

// Room for triangles, each with three vertices of its own.
static vs_error make_room(vs_arena *arena, int64_t triangles, vs_soup *soup) {
    soup->vertex = VS_NEW(arena, vs_vec3, 3 * triangles);
    soup->index = VS_NEW(arena, int, 3 * triangles);
    if (!soup->vertex || !soup->index)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < 3 * triangles; k++)
        soup->index[k] = (int)k;
    soup->vertices = soup->triangles = 0;
    return VS_OK;
}

// ---- binary ----------------------------------------------------------------------------------------

static bool is_binary(const char *bytes, size_t length) {
    return length >= BEGIN && (uint64_t)BEGIN + (uint64_t)RECORD * read_uint(bytes + HEADER) == length;
}

static vs_error read_binary(vs_arena *arena, const char *name, const char *bytes, vs_soup *soup) {
    const uint32_t count = read_uint(bytes + HEADER);
    if (count > VS_TRIANGLES_MOST)
        return vs_fail(arena->context, VS_ERROR_DATA, "%s: too many triangles (%" PRIu32 ")", name, count);
    vs_error error = make_room(arena, count, soup);
    if (error)
        return error;
    for (uint32_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            const size_t at = BEGIN + (size_t)RECORD * k + NORMAL + 12 * (size_t)c;
            const vs_vec3 v = {read_float(bytes + at), read_float(bytes + at + 4), read_float(bytes + at + 8)};
            if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z))
                return vs_fail(arena->context, VS_ERROR_DATA,
                               "%s, byte %zu: a vertex of triangle %" PRIu32 " is not finite", name, at, k);
            soup->vertex[soup->vertices++] = v;
        }
    soup->triangles = (int)count;
    return VS_OK;
}

// ---- text ------------------------------------------------------------------------------------------

typedef struct reader {
    vs_context *context;
    const char *name;
    vs_scan scan;
    const vs_marks *marks;
} reader;

static vs_error expect(reader *r, const char *word) {
    vs_scan_blanks(&r->scan, true);
    if (!vs_scan_is(&r->scan, word))
        return vs_scan_fail(r->context, r->name, &r->scan, word);
    r->scan.at += strlen(word);
    return VS_OK;
}

static vs_error read_numbers(reader *r, double x[3]) {
    for (int k = 0; k < 3; k++) {
        vs_scan_blanks(&r->scan, true);
        if (!vs_scan_number(&r->scan, x + k))
            return vs_scan_fail(r->context, r->name, &r->scan, "a number");
    }
    return VS_OK;
}

// From after "facet" to after "endfacet".
static vs_error read_facet(reader *r, vs_vec3 corner[3]) {
    double x[3];
    vs_error error;
    if ((error = expect(r, "normal")) || (error = read_numbers(r, x)) || (error = expect(r, "outer")) ||
        (error = expect(r, "loop")))
        return error;
    for (int c = 0; c < 3; c++) {
        if ((error = expect(r, "vertex")))
            return error;
        const vs_scan before = r->scan;
        if ((error = read_numbers(r, x)))
            return error;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return vs_scan_fail(r->context, r->name, &before, "finite numbers");
        corner[c] = (vs_vec3){x[0], x[1], x[2]};
    }
    if ((error = expect(r, "endloop")))
        return error;
    return expect(r, "endfacet");
}

// From "solid" to after "endsolid".
static vs_error read_solid(reader *r, vs_soup *soup) {
    vs_scan_blanks(&r->scan, true);
    const vs_scan begin = r->scan;
    vs_error error = expect(r, "solid");
    if (!error && r->marks)
        error = vs_marks_report(r->marks, VS_MARK_OBJECT, &begin, soup->triangles);
    if (error)
        return error;
    vs_scan_line(&r->scan); // its name
    vs_scan_blanks(&r->scan, true);
    while (vs_scan_is(&r->scan, "facet")) {
        if ((error = expect(r, "facet")) || (error = read_facet(r, soup->vertex + soup->vertices)))
            return error;
        soup->vertices += 3;
        soup->triangles++;
        vs_scan_blanks(&r->scan, true);
    }
    if ((error = expect(r, "endsolid")))
        return error;
    vs_scan_line(&r->scan);
    return VS_OK;
}

static vs_error read_text(vs_arena *arena, const char *name, const char *bytes, size_t length, const vs_marks *marks,
                          vs_soup *soup) {
    // The shortest facet has 85 characters, which bounds their number.
    const size_t shortest = 80, most = length / shortest + 1;
    if (most > VS_TRIANGLES_MOST)
        return vs_fail(arena->context, VS_ERROR_DATA, "%s: too large (%zu bytes)", name, length);
    vs_error error = make_room(arena, (int64_t)most, soup);
    reader r = {arena->context, name, {bytes, bytes + length, 1}, marks};
    while (!error && (r.scan.at < r.scan.end || soup->triangles == 0)) {
        error = read_solid(&r, soup);
        vs_scan_blanks(&r.scan, true);
        if (!error && r.scan.at == r.scan.end && soup->triangles == 0)
            error = vs_fail(arena->context, VS_ERROR_DATA, "%s: no triangles", name);
    }
    return error;
}

vs_error vs_stl_read(vs_arena *arena, const char *name, const char *bytes, size_t length, const vs_marks *marks,
                     vs_soup *soup) {
    if (is_binary(bytes, length))
        return read_binary(arena, name, bytes, soup);
    vs_scan first = {bytes, bytes + length, 1};
    vs_scan_blanks(&first, true);
    if (vs_scan_is(&first, "solid"))
        return read_text(arena, name, bytes, length, marks, soup);
    if (length < BEGIN)
        return vs_fail(arena->context, VS_ERROR_DATA, "%s: not an STL file: no 'solid' and only %zu bytes", name,
                       length);
    return vs_fail(arena->context, VS_ERROR_DATA,
                   "%s, byte %d: %" PRIu32 " triangles make %" PRIu64 " bytes, the file has %zu", name, HEADER,
                   read_uint(bytes + HEADER), BEGIN + (uint64_t)RECORD * read_uint(bytes + HEADER), length);
}
