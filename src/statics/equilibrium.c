// Equilibrium by the margin program: with l = z + s w e, w = weight/contacts, e = (1, 0, 0) in each contact,
//
//     maximise  s <= 1                       subject to  D'(z + s w e) + f = 0,  z in L
//     minimise  -f'v + p                     subject to  w e'D v + p = 1,  D v in L,  p >= 0
//
// (if loads differ widely, w is the load of the contact itself: units.c).
//
// The sign of the optimum is the verdict: s >= 0 gives forces, s < 0 a mechanism with f'v = p - s > 0. Both are checked by
// certificate.c, which alone decides. If no forces at all balance the load, the program ends with a ray, a mechanism.
#include <math.h>
#include <string.h>

#include "statics/certificate.h"

static const double TOLERANCE = 1e-12; // of the programs: they end where rounding ends them

static const double NO_MARGIN = 1e-8; // less is none

const char *vs_verdict_name(vs_verdict verdict) {
    static const char *const names[] = {"stands", "falls", "undecided"};
    return verdict >= VS_VERDICT_STANDS && verdict <= VS_VERDICT_UNDECIDED ? names[verdict] : "undecided";
}

// w e'D in a.
static void fill_margin_row(vs_statics *s) {
    memset(s->h, 0, (size_t)s->G.rows * sizeof *s->h);
    for (int g = 0; g + 1 < s->G.groups; g++)
        s->h[s->G.row[g]] = s->mean[g];
    memset(s->a, 0, (size_t)s->columns * sizeof *s->a);
    vs_rows_multiply_t_add(&s->G, -1, s->h, s->a);
    s->a[s->columns - 1] = 1;
}

vs_error vs_statics_find_margin(vs_statics *s, const double *load, double *z, double *x, double *margin,
                                int *iterations) {
    fill_margin_row(s);
    for (int k = 0; k < s->columns; k++)
        s->c[k] = -load[k];
    s->c[s->columns - 1] = 1;
    vs_program_result r;
    const vs_program_data data = {.c = s->c, .a = s->a, .b = 1};
    const vs_error error = vs_cone_program_solve(s->program, &data, TOLERANCE, &r);
    if (error)
        return error;
    *iterations += r.iterations;
    *margin = r.status == VS_PROGRAM_OPTIMAL ? -r.y : -(double)INFINITY;
    memcpy(x, r.x, (size_t)s->columns * sizeof *x);
    memcpy(z, r.z, (size_t)s->G.rows * sizeof *z);
    // Where some contacts cannot carry any force (two frictionless faces side by side) the margin is zero: z alone is inside.
    for (int g = 0; g + 1 < s->G.groups && r.status == VS_PROGRAM_OPTIMAL && fabs(*margin) > NO_MARGIN; g++)
        z[s->G.row[g]] += *margin * s->mean[g];
    return VS_OK;
}

// In the present units of force.
static vs_error decide(vs_statics *s, vs_statics_result *result) {
    *result = (vs_statics_result){.verdict = VS_VERDICT_UNDECIDED, .iterations = result->iterations};
    vs_error error = vs_statics_find_margin(s, s->load, s->z, s->x, &result->margin, &result->iterations);
    if (!error && isfinite(result->margin)) {
        error = vs_certify_forces(s, s->load, s->z, &result->forces);
        vs_statics_show_forces(s, s->z);
        result->forces.force = s->force;
        result->forces.joint = s->joint;
    }
    if (!error && result->forces.holds)
        result->verdict = VS_VERDICT_STANDS;
    if (error || result->forces.holds)
        return error;
    error = vs_certify_mechanism(s, s->load, s->x, &result->mechanism);
    vs_statics_show_mechanism(s, s->x);
    result->mechanism.velocity = s->velocity;
    result->mechanism.spin = s->spin;
    if (!error && result->mechanism.holds)
        result->verdict = VS_VERDICT_FALLS;
    return error;
}

vs_error vs_statics_decide(vs_statics *s, vs_statics_result *result) {
    *result = (vs_statics_result){.verdict = VS_VERDICT_UNDECIDED};
    vs_error error = vs_statics_check(s);
    if (error)
        return error;
    vs_statics_reset_units(s);
    error = decide(s, result);
    for (int k = 0; k < VS_STATICS_ADAPTIONS && !error && result->verdict == VS_VERDICT_UNDECIDED; k++) {
        if (!vs_statics_adapt_units(s, isfinite(result->margin) ? s->z : NULL))
            break;
        error = decide(s, result);
    }
    return error;
}

// Polygons inside of round faces prove that they stand, those around them that they fall.
vs_error vs_statics_solve(vs_statics *s, vs_statics_result *result) {
    if (!s || !result)
        return VS_ERROR_ARGUMENT;
    vs_error error = vs_statics_decide(s, result);
    if (error || !s->around || result->verdict == VS_VERDICT_STANDS)
        return error;
    vs_statics_result of_around;
    error = vs_statics_decide(s->around, &of_around);
    result->iterations += of_around.iterations;
    if (error)
        return error;
    result->between = result->verdict == VS_VERDICT_FALLS && of_around.verdict == VS_VERDICT_STANDS;
    result->verdict = of_around.verdict == VS_VERDICT_FALLS ? VS_VERDICT_FALLS : VS_VERDICT_UNDECIDED;
    if (of_around.mechanism.velocity)
        result->mechanism = of_around.mechanism;
    else
        result->mechanism.holds = false;
    return VS_OK;
}

vs_error vs_statics_find_range(vs_statics *s, int k, vs_vec3 direction, double range[2]) {
    if (!s || !range)
        return VS_ERROR_ARGUMENT;
    if (k < 0 || k >= s->interfaces.report.interfaces || !(vs_length(direction) > 0))
        return vs_fail(s->context, VS_ERROR_ARGUMENT,
                       "statics: a range needs an interface 0 to %d and a direction that is not zero",
                       s->interfaces.report.interfaces - 1);
    vs_error error = vs_statics_check(s);
    for (int end = 0; end < 2 && !error; end++) {
        const double sign = end == 0 ? 1 : -1;
        memset(s->h, 0, (size_t)s->G.rows * sizeof *s->h);
        vs_statics_add_component(s, k, vs_scale(sign, vs_normalize(direction)), s->h);
        for (int i = 0; i < s->columns; i++)
            s->c[i] = -s->load[i];
        s->c[s->columns - 1] = 1;
        vs_program_result r;
        const vs_program_data data = {.c = s->c, .h = s->h};
        error = vs_cone_program_solve(s->program, &data, TOLERANCE, &r);
        if (!error && r.status == VS_PROGRAM_RAY_X)
            error = vs_fail(s->context, VS_ERROR_DATA, "statics: no equilibrium exists, and so no range of a force");
        range[end] = error                          ? (double)NAN
                     : r.status == VS_PROGRAM_RAY_Z ? -sign * (double)INFINITY
                                                    : -sign * s->unit * r.dual;
        for (int c = 0; c < s->interfaces.list.data[k].corners; c++)
            range[end] -= s->pull[s->interfaces.list.data[k].first + c] *
                          vs_dot(s->interfaces.list.data[k].normal, vs_normalize(direction));
    }
    return error;
}
