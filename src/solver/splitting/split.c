// Sweeps over several processes: see split.h.
#include "solver/splitting/split.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "solver/impulse/operator.h"

bool vs_split_exists(const vs_impulse_problem *whole) {
    return !whole->carried || whole->scaled->identity;
}

// root: of the number of processes whose groups touch a velocity.
static void count_processes(const vs_split *split) {
    const vs_rows *J = &split->whole->J;
    memset(split->root, 0, sizeof(double) * (size_t)split->whole->n);
    for (int64_t t = 0; t < J->start[J->groups]; t++)
        split->root[J->col[t]] = 1;
    vs_space_assemble_end(split->whole->space, split->root);
    for (int j = 0; j < split->whole->n; j++)
        split->root[j] = sqrt(split->root[j]);
}

vs_error vs_split_create(vs_split *split, const vs_impulse_problem *whole, vs_arena *arena) {
    *split = (vs_split){.whole = whole, .problem = *whole, .root = VS_NEW(arena, double, whole->n)};
    split->problem.A = VS_NEW(arena, double, vs_impulse_block(whole, whole->groups));
    if (whole->carried)
        split->problem.J.x = VS_NEW(arena, double, whole->J.value[whole->groups]);
    vs_error error =
        split->root && split->problem.A && (split->problem.J.x || !whole->carried) ? VS_OK : VS_ERROR_MEMORY;
    error = vs_space_agree(whole->space, error);
    if (error)
        return error;
    if (whole->carried)
        count_processes(split);
    vs_split_update(split);
    return VS_OK;
}

// J~, and the blocks of J~ J~' + E.
static void split_masses(vs_split *split, int g) {
    const vs_impulse_problem *whole = split->whole;
    const vs_rows *J = &whole->J;
    const int rows = whole->row[g + 1] - whole->row[g], width = (int)(J->start[g + 1] - J->start[g]);
    const int *col = J->col + J->start[g];
    const double *from = J->x + J->value[g];
    double *x = split->problem.J.x + J->value[g], *A = split->problem.A + vs_impulse_block(whole, g);
    bool shared = false;
    assert(split->problem.J.x);
    for (int t = 0; t < width; t++) {
        shared = shared || split->root[col[t]] > 1;
        for (int k = 0; k < rows; k++)
            x[k * width + t] = from[k * width + t] * split->root[col[t]];
    }
    for (int i = 0; i < rows && shared; i++)
        for (int j = 0; j < rows; j++) {
            double sum = i == j ? whole->E[whole->row[g] + i] : 0;
            for (int t = 0; t < width; t++)
                sum += x[i * width + t] * x[j * width + t];
            A[whole->ld * i + j] = sum;
        }
}

// |N_ij| of all j of other processes, in the norm of Frobenius, on the diagonal.
static void split_couplings(vs_split *split, int g) {
    const vs_impulse_problem *whole = split->whole;
    const vs_scaled *scaled = whole->scaled;
    const vs_rows *N = &whole->N;
    const int rows = whole->row[g + 1] - whole->row[g], width = (int)(N->start[g + 1] - N->start[g]);
    const int *col = N->col + N->start[g];
    double sum = 0;
    for (int t = 0, cone = 0; t < width;) { // columns ascend; cone: the ghost that a column belongs to
        if (col[t] < whole->rows) {
            t++;
            continue;
        }
        while (scaled->ghost_row[cone + 1] <= col[t])
            cone++;
        double square = 0;
        for (; t < width && col[t] < scaled->ghost_row[cone + 1]; t++)
            for (int k = 0; k < rows; k++)
                square += N->x[N->value[g] + k * width + t] * N->x[N->value[g] + k * width + t];
        sum += sqrt(square);
    }
    for (int k = 0; k < rows; k++)
        split->problem.A[vs_impulse_block(whole, g) + (whole->ld + 1) * k] += sum;
}

void vs_split_update(vs_split *split) {
    const vs_impulse_problem *whole = split->whole;
    const vs_rows J = split->problem.J;
    double *A = split->problem.A;
    split->problem = *whole;
    split->problem.A = A;
    split->problem.J = J;
    memcpy(A, whole->A, sizeof(double) * (size_t)vs_impulse_block(whole, whole->groups));
    for (int g = 0; g < whole->groups; g++)
        whole->carried ? split_masses(split, g) : split_couplings(split, g);
}

void vs_split_exchange(const vs_split *split, double *l, double *v) {
    const vs_impulse_problem *whole = split->whole;
    if (!whole->carried) {
        vs_scaled_extend(whole->scaled, l);
        return;
    }
    vs_impulse_carry(whole, l, v);
    for (int j = 0; j < whole->n; j++)
        v[j] = split->root[j] > 0 ? v[j] / split->root[j] : 0;
}
