// Dividing a problem into the parts of its ranks: see cut.h.
#include "mpi/cut.h"

#include <stdlib.h>
#include <string.h>

// State while the parts of a problem are extracted.
typedef struct knife {
    const vs_problem *problem;
    const vs_partition *partition;
    int n;          // unknowns: velocities, in the local form rows
    int *there;     // (n) number of an unknown on the rank that owns it
    int *here;      // (n) number of an unknown in the current part, or -1
    int64_t *ghost; // (n) work: ghosts of the current part, by owner and number
    int *order;     // (n) work: positions of a group's columns in the order of their new numbers
    double *value;  // (n) work: a column of N, zero between two
} knife;

// ---- arrays --------------------------------------------------------------------------------------------------------

void vs_cut_list(vs_cut *cut, vs_cut_array list[VS_CUT_ARRAYS]) {
    vs_cut *t = cut;
    const int64_t boxes = t->boxes ? t->m : 0, rolls = t->rolls ? t->contacts : 0;
    const vs_cut_array all[VS_CUT_ARRAYS] = {
        {&t->asymmetry, sizeof(double), 1},
        {&t->unknown, sizeof(int), t->n},
        {&t->contact, sizeof(int), t->contacts},
        {&t->joint, sizeof(int), t->joints},
        {&t->ghost_owner, sizeof(int), t->n - t->owned},
        {&t->ghost_there, sizeof(int), t->n - t->owned},
        {&t->H_p, sizeof(int64_t), t->n + 1},
        {&t->Dt_p, sizeof(int64_t), t->m + 1},
        {&t->Ct_p, sizeof(int64_t), t->m_e + 1},
        {&t->H_i, sizeof(int), t->entries_H},
        {&t->Dt_i, sizeof(int), t->entries_D},
        {&t->Ct_i, sizeof(int), t->entries_C},
        {&t->H_x, sizeof(double), t->entries_H},
        {&t->Dt_x, sizeof(double), t->entries_D},
        {&t->Ct_x, sizeof(double), t->entries_C},
        {&t->c, sizeof(double), t->n},
        {&t->row, sizeof(int), t->contacts + 1},
        {&t->kind, sizeof(int), t->contacts},
        {&t->mu, sizeof(double), t->contacts},
        {&t->key, sizeof(uint64_t), t->contacts},
        {&t->b, sizeof(double), t->m},
        {&t->E, sizeof(double), t->m},
        {&t->lo, sizeof(double), boxes},
        {&t->hi, sizeof(double), boxes},
        {&t->rolling, sizeof(double), rolls},
        {&t->spinning, sizeof(double), rolls},
        {&t->joint_row, sizeof(int), t->joints + 1},
        {&t->joint_key, sizeof(uint64_t), t->joints},
        {&t->b_e, sizeof(double), t->m_e},
        {&t->E_e, sizeof(double), t->m_e},
    };
    memcpy(list, all, sizeof all);
}

void vs_cut_counts(vs_cut *cut, int64_t *list[VS_CUT_COUNTS]) {
    vs_cut *t = cut;
    int64_t *const all[VS_CUT_COUNTS] = {&t->n,     &t->owned,     &t->contacts,  &t->joints,    &t->m,
                                         &t->m_e,   &t->entries_H, &t->entries_D, &t->entries_C, &t->boxes,
                                         &t->local, &t->general,   &t->symmetric, &t->rolls};
    memcpy(list, all, sizeof all);
}

void *vs_cut_data(const vs_cut_array *array) {
    void *data;
    memcpy(&data, array->pointer, sizeof data);
    return data;
}

vs_error vs_cut_allocate(vs_cut *cut, vs_arena *arena) {
    vs_cut_array list[VS_CUT_ARRAYS];
    vs_cut_list(cut, list);
    for (int k = 0; k < VS_CUT_ARRAYS; k++) {
        void *data = vs_arena_allocate_zero(arena, list[k].count, list[k].size);
        if (!data)
            return VS_ERROR_MEMORY;
        memcpy(list[k].pointer, &data, sizeof data);
    }
    return VS_OK;
}

// ---- contents of a part -------------------------------------------------------------------------------------------

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int owner_of(const knife *k, int unknown) {
    return k->partition->part[k->partition->unit_of[unknown]];
}

// Adds the unit of an unknown as a ghost of part q, unless it is present: here = 0, and in k->ghost. Returns the number
// of ghosts.
static int64_t mark_unit(knife *k, int unknown, int q, int64_t ghosts) {
    const int owner = owner_of(k, unknown), u = k->partition->unit_of[unknown];
    if (owner == q || k->here[unknown] >= 0)
        return ghosts;
    for (int j = k->partition->unit[u]; j < k->partition->unit[u + 1]; j++) {
        k->here[j] = 0;
        k->ghost[ghosts++] = (int64_t)owner << 32 | j;
    }
    return ghosts;
}

// Marks the unknowns that the groups of part q touch and other parts own. Sums up entries.
static int64_t mark_groups(knife *k, const vs_rows *A, const int *part, int q, int64_t ghosts, int64_t *groups,
                           int64_t *rows, int64_t *entries) {
    for (int g = 0; g < A->groups; g++) {
        if (part[g] != q)
            continue;
        ++*groups;
        *rows += A->row[g + 1] - A->row[g];
        *entries += A->value[g + 1] - A->value[g];
        for (int64_t t = A->start[g]; t < A->start[g + 1]; t++)
            ghosts = mark_unit(k, A->col[t], q, ghosts);
    }
    return ghosts;
}

// The same of the contacts that N couples to those of part q.
static int64_t mark_coupled(knife *k, int q, vs_cut *cut) {
    const vs_partition *p = k->partition;
    int64_t ghosts = 0;
    for (int i = 0; i < p->units; i++) {
        if (p->part[i] != q)
            continue;
        int64_t rows = p->unit[i + 1] - p->unit[i];
        cut->contacts++;
        cut->m += rows;
        cut->entries_H += rows * rows;
        for (int64_t t = p->near[i]; t < p->near[i + 1]; t++) {
            int other = p->coupled[t];
            cut->entries_H += rows * (p->unit[other + 1] - p->unit[other]);
            ghosts = mark_unit(k, p->unit[other], q, ghosts);
        }
    }
    return ghosts;
}

// The columns of H that part q has; those of a general one couple it to ghosts as well.
static int64_t mark_masses(knife *k, int q, int64_t ghosts, vs_cut *cut) {
    const vs_sparse *H = &k->problem->H;
    for (int j = 0; j < k->n; j++)
        if (owner_of(k, j) == q || (!cut->general && k->here[j] >= 0)) {
            cut->entries_H += H->p[j + 1] - H->p[j];
            for (int64_t t = H->p[j]; t < H->p[j + 1] && cut->general; t++)
                ghosts = mark_unit(k, H->i[t], q, ghosts);
        }
    return ghosts;
}

// Counts of part q, its ghosts sorted.
static void count_part(knife *k, int q, vs_cut *cut) {
    const vs_problem *p = k->problem;
    int64_t ghosts = 0;
    *cut = (vs_cut){.boxes = p->lo != NULL,
                    .rolls = p->rolling != NULL,
                    .local = p->local,
                    .general = !p->local && !p->block_diagonal,
                    .symmetric = p->symmetric};
    for (int j = 0; j < k->n; j++) {
        k->here[j] = -1;
        cut->owned += owner_of(k, j) == q;
    }
    if (p->local) {
        ghosts = mark_coupled(k, q, cut);
    } else {
        ghosts = mark_groups(k, &p->D, k->partition->contact, q, ghosts, &cut->contacts, &cut->m, &cut->entries_D);
        ghosts = mark_groups(k, &p->C, k->partition->joint, q, ghosts, &cut->joints, &cut->m_e, &cut->entries_C);
        ghosts = mark_masses(k, q, ghosts, cut);
    }
    qsort(k->ghost, (size_t)ghosts, sizeof *k->ghost, compare);
    cut->n = cut->owned + ghosts;
}

static void number_unknowns(knife *k, int q, vs_cut *cut) {
    int count = 0;
    for (int j = 0; j < k->n; j++)
        if (owner_of(k, j) == q)
            cut->unknown[count++] = j;
    for (int64_t g = 0; g < cut->n - cut->owned; g++) {
        int j = (int)(k->ghost[g] & 0xFFFFFFFF);
        cut->unknown[count++] = j;
        cut->ghost_owner[g] = (int)(k->ghost[g] >> 32);
        cut->ghost_there[g] = k->there[j];
    }
    for (int j = 0; j < count; j++)
        k->here[cut->unknown[j]] = j;
}

// ---- values --------------------------------------------------------------------------------------------------------

static void cut_masses(const knife *k, vs_cut *cut) {
    const vs_sparse *H = &k->problem->H;
    int64_t at = 0;
    for (int j = 0; j < (int)cut->n; j++) {
        int from = cut->unknown[j];
        cut->c[j] = k->problem->c[from];
        cut->H_p[j] = at;
        for (int64_t t = H->p[from]; t < H->p[from + 1] && (!cut->general || j < cut->owned); t++, at++) {
            // rows of a general H are not in the order of their new numbers
            int64_t place = at;
            for (; place > cut->H_p[j] && cut->H_i[place - 1] > k->here[H->i[t]]; place--) {
                cut->H_i[place] = cut->H_i[place - 1];
                cut->H_x[place] = cut->H_x[place - 1];
            }
            cut->H_i[place] = k->here[H->i[t]];
            cut->H_x[place] = H->x[t];
        }
    }
    cut->H_p[cut->n] = at;
}

// The rows of contact i in the column that k->value holds, if the part owns them.
static int64_t cut_block(const knife *k, int i, int q, int64_t at, vs_cut *cut) {
    const vs_partition *p = k->partition;
    for (int row = p->unit[i]; row < p->unit[i + 1] && p->part[i] == q; row++, at++) {
        cut->H_i[at] = k->here[row];
        cut->H_x[at] = k->value[row];
    }
    return at;
}

// N, column by column.
static void cut_operator(const knife *k, int q, vs_cut *cut) {
    const vs_sparse *N = &k->problem->N;
    const vs_partition *p = k->partition;
    int64_t at = 0;
    for (int j = 0; j < (int)cut->n; j++) {
        const int from = cut->unknown[j], i = p->unit_of[from];
        cut->H_p[j] = at;
        for (int64_t t = N->p[from]; t < N->p[from + 1]; t++)
            k->value[N->i[t]] = N->x[t];
        int64_t next = p->near[i]; // contacts ascend, without i itself
        for (; next < p->near[i + 1] && p->coupled[next] < i; next++)
            at = cut_block(k, p->coupled[next], q, at, cut);
        at = cut_block(k, i, q, at, cut);
        for (; next < p->near[i + 1]; next++)
            at = cut_block(k, p->coupled[next], q, at, cut);
        for (int64_t t = N->p[from]; t < N->p[from + 1]; t++)
            k->value[N->i[t]] = 0;
    }
    cut->H_p[cut->n] = at;
}

// The rows of group g as the next columns of At; returns the number of entries so far.
static int64_t cut_group(const knife *k, const vs_rows *A, int g, int64_t at, int64_t *p, int *i, double *x) {
    int width = (int)(A->start[g + 1] - A->start[g]), rows = A->row[g + 1] - A->row[g];
    const int *col = A->col + A->start[g];
    for (int t = 0; t < width; t++) {
        int place = t;
        for (; place > 0 && k->here[col[k->order[place - 1]]] > k->here[col[t]]; place--)
            k->order[place] = k->order[place - 1];
        k->order[place] = t;
    }
    for (int r = 0; r < rows; r++) {
        *p++ = at;
        for (int t = 0; t < width; t++, at++) {
            i[at] = k->here[col[k->order[t]]];
            x[at] = A->x[A->value[g] + (int64_t)r * width + k->order[t]];
        }
    }
    *p = at;
    return at;
}

static void cut_contacts(const knife *k, int q, vs_cut *cut) {
    const vs_problem *p = k->problem;
    int count = 0, rows = 0;
    int64_t at = 0;
    for (int i = 0; i < p->contacts; i++) {
        if (k->partition->contact[i] != q)
            continue;
        if (!p->local)
            at = cut_group(k, &p->D, i, at, cut->Dt_p + rows, cut->Dt_i, cut->Dt_x);
        cut->contact[count] = i;
        cut->row[count] = rows;
        cut->kind[count] = (int)p->kind[i];
        cut->mu[count] = p->mu[i];
        if (p->rolling) {
            cut->rolling[count] = p->rolling[i];
            cut->spinning[count] = p->spinning[i];
        }
        cut->key[count++] = p->key[i];
        for (int r = p->row[i]; r < p->row[i + 1]; r++, rows++) {
            cut->b[rows] = p->local ? p->r[r] : p->b[r];
            cut->E[rows] = p->E[r];
            if (p->lo) {
                cut->lo[rows] = p->lo[r];
                cut->hi[rows] = p->hi[r];
            }
        }
    }
    cut->row[count] = rows;
}

static void cut_joints(const knife *k, int q, vs_cut *cut) {
    const vs_problem *p = k->problem;
    int count = 0, rows = 0;
    int64_t at = 0;
    for (int i = 0; i < p->joints; i++) {
        if (k->partition->joint[i] != q)
            continue;
        at = cut_group(k, &p->C, i, at, cut->Ct_p + rows, cut->Ct_i, cut->Ct_x);
        cut->joint[count] = i;
        cut->joint_row[count] = rows;
        cut->joint_key[count++] = p->joint_key[i];
        for (int r = p->joint_row[i]; r < p->joint_row[i + 1]; r++, rows++) {
            cut->b_e[rows] = p->b_e[r];
            cut->E_e[rows] = p->E_e[r];
        }
    }
    cut->joint_row[count] = rows;
}

// ---- all parts -----------------------------------------------------------------------------------------------------

static vs_error make_knife(knife *k, const vs_problem *problem, const vs_partition *partition, vs_arena *arena) {
    const int n = partition->unit[partition->units];
    *k = (knife){.problem = problem,
                 .partition = partition,
                 .n = n,
                 .there = VS_NEW(arena, int, n),
                 .here = VS_NEW(arena, int, n),
                 .ghost = VS_NEW(arena, int64_t, n),
                 .order = VS_NEW(arena, int, n),
                 .value = VS_NEW_ZERO(arena, double, problem->local ? n : 0)};
    int *count = VS_NEW_ZERO(arena, int, partition->parts);
    if (!k->there || !k->here || !k->ghost || !k->order || !k->value || !count)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        k->there[j] = count[owner_of(k, j)]++;
    return VS_OK;
}

vs_error vs_cut_create(vs_cut *cuts, const vs_problem *problem, const vs_partition *partition, vs_arena *arena) {
    knife k;
    vs_error error = make_knife(&k, problem, partition, arena);
    for (int q = 0; q < partition->parts && !error; q++) {
        count_part(&k, q, cuts + q);
        error = vs_cut_allocate(cuts + q, arena);
        if (error)
            break;
        cuts[q].asymmetry[0] = problem->asymmetry;
        number_unknowns(&k, q, cuts + q);
        if (problem->local)
            cut_operator(&k, q, cuts + q);
        else
            cut_masses(&k, cuts + q);
        cut_contacts(&k, q, cuts + q);
        cut_joints(&k, q, cuts + q);
    }
    return error;
}
