// Directions of a simulation's state and parameters, and derivatives of steps by differences of steps that are taken again.
#ifndef VS_TESTS_STEP_DERIVATIVE_STEP_DIFFERENCES_H
#define VS_TESTS_STEP_DERIVATIVE_STEP_DIFFERENCES_H

#include "body/world_data.h"
#include "kit/random.h"
#include "step/worlds.h"
#include "voussoir/step_derivative.h"

enum { BODIES_MOST = 8, PARAMETERS_MOST = 8, STATE = 12 };

static inline vs_parameter mass_of(vs_body_id body) {
    return (vs_parameter){.kind = VS_PARAMETER_MASS, .body = body};
}

static inline vs_parameter pair_of(const rig *s, vs_parameter_kind kind) {
    return (vs_parameter){.kind = kind, .material_a = s->material, .material_b = s->material};
}

// A direction of everything that a step depends on.
typedef struct push {
    double pose[6 * BODIES_MOST], velocity[6 * BODIES_MOST], force[6 * BODIES_MOST], parameter[PARAMETERS_MOST];
} push;

typedef struct trial {
    rig *rig;
    const vs_parameter *parameter;
    int parameters, bodies, steps;
    vs_body_id body[BODIES_MOST];
    vs_body_state start[BODIES_MOST];
    unsigned char bytes[1 << 16];
    size_t count;
    vs_body heavy[BODIES_MOST]; // with the masses of the beginning
    vs_material material;
} trial;

static inline push random_push(const trial *t, uint64_t seed) {
    push p = {0};
    for (int i = 0; i < 6 * t->bodies; i++) {
        p.pose[i] = random_in(&seed, -1, 1);
        p.velocity[i] = random_in(&seed, -1, 1);
        p.force[i] = random_in(&seed, -1, 1);
    }
    for (int i = 0; i < t->parameters; i++)
        p.parameter[i] = random_in(&seed, -1, 1);
    return p;
}

static inline vs_vec3 vector_at(const double *x, double scale) {
    return vs_scale(scale, (vs_vec3){x[0], x[1], x[2]});
}

static inline void start_trial(trial *t, rig *s, int steps) {
    *t = (trial){.rig = s, .steps = steps};
    for (int k = 0; k < vs_world_get_body_count(s->world); k++) {
        const vs_body_id id = vs_world_get_body_at(s->world, k);
        const vs_body *body = &s->world->body[id.index];
        if (body->motion != VS_MOTION_DYNAMIC)
            continue;
        t->heavy[t->bodies] = *body;
        must(vs_world_get_body_state(s->world, id, &t->start[t->bodies]), s->context);
        t->body[t->bodies++] = id;
    }
    t->material = vs_world_get_material_pair(s->world, s->material, s->material);
    must(vs_simulation_save(s->simulation, t->bytes, sizeof t->bytes, &t->count), s->context);
}

// The mass with its inertia.
static inline void set_mass(vs_body *body, double mass) {
    const double ratio = mass / body->mass;
    body->mass = mass;
    for (int i = 0; i < 9; i++) {
        body->inertia.a[i] *= ratio;
        body->inverse_inertia.a[i] /= ratio;
    }
}

static inline void set_parameters(const trial *t, const push *p, double x) {
    const rig *s = t->rig;
    vs_material pair = t->material;
    for (int i = 0; i < t->parameters; i++) {
        const vs_parameter *q = &t->parameter[i];
        const double by = x * p->parameter[i];
        if (q->kind == VS_PARAMETER_MASS)
            set_mass(&s->world->body[q->body.index], s->world->body[q->body.index].mass + by);
        *(q->kind == VS_PARAMETER_MU            ? &pair.mu
          : q->kind == VS_PARAMETER_RESTITUTION ? &pair.restitution
          : q->kind == VS_PARAMETER_ROLLING     ? &pair.rolling
                                                : &pair.spinning) += q->kind == VS_PARAMETER_MASS ? 0 : by;
    }
    must(vs_world_set_material_pair(s->world, s->material, s->material, &pair), s->context);
}

// The state of the beginning, moved by x times the direction.
static inline void set_state(const trial *t, const push *p, double x) {
    const rig *s = t->rig;
    for (int k = 0; k < t->bodies; k++) {
        vs_body *body = &s->world->body[t->body[k].index];
        body->mass = t->heavy[k].mass;
        body->inertia = t->heavy[k].inertia, body->inverse_inertia = t->heavy[k].inverse_inertia;
    }
    s->world->topology++; // masses are not expected to change
    must(vs_simulation_restore(s->simulation, t->bytes, t->count), s->context);
    set_parameters(t, p, x);
    for (int k = 0; k < t->bodies; k++) {
        vs_body_state state = t->start[k];
        const double *pose = p->pose + 6 * k, *velocity = p->velocity + 6 * k;
        state.pose.position = vs_add(state.pose.position, vector_at(pose, x));
        state.pose.rotation = vs_quat_multiply(vs_quat_exp(vector_at(pose + 3, x)), state.pose.rotation);
        state.velocity = vs_add(state.velocity, vector_at(velocity, x));
        state.spin = vs_add(state.spin, vector_at(velocity + 3, x));
        must(vs_world_set_body_state(s->world, t->body[k], &state), s->context);
    }
}

// Forces act in the first of the steps.
static inline void apply_forces(const trial *t, const push *p, double x) {
    const rig *s = t->rig;
    for (int k = 0; k < t->bodies; k++) {
        must(vs_world_apply_force(s->world, t->body[k], vector_at(p->force + 6 * k, x), NULL), s->context);
        must(vs_world_apply_torque(s->world, t->body[k], vector_at(p->force + 6 * k + 3, x)), s->context);
    }
}

static inline void run_trial(const trial *t, const push *p, double x, vs_body_state end[BODIES_MOST]) {
    set_state(t, p, x);
    apply_forces(t, p, x);
    for (int k = 0; k < t->steps; k++)
        take_step(t->rig);
    for (int k = 0; k < t->bodies; k++)
        end[k] = state_of(t->rig, t->body[k]);
}

static inline void put3(double *to, vs_vec3 x, double scale) {
    to[0] = scale * x.x, to[1] = scale * x.y, to[2] = scale * x.z;
}

// (12 bodies) of the state at the end, by the rule of fourth order: errors of x^4, and those of the solution over x.
static inline void differences(const trial *t, const push *p, double x, double *out) {
    vs_body_state end[4][BODIES_MOST];
    static const double factor[4] = {1, -1, 2, -2};
    for (int i = 0; i < 4; i++)
        run_trial(t, p, factor[i] * x, end[i]);
    for (int k = 0; k < t->bodies; k++) {
        double part[2][STATE];
        for (int i = 0; i < 2; i++) {
            const vs_body_state *a = &end[2 * i][k], *b = &end[2 * i + 1][k];
            const double h = 1 / ((i + 1) * 2 * x);
            put3(part[i], vs_subtract(a->pose.position, b->pose.position), h);
            put3(part[i] + 3, vs_quat_log(vs_quat_multiply(a->pose.rotation, vs_quat_conjugate(b->pose.rotation))), h);
            put3(part[i] + 6, vs_subtract(a->velocity, b->velocity), h);
            put3(part[i] + 9, vs_subtract(a->spin, b->spin), h);
        }
        for (int i = 0; i < STATE; i++)
            out[STATE * k + i] = (4 * part[0][i] - part[1][i]) / 3;
    }
}

// ---- the derivative of the same steps ----------------------------------------------------------------

enum { STEPS_MOST = 8 };
typedef struct chain {
    vs_step_derivative *step[STEPS_MOST];
    int steps, borders, kinks, redundant, contacts; // contacts: of the first step
} chain;

static inline chain differentiate(const trial *t) {
    static const push none;
    chain c = {.steps = t->steps};
    vs_step_derivative_options options = vs_step_derivative_options_default();
    options.parameter = t->parameter, options.parameters = t->parameters;
    set_state(t, &none, 0);
    for (int k = 0; k < t->steps; k++) {
        must(vs_step_derivative_create(t->rig->simulation, &options, NULL, &c.step[k]), t->rig->context);
        const vs_step_derivative_report report = vs_step_derivative_get_report(c.step[k]);
        assert_int_equal(report.bodies, t->bodies);
        c.borders += report.borders, c.kinks += report.kinks, c.redundant += report.redundant;
    }
    return c;
}

static inline void release_chain(chain *c) {
    for (int k = 0; k < c->steps; k++)
        vs_step_derivative_destroy(c->step[k]);
}

// Direction of the state at the end, pose and velocity of each body. Returns the largest residual.
static inline double chain_tangent(const chain *c, const push *p, int bodies, double *out) {
    push moving = *p;
    double forecast[3 * BODIES_MOST] = {0}, largest = 0;
    const vs_state_direction state = {moving.pose, moving.velocity, forecast};
    for (int k = 0; k < c->steps; k++) {
        const vs_input_direction input = {.force = k == 0 ? moving.force : NULL, .parameter = moving.parameter};
        double residual;
        assert_int_equal(vs_step_derivative_tangent(c->step[k], &state, &input, &state, &residual), VS_OK);
        largest = fmax(largest, residual);
    }
    for (int k = 0; k < bodies; k++)
        for (int i = 0; i < 6; i++)
            out[STATE * k + i] = moving.pose[6 * k + i], out[STATE * k + 6 + i] = moving.velocity[6 * k + i];
    return largest;
}

// The gradient of weights (12 bodies).
static inline push chain_adjoint(const chain *c, const double *weights, int bodies) {
    push g = {0};
    double forecast[3 * BODIES_MOST] = {0};
    for (int k = 0; k < bodies; k++)
        for (int i = 0; i < 6; i++)
            g.pose[6 * k + i] = weights[STATE * k + i], g.velocity[6 * k + i] = weights[STATE * k + 6 + i];
    const vs_state_direction state = {g.pose, g.velocity, forecast};
    for (int k = c->steps - 1; k >= 0; k--) {
        const vs_input_direction input = {.force = k == 0 ? g.force : NULL, .parameter = g.parameter};
        assert_int_equal(vs_step_derivative_adjoint(c->step[k], &state, &state, &input, NULL), VS_OK);
    }
    return g;
}

static inline double push_dot(const push *a, const push *b) {
    double sum = 0;
    for (int i = 0; i < 6 * BODIES_MOST; i++)
        sum += a->pose[i] * b->pose[i] + a->velocity[i] * b->velocity[i] + a->force[i] * b->force[i];
    for (int i = 0; i < PARAMETERS_MOST; i++)
        sum += a->parameter[i] * b->parameter[i];
    return sum;
}

#endif
