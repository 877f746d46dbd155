// The trees of a problem: see forest.h.
#include <math.h>
#include <string.h>

#include "base/disjoint_sets.h"
#include "solver/forest/forest_pattern.h"

enum { WIDTH = VS_FOREST_WIDTH };

// ---- does it suit? -----------------------------------------------------------------------------------

// Columns in whole nodes?
static bool has_whole_nodes(const vs_rows *A, int g) {
    const int64_t width = A->start[g + 1] - A->start[g];
    const int *col = A->col + A->start[g];
    for (int64_t k = 0; k < width; k++)
        if (col[k] != col[k - k % WIDTH] + k % WIDTH || col[k - k % WIDTH] % WIDTH != 0)
            return false;
    return width > 0 && width % WIDTH == 0;
}

static bool couples_within_nodes(const vs_sparse *H) {
    for (int k = 0; k < H->cols; k++)
        for (int64_t at = H->p[k]; at < H->p[k + 1]; at++)
            if (H->i[at] / WIDTH != k / WIDTH)
                return false;
    return true;
}

static bool suits(const vs_problem *p) {
    if (p->local || p->space || !p->block_diagonal || p->n % WIDTH != 0 || p->joints == 0)
        return false;
    for (int k = 0; k < p->contacts; k++)
        if (!vs_problem_has_friction(p, k) && !has_whole_nodes(&p->D, k))
            return false;
    for (int k = 0; k < p->joints; k++)
        if (!has_whole_nodes(&p->C, k) || p->C.row[k + 1] - p->C.row[k] > VS_FOREST_JOINT)
            return false;
    return couples_within_nodes(&p->H);
}

// ---- joints of the trees -------------------------------------------------------------------------------

// Nodes of a joint, -1: the ground. False: they are more than two.
static bool find_ends(const vs_rows *C, int g, int end[2]) {
    const int64_t width = C->start[g + 1] - C->start[g];
    end[0] = C->col[C->start[g]] / WIDTH;
    end[1] = width > WIDTH ? C->col[C->start[g] + WIDTH] / WIDTH : -1;
    return width <= 2 * (int64_t)WIDTH;
}

// Ties `node` by joint g to the node above it.
static void tie(vs_forest *s, const vs_rows *C, int g, int node) {
    int end[2];
    (void)find_ends(C, g, end);
    vs_forest_node *tied = &s->node[node];
    tied->group = g;
    tied->rows = C->row[g + 1] - C->row[g];
    tied->own = end[0] == node ? 0 : WIDTH;
    tied->others = end[1] < 0 ? -1 : WIDTH - tied->own;
    tied->above = end[1] < 0 ? -1 : end[0] == node ? end[1] : end[0];
}

// Breadth first from the nodes in `queue`, whose number is returned: all that hang on them.
static int reach(vs_forest *s, const vs_rows *C, const bool *part, bool *reached, int *queue, int begin, int count) {
    for (int k = begin; k < count; k++)
        for (int g = 0; g < C->groups; g++) {
            int end[2];
            if (!part[g] || !find_ends(C, g, end) || end[1] < 0 || (end[0] != queue[k] && end[1] != queue[k]))
                continue;
            const int other = end[0] == queue[k] ? end[1] : end[0];
            if (reached[other])
                continue;
            reached[other] = true;
            tie(s, C, g, other);
            queue[count++] = other;
        }
    return count;
}

// part (joints): is a joint of the trees? order: from the leaves on.
static void grow(vs_forest *s, const vs_rows *C, int *set, bool *part, bool *reached) {
    int count = 0, *queue = s->order;
    for (int k = 0; k <= s->nodes; k++)
        set[k] = k;
    for (int g = 0; g < C->groups; g++) {
        int end[2];
        part[g] = find_ends(C, g, end) && vs_sets_join(set, end[0], end[1] < 0 ? s->nodes : end[1]);
        if (part[g] && end[1] < 0) {
            reached[end[0]] = true;
            tie(s, C, g, end[0]);
            queue[count++] = end[0];
        }
    }
    count = reach(s, C, part, reached, queue, 0, count);
    for (int k = 0; k < s->nodes; k++)
        if (!reached[k]) {
            reached[k] = true;
            queue[count++] = k;
            count = reach(s, C, part, reached, queue, count - 1, count);
        }
    for (int i = 0, j = s->nodes - 1; i < j; i++, j--) {
        const int swapped = queue[i];
        queue[i] = queue[j], queue[j] = swapped;
    }
}

// ---- rows beside the trees -----------------------------------------------------------------------------

static void add_rows(vs_forest *s, const vs_rows *A, int g, bool joint) {
    const int64_t width = A->start[g + 1] - A->start[g];
    for (int k = A->row[g]; k < A->row[g + 1]; k++)
        s->row[s->rows++] = (vs_forest_row){.joint = joint,
                                            .group = g,
                                            .row = k,
                                            .at = A->value[g] + (k - A->row[g]) * width,
                                            .lo = joint ? -INFINITY : 0,
                                            .hi = INFINITY};
}

static int count_rows(const vs_problem *p, const bool *part) {
    int rows = 0;
    for (int g = 0; g < p->contacts; g++)
        rows += vs_problem_has_friction(p, g) ? 0 : p->row[g + 1] - p->row[g];
    for (int g = 0; g < p->joints; g++)
        rows += part[g] ? 0 : p->C.row[g + 1] - p->C.row[g];
    return rows;
}

// The nodes of a row and all above them, leaves first; `on` (nodes): work, false before and after.
static void find_path(vs_forest *s, vs_forest_row *row, bool *on, int *count) {
    const vs_forest_view view = vs_forest_view_row(s, row);
    int *slot = s->slot + (row - s->row) * (int64_t)s->nodes;
    for (int k = 0; k < view.width; k += WIDTH)
        for (int node = view.col[k] / WIDTH; node >= 0 && !on[node]; node = s->node[node].above)
            on[node] = true;
    row->first = *count;
    for (int k = 0; k < s->nodes; k++) {
        const int node = s->order[k];
        slot[node] = on[node] ? *count : -1;
        if (on[node])
            s->path[(*count)++] = node;
        on[node] = false;
    }
    row->nodes = *count - row->first;
}

// Motors, limits and dry friction of one joint have the same columns.
static int find_before(const vs_forest *s, int k) {
    const vs_forest_view view = vs_forest_view_row(s, &s->row[k]);
    for (int j = k - 1; j >= 0; j--) {
        const vs_forest_view other = vs_forest_view_row(s, &s->row[j]);
        if (other.width == view.width && memcmp(other.col, view.col, sizeof *view.col * (size_t)view.width) == 0)
            return j;
    }
    return -1;
}

static vs_error make_rows(vs_forest *s, vs_arena *arena, const bool *part, bool *on) {
    const vs_problem *p = s->run->problem;
    const int64_t rows = count_rows(p, part), most = rows * s->nodes;
    s->row = VS_NEW(arena, vs_forest_row, rows);
    s->path = VS_NEW(arena, int, most);
    s->slot = VS_NEW(arena, int, most);
    s->A = VS_NEW(arena, double, rows *rows);
    s->factor = VS_NEW(arena, double, rows *rows);
    s->q = VS_NEW(arena, double, rows);
    s->x = VS_NEW(arena, double, rows);
    s->w = VS_NEW(arena, double, rows);
    s->scale = VS_NEW(arena, double, rows);
    s->between = VS_NEW(arena, int, rows);
    if (!s->row || !s->path || !s->slot || !s->A || !s->factor || !s->q || !s->x || !s->w || !s->scale || !s->between)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < p->contacts; g++)
        if (!vs_problem_has_friction(p, g))
            add_rows(s, &p->D, g, false);
    for (int g = 0; g < p->joints; g++)
        if (!part[g])
            add_rows(s, &p->C, g, true);
    int count = 0;
    for (int k = 0; k < s->rows; k++) {
        find_path(s, &s->row[k], on, &count);
        s->row[k].before = find_before(s, k);
    }
    s->load = VS_NEW_ZERO(arena, vs_forest_load, count);
    return s->load ? VS_OK : VS_ERROR_MEMORY;
}

// ---- the whole -----------------------------------------------------------------------------------------

static vs_error make(vs_forest *s, vs_arena *arena, bool *suitable) {
    const vs_problem *p = s->run->problem;
    s->nodes = p->n / WIDTH;
    s->node = VS_NEW_ZERO(arena, vs_forest_node, s->nodes);
    s->order = VS_NEW(arena, int, s->nodes);
    s->sweep = VS_NEW_ZERO(arena, vs_forest_load, s->nodes);
    s->v = VS_NEW_ZERO(arena, double, p->n);
    s->g = VS_NEW_ZERO(arena, double, p->m_e);
    s->r_e = VS_NEW_ZERO(arena, double, p->m_e);
    int *set = VS_NEW(arena, int, s->nodes + 1);
    bool *part = VS_NEW(arena, bool, p->joints), *reached = VS_NEW_ZERO(arena, bool, s->nodes);
    if (!s->node || !s->order || !s->sweep || !s->v || !s->g || !s->r_e || !set || !part || !reached)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < s->nodes; k++)
        s->node[k].above = s->node[k].group = -1;
    grow(s, &p->C, set, part, reached);
    *suitable = count_rows(p, part) <= VS_FOREST_ROWS_MOST;
    memset(reached, 0, sizeof *reached * (size_t)s->nodes);
    return *suitable ? make_rows(s, arena, part, reached) : VS_OK;
}

vs_error vs_forest_pattern_make(vs_forest *forest, vs_arena *arena, bool *suitable) {
    *suitable = suits(forest->run->problem);
    return *suitable ? make(forest, arena, suitable) : VS_OK;
}
