// Sums over the bodies: energy, momentum, and a hash of the state.
//
//     kinetic    1/2 m v'v + 1/2 w'I w          momentum           m v
//                + 1/2 armature x'^2 of joints
//     potential  -m g'x + elastic               angular momentum   x x m v + R I w
//     elastic    1/2 k (x - rest)^2 of springs, 1/2 Psi^2/compliance of joints, strain
//
// Sums are compensated (Neumaier): with 10^6 bodies their error is that of the terms, not of the summation.
#include "base/hash.h"
#include "body/flexible_data.h"
#include "body/joint_coordinate.h"
#include "body/joint_rows.h"
#include "body/servo/servo.h"

#include <string.h>

typedef struct sum {
    double value, lost;
} sum;

static void add(sum *s, double x) {
    double total = s->value + x;
    s->lost += fabs(s->value) >= fabs(x) ? (s->value - total) + x : (x - total) + s->value;
    s->value = total;
}

static void add_vector(sum s[3], vs_vec3 x) {
    add(&s[0], x.x);
    add(&s[1], x.y);
    add(&s[2], x.z);
}

static double get(sum s) {
    return s.value + s.lost;
}

static vs_vec3 get_vector(const sum s[3]) {
    return (vs_vec3){get(s[0]), get(s[1]), get(s[2])};
}

typedef struct sums {
    sum kinetic, gravity, elastic, momentum[3], angular[3];
} sums;

static void add_body(const vs_world *world, const vs_body *body, sums *s) {
    vs_vec3 p = vs_scale(body->mass, body->velocity), L = vs_mat3_apply(&body->inertia, body->spin);
    add(&s->kinetic, .5 * vs_dot(p, body->velocity));
    add(&s->kinetic, .5 * vs_dot(L, body->spin));
    add(&s->gravity, -body->mass * vs_dot(world->gravity, body->pose.position));
    add_vector(s->momentum, p);
    add_vector(s->angular, vs_cross(body->pose.position, p));
    add_vector(s->angular, vs_rotate(body->pose.rotation, L));
}

static void add_joint(const vs_world *world, const vs_joint *joint, sum *kinetic, sum *elastic) {
    const vs_joint_def *def = &joint->def;
    double x, rate, psi[VS_JOINT_BILATERAL_MOST];
    if (def->armature > 0) {
        vs_joint_coordinate(world, joint, &x, &rate);
        add(kinetic, .5 * def->armature * rate * rate);
    }
    if (def->stiffness != 0) {
        vs_joint_frame frame = vs_joint_frame_get(world, joint);
        if (vs_joint_coordinate_row(world, joint, &frame, &x, NULL))
            add(elastic, .5 * def->stiffness * (x - def->rest) * (x - def->rest));
    }
    if (def->kind == VS_JOINT_CABLE && def->compliance > 0) {
        vs_joint_coordinate(world, joint, &x, &rate);
        const double stretch = fmax(x - def->length, 0);
        add(elastic, .5 * stretch * stretch / def->compliance);
    }
    int count = def->compliance > 0 ? vs_joint_violation(world, joint, psi, NULL) : 0;
    for (int k = 0; k < count; k++)
        add(elastic, .5 * psi[k] * psi[k] / def->compliance);
}

// Strain energy when the velocities were those of now.
static double strain_energy(const vs_world *world, const vs_flexible *f) {
    for (int k = 0; k < f->nodes && f->beam; k++) {
        f->work[2 * k] = world->body[f->body[k].index].velocity;
        f->work[2 * k + 1] = world->body[f->body[k].index].spin;
    }
    return vs_flexible_strain_energy(world, f, -f->lag, f->beam ? f->work : f->velocity);
}

// Strain energy of all flexible bodies, and the contribution of the nodes of solids, at the time that their velocities belong
// to. Consistent mass: M v and M x.
static void add_flexible(const vs_world *world, sums *s) {
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        if (!f->alive)
            continue;
        add(&s->elastic, strain_energy(world, f));
        if (f->beam)
            continue;
        vs_flexible_multiply_mass(f, f->velocity, f->work);
        for (int i = 0; i < f->nodes; i++) {
            add(&s->kinetic, .5 * vs_dot(f->work[i], f->velocity[i]));
            add(&s->gravity, f->lag * vs_dot(world->gravity, f->work[i]));
            add_vector(s->momentum, f->work[i]);
            add_vector(s->angular, vs_cross(f->position[i], f->work[i]));
        }
        vs_flexible_multiply_mass(f, f->position, f->work);
        for (int i = 0; i < f->nodes; i++)
            add(&s->gravity, -vs_dot(world->gravity, f->work[i]));
    }
}

vs_energy vs_world_get_energy(const vs_world *world) {
    sums s = {0};
    if (!world)
        return (vs_energy){0};
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        if (vs_world_place(world, k) == VS_PLACE_HERE && body->alive && body->motion == VS_MOTION_DYNAMIC)
            add_body(world, body, &s);
    }
    for (int k = 0; k < world->joints; k++)
        if (world->joint[k].alive && vs_world_joint_is_here(world, &world->joint[k]))
            add_joint(world, &world->joint[k], &s.kinetic, &s.elastic);
    if (world->flexible_slots.used > 0)
        add_flexible(world, &s);
    double elastic = get(s.elastic);
    return (vs_energy){.kinetic = get(s.kinetic),
                       .potential = get(s.gravity) + elastic,
                       .elastic = elastic,
                       .momentum = get_vector(s.momentum),
                       .angular_momentum = get_vector(s.angular)};
}

// ---- hash ------------------------------------------------------------------------------------------

static uint64_t mix_vector(uint64_t h, vs_vec3 v) {
    return vs_hash_double(vs_hash_double(vs_hash_double(h, v.x), v.y), v.z);
}

uint64_t vs_world_get_hash(const vs_world *world) {
    if (!world)
        return 0;
    uint64_t h = vs_hash_double(0x766f7573736f6972u, world->time);
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        if (!body->alive)
            continue;
        vs_quat q = body->pose.rotation;
        h = vs_hash_word(h, (uint64_t)k);
        h = mix_vector(h, body->pose.position);
        h = vs_hash_double(vs_hash_double(vs_hash_double(vs_hash_double(h, q.w), q.x), q.y), q.z);
        h = mix_vector(mix_vector(h, body->velocity), body->spin);
    }
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        if (!f->alive || f->beam)
            continue;
        h = vs_hash_word(h, (uint64_t)k);
        for (int i = 0; i < f->nodes; i++)
            h = mix_vector(mix_vector(h, f->position[i]), f->velocity[i]);
    }
    return h;
}

// Commands (vs_world_set_joint_target()) do not count: of a joint that has one, the target of its definition does. Nor do constant
// targets.
static const vs_signal_copy *defined_target(const vs_joint *joint) {
    return joint->defined.commanded ? &joint->defined.target : &joint->target;
}

uint64_t vs_world_hash_signals(const vs_world *world) {
    uint64_t h = vs_signals_hash(world->gravity_signal, VS_HASH_EMPTY);
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        h = vs_signals_hash(body->drive + 3, vs_signals_hash(body->drive, h));
        if (body->servo)
            h = vs_signal_hash(&body->servo->target, h);
        for (const vs_load *load = body->loads; load; load = load->next)
            h = vs_signals_hash(load->torque, vs_signals_hash(load->force, h));
    }
    for (int k = 0; k < world->joints; k++)
        if (world->joint[k].alive && defined_target(&world->joint[k])->signal.kind != VS_SIGNAL_CONSTANT)
            h = vs_signal_hash(defined_target(&world->joint[k]), h);
    for (int k = 0; k < world->joints; k++)
        if (world->joint[k].alive && world->joint[k].def.kind == VS_JOINT_CAM)
            h = vs_signal_hash(&world->joint[k].curve, h);
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        for (int i = 0; f->alive && i < f->motion_count; i++)
            h = vs_signals_hash(f->motion[i].velocity, h);
        for (const vs_node_load *load = f->alive ? f->loads : NULL; load; load = load->next)
            h = vs_signal_hash(&load->pressure, vs_signals_hash(load->force, h));
    }
    return h;
}
