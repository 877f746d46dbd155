// The meshes of a Rigid IPC scene: finds their files, reads them, and scales them.
#include "cad/ipc_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/plain_locale.h"

enum { PATH_MOST = 4096, TRIANGLES_MOST = 1 << 24 };

// ---- the file of a mesh ------------------------------------------------------------------------------

// Below the folder of the options, or of the scene: no absolute path, no "..", no device of other systems.
static bool is_inside(const char *mesh) {
    const char *up = strstr(mesh, "..");
    return !vs_path_is_absolute(mesh) && !up && !strpbrk(mesh, "\\:") && strlen(mesh) < 1024;
}

static bool exists(const char *path) {
    FILE *file = vs_path_stream(path, "rb");
    if (file)
        (void)fclose(file);
    return file != NULL;
}

// In the given folder; else beside the scene, or in the folder `meshes` there or in one of those around it.
static bool find_file(const vs_ipc_model *m, const char *mesh, char path[PATH_MOST]) {
    static const char up[] = "../../../../../../../../";
    const char *file = m->scene.file, *slash = vs_path_slash(file);
    const int length = slash ? (int)(slash - file) + 1 : 0;
    if (m->options->meshes)
        return snprintf(path, PATH_MOST, "%s/%s", m->options->meshes, mesh) < PATH_MOST && exists(path);
    if (snprintf(path, PATH_MOST, "%.*s%s", length, file, mesh) < PATH_MOST && exists(path))
        return true;
    for (int k = 0; k < (int)sizeof up; k += 3)
        if (snprintf(path, PATH_MOST, "%.*s%.*smeshes/%s", length, file, k, up, mesh) < PATH_MOST && exists(path))
            return true;
    return false;
}

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

static vs_error read_bytes(vs_drawing *d, const vs_ipc_model *m, const vs_ipc_body *b, const char *bytes,
                           size_t length) {
    vs_plain_locale plain;
    if (!vs_plain_locale_enter(&plain))
        return vs_fail_memory(d->arena->context);
    vs_error error = VS_OK;
    if (ends_with(b->mesh, ".obj"))
        error = vs_obj_read(d->arena, d->file, bytes, length, NULL, &d->soup);
    else if (ends_with(b->mesh, ".stl"))
        error = vs_stl_read(d->arena, d->file, bytes, length, NULL, &d->soup);
    else if (ends_with(b->mesh, ".off"))
        error = vs_cad_read_off(d, bytes, length);
    else if (ends_with(b->mesh, ".ply"))
        error = vs_cad_read_ply(d, bytes, length);
    else
        error = vs_ipc_fail(&m->scene, b, "is no OBJ, STL, OFF or PLY file");
    vs_plain_locale_leave(&plain);
    return error;
}

static vs_error read_file(vs_drawing *d, const vs_ipc_model *m, const vs_ipc_body *b) {
    char path[PATH_MOST];
    char *bytes = NULL;
    size_t length = 0;
    if (!is_inside(b->mesh))
        return vs_ipc_fail(&m->scene, b, "must be a file below the folder of the scene or of the meshes");
    if (!find_file(m, b->mesh, path))
        return vs_ipc_fail(&m->scene, b,
                           m->options->meshes
                               ? "is not in the folder of the meshes"
                               : "was found neither beside the scene nor in a folder 'meshes' around it; "
                                 "name the folder with --meshes");
    d->file = VS_COPY(d->arena, char, path, (int64_t)strlen(path) + 1);
    vs_error error = d->file ? vs_file_load(d->arena->context, path, &bytes, &length) : VS_ERROR_MEMORY;
    if (!error)
        error = read_bytes(d, m, b, bytes, length);
    vs_release(d->arena->context, bytes);
    return error;
}

// ---- meshes inside the scene ------------------------------------------------------------------------

static vs_error read_row(const vs_ipc_model *m, const vs_ipc_body *b, const json_t *row, double most, double x[3]) {
    bool good = json_array_size(row) == 3;
    for (size_t k = 0; k < 3 && good; k++) {
        const json_t *value = json_array_get(row, k);
        x[k] = json_number_value(value);
        good = json_is_number(value) && fabs(x[k]) <= most;
    }
    return good ? VS_OK : vs_ipc_fail(&m->scene, b, "has a vertex or face that is not 3 numbers in range");
}

static vs_error read_lists(vs_drawing *d, const vs_ipc_model *m, const vs_ipc_body *b) {
    const size_t vertices = json_array_size(b->vertices), faces = json_array_size(b->faces);
    vs_error error = VS_OK;
    double x[3] = {0};
    for (size_t k = 0; k < vertices && !error; k++) {
        error = read_row(m, b, json_array_get(b->vertices, k), 1e15, x);
        if (!error)
            error = vs_drawing_add_vertex(d, (vs_vec3){x[0], x[1], x[2]});
    }
    for (size_t k = 0; k < faces && !error; k++) {
        int corner[3] = {0};
        error = read_row(m, b, json_array_get(b->faces, k), (double)vertices - 1, x);
        for (int i = 0; i < 3 && !error; i++)
            if (x[i] >= 0 && x[i] == floor(x[i]))
                corner[i] = (int)x[i];
            else
                error = vs_ipc_fail(&m->scene, b, "has a face with a number that is none of a vertex");
        if (!error)
            error = vs_drawing_add_face(d, corner, 3);
    }
    return error;
}

// ---- size ------------------------------------------------------------------------------------------

vs_box3 vs_ipc_bounds(const vs_vec3 *vertex, int count) {
    vs_box3 box = {vertex[0], vertex[0]};
    for (int k = 1; k < count; k++) {
        const vs_vec3 v = vertex[k];
        box.low = (vs_vec3){fmin(box.low.x, v.x), fmin(box.low.y, v.y), fmin(box.low.z, v.z)};
        box.high = (vs_vec3){fmax(box.high.x, v.x), fmax(box.high.y, v.y), fmax(box.high.z, v.z)};
    }
    return box;
}

static vs_error scale(vs_soup *soup, const vs_ipc_model *m, const vs_ipc_body *b) {
    vs_vec3 s = b->scale;
    if (b->dimensions) {
        const vs_box3 box = vs_ipc_bounds(soup->vertex, soup->vertices);
        const vs_vec3 extent = vs_subtract(box.high, box.low);
        s = (vs_vec3){s.x / (extent.x > 0 ? extent.x : 1), s.y / (extent.y > 0 ? extent.y : 1),
                      s.z / (extent.z > 0 ? extent.z : 1)};
    }
    for (int k = 0; k < soup->vertices; k++) {
        vs_vec3 *v = &soup->vertex[k];
        *v = (vs_vec3){v->x * s.x, v->y * s.y, v->z * s.z};
        if (!(fabs(v->x) <= 1e9 && fabs(v->y) <= 1e9 && fabs(v->z) <= 1e9))
            return vs_ipc_fail(&m->scene, b, "has a vertex farther than 1e9 m from its origin");
    }
    return VS_OK;
}

vs_error vs_ipc_load(vs_ipc_model *m, const vs_ipc_body *b, vs_drawing *d) {
    vs_error error = b->mesh[0] ? read_file(d, m, b) : read_lists(d, m, b);
    if (!error)
        error = vs_drawing_finish(d);
    if (!error && d->soup.triangles == 0)
        error = vs_ipc_fail(&m->scene, b,
                            "is codimensional: points or edges without faces have no volume, and a scene with them "
                            "cannot be imported");
    m->triangles += error ? 0 : d->soup.triangles;
    if (!error && m->triangles > TRIANGLES_MOST)
        error = vs_ipc_fail(&m->scene, b, "brings the scene to more than 2^24 triangles");
    return error ? error : scale(&d->soup, m, b);
}
