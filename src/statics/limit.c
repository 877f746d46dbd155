// Limit analysis: the largest factor of a live load that an assembly can carry beside its dead load,
//
//     maximise  lam      subject to  D'l + f_d + lam f_l = 0,  l in K       (static theorem)
//     minimise  -f_d'v   subject to  f_l'v = 1,  D v in K*                  (kinematic theorem)
//
// by one cone program. Its solutions are turned into two proved bounds:
//
//     lower   forces at the factor (1 - e) lam: the optimal ones mixed with a part e of forces well inside their cones
//     upper   -f_d'v / f_l'v of a mechanism v that was mended until D v is in K*
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "statics/certificate.h"

static const double TOLERANCE = 1e-12;
static const double AGREE = 1e-5;         // width of the bounds of a factor that was found, relative to it
static const double ROUND_AGREE = 2.5e-3; // the same of round faces, whose polygons are 0.24 % apart
static const double NOTHING = 1e-9;       // of a block's own load: a live load below it is none
enum { MIXES = 12 };                      // e = 0, 1e-14, 1e-13, …

// ---- the live load -----------------------------------------------------------------------------------

static vs_error check_vector(const vs_statics *s, vs_vec3 v, const char *name) {
    const double length = vs_length(v);
    return length > 0 && isfinite(length)
               ? VS_OK
               : vs_fail(s->context, VS_ERROR_ARGUMENT, "limit: %s must be finite and not zero", name);
}

void vs_statics_clear_live_load(vs_statics *s) {
    if (s)
        memset(s->live, 0, (size_t)s->columns * sizeof *s->live);
    if (s)
        s->live_weight = VS_ZERO3;
    if (s && s->around)
        vs_statics_clear_live_load(s->around);
}

vs_error vs_statics_add_live_weight(vs_statics *s, vs_vec3 direction) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    vs_error error = check_vector(s, direction, "the direction");
    if (!error && !(vs_length(s->gravity) > 0))
        error = vs_fail(s->context, VS_ERROR_DATA, "limit: without gravity the blocks have no weight");
    const vs_vec3 d = vs_scale(vs_length(s->gravity), vs_normalize(direction));
    for (int b = 0; b < s->blocks && !error; b++)
        vs_statics_add_load(s, b, vs_scale(s->block[b].mass, d), VS_ZERO3, s->live);
    if (!error)
        s->live_weight = vs_add(s->live_weight, d);
    return !error && s->around ? vs_statics_add_live_weight(s->around, direction) : error;
}

vs_error vs_statics_add_live_force(vs_statics *s, vs_body_id body, vs_vec3 force, const vs_vec3 *point) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    const int block = vs_statics_find_block(s, body);
    if (block < 0)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "limit: the body of a live load must be dynamic");
    const vs_error error = check_vector(s, force, "the force");
    if (error)
        return error;
    const vs_vec3 arm = point ? vs_subtract(*point, s->block[block].centre) : VS_ZERO3;
    vs_statics_add_load(s, block, force, vs_cross(arm, force), s->live);
    return s->around ? vs_statics_add_live_force(s->around, body, force, point) : VS_OK;
}

// ---- bounds ------------------------------------------------------------------------------------------

const char *vs_limit_status_name(vs_limit_status status) {
    static const char *const names[] = {"found", "unbounded", "falls", "undecided"};
    return status >= VS_LIMIT_FOUND && status <= VS_LIMIT_UNDECIDED ? names[status] : "undecided";
}

// z (rows) is optimal at lam; s->inner holds forces of the dead load alone.
static vs_error find_lower(vs_statics *s, double lam, const double *z, vs_limit_result *result) {
    double part = 0;
    vs_error error = VS_OK;
    for (int k = 0; k < MIXES && !error && !result->forces.holds; k++) {
        for (int r = 0; r < s->G.rows; r++)
            s->z[r] = (1 - part) * z[r] + part * s->inner[r];
        for (int c = 0; c < s->columns; c++)
            s->total[c] = s->load[c] + (1 - part) * lam * s->live[c];
        error = vs_certify_forces(s, s->total, s->z, &result->forces);
        result->lower = result->forces.holds ? (1 - part) * lam : -(double)INFINITY;
        part = part > 0 ? 10 * part : 1e-14;
    }
    if (!error && result->forces.holds) {
        vs_statics_show_forces(s, s->z);
        result->forces.force = s->force;
        result->forces.joint = s->joint;
    }
    return error;
}

static vs_error find_upper(vs_statics *s, vs_limit_result *result) {
    double violation;
    const vs_error error = vs_mend_mechanism(s, s->x, &violation);
    if (error)
        return error;
    vs_mechanism *m = &result->mechanism;
    const double top = vs_statics_top_speed(s, s->x);
    const double dead = vs_certify_power(s, s->load, s->x), live = vs_certify_power(s, s->live, s->x);
    const double weight = s->weight / s->unit;
    m->exact = !(violation > 0);
    m->violation = m->exact ? 0 : violation / top;
    m->power = s->unit * live / top;
    m->reach = m->exact ? (double)INFINITY : VS_CERTIFICATE_REACH;
    // Not exact: the bound is raised until forces below the reach cannot hold.
    result->upper = live > 0 ? (-dead + (m->exact ? 0 : m->reach * violation * weight)) / live : (double)INFINITY;
    m->holds = isfinite(result->upper);
    vs_statics_show_mechanism(s, s->x);
    m->velocity = s->velocity;
    m->spin = s->spin;
    return VS_OK;
}

// ---- the program -------------------------------------------------------------------------------------

// Dead load alone: forces well inside their cones, or a mechanism.
static vs_error try_dead_load(vs_statics *s, vs_limit_result *result) {
    vs_statics_result dead;
    const vs_error error = vs_statics_decide(s, &dead);
    result->iterations += error ? 0 : dead.iterations;
    if (error)
        return error;
    memcpy(s->inner, s->z, (size_t)s->G.rows * sizeof *s->z);
    if (dead.verdict == VS_VERDICT_FALLS) {
        result->status = VS_LIMIT_FALLS;
        result->factor = result->lower = result->upper = -(double)INFINITY;
        result->mechanism = dead.mechanism;
    }
    return VS_OK;
}

// A ray of forces that carries the live load alone: any factor is possible.
static vs_error try_ray(vs_statics *s, const double *z, vs_limit_result *result) {
    memcpy(s->z, z, (size_t)s->G.rows * sizeof *z);
    const vs_error error = vs_certify_forces(s, s->live, s->z, &result->forces);
    if (error || !result->forces.holds)
        return error;
    result->status = VS_LIMIT_UNBOUNDED;
    result->factor = result->lower = result->upper = (double)INFINITY;
    vs_statics_show_forces(s, s->z);
    result->forces.force = s->force;
    result->forces.joint = s->joint;
    return VS_OK;
}

// Are the bounds close enough, relative to the factor? A ball on a floor carries no load across: there, to the load of the
// lightest block that bears the live load, so that no other one counts.
static bool bounds_agree(const vs_statics *s, const vs_limit_result *result, double share) {
    const double width = result->upper - result->lower;
    double least = (double)INFINITY;
    for (int b = 0; b < s->blocks; b++) {
        const double live = vs_vector_norm(6, s->live + 6 * (int64_t)b);
        if (live > 0)
            least = fmin(least, vs_vector_norm(6, s->load + 6 * (int64_t)b) / live);
    }
    return result->forces.holds && result->mechanism.holds &&
           width <= fmax(share * fabs(result->factor), isfinite(least) ? NOTHING * least : 0);
}

static vs_error find_factor(vs_statics *s, vs_limit_result *result) {
    for (int k = 0; k < s->columns; k++)
        s->c[k] = -s->load[k];
    s->c[s->columns - 1] = 1;
    vs_program_result r;
    const vs_program_data data = {.c = s->c, .a = s->live, .b = 1};
    vs_error error = vs_cone_program_solve(s->program, &data, TOLERANCE, &r);
    if (error)
        return error;
    result->iterations += r.iterations;
    if (r.status == VS_PROGRAM_RAY_Z)
        return try_ray(s, r.z, result);
    if (r.status != VS_PROGRAM_OPTIMAL)
        return VS_OK;
    result->factor = -r.y;
    memcpy(s->optimal, r.z, (size_t)s->G.rows * sizeof *r.z);
    memcpy(s->x, r.x, (size_t)s->columns * sizeof *r.x);
    error = find_lower(s, result->factor, s->optimal, result);
    if (!error)
        error = find_upper(s, result);
    // Forces are exact up to their residual, the mechanism beyond that: where both meet, the lower bound gives way.
    if (!error && result->lower > result->upper)
        result->lower = result->upper - VS_CERTIFICATE_RESIDUAL * fabs(result->upper);
    if (!error && bounds_agree(s, result, AGREE))
        result->status = VS_LIMIT_FOUND;
    return error;
}

static vs_limit_result no_limit(int iterations) {
    return (vs_limit_result){.status = VS_LIMIT_UNDECIDED,
                             .factor = (double)NAN,
                             .lower = -(double)INFINITY,
                             .upper = (double)INFINITY,
                             .iterations = iterations};
}

// In other units of force, in which forces of the dead load alone are needed again.
static vs_error find_again(vs_statics *s, vs_limit_result *result) {
    double margin;
    *result = no_limit(result->iterations);
    vs_error error = vs_statics_find_margin(s, s->load, s->inner, s->x, &margin, &result->iterations);
    if (!error)
        error = find_factor(s, result);
    return error;
}

// The limit of these polygons alone.
static vs_error find_one(vs_statics *s, vs_limit_result *result) {
    *result = no_limit(0);
    vs_error error = try_dead_load(s, result);
    if (!error && result->status == VS_LIMIT_UNDECIDED)
        error = find_factor(s, result);
    for (int k = 0; k < VS_STATICS_ADAPTIONS && !error && result->status == VS_LIMIT_UNDECIDED; k++) {
        if (!vs_statics_adapt_units(s, isfinite(result->factor) ? s->optimal : NULL))
            break;
        error = find_again(s, result);
    }
    return error;
}

// The lower bound of polygons inside of round faces and the upper one of those around them.
static void join(const vs_statics *s, const vs_limit_result *around, vs_limit_result *result) {
    result->iterations += around->iterations;
    if (result->status == VS_LIMIT_UNBOUNDED)
        return;
    if (around->status == VS_LIMIT_FALLS || result->status == VS_LIMIT_FALLS)
        result->status = around->status == VS_LIMIT_FALLS ? VS_LIMIT_FALLS : VS_LIMIT_UNDECIDED;
    result->upper = around->upper;
    result->mechanism = around->mechanism;
    if (!isfinite(result->factor))
        result->factor = around->factor;
    if (result->status == VS_LIMIT_FALLS)
        return;
    result->status = bounds_agree(s, result, ROUND_AGREE) ? VS_LIMIT_FOUND : VS_LIMIT_UNDECIDED;
}

vs_error vs_statics_find_limit(vs_statics *s, vs_limit_result *result) {
    if (!s || !result)
        return VS_ERROR_ARGUMENT;
    *result = no_limit(0);
    if (!(vs_vector_norm(s->columns, s->live) > 0))
        return vs_fail(s->context, VS_ERROR_DATA, "limit: there is no live load; add one before");
    vs_limit_result around;
    vs_error error = find_one(s, result);
    if (error || !s->around)
        return error;
    error = find_one(s->around, &around);
    if (!error)
        join(s, &around, result);
    return error;
}
