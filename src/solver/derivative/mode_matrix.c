// Assembly of the matrix of the modes: body by body where H is block-diagonal, else by columns. See mode_matrix.h.
#include "solver/derivative/mode_matrix.h"

#include <string.h>

#include "solver/derivative/pseudo_inverse.h"

typedef struct assembly {
    const vs_mass_model *mass;
    const vs_problem *problem;
    const vs_mode *mode; // (n) of the island
    int n;
    double *dense; // (n n), or null and triplets:
    int64_t count, room;
    int *row, *col;
    double *x;
    vs_arena *scratch;
    vs_mode_work *work;
} assembly;

vs_error vs_mode_work_create(vs_mode_work *work, const vs_problem *problem, vs_arena *arena) {
    const int size = problem->local ? problem->m : problem->n, blocks = problem->local ? 0 : problem->blocks;
    work->image = VS_NEW_ZERO(arena, double, size);
    work->x = VS_NEW(arena, double, size);
    work->l = VS_NEW(arena, double, problem->m);
    work->head = VS_NEW(arena, int, blocks);
    work->length = VS_NEW_ZERO(arena, int, blocks);
    if (!work->image || !work->x || !work->l || !work->head || !work->length)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < blocks; k++)
        work->head[k] = -1;
    return VS_OK;
}

static const vs_rows *rows_of(const vs_problem *p, const vs_mode *mode) {
    return mode->joint ? &p->C : &p->D;
}

void vs_mode_add_rows(const vs_problem *problem, const vs_mode *mode, const double *coefficient, double *to) {
    const vs_rows *A = rows_of(problem, mode);
    const int64_t start = A->start[mode->group], width = A->start[mode->group + 1] - start;
    const double *x = A->x + A->value[mode->group] + (mode->first - A->row[mode->group]) * width;
    for (int i = 0; i < mode->rows; i++, x += width)
        for (int64_t k = 0; k < width; k++)
            to[A->col[start + k]] += coefficient[i] * x[k];
}

static vs_error make_room(assembly *a, int64_t room) {
    a->room = room;
    a->row = VS_NEW(a->scratch, int, room);
    a->col = VS_NEW(a->scratch, int, room);
    a->x = VS_NEW(a->scratch, double, room);
    return a->row && a->col && a->x ? VS_OK : VS_ERROR_MEMORY;
}

static void add(assembly *a, int i, int j, double value) {
    if (a->dense) {
        a->dense[(int64_t)j * a->n + i] += value;
    } else if (value != 0) {
        a->row[a->count] = i;
        a->col[a->count] = j;
        a->x[a->count++] = value;
    }
}

// ---- compliance ------------------------------------------------------------------------------------

static double share_compliance(const vs_problem *p, const vs_mode *from, const vs_mode *to) {
    const double *E = from->joint ? p->E_e : p->E;
    double sum = 0;
    for (int i = 0; i < from->rows && E; i++) {
        const int k = from->first + i - to->first;
        if (k >= 0 && k < to->rows)
            sum += to->R[k] * E[from->first + i] * from->T[i];
    }
    return sum;
}

// Modes of a contact follow each other.
static void add_compliance(assembly *a) {
    for (int j = 0; j < a->n; j++) {
        const vs_mode *from = &a->mode[j];
        add(a, j, j, from->epsilon);
        for (int i = j; i >= 0 && a->mode[i].joint == from->joint && a->mode[i].group == from->group; i--) {
            add(a, i, j, share_compliance(a->problem, from, &a->mode[i]));
            if (i != j)
                add(a, j, i, share_compliance(a->problem, &a->mode[i], from));
        }
    }
}

// ---- by columns ------------------------------------------------------------------------------------

static vs_error add_columns(assembly *a) {
    const vs_problem *p = a->problem;
    const int size = p->local ? p->m : p->n;
    double *x = a->work->x, *l = a->work->l, *image = a->work->image;
    vs_error error = VS_OK;
    for (int j = 0; j < a->n && !error; j++) {
        const vs_mode *mode = &a->mode[j];
        memset(x, 0, (size_t)size * sizeof *x);
        if (p->local) {
            memset(l, 0, (size_t)p->m * sizeof *l);
            memcpy(l + mode->first, mode->T, (size_t)mode->rows * sizeof *l);
            vs_sparse_multiply(&p->N, 1.0, l, 0.0, x);
        } else {
            vs_mode_add_rows(p, mode, mode->T, x);
            error = vs_mass_solve(a->mass->factor, x);
        }
        for (int i = 0; i < a->n && !error; i++) {
            const vs_mode *to = &a->mode[i];
            if (p->local) {
                add(a, i, j, vs_mode_dot(to, to->R, x, x)); // without joints
                continue;
            }
            const vs_rows *A = rows_of(p, to);
            double sum = 0;
            vs_mode_add_rows(p, to, to->R, image);
            for (int64_t k = A->start[to->group]; k < A->start[to->group + 1]; k++) {
                sum += image[A->col[k]] * x[A->col[k]];
                image[A->col[k]] = 0;
            }
            add(a, i, j, sum);
        }
    }
    return error;
}

// ---- body by body ----------------------------------------------------------------------------------

// The part of a mode in one block of velocities.
typedef struct share {
    int mode, block, next; // next: of the same block; -1: none
    double r[12], x[12];   // R'J, and H^-1 J'T
} share;

// The shares of mode j, after those that there are. image (n): zero.
static int add_shares(const assembly *a, int j, double *image, share *shares, int count) {
    const vs_problem *p = a->problem;
    const vs_mode *mode = &a->mode[j];
    const vs_rows *A = rows_of(p, mode);
    const int *block_of = a->mass->factor->block_of;
    int last = -1;
    vs_mode_add_rows(p, mode, mode->R, image);
    for (int64_t k = A->start[mode->group]; k < A->start[mode->group + 1]; k++) {
        const int block = block_of[A->col[k]];
        if (block == last)
            continue;
        last = block;
        share *s = &shares[count++];
        *s = (share){.mode = j, .block = block};
        for (int d = p->block[block]; d < p->block[block + 1]; d++) {
            s->r[d - p->block[block]] = image[d];
            image[d] = 0;
        }
    }
    vs_mode_add_rows(p, mode, mode->T, image);
    for (int k = count - 1; k >= 0 && shares[k].mode == j; k--) {
        share *s = &shares[k];
        for (int d = p->block[s->block]; d < p->block[s->block + 1]; d++) {
            s->x[d - p->block[s->block]] = image[d];
            image[d] = 0;
        }
        vs_mass_solve_block(a->mass->factor, s->block, s->x);
    }
    return count;
}

static int64_t count_columns(const assembly *a) {
    int64_t count = 0;
    for (int j = 0; j < a->n; j++) {
        const vs_rows *A = rows_of(a->problem, &a->mode[j]);
        count += A->start[a->mode[j].group + 1] - A->start[a->mode[j].group];
    }
    return count;
}

static void add_pairs(assembly *a, const share *shares, int count, const int *head) {
    const int *block = a->problem->block;
    for (int k = 0; k < count; k++) {
        const share *to = &shares[k];
        const int dofs = block[to->block + 1] - block[to->block];
        for (int e = head[to->block]; e >= 0; e = shares[e].next) {
            const share *from = &shares[e];
            double sum = 0;
            for (int d = 0; d < dofs; d++)
                sum += to->r[d] * from->x[d];
            add(a, to->mode, from->mode, sum);
        }
    }
}

static vs_error add_blocks(assembly *a) {
    share *shares = VS_NEW(a->scratch, share, count_columns(a));
    int *head = a->work->head, *length = a->work->length;
    if (!shares)
        return VS_ERROR_MEMORY;
    int count = 0;
    for (int j = 0; j < a->n; j++)
        count = add_shares(a, j, a->work->image, shares, count);
    int64_t pairs = 0;
    for (int k = 0; k < count; k++) {
        shares[k].next = head[shares[k].block];
        head[shares[k].block] = k;
        pairs += 2 * (int64_t)length[shares[k].block]++ + 1;
    }
    if (!a->dense && make_room(a, pairs + 2 * VS_MODE_ROWS * (int64_t)a->n))
        return VS_ERROR_MEMORY;
    add_pairs(a, shares, count, head);
    for (int k = 0; k < count; k++) {
        head[shares[k].block] = -1;
        length[shares[k].block] = 0;
    }
    return VS_OK;
}

// ---- all of it -------------------------------------------------------------------------------------

vs_error vs_mode_matrix_create(vs_mode_matrix *matrix, const vs_mass_model *mass, const vs_modes *modes, int island,
                               vs_mode_work *work, vs_arena *arena, vs_arena *scratch) {
    const vs_problem *p = mass->problem;
    const int n = modes->island[island + 1] - modes->island[island];
    assembly a = {.mass = mass,
                  .problem = p,
                  .mode = modes->mode + modes->island[island],
                  .n = n,
                  .scratch = scratch,
                  .work = work};
    *matrix = (vs_mode_matrix){.n = n};
    if (n <= VS_PSEUDO_INVERSE_DENSE) {
        matrix->dense = a.dense = VS_NEW_ZERO(arena, double, (int64_t)n *n);
        if (!a.dense)
            return VS_ERROR_MEMORY;
    }
    const bool blocks = !p->local && p->block_diagonal;
    vs_error error = VS_OK;
    if (!a.dense && !blocks)
        error = make_room(&a, (int64_t)n * n + 2 * VS_MODE_ROWS * (int64_t)n);
    if (!error)
        error = blocks ? add_blocks(&a) : add_columns(&a);
    if (!error)
        add_compliance(&a);
    return error || a.dense ? error : vs_sparse_from_triplets(n, n, a.count, a.row, a.col, a.x, arena, &matrix->K);
}
