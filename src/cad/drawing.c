// Objects of a drawing: names, materials, and which triangles belong to them.
#include "cad/cad_data.h"

#include <math.h>
#include <string.h>

void vs_drawing_init(vs_drawing *d, vs_arena *arena, const char *file) {
    *d = (vs_drawing){.arena = arena, .file = file, .mu = NAN, .current = -1};
}

void vs_drawing_release(vs_drawing *d) {
    vs_context *context = d->arena->context;
    VS_ARRAY_RELEASE(context, &d->vertex);
    VS_ARRAY_RELEASE(context, &d->index);
    VS_ARRAY_RELEASE(context, &d->object);
    VS_ARRAY_RELEASE(context, &d->run);
    VS_ARRAY_RELEASE(context, &d->text);
    vs_name_table_release(context, &d->names);
}

// ---- objects ---------------------------------------------------------------------------------------

static vs_error find_object(vs_drawing *d, const char *name, int *object) {
    bool added;
    vs_error error = VS_RESERVE(d->arena->context, &d->object, d->object.count + 1);
    if (!error)
        error = vs_name_table_add(d->arena, &d->names, name, object, &added);
    if (!error && added)
        d->object.data[d->object.count++] = (vs_cad_object){.name = d->names.name.data[*object]};
    return error;
}

// Triangles up to this one belong to the current object.
static vs_error close_run(vs_drawing *d, int triangle) {
    vs_error error = VS_OK;
    if (triangle <= d->begin)
        return VS_OK;
    if (d->current < 0)
        error = find_object(d, "", &d->current);
    if (!error)
        error = VS_RESERVE(d->arena->context, &d->run, d->run.count + 1);
    if (error)
        return error;
    d->run.data[d->run.count++] = (vs_cad_run){d->begin, d->current};
    vs_cad_object *object = &d->object.data[d->current];
    if (!object->material)
        object->material = d->material;
    d->begin = triangle;
    return VS_OK;
}

vs_error vs_drawing_begin(vs_drawing *d, const char *name, size_t length, int triangle) {
    vs_error error = close_run(d, triangle);
    if (!error)
        error = VS_RESERVE(d->arena->context, &d->text, (int64_t)length + 1);
    if (error)
        return error;
    vs_name_clean(name, length, d->text.data, length);
    return find_object(d, d->text.data, &d->current);
}

vs_error vs_drawing_set_material(vs_drawing *d, const char *name, size_t length, int triangle) {
    char text[VS_CAD_NAME_MOST + 1];
    vs_error error = close_run(d, triangle);
    vs_name_clean(name, length, text, VS_CAD_NAME_MOST);
    // Many files repeat the material for every object.
    if (error || !text[0] || (d->material && strcmp(d->material, text) == 0))
        return error;
    d->material = VS_COPY(d->arena, char, text, (int64_t)strlen(text) + 1);
    return d->material ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_drawing_add_vertex(vs_drawing *d, vs_vec3 vertex) {
    if (d->vertex.count >= VS_TRIANGLES_MOST)
        return vs_fail(d->arena->context, VS_ERROR_DATA, "%s: more than %d vertices", d->file, VS_TRIANGLES_MOST);
    vs_error error = VS_RESERVE(d->arena->context, &d->vertex, d->vertex.count + 1);
    if (!error)
        d->vertex.data[d->vertex.count++] = vertex;
    return error;
}

vs_error vs_drawing_add_face(vs_drawing *d, const int *corner, int count) {
    if (d->index.count / 3 + count >= VS_TRIANGLES_MOST)
        return vs_fail(d->arena->context, VS_ERROR_DATA, "%s: more than %d triangles", d->file, VS_TRIANGLES_MOST);
    vs_error error = VS_RESERVE(d->arena->context, &d->index, d->index.count + 3 * (int64_t)(count - 2));
    if (error)
        return error;
    vs_polygon_cut(d->vertex.data, corner, count, d->index.data + d->index.count);
    d->index.count += 3 * (int64_t)(count - 2);
    return VS_OK;
}

int vs_drawing_count(const vs_drawing *d) {
    return (int)(d->index.count / 3);
}

vs_error vs_drawing_finish(vs_drawing *d) {
    if (!d->soup.vertex)
        d->soup = (vs_soup){(int)d->vertex.count, (int)(d->index.count / 3), d->vertex.data, d->index.data};
    return close_run(d, d->soup.triangles);
}

vs_error vs_drawing_expected(const vs_drawing *d, const vs_scan *scan, const char *what) {
    return vs_scan_fail(d->arena->context, d->file, scan, what);
}
