// Throws of bodies at a thin wall: does one pass through it? Bodies have 1 mm to 1 m, walls are 1 mm thick and 20 m wide.
// Whether one passed is judged by poses alone: nothing of the search for crossings is asked.
#ifndef VS_TESTS_KIT_THROWS_H
#define VS_TESTS_KIT_THROWS_H

#include <math.h>
#include <string.h>

#include "collide/ccd/ccd.h"
#include "kit/thrown.h"
#include "step/data/simulation_data.h"

enum { THROW_BODIES = 10, THROW_WALLS = 6, THROW_STEPS = 6 };
static const char *const throw_body_name[THROW_BODIES] = {"sphere", "box",  "capsule", "cylinder", "ellipsoid",
                                                          "hull",   "mesh", "rod",     "plate",    "thin mesh"};
typedef enum throw_method { THROW_MOREAU, THROW_SHAKE, THROW_CONTROLLED, THROW_METHODS } throw_method;
static const char *const throw_method_name[THROW_METHODS] = {"moreau", "shake", "accuracy"};
static const char *const throw_wall_name[THROW_WALLS] = {"plane", "box", "mesh", "hull", "dynamic box", "dynamic mesh"};
static const double throw_turns = 63;        // rad, ten turns per step
static const double throw_turns_within = .5; // rad; several steps of controlled accuracy are within one
static const double throw_spin_controlled =
    3; // rad per step, at most, with controlled accuracy: each trial turns by a part of 1
static const double throw_half = 10, throw_thick = 5e-4; // m: half sides of walls

typedef struct throw_case {
    int body, wall;
    double size;        // m, of the body
    double step;        // s
    double speed, spin; // metres and radians per step
    double mu, restitution;
    throw_method method;
    double accuracy; // controlled
} throw_case;

typedef struct throw_result {
    vs_error error;
    bool tunnelled;
    bool unclear; // the same, but the wall turned so far in this step that its path is not known from outside
    int swept, held, inaccurate; // contacts, bodies, steps
    int problems;
    double energy; // largest kinetic energy after a step, relative to the first
    double jump;   // largest way of the body in a step beyond that with its velocities, in sizes of it
} throw_result;

// The case with this number, and the seed for the rest of it.
static inline throw_case throw_number(int64_t number, uint64_t *seed) {
    *seed = (uint64_t)number * 0x9e3779b97f4a7c15u + 12345;
    for (int k = 0; k < 4; k++)
        (void)random_unit(seed);
    throw_case t = {.body = (int)(number % THROW_BODIES), .wall = (int)(number / THROW_BODIES % THROW_WALLS)};
    // Thin meshes may pass through meshes (docs/simulation.md): thick ones are thrown at those.
    if (t.body == 9 && (t.wall == 2 || t.wall == 5))
        t.body = 6;
    // A third are smaller, to a thousandth, and as fast as the others.
    t.size = random_unit(seed) < 2. / 3 ? 1 : pow(1e-3, random_unit(seed));
    t.speed = .1 * pow(1e5, random_unit(seed));
    t.spin = random_unit(seed) < .25 ? 0 : .01 * pow(1e4, random_unit(seed));
    t.mu = random_unit(seed) < .5 ? 0 : .5;
    t.restitution = random_unit(seed) < .5 ? 0 : .5;
    const double method = random_unit(seed);
    t.method = method < .5 ? THROW_MOREAU : method < .9 ? THROW_SHAKE : THROW_CONTROLLED;
    t.step = .01;
    if (t.method == THROW_CONTROLLED) {
        // Errors of velocities are relative to one size per second: 1 to 100 of them, 0.1 to 100 sizes per step. An impact turns
        // them into as many radians, each of which takes some trials.
        const double unit = t.size * pow(100, random_unit(seed));
        t.accuracy = .1 * pow(1e-2, random_unit(seed));
        t.speed = .1 * t.size * pow(1e3, random_unit(seed));
        t.spin = fmin(t.spin, throw_spin_controlled);
        t.step = t.speed / unit;
    }
    return t;
}

// ---- shapes ----------------------------------------------------------------------------------------

// A box of triangles, its large sides divided into cells.
static inline vs_error throw_make_wall_mesh(vs_context *context, vs_shape **shape) {
    enum { CELLS = 4, SIDE = CELLS + 1, LAYER = SIDE * SIDE, MOST = 4 * CELLS * CELLS + 8 * CELLS };
    vs_vec3 vertex[2 * LAYER];
    int index[3 * MOST], count = 0;
    for (int k = 0; k < 2 * LAYER; k++) {
        const int at = k % LAYER;
        vertex[k] = (vs_vec3){throw_half * (2. * (at % SIDE) / CELLS - 1), throw_half * (2. * (at / SIDE) / CELLS - 1),
                              k < LAYER ? -throw_thick : throw_thick};
    }
#define THROW_QUAD(a, b, c, d)                                                                                         \
    do {                                                                                                               \
        const int quad[6] = {a, b, c, a, c, d};                                                                        \
        memcpy(index + 3 * count, quad, sizeof quad);                                                                  \
        count += 2;                                                                                                    \
    } while (0)
    for (int j = 0; j < CELLS; j++) {
        for (int i = 0; i < CELLS; i++) {
            const int a = j * SIDE + i, b = a + 1, c = b + SIDE, d = a + SIDE;
            THROW_QUAD(a, d, c, b);
            THROW_QUAD(LAYER + a, LAYER + b, LAYER + c, LAYER + d);
        }
        const int low = j, high = CELLS * SIDE + j, left = j * SIDE, right = left + CELLS;
        THROW_QUAD(low, low + 1, LAYER + low + 1, LAYER + low);
        THROW_QUAD(high + 1, high, LAYER + high, LAYER + high + 1);
        THROW_QUAD(left + SIDE, left, LAYER + left, LAYER + left + SIDE);
        THROW_QUAD(right, right + SIDE, LAYER + right + SIDE, LAYER + right);
    }
#undef THROW_QUAD
    return vs_shape_mesh(context, vertex, 2 * LAYER, index, count, shape);
}

// A concave solid: an L with a thickness of twice `half`.
static inline vs_error throw_make_concave(vs_context *context, double size, double half, vs_shape **shape) {
    static const double x[6] = {-.6, .7, .7, -.1, -.1, -.6}, y[6] = {-.6, -.6, -.1, -.1, .7, .7};
    vs_vec3 vertex[12];
    for (int k = 0; k < 12; k++)
        vertex[k] = vs_scale(size, (vs_vec3){x[k % 6], y[k % 6], k < 6 ? -half : half});
    static const int cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    int index[60], n = 0;
    for (int k = 0; k < 4; k++) {
        const int both[6] = {cap[k][0], cap[k][2], cap[k][1], cap[k][0] + 6, cap[k][1] + 6, cap[k][2] + 6};
        memcpy(index + n, both, sizeof both);
        n += 6;
    }
    for (int k = 0; k < 6; k++) {
        const int next = (k + 1) % 6, side[6] = {k, next, next + 6, k, next + 6, k + 6};
        memcpy(index + n, side, sizeof side);
        n += 6;
    }
    return vs_shape_mesh(context, vertex, 12, index, n / 3, shape);
}

static inline vs_error throw_make_body(vs_context *context, int kind, double a, vs_shape **shape) {
    if (kind < THROWN_CONVEX)
        return thrown_make_convex(context, kind, a, (vs_vec3){.9, .5, .7}, shape);
    switch (kind) {
    case 6:
        return throw_make_concave(context, a, .2, shape);
    case 7:
        return vs_shape_capsule(context, .005 * a, .9 * a, shape);
    case 8:
        return vs_shape_box(context, (vs_vec3){.7 * a, .6 * a, .005 * a}, shape);
    default:
        return throw_make_concave(context, a, .01, shape);
    }
}

static inline vs_error throw_make_wall(vs_context *context, int kind, vs_shape **shape) {
    const double a = throw_half, t = throw_thick;
    const vs_vec3 corner[] = {{-a, -a, -t}, {a, -a, -t}, {a, a, -t}, {-a, a, -t},
                              {-a, -a, t},  {a, -a, t},  {a, a, t},  {-a, a, t}};
    switch (kind) {
    case 0:
        return vs_shape_plane(context, shape);
    case 2:
    case 5:
        return throw_make_wall_mesh(context, shape);
    case 3:
        return vs_shape_hull(context, corner, 8, shape);
    default:
        return vs_shape_box(context, (vs_vec3){a, a, t}, shape);
    }
}

// ---- the throw -------------------------------------------------------------------------------------

static inline vs_error throw_build(vs_world *world, vs_context *context, const throw_case *t, uint64_t *seed,
                                   vs_body_id id[2]) {
    int material;
    vs_material surface = vs_material_default();
    surface.mu = t->mu, surface.restitution = t->restitution;
    vs_shape *shape = NULL;
    vs_body_def wall = vs_body_def_default(), body = vs_body_def_default();
    const bool dynamic = t->wall >= 4;
    wall.motion = dynamic ? VS_MOTION_DYNAMIC : VS_MOTION_STATIC;
    vs_error error = vs_world_add_material(world, &surface, "all", &material);
    if (!error)
        error = throw_make_wall(context, t->wall, &shape);
    if (!error)
        error = thrown_add(world, shape, dynamic ? 1000 * pow(100, random_unit(seed)) : 0, &wall, material, &id[0]);
    // Towards a point of the middle of the wall, at most 60 degrees from its normal.
    const double tilt = random_in(seed, 0, 1.047), turn = random_in(seed, 0, 6.2832), speed = t->speed / t->step;
    const vs_vec3 d = {sin(tilt) * cos(turn), sin(tilt) * sin(turn), -cos(tilt)};
    const vs_vec3 target = {random_in(seed, -5, 5), random_in(seed, -5, 5), 1.05 * t->size + throw_thick};
    body.pose.position =
        vs_add_scaled(target, -t->speed * random_in(seed, 0, t->method == THROW_CONTROLLED ? 1 : 2), d);
    body.pose.rotation = random_quat(seed);
    body.velocity = vs_scale(speed, d);
    body.spin = vs_scale(t->spin / t->step, vs_normalize(random_vec(seed, 1)));
    if (!error)
        error = throw_make_body(context, t->body, t->size, &shape);
    return error ? error : thrown_add(world, shape, 1000, &body, material, &id[1]);
}

// Wall and body: where they are, and the way and the turn (body axes) with which the step moved them there. These are not those
// of the velocities at its end with the scheme shake, and where an impact is left to the next step (impact_sequence.h).
typedef struct throw_state {
    vs_pose pose[2];
    vs_vec3 velocity[2]; // at the end, without the lead of shake
    vs_vec3 way[2], turn[2];
} throw_state;

static inline throw_state throw_look(const vs_world *world, const vs_simulation *s, const vs_body_id id[2], double h) {
    throw_state now;
    for (int k = 0; k < 2; k++) {
        const vs_body *body = &world->body[id[k].index];
        const vs_moved_body *moved = vs_moved_bodies_motion(&s->moved, &s->blocks, (int)id[k].index);
        now.pose[k] = body->pose;
        now.velocity[k] = vs_subtract(body->velocity, body->lead.velocity);
        now.way[k] = vs_scale(h, moved ? moved->velocity : now.velocity[k]);
        now.turn[k] = vs_scale(h, moved ? moved->spin : vs_subtract(body->spin, body->lead.spin));
    }
    return now;
}

// The part of the step in which the centres are within `reach`: the centre of the body moves by d from r.
static inline bool throw_is_near(vs_vec3 r, vs_vec3 d, double reach, double s[2]) {
    const double a = vs_dot(d, d), b = vs_dot(r, d), c = vs_dot(r, r) - reach * reach;
    s[0] = 0, s[1] = 1;
    if (!(a > 0))
        return c <= 0;
    const double root = b * b - a * c;
    if (!(root >= 0))
        return false;
    s[0] = fmax(0, (-b - sqrt(root)) / a), s[1] = fmin(1, (-b + sqrt(root)) / a);
    return s[0] < s[1];
}

// The same for a wall at rest, on a straight line.
static inline bool throw_passes_at_rest(const throw_case *t, vs_vec3 x, vs_vec3 y) {
    if (t->wall == 0 || x.z * y.z > 0)
        return t->wall == 0 && y.z < 0;
    const vs_vec3 at = vs_add_scaled(x, x.z / (x.z - y.z), vs_subtract(y, x));
    return y.z < 0 && fabs(at.x) < throw_half && fabs(at.y) < throw_half;
}

// Did the body's centre go from one side of the wall to the other, not past its edge? In small parts of the step.
static inline bool throw_passes(const throw_case *t, const throw_state *x, const throw_state *y) {
    if (t->wall < 4)
        return throw_passes_at_rest(t, x->pose[1].position, y->pose[1].position);
    vs_path path[2];
    for (int k = 0; k < 2; k++) {
        const double full = vs_length(y->way[k]);
        const double made = vs_length(vs_subtract(y->pose[k].position, x->pose[k].position));
        const double share = full > 0 ? fmin(1, made / full) : 1; // a body that stopped has not turned as far, either
        path[k] = vs_path_between(x->pose[k], y->pose[k], vs_scale(share, y->turn[k]));
    }
    const vs_vec3 r = vs_subtract(path[1].begin.position, path[0].begin.position);
    const vs_vec3 d = vs_subtract(path[1].way, path[0].way);
    const double reach = 1.5 * throw_half, part = .05;
    double s[2];
    if (!throw_is_near(r, d, reach, s))
        return false;
    const double way = (s[1] - s[0]) * (vs_length(d) + reach * vs_length(path[0].turn));
    const int parts = 2 + (int)(way / part);
    vs_vec3 last = VS_ZERO3;
    for (int k = 0; k <= parts; k++) {
        const double at = s[0] + (s[1] - s[0]) * k / parts;
        const vs_vec3 now = vs_pose_apply_back(vs_path_at(&path[0], at), vs_path_at(&path[1], at).position);
        if (k > 0 && now.z * last.z < 0 && fabs(now.x) < throw_half && fabs(now.y) < throw_half)
            return true;
        last = now;
    }
    return false;
}

// Has the body left a wall at rest for good?
static inline bool throw_is_over(const throw_case *t, const throw_state *now) {
    return t->wall < 4 && now->pose[1].position.z > 1.1 * t->size + throw_thick && now->velocity[1].z > 0;
}

// The way of the body in a step beyond that with any of its velocities, in sizes: an overlap that is removed, or a leap.
static inline double throw_jump(const throw_case *t, const throw_state *x, const throw_state *y, vs_vec3 kept) {
    const double fastest = fmax(fmax(vs_length(x->velocity[1]), vs_length(y->velocity[1])), vs_length(kept));
    const double way = vs_length(vs_subtract(y->pose[1].position, x->pose[1].position));
    return (way - t->step * fastest) / t->size;
}

static inline throw_result throw_run(vs_context *context, const throw_case *t, uint64_t seed) {
    throw_result result = {0};
    vs_world_def def = vs_world_def_default();
    def.gravity = VS_ZERO3;
    vs_world *world = NULL;
    vs_simulation *simulation = NULL;
    vs_body_id id[2];
    vs_simulation_options options = vs_simulation_options_default();
    options.step = t->step;
    options.scheme = t->method == THROW_SHAKE ? VS_SCHEME_SHAKE : VS_SCHEME_MOREAU;
    options.accuracy = t->accuracy;
    result.error = vs_world_create(context, &def, &world);
    if (!result.error)
        result.error = throw_build(world, context, t, &seed, id);
    if (!result.error)
        result.error = vs_simulation_create(world, &options, &simulation);
    throw_state x, y = {0};
    if (!result.error)
        y = throw_look(world, simulation, id, t->step);
    const double first = world ? vs_world_get_energy(world).kinetic : 1;
    const int steps = t->method == THROW_CONTROLLED ? THROW_STEPS / 2 : THROW_STEPS;
    for (int k = 0; k < steps && !result.error && !result.tunnelled && !throw_is_over(t, &y); k++) {
        vs_step_report report;
        result.error = vs_simulation_step(simulation, &report);
        if (result.error)
            break;
        x = y;
        y = throw_look(world, simulation, id, t->step);
        const bool passes = throw_passes(t, &x, &y);
        const double most = t->method == THROW_CONTROLLED ? throw_turns_within : throw_turns;
        const bool known = vs_length(y.turn[0]) < most;
        result.tunnelled = passes && known;
        result.unclear = result.unclear || (passes && !known);
        result.swept += report.swept, result.held += report.held, result.problems += report.problems;
        result.inaccurate += report.status != VS_STATUS_CONVERGED;
        result.energy = fmax(result.energy, report.energy.kinetic / first);
        result.jump = fmax(result.jump, throw_jump(t, &x, &y, world->body[id[1].index].velocity));
    }
    vs_simulation_destroy(simulation);
    vs_world_destroy(world);
    return result;
}

#endif
