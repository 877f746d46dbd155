// Timing of a bare backend; see bare.h.
#include "bare.h"

#include <stdlib.h>
#include <string.h>

#include "linalg/blas.h"

struct bench_bare {
    const bench_direct *direct; // null: through the backend's functions
    void *state;                // of the direct backend
    vs_linear_solver *solver;   // otherwise
    vs_context *context;
    const vs_linear_backend *backend;
    const vs_linear_pattern *pattern;
    double *right, *x; // (n) a right-hand side; its solution
};

static const bench_direct *direct_of(const char *name) {
#ifdef BENCH_MUMPS
    if (strcmp(name, "mumps") == 0)
        return &bench_direct_mumps;
    if (strcmp(name, "mumps-single") == 0)
        return &bench_direct_mumps_single;
#endif
    (void)name;
    return NULL;
}

bench_bare *bench_bare_create(vs_context *context, const vs_linear_backend *backend, const vs_linear_pattern *pattern) {
    bench_bare *bare = calloc(1, sizeof *bare);
    if (!bare)
        return NULL;
    *bare = (bench_bare){.context = context, .backend = backend, .pattern = pattern};
    bare->direct = direct_of(backend->name);
    bare->right = malloc(sizeof(double) * (size_t)pattern->n);
    bare->x = malloc(sizeof(double) * (size_t)pattern->n);
    if (bare->direct)
        bare->state = bare->direct->create(context, pattern);
    if (!bare->right || !bare->x || (bare->direct && !bare->state)) {
        bench_bare_destroy(bare);
        return NULL;
    }
    for (int k = 0; k < pattern->n; k++)
        bare->right[k] = 1 + .5 * ((k * 37) % 11 - 5);
    vs_blas_single_thread();
    return bare;
}

void bench_bare_destroy(bench_bare *bare) {
    if (!bare)
        return;
    if (bare->state)
        bare->direct->destroy(bare->state);
    vs_linear_solver_destroy(bare->solver);
    free(bare->right);
    free(bare->x);
    free(bare);
}

void *bench_bare_values(const bench_bare *bare, const double *x) {
    size_t count = (size_t)bare->pattern->p[bare->pattern->n];
    bool single = bare->direct && bare->direct->real == sizeof(float);
    void *values = malloc(count * (single ? sizeof(float) : sizeof(double)));
    for (size_t k = 0; values && k < count && single; k++)
        ((float *)values)[k] = (float)x[k];
    if (values && !single)
        memcpy(values, x, count * sizeof(double));
    return values;
}

bool bench_bare_analyse(bench_bare *bare, bench_time *time) {
    bench_time begin = bench_now();
    bool good = bare->direct ? bare->direct->analyse(bare->state)
                             : !vs_linear_solver_create(bare->context, bare->backend, bare->pattern, &bare->solver);
    bench_add(time, bench_since(begin));
    return good;
}

bool bench_bare_factor(bench_bare *bare, void *values, bench_time *time) {
    bench_time begin = bench_now();
    bool good = bare->direct ? bare->direct->factor(bare->state, values) : !bare->backend->factor(bare->solver, values);
    bench_add(time, bench_since(begin));
    return good;
}

bool bench_bare_solve(bench_bare *bare, int64_t count, bench_time *time) {
    bench_time begin = bench_now();
    bool good = true;
    for (int64_t k = 0; k < count && good; k++) {
        if (bare->direct) {
            good = bare->direct->solve(bare->state, bare->right);
        } else {
            memcpy(bare->x, bare->right, sizeof(double) * (size_t)bare->pattern->n);
            good = !bare->backend->solve(bare->solver, bare->x);
        }
    }
    bench_add(time, bench_since(begin));
    return good;
}

int64_t bench_bare_fill(const bench_bare *bare) {
    return bare->direct ? bare->direct->fill(bare->state) : bare->solver->report.fill;
}
