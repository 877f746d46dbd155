// The impulse form of the linear systems: P + Q N itself, on the pattern of N. See linear_system.h.
#include "solver/coulomb/linear_system/impulse_form.h"

#include <string.h>

#include "solver/coulomb/linear_system/form_parts.h"
#include "solver/impulse/delassus.h"

// The pattern of N by columns: column j has the columns of j's group as rows, because the pattern is symmetric.
static vs_error create(vs_linear_system *system) {
    const vs_impulse_problem *island = system->island;
    const vs_rows *N = &island->N;
    int size = N->rows;
    int64_t *p = VS_NEW(&system->arena, int64_t, size + 1);
    system->at = VS_NEW(&system->arena, int64_t, N->value[N->groups]);
    system->x = VS_NEW(&system->arena, double, N->value[N->groups]);
    int *i = VS_NEW(&system->arena, int, N->value[N->groups]);
    if (!p || !i || !system->at || !system->x)
        return VS_ERROR_MEMORY;
    p[0] = 0;
    for (int j = 0; j < size; j++) {
        int g = island->group_of[j];
        p[j + 1] = p[j] + N->start[g + 1] - N->start[g];
        memcpy(i + p[j], N->col + N->start[g], sizeof(int) * (size_t)(p[j + 1] - p[j]));
    }
    for (int g = 0; g < N->groups; g++) {
        int64_t width = N->start[g + 1] - N->start[g];
        for (int row = N->row[g]; row < N->row[g + 1]; row++)
            for (int64_t k = 0; k < width; k++) {
                int col = N->col[N->start[g] + k];
                system->at[N->value[g] + (row - N->row[g]) * width + k] =
                    p[col] + vs_delassus_find(N, island->group_of[col], row);
            }
    }
    system->pattern = (vs_linear_pattern){.n = size, .p = p, .i = i, .groups = N->groups, .group = N->row};
    return VS_OK;
}

typedef struct assembly {
    vs_linear_system *system;
    const double *P, *Q;
} assembly;

static void assemble_groups(void *user, int64_t begin, int64_t end) {
    enum { PART = 64 }; // columns at a time
    const assembly *a = user;
    const vs_impulse_problem *island = a->system->island;
    const vs_rows *N = &island->N;
    for (int g = (int)begin; g < (int)end; g++) {
        int64_t width = N->start[g + 1] - N->start[g], diagonal = island->diagonal[g] - N->value[g];
        int rows = N->row[g + 1] - N->row[g];
        const double *Q = a->Q ? a->Q + vs_impulse_block(island, g) : NULL;
        for (int i = 0; i < rows; i++) {
            const int64_t *at = a->system->at + N->value[g] + i * width;
            for (int64_t first = 0; first < width; first += PART) {
                double part[PART];
                int64_t count = width - first < PART ? width - first : PART;
                vs_linear_system_multiply_row(N->x + N->value[g] + first, width, rows, Q, island->ld, i, count, part);
                for (int64_t k = 0; k < count; k++)
                    a->system->x[at[first + k]] = part[k];
            }
            for (int j = 0; j < rows; j++)
                a->system->x[at[diagonal + j]] += vs_linear_system_diagonal_entry(island, g, a->P, a->Q, i, j);
        }
    }
}

static vs_error assemble(vs_linear_system *system, const double *P, const double *Q, int *sign) {
    assembly a = {system, P, Q};
    vs_parallel_for(system->island->context, system->island->groups, 256, assemble_groups, &a);
    *sign = 1;
    return VS_OK;
}

const vs_linear_system_form vs_linear_system_impulse = {
    .name = "impulse", .create = create, .assemble = assemble, .solve = vs_linear_system_backend_solve};
