// Places parts of a mechanism so that its joints stay satisfied: the tree behind a joint by the joint's coordinate, or a
// whole mechanism by the state of one of its bodies.
//
// A tree moves rigidly, x -> p + R (x - p) + t. Its velocities are those of a rigid field about p (that of the body it
// hangs on) and the rest, which turns with the tree, so that the rates of all other joints are kept:
//
//     v' = u'(x') + R (v - u(x)),   w' = w_u' + R (w - w_u),   u(x) = u_p + w_u x (x - p)
//
// The coordinate of the joint changes by R about its axis or t along it, its rate by the difference of the fields.
// Not moved: flexible bodies, and what touches the tree.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "body/joint_coordinate.h"

// Dynamic bodies that joints connect.
typedef struct tree {
    int *body; // (count)
    int count;
    bool *has;     // (bodies) is it in the tree?
    bool anchored; // connected to a body that no force moves
} tree;

// Velocities of a rigid motion.
typedef struct field {
    vs_vec3 point, velocity, spin; // velocity at the point; world axes
} field;

typedef struct movement {
    vs_vec3 shift;       // t
    vs_quat turn;        // R, about
    field before, after; // `before` about p
} movement;

// ---- trees -----------------------------------------------------------------------------------------

static void release_tree(vs_context *context, tree *t) {
    vs_release(context, t->body);
    vs_release(context, t->has);
}

// Springs and cables connect nothing, and gears only coordinates.
static bool connects(const vs_joint *joint) {
    return joint->def.kind != VS_JOINT_SPRING && !vs_joint_kind_couples(joint->def.kind) &&
           joint->def.kind != VS_JOINT_CABLE;
}

static void add_body(const vs_world *world, tree *t, int body) {
    if (world->body[body].motion != VS_MOTION_DYNAMIC) {
        t->anchored = true;
    } else if (!t->has[body]) {
        t->has[body] = true;
        t->body[t->count++] = body;
    }
}

// Everything connected to `body` without passing the joint `without` (-1: any joint). Released in every case of success.
static vs_error collect_tree(const vs_world *world, int body, int without, tree *t) {
    vs_context *context = world->context;
    *t = (tree){.body = vs_allocate(context, sizeof *t->body * (size_t)world->bodies),
                .has = vs_allocate(context, sizeof *t->has * (size_t)world->bodies)};
    if (!t->body || !t->has) {
        release_tree(context, t);
        return vs_fail_memory(context);
    }
    memset(t->has, 0, sizeof *t->has * (size_t)world->bodies);
    add_body(world, t, body);
    for (int k = 0; k < t->count; k++) {
        int end = world->body[t->body[k]].first_joint;
        for (; end >= 0; end = world->joint[end / 2].next[end % 2]) {
            const vs_joint *joint = &world->joint[end / 2];
            if (end / 2 != without && connects(joint))
                add_body(world, t, end % 2 ? joint->a : joint->b);
        }
    }
    return VS_OK;
}

// ---- movements -------------------------------------------------------------------------------------

static vs_vec3 velocity_at(const field *f, vs_vec3 x) {
    return vs_add(f->velocity, vs_cross(f->spin, vs_subtract(x, f->point)));
}

static field field_of(const vs_body *body, vs_vec3 point) {
    const field own = {body->pose.position, body->velocity, vs_rotate(body->pose.rotation, body->spin)};
    return (field){point, velocity_at(&own, point), own.spin};
}

static vs_error move_body(vs_world *world, int index, const movement *m) {
    const vs_body *body = &world->body[index];
    const vs_vec3 x = body->pose.position, arm = vs_rotate(m->turn, vs_subtract(x, m->before.point));
    const field own = field_of(body, x);
    vs_body_state state;
    state.pose.position = vs_add(vs_add(m->before.point, arm), m->shift);
    state.pose.rotation = vs_quat_normalize(vs_quat_multiply(m->turn, body->pose.rotation));
    state.velocity = vs_add(velocity_at(&m->after, state.pose.position),
                            vs_rotate(m->turn, vs_subtract(own.velocity, velocity_at(&m->before, x))));
    state.spin = vs_add(m->after.spin, vs_rotate(m->turn, vs_subtract(own.spin, m->before.spin)));
    return vs_world_set_body_state(world, (vs_body_id){(uint32_t)index, body->generation}, &state);
}

static vs_error move_tree(vs_world *world, const tree *t, const movement *m) {
    vs_error error = VS_OK;
    for (int k = 0; k < t->count && !error; k++)
        error = move_body(world, t->body[k], m);
    return error;
}

// ---- by a coordinate -------------------------------------------------------------------------------

// Of a joint: coordinate and rate, or rotation of B in A and spin of B in A, axes of B.
typedef struct wanted {
    bool turns; // the latter
    double coordinate, rate;
    vs_quat rotation;
    vs_vec3 spin;
} wanted;

// The movement of B's tree, sense 1, or of A's, sense -1, that changes coordinate and rate of a joint.
static movement plan_slide(const vs_world *world, const vs_joint *joint, const wanted *to, double sense) {
    const double coordinate = to->coordinate, rate = to->rate;
    const vs_joint_frame frame = vs_joint_frame_get(world, joint);
    const vs_vec3 axis = vs_rotate(frame.a.rotation, (vs_vec3){0, 0, sense});
    double x, v;
    vs_joint_coordinate(world, joint, &x, &v);
    const int rests = sense > 0 ? joint->a : joint->b;
    movement m = {.turn = {1, 0, 0, 0}, .before = field_of(&world->body[rests], frame.b.position)};
    m.after = m.before;
    if (joint->def.kind == VS_JOINT_REVOLUTE) {
        m.turn = vs_quat_exp(vs_scale(coordinate - x, axis));
        m.after.spin = vs_add_scaled(m.before.spin, rate - v, axis);
    } else {
        m.shift = vs_scale(coordinate - x, axis);
        m.after.velocity = vs_add_scaled(m.before.velocity, rate - v, axis);
    }
    return m;
}

// The same for a rotation: with R_A q = R_B after it, R = R_A q R_B' (B moves) or R_B q' R_A' (A moves). The tree turns with R,
// and with it the relative spin that it has.
static movement plan_turn(const vs_world *world, const vs_joint *joint, const wanted *to, double sense) {
    const vs_joint_frame frame = vs_joint_frame_get(world, joint);
    const vs_quat a = frame.a.rotation, b = frame.b.rotation, q = vs_quat_normalize(to->rotation);
    const vs_quat there = sense > 0 ? vs_quat_multiply(a, q) : vs_quat_multiply(b, vs_quat_conjugate(q));
    const field of_a = field_of(&world->body[joint->a], frame.b.position),
                of_b = field_of(&world->body[joint->b], frame.b.position);
    movement m = {.before = sense > 0 ? of_a : of_b};
    m.turn = vs_quat_multiply(there, vs_quat_conjugate(sense > 0 ? b : a));
    m.after = m.before;
    const vs_vec3 has = vs_rotate(m.turn, vs_subtract(of_b.spin, of_a.spin));
    const vs_vec3 gets = vs_rotate(sense > 0 ? there : b, to->spin);
    m.after.spin = vs_add_scaled(m.before.spin, sense, vs_subtract(gets, has));
    return m;
}

static vs_error set_coordinate(vs_world *world, int index, const wanted *to) {
    vs_joint *joint = &world->joint[index];
    tree t;
    double sense = 1;
    vs_error error = collect_tree(world, joint->b, index, &t);
    bool loop = !error && t.has[joint->a];
    if (!error && !loop && t.anchored) {
        release_tree(world->context, &t);
        sense = -1;
        error = collect_tree(world, joint->a, index, &t);
        loop = !error && (t.anchored || t.has[joint->b]);
    }
    if (error)
        return error;
    if (loop) {
        error = vs_fail(world->context, VS_ERROR_ARGUMENT,
                        "joint \"%s\": is part of a closed loop, its coordinate cannot be set alone; place the bodies "
                        "and assemble the world",
                        joint->name ? joint->name : "");
    } else {
        const movement m = to->turns ? plan_turn(world, joint, to, sense) : plan_slide(world, joint, to, sense);
        error = move_tree(world, &t, &m);
    }
    if (!error && joint->def.kind == VS_JOINT_REVOLUTE)
        joint->angle = to->coordinate;
    release_tree(world->context, &t);
    return error;
}

// The joint on the other side of a gear, and its coordinate and rate with those of joint `index`; -1: the gear does not couple it. The
// curve of a cam has no inverse.
static int across(const vs_world *world, const vs_joint *gear, int index, double coordinate, double rate, wanted *to) {
    if (!gear->alive || !vs_joint_kind_couples(gear->def.kind))
        return -1;
    const int a = (int)gear->def.joint_a.index, b = (int)gear->def.joint_b.index;
    const bool cam = gear->def.kind == VS_JOINT_CAM;
    if (cam)
        *to = (wanted){.coordinate = vs_signal_at(&gear->curve, coordinate),
                       .rate = vs_signal_rate(&gear->curve, coordinate) * rate};
    const double ratio = index == a ? gear->def.ratio : 1 / gear->def.ratio;
    if (!cam)
        *to = (wanted){.coordinate = ratio * coordinate, .rate = ratio * rate};
    return index == a && world->joint[b].alive ? b : index == b && !cam && world->joint[a].alive ? a : -1;
}

// Joint `index` and all that gears couple to it; each is set once.
static vs_error set_geared(vs_world *world, int index, double coordinate, double rate, bool *done) {
    done[index] = true;
    const wanted to = {.coordinate = coordinate, .rate = rate};
    vs_error error = set_coordinate(world, index, &to);
    for (int k = 0; k < world->joints && world->joint[index].gears > 0 && !error; k++) {
        wanted next;
        const int other = across(world, &world->joint[k], index, coordinate, rate, &next);
        if (other >= 0 && !done[other])
            error = set_geared(world, other, next.coordinate, next.rate, done);
    }
    return error;
}

vs_error vs_world_set_joint_coordinate(vs_world *world, vs_joint_id id, double coordinate, double rate) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    const int index = vs_world_joint_index(world, id);
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    const vs_joint_kind kind = world->joint[index].def.kind;
    if (kind != VS_JOINT_REVOLUTE && kind != VS_JOINT_PRISMATIC && kind != VS_JOINT_CYLINDRICAL)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "joint: only revolute, prismatic and cylindrical joints have a coordinate that can be set");
    if (!isfinite(coordinate) || !isfinite(rate))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the coordinate or its rate is not finite");
    bool *done = vs_allocate(world->context, sizeof *done * (size_t)world->joints);
    if (!done)
        return vs_fail_memory(world->context);
    memset(done, 0, sizeof *done * (size_t)world->joints);
    const vs_error error = set_geared(world, index, coordinate, rate, done);
    vs_release(world->context, done);
    return error;
}

vs_error vs_world_set_joint_rotation(vs_world *world, vs_joint_id id, vs_quat rotation, vs_vec3 spin) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    const int index = vs_world_joint_index(world, id);
    const wanted to = {.turns = true, .rotation = rotation, .spin = spin};
    const double size =
        rotation.w * rotation.w + rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z;
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    if (world->joint[index].def.kind != VS_JOINT_SPHERICAL)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "joint: only spherical joints have a rotation that can be set");
    if (!(size > 0) || !isfinite(size) || !isfinite(spin.x + spin.y + spin.z))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the rotation or its rate is not finite, or 0");
    return set_coordinate(world, index, &to);
}

// ---- by a body -------------------------------------------------------------------------------------

vs_error vs_world_place_mechanism(vs_world *world, vs_body_id id, const vs_body_state *state) {
    const int index = world ? vs_world_body_index(world, id) : -1;
    if (index <= 0 || !state)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT,
                       "place: needs a body of the world and a state");
    tree t;
    vs_error error = collect_tree(world, index, -1, &t);
    if (error)
        return error;
    if (t.anchored) {
        error =
            vs_fail(world->context, VS_ERROR_ARGUMENT,
                    "place: the body is not dynamic, or joined to one that is not; set the coordinates of its joints");
    } else {
        const vs_body *body = &world->body[index];
        const vs_pose from = body->pose;
        const movement m = {.shift = vs_subtract(state->pose.position, from.position),
                            .turn = vs_quat_multiply(state->pose.rotation, vs_quat_conjugate(from.rotation)),
                            .before = field_of(body, from.position),
                            .after = {state->pose.position, state->velocity, state->spin}};
        error = vs_world_set_body_state(world, id, state); // validates
        for (int k = 1; k < t.count && !error; k++)        // body 0 of the tree is this one
            error = move_body(world, t.body[k], &m);
    }
    release_tree(world->context, &t);
    return error;
}
