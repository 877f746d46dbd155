// Sums over the bodies: energy, momentum, and a hash of the state.
//
//     kinetic    1/2 m v'v + 1/2 w'I w          momentum           m v
//     potential  -m g'x + springs               angular momentum   x x m v + R I w
//
// Sums are compensated (Neumaier): with 10^6 bodies their error is that of the terms, not of the summation.
#include "body/flexible_data.h"
#include "body/joint_coordinate.h"

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

static vs_vec3 get_vector(const sum s[3]) {
    return (vs_vec3){s[0].value + s[0].lost, s[1].value + s[1].lost, s[2].value + s[2].lost};
}

// Strain energy of all flexible bodies, and the contribution of the nodes of solids. Consistent mass: M v and M x.
static void add_flexible(const vs_world *world, sum *kinetic, sum *potential, sum momentum[3], sum angular[3]) {
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        if (!f->alive)
            continue;
        add(potential, vs_flexible_strain_energy(world, f));
        if (f->beam)
            continue;
        vs_flexible_multiply_mass(f, f->velocity, f->work);
        for (int i = 0; i < f->nodes; i++) {
            add(kinetic, .5 * vs_dot(f->work[i], f->velocity[i]));
            add_vector(momentum, f->work[i]);
            add_vector(angular, vs_cross(f->position[i], f->work[i]));
        }
        vs_flexible_multiply_mass(f, f->position, f->work);
        for (int i = 0; i < f->nodes; i++)
            add(potential, -vs_dot(world->gravity, f->work[i]));
    }
}

vs_energy vs_world_get_energy(const vs_world *world) {
    sum kinetic = {0, 0}, potential = {0, 0}, momentum[3] = {{0, 0}}, angular[3] = {{0, 0}};
    if (!world)
        return (vs_energy){0};
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        if (vs_world_place(world, k) != VS_PLACE_HERE || !body->alive || body->motion != VS_MOTION_DYNAMIC)
            continue;
        vs_vec3 p = vs_scale(body->mass, body->velocity), L = vs_mat3_apply(&body->inertia, body->spin);
        add(&kinetic, .5 * vs_dot(p, body->velocity));
        add(&kinetic, .5 * vs_dot(L, body->spin));
        add(&potential, -body->mass * vs_dot(world->gravity, body->pose.position));
        add_vector(momentum, p);
        add_vector(angular, vs_cross(body->pose.position, p));
        add_vector(angular, vs_rotate(body->pose.rotation, L));
    }
    if (world->joint_slots.used > 0)
        add(&potential, vs_joints_spring_energy(world));
    if (world->flexible_slots.used > 0)
        add_flexible(world, &kinetic, &potential, momentum, angular);
    return (vs_energy){kinetic.value + kinetic.lost, potential.value + potential.lost, get_vector(momentum),
                       get_vector(angular)};
}

// ---- hash ------------------------------------------------------------------------------------------

// For fixed x a bijection of h, and for fixed h one of x: a difference in one bit is never lost.
static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

static uint64_t mix_double(uint64_t h, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return mix(h, bits);
}

static uint64_t mix_vector(uint64_t h, vs_vec3 v) {
    return mix_double(mix_double(mix_double(h, v.x), v.y), v.z);
}

uint64_t vs_world_get_hash(const vs_world *world) {
    if (!world)
        return 0;
    uint64_t h = mix_double(0x766f7573736f6972u, world->time);
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        if (!body->alive)
            continue;
        vs_quat q = body->pose.rotation;
        h = mix(h, (uint64_t)k);
        h = mix_vector(h, body->pose.position);
        h = mix_double(mix_double(mix_double(mix_double(h, q.w), q.x), q.y), q.z);
        h = mix_vector(mix_vector(h, body->velocity), body->spin);
    }
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        if (!f->alive || f->beam)
            continue;
        h = mix(h, (uint64_t)k);
        for (int i = 0; i < f->nodes; i++)
            h = mix_vector(mix_vector(h, f->position[i]), f->velocity[i]);
    }
    return h;
}
