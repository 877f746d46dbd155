// MJCF: shapes from meshes.
//
// A mesh of a geom is its hull; points are S R'(p - refpos) with R of refquat and the scale S. A primitive with a mesh is
// fitted to it as in MuJoCo: at its centre of mass, along its principal axes, with the half sides of the box that has the
// same mass and inertia, longest along z,
//
//     s_i = 1/2 sqrt(6 (I_j + I_k - I_i)/m),   or with fitaabb the half sides of the bounding box
//
// Mass properties are those of a closed mesh, else of its hull. A mesh whose points lie in a plane has no hull: it is
// listed, and has neither contacts nor mass.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "element/eigen.h"
#include "scene/data/scene_data.h"
#include "scene/import/mjcf_data.h"
#include "shape/shape_data.h"

// ---- points ----------------------------------------------------------------------------------------

typedef struct placing {
    vs_vec3 scale, origin;
    vs_quat turn;
    bool plain; // nothing to do
} placing;

static placing read_placing(vs_import *im, vs_element mesh) {
    double q[4] = {1, 0, 0, 0};
    placing p = {.scale = vs_import_vector(im, mesh, "scale", (vs_vec3){1, 1, 1}),
                 .origin = vs_import_vector(im, mesh, "refpos", VS_ZERO3)};
    (void)vs_import_numbers(im, mesh, "refquat", q, 4, 4);
    if (vs_import_good(im) && !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0))
        vs_import_fail(im, mesh.node, VS_ERROR_DATA, "refquat has no direction");
    p.turn = vs_import_good(im) ? vs_quat_normalize((vs_quat){q[0], q[1], q[2], q[3]}) : (vs_quat){1, 0, 0, 0};
    p.plain = p.scale.x == 1 && p.scale.y == 1 && p.scale.z == 1 && vs_length(p.origin) == 0 && p.turn.w == 1;
    return p;
}

static vs_vec3 *place(vs_import *im, const xmlNode *node, const placing *p, const vs_vec3 *point, int count) {
    vs_vec3 *out = vs_import_make(im, node, count + 1, sizeof *out);
    for (int k = 0; out && k < count; k++) {
        const vs_vec3 x = vs_rotate_back(p->turn, vs_subtract(point[k], p->origin));
        out[k] = (vs_vec3){p->scale.x * x.x, p->scale.y * x.y, p->scale.z * x.z};
    }
    return out;
}

// Points in the file itself: <mesh vertex="…">.
static vs_shape *read_vertices(vs_import *im, vs_element mesh, const char *text, const placing *p) {
    const int64_t most = (int64_t)strlen(text) / 2 + 1;
    double *x = most < 3000000 ? VS_NEW(&im->arena, double, most) : NULL;
    if (!x) {
        vs_import_fail(im, mesh.node, VS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    const int count = vs_import_numbers(im, mesh, "vertex", x, 12, (int)most);
    vs_vec3 *point = vs_import_make(im, mesh.node, count / 3 + 1, sizeof *point);
    for (int k = 0; point && k < count / 3; k++)
        point[k] = (vs_vec3){x[3 * k], x[3 * k + 1], x[3 * k + 2]};
    vs_vec3 *placed = point ? place(im, mesh.node, p, point, count / 3) : NULL;
    vs_shape *shape = NULL;
    if (placed)
        vs_import_check(im, mesh.node, vs_shape_hull(im->context, placed, count / 3, &shape));
    return shape;
}

// ---- files -----------------------------------------------------------------------------------------

// The folder of the model that an element belongs to, and its length.
static const char *model_folder(const vs_import *im, const xmlNode *node, int *length) {
    const int model = vs_mjcf_model(node);
    const char *file = model > 0 ? im->model[model] : im->folder ? im->folder : "", *slash = vs_path_slash(file);
    *length = slash ? (int)(slash - file) + 1 : 0;
    return file;
}

static char *find_path(vs_mjcf *m, vs_element mesh) {
    vs_import *im = m->im;
    const vs_mjcf_settings *set = vs_mjcf_set(m, mesh.node);
    const char *file = vs_import_need(im, mesh, "file"), *slash = set->strip_path ? vs_path_slash(file) : NULL;
    int length = 0;
    const char *folder = model_folder(im, mesh.node, &length), *inner = set->folder;
    file = slash ? slash + 1 : file;
    length = vs_path_is_absolute(file) || vs_path_is_absolute(inner) ? 0 : length;
    inner = vs_path_is_absolute(file) ? "" : inner;
    const size_t room = (size_t)length + strlen(inner) + strlen(file) + 1;
    char *path = vs_import_make(im, mesh.node, (int64_t)room, 1);
    if (path)
        (void)snprintf(path, room, "%.*s%s%s", length, folder, inner, file);
    return path;
}

// Null and no error: listed.
static vs_shape *read_file(vs_import *im, const xmlNode *node, const char *path, bool hull) {
    vs_shape *read = NULL, *flat = NULL;
    vs_error error = vs_scene_add_file(im->scene, path);
    if (!error)
        error = vs_shape_from_file(im->context, path, 1, hull, &read);
    if (error == VS_ERROR_UNSUPPORTED) {
        vs_import_ignore(im, node, "the shape is ignored: %s", vs_context_get_error_text(im->context));
    } else if (hull && (error == VS_ERROR_DATA || error == VS_ERROR_NUMERICAL) &&
               vs_shape_from_file(im->context, path, 1, false, &flat) == VS_OK) {
        vs_import_ignore(im, node, "the mesh is flat: without contacts and mass");
        vs_shape_release(flat);
    } else {
        vs_import_check(im, node, error);
    }
    return read;
}

// The mesh with its points placed; a mirrored one has its triangles turned round.
static vs_shape *place_mesh(vs_import *im, const xmlNode *node, const placing *p, vs_shape *read) {
    const vs_triangles *t = &read->triangles;
    vs_vec3 *point = place(im, node, p, t->vertex, t->vertices);
    int *index = vs_import_make(im, node, 3 * (int64_t)t->triangles, sizeof *index);
    vs_shape *shape = NULL;
    if (point && index) {
        const bool mirrored = p->scale.x * p->scale.y * p->scale.z < 0;
        for (int k = 0; k < 3 * t->triangles; k++)
            index[k] = t->index[mirrored ? k - k % 3 + 2 - k % 3 : k];
        vs_import_check(im, node, vs_shape_mesh(im->context, point, t->vertices, index, t->triangles, &shape));
    }
    vs_shape_release(read);
    return shape;
}

static vs_shape *place_hull(vs_import *im, const xmlNode *node, const placing *p, vs_shape *read) {
    vs_vec3 *point = place(im, node, p, read->polytope.vertex, read->polytope.vertices);
    vs_shape *shape = NULL;
    if (point)
        vs_import_check(im, node, vs_shape_hull(im->context, point, read->polytope.vertices, &shape));
    vs_shape_release(read);
    return shape;
}

static vs_shape *load(vs_mjcf *m, vs_element geom, bool hull) {
    vs_import *im = m->im;
    const char *name = vs_import_need(im, geom, "mesh");
    const int at = vs_names_find(&m->mesh_names, name);
    if (at < 0) {
        vs_import_fail(im, geom.node, VS_ERROR_DATA, "there is no mesh '%.60s' in <asset>", name);
        return NULL;
    }
    const vs_element mesh = vs_mjcf_element(m, m->mesh[at], NULL);
    const placing p = read_placing(im, mesh);
    const char *vertex = vs_import_text(im, mesh, "vertex");
    if (vs_import_good(im) && vertex)
        return read_vertices(im, mesh, vertex, &p);
    if (vs_import_good(im) && !vs_import_text(im, mesh, "file"))
        vs_import_fail(im, mesh.node, VS_ERROR_DATA, "needs a file or vertices");
    const char *path = vs_import_good(im) ? find_path(m, mesh) : NULL;
    if (path && !im->folder)
        vs_import_fail(im, geom.node, VS_ERROR_UNSUPPORTED,
                       "'%.200s': shape files need a description that is itself a file", path);
    vs_shape *read = path && vs_import_good(im) ? read_file(im, geom.node, path, hull) : NULL;
    if (!read || p.plain)
        return read;
    return hull ? place_hull(im, geom.node, &p, read) : place_mesh(im, geom.node, &p, read);
}

vs_shape *vs_mjcf_mesh_hull(vs_mjcf *m, vs_element geom) {
    return load(m, geom, true);
}

// ---- mass ------------------------------------------------------------------------------------------

static bool is_closed(const vs_shape *shape) {
    return shape->kind != VS_SHAPE_MESH || shape->triangles.surface.closed;
}

bool vs_mjcf_mesh_mass(vs_mjcf *m, vs_element geom, const vs_shape *hull, vs_mass_properties *mass) {
    vs_import *im = m->im;
    vs_mass_properties convex = {0};
    vs_shape *mesh = load(m, geom, false);
    if (vs_import_good(im) && hull)
        vs_import_check(im, geom.node, vs_shape_get_mass(hull, 1, &convex));
    bool known = mesh && hull && vs_import_good(im) && is_closed(mesh) && vs_shape_get_mass(mesh, 1, mass) == VS_OK;
    // A mesh that is inside out in part has less than nothing somewhere.
    known = known && mass->mass > 0 && mass->mass <= convex.mass * (1 + 1e-9);
    if (!known && hull)
        *mass = convex;
    vs_shape_release(mesh);
    return hull && vs_import_good(im);
}

// ---- fits ------------------------------------------------------------------------------------------

// Half sides of the box with this mass and inertia, ascending, and its pose.
static vs_vec3 inertia_box(const vs_mass_properties *mass, vs_pose *pose) {
    double A[9], value[3], V[9];
    int order[3] = {0, 1, 2};
    memcpy(A, mass->inertia.a, sizeof A);
    vs_symmetric_eigen(3, A, value, V);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (value[order[j]] < value[order[j + 1]]) {
                const int other = order[j];
                order[j] = order[j + 1];
                order[j + 1] = other;
            }
    vs_mat3 turn;
    double s[3];
    for (int k = 0; k < 3; k++) {
        const double rest = value[order[(k + 1) % 3]] + value[order[(k + 2) % 3]] - value[order[k]];
        s[k] = .5 * sqrt(fmax(6 * rest / mass->mass, 0));
        for (int row = 0; row < 3; row++)
            turn.a[3 * row + k] = V[3 * row + order[k]];
    }
    const vs_vec3 x = {turn.a[0], turn.a[3], turn.a[6]}, y = {turn.a[1], turn.a[4], turn.a[7]}, z = vs_cross(x, y);
    turn.a[2] = z.x, turn.a[5] = z.y, turn.a[8] = z.z;
    *pose = (vs_pose){mass->centre, vs_nearest_quaternion(&turn)};
    return (vs_vec3){s[0], s[1], s[2]};
}

bool vs_mjcf_mesh_fit(vs_mjcf *m, vs_element geom, const char *type, double size[3], vs_pose *pose) {
    vs_import *im = m->im;
    vs_shape *hull = load(m, geom, true);
    vs_mass_properties mass;
    vs_pose inner = VS_IDENTITY_POSE;
    vs_vec3 s = VS_ZERO3;
    const bool fits = hull && vs_mjcf_mesh_mass(m, geom, hull, &mass);
    if (fits && vs_mjcf_set(m, geom.node)->fit_bounds) {
        const vs_box3 *b = &hull->bounds;
        s = vs_scale(.5, vs_subtract(b->high, b->low));
        inner.position = vs_scale(.5, vs_add(b->high, b->low));
    } else if (fits) {
        s = inertia_box(&mass, &inner);
    }
    vs_shape_release(hull);
    const double factor = vs_import_number(im, geom, "fitscale", 1), round = .5 * (s.x + s.y);
    size[0] = s.x, size[1] = s.y, size[2] = s.z;
    if (strcmp(type, "sphere") == 0)
        size[0] = (s.x + s.y + s.z) / 3;
    else if (strcmp(type, "capsule") == 0)
        size[0] = round, size[1] = fmax(0, s.z - round / 2);
    else if (strcmp(type, "cylinder") == 0)
        size[0] = round, size[1] = s.z;
    for (int k = 0; k < 3; k++)
        size[k] *= factor;
    *pose = vs_pose_multiply(*pose, inner);
    return fits && vs_import_good(im);
}
