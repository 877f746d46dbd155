// Anderson acceleration by normal equations, a new row of dF'dF each step: see anderson.h.
#include "solver/impulse/anderson.h"

#include <string.h>

#include "linalg/dense.h"

// Of the trace of dF'dF, added to its diagonal: steps that are nearly dependent count once.
static const double REGULARIZATION = 1e-11;

vs_error vs_anderson_create(vs_anderson *a, int size, int memory, vs_arena *arena) {
    *a = (vs_anderson){.size = size, .memory = memory < VS_ANDERSON_MOST ? memory : VS_ANDERSON_MOST};
    a->dW = VS_NEW(arena, double, (int64_t)a->memory *size);
    a->dF = VS_NEW(arena, double, (int64_t)a->memory *size);
    a->w = VS_NEW(arena, double, size);
    a->f = VS_NEW(arena, double, size);
    return a->dW && a->dF && a->w && a->f ? VS_OK : VS_ERROR_MEMORY;
}

void vs_anderson_forget(vs_anderson *a) {
    a->count = 0;
    a->begun = false;
}

static double dot(int count, const double *x, const double *y) {
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += x[k] * y[k];
    return sum;
}

// Remembers the step to (w, f).
static void remember(vs_anderson *a, const double *w, const double *f) {
    int at = (int)(a->count % a->memory);
    double *dW = a->dW + (int64_t)at * a->size, *dF = a->dF + (int64_t)at * a->size;
    for (int k = 0; k < a->size; k++) {
        dW[k] = w[k] - a->w[k];
        dF[k] = f[k] - a->f[k];
    }
    a->count++;
    int kept = a->count < a->memory ? (int)a->count : a->memory;
    for (int j = 0; j < kept; j++)
        a->gram[at * VS_ANDERSON_MOST + j] = a->gram[j * VS_ANDERSON_MOST + at] =
            dot(a->size, dF, a->dF + (int64_t)j * a->size);
}

// gamma (n) <- (gram + regularization)^-1 gamma by Cholesky; false if that fails.
static bool solve_normal(const vs_anderson *a, int n, double *gamma) {
    double L[VS_ANDERSON_MOST * VS_ANDERSON_MOST], trace = 0;
    for (int i = 0; i < n; i++)
        trace += a->gram[i * VS_ANDERSON_MOST + i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            L[i * VS_ANDERSON_MOST + j] = a->gram[i * VS_ANDERSON_MOST + j] + (i == j ? REGULARIZATION * trace : 0);
    return vs_dense_solve(n, VS_ANDERSON_MOST, 0, L, gamma);
}

void vs_anderson_step(vs_anderson *a, const double *w, const double *f, double *next) {
    if (a->begun)
        remember(a, w, f);
    memcpy(a->w, w, sizeof(double) * (size_t)a->size);
    memcpy(a->f, f, sizeof(double) * (size_t)a->size);
    a->begun = true;
    for (int k = 0; k < a->size; k++)
        next[k] = w[k] + f[k];
    int kept = a->count < a->memory ? (int)a->count : a->memory;
    double gamma[VS_ANDERSON_MOST];
    for (int j = 0; j < kept; j++)
        gamma[j] = dot(a->size, f, a->dF + (int64_t)j * a->size);
    if (!solve_normal(a, kept, gamma))
        return;
    for (int j = 0; j < kept; j++) {
        const double *dW = a->dW + (int64_t)j * a->size, *dF = a->dF + (int64_t)j * a->size;
        for (int k = 0; k < a->size; k++)
            next[k] -= gamma[j] * (dW[k] + dF[k]);
    }
}
