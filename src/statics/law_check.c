// Does Coulomb's law allow an assembly that has an equilibrium to move? One step from rest with the exact law,
//
//     H v = f + D'l,   0 <= l_n  complementary to  y_n + e a l_n >= 0,   friction opposite to the slip,   y = D v,
//
// where contacts have the compliance e a, a their inverse effective mass: without it, equilibria with forces that no motion
// creates (stones jammed against each other) would be solutions beside the moving one. A motion that stays as e decreases is
// one of the rigid assembly: the equilibrium exists, but it depends on how the forces arose. Two values of e tell.
#include <math.h>

#include "base/vector.h"
#include "statics/statics_data.h"
#include "voussoir/solver.h"

static const double COMPLIANCE[2] = {1e-5, 1e-7}; // e
static const double STAYS =
    .2; // the speed of compliant contacts decreases with e, that of a motion stays: more than this part

// Inertia of a block in the columns of G, diagonal blocks m and I/R^2.
static void fill_mass(const vs_block *b, double H[36]) {
    for (int k = 0; k < 36; k++)
        H[k] = 0;
    for (int i = 0; i < 3; i++) {
        H[7 * i] = b->mass;
        for (int j = 0; j < 3; j++)
            H[6 * (3 + i) + 3 + j] = b->inertia.a[3 * i + j] / (b->size * b->size);
    }
}

static vs_error add_blocks(const vs_statics *s, vs_problem_builder *builder) {
    vs_error error = VS_OK;
    for (int b = 0; b < s->blocks && !error; b++) {
        double H[36], c[6];
        fill_mass(&s->block[b], H);
        for (int k = 0; k < 6; k++)
            c[k] = -s->block[b].unit * s->load[6 * (int64_t)b + k];
        error = vs_problem_builder_add_block(builder, 6, H, c, NULL);
    }
    return error;
}

static vs_error add_contacts(const vs_statics *s, double compliance, vs_problem_builder *builder) {
    vs_error error = VS_OK;
    for (int c = 0; c < s->interfaces.report.contacts && !error; c++) {
        const int width = (int)(s->G.start[c + 1] - s->G.start[c]), rows = s->G.row[c + 1] - s->G.row[c];
        const double *x = s->G.x + s->G.value[c], mu = s->interfaces.list.data[s->of_contact[c]].mu;
        double D[2][18], a = 0;
        int block[2];
        const double *jacobian[2] = {D[0], D[1]};
        for (int k = 0; k < width; k++) {
            const int column = s->G.col[s->G.start[c] + k], b = column / 6, i = column % 6;
            block[k / 6] = b;
            for (int r = 0; r < rows; r++)
                D[k / 6][6 * r + k % 6] = -x[(int64_t)r * width + k] / (r == 0 ? 1 : mu);
            const vs_block *it = &s->block[b];
            a += x[k] * x[k] / (i < 3 ? it->mass : it->inertia.a[4 * (i - 3)] / (it->size * it->size));
        }
        vs_problem_contact_def def = vs_problem_contact_def_default();
        def.blocks = width / 6;
        def.block = block;
        def.jacobian = jacobian;
        def.mu = mu;
        def.frictionless = rows == 1;
        def.compliance = compliance * a;
        error = vs_problem_builder_add_contact(builder, &def, NULL);
    }
    return error;
}

static vs_error build(const vs_statics *s, double compliance, vs_problem **problem) {
    vs_problem_builder *builder;
    vs_error error = vs_problem_builder_create(s->context, &builder);
    if (error)
        return error;
    error = add_blocks(s, builder);
    if (!error)
        error = add_contacts(s, compliance, builder);
    if (!error)
        return vs_problem_builder_finish(builder, problem);
    vs_problem_builder_destroy(builder);
    return error;
}

// sqrt(v'H v / f'H^-1 f): 1 if all blocks move as if they were free.
static double speed_of(const vs_statics *s, const double *v) {
    double energy = 0, of_free = 0;
    for (int b = 0; b < s->blocks; b++) {
        const double *x = v + 6 * (int64_t)b, *f = s->load + 6 * (int64_t)b;
        const vs_mat3 *I = &s->block[b].inertia;
        const double R2 = s->block[b].size * s->block[b].size;
        const vs_vec3 w = {x[3], x[4], x[5]}, torque = {f[3], f[4], f[5]};
        energy += s->block[b].mass * vs_vector_dot(3, x, x) + vs_dot(w, vs_mat3_apply(I, w)) / R2;
        of_free += vs_vector_dot(3, f, f) / s->block[b].mass + vs_dot(torque, vs_mat3_solve(I, torque)) * R2;
    }
    return of_free > 0 ? sqrt(energy / of_free) / s->unit : 0;
}

static vs_error take_step(vs_statics *s, double compliance, vs_law_check *check) {
    vs_problem *problem = NULL;
    vs_solver *solver = NULL;
    vs_solver_options options = vs_solver_options_default();
    vs_result result = {0};
    options.tolerance = 1e-9;
    vs_error error = build(s, compliance, &problem);
    if (!error)
        error = vs_solver_create(problem, &options, &solver);
    if (!error)
        error = vs_solver_solve(solver, &result);
    if (!error) {
        check->decided = result.status == VS_STATUS_CONVERGED;
        check->speed = speed_of(s, result.v);
        check->error = result.measures.relative_error;
        vs_statics_show_mechanism(s, result.v);
    }
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    return error;
}

vs_error vs_statics_check_law(vs_statics *s, vs_law_check *check) {
    if (!s || !check)
        return VS_ERROR_ARGUMENT;
    vs_law_check softer = {.decided = false};
    vs_statics_reset_units(s);
    *check = (vs_law_check){.speed = (double)NAN};
    vs_error error = vs_statics_check(s);
    if (!error && (s->joints > 0 || s->bonded))
        error = vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                        "statics: the exact law is checked for dry contacts only, without joints and mortar");
    if (!error)
        error = take_step(s, COMPLIANCE[0], &softer);
    if (!error)
        error = take_step(s, COMPLIANCE[1], check);
    if (error)
        return error;
    check->decided = check->decided && softer.decided;
    check->moves = check->decided && check->speed > STAYS * softer.speed;
    check->velocity = s->velocity;
    check->spin = s->spin;
    return VS_OK;
}
