// starts [PILE] [--repeat 1]
//
// Starting points and warm starts, counted in iterations, over steps of a body or a pile:
//
//     cold     Nocedal, D'Apuzzo, least squares
//     partial  velocities of the previous step; full: velocities and impulses of the previous step
//
// A next step keeps contacts and masses, and takes the velocities v of the previous step as old ones (h = 0.01 s):
//
//     c   <- -(H v + h f)        f: gravity on the third velocity of every six
//     b_n <- b_n - (D v)_n       the gap Phi/h = -b_n changes by the motion
//
// Every variant walks the same steps: v is that of a cold reference solve. Rotation of the contact points is neglected.
// The box and the ball stand on the ground; the pile (a file whose c contains only old velocities and gravity)
// does not.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "problem/problem_data.h"

static const double STEP = 0.01, GRAVITY = 9.81; // s, m/s^2

typedef struct variant {
    const char *name;
    vs_start start;
    vs_warm_start warm;
    bool warmed;
} variant;

static const variant variants[] = {
    {"Nocedal", VS_START_NOCEDAL, VS_WARM_START_FULL, false},
    {"D'Apuzzo", VS_START_DAPUZZO, VS_WARM_START_FULL, false},
    {"least squares", VS_START_LEAST_SQUARES, VS_WARM_START_FULL, false},
    {"partial", VS_START_AUTO, VS_WARM_START_PARTIAL, true},
    {"full", VS_START_AUTO, VS_WARM_START_FULL, true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

// ---- problems --------------------------------------------------------------------------------------

// A body of 1 kg on the ground, touching it at these points relative to its centre (points x 3, m).
static vs_error make_body(vs_context *context, const double *inertia, int points, const double *point,
                          vs_problem **problem) {
    vs_problem_builder *builder;
    vs_error error = vs_problem_builder_create(context, &builder);
    if (error)
        return error;
    double H[36] = {0}, c[6] = {0, 0, GRAVITY * STEP, 0, 0, 0};
    for (int k = 0; k < 6; k++)
        H[7 * k] = k < 3 ? 1 : inertia[k - 3];
    vs_problem_builder_add_block(builder, 6, H, c, NULL);
    for (int i = 0; i < points; i++) {
        const double *r = point + 3 * i;
        // rows n = z, u = x, w = y: axis', (r x axis)'
        double D[18] = {0, 0, 1, r[1], -r[0], 0, 1, 0, 0, 0, r[2], -r[1], 0, 1, 0, -r[2], 0, r[0]};
        const double *jacobian[] = {D};
        int block[] = {0};
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        contact.blocks = 1;
        contact.block = block;
        contact.jacobian = jacobian;
        contact.mu = 0.3;
        vs_problem_builder_add_contact(builder, &contact, NULL);
    }
    return vs_problem_builder_finish(builder, problem);
}

static vs_error make_box(vs_context *context, vs_problem **problem) {
    const double a = .1, b = .05, c = .025; // half edges, m
    const double inertia[] = {(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3};
    const double point[] = {a, b, -c, -a, b, -c, -a, -b, -c, a, -b, -c};
    return make_body(context, inertia, 4, point, problem);
}

static vs_error make_ball(vs_context *context, vs_problem **problem) {
    const double r = .1, inertia[] = {.4 * r * r, .4 * r * r, .4 * r * r}, point[] = {0, 0, -r};
    return make_body(context, inertia, 1, point, problem);
}

// The next step's c and b, in place; velocity (m) is work.
static void advance(vs_problem *problem, const double *v, double *velocity) {
    vs_rows_multiply(&problem->D, 1, v, 0, velocity, problem->context);
    for (int i = 0; i < problem->contacts; i++)
        problem->b[problem->row[i]] -= velocity[problem->row[i]];
    vs_sparse_multiply(&problem->H, -1, v, 0, problem->c);
    for (int j = 2; j < problem->n; j += 6)
        for (int64_t t = problem->H.p[j]; t < problem->H.p[j + 1]; t++)
            problem->c[problem->H.i[t]] += problem->H.x[t] * GRAVITY * STEP;
}

// ---- solving ---------------------------------------------------------------------------------------

typedef struct walk_counts {
    int steps;
    int second[VARIANTS]; // iterations of the second step
    int all[VARIANTS];    // iterations of all steps
    int failed[VARIANTS]; // steps that did not meet the tolerance
} walk_counts;

typedef struct solution {
    bool any;
    double *v, *lambda; // (n), (m)
} solution;

static vs_error solve_variant(const vs_problem *problem, const variant *kind, const solution *before, vs_result *result,
                              vs_solver **solver) {
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_RELAXED;
    options.ipm.start = kind->start;
    options.warm_start = kind->warm;
    vs_error error = vs_solver_create(problem, &options, solver);
    if (!error && kind->warmed && before->any)
        error =
            vs_solver_warm_start(*solver, before->v, NULL, kind->warm == VS_WARM_START_FULL ? before->lambda : NULL);
    return error ? error : vs_solver_solve(*solver, result);
}

// Solves one step by every variant; `before` becomes its solution by the last cold variant.
static vs_error solve_step(const vs_problem *problem, int step, solution *before, walk_counts *walk) {
    vs_solver *reference = NULL;
    vs_result answer = {0};
    vs_error error = VS_OK;
    for (int k = 0; k < VARIANTS && !error; k++) {
        vs_solver *solver = NULL;
        vs_result result = {0};
        error = solve_variant(problem, variants + k, before, &result, &solver);
        walk->all[k] += result.iterations;
        walk->failed[k] += error || result.status != VS_STATUS_CONVERGED;
        if (step == 1)
            walk->second[k] = result.iterations;
        if (variants[k].start == VS_START_LEAST_SQUARES) {
            reference = solver;
            answer = result;
        } else {
            vs_solver_destroy(solver);
        }
    }
    if (!error) {
        memcpy(before->v, answer.v, sizeof(double) * (size_t)problem->n);
        memcpy(before->lambda, answer.lambda, sizeof(double) * (size_t)problem->m);
        before->any = true;
    }
    vs_solver_destroy(reference);
    return error;
}

static vs_error walk_steps(vs_problem *problem, walk_counts *walk) {
    solution before = {.v = calloc((size_t)problem->n + 1, sizeof(double)),
                       .lambda = calloc((size_t)problem->m + 1, sizeof(double))};
    double *velocity = calloc((size_t)problem->m + 1, sizeof *velocity);
    vs_error error = before.v && before.lambda && velocity ? VS_OK : VS_ERROR_MEMORY;
    for (int step = 0; step < walk->steps && !error; step++) {
        error = solve_step(problem, step, &before, walk);
        if (!error)
            advance(problem, before.v, velocity);
    }
    free(before.v);
    free(before.lambda);
    free(velocity);
    return error;
}

static void print_walk(const char *name, const walk_counts *walk) {
    printf("| %s, the second step |", name);
    for (int k = 0; k < VARIANTS; k++)
        printf(" %d |", walk->second[k]);
    printf("\n| %s, %d steps together |", name, walk->steps);
    for (int k = 0; k < VARIANTS; k++) {
        printf(" %d", walk->all[k]);
        if (walk->failed[k] > 0)
            printf(" (%d not converged)", walk->failed[k]);
        printf(" |");
    }
    printf("\n");
}

static bool run(const char *name, vs_context *context, vs_problem *problem, int steps) {
    walk_counts walk = {.steps = steps};
    vs_error error = walk_steps(problem, &walk);
    if (error)
        (void)fprintf(stderr, "%s: %s\n", name, vs_context_get_error_text(context));
    else
        print_walk(name, &walk);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return !error;
}

int main(int argc, char **argv) {
    bench_arguments arguments = {.repeat = 1};
    if (argc > 1 && !bench_parse(argc, argv, 1, &arguments))
        return 1;
    bench_print_head("Starting points and warm starts: iterations", &arguments);
    printf("| problem |");
    for (int k = 0; k < VARIANTS; k++)
        printf(" %s |", variants[k].name);
    printf("\n|---|---|---|---|---|---|\n");

    bool good = true;
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    if (!vs_context_create(NULL, &context) && !make_box(context, &problem))
        good = run("box at rest", context, problem, 100) && good;
    if (!vs_context_create(NULL, &context) && !make_ball(context, &problem))
        good = run("ball at rest", context, problem, 100) && good;
    for (int k = 0; k < arguments.files; k++)
        good = bench_read(arguments.file[k], &context, &problem) &&
               run(bench_base_name(arguments.file[k]), context, problem, 10) && good;
    return good ? 0 : 2;
}
