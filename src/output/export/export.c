// Export for ParaView: the numbers of every frame as datasets of their own, described by an XDMF file (xdmf.c).
//
// Bodies are points at their centres of mass. Shapes are points at the middle of their bounding boxes with orientation
// (quaternion w x y z) and size (full sides): the input of ParaView's "3D Glyphs". Planes are omitted.
// Flexible solids are tetrahedra with displacement, stress and contact pressure at their nodes.
// Contacts are points with normal, impulse and force = impulse / step. A removed body stays at its last position, with
// present = 0. Also reads files that are being written or were not closed.
#include "base/file.h"
#include "base/output_file.h"
#include "base/path.h"
#include "output/trajectory/trajectory_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Contacts come last: ParaView finds no times at all if the first grid is missing at the first one.
enum { GRIDS = 4, BODIES = 0, SHAPES = 1, NODES = 2, CONTACTS = 3 };

// A shape to draw, with its body and pose.
typedef struct part {
    int body;     // row, or VS_ROW_WORLD
    vs_pose pose; // of the middle of its box, in the body's axes
} part;

typedef struct exporting {
    vs_context *context;
    vs_arena arena;
    vs_trajectory_file in;
    hid_t out;
    vs_driver driver;   // of out
    vs_h5_group root;   // of out
    const char *blamed; // the file named in error messages
    const char *target; // path of out
    double step;        // s, 0: unknown
    int64_t frames, parts;
    double *time;            // (frames)
    int64_t *points[GRIDS];  // (frames) each
    part *part;              // (parts)
    double *pose, *velocity; // (7 bodies), (6 bodies) of the current frame
    double *last;            // (7 bodies) last pose of each body
    int64_t largest;         // contacts or points of any frame
    double *buffer;          // (4 largest)
    int *ints;               // (3 largest)
    double *wide;            // (3 largest) contacts' vectors
    double *rest;            // (3 nodes) of flexible solids
    int64_t cells;           // of flexible solids
    int cell_nodes;          // 4 or 10
} exporting;

// ---- arrays of the two files ----------------------------------------------------------------------------

static const vs_xdmf_array body_arrays[] = {
    {"position", "bodies/position/", VS_NUMBER_DOUBLE, 3, true},
    {"orientation", "bodies/orientation/", VS_NUMBER_DOUBLE, 4, true},
    {"velocity", "bodies/velocity/", VS_NUMBER_DOUBLE, 3, true},
    {"angular_velocity", "bodies/angular_velocity/", VS_NUMBER_DOUBLE, 3, true},
    {"present", "bodies/present/", VS_NUMBER_INT, 1, true},
    {"mass", "bodies/mass", VS_NUMBER_DOUBLE, 1, false},
    {"motion", "bodies/motion", VS_NUMBER_INT, 1, false},
    {NULL, NULL, VS_NUMBER_INT, 0, false},
};
static const vs_xdmf_array shape_arrays[] = {
    {"position", "shapes/position/", VS_NUMBER_DOUBLE, 3, true},
    {"orientation", "shapes/orientation/", VS_NUMBER_DOUBLE, 4, true},
    {"present", "shapes/present/", VS_NUMBER_INT, 1, true},
    {"size", "shapes/size", VS_NUMBER_DOUBLE, 3, false},
    {"kind", "shapes/kind", VS_NUMBER_INT, 1, false},
    {"body", "shapes/body", VS_NUMBER_INT, 1, false},
    {NULL, NULL, VS_NUMBER_INT, 0, false},
};
// Force is last: without a step it is omitted.
static const vs_xdmf_array contact_arrays[] = {
    {"position", "contacts/position/", VS_NUMBER_DOUBLE, 3, true},
    {"normal", "contacts/normal/", VS_NUMBER_DOUBLE, 3, true},
    {"gap", "contacts/gap/", VS_NUMBER_DOUBLE, 1, true},
    {"impulse", "contacts/impulse/", VS_NUMBER_DOUBLE, 3, true},
    {"velocity", "contacts/velocity/", VS_NUMBER_DOUBLE, 3, true},
    {"body_a", "contacts/body_a/", VS_NUMBER_INT, 1, true},
    {"body_b", "contacts/body_b/", VS_NUMBER_INT, 1, true},
    {"force", "contacts/force/", VS_NUMBER_DOUBLE, 3, true},
    {NULL, NULL, VS_NUMBER_INT, 0, false},
};
enum { CONTACT_ARRAYS = sizeof contact_arrays / sizeof contact_arrays[0] };

// Of flexible solids.
static const vs_xdmf_array node_arrays[] = {
    {"position", "flexible/position/", VS_NUMBER_DOUBLE, 3, true},
    {"displacement", "flexible/displacement/", VS_NUMBER_DOUBLE, 3, true},
    {"velocity", "flexible/velocity/", VS_NUMBER_DOUBLE, 3, true},
    {"von_mises", "flexible/von_mises/", VS_NUMBER_DOUBLE, 1, true},
    {"pressure", "flexible/pressure/", VS_NUMBER_DOUBLE, 1, true},
    {"solid", "flexible/solid", VS_NUMBER_INT, 1, false},
    {NULL, NULL, VS_NUMBER_INT, 0, false},
};

static vs_error make_groups(const exporting *e) {
    static const char *const grids[] = {"bodies", "shapes", "flexible", "contacts"};
    static const vs_xdmf_array *const arrays[] = {body_arrays, shape_arrays, node_arrays, contact_arrays};
    vs_error error = VS_OK;
    for (int g = 0; !error && g < GRIDS; g++) {
        if (g == NODES && e->in.solids == 0)
            continue;
        error = vs_h5_group_make_timeless(&e->root, grids[g]);
        for (const vs_xdmf_array *a = arrays[g]; !error && a->name; a++)
            if (a->each_frame)
                error = vs_h5_group_make_timeless(&e->root, a->path);
    }
    return error;
}

// Errors here concern the export, all others the trajectory.
static vs_error put_once(exporting *e, const char *path, vs_number number, int width, int64_t points,
                         const void *data) {
    const vs_error error = vs_h5_write_table(&e->root, path, number, points, width, data);
    if (error)
        e->blamed = e->target;
    return error;
}

static vs_error put(exporting *e, const char *path, vs_number number, int width, int64_t points, int64_t frame,
                    const void *data) {
    char name[24], full[64];
    vs_xdmf_frame_name(frame, name);
    (void)snprintf(full, sizeof full, "%s%s", path, name);
    return put_once(e, full, number, width, points, data);
}

// ---- constant data --------------------------------------------------------------------------------------

static vs_pose get_pose(const double from[7]) {
    return (vs_pose){{from[0], from[1], from[2]}, {from[3], from[4], from[5], from[6]}};
}

static vs_error read_ints(exporting *e, const char *path, int64_t *count, int **to) {
    void *data = NULL;
    vs_error error = vs_h5_read_table(&e->in.root, path, VS_NUMBER_INT, 1, &e->arena, count, &data);
    *to = data;
    return error;
}

static vs_error read_doubles(exporting *e, const char *path, int width, int64_t *count, double **to) {
    void *data = NULL;
    vs_error error = vs_h5_read_table(&e->in.root, path, VS_NUMBER_DOUBLE, width, &e->arena, count, &data);
    *to = data;
    return error;
}

// Colliders and shapes as they are in the trajectory.
typedef struct colliders {
    int64_t count, shapes;
    int *body, *shape, *kind; // kind (shapes)
    double *pose, *bounds;    // (7 count), (6 shapes)
} colliders;

static vs_error read_colliders(exporting *e, colliders *c) {
    *c = (colliders){.count = -1, .shapes = -1};
    vs_error error = read_ints(e, "bodies/collider/body", &c->count, &c->body);
    if (!error)
        error = read_ints(e, "bodies/collider/shape", &c->count, &c->shape);
    if (!error)
        error = read_doubles(e, "bodies/collider/pose", 7, &c->count, &c->pose);
    if (!error)
        error = read_ints(e, "bodies/shape/kind", &c->shapes, &c->kind);
    if (!error)
        error = read_doubles(e, "bodies/shape/bounds", 6, &c->shapes, &c->bounds);
    for (int64_t k = 0; !error && k < c->count; k++)
        if (c->body[k] < VS_ROW_UNKNOWN || c->body[k] >= e->in.bodies || c->shape[k] < 0 || c->shape[k] >= c->shapes)
            error = vs_fail(e->context, VS_ERROR_DATA, "bodies/collider is invalid at %lld", (long long)k);
    return error;
}

static vs_error export_shapes(exporting *e) {
    colliders c;
    vs_error error = read_colliders(e, &c);
    if (error)
        return error;
    e->part = VS_NEW(&e->arena, part, c.count);
    double *size = VS_NEW(&e->arena, double, 3 * c.count);
    int *kind = VS_NEW(&e->arena, int, c.count), *body = VS_NEW(&e->arena, int, c.count);
    if (!e->part || !size || !kind || !body)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < c.count; k++) {
        if (c.kind[c.shape[k]] == VS_SHAPE_PLANE || c.body[k] == VS_ROW_UNKNOWN)
            continue;
        const double *b = c.bounds + 6 * (size_t)c.shape[k];
        const vs_vec3 middle = {.5 * (b[0] + b[3]), .5 * (b[1] + b[4]), .5 * (b[2] + b[5])};
        const vs_pose pose = get_pose(c.pose + 7 * k);
        const int64_t p = e->parts++;
        e->part[p] = (part){c.body[k], {vs_pose_apply(pose, middle), pose.rotation}};
        for (int i = 0; i < 3; i++)
            size[3 * p + i] = b[3 + i] - b[i];
        kind[p] = c.kind[c.shape[k]];
        body[p] = c.body[k];
    }
    error = put_once(e, "shapes/size", VS_NUMBER_DOUBLE, 3, e->parts, size);
    if (!error)
        error = put_once(e, "shapes/kind", VS_NUMBER_INT, 1, e->parts, kind);
    if (!error)
        error = put_once(e, "shapes/body", VS_NUMBER_INT, 1, e->parts, body);
    return error;
}

// Elements of all solids with consecutive node numbers. Solids of 4 and of 10 nodes together: corners only.
static vs_error export_elements(exporting *e) {
    int *element_nodes = NULL, *element = NULL;
    void *data = NULL;
    int64_t solids = e->in.solids, ends = solids + 1, count = -1, nodes = e->in.nodes;
    vs_error error = read_ints(e, "flexible/element_nodes", &solids, &element_nodes);
    if (!error)
        error = read_ints(e, "flexible/element", &count, &element);
    if (!error)
        error = read_doubles(e, "flexible/rest", 3, &nodes, &e->rest);
    if (!error)
        error = vs_h5_read_table(&e->in.root, "flexible/node_offset", VS_NUMBER_INT64, 1, &e->arena, &ends, &data);
    const int64_t *first = data;
    if (!error)
        error = vs_h5_read_table(&e->in.root, "flexible/element_offset", VS_NUMBER_INT64, 1, &e->arena, &ends, &data);
    const int64_t *offset = data;
    if (error)
        return error;
    e->cell_nodes = 10;
    for (int64_t k = 0; k < solids; k++)
        e->cell_nodes = element_nodes[k] == 10 ? e->cell_nodes : 4;
    int *cell = VS_NEW(&e->arena, int, count / 4 * e->cell_nodes + 1), *solid = VS_NEW(&e->arena, int, nodes);
    if (!cell || !solid)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < solids; k++) {
        const int width = element_nodes[k];
        if ((width != 4 && width != 10) || offset[k] < 0 || offset[k + 1] < offset[k] || offset[k + 1] > count ||
            first[k] < 0 || first[k + 1] < first[k] || first[k + 1] > nodes)
            return vs_fail(e->context, VS_ERROR_DATA, "flexible is invalid at solid %lld", (long long)k);
        for (int64_t i = first[k]; i < first[k + 1]; i++)
            solid[i] = (int)k;
        for (int64_t at = offset[k]; at + width <= offset[k + 1]; at += width, e->cells++)
            for (int i = 0; i < e->cell_nodes; i++) {
                if (element[at + i] < 0 || element[at + i] >= first[k + 1] - first[k])
                    return vs_fail(e->context, VS_ERROR_DATA, "flexible/element is invalid at %lld", (long long)at + i);
                cell[e->cells * e->cell_nodes + i] = (int)first[k] + element[at + i];
            }
    }
    error = put_once(e, "flexible/element", VS_NUMBER_INT, e->cell_nodes, e->cells, cell);
    return error ? error : put_once(e, "flexible/solid", VS_NUMBER_INT, 1, nodes, solid);
}

static vs_error export_constants(exporting *e) {
    int *motion = NULL;
    double *mass = NULL, *step = NULL;
    int64_t bodies = e->in.bodies, one = 1;
    vs_error error = read_ints(e, "bodies/motion", &bodies, &motion);
    if (!error)
        error = read_doubles(e, "bodies/mass", 1, &bodies, &mass);
    if (!error)
        error = read_doubles(e, "meta/step", 1, &one, &step);
    if (!error) {
        e->step = *step > 0 && isfinite(*step) ? *step : 0;
        error = make_groups(e);
    }
    if (!error)
        error = put_once(e, "bodies/mass", VS_NUMBER_DOUBLE, 1, bodies, mass);
    if (!error)
        error = put_once(e, "bodies/motion", VS_NUMBER_INT, 1, bodies, motion);
    if (!error && e->in.solids > 0)
        error = export_elements(e);
    return error ? error : export_shapes(e);
}

// ---- frames ---------------------------------------------------------------------------------------------

// Times and the number of points of each frame; allocates for the largest.
static vs_error measure_frames(exporting *e) {
    vs_error error = vs_columns_complete(&e->in, &e->frames);
    if (error)
        return error;
    bool room = (e->time = VS_NEW(&e->arena, double, e->frames)) != NULL;
    for (int g = 0; g < GRIDS; g++)
        room = (e->points[g] = VS_NEW(&e->arena, int64_t, e->frames)) && room;
    if (!room)
        return VS_ERROR_MEMORY;
    e->largest = e->in.bodies > e->parts ? e->in.bodies : e->parts;
    e->largest = e->in.nodes > e->largest ? e->in.nodes : e->largest;
    error = vs_dataset_rows_read(&e->in.column[VS_COLUMN_TIME], 0, e->frames, e->time);
    for (int64_t k = 0; !error && k < e->frames; k++) {
        int64_t range[2] = {0};
        error = vs_columns_contacts(&e->in, k, range);
        e->points[BODIES][k] = e->in.bodies;
        e->points[SHAPES][k] = e->parts;
        e->points[NODES][k] = e->in.nodes;
        e->points[CONTACTS][k] = range[1] - range[0];
        if (range[1] - range[0] > e->largest)
            e->largest = range[1] - range[0];
    }
    e->pose = VS_NEW(&e->arena, double, 7 * e->in.bodies);
    e->velocity = VS_NEW(&e->arena, double, 6 * e->in.bodies);
    e->last = VS_NEW_ZERO(&e->arena, double, 7 * e->in.bodies);
    e->buffer = VS_NEW(&e->arena, double, 4 * e->largest);
    e->wide = VS_NEW(&e->arena, double, 3 * e->largest);
    e->ints = VS_NEW(&e->arena, int, 3 * e->largest);
    if (!error && (!e->pose || !e->velocity || !e->last || !e->buffer || !e->wide || !e->ints))
        error = VS_ERROR_MEMORY;
    for (int64_t k = 0; !error && k < e->in.bodies; k++)
        e->last[7 * k + 3] = 1;
    return error;
}

// Columns first … first + width - 1 of an array of rows.
static const double *pick(const exporting *e, const double *from, int stride, int first, int width, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < width; i++)
            e->buffer[k * width + i] = from[k * stride + first + i];
    return e->buffer;
}

static vs_error export_bodies(exporting *e, int64_t frame) {
    const int64_t n = e->in.bodies;
    vs_error error = vs_dataset_rows_read(&e->in.column[VS_COLUMN_POSE], frame, 1, e->pose);
    if (!error)
        error = vs_dataset_rows_read(&e->in.column[VS_COLUMN_VELOCITY], frame, 1, e->velocity);
    if (error)
        return error;
    for (int64_t k = 0; k < n; k++) {
        bool present = true;
        for (int i = 0; i < 7; i++)
            present = present && isfinite(e->pose[7 * k + i]);
        e->ints[k] = present;
        if (present)
            (void)memcpy(e->last + 7 * k, e->pose + 7 * k, 7 * sizeof(double));
        else
            (void)memset(e->velocity + 6 * k, 0, 6 * sizeof(double));
    }
    error = put(e, "bodies/position/", VS_NUMBER_DOUBLE, 3, n, frame, pick(e, e->last, 7, 0, 3, n));
    if (!error)
        error = put(e, "bodies/orientation/", VS_NUMBER_DOUBLE, 4, n, frame, pick(e, e->last, 7, 3, 4, n));
    if (!error)
        error = put(e, "bodies/velocity/", VS_NUMBER_DOUBLE, 3, n, frame, pick(e, e->velocity, 6, 0, 3, n));
    if (!error)
        error = put(e, "bodies/angular_velocity/", VS_NUMBER_DOUBLE, 3, n, frame, pick(e, e->velocity, 6, 3, 3, n));
    if (!error)
        error = put(e, "bodies/present/", VS_NUMBER_INT, 1, n, frame, e->ints);
    return error;
}

// After the bodies of the same frame.
static vs_error export_parts(exporting *e, int64_t frame) {
    for (int64_t k = 0; k < e->parts; k++) {
        const part *p = &e->part[k];
        const vs_pose pose =
            p->body == VS_ROW_WORLD ? p->pose : vs_pose_multiply(get_pose(e->last + 7 * (size_t)p->body), p->pose);
        e->wide[3 * k] = pose.position.x, e->wide[3 * k + 1] = pose.position.y, e->wide[3 * k + 2] = pose.position.z;
        const vs_quat q = pose.rotation;
        e->buffer[4 * k] = q.w, e->buffer[4 * k + 1] = q.x, e->buffer[4 * k + 2] = q.y, e->buffer[4 * k + 3] = q.z;
        e->ints[e->largest + k] = p->body == VS_ROW_WORLD || e->ints[p->body];
    }
    vs_error error = put(e, "shapes/position/", VS_NUMBER_DOUBLE, 3, e->parts, frame, e->wide);
    if (!error)
        error = put(e, "shapes/orientation/", VS_NUMBER_DOUBLE, 4, e->parts, frame, e->buffer);
    if (!error)
        error = put(e, "shapes/present/", VS_NUMBER_INT, 1, e->parts, frame, e->ints + e->largest);
    return error;
}

// One column of the contacts of a frame, as it is.
static vs_error copy_column(exporting *e, vs_column column, const char *path, int64_t first, int64_t frame) {
    const int64_t count = e->points[CONTACTS][frame];
    vs_error error = vs_dataset_rows_read(&e->in.column[column], first, count, e->wide);
    if (!error)
        error = put(e, path, VS_NUMBER_DOUBLE, column == VS_COLUMN_CONTACT_GAP ? 1 : 3, count, frame, e->wide);
    return error;
}

static vs_error export_contacts(exporting *e, int64_t frame) {
    const int64_t n = e->points[CONTACTS][frame];
    int64_t range[2] = {0};
    vs_error error = vs_columns_contacts(&e->in, frame, range);
    if (!error)
        error = copy_column(e, VS_COLUMN_CONTACT_POINT, "contacts/position/", range[0], frame);
    if (!error)
        error = copy_column(e, VS_COLUMN_CONTACT_NORMAL, "contacts/normal/", range[0], frame);
    if (!error)
        error = copy_column(e, VS_COLUMN_CONTACT_GAP, "contacts/gap/", range[0], frame);
    if (!error)
        error = copy_column(e, VS_COLUMN_CONTACT_VELOCITY, "contacts/velocity/", range[0], frame);
    if (!error)
        error = copy_column(e, VS_COLUMN_CONTACT_IMPULSE, "contacts/impulse/", range[0], frame);
    for (int64_t k = 0; k < 3 * n; k++)
        e->wide[k] = e->step > 0 ? e->wide[k] / e->step : 0;
    if (!error && e->step > 0)
        error = put(e, "contacts/force/", VS_NUMBER_DOUBLE, 3, n, frame, e->wide);
    if (!error)
        error = vs_dataset_rows_read(&e->in.column[VS_COLUMN_CONTACT_BODY], range[0], n, e->ints);
    for (int side = 0; !error && side < 2; side++) {
        int *one = e->ints + 2 * e->largest;
        for (int64_t k = 0; k < n; k++)
            one[k] = e->ints[2 * k + side];
        error = put(e, side ? "contacts/body_b/" : "contacts/body_a/", VS_NUMBER_INT, 1, n, frame, one);
    }
    return error;
}

static vs_error export_nodes(exporting *e, int64_t frame) {
    static const vs_column column[] = {VS_COLUMN_NODE_POSITION, VS_COLUMN_NODE_VELOCITY, VS_COLUMN_NODE_STRESS,
                                       VS_COLUMN_NODE_PRESSURE};
    static const char *const path[] = {"flexible/position/", "flexible/velocity/", "flexible/von_mises/",
                                       "flexible/pressure/"};
    const int64_t n = e->in.nodes;
    vs_error error = VS_OK;
    for (int k = 0; k < 4 && !error; k++) {
        error = vs_dataset_rows_read(&e->in.column[column[k]], frame, 1, e->wide);
        if (!error)
            error = put(e, path[k], VS_NUMBER_DOUBLE, k < 2 ? 3 : 1, n, frame, e->wide);
        for (int64_t i = 0; i < 3 * n && k == 0; i++)
            e->wide[i] -= e->rest[i];
        if (!error && k == 0)
            error = put(e, "flexible/displacement/", VS_NUMBER_DOUBLE, 3, n, frame, e->wide);
    }
    return error;
}

static vs_error export_frames(exporting *e) {
    vs_error error = export_constants(e);
    if (!error)
        error = measure_frames(e);
    for (int64_t k = 0; !error && k < e->frames; k++) {
        if (e->in.bodies > 0)
            error = export_bodies(e, k);
        if (!error && e->parts > 0)
            error = export_parts(e, k);
        if (!error && e->points[CONTACTS][k] > 0)
            error = export_contacts(e, k);
        if (!error && e->in.solids > 0)
            error = export_nodes(e, k);
    }
    return error;
}

// ---- files ----------------------------------------------------------------------------------------------

static vs_error fail_out(exporting *e, const char *text) {
    e->blamed = e->target;
    return vs_fail(e->context, VS_ERROR_IO, "%s", text);
}

static vs_error write_data(exporting *e, const char *name) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0 && vs_driver_use_unlocked(e->context, list, &e->driver))
        e->out = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
    if (list >= 0)
        (void)H5Pclose(list);
    if (e->out < 0)
        return fail_out(e, "cannot be created");
    vs_error error = vs_h5_root_open(e->context, e->out, &e->root);
    if (!error)
        error = export_frames(e);
    vs_h5_group_close(&e->root);
    if (H5Fclose(e->out) < 0 && !error)
        error = fail_out(e, "could not be written completely");
    if (!error && (error = vs_driver_check(e->context, &e->driver)))
        e->blamed = e->target;
    return error;
}

static vs_error write_description(exporting *e, const char *name, const char *data) {
    vs_xdmf_array contacts[CONTACT_ARRAYS];
    (void)memcpy(contacts, contact_arrays, sizeof contacts);
    if (e->step <= 0)
        contacts[CONTACT_ARRAYS - 2].name = NULL;
    const vs_xdmf_grid grid[GRIDS] = {
        [BODIES] = {"bodies", body_arrays, e->points[BODIES], NULL, {0}, 0},
        [SHAPES] = {"shapes", shape_arrays, e->points[SHAPES], NULL, {0}, 0},
        [NODES] = {"flexible",
                   node_arrays,
                   e->points[NODES],
                   e->cell_nodes == 10 ? "Tetrahedron_10" : "Tetrahedron",
                   {"element", "flexible/element", VS_NUMBER_INT, e->cell_nodes, false},
                   e->cells},
        [CONTACTS] = {"contacts", contacts, e->points[CONTACTS], NULL, {0}, 0},
    };
    return vs_xdmf_write(e->context, name, data, e->frames, e->time, grid, GRIDS);
}

// OUT.xdmf and OUT.h5 from OUT or OUT.xdmf.
static vs_error make_names(vs_arena *arena, const char *out, char **xdmf, char **data) {
    size_t length = strlen(out);
    if (length > 5 && strcmp(out + length - 5, ".xdmf") == 0)
        length -= 5;
    *xdmf = VS_NEW(arena, char, (int64_t)length + 8);
    *data = VS_NEW(arena, char, (int64_t)length + 8);
    if (!*xdmf || !*data)
        return VS_ERROR_MEMORY;
    (void)snprintf(*xdmf, length + 8, "%.*s.xdmf", (int)length, out);
    (void)snprintf(*data, length + 8, "%.*s.h5", (int)length, out);
    return VS_OK;
}

static const char *base_name(const char *path) {
    const char *slash = vs_path_slash(path);
    return slash ? slash + 1 : path;
}

// The data is written before its description.
static vs_error write_both(exporting *e, const char *xdmf, const char *data) {
    vs_output_file *data_file = NULL, *xdmf_file = NULL;
    e->target = data;
    e->blamed = data;
    vs_error error = vs_output_file_create(e->context, data, &data_file);
    if (!error) {
        e->blamed = xdmf;
        error = vs_output_file_create(e->context, xdmf, &xdmf_file);
    }
    if (!error) {
        e->blamed = NULL;
        error = write_data(e, vs_output_file_get_path(data_file));
    }
    if (!error) {
        e->blamed = xdmf;
        error = write_description(e, vs_output_file_get_path(xdmf_file), base_name(data));
    }
    if (!error) {
        e->blamed = data;
        error = vs_output_file_commit(data_file);
    }
    if (!error) {
        e->blamed = xdmf;
        error = vs_output_file_commit(xdmf_file);
    }
    vs_output_file_destroy(data_file);
    vs_output_file_destroy(xdmf_file);
    return error;
}

vs_error vs_trajectory_export_xdmf(vs_context *context, const char *path, const char *out) {
    if (!context || !path || !out)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_trajectory_export_xdmf: an argument is null");
    exporting e = {.context = context, .out = -1};
    vs_arena_init(&e.arena, context);
    char *xdmf = NULL, *data = NULL;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error = vs_trajectory_file_open(context, path, false, &e.in);
    if (!error)
        error = make_names(&e.arena, out, &xdmf, &data);
    if (!error && vs_output_file_kind(out) != VS_OUTPUT_REGULAR)
        error = vs_fail(context, VS_ERROR_ARGUMENT,
                        "cannot be exported to %s, which is not a regular file: XDMF needs two; use another name", out);
    if (!error && (vs_output_file_replaces(data, path) || vs_output_file_replaces(xdmf, path)))
        error = vs_fail(context, VS_ERROR_ARGUMENT, "would be overwritten; use another name for the export");
    if (!error)
        error = write_both(&e, xdmf, data);
    error = vs_file_blame(context, error, e.blamed ? e.blamed : path);
    (void)vs_trajectory_file_close(&e.in);
    vs_h5_silence_end(&silence);
    vs_arena_release(&e.arena);
    return error;
}
