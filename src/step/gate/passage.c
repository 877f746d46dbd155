// What gates do at the beginning of a step from t to t + h.
//
// A factory with a rate r (bodies/s) and a mass rate m (kg/s) brings in bodies as long as
//
//     bodies so far < r (t + h - begin)   and   mass so far < m (t + h - begin)
//
// each in the order of its list, at a random place of its box where it meets nothing. A body for which TRIES places are taken
// waits, and with it all behind it: otherwise small bodies would overtake large ones, and the sizes that enter would not be those
// of the list. Sinks act last, so that no body leaves and enters in one step, and what steps remember of its contacts is gone.
#include "step/gate/passage.h"

#include <math.h>

#include "base/array.h"
#include "base/vec.h"
#include "body/gate/gate.h"
#include "collide/mesh/mesh.h"
#include "shape/shape_data.h"

// Places tried per body and step. Where a share p of them is free, none is found with probability (1 - p)^TRIES.
enum { TRIES = 40 };
static const double ROUNDING = 1e-6; // bodies: the time is a sum of steps
static const double TURN = 2 * VS_PI;

// Colliders near the box of a factory.
typedef struct surroundings {
    VS_ARRAY(int) collider;
    vs_mesh_points points;
} surroundings;

// ---- room ------------------------------------------------------------------------------------------

static vs_error add_near(vs_context *context, surroundings *near, int collider) {
    const vs_error error = VS_RESERVE(context, &near->collider, near->collider.count + 1);
    if (!error)
        near->collider.data[near->collider.count++] = collider;
    return error;
}

static vs_error look_around(const vs_world *world, const vs_gate *gate, surroundings *near) {
    const vs_box3 box = {gate->low, gate->high};
    vs_error error = VS_OK;
    near->collider.count = 0;
    for (int k = 0; k < world->colliders && !error; k++) {
        const vs_collider *c = &world->collider[k];
        if (!c->alive || c->sensor || world->body[c->body].absent)
            continue;
        if (vs_shape_is_bounded(c->shape)) {
            const vs_box3 one = vs_shape_bounds(c->shape, vs_collider_pose(world, c), 0);
            if (!vs_boxes_meet(&one, &box))
                continue;
        }
        error = add_near(world->context, near, k);
    }
    return error;
}

// Does a body have the place for itself?
static vs_error is_free(const vs_world *world, int body, vs_pose pose, surroundings *near, bool *is) {
    vs_error error = VS_OK;
    *is = true;
    for (int k = world->body[body].first_collider; k >= 0 && *is && !error; k = world->collider[k].next) {
        const vs_collider *mine = &world->collider[k];
        const vs_pose place = vs_pose_multiply(pose, mine->pose);
        for (int64_t i = 0; i < near->collider.count && *is && !error; i++) {
            const vs_collider *other = &world->collider[near->collider.data[i]];
            bool touch = false;
            if (!vs_world_may_collide(world, mine, other))
                continue;
            error = vs_shapes_touch(mine->shape, place, other->shape, vs_collider_pose(world, other), &near->points,
                                    &touch);
            *is = !touch;
        }
    }
    return error;
}

// ---- places ----------------------------------------------------------------------------------------

// Uniform over all rotations (Shoemake 1992).
static vs_quat draw_rotation(vs_gate *gate) {
    const double u = vs_gate_draw(gate), a = TURN * vs_gate_draw(gate), b = TURN * vs_gate_draw(gate);
    const double p = sqrt(1 - u), q = sqrt(u);
    double sine[2], cosine[2];
    vs_sincos(a, &sine[0], &cosine[0]);
    vs_sincos(b, &sine[1], &cosine[1]);
    return vs_quat_normalize((vs_quat){p * sine[0], p * cosine[0], q * sine[1], q * cosine[1]});
}

// The whole body is in the box.
static vs_pose draw_pose(const vs_world *world, vs_gate *gate, int body) {
    const double r = vs_gate_radius(world, body);
    const double u[3] = {vs_gate_draw(gate), vs_gate_draw(gate), vs_gate_draw(gate)};
    double x[3];
    for (int k = 0; k < 3; k++) {
        const double low = vs_component(gate->low, k) + r, high = vs_component(gate->high, k) - r;
        x[k] = low + u[k] * (high - low);
    }
    const vs_quat turn = gate->factory.turned ? draw_rotation(gate) : world->body[body].pose.rotation;
    return (vs_pose){{x[0], x[1], x[2]}, turn};
}

static vs_error find_place(const vs_world *world, vs_gate *gate, int body, surroundings *near, vs_pose *pose,
                           bool *found) {
    vs_error error = VS_OK;
    *found = false;
    for (int k = 0; k < TRIES && !*found && !error; k++) {
        *pose = draw_pose(world, gate, body);
        error = is_free(world, body, *pose, near, found);
    }
    return error;
}

// ---- factories -------------------------------------------------------------------------------------

// Does this body of the list wait?
static int waiting_body(const vs_world *world, const vs_gate *gate, int k) {
    const int index = vs_world_body_index(world, gate->body[k]); // -1: it was removed
    return index > 0 && world->body[index].absent ? index : -1;
}

// The next body that waits, from gate->next on, and around the list where bodies come again; -1: none.
static int find_next(const vs_world *world, vs_gate *gate) {
    for (int i = 0; i < gate->bodies; i++) {
        const int k = gate->next + i;
        if (k >= gate->bodies && !gate->factory.reuse)
            return -1;
        const int index = waiting_body(world, gate, k % gate->bodies);
        if (index > 0) {
            gate->next = k % gate->bodies;
            return index;
        }
    }
    return -1;
}

// Bodies that should have entered until a time, besides those that did; infinite without a rate.
static double count_due(const vs_gate *gate, double time) {
    const vs_factory_def *def = &gate->factory;
    const double passed = fmin(time, def->end) - def->begin;
    double due = passed > 0 ? INFINITY : 0;
    if (passed > 0 && def->rate > 0)
        due = ceil(def->rate * passed - (double)gate->passed - ROUNDING);
    if (passed > 0 && def->mass_rate > 0)
        due = fmin(due, ceil((def->mass_rate * passed - gate->mass) / gate->mean_mass - ROUNDING));
    return fmax(due, 0);
}

// With a rate those that the list lacks count, too.
static int64_t count_waiting(const vs_world *world, const vs_gate *gate, double due) {
    int64_t there = 0;
    for (int k = gate->factory.reuse ? 0 : gate->next; k < gate->bodies; k++)
        there += waiting_body(world, gate, k) > 0;
    return gate->factory.reuse && isfinite(due) ? (int64_t)fmin(due, 1e15) : (int64_t)fmin(due, (double)there);
}

static vs_error enter(vs_world *world, vs_gate *gate, int body, vs_pose pose, surroundings *near) {
    vs_error error = VS_OK;
    vs_gate_let_in(world, body, pose, gate->factory.velocity);
    for (int k = world->body[body].first_collider; k >= 0 && !error; k = world->collider[k].next)
        error = add_near(world->context, near, k);
    gate->passed++;
    gate->mass += world->body[body].mass;
    gate->energy += vs_gate_energy(world, body);
    gate->next = gate->factory.reuse ? (gate->next + 1) % gate->bodies : gate->next + 1;
    return error;
}

static vs_error produce(vs_world *world, vs_gate *gate, double h, surroundings *near) {
    const double time = world->time + h;
    int body = count_due(gate, time) > 0 && world->time < gate->factory.end ? find_next(world, gate) : -1;
    vs_error error = body > 0 ? look_around(world, gate, near) : VS_OK;
    bool found = true;
    while (body > 0 && found && !error && count_due(gate, time) > 0) {
        vs_pose pose;
        error = find_place(world, gate, body, near, &pose, &found);
        if (!error && found)
            error = enter(world, gate, body, pose, near);
        if (found)
            body = find_next(world, gate);
    }
    gate->waiting = count_waiting(world, gate, count_due(gate, time));
    return error;
}

// ---- sinks -----------------------------------------------------------------------------------------

static bool is_within(const vs_gate *gate, vs_vec3 x) {
    bool within = true;
    for (int k = 0; k < 3; k++)
        within = within && vs_component(x, k) >= vs_component(gate->low, k) &&
                 vs_component(x, k) <= vs_component(gate->high, k);
    return within;
}

static void take(vs_world *world, vs_gate *gate) {
    for (int k = 1; k < world->bodies; k++) {
        if (!is_within(gate, world->body[k].pose.position) || !vs_gate_may_take(world, k))
            continue;
        gate->energy -= vs_gate_energy(world, k);
        vs_gate_let_out(world, k);
        gate->passed++;
        gate->mass += world->body[k].mass;
    }
}

vs_error vs_gates_act(vs_world *world, double h) {
    surroundings near = {.points.context = world->context};
    vs_error error = VS_OK;
    for (int k = 0; k < world->gates && !error; k++)
        if (!world->gate[k].sink)
            error = produce(world, &world->gate[k], h, &near);
    for (int k = 0; k < world->gates && !error; k++)
        if (world->gate[k].sink)
            take(world, &world->gate[k]);
    VS_ARRAY_RELEASE(world->context, &near.collider);
    vs_release(world->context, near.points.at);
    return error;
}
