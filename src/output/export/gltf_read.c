// Input of the glTF export: surfaces, colliders on their bodies, and the motion of each body.
#include "output/export/gltf_data.h"

#include <math.h>
#include <string.h>

enum { COLOURS = 8, STILL = COLOURS, KINDS = VS_SHAPE_KINDS };

static vs_error table(const vs_gltf_scene *s, const vs_h5_group *root, const char *path, vs_number number, int width,
                      int64_t *count, void *to) {
    void *data = NULL;
    const vs_error error = vs_h5_read_table(root, path, number, width, s->arena, count, &data);
    (void)memcpy(to, &data, sizeof data);
    return error;
}

// ---- shapes ---------------------------------------------------------------------------------------------

// The surface that shows a shape; one for all of a kind that can be scaled. -1: nothing to show.
static vs_error find_surface(vs_gltf_scene *s, const vs_recorded_shape *shape, int unit[KINDS], int *own,
                             int *surface) {
    const int kind = shape->kind == VS_SHAPE_ELLIPSOID ? VS_SHAPE_SPHERE : shape->kind;
    int *known = vs_gltf_is_unit(kind) ? &unit[kind] : own;
    *surface = *known;
    if (*known >= 0 || (!vs_gltf_is_sized(kind) && shape->triangles == 0))
        return VS_OK;
    *surface = *known = (int)s->surfaces;
    return vs_gltf_surface(s->arena, shape, &s->surface[s->surfaces++]);
}

// ---- colliders ------------------------------------------------------------------------------------------

static bool to_place(const double pose[7], vs_gltf_place *place) {
    double norm = 0;
    bool good = true;
    for (int i = 0; i < 7; i++)
        good = good && isfinite(pose[i]);
    for (int i = 3; i < 7; i++)
        norm += pose[i] * pose[i];
    *place = (vs_gltf_place){.rotation = {1, 0, 0, 0}, .scale = {1, 1, 1}};
    for (int i = 0; good && i < 3; i++)
        place->position[i] = pose[i];
    for (int i = 0; good && norm > 0 && i < 4; i++)
        place->rotation[i] = pose[3 + i] / sqrt(norm);
    return good;
}

// Largest extent of shapes from the centres of their bodies.
static double reach_of(const int *body, const int *shape, const double *pose, const double *bounds, int64_t count,
                       int64_t shapes_count, int64_t bodies) {
    double reach = 0;
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < 6; i++)
            if (body[k] >= 0 && body[k] < bodies && shape[k] >= 0 && shape[k] < shapes_count) {
                const double x = fabs(bounds[6 * (int64_t)shape[k] + i]) + fabs(pose[7 * k + i % 3]);
                reach = isfinite(x) ? fmax(reach, x) : reach;
            }
    return reach > 0 ? reach : 1;
}

// A plane is infinite: it is drawn as large as the region that bodies reach.
static void fit_plane(const vs_gltf_scene *s, double reach, vs_gltf_place *place) {
    const vs_pose pose = {{place->position[0], place->position[1], place->position[2]},
                          {place->rotation[0], place->rotation[1], place->rotation[2], place->rotation[3]}};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t b = 0; b < s->bodies; b++)
        for (int64_t k = 0; k < s->frames; k++) {
            const float *x = s->motion[b].translation + 3 * k;
            const vs_vec3 at = vs_pose_apply_back(pose, (vs_vec3){(double)x[0], (double)x[1], (double)x[2]});
            low[0] = fmin(low[0], at.x), high[0] = fmax(high[0], at.x);
            low[1] = fmin(low[1], at.y), high[1] = fmax(high[1], at.y);
        }
    if (!(low[0] <= high[0] && low[1] <= high[1]))
        return;
    const vs_vec3 middle = vs_pose_apply(pose, (vs_vec3){.5 * (low[0] + high[0]), .5 * (low[1] + high[1]), 0});
    place->position[0] = middle.x, place->position[1] = middle.y, place->position[2] = middle.z;
    for (int i = 0; i < 2; i++)
        place->scale[i] = .5 * (high[i] - low[i]) + reach;
}

// Flexible solids keep the shape of the first frame: the motion of nodes would need a morph target per frame, of which
// glTF readers support only a few.
static vs_error read_solids(vs_gltf_scene *s, const vs_trajectory_file *file) {
    const vs_h5_group *root = &file->root;
    vs_recorded_shapes a = {.count = file->solids, .vertices = file->nodes, .triangles = -1};
    int64_t offsets = file->solids + 1;
    vs_error error = table(s, root, "flexible/node_offset", VS_NUMBER_INT64, 1, &offsets, &a.vertex_offset);
    if (!error)
        error = table(s, root, "flexible/triangle_offset", VS_NUMBER_INT64, 1, &offsets, &a.triangle_offset);
    if (!error)
        error = table(s, root, "flexible/triangle", VS_NUMBER_INT, 3, &a.triangles, &a.triangle);
    if (!error && !vs_recorded_shapes_fit(&a))
        error = vs_fail(s->context, VS_ERROR_DATA, "offsets of flexible are invalid");
    a.vertex = VS_NEW(s->arena, double, 3 * a.vertices);
    if (!error)
        error =
            a.vertex ? vs_dataset_rows_read(&file->column[VS_COLUMN_NODE_POSITION], 0, 1, a.vertex) : VS_ERROR_MEMORY;
    for (int64_t k = 0; !error && k < a.count; k++) {
        const vs_recorded_shape solid = vs_recorded_shapes_at(&a, k);
        error = vs_recorded_shape_check(s->context, &solid);
        if (error || solid.triangles == 0)
            continue;
        s->part[s->parts++] = (vs_gltf_part){.body = VS_ROW_WORLD,
                                             .surface = (int)s->surfaces,
                                             .colour = (int)((s->bodies + k) % COLOURS),
                                             .place = {.rotation = {1, 0, 0, 0}, .scale = {1, 1, 1}}};
        error = vs_gltf_surface(s->arena, &solid, &s->surface[s->surfaces++]);
    }
    return error;
}

static vs_error read_parts(vs_gltf_scene *s, const vs_trajectory_file *file) {
    const vs_h5_group *root = &file->root;
    vs_recorded_shapes a;
    int64_t count = -1, bodies = s->bodies;
    int *body = NULL, *shape = NULL, *motion = NULL, unit[KINDS];
    double *pose = NULL, *bounds = NULL;
    vs_error error = vs_recorded_shapes_read(root, s->arena, &a);
    if (!error)
        error = table(s, root, "bodies/collider/body", VS_NUMBER_INT, 1, &count, &body);
    if (!error)
        error = table(s, root, "bodies/collider/shape", VS_NUMBER_INT, 1, &count, &shape);
    if (!error)
        error = table(s, root, "bodies/collider/pose", VS_NUMBER_DOUBLE, 7, &count, &pose);
    if (!error)
        error = table(s, root, "bodies/motion", VS_NUMBER_INT, 1, &bodies, &motion);
    if (!error)
        error = table(s, root, "bodies/shape/bounds", VS_NUMBER_DOUBLE, 6, &a.count, &bounds);
    if (error)
        return error;
    const double reach = reach_of(body, shape, pose, bounds, count, a.count, s->bodies);
    int *own = VS_NEW(s->arena, int, a.count);
    s->part = VS_NEW(s->arena, vs_gltf_part, count + file->solids);
    s->surface = VS_NEW(s->arena, vs_gltf_mesh, a.count + file->solids);
    if (!own || !s->part || !s->surface)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < KINDS; k++)
        unit[k] = -1;
    for (int64_t k = 0; k < a.count; k++)
        own[k] = -1;
    for (int64_t k = 0; !error && k < count; k++) {
        vs_gltf_part *p = &s->part[s->parts];
        if (body[k] < VS_ROW_UNKNOWN || body[k] >= s->bodies || shape[k] < 0 || shape[k] >= a.count ||
            !to_place(pose + 7 * k, &p->place))
            return vs_fail(s->context, VS_ERROR_DATA, "bodies/collider is invalid at %lld", (long long)k);
        const vs_recorded_shape one = vs_recorded_shapes_at(&a, shape[k]);
        error = vs_recorded_shape_check(s->context, &one);
        if (!error)
            error = find_surface(s, &one, unit, &own[shape[k]], &p->surface);
        if (error || body[k] == VS_ROW_UNKNOWN || p->surface < 0)
            continue;
        p->body = body[k];
        p->colour = body[k] >= 0 && motion[body[k]] == 0 ? body[k] % COLOURS : STILL;
        vs_gltf_scale(&one, p->place.scale);
        if (one.kind == VS_SHAPE_PLANE)
            fit_plane(s, reach, &p->place);
        s->parts++;
    }
    return error || file->solids == 0 ? error : read_solids(s, file);
}

// ---- motion ---------------------------------------------------------------------------------------------

static void put_pose(vs_gltf_motion *m, int64_t k, const vs_gltf_place *at) {
    float *q = m->rotation + 4 * k;
    double along = 0;
    for (int i = 0; i < 3; i++)
        m->translation[3 * k + i] = (float)at->position[i];
    for (int i = 0; i < 4; i++)
        q[i] = (float)at->rotation[(i + 1) % 4];
    // Of the two quaternions of a rotation the one closer to the previous one, for a short interpolation.
    for (int i = 0; k > 0 && i < 4; i++)
        along += (double)q[i] * (double)q[i - 4];
    for (int i = 0; along < 0 && i < 4; i++)
        q[i] = -q[i];
}

// Does it differ from the first frame?
static bool differs(const float *rows, int width, int64_t k) {
    for (int i = 0; i < width; i++)
        if (rows[width * k + i] != rows[i])
            return true;
    return false;
}

static void put_frame(vs_gltf_scene *s, int64_t k, const double *pose) {
    for (int64_t b = 0; b < s->bodies; b++) {
        vs_gltf_motion *m = &s->motion[b];
        vs_gltf_place at;
        const bool there = to_place(pose + 7 * b, &at);
        if (there) {
            put_pose(m, k, &at);
        } else if (k > 0) { // removed: it stays, hidden
            (void)memcpy(m->translation + 3 * k, m->translation + 3 * (k - 1), 3 * sizeof(float));
            (void)memcpy(m->rotation + 4 * k, m->rotation + 4 * (k - 1), 4 * sizeof(float));
        } else
            put_pose(m, k, &(vs_gltf_place){.rotation = {1, 0, 0, 0}});
        m->scale[k] = there ? 1 : 0;
        m->vanishes = m->vanishes || !there;
        if (k == 0)
            s->first[b] = at;
        m->moves = m->moves || differs(m->translation, 3, k) || differs(m->rotation, 4, k);
    }
}

static vs_error take_motion(vs_gltf_scene *s, int64_t frames) {
    s->motion = VS_NEW_ZERO(s->arena, vs_gltf_motion, s->bodies);
    s->first = VS_NEW(s->arena, vs_gltf_place, s->bodies);
    s->time = VS_NEW(s->arena, float, frames);
    bool room = s->motion && s->first && s->time;
    for (int64_t b = 0; room && b < s->bodies; b++) {
        vs_gltf_motion *m = &s->motion[b];
        m->translation = VS_NEW(s->arena, float, 3 * frames);
        m->rotation = VS_NEW(s->arena, float, 4 * frames);
        m->scale = VS_NEW(s->arena, float, frames);
        room = m->translation && m->rotation && m->scale;
    }
    return room ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error read_motion(vs_gltf_scene *s, const vs_trajectory_file *file, int64_t every) {
    int64_t all = 0;
    vs_error error = vs_columns_complete(file, &all);
    if (!error && all == 0)
        error = vs_fail(s->context, VS_ERROR_DATA, "has no frames yet");
    double *pose = VS_NEW(s->arena, double, 7 * s->bodies);
    if (!error)
        error = pose ? take_motion(s, (all - 1) / every + 2) : VS_ERROR_MEMORY;
    for (int64_t k = 0; !error && k < all; k = k + every < all || k == all - 1 ? k + every : all - 1) {
        double time = 0;
        error = vs_dataset_rows_read(&file->column[VS_COLUMN_TIME], k, 1, &time);
        if (!error && s->bodies > 0)
            error = vs_dataset_rows_read(&file->column[VS_COLUMN_POSE], k, 1, pose);
        // Times must increase in single precision as well.
        if (error || !isfinite(time) || (s->frames > 0 && (float)time <= s->time[s->frames - 1]))
            continue;
        s->time[s->frames] = (float)time;
        put_frame(s, s->frames++, pose);
    }
    return error;
}

static vs_error read_names(vs_gltf_scene *s, const vs_h5_group *root) {
    return vs_h5_read_names(root, "bodies/name", s->bodies, s->arena, &s->room, &s->name);
}

vs_error vs_gltf_read(const vs_trajectory_file *file, int64_t every, vs_arena *arena, vs_gltf_scene *scene) {
    *scene = (vs_gltf_scene){.context = file->context, .arena = arena, .bodies = file->bodies};
    vs_error error = read_motion(scene, file, every);
    if (!error)
        error = read_parts(scene, file);
    return error ? error : read_names(scene, &file->root);
}
