// The fronts of a sparse LU factorization: see fronts.h.
//
//     order the groups of unknowns       ordering.c
//     elimination tree, postorder        the first later group that each touches once it is eliminated
//     structure of the factor            of a group: its later neighbours, and those of its children in the tree
//     fronts                             a group joins the front of its last child where that adds few zeros
#include "linalg/backend/fronts.h"

#include <string.h>

#include "base/array.h"
#include "base/sort.h"
#include "linalg/ordering/ordering.h"

// Zeros that a front may store, as a share of it, by its number of pivots: small fronts cost more in calls than in flops.
static const struct {
    int pivots;
    double zeros;
} RELAXED[] = {{9, 0.5}, {24, 0.2}, {48, 0.1}};
static const double RELAXED_LARGE = 0.05;

// Groups in the order of elimination, as a graph.
typedef struct elimination {
    vs_arena *arena;
    const vs_linear_pattern *pattern;
    int groups;
    int *first;    // (groups + 1) position of the first unknown
    int *group_of; // (n) by position
    int *unknown;  // (n) by position
    int64_t *p;    // (groups + 1) neighbours of each group
    int *i;        // (p[groups])
    int *parent;   // (groups) in the elimination tree; `groups`: none
} elimination;

// ---- the graph of groups -------------------------------------------------------------------------------

// The group of each unknown.
static void number_groups(const vs_linear_pattern *A, int *group) {
    int count = A->groups > 0 ? A->groups : A->n;
    for (int g = 0; g < count; g++)
        for (int j = A->groups > 0 ? A->group[g] : g; j < (A->groups > 0 ? A->group[g + 1] : g + 1); j++)
            group[j] = g;
}

// Positions, and the groups in their order, of `unknown`, in which groups are runs.
static void number_positions(elimination *e, const int *group, int *position) {
    int count = -1;
    for (int k = 0; k < e->pattern->n; k++) {
        if (k == 0 || group[e->unknown[k]] != group[e->unknown[k - 1]])
            e->first[++count] = k;
        e->group_of[k] = count;
        position[e->unknown[k]] = k;
    }
    e->groups = count + 1;
    e->first[e->groups] = e->pattern->n;
}

// Neighbours of each group, once each; `fill` null: counts them only.
static void list_neighbours(elimination *e, const int *position, int *mark, int64_t *fill) {
    const vs_linear_pattern *A = e->pattern;
    for (int g = 0; g < e->groups; g++)
        mark[g] = -1;
    for (int g = 0; g < e->groups; g++)
        for (int k = e->first[g]; k < e->first[g + 1]; k++)
            for (int64_t t = A->p[e->unknown[k]]; t < A->p[e->unknown[k] + 1]; t++) {
                int h = e->group_of[position[A->i[t]]];
                if (h == g || mark[h] == g)
                    continue;
                mark[h] = g;
                if (fill)
                    e->i[fill[g]++] = h;
                else
                    e->p[g + 1]++;
            }
}

static vs_error build_graph(elimination *e, const int *position, vs_arena *scratch) {
    int *mark = VS_NEW(scratch, int, e->groups);
    int64_t *fill = VS_NEW(scratch, int64_t, e->groups);
    e->p = VS_NEW_ZERO(scratch, int64_t, e->groups + 1);
    e->parent = VS_NEW(scratch, int, e->groups);
    if (!mark || !fill || !e->p || !e->parent)
        return VS_ERROR_MEMORY;
    list_neighbours(e, position, mark, NULL);
    for (int g = 0; g < e->groups; g++) {
        e->p[g + 1] += e->p[g];
        fill[g] = e->p[g];
    }
    e->i = VS_NEW(scratch, int, e->p[e->groups]);
    if (!e->i)
        return VS_ERROR_MEMORY;
    list_neighbours(e, position, mark, fill);
    return VS_OK;
}

// The elimination tree, by Liu's algorithm with path compression.
static void build_tree(elimination *e, int *ancestor) {
    for (int g = 0; g < e->groups; g++) {
        e->parent[g] = ancestor[g] = e->groups;
        for (int64_t t = e->p[g]; t < e->p[g + 1]; t++)
            for (int h = e->i[t]; h < g;) {
                int next = ancestor[h];
                ancestor[h] = g;
                if (next == e->groups)
                    e->parent[h] = g;
                if (next >= g)
                    break;
                h = next;
            }
    }
}

// Groups so that children come before their parents, the last directly: post[k] is the k-th.
static void find_postorder(const elimination *e, int *head, int *next, int *stack, int *post) {
    int count = 0;
    for (int g = 0; g < e->groups; g++)
        head[g] = -1;
    for (int g = e->groups - 1; g >= 0; g--)
        if (e->parent[g] < e->groups) {
            next[g] = head[e->parent[g]];
            head[e->parent[g]] = g;
        }
    for (int root = 0; root < e->groups; root++) {
        int depth = 0;
        if (e->parent[root] == e->groups)
            stack[depth++] = root;
        while (depth > 0) {
            int g = stack[depth - 1], child = head[g];
            if (child >= 0) {
                head[g] = next[child];
                stack[depth++] = child;
            } else {
                post[count++] = g;
                depth--;
            }
        }
    }
}

// The unknowns in postorder of the tree.
static void reorder(elimination *e, const int *post, int *unknown) {
    int count = 0;
    for (int k = 0; k < e->groups; k++)
        for (int j = e->first[post[k]]; j < e->first[post[k] + 1]; j++)
            unknown[count++] = e->unknown[j];
    memcpy(e->unknown, unknown, sizeof(int) * (size_t)count);
}

static vs_error order_groups(elimination *e, int *position, vs_arena *scratch) {
    const vs_linear_pattern *A = e->pattern;
    int *group = VS_NEW(scratch, int, A->n), *work = VS_NEW(scratch, int, A->n), *next = VS_NEW(scratch, int, A->n),
        *stack = VS_NEW(scratch, int, A->n), *post = VS_NEW(scratch, int, A->n);
    e->unknown = VS_NEW(scratch, int, A->n);
    e->group_of = VS_NEW(scratch, int, A->n);
    e->first = VS_NEW(scratch, int, A->n + 1);
    if (!group || !work || !next || !stack || !post || !e->unknown || !e->group_of || !e->first)
        return VS_ERROR_MEMORY;
    number_groups(A, group);
    vs_error error = vs_ordering(scratch->context, A, e->unknown);
    if (error)
        return error;
    for (int round = 0; round < 2; round++) { // the second one in postorder
        number_positions(e, group, position);
        error = build_graph(e, position, scratch);
        if (error)
            return error;
        build_tree(e, work);
        if (round == 0) {
            find_postorder(e, work, next, stack, post);
            reorder(e, post, work);
        }
    }
    return VS_OK;
}

// ---- structure -----------------------------------------------------------------------------------------

typedef VS_ARRAY(int) int_array;

// The structure of the factor: later[begin[g]] … later[begin[g + 1] - 1] are the groups after g that its elimination
// couples, ascending.
static vs_error find_structure(const elimination *e, int64_t *begin, int_array *later, int *mark, int *head,
                               int *next) {
    vs_context *context = e->arena->context;
    for (int g = 0; g < e->groups; g++)
        mark[g] = head[g] = -1;
    begin[0] = 0;
    for (int g = 0; g < e->groups; g++) {
        if (VS_RESERVE(context, later, later->count + e->groups))
            return VS_ERROR_MEMORY;
        int *list = later->data + later->count, count = 0;
        mark[g] = g;
        for (int64_t t = e->p[g]; t < e->p[g + 1]; t++)
            if (e->i[t] > g && mark[e->i[t]] != g) {
                mark[e->i[t]] = g;
                list[count++] = e->i[t];
            }
        for (int child = head[g]; child >= 0; child = next[child])
            for (int64_t t = begin[child]; t < begin[child + 1]; t++) {
                int h = later->data[t];
                if (mark[h] != g) {
                    mark[h] = g;
                    list[count++] = h;
                }
            }
        vs_sort_ints(list, count);
        later->count += count;
        begin[g + 1] = later->count;
        if (count > 0) {
            next[g] = head[list[0]];
            head[list[0]] = g;
        }
    }
    return VS_OK;
}

// ---- fronts --------------------------------------------------------------------------------------------

// Unknowns that the elimination of group g couples.
static int border_of(const elimination *e, const int64_t *begin, const int *later, int g) {
    int count = 0;
    for (int64_t t = begin[g]; t < begin[g + 1]; t++)
        count += e->first[later[t] + 1] - e->first[later[t]];
    return count;
}

static bool accepts(int pivots, double zeros) {
    for (size_t k = 0; k < sizeof RELAXED / sizeof *RELAXED; k++)
        if (pivots <= RELAXED[k].pivots)
            return zeros <= RELAXED[k].zeros;
    return zeros <= RELAXED_LARGE;
}

// last[f]: the last group of front f; returns their number.
static int merge_groups(const elimination *e, const int64_t *begin, const int *later, int *last) {
    int count = 0, pivots = 0;
    double zeros = 0; // of the front so far, in its pivots' columns
    for (int g = 0; g < e->groups; g++) {
        int size = e->first[g + 1] - e->first[g], border = border_of(e, begin, later, g);
        bool joins = false;
        if (g > 0 && e->parent[g - 1] == g) {
            double missing = zeros + (double)pivots * (size + border - border_of(e, begin, later, g - 1));
            double all = (double)(pivots + size) * (pivots + size + border);
            joins = accepts(pivots + size, missing / all);
            zeros = joins ? missing : 0;
        }
        if (!joins) {
            count++;
            pivots = 0;
            zeros = 0;
        }
        last[count - 1] = g;
        pivots += size;
    }
    return count;
}

static vs_error list_borders(vs_fronts *f, const elimination *e, const int64_t *begin, const int *later,
                             const int *last, int *front_of) {
    f->first = VS_NEW(e->arena, int, f->count + 1);
    f->rows = VS_NEW(e->arena, int64_t, f->count + 1);
    f->parent = VS_NEW(e->arena, int, f->count);
    if (!f->first || !f->rows || !f->parent)
        return VS_ERROR_MEMORY;
    f->first[0] = 0;
    f->rows[0] = 0;
    for (int k = 0; k < f->count; k++) {
        f->first[k + 1] = e->first[last[k] + 1];
        f->rows[k + 1] = f->rows[k] + border_of(e, begin, later, last[k]);
        for (int j = f->first[k]; j < f->first[k + 1]; j++)
            front_of[j] = k;
    }
    f->border = VS_NEW(e->arena, int, f->rows[f->count]);
    f->place = VS_NEW(e->arena, int, f->rows[f->count]);
    if (!f->border || !f->place)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < f->count; k++) {
        int64_t at = f->rows[k];
        for (int64_t t = begin[last[k]]; t < begin[last[k] + 1]; t++)
            for (int j = e->first[later[t]]; j < e->first[later[t] + 1]; j++)
                f->border[at++] = j;
        f->parent[k] = at > f->rows[k] ? front_of[f->border[f->rows[k]]] : f->count;
    }
    return VS_OK;
}

// The row of a front at which a position is; it has one.
static int row_of(const vs_fronts *f, int front, int position) {
    if (position < f->first[front + 1])
        return position - f->first[front];
    int64_t low = f->rows[front], high = f->rows[front + 1] - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (f->border[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return vs_front_pivots(f, front) + (int)(low - f->rows[front]);
}

static void place_borders(vs_fronts *f) {
    for (int k = 0; k < f->count; k++)
        for (int64_t t = f->rows[k]; t < f->rows[k + 1]; t++)
            f->place[t] = row_of(f, f->parent[k], f->border[t]);
}

static vs_error place_entries(vs_fronts *f, const vs_linear_pattern *A, const int *front_of, vs_arena *arena,
                              vs_arena *scratch) {
    int64_t *fill = VS_NEW(scratch, int64_t, f->count);
    f->entry = VS_NEW_ZERO(arena, int64_t, f->count + 1);
    f->value = VS_NEW(arena, int64_t, A->p[A->n]);
    f->row = VS_NEW(arena, int, A->p[A->n]);
    f->col = VS_NEW(arena, int, A->p[A->n]);
    if (!fill || !f->entry || !f->value || !f->row || !f->col)
        return VS_ERROR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < A->n; j++)
            for (int64_t t = A->p[j]; t < A->p[j + 1]; t++) {
                int row = f->position[A->i[t]], col = f->position[j], front = front_of[row < col ? row : col];
                if (pass == 0) {
                    f->entry[front + 1]++;
                    continue;
                }
                f->value[fill[front]] = t;
                f->row[fill[front]] = row_of(f, front, row);
                f->col[fill[front]++] = row_of(f, front, col);
            }
        for (int k = 0; k < f->count && pass == 0; k++) {
            f->entry[k + 1] += f->entry[k];
            fill[k] = f->entry[k];
        }
    }
    return VS_OK;
}

static void count_work(vs_fronts *f) {
    int64_t waiting = 0;
    for (int k = 0; k < f->count; k++) {
        int64_t pivots = vs_front_pivots(f, k), border = vs_front_border(f, k), rows = pivots + border;
        f->largest = rows > f->largest ? (int)rows : f->largest;
        f->numbers += rows * pivots + pivots * border;
        for (int64_t p = 1; p <= pivots; p++)
            f->flops += (double)(rows - p) * (1 + 2 * (double)(rows - p));
        for (int child = f->child[k]; child >= 0; child = f->sibling[child])
            waiting -= (int64_t)vs_front_border(f, child) * vs_front_border(f, child);
        waiting += border * border;
        f->stack = waiting > f->stack ? waiting : f->stack;
    }
}

// Children, the last first: the order in which their borders are taken from the stack.
static vs_error list_children(vs_fronts *f, vs_arena *arena) {
    f->child = VS_NEW(arena, int, f->count);
    f->sibling = VS_NEW(arena, int, f->count);
    if (!f->child || !f->sibling)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < f->count; k++)
        f->child[k] = -1;
    for (int k = 0; k < f->count; k++) {
        if (f->parent[k] == f->count)
            continue;
        f->sibling[k] = f->child[f->parent[k]];
        f->child[f->parent[k]] = k;
    }
    return VS_OK;
}

static vs_error make_fronts(vs_fronts *f, elimination *e, int_array *later, vs_arena *scratch) {
    const vs_linear_pattern *A = e->pattern;
    int *mark = VS_NEW(scratch, int, e->groups), *head = VS_NEW(scratch, int, e->groups),
        *next = VS_NEW(scratch, int, e->groups), *last = VS_NEW(scratch, int, e->groups),
        *front_of = VS_NEW(scratch, int, A->n);
    int64_t *begin = VS_NEW(scratch, int64_t, e->groups + 1);
    if (!mark || !head || !next || !last || !front_of || !begin)
        return VS_ERROR_MEMORY;
    vs_error error = find_structure(e, begin, later, mark, head, next);
    if (error)
        return error;
    f->count = merge_groups(e, begin, later->data, last);
    error = list_borders(f, e, begin, later->data, last, front_of);
    if (!error)
        error = list_children(f, e->arena);
    if (error)
        return error;
    place_borders(f);
    count_work(f);
    return place_entries(f, A, front_of, e->arena, scratch);
}

vs_error vs_fronts_create(vs_fronts *fronts, const vs_linear_pattern *pattern, vs_arena *arena) {
    vs_arena scratch;
    int_array later = {0};
    elimination e = {.arena = arena, .pattern = pattern};
    vs_arena_init(&scratch, arena->context);
    *fronts = (vs_fronts){.position = VS_NEW(arena, int, pattern->n)};
    vs_error error = fronts->position ? order_groups(&e, fronts->position, &scratch) : VS_ERROR_MEMORY;
    if (!error)
        error = make_fronts(fronts, &e, &later, &scratch);
    VS_ARRAY_RELEASE(arena->context, &later);
    vs_arena_release(&scratch);
    return error;
}
