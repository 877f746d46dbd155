// Islands of a distributed problem on process 0: see gathered.h. Every array of the problem is sent as doubles, matrices as
// their entries with the numbers of rows and columns in the whole.
#include "problem/gathered.h"

#include <assert.h>
#include <string.h>

// What takes part here, and the arrays as process 0 gets them.
typedef struct gathering {
    const vs_problem *part;
    const vs_space *space;
    vs_arena *arena;    // scratch
    int contacts;       // here
    int *contact;       // (contacts)
    int joints;         //
    int *joint;         // (joints)
    int unknowns;       // velocities owned here, in the local form rows
    int *unknown;       // (unknowns)
    double *number;     // (all unknowns here, ghosts too) in the whole; -1: it does not take part
    int row, joint_row; // first row, joint row of this process in the whole
    double *here;       // work: what is sent
    int count;          // of it
    int64_t total;      // what the last gather brought
} gathering;

// ---- numbers of what takes part ------------------------------------------------------------------------------------

// Sums of the processes before this one.
static double sum_before(const vs_space *space, double here, vs_arena *arena, vs_error *error) {
    double *of = VS_NEW_ZERO(arena, double, space->size), sum = 0;
    *error = vs_space_agree(space, of ? VS_OK : VS_ERROR_MEMORY);
    if (*error)
        return 0;
    assert(of);
    of[space->rank] = here;
    vs_space_sums(space, space->size, of);
    for (int q = 0; q < space->rank; q++)
        sum += of[q];
    return sum;
}

static bool takes_part(const bool *island, int k) {
    return k != VS_NO_ISLAND && (!island || island[k]);
}

static vs_error choose(gathering *w, vs_gathered *g, const vs_island_map *map, const bool *island, vs_arena *arena) {
    const vs_problem *p = w->part;
    const int owned = p->local ? p->m : vs_space_owned(w->space, p->n);
    w->contact = VS_NEW(w->arena, int, p->contacts);
    w->joint = VS_NEW(w->arena, int, p->joints);
    w->unknown = VS_NEW(w->arena, int, owned);
    w->number = VS_NEW(w->arena, double, p->local ? p->N.cols : p->n);
    g->row = VS_NEW(arena, int, p->m);
    g->joint_row = VS_NEW(arena, int, p->m_e);
    g->wide = VS_NEW(arena, double, p->m > p->m_e ? p->m : p->m_e);
    if (!w->contact || !w->joint || !w->unknown || !w->number || !g->row || !g->joint_row || !g->wide)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < p->contacts; i++) {
        if (!takes_part(island, map->contact[i]))
            continue;
        w->contact[w->contacts++] = i;
        for (int k = p->row[i]; k < p->row[i + 1]; k++)
            g->row[g->rows++] = k;
    }
    for (int j = 0; j < p->joints; j++) {
        if (!takes_part(island, map->joint[j]))
            continue;
        w->joint[w->joints++] = j;
        for (int k = p->joint_row[j]; k < p->joint_row[j + 1]; k++)
            g->joint_row[g->joint_rows++] = k;
    }
    for (int j = 0; j < owned; j++)
        if (takes_part(island, map->entry[j]))
            w->unknown[w->unknowns++] = j;
    return VS_OK;
}

static vs_error number_unknowns(gathering *w, const vs_gathered *g) {
    const vs_problem *p = w->part;
    const int all = p->local ? p->N.cols : p->n;
    vs_error errors[3];
    const double first = sum_before(w->space, w->unknowns, w->arena, &errors[0]);
    w->row = (int)sum_before(w->space, g->rows, w->arena, &errors[1]);
    w->joint_row = (int)sum_before(w->space, g->joint_rows, w->arena, &errors[2]);
    for (int k = 0; k < 3; k++)
        if (errors[k])
            return errors[k];
    for (int j = 0; j < all; j++)
        w->number[j] = -1;
    for (int k = 0; k < w->unknowns; k++)
        w->number[w->unknown[k]] = first + k;
    vs_space_extend(w->space, all, w->number);
    return VS_OK;
}

// ---- arrays ----------------------------------------------------------------------------------------------------------

// Memory for what is to be sent.
static double *prepare(gathering *w, int64_t count) {
    w->count = (int)count;
    w->here = VS_NEW(w->arena, double, count);
    return w->here;
}

// w->here of all processes; null but on process 0. All processes agree on *error, which stays if there is one already.
static double *bring(gathering *w, vs_error *error) {
    double *all = NULL;
    *error = vs_space_agree(w->space, *error || w->here ? *error : VS_ERROR_MEMORY);
    if (*error)
        return NULL;
    w->total = (int64_t)vs_space_sum(w->space, w->count);
    if (w->space->rank == 0)
        all = VS_NEW(w->arena, double, w->total);
    *error = vs_space_agree(w->space, all || w->space->rank > 0 ? VS_OK : VS_ERROR_MEMORY);
    if (!*error)
        w->space->gather(w->space->user, w->count, w->here, all);
    return all;
}

// x at these places (count). x null: zeros
static double *bring_at(gathering *w, const double *x, const int *place, int count, vs_error *error) {
    double *here = prepare(w, count);
    for (int k = 0; k < count && here; k++)
        here[k] = x ? x[place[k]] : 0;
    return bring(w, error);
}

// Numbers of rows of the groups (count), as their first rows and the end; process 0.
static int *bring_sizes(gathering *w, const int *row, const int *group, int count, vs_error *error) {
    double *here = prepare(w, count);
    for (int k = 0; k < count && here; k++)
        here[k] = row[group[k] + 1] - row[group[k]];
    const double *size = bring(w, error);
    int *first = size ? VS_NEW_ZERO(w->arena, int, w->total + 1) : NULL;
    for (int64_t k = 0; k < w->total && first; k++)
        first[k + 1] = first[k] + (int)size[k];
    return first;
}

// Keys pass as the bits of doubles.
static uint64_t *bring_keys(gathering *w, const uint64_t *key, const int *group, int count, vs_error *error) {
    double *here = prepare(w, count);
    for (int k = 0; k < count && here; k++)
        memcpy(here + k, key + group[k], sizeof *here);
    const double *all = bring(w, error);
    uint64_t *keys = all ? VS_NEW(w->arena, uint64_t, w->total) : NULL;
    if (keys)
        memcpy(keys, all, sizeof *keys * (size_t)w->total);
    return keys;
}

static vs_cone_kind *bring_kinds(gathering *w, vs_error *error) {
    double *here = prepare(w, w->contacts);
    for (int k = 0; k < w->contacts && here; k++)
        here[k] = w->part->kind[w->contact[k]];
    const double *all = bring(w, error);
    vs_cone_kind *kind = all ? VS_NEW(w->arena, vs_cone_kind, w->total) : NULL;
    for (int64_t k = 0; k < w->total && kind; k++)
        kind[k] = (vs_cone_kind)(int)all[k];
    return kind;
}

// ---- matrices --------------------------------------------------------------------------------------------------------

// Entries in the making: (row, column, value) of each.
typedef struct entry_list {
    double *at;
    int64_t count;
} entry_list;

static void add_entry(entry_list *list, double row, double col, double x) {
    double *to = list->at + 3 * list->count++;
    to[0] = row, to[1] = col, to[2] = x;
}

// The matrix of all processes' entries; process 0.
static vs_sparse bring_matrix(gathering *w, int rows, int cols, vs_error *error) {
    const double *all = bring(w, error);
    vs_sparse made = {0};
    if (!all)
        return made;
    const int64_t count = w->total / 3;
    int *row = VS_NEW(w->arena, int, count), *col = VS_NEW(w->arena, int, count);
    double *x = VS_NEW(w->arena, double, count);
    *error = row && col && x ? VS_OK : VS_ERROR_MEMORY;
    for (int64_t k = 0; k < count && !*error; k++) {
        row[k] = (int)all[3 * k];
        col[k] = (int)all[3 * k + 1];
        x[k] = all[3 * k + 2];
    }
    if (!*error)
        *error = vs_sparse_from_triplets(rows, cols, count, row, col, x, w->arena, &made);
    return made;
}

// D' or C' of the groups that take part, whose first row in the whole is `first`.
static vs_sparse bring_rows(gathering *w, const vs_rows *A, const int *group, int count, int first, int rows, int cols,
                            vs_error *error) {
    int64_t entries = 0;
    for (int k = 0; k < count; k++)
        entries += A->value[group[k] + 1] - A->value[group[k]];
    entry_list list = {.at = prepare(w, 3 * entries)};
    for (int k = 0; k < count && list.at; k++) {
        const int g = group[k];
        const int64_t width = A->start[g + 1] - A->start[g];
        for (int r = A->row[g]; r < A->row[g + 1]; r++, first++)
            for (int64_t t = 0; t < width; t++)
                add_entry(&list, w->number[A->col[A->start[g] + t]], first,
                          A->x[A->value[g] + (r - A->row[g]) * width + t]);
    }
    return bring_matrix(w, rows, cols, error);
}

// H by the columns owned here, or N by its rows.
static vs_sparse bring_square(gathering *w, int size, vs_error *error) {
    const vs_sparse *A = w->part->local ? &w->part->N : &w->part->H;
    const int cols = w->part->local ? A->cols : vs_space_owned(w->space, A->cols);
    int64_t entries = 0;
    for (int j = 0; j < cols; j++)
        entries += w->number[j] >= 0 ? A->p[j + 1] - A->p[j] : 0;
    entry_list list = {.at = prepare(w, 3 * entries)};
    for (int j = 0; j < cols && list.at; j++)
        for (int64_t t = A->p[j]; t < A->p[j + 1] && w->number[j] >= 0; t++)
            add_entry(&list, w->number[A->i[t]], w->number[j], A->x[t]);
    return bring_matrix(w, size, size, error);
}

// ---- the whole -------------------------------------------------------------------------------------------------------

static void bring_contacts(gathering *w, const vs_gathered *g, vs_problem_parts *parts, vs_error *error) {
    const vs_problem *p = w->part;
    parts->contacts = (int)vs_space_sum(w->space, w->contacts);
    parts->row = bring_sizes(w, p->row, w->contact, w->contacts, error);
    parts->kind = bring_kinds(w, error);
    parts->mu = bring_at(w, p->mu, w->contact, w->contacts, error);
    parts->key = bring_keys(w, p->key, w->contact, w->contacts, error);
    parts->b = bring_at(w, p->local ? p->r : p->b, g->row, g->rows, error);
    parts->E = bring_at(w, p->E, g->row, g->rows, error);
    if (vs_space_any(w->space, p->lo != NULL)) {
        parts->lo = bring_at(w, p->lo, g->row, g->rows, error);
        parts->hi = bring_at(w, p->hi, g->row, g->rows, error);
    }
    if (vs_space_any(w->space, p->rolling != NULL)) {
        parts->rolling = bring_at(w, p->rolling, w->contact, w->contacts, error);
        parts->spinning = bring_at(w, p->spinning, w->contact, w->contacts, error);
    }
}

static void bring_joints(gathering *w, const vs_gathered *g, vs_problem_parts *parts, vs_error *error) {
    const vs_problem *p = w->part;
    parts->joints = (int)vs_space_sum(w->space, w->joints);
    parts->joint_row = bring_sizes(w, p->joint_row, w->joint, w->joints, error);
    parts->joint_key = bring_keys(w, p->joint_key, w->joint, w->joints, error);
    parts->b_e = bring_at(w, p->b_e, g->joint_row, g->joint_rows, error);
    parts->E_e = bring_at(w, p->E_e, g->joint_row, g->joint_rows, error);
}

// The problem of all that was brought; process 0.
static vs_error make_whole(const gathering *w, const vs_problem_parts *parts, const double *reference,
                           vs_problem **whole) {
    vs_error error = w->part->local ? vs_problem_local_from_parts(w->part->context, parts, whole)
                                    : vs_problem_from_parts(w->part->context, parts, whole);
    if (!error && reference) {
        (*whole)->reference = VS_COPY(&(*whole)->arena, double, reference, (*whole)->n);
        error = (*whole)->reference ? VS_OK : VS_ERROR_MEMORY;
    }
    return error;
}

static vs_error gather_whole(gathering *w, vs_gathered *g) {
    const vs_problem *p = w->part;
    vs_problem_parts parts = {0};
    double counts[3] = {w->unknowns, g->rows, g->joint_rows}, *reference = NULL;
    vs_error error = VS_OK;
    vs_space_sums(w->space, 3, counts);
    const int n = (int)counts[0], m = (int)counts[1], m_e = (int)counts[2];
    bring_contacts(w, g, &parts, &error);
    *(p->local ? &parts.N : &parts.H) = bring_square(w, n, &error);
    if (!p->local) {
        bring_joints(w, g, &parts, &error);
        parts.Dt = bring_rows(w, &p->D, w->contact, w->contacts, w->row, n, m, &error);
        parts.Ct = bring_rows(w, &p->C, w->joint, w->joints, w->joint_row, n, m_e, &error);
        parts.c = bring_at(w, p->c, w->unknown, w->unknowns, &error);
        if (vs_space_any(w->space, p->reference != NULL))
            reference = bring_at(w, p->reference, w->unknown, w->unknowns, &error);
    }
    if (!error && w->space->rank == 0)
        error = make_whole(w, &parts, reference, &g->whole);
    return vs_space_agree(w->space, error);
}

vs_error vs_gathered_create(vs_gathered *gathered, const vs_problem *part, const vs_island_map *map, const bool *island,
                            vs_arena *arena) {
    vs_arena scratch;
    vs_arena_init(&scratch, part->context);
    gathering w = {.part = part, .space = part->space, .arena = &scratch};
    *gathered = (vs_gathered){.part = part};
    vs_error error = vs_space_agree(w.space, choose(&w, gathered, map, island, arena));
    if (!error)
        error = number_unknowns(&w, gathered);
    if (!error)
        error = gather_whole(&w, gathered);
    vs_arena_release(&scratch);
    return error;
}

void vs_gathered_destroy(vs_gathered *gathered) {
    vs_problem_destroy(gathered->whole);
    gathered->whole = NULL;
}

// ---- impulses --------------------------------------------------------------------------------------------------------

static void collect(const vs_gathered *g, int count, const int *row, const double *x, double *all) {
    const vs_space *space = g->part->space;
    for (int k = 0; k < count; k++)
        g->wide[k] = x[row[k]];
    space->gather(space->user, count, g->wide, all);
}

static void spread(const vs_gathered *g, int count, const int *row, const double *all, double *x) {
    const vs_space *space = g->part->space;
    space->scatter(space->user, count, all, g->wide);
    for (int k = 0; k < count; k++)
        x[row[k]] = g->wide[k];
}

void vs_gathered_collect(const vs_gathered *gathered, const double *g, const double *lambda, double *all_g,
                         double *all_lambda) {
    collect(gathered, gathered->joint_rows, gathered->joint_row, g, all_g);
    collect(gathered, gathered->rows, gathered->row, lambda, all_lambda);
}

void vs_gathered_spread(const vs_gathered *gathered, const double *all_g, const double *all_lambda, double *g,
                        double *lambda) {
    spread(gathered, gathered->joint_rows, gathered->joint_row, all_g, g);
    spread(gathered, gathered->rows, gathered->row, all_lambda, lambda);
}
