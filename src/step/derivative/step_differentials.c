// Tangent and adjoint of a step (step_derivative.h): kick, contact problem and drift, one after the other, and back.
#include <string.h>

#include "step/derivative/linear_step.h"

// ---- dense parts -----------------------------------------------------------------------------------

// y += A x
static void multiply(int rows, int columns, const double *A, const double *x, double *y) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            y[i] += A[i * columns + j] * x[j];
}

// y += A'x
static void multiply_t(int rows, int columns, const double *A, const double *x, double *y) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            y[j] += A[i * columns + j] * x[i];
}

static void copy_part(const double *from, int body, int count, double *to) {
    for (int i = 0; i < count; i++)
        to[i] = from ? from[count * body + i] : 0;
}

// One body of a state: pose, velocity, forecast.
static void read_state(const vs_state_direction *from, int body, double x[VS_MOTION_STATE]) {
    copy_part(from ? from->pose : NULL, body, 6, x);
    copy_part(from ? from->velocity : NULL, body, 6, x + 6);
    copy_part(from ? from->forecast : NULL, body, 3, x + 12);
}

static void write_part(double *to, int body, int count, const double *from) {
    for (int i = 0; i < count && to; i++)
        to[count * body + i] = from[i];
}

static void write_state(const vs_state_direction *to, int body, const double x[VS_MOTION_STATE]) {
    write_part(to ? to->pose : NULL, body, 6, x);
    write_part(to ? to->velocity : NULL, body, 6, x + 6);
    write_part(to ? to->forecast : NULL, body, 3, x + 12);
}

// ---- parameters ------------------------------------------------------------------------------------

static bool is_of_body(const vs_step_derivative *d, const vs_parameter *p, int body) {
    return p->kind == VS_PARAMETER_MASS && p->body.index == d->body[body].index &&
           p->body.generation == d->body[body].generation;
}

static bool is_of_contact(const vs_parameter *p, const vs_contact_differential *c) {
    const bool has = p->kind == VS_PARAMETER_RESTITUTION || (p->kind == VS_PARAMETER_MU && c->slides) ||
                     (p->kind == VS_PARAMETER_ROLLING && c->rolls) || (p->kind == VS_PARAMETER_SPINNING && c->spins);
    return has && ((p->material_a == c->material[0] && p->material_b == c->material[1]) ||
                   (p->material_a == c->material[1] && p->material_b == c->material[0]));
}

// ---- tangent and adjoint ---------------------------------------------------------------------------

// Data and solution of the contact problem, or weights and gradients of them.
typedef struct work {
    vs_arena arena;
    double *mass;                    // (bodies)
    double *c, *v, *free;            // (6 bodies), (6 bodies), (3 bodies)
    double *b, *b_e;                 // (m), (m_e)
    double *mu, *rolling, *spinning; // (contacts of the problem); the last two null unless the problem has them
    double *state;                   // (15 bodies)
} work;

static vs_error create_work(work *w, const vs_step_derivative *d) {
    const int n = 6 * d->bodies;
    const vs_problem_info info = d->problem ? vs_problem_get_info(d->problem) : (vs_problem_info){0};
    vs_arena_init(&w->arena, d->context);
    w->mass = VS_NEW_ZERO(&w->arena, double, d->bodies);
    w->c = VS_NEW_ZERO(&w->arena, double, n);
    w->v = VS_NEW_ZERO(&w->arena, double, n);
    w->free = VS_NEW_ZERO(&w->arena, double, 3 * d->bodies);
    w->b = VS_NEW_ZERO(&w->arena, double, info.m);
    w->b_e = VS_NEW_ZERO(&w->arena, double, info.m_e);
    w->mu = VS_NEW_ZERO(&w->arena, double, info.contacts);
    w->rolling = d->rolls ? VS_NEW_ZERO(&w->arena, double, info.contacts) : NULL;
    w->spinning = d->rolls ? VS_NEW_ZERO(&w->arena, double, info.contacts) : NULL;
    w->state = VS_NEW_ZERO(&w->arena, double, VS_MOTION_STATE * d->bodies);
    const bool complete = w->mass && w->c && w->v && w->free && w->b && w->b_e && w->mu && w->state &&
                          (!d->rolls || (w->rolling && w->spinning));
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

// Where the coefficient of a parameter's kind stands; null: it is none of the limits of impulses.
static double *limit_of(const work *w, vs_parameter_kind kind, int contact) {
    double *all = kind == VS_PARAMETER_MU         ? w->mu
                  : kind == VS_PARAMETER_ROLLING  ? w->rolling
                  : kind == VS_PARAMETER_SPINNING ? w->spinning
                                                  : NULL;
    return all ? all + contact : NULL;
}

static void kick(const vs_step_derivative *d, const vs_state_direction *before, const vs_input_direction *input,
                 const work *w) {
    for (int k = 0; k < d->bodies; k++) {
        double in[VS_KICK_IN] = {0}, out[VS_KICK_OUT] = {0};
        read_state(before, k, in);
        copy_part(input ? input->force : NULL, k, 6, in + VS_MOTION_STATE);
        for (int i = 0; i < d->parameters && input && input->parameter; i++)
            in[VS_KICK_IN - 1] += is_of_body(d, &d->parameter[i], k) ? input->parameter[i] : 0;
        w->mass[k] = in[VS_KICK_IN - 1];
        multiply(VS_KICK_OUT, VS_KICK_IN, d->motion[k].kick, in, out);
        memcpy(w->state + VS_MOTION_STATE * (int64_t)k, in, VS_MOTION_STATE * sizeof *in);
        memcpy(w->c + 6 * (int64_t)k, out, 6 * sizeof *out);
        memcpy(w->free + 3 * (int64_t)k, out + 6, 3 * sizeof *out);
    }
}

static void touch(const vs_step_derivative *d, const vs_input_direction *input, const work *w) {
    for (int k = 0; k < d->contacts; k++) {
        const vs_contact_differential *contact = &d->contact[k];
        double in[VS_CONTACT_IN] = {0}, out[VS_CONTACT_OUT] = {0};
        for (int side = 0; side < 2; side++)
            if (contact->block[side] != VS_NO_BLOCK)
                memcpy(in + 12 * side, w->state + VS_MOTION_STATE * (int64_t)contact->block[side], 12 * sizeof *in);
        multiply(VS_CONTACT_OUT, VS_CONTACT_IN, contact->by_state, in, out);
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 6 && contact->block[side] != VS_NO_BLOCK; i++)
                w->c[6 * contact->block[side] + i] += out[6 * side + i];
        for (int i = 0; i < contact->rows; i++)
            w->b[contact->row + i] += out[12 + i];
        for (int i = 0; i < d->parameters && input && input->parameter; i++) {
            const vs_parameter *p = &d->parameter[i];
            if (!is_of_contact(p, contact))
                continue;
            if (limit_of(w, p->kind, k))
                *limit_of(w, p->kind, k) += input->parameter[i];
            for (int j = 0; j < 3 && j < contact->rows && p->kind == VS_PARAMETER_RESTITUTION; j++)
                w->b[contact->row + j] += contact->by_restitution[j] * input->parameter[i];
        }
    }
}

static vs_joint_product joint_product(const work *w) {
    return (vs_joint_product){.state = w->state, .c = w->c, .free = w->free, .b = w->b, .b_e = w->b_e};
}

static void hold(const vs_step_derivative *d, const work *w) {
    const vs_joint_product x = joint_product(w);
    for (int k = 0; k < d->joints; k++)
        vs_joint_differential_apply(&d->joint[k], &x);
}

static void hold_back(const vs_step_derivative *d, const work *w) {
    const vs_joint_product x = joint_product(w);
    for (int k = 0; k < d->joints; k++)
        vs_joint_differential_transpose(&d->joint[k], &x);
}

// The state at the end, in place of that at the beginning.
static void drift(const vs_step_derivative *d, const work *w) {
    for (int k = 0; k < d->bodies; k++) {
        double in[VS_DRIFT_IN], out[VS_MOTION_STATE] = {0};
        memcpy(in, w->state + VS_MOTION_STATE * (int64_t)k, 6 * sizeof *in);
        memcpy(in + 6, w->v + 6 * (int64_t)k, 6 * sizeof *in);
        memcpy(in + 12, w->free + 3 * (int64_t)k, 3 * sizeof *in);
        multiply(VS_MOTION_STATE, VS_DRIFT_IN, d->motion[k].drift, in, out);
        memcpy(w->state + VS_MOTION_STATE * (int64_t)k, out, sizeof out);
    }
}

vs_error vs_linear_step_tangent(const vs_step_derivative *d, const vs_state_direction *before,
                                const vs_input_direction *input, const vs_state_direction *after, double *residual) {
    work w;
    vs_error error = create_work(&w, d);
    if (residual)
        *residual = 0;
    if (!error) {
        kick(d, before, input, &w);
        touch(d, input, &w);
        hold(d, &w);
    }
    if (!error && d->solution) {
        const vs_problem_direction data = {
            .c = w.c, .b = w.b, .b_e = w.b_e, .mu = w.mu, .rolling = w.rolling, .spinning = w.spinning};
        const vs_solution_direction solution = {.v = w.v};
        error = vs_derivative_tangent(d->solution, &data, &solution, residual);
    }
    if (!error && d->flies)
        memcpy(w.v, w.c, sizeof(double) * 6 * (size_t)d->bodies);
    if (!error) {
        double largest = residual ? *residual : 0;
        drift(d, &w);
        error = vs_projection_derivative_tangent(&d->projection, w.mass, w.state, &largest);
        if (residual)
            *residual = largest;
    }
    for (int k = 0; k < d->bodies && !error; k++)
        write_state(after, k, w.state + VS_MOTION_STATE * (int64_t)k);
    vs_arena_release(&w.arena);
    return error;
}

static void drift_back(const vs_step_derivative *d, const work *w) {
    for (int k = 0; k < d->bodies; k++) {
        double out[VS_MOTION_STATE], in[VS_DRIFT_IN] = {0};
        memcpy(out, w->state + VS_MOTION_STATE * (int64_t)k, sizeof out);
        memset(w->state + VS_MOTION_STATE * (int64_t)k, 0, sizeof out);
        multiply_t(VS_MOTION_STATE, VS_DRIFT_IN, d->motion[k].drift, out, in);
        memcpy(w->state + VS_MOTION_STATE * (int64_t)k, in, 6 * sizeof *in);
        memcpy(w->v + 6 * (int64_t)k, in + 6, 6 * sizeof *in);
        memcpy(w->free + 3 * (int64_t)k, in + 12, 3 * sizeof *in);
    }
}

static void touch_back(const vs_step_derivative *d, const vs_input_direction *input, const work *w) {
    for (int k = 0; k < d->contacts; k++) {
        const vs_contact_differential *contact = &d->contact[k];
        double in[VS_CONTACT_IN] = {0}, out[VS_CONTACT_OUT] = {0};
        for (int side = 0; side < 2; side++)
            if (contact->block[side] != VS_NO_BLOCK)
                memcpy(out + 6 * side, w->c + 6 * (int64_t)contact->block[side], 6 * sizeof *out);
        memcpy(out + 12, w->b + contact->row, (size_t)contact->rows * sizeof *out);
        multiply_t(VS_CONTACT_OUT, VS_CONTACT_IN, contact->by_state, out, in);
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 12 && contact->block[side] != VS_NO_BLOCK; i++)
                w->state[VS_MOTION_STATE * contact->block[side] + i] += in[12 * side + i];
        for (int i = 0; i < d->parameters && input && input->parameter; i++) {
            const vs_parameter *p = &d->parameter[i];
            if (!is_of_contact(p, contact))
                continue;
            if (limit_of(w, p->kind, k))
                input->parameter[i] += *limit_of(w, p->kind, k);
            for (int j = 0; j < 3 && j < contact->rows && p->kind == VS_PARAMETER_RESTITUTION; j++)
                input->parameter[i] += contact->by_restitution[j] * w->b[contact->row + j];
        }
    }
}

static void kick_back(const vs_step_derivative *d, const vs_input_direction *input, const work *w) {
    for (int k = 0; k < d->bodies; k++) {
        double in[VS_KICK_IN] = {0}, out[VS_KICK_OUT];
        memcpy(out, w->c + 6 * (int64_t)k, 6 * sizeof *out);
        memcpy(out + 6, w->free + 3 * (int64_t)k, 3 * sizeof *out);
        multiply_t(VS_KICK_OUT, VS_KICK_IN, d->motion[k].kick, out, in);
        for (int i = 0; i < VS_MOTION_STATE; i++)
            w->state[VS_MOTION_STATE * k + i] += in[i];
        for (int i = 0; i < 6 && input && input->force; i++)
            input->force[6 * k + i] += in[VS_MOTION_STATE + i];
        for (int i = 0; i < d->parameters && input && input->parameter; i++)
            input->parameter[i] += is_of_body(d, &d->parameter[i], k) ? w->mass[k] + in[VS_KICK_IN - 1] : 0;
    }
}

vs_error vs_linear_step_adjoint(const vs_step_derivative *d, const vs_state_direction *weights,
                                const vs_state_direction *before, const vs_input_direction *input, double *residual) {
    work w;
    vs_error error = create_work(&w, d);
    if (residual)
        *residual = 0;
    double projected = 0;
    for (int k = 0; k < d->bodies && !error; k++)
        read_state(weights, k, w.state + VS_MOTION_STATE * (int64_t)k);
    if (!error)
        error = vs_projection_derivative_adjoint(&d->projection, w.state, w.mass, &projected);
    if (!error)
        drift_back(d, &w);
    if (!error && d->solution) {
        const vs_solution_direction solution = {.v = w.v};
        const vs_problem_gradient data = {
            .c = w.c, .b = w.b, .b_e = w.b_e, .mu = w.mu, .rolling = w.rolling, .spinning = w.spinning};
        error = vs_derivative_adjoint(d->solution, &solution, &data, residual);
    }
    if (!error && d->flies)
        memcpy(w.c, w.v, sizeof(double) * 6 * (size_t)d->bodies);
    if (residual && projected > *residual)
        *residual = projected;
    if (!error) {
        hold_back(d, &w);
        kick_back(d, input, &w);
        touch_back(d, input, &w);
        for (int k = 0; k < d->bodies && before; k++)
            write_state(before, k, w.state + VS_MOTION_STATE * (int64_t)k);
    }
    vs_arena_release(&w.arena);
    return error;
}
