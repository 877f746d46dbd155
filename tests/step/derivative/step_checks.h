// Checks of derivatives of steps: tangents against differences, adjoints against tangents. Differences have the lengths 1e-6, where the
// truncation of the rule of fourth order is rounding but the errors of the solution (1e-12) and of iterated contact geometry
// (curved shapes, 1e-11) are divided by it, and 1e-4, where it is the other way round; the better one counts.
#ifndef VS_TESTS_STEP_DERIVATIVE_STEP_CHECKS_H
#define VS_TESTS_STEP_DERIVATIVE_STEP_CHECKS_H

#include "step/derivative/step_differences.h"

static const double LENGTHS[] = {1e-6, 1e-4, 1e-3}, BAR = 1e-6;

static inline double norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

// Of a tangent, relative to its size.
static inline double error_of(const trial *t, const push *p, const double *found) {
    const int n = STATE * t->bodies;
    double least = INFINITY;
    for (int k = 0; k < 3 && least > 1e-8; k++) {
        double exact[STATE * BODIES_MOST];
        differences(t, p, LENGTHS[k], exact);
        const double size = norm(exact, n);
        for (int i = 0; i < n; i++)
            exact[i] -= found[i];
        least = fmin(least, norm(exact, n) / size);
    }
    return least;
}

// Random directions of everything. Returns the report's sums.
static inline chain check_world(const char *name, rig *s, const vs_parameter *parameter, int parameters, int steps,
                                double bar) {
    trial t;
    start_trial(&t, s, steps);
    t.parameter = parameter, t.parameters = parameters;
    chain c = differentiate(&t);
    double worst = 0, residual = 0, transposed = 0;
    const int n = STATE * t.bodies;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        push p = random_push(&t, seed);
        if (steps > 1 && s->world->joints > 0)
            memset(p.pose, 0, sizeof p.pose);
        double found[STATE * BODIES_MOST] = {0}, weights[STATE * BODIES_MOST] = {0};
        residual = fmax(residual, chain_tangent(&c, &p, t.bodies, found));
        uint64_t next = seed + 100;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            weights[i] = random_in(&next, -1, 1);
            sum += weights[i] * found[i];
        }
        const push g = chain_adjoint(&c, weights, t.bodies);
        const double size = norm(found, n) * norm(weights, n);
        transposed = fmax(transposed, fabs(push_dot(&g, &p) - sum) / size);
        worst = fmax(worst, error_of(&t, &p, found));
    }
    const vs_step_derivative_report r = vs_step_derivative_get_report(c.step[0]);
    print_message(
        "  %-28s contacts %d, borders %d, kinks %d, redundant %d; error %.1e, residual %.1e, transposition %.1e\n",
        name, r.contacts, c.borders, c.kinks, c.redundant, worst, residual, transposed);
    c.contacts = r.contacts;
    release_chain(&c);
    if (!getenv("NOA"))
        assert_below(worst, bar);
    assert_below(residual, 1e-9);
    assert_below(transposed, 1e-12);
    return c;
}

static inline vs_quat tilt_by(double x, double y, double z) {
    return vs_quat_exp((vs_vec3){x, y, z});
}

static inline void place(const rig *s, vs_body_id id, vs_quat rotation, vs_vec3 velocity, vs_vec3 spin) {
    vs_body_state state = state_of(s, id);
    state.pose.rotation = rotation, state.velocity = velocity, state.spin = spin;
    must(vs_world_set_body_state(s->world, id, &state), s->context);
}

#endif
