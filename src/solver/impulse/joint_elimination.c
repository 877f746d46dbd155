// The Schur complement of the joints: see joint_elimination.h.
#include "solver/impulse/joint_elimination.h"

#include <math.h>
#include <string.h>

// Compiled into each version of the elimination, for its registers; sums have the same order in each.
#define INLINE inline __attribute__((always_inline))

enum { TILE = 4 }; // columns that are subtracted at once

typedef double tile __attribute__((vector_size(32), aligned(8), may_alias));

// ---- memory ----------------------------------------------------------------------------------------

// Is joint row k coupled to a row of another joint?
static bool is_coupled(const vs_impulse_problem *island, int k) {
    const vs_rows *N = &island->N;
    const int *joint = island->scaled->joint, own = joint[island->source[k]];
    for (int64_t t = N->start[k]; t < N->start[k + 1] && N->col[t] < island->joints; t++)
        if (joint[island->source[N->col[t]]] != own)
            return true;
    return false;
}

// Joints that guide single bodies do not slow sweeps down: what is eliminated are chains of them.
bool vs_joint_elimination_suits(const vs_impulse_problem *island) {
    const int joints = island->joints; // of one row each
    if ((island->contacts == 0 && joints < VS_MECHANISM_ALONE) || island->carried || !island->symmetric ||
        island->space || !vs_joint_elimination_pays(island))
        return false;
    int coupled = 0;
    for (int k = 0; k < joints && coupled < VS_MECHANISM_LEAST; k++)
        coupled += is_coupled(island, k);
    return coupled >= VS_MECHANISM_LEAST;
}

static vs_error create_matrix(vs_impulse_problem *p, vs_arena *arena) {
    vs_rows *N = &p->N;
    *N = (vs_rows){.groups = p->groups, .rows = p->rows, .cols = p->rows, .row = p->row};
    N->start = VS_NEW(arena, int64_t, p->groups + 1);
    N->value = VS_NEW(arena, int64_t, p->groups + 1);
    N->col = VS_NEW(arena, int, (int64_t)p->groups * p->rows);
    N->x = VS_NEW(arena, double, (int64_t)p->rows * p->rows);
    if (!N->start || !N->value || !N->col || !N->x)
        return VS_ERROR_MEMORY;
    for (int g = 0; g <= p->groups; g++) {
        N->start[g] = (int64_t)g * p->rows;
        N->value[g] = (int64_t)p->row[g] * p->rows;
    }
    for (int g = 0; g < p->groups; g++) {
        p->diagonal[g] = N->value[g] + p->row[g];
        for (int k = 0; k < p->rows; k++)
            N->col[N->start[g] + k] = k;
    }
    return VS_OK;
}

// Groups of the island behind its joints, in the same order.
static vs_error create_reduced(vs_impulse_problem *p, const vs_impulse_problem *island, vs_arena *arena) {
    int joints = island->joints, first = island->row[joints];
    *p = *island;
    p->groups = p->contacts = island->contacts;
    p->joints = 0;
    p->rows = island->rows - first;
    p->law += joints, p->mu += joints, p->lo += joints, p->hi += joints, p->origin += joints;
    p->unit_l += joints, p->unit_y += joints, p->own += joints;
    p->discs = island->discs ? island->discs + joints : NULL;
    p->source += first;
    p->row = VS_NEW(arena, int, p->groups + 1);
    p->group_of = VS_NEW(arena, int, p->rows);
    p->r = VS_NEW(arena, double, p->rows);
    p->diagonal = VS_NEW(arena, int64_t, p->groups);
    p->A = VS_NEW_ZERO(arena, double, vs_impulse_block(p, p->groups));
    p->E = p->work_n = p->work_rows = NULL;
    if (!p->row || !p->group_of || !p->r || !p->diagonal || !p->A)
        return VS_ERROR_MEMORY;
    for (int g = 0; g <= p->groups; g++)
        p->row[g] = island->row[joints + g] - first;
    for (int k = 0; k < p->rows; k++)
        p->group_of[k] = island->group_of[first + k] - joints;
    return create_matrix(p, arena);
}

vs_error vs_joint_elimination_create(vs_joint_elimination *e, const vs_impulse_problem *island, vs_arena *arena) {
    *e = (vs_joint_elimination){0};
    vs_error error = vs_joint_factor_create(&e->factor, island, arena);
    if (!error)
        error = create_reduced(&e->reduced, island, arena);
    if (error)
        return error;
    int joints = e->factor.rows;
    e->ld = (e->reduced.rows + TILE - 1) / TILE * TILE;
    e->X = VS_NEW(arena, double, (int64_t)joints * e->ld);
    e->S = VS_NEW(arena, double, (int64_t)e->reduced.rows * e->ld);
    e->first = VS_NEW(arena, int, joints);
    e->end = VS_NEW(arena, int, joints);
    e->R = VS_NEW(arena, double, joints);
    e->z = VS_NEW(arena, double, joints);
    return e->X && e->S && e->first && e->end && e->R && e->z ? VS_OK : VS_ERROR_MEMORY;
}

// ---- values ----------------------------------------------------------------------------------------

// y -= a x in the tiles of the columns first ... end - 1.
static INLINE void subtract(double a, const double *x, int first, int end, double *y) {
    for (int c = first - first % TILE; c < end; c += TILE)
        *(tile *)(y + c) -= a * *(const tile *)(x + c);
}

// X = N_jc, R = r_j
static void gather_columns(vs_joint_elimination *e) {
    const vs_joint_factor *f = &e->factor;
    const vs_rows *N = &f->island->N;
    const int m = e->reduced.rows;
    memset(e->X, 0, sizeof(double) * (size_t)f->rows * (size_t)e->ld);
    for (int k = 0; k < f->rows; k++) {
        const int row = f->order[k];
        const double *x = N->x + N->value[row] - N->start[row];
        e->R[k] = f->island->r[row];
        e->first[k] = m, e->end[k] = 0;
        for (int64_t t = N->start[row + 1] - 1; t >= N->start[row] && N->col[t] >= f->rows; t--) { // columns ascend
            const int c = N->col[t] - f->rows;
            e->X[(int64_t)k * e->ld + c] = x[t];
            e->first[k] = c;
            e->end[k] = e->end[k] > c ? e->end[k] : c + 1;
        }
    }
}

// X <- L^-1 X
static INLINE void solve_columns(vs_joint_elimination *e) {
    const vs_joint_factor *f = &e->factor;
    for (int k = 0; k < f->rows; k++)
        for (int64_t t = f->p[k]; t < f->p[k + 1] && e->first[k] < e->end[k]; t++) {
            const int i = f->i[t];
            subtract(f->x[t], e->X + (int64_t)k * e->ld, e->first[k], e->end[k], e->X + (int64_t)i * e->ld);
            e->first[i] = e->first[k] < e->first[i] ? e->first[k] : e->first[i];
            e->end[i] = e->end[k] > e->end[i] ? e->end[k] : e->end[i];
        }
}

// N_cc and r_c of the island.
static void copy_contacts(vs_joint_elimination *e) {
    const vs_joint_factor *f = &e->factor;
    const vs_impulse_problem *island = f->island;
    const vs_impulse_problem *p = &e->reduced;
    memset(e->S, 0, sizeof(double) * (size_t)p->rows * (size_t)e->ld);
    memcpy(p->r, island->r + f->rows, sizeof(double) * (size_t)p->rows);
    for (int k = 0; k < p->rows; k++) {
        int g = island->joints + p->group_of[k], row = f->rows + k;
        int64_t width = island->N.start[g + 1] - island->N.start[g];
        const double *x = island->N.x + island->N.value[g] + (row - island->row[g]) * width;
        const int *col = island->N.col + island->N.start[g];
        for (int64_t t = width - 1; t >= 0 && col[t] >= f->rows; t--)
            e->S[(int64_t)k * e->ld + col[t] - f->rows] = x[t];
    }
}

// S and r_S: X'D^-1 X, of S its upper triangle and beside it what is in the tiles, and X'D^-1 R subtracted.
static INLINE void subtract_joints(vs_joint_elimination *e) {
    const vs_joint_factor *f = &e->factor;
    for (int k = 0; k < f->rows; k++) {
        const double *x = e->X + (int64_t)k * e->ld, R = e->R[k] / f->d[k];
        const int end = e->end[k];
        for (int c = e->first[k]; c < end; c++) {
            e->reduced.r[c] -= R * x[c];
            if (x[c] != 0)
                subtract(x[c] / f->d[k], x, c, end, e->S + (int64_t)c * e->ld);
        }
    }
}

static INLINE void eliminate(vs_joint_elimination *e) {
    solve_columns(e);
    subtract_joints(e);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void eliminate_avx2(vs_joint_elimination *e) {
    eliminate(e);
}

static void eliminate_best(vs_joint_elimination *e) {
    if (__builtin_cpu_supports("avx2"))
        eliminate_avx2(e);
    else
        eliminate(e);
}
#else
static void eliminate_best(vs_joint_elimination *e) {
    eliminate(e);
}
#endif

// N of the reduced problem from the upper triangle of S.
static void copy_matrix(vs_joint_elimination *e) {
    vs_impulse_problem *p = &e->reduced;
    const int m = p->rows;
    for (int a = 0; a < m; a++)
        for (int b = a; b < m; b++)
            p->N.x[(int64_t)a * m + b] = p->N.x[(int64_t)b * m + a] = e->S[(int64_t)a * e->ld + b];
}

static void copy_blocks(vs_impulse_problem *p) {
    for (int g = 0; g < p->groups; g++) {
        int first = p->row[g], rows = p->row[g + 1] - first;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                p->A[vs_impulse_block(p, g) + p->ld * i + j] = p->N.x[(int64_t)(first + i) * p->rows + first + j];
    }
}

void vs_joint_elimination_update(vs_joint_elimination *e) {
    const vs_impulse_problem *island = e->factor.island;
    e->reduced.free_norm = island->free_norm;
    e->reduced.uneven = island->uneven;
    e->reduced.share = island->share;
    vs_joint_factor_update(&e->factor);
    gather_columns(e);
    vs_joint_factor_forward(&e->factor, e->R);
    copy_contacts(e);
    eliminate_best(e);
    copy_matrix(e);
    copy_blocks(&e->reduced);
}

// ---- joint impulses --------------------------------------------------------------------------------

void vs_joint_elimination_expand(const vs_joint_elimination *e, const double *lambda, double *l) {
    const vs_joint_factor *f = &e->factor;
    int m = e->reduced.rows;
    for (int k = 0; k < f->rows; k++) {
        double sum = e->R[k];
        for (int c = e->first[k]; c < e->end[k]; c++)
            sum += e->X[(int64_t)k * e->ld + c] * lambda[c];
        e->z[k] = sum / f->d[k];
    }
    vs_joint_factor_backward(f, e->z);
    for (int k = 0; k < f->rows; k++)
        l[f->order[k]] = -e->z[k];
    memcpy(l + f->rows, lambda, sizeof(double) * (size_t)m);
}

void vs_joint_elimination_correct(const vs_joint_elimination *e, const double *y, double *l) {
    const vs_joint_factor *f = &e->factor;
    for (int k = 0; k < f->rows; k++)
        e->z[k] = y[f->order[k]];
    vs_joint_factor_forward(f, e->z);
    for (int k = 0; k < f->rows; k++)
        e->z[k] /= f->d[k];
    vs_joint_factor_backward(f, e->z);
    for (int k = 0; k < f->rows; k++)
        l[f->order[k]] -= e->z[k];
}

void vs_joint_elimination_shift(vs_joint_elimination *e, const double *lambda, const double *y) {
    vs_impulse_problem *p = &e->reduced;
    for (int k = 0; k < p->rows; k++) {
        double sum = 0;
        for (int c = 0; c < p->rows; c++)
            sum += p->N.x[(int64_t)k * p->rows + c] * lambda[c];
        p->r[k] = y[e->factor.rows + k] - sum;
    }
}
