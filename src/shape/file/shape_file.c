// Shapes from files: opens, reads, and turns vertices and triangles into a hull or a mesh.
//
// A file is read as a whole; its size bounds the memory, and a limit bounds its size. Numbers are read with the point
// as decimal separator whatever the program's locale. Equal vertices of STL are merged; vertices without a triangle are
// dropped, and so are triangles without area, which many programs write and which have no normal.
#include "shape/build.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/plain_locale.h"

// ---- soup to shape ---------------------------------------------------------------------------------

// Replaces each vertex by the first one with the same coordinates.
static vs_error merge_vertices(vs_arena *arena, vs_soup *soup) {
    int *first = VS_NEW(arena, int, soup->vertices);
    if (!first)
        return VS_ERROR_MEMORY;
    vs_error error = vs_vertices_match(arena->context, soup->vertex, soup->vertices, first);
    for (int64_t k = 0; !error && k < 3 * (int64_t)soup->triangles; k++)
        soup->index[k] = first[soup->index[k]];
    return error;
}

static void drop_flat(vs_soup *soup) {
    int kept = 0;
    for (int k = 0; k < soup->triangles; k++) {
        const int *corner = soup->index + 3 * (int64_t)k;
        if (vs_triangle_has_area(soup->vertex[corner[0]], soup->vertex[corner[1]], soup->vertex[corner[2]]))
            memmove(soup->index + 3 * (int64_t)kept++, corner, 3 * sizeof(int));
    }
    soup->triangles = kept;
}

// Renumbers the vertices that triangles use, in the order of the file.
static vs_error drop_unused(vs_arena *arena, vs_soup *soup) {
    int *number = VS_NEW_ZERO(arena, int, soup->vertices);
    if (!number)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < 3 * (int64_t)soup->triangles; k++)
        number[soup->index[k]] = 1;
    int kept = 0;
    for (int k = 0; k < soup->vertices; k++) {
        if (!number[k])
            continue;
        soup->vertex[kept] = soup->vertex[k];
        number[k] = kept++;
    }
    for (int64_t k = 0; k < 3 * (int64_t)soup->triangles; k++)
        soup->index[k] = number[soup->index[k]];
    soup->vertices = kept;
    return VS_OK;
}

static vs_error make_mesh(vs_arena *arena, const char *name, vs_soup *soup, vs_shape **shape) {
    const int before = soup->triangles;
    drop_flat(soup);
    if (soup->triangles < before)
        vs_log(arena->context, VS_LOG_WARNING, "%s: %d of %d triangles have no area and are omitted", name,
               before - soup->triangles, before);
    if (soup->triangles == 0)
        return vs_fail(arena->context, VS_ERROR_DATA, "%s: no triangles%s", name, before > 0 ? " with area" : "");
    vs_error error = drop_unused(arena, soup);
    return error ? error
                 : vs_shape_mesh(arena->context, soup->vertex, soup->vertices, soup->index, soup->triangles, shape);
}

// Of the vertices that faces use, or of all if there are no faces.
static vs_error make_hull(vs_arena *arena, const char *name, vs_soup *soup, vs_shape **shape) {
    vs_error error = soup->triangles > 0 ? drop_unused(arena, soup) : VS_OK;
    if (error)
        return error;
    if (soup->vertices < 4)
        return vs_fail(arena->context, VS_ERROR_DATA, "%s: a hull needs at least 4 vertices (has %d)", name,
                       soup->vertices);
    return vs_shape_hull(arena->context, soup->vertex, soup->vertices, shape);
}

static vs_error read_bytes(vs_arena *arena, const char *name, vs_mesh_format format, const char *bytes, size_t length,
                           vs_soup *soup) {
    vs_plain_locale plain;
    if (!vs_plain_locale_enter(&plain))
        return vs_fail_memory(arena->context);
    vs_error error = format == VS_MESH_STL ? vs_stl_read(arena, name, bytes, length, NULL, soup)
                                           : vs_obj_read(arena, name, bytes, length, NULL, soup);
    vs_plain_locale_leave(&plain);
    return error;
}

vs_error vs_shape_from_bytes(vs_context *context, const char *name, vs_mesh_format format, const char *bytes,
                             size_t length, double scale, bool hull, vs_shape **shape) {
    vs_arena scratch;
    vs_soup soup = {0};
    vs_arena_init(&scratch, context);
    vs_error error = read_bytes(&scratch, name, format, bytes, length, &soup);
    if (error)
        goto cleanup;
    for (int k = 0; k < soup.vertices; k++)
        soup.vertex[k] = vs_scale(scale, soup.vertex[k]);
    if (format == VS_MESH_STL && (error = merge_vertices(&scratch, &soup)))
        goto cleanup;
    error = hull ? make_hull(&scratch, name, &soup, shape) : make_mesh(&scratch, name, &soup, shape);
cleanup:
    vs_arena_release(&scratch);
    return error;
}

// ---- the file itself -------------------------------------------------------------------------------

static bool ends_with(const char *path, const char *end) {
    const size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcasecmp(path + length - tail, end) == 0;
}

vs_error vs_shape_from_file(vs_context *context, const char *path, double scale, bool hull, vs_shape **shape) {
    if (shape)
        *shape = NULL;
    if (!context || !path || !shape)
        return vs_fail(context, VS_ERROR_ARGUMENT, "context, path or shape is null");
    if (!(scale > 0 && isfinite(scale)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "scale must be positive and finite (is %g)", scale);
    const bool stl = ends_with(path, ".stl");
    if (!stl && !ends_with(path, ".obj"))
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "%s: the name must end with .stl or .obj", path);
    char *bytes;
    size_t length = 0;
    vs_error error = vs_file_load(context, path, &bytes, &length);
    if (!error)
        error = vs_shape_from_bytes(context, path, stl ? VS_MESH_STL : VS_MESH_OBJ, bytes, length, scale, hull, shape);
    vs_release(context, bytes);
    return error;
}
