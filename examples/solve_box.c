// A box on a plane, pushed sideways: one time step, four contacts, built and solved with the public API.
//
// The box (1 kg, at rest) is pushed with a fifth of its weight, less than friction (mu = 0.5) can resist. The expected
// result: no motion, normal impulses that carry the weight, friction impulses that balance the push.
#include <math.h>
#include <stdio.h>

#include <voussoir/voussoir.h>

static const double mass = 1.0, gravity = 9.81, step = 1.0 / 240; // kg, m/s^2, s
static const double half[3] = {0.5, 0.5, 0.25};                   // half the sides of the box, m

// The contact Jacobian D (3 x 6) at the arm r from the centre of mass: rows n = z, u = x, w = y,
// each [direction, r x direction].
static void contact_jacobian(const double r[3], double D[18]) {
    static const double axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int row = 0; row < 3; row++) {
        const double *a = axes[row];
        double *d = D + 6 * row;
        for (int k = 0; k < 3; k++) {
            d[k] = a[k];
            d[3 + k] = r[(k + 1) % 3] * a[(k + 2) % 3] - r[(k + 2) % 3] * a[(k + 1) % 3];
        }
    }
}

static vs_error add_contacts(vs_problem_builder *builder, int box) {
    vs_error error = VS_OK;
    for (int corner = 0; corner < 4 && error == VS_OK; corner++) {
        double r[3] = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1], -half[2]};
        double D[18];
        contact_jacobian(r, D);
        const double *jacobian[1] = {D};
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        contact.blocks = 1; // the plane does not move: it has no velocities
        contact.block = &box;
        contact.jacobian = jacobian;
        contact.mu = 0.5;
        error = vs_problem_builder_add_contact(builder, &contact, NULL);
    }
    return error;
}

static vs_error build(vs_context *context, vs_problem **problem) {
    vs_problem_builder *builder = NULL;
    vs_error error = vs_problem_builder_create(context, &builder);
    if (error != VS_OK)
        return error;

    // Mass and inertia of a solid box; c = -(M v_old + h f) with v_old = 0.
    double H[36] = {0}, c[6] = {-step * 0.2 * mass * gravity, 0, step * mass * gravity, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        double p = half[(k + 1) % 3], q = half[(k + 2) % 3];
        H[7 * k] = mass;
        H[7 * (k + 3)] = mass / 3 * (p * p + q * q);
    }
    int box;
    error = vs_problem_builder_add_block(builder, 6, H, c, &box);
    if (error == VS_OK)
        error = add_contacts(builder, box);
    if (error != VS_OK) {
        vs_problem_builder_destroy(builder);
        return error;
    }
    return vs_problem_builder_finish(builder, problem);
}

// Prints the impulses; true if they carry the weight and the push.
static bool report(const vs_result *result) {
    double sum[3] = {0, 0, 0};
    printf("%s after %d iterations, energy error %.1e J\n", result->status_text, result->iterations,
           result->measures.energy_error);
    for (int i = 0; i < 4; i++) {
        const double *l = result->lambda + 3 * i;
        printf("contact %d: normal %9.6f  friction %9.6f %9.6f N s\n", i, l[0], l[1], l[2]);
        for (int k = 0; k < 3; k++)
            sum[k] += l[k];
    }
    double weight = step * mass * gravity;
    printf("sum:       normal %9.6f (weight %9.6f)  friction %9.6f (push %9.6f)\n", sum[0], weight, sum[1],
           0.2 * weight);
    return result->status == VS_STATUS_CONVERGED && fabs(sum[0] - weight) < 1e-5 * weight &&
           fabs(sum[1] + 0.2 * weight) < 1e-5 * weight;
}

int main(void) {
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    vs_solver *solver = NULL;
    vs_result result;
    bool good = false;

    if (vs_context_create(NULL, &context) != VS_OK)
        return 2;
    vs_solver_options options = vs_solver_options_default();
    if (build(context, &problem) == VS_OK && vs_solver_create(problem, &options, &solver) == VS_OK &&
        vs_solver_solve(solver, &result) == VS_OK)
        good = report(&result);
    else
        fprintf(stderr, "solve_box: %s\n", vs_context_get_error_text(context));

    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return good ? 0 : 1;
}
