// Degrees of freedom that joints leave.
//
// A joint states rows of J v = 0 for the velocities v of its two bodies (joint_rows.c of the library has the same
// table): with the unit vectors d in which the points at the origin of frame B may not move apart, and those e about
// which the bodies may not turn against each other,
//
//     d.(v_b + w_b x r_b - v_a - w_a x r_a) = 0,        e.(w_b - w_a) = 0
//
//     fixed        d = x y z   e = x y z        cylindrical   d = x y     e = x y
//     spherical    d = x y z                    universal     d = x y z   e = z_a x x_b
//     revolute     d = x y z   e = x y          planar        d = z       e = x y
//     prismatic    d = x y     e = x y z        distance      d along the line, if its length is fixed
//
// Rows are made orthogonal one after the other (Gram and Schmidt, twice); what is left of a redundant row is rounding.
#include "explain/freedom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/body_name.h"

static const double INDEPENDENT = 1e-6; // of a unit row: positions in scenes are rounded to 8 digits or so
static const double MOST_WORK = 1e9;    // products: rows^2 times velocities

typedef struct basis {
    const app_bodies *bodies;
    double *row;  // (most x n) orthonormal
    double *next; // (n)
    int *column;  // (bodies) first velocity of a body; -1: not dynamic
    int n, rows, most;
    double length; // m, makes angles comparable with lengths
} basis;

// ---- vectors -----------------------------------------------------------------------------------------------------

static double dot(vs_vec3 a, vs_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vs_vec3 cross(vs_vec3 a, vs_vec3 b) {
    return (vs_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vs_vec3 minus(vs_vec3 a, vs_vec3 b) {
    return (vs_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vs_vec3 turned(vs_quat q, vs_vec3 v) {
    const vs_vec3 u = {q.x, q.y, q.z}, t = cross(u, v), s = cross(u, t);
    return (vs_vec3){v.x + 2 * (q.w * t.x + s.x), v.y + 2 * (q.w * t.y + s.y), v.z + 2 * (q.w * t.z + s.z)};
}

// ---- the frames of a joint in the world --------------------------------------------------------------------------

typedef struct frame {
    vs_vec3 origin, axis[3]; // x, y, z
} frame;

static frame frame_of(const app_bodies *b, vs_body_id id, vs_pose local) {
    const vs_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int k = app_bodies_find(b, id);
    frame f = {.origin = local.position};
    for (int i = 0; i < 3; i++)
        f.axis[i] = turned(local.rotation, unit[i]);
    if (k < 0)
        return f;
    const vs_pose pose = b->body[k].state.pose;
    f.origin = turned(pose.rotation, local.position);
    f.origin = (vs_vec3){f.origin.x + pose.position.x, f.origin.y + pose.position.y, f.origin.z + pose.position.z};
    for (int i = 0; i < 3; i++)
        f.axis[i] = turned(pose.rotation, f.axis[i]);
    return f;
}

// ---- rows --------------------------------------------------------------------------------------------------------

static void add_at(basis *s, vs_body_id id, double sign, vs_vec3 d, vs_vec3 e, vs_vec3 point) {
    const int k = app_bodies_find(s->bodies, id), at = k >= 0 ? s->column[k] : -1;
    if (at < 0)
        return;
    const vs_vec3 moment = cross(minus(point, s->bodies->body[k].state.pose.position), d);
    const double entry[6] = {
        d.x, d.y, d.z, (e.x + moment.x) / s->length, (e.y + moment.y) / s->length, (e.z + moment.z) / s->length};
    for (int i = 0; i < 6; i++)
        s->next[at + i] += sign * entry[i];
}

static double product(const double *x, const double *y, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * y[k];
    return sum;
}

// Ends the row: whether it is independent of those before. It joins them if it is to be kept.
static bool end_row(basis *s, bool keep) {
    const double size = sqrt(product(s->next, s->next, s->n));
    for (int pass = 0; pass < 2 && size > 0; pass++)
        for (int k = 0; k < s->rows; k++) {
            const double *row = s->row + (size_t)k * (size_t)s->n, part = product(row, s->next, s->n);
            for (int i = 0; i < s->n; i++)
                s->next[i] -= part * row[i];
        }
    const double left = sqrt(product(s->next, s->next, s->n));
    const bool independent = size > 0 && left > INDEPENDENT * size;
    if (independent && keep && s->rows < s->most) {
        double *row = s->row + (size_t)s->rows++ * (size_t)s->n;
        for (int i = 0; i < s->n; i++)
            row[i] = s->next[i] / left;
    }
    memset(s->next, 0, (size_t)s->n * sizeof *s->next);
    return independent;
}

static const vs_vec3 none = {0, 0, 0};

static void along(basis *s, const vs_joint_def *def, vs_vec3 point, vs_vec3 d, double factor) {
    add_at(s, def->b, factor, d, none, point);
    add_at(s, def->a, -factor, d, none, point);
}

static void about(basis *s, const vs_joint_def *def, vs_vec3 e, double factor) {
    add_at(s, def->b, factor, none, e, none);
    add_at(s, def->a, -factor, none, e, none);
}

// The row of the coordinate of a joint with one; false: it has none.
static bool add_coordinate(basis *s, const vs_joint_def *def, double factor) {
    const frame a = frame_of(s->bodies, def->a, def->frame_a), b = frame_of(s->bodies, def->b, def->frame_b);
    if (def->kind == VS_JOINT_REVOLUTE)
        about(s, def, a.axis[2], factor);
    else if (def->kind == VS_JOINT_PRISMATIC || def->kind == VS_JOINT_CYLINDRICAL)
        along(s, def, b.origin, a.axis[2], factor);
    else
        return false;
    return true;
}

static int add_gear(basis *s, const vs_joint_def *def) {
    vs_joint_def first, second;
    if (vs_world_get_joint_def(s->bodies->world, def->joint_a, &first) != VS_OK ||
        vs_world_get_joint_def(s->bodies->world, def->joint_b, &second) != VS_OK || !add_coordinate(s, &second, 1) ||
        !add_coordinate(s, &first, -def->ratio)) {
        (void)end_row(s, false);
        return 0;
    }
    return end_row(s, true) ? 0 : 1;
}

static int add_distance(basis *s, const vs_joint_def *def, const frame *a, const frame *b) {
    const vs_vec3 d = minus(b->origin, a->origin);
    if (def->limited || def->motor != VS_MOTOR_NONE || dot(d, d) == 0)
        return 0;
    add_at(s, def->b, 1, d, none, b->origin);
    add_at(s, def->a, -1, d, none, a->origin);
    return end_row(s, true) ? 0 : 1;
}

// Which of x, y, z of frame A the points (linear) and the angles (angular) may not change, as bits.
static const struct {
    int linear, angular;
} held[] = {[VS_JOINT_FIXED] = {7, 7},     [VS_JOINT_SPHERICAL] = {7, 0},   [VS_JOINT_REVOLUTE] = {7, 3},
            [VS_JOINT_PRISMATIC] = {3, 7}, [VS_JOINT_CYLINDRICAL] = {3, 3}, [VS_JOINT_UNIVERSAL] = {7, 0},
            [VS_JOINT_PLANAR] = {4, 3},    [VS_JOINT_DISTANCE] = {0, 0},    [VS_JOINT_GEAR] = {0, 0},
            [VS_JOINT_SPRING] = {0, 0},    [VS_JOINT_CABLE] = {0, 0},       [VS_JOINT_CONSTANT_VELOCITY] = {7, 0},
            [VS_JOINT_CAM] = {0, 0}};

static int rows_of(const vs_joint_def *def) {
    int rows = def->kind == VS_JOINT_UNIVERSAL || def->kind == VS_JOINT_GEAR || def->kind == VS_JOINT_CAM ||
               def->kind == VS_JOINT_CONSTANT_VELOCITY ||
               (def->kind == VS_JOINT_DISTANCE && !def->limited && def->motor == VS_MOTOR_NONE);
    for (int i = 0; i < 3; i++)
        rows += (held[def->kind].linear >> i & 1) + (held[def->kind].angular >> i & 1);
    return rows;
}

// The number of redundant rows.
static int add_joint(basis *s, const vs_joint_def *def) {
    const frame a = frame_of(s->bodies, def->a, def->frame_a), b = frame_of(s->bodies, def->b, def->frame_b);
    int redundant = 0;
    if (def->compliance > 0) // its constraints yield
        return 0;
    if (def->kind == VS_JOINT_GEAR || def->kind == VS_JOINT_CAM) // a cam with any ratio: where its curve rises
        return add_gear(s, def);
    if (def->kind == VS_JOINT_DISTANCE)
        return add_distance(s, def, &a, &b);
    for (int i = 0; i < 3; i++)
        if (held[def->kind].linear >> i & 1) {
            along(s, def, b.origin, a.axis[i], 1);
            redundant += !end_row(s, true);
        }
    for (int i = 0; i < 3; i++)
        if (held[def->kind].angular >> i & 1) {
            about(s, def, a.axis[i], 1);
            redundant += !end_row(s, true);
        }
    if (def->kind == VS_JOINT_CONSTANT_VELOCITY) {
        const vs_vec3 x = a.axis[2], y = b.axis[2];
        about(s, def, (vs_vec3){x.x + y.x, x.y + y.y, x.z + y.z}, 1);
        redundant += !end_row(s, true);
    }
    if (def->kind == VS_JOINT_UNIVERSAL) {
        about(s, def, cross(a.axis[2], b.axis[0]), 1);
        redundant += !end_row(s, true);
    }
    return redundant;
}

// ---- all joints --------------------------------------------------------------------------------------------------

static void name_joint(const vs_world *world, vs_joint_id id, char name[APP_BODY_NAME]) {
    const char *given = vs_world_get_joint_name(world, id);
    if (given[0])
        (void)snprintf(name, APP_BODY_NAME, "%s", given);
    else
        (void)snprintf(name, APP_BODY_NAME, "#%u", (unsigned)id.index - 1);
}

static bool is_exact(const vs_joint_def *def) {
    return (def->motor == VS_MOTOR_SPEED || def->motor == VS_MOTOR_POSITION) && def->motor_limit == 0 &&
           def->motor_stiffness == 0 && def->motor_damping == 0;
}

// The motor of joint k, if it is of this kind.
static void add_motor(basis *s, int k, bool exact, app_freedom *out, app_findings *f) {
    const vs_world *world = s->bodies->world;
    const vs_joint_id id = vs_world_get_joint_at(world, k);
    vs_joint_def def;
    if (vs_world_get_joint_def(world, id, &def) != VS_OK || def.motor == VS_MOTOR_NONE || is_exact(&def) != exact ||
        !add_coordinate(s, &def, 1))
        return;
    const bool free = end_row(s, exact);
    out->prescribed += free && exact;
    char name[APP_BODY_NAME];
    name_joint(world, id, name);
    if (!free)
        app_finding_add(f, "locked",
                        "motor of joint %.60s: nothing can move there, the other joints and motors hold it fast", name);
}

// Efforts first: they may act where an exact motor prescribes the motion, as the load of a drive does.
static void add_motors(basis *s, app_freedom *out, app_findings *f) {
    for (int exact = 0; exact < 2; exact++)
        for (int k = 0; k < out->joints; k++)
            add_motor(s, k, exact != 0, out, f);
}

static bool make_room(basis *s, const app_freedom *out) {
    s->most = out->rows + out->joints;
    s->row = calloc((size_t)s->most * (size_t)s->n + 1, sizeof *s->row);
    s->next = calloc((size_t)s->n + 1, sizeof *s->next);
    s->column = calloc((size_t)s->bodies->count + 1, sizeof *s->column);
    if (!s->row || !s->next || !s->column)
        return false;
    int at = 0;
    for (int k = 0; k < s->bodies->count; k++) {
        s->column[k] = s->bodies->body[k].dynamic ? at : -1;
        at += s->bodies->body[k].dynamic ? 6 : 0;
        s->length = fmax(s->length, s->bodies->body[k].side[2]);
    }
    if (!(s->length > 0))
        s->length = 1;
    return true;
}

static void add_joints(basis *s, app_freedom *out) {
    const vs_world *world = s->bodies->world;
    for (int k = 0; k < out->joints; k++) {
        const vs_joint_id id = vs_world_get_joint_at(world, k);
        vs_joint_def def;
        if (vs_world_get_joint_def(world, id, &def) != VS_OK)
            continue;
        const int redundant = add_joint(s, &def);
        if (redundant > 0 && out->redundant < APP_REDUNDANT)
            out->list[out->redundant] = (app_redundant){id, redundant, rows_of(&def)};
        out->redundant += redundant > 0;
    }
    out->rank = s->rows;
}

bool app_freedom_count(const app_bodies *b, app_freedom *out, app_findings *f) {
    basis s = {.bodies = b, .n = 6 * b->dynamic};
    *out = (app_freedom){.joints = vs_world_get_joint_count(b->world), .velocities = 6 * b->dynamic};
    for (int k = 0; k < out->joints; k++) {
        vs_joint_def def;
        if (vs_world_get_joint_def(b->world, vs_world_get_joint_at(b->world, k), &def) == VS_OK &&
            !(def.compliance > 0))
            out->rows += rows_of(&def);
    }
    out->counted = (double)out->rows * out->rows * s.n < MOST_WORK;
    const bool good = !out->counted || make_room(&s, out);
    if (good && out->counted) {
        add_joints(&s, out);
        add_motors(&s, out, f);
    }
    free(s.row);
    free(s.next);
    free(s.column);
    return good;
}
