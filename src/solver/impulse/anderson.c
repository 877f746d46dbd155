// Anderson acceleration: see anderson.h.
#include "solver/impulse/anderson.h"

#include <math.h>
#include <string.h>

// Least part of df_k'df_k that must remain after removing the earlier changes.
static const double INDEPENDENT = 1e-12;
static const double REGULARIZATION = 1e-11;

void vs_anderson_init(vs_anderson *a, int size, int depth, double *const *vectors) {
    *a = (vs_anderson){.size = size,
                       .depth = depth < VS_ANDERSON_MOST ? depth : VS_ANDERSON_MOST,
                       .regularization = REGULARIZATION,
                       .growth = INFINITY,
                       .f = vectors[0],
                       .S = vectors[1]};
    for (int k = 0; k < a->depth; k++) {
        a->df[k] = vectors[2 + k];
        a->dS[k] = vectors[2 + a->depth + k];
    }
    memset(a->f, 0, sizeof(double) * (size_t)size);
    memset(a->S, 0, sizeof(double) * (size_t)size);
}

vs_error vs_anderson_create(vs_anderson *a, int size, int depth, vs_arena *arena) {
    double *vectors[VS_ANDERSON_VECTORS(VS_ANDERSON_MOST)] = {NULL};
    depth = depth < VS_ANDERSON_MOST ? depth : VS_ANDERSON_MOST;
    for (int k = 0; k < VS_ANDERSON_VECTORS(depth); k++) {
        vectors[k] = VS_NEW(arena, double, size);
        if (!vectors[k])
            return VS_ERROR_MEMORY;
    }
    vs_anderson_init(a, size, depth, vectors);
    return VS_OK;
}

void vs_anderson_forget(vs_anderson *a) {
    a->count = a->next = 0;
    a->ready = false;
}

static double dot(int n, const double *x, const double *y) {
    double even = 0.0, odd = 0.0;
    int k = 0;
    for (; k + 2 <= n; k += 2) {
        even += x[k] * y[k];
        odd += x[k + 1] * y[k + 1];
    }
    return even + odd + (k < n ? x[k] * y[k] : 0.0);
}

void vs_anderson_observe(vs_anderson *a, const double *x, const double *S) {
    int k = a->next;
    double sum = 0.0, *df = a->df[k], *dS = a->dS[k];
    for (int i = 0; i < a->size; i++) {
        double f = S[i] - x[i];
        df[i] = f - a->f[i];
        dS[i] = S[i] - a->S[i];
        a->f[i] = f;
        a->S[i] = S[i];
        sum += f * f;
    }
    double residual = sqrt(sum);
    if (!a->ready || residual > a->growth * a->residual) {
        a->count = a->next = 0;
    } else {
        a->count += a->count < a->depth;
        a->next = (k + 1) % a->depth;
        for (int i = 0; i < a->count; i++)
            a->gram[i][k] = a->gram[k][i] = dot(a->size, a->df[i], df);
    }
    a->ready = true;
    a->residual = residual;
}

// (gram + regularization) gamma = df'f by elimination; gamma holds the right-hand side first
static void find_weights(const vs_anderson *a, double *gamma) {
    double M[VS_ANDERSON_MOST][VS_ANDERSON_MOST], trace = 0.0;
    bool used[VS_ANDERSON_MOST] = {false};
    int n = a->count;
    for (int i = 0; i < n; i++)
        trace += a->gram[i][i];
    for (int i = 0; i < n; i++) {
        memcpy(M[i], a->gram[i], sizeof(double) * (size_t)n);
        M[i][i] += a->regularization * trace;
        gamma[i] = dot(a->size, a->df[i], a->f);
    }
    for (int k = 0; k < n; k++) {
        used[k] = M[k][k] > INDEPENDENT * a->gram[k][k];
        for (int i = k + 1; i < n && used[k]; i++) {
            double factor = M[i][k] / M[k][k];
            for (int j = k; j < n; j++)
                M[i][j] -= factor * M[k][j];
            gamma[i] -= factor * gamma[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            gamma[k] -= M[k][j] * gamma[j];
        gamma[k] = used[k] ? gamma[k] / M[k][k] : 0.0;
    }
}

void vs_anderson_extrapolate(const vs_anderson *a, double *x) {
    double gamma[VS_ANDERSON_MOST] = {0};
    find_weights(a, gamma);
    for (int k = 0; k < a->count; k++)
        for (int i = 0; i < a->size; i++)
            x[i] -= gamma[k] * a->dS[k][i];
}
