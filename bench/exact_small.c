// exact_small [SCENE WHAT START] [--calls 10000]
//
// Cost of the smallest problems with exact friction to 1e-8: a box on a plane (four contacts) and a sphere (one), both
// sliding. Microseconds and allocations per call, least of five rounds:
//
//     solve   vs_solver_solve() of the same problem again and again
//     update  vs_solver_update() and vs_solver_solve(), two slightly different problems in turn
//     cold    without a starting point; warm: from the previous solution (update: of the other problem)
//
// With SCENE (box, sphere), WHAT (solve, update) and START (cold, warm) only that one runs, once: for exact_small.sh,
// which counts its instructions. It prints one line; a solve that does not converge is an error.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const double STEP = 0.01, GRAVITY = 9.81; // s, m/s^2

typedef struct counter {
    long calls;
} counter;

static void *allocate(void *user, size_t bytes) {
    ((counter *)user)->calls++;
    return malloc(bytes);
}

static void release(void *user, void *memory) {
    (void)user;
    free(memory);
}

// ---- scenes --------------------------------------------------------------------------------------------

typedef struct body_def {
    double mass, inertia[3]; // kg, kg m^2
    int points;
    const double *point; // (points x 3) of contact, from the centre, m
    double mu, v[6];     // free velocity, m/s, 1/s
} body_def;

static vs_error make_body(vs_context *context, const body_def *def, vs_problem **problem) {
    vs_problem_builder *builder;
    vs_error error = vs_problem_builder_create(context, &builder);
    if (error)
        return error;
    double H[36] = {0}, c[6];
    for (int k = 0; k < 6; k++) {
        H[7 * k] = k < 3 ? def->mass : def->inertia[k - 3];
        c[k] = -H[7 * k] * def->v[k];
    }
    vs_problem_builder_add_block(builder, 6, H, c, NULL);
    for (int i = 0; i < def->points; i++) {
        const double *r = def->point + 3 * i;
        // rows n = z, u = x, w = y: axis', (r x axis)'
        double D[18] = {0, 0, 1, r[1], -r[0], 0, 1, 0, 0, 0, r[2], -r[1], 0, 1, 0, -r[2], 0, r[0]};
        const double *jacobian[] = {D};
        int block[] = {0};
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        contact.blocks = 1;
        contact.block = block;
        contact.jacobian = jacobian;
        contact.mu = def->mu;
        vs_problem_builder_add_contact(builder, &contact, NULL);
    }
    return vs_problem_builder_finish(builder, problem);
}

// Sliding and turning a little; `other`: 0.1 % faster and in a direction that differs by 0.2 degrees.
static vs_error make_scene(vs_context *context, bool box, bool other, vs_problem **problem) {
    const double a = .1, b = .05, c = .025, r = .1; // half edges, radius; m
    const double corner[] = {a, b, -c, -a, b, -c, -a, -b, -c, a, -b, -c}, below[] = {0, 0, -r};
    const double faster = other ? 1.001 : 1, v0 = .5 * faster;
    body_def def = {.mass = 1, .mu = .3, .v = {v0, (other ? .204 : .2) * v0, -GRAVITY * STEP, 0, 0, .5 * v0}};
    if (box) {
        const double inertia[] = {(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3};
        memcpy(def.inertia, inertia, sizeof inertia);
        def.points = 4, def.point = corner;
    } else {
        def.inertia[0] = def.inertia[1] = def.inertia[2] = .4 * r * r;
        def.points = 1, def.point = below;
    }
    return make_body(context, &def, problem);
}

// ---- measuring -----------------------------------------------------------------------------------------

typedef struct variant {
    bool box, update, warm;
} variant;

typedef struct cost {
    double seconds;     // of all calls
    long allocations;   // of all calls
    long iterations;    // of all calls
    int factorizations; // of the last call
} cost;

typedef struct solution {
    double v[6], lambda[12];
} solution;

// Each problem's solution by a solver of its own: outside the timed loop.
static vs_error solve_once(const vs_problem *problem, const vs_solver_options *options, solution *s) {
    vs_solver *solver = NULL;
    vs_result result;
    vs_error error = vs_solver_create(problem, options, &solver);
    if (!error)
        error = vs_solver_solve(solver, &result);
    if (!error) {
        memcpy(s->v, result.v, sizeof s->v);
        memcpy(s->lambda, result.lambda, sizeof(double) * (size_t)vs_problem_get_info(problem).m);
    }
    vs_solver_destroy(solver);
    return error;
}

static vs_error run_calls(vs_solver *solver, vs_problem *const problem[2], const solution solved[2], variant kind,
                          int calls, const counter *memory, cost *sum) {
    vs_error error = VS_OK;
    long before = memory->calls;
    bench_time begin = bench_now();
    for (int k = 0; k < calls && !error; k++) {
        const int now = kind.update ? k % 2 : 0, last = kind.update ? 1 - now : 0;
        vs_result result;
        if (kind.update)
            error = vs_solver_update(solver, problem[now]);
        if (!error && kind.warm)
            error = vs_solver_warm_start(solver, solved[last].v, NULL, solved[last].lambda);
        if (!error)
            error = vs_solver_solve(solver, &result);
        if (!error && result.status != VS_STATUS_CONVERGED) {
            (void)fprintf(stderr, "exact_small: %s\n", result.status_text);
            error = VS_ERROR_UNSUPPORTED;
        }
        if (!error) {
            sum->iterations += result.iterations;
            sum->factorizations = result.factorizations;
        }
    }
    sum->seconds = bench_since(begin).processor;
    sum->allocations = memory->calls - before;
    return error;
}

// `rounds` times `calls`; the fastest round.
static vs_error measure(variant kind, int calls, int rounds, cost *least) {
    counter memory = {0};
    vs_context_def def = vs_context_def_default();
    def.allocate = allocate, def.release = release, def.allocator_user = &memory;
    vs_context *context = NULL;
    vs_problem *problem[2] = {NULL, NULL};
    vs_solver *solver = NULL;
    solution solved[2] = {0};
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_EXACT;
    options.tolerance = 1e-8;
    vs_error error = vs_context_create(&def, &context);
    for (int k = 0; k < 2 && !error; k++) {
        error = make_scene(context, kind.box, k == 1, &problem[k]);
        if (!error && kind.warm)
            error = solve_once(problem[k], &options, &solved[k]);
    }
    if (!error)
        error = vs_solver_create(problem[0], &options, &solver);
    for (int k = 0; k < rounds && !error; k++) {
        cost now = {0};
        error = run_calls(solver, problem, solved, kind, calls, &memory, &now);
        if (k == 0 || now.seconds < least->seconds)
            *least = now;
    }
    if (error)
        (void)fprintf(stderr, "exact_small: %s\n", context ? vs_context_get_error_text(context) : vs_error_name(error));
    vs_solver_destroy(solver);
    vs_problem_destroy(problem[0]);
    vs_problem_destroy(problem[1]);
    vs_context_destroy(context);
    return error;
}

static bool print_variant(variant kind, int calls, int rounds) {
    cost least = {0};
    if (measure(kind, calls, rounds, &least))
        return false;
    printf("| %s | %s | %s | %.2f | %.3g | %.3g | %d |\n", kind.box ? "box, 4 contacts" : "sphere, 1 contact",
           kind.update ? "update + solve" : "solve", kind.warm ? "warm" : "cold", 1e6 * least.seconds / calls,
           (double)least.allocations / calls, (double)least.iterations / calls, least.factorizations);
    return true;
}

static bool read_variant(char **word, variant *kind) {
    *kind = (variant){!strcmp(word[0], "box"), !strcmp(word[1], "update"), !strcmp(word[2], "warm")};
    return (kind->box || !strcmp(word[0], "sphere")) && (kind->update || !strcmp(word[1], "solve")) &&
           (kind->warm || !strcmp(word[2], "cold"));
}

int main(int argc, char **argv) {
    int calls = 10000, words = argc - 1;
    if (words >= 2 && !strcmp(argc > 2 ? argv[words - 1] : "", "--calls")) {
        calls = atoi(argv[words]);
        words -= 2;
    }
    variant one;
    if (calls < 1 || (words != 0 && (words != 3 || !read_variant(argv + 1, &one)))) {
        (void)fprintf(stderr, "exact_small [box|sphere solve|update cold|warm] [--calls N]\n");
        return 1;
    }
    if (words == 3)
        return print_variant(one, calls, 1) ? 0 : 2;
    printf("# Exact friction, the smallest problems, 1e-8, %d calls\n\n", calls);
    printf("| problem | call | start | microseconds | allocations | iterations | factorizations |\n"
           "|---|---|---|---|---|---|---|\n");
    bool good = true;
    for (int k = 0; k < 8; k++)
        good = print_variant((variant){k < 4, (k & 2) != 0, (k & 1) != 0}, calls, 5) && good;
    return good ? 0 : 2;
}
