// Sums over elements (see assembly.h).
//
// Pattern: elements of a block by counting, then its neighbours of larger number, marked once each and sorted. Linear
// in the sum of squares of element sizes, except for sorting one block's neighbours. A column 3 j + c of the lower
// triangle holds rows c … 2 of the diagonal block, then 3 rows of every block below, in ascending order. Entry (r, c)
// of the k-th block below is at
//
//     p[3 j + c] + 3 - c + 3 k + r
//
// so that only the number k is stored, one per pair of blocks of an element.
//
// Colours: every element takes the first colour that no element before it with a common block has (greedy), 64 colours
// at a time as bits of a word.
#include "element/assembly.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

enum { GRAIN = 16, WORD = 64, ROWS_MOST = 3 * VS_ELEMENT_BLOCKS_MOST };

struct vs_assembly {
    vs_context *context;
    vs_arena arena;
    int blocks, elements, colours;
    int *start, *block;     // elements' blocks, a copy
    int64_t *pair;          // (elements + 1) first pair of each element
    int *slot;              // (pair[elements]) k of each pair a > b of local blocks; unused where one is fixed
    int *colour_start;      // (colours + 1) first place of each colour in
    int *order;             // (elements) elements by colour, ascending within one
    double *energy;         // (elements)
    int64_t *p;             // (3 blocks + 1)
    int *i;                 // (p[3 blocks])
    int *group;             // (blocks + 1)
    int64_t *below;         // (blocks + 1) first block below the diagonal of each block column in
    int *below_block;       // (below[blocks])
    int64_t *element_start; // (blocks + 1) first of a block's elements in
    int *element_of;        // (element_start[blocks])
};

// ---- creation --------------------------------------------------------------------------------------

static vs_error check_def(vs_context *context, const vs_assembly_def *def) {
    if (def->blocks < 1 || def->blocks > INT32_MAX / 3 || def->elements < 0 || def->start[0] != 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "assembly: invalid number of blocks (%d) or elements (%d)",
                       def->blocks, def->elements);
    for (int e = 0; e < def->elements; e++) {
        int size = def->start[e + 1] - def->start[e];
        const int *block = def->block + def->start[e];
        if (size < 1 || size > VS_ELEMENT_BLOCKS_MOST)
            return vs_fail(context, VS_ERROR_DATA, "element %d has %d nodes", e, size);
        for (int a = 0; a < size; a++) {
            if (block[a] < -1 || block[a] >= def->blocks)
                return vs_fail(context, VS_ERROR_DATA, "element %d: there is no node %d", e, block[a]);
            for (int b = 0; b < a; b++)
                if (block[a] >= 0 && block[a] == block[b])
                    return vs_fail(context, VS_ERROR_DATA, "element %d has node %d more than once", e, block[a]);
        }
    }
    return VS_OK;
}

static void accumulate(int count, int64_t *p) {
    for (int k = 0; k < count; k++)
        p[k + 1] += p[k];
}

// Elements of each block, ascending.
static bool list_elements(vs_assembly *s) {
    s->element_start = VS_NEW_ZERO(&s->arena, int64_t, (int64_t)s->blocks + 1);
    int64_t *next = VS_NEW(&s->arena, int64_t, s->blocks);
    s->element_of = VS_NEW(&s->arena, int, s->start[s->elements]);
    if (!s->element_start || !next || !s->element_of)
        return false;
    for (int k = 0; k < s->start[s->elements]; k++)
        if (s->block[k] >= 0)
            s->element_start[s->block[k] + 1]++;
    accumulate(s->blocks, s->element_start);
    memcpy(next, s->element_start, (size_t)s->blocks * sizeof *next);
    for (int e = 0; e < s->elements; e++)
        for (int k = s->start[e]; k < s->start[e + 1]; k++)
            if (s->block[k] >= 0)
                s->element_of[next[s->block[k]]++] = e;
    return true;
}

// Neighbours of block j with larger numbers, unsorted, into list (null: only counted). mark (blocks): the last block
// that has seen each, with a different sign for the two passes.
static int64_t neighbours_below(const vs_assembly *s, int j, int stamp, int *mark, int *list) {
    int64_t count = 0;
    for (int64_t t = s->element_start[j]; t < s->element_start[j + 1]; t++) {
        int e = s->element_of[t];
        for (int k = s->start[e]; k < s->start[e + 1]; k++) {
            int i = s->block[k];
            if (i <= j || mark[i] == stamp)
                continue;
            mark[i] = stamp;
            if (list)
                list[count] = i;
            count++;
        }
    }
    return count;
}

static bool list_neighbours(vs_assembly *s) {
    s->below = VS_NEW_ZERO(&s->arena, int64_t, (int64_t)s->blocks + 1);
    int *mark = VS_NEW_ZERO(&s->arena, int, s->blocks);
    if (!s->below || !mark)
        return false;
    for (int j = 0; j < s->blocks; j++)
        s->below[j + 1] = s->below[j] + neighbours_below(s, j, j + 1, mark, NULL);
    s->below_block = VS_NEW(&s->arena, int, s->below[s->blocks]);
    if (!s->below_block)
        return false;
    for (int j = 0; j < s->blocks; j++) {
        int *list = s->below_block + s->below[j];
        size_t count = (size_t)neighbours_below(s, j, -j - 1, mark, list);
        vs_sort_ints(list, (int64_t)count);
    }
    return true;
}

static bool make_pattern(vs_assembly *s) {
    int64_t values = 9 * s->below[s->blocks] + 6 * (int64_t)s->blocks;
    s->p = VS_NEW(&s->arena, int64_t, 3 * (int64_t)s->blocks + 1);
    s->i = VS_NEW(&s->arena, int, values);
    s->group = VS_NEW(&s->arena, int, (int64_t)s->blocks + 1);
    if (!s->p || !s->i || !s->group)
        return false;
    int64_t at = 0;
    for (int j = 0; j < s->blocks; j++) {
        s->group[j] = 3 * j;
        for (int c = 0; c < 3; c++) {
            s->p[3 * j + c] = at;
            for (int r = c; r < 3; r++)
                s->i[at++] = 3 * j + r;
            for (int64_t k = s->below[j]; k < s->below[j + 1]; k++)
                for (int r = 0; r < 3; r++)
                    s->i[at++] = 3 * s->below_block[k] + r;
        }
    }
    s->p[3 * s->blocks] = at;
    s->group[s->blocks] = 3 * s->blocks;
    return true;
}

// Position of block i among the blocks below j; i must be one of them.
static int find_below(const vs_assembly *s, int i, int j) {
    int64_t low = s->below[j], high = s->below[j + 1];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (s->below_block[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return (int)(low - s->below[j]);
}

static bool make_slots(vs_assembly *s) {
    s->pair = VS_NEW_ZERO(&s->arena, int64_t, (int64_t)s->elements + 1);
    if (!s->pair)
        return false;
    for (int e = 0; e < s->elements; e++) {
        int size = s->start[e + 1] - s->start[e];
        s->pair[e + 1] = s->pair[e] + size * (size - 1) / 2;
    }
    s->slot = VS_NEW_ZERO(&s->arena, int, s->pair[s->elements]);
    if (!s->slot)
        return false;
    for (int e = 0; e < s->elements; e++) {
        const int *block = s->block + s->start[e];
        int64_t at = s->pair[e];
        for (int a = 1; a < s->start[e + 1] - s->start[e]; a++)
            for (int b = 0; b < a; b++, at++)
                if (block[a] >= 0 && block[b] >= 0)
                    s->slot[at] =
                        block[a] > block[b] ? find_below(s, block[a], block[b]) : find_below(s, block[b], block[a]);
    }
    return true;
}

// Assigns the colours first … first + 63 to elements without one (-1); returns the number of those still without.
static int colour_some(const vs_assembly *s, int first, uint64_t *used, int *colour) {
    int left = 0;
    memset(used, 0, (size_t)s->blocks * sizeof *used);
    for (int e = 0; e < s->elements; e++) {
        uint64_t taken = 0;
        if (colour[e] >= 0)
            continue;
        for (int k = s->start[e]; k < s->start[e + 1]; k++)
            taken |= s->block[k] >= 0 ? used[s->block[k]] : 0;
        if (taken == UINT64_MAX) {
            left++;
            continue;
        }
        int bit = 0;
        while (taken >> bit & 1)
            bit++;
        colour[e] = first + bit;
        for (int k = s->start[e]; k < s->start[e + 1]; k++)
            if (s->block[k] >= 0)
                used[s->block[k]] |= UINT64_C(1) << bit;
    }
    return left;
}

static bool make_colours(vs_assembly *s) {
    uint64_t *used = VS_NEW(&s->arena, uint64_t, s->blocks);
    int *colour = VS_NEW(&s->arena, int, s->elements);
    s->order = VS_NEW(&s->arena, int, s->elements);
    if (!used || !colour || !s->order)
        return false;
    for (int e = 0; e < s->elements; e++)
        colour[e] = -1;
    for (int first = 0; colour_some(s, first, used, colour) > 0;)
        first += WORD;
    for (int e = 0; e < s->elements; e++)
        s->colours = colour[e] >= s->colours ? colour[e] + 1 : s->colours;
    s->colour_start = VS_NEW_ZERO(&s->arena, int, (int64_t)s->colours + 2);
    if (!s->colour_start)
        return false;
    // Counted two places ahead, so that filling turns the counts into first positions.
    for (int e = 0; e < s->elements; e++)
        s->colour_start[colour[e] + 2]++;
    for (int k = 0; k < s->colours; k++)
        s->colour_start[k + 2] += s->colour_start[k + 1];
    for (int e = 0; e < s->elements; e++)
        s->order[s->colour_start[colour[e] + 1]++] = e;
    return true;
}

vs_error vs_assembly_create(vs_context *context, const vs_assembly_def *def, vs_assembly **assembly) {
    *assembly = NULL;
    vs_error error = check_def(context, def);
    if (error)
        return error;
    vs_assembly *s = vs_allocate(context, sizeof *s);
    if (!s)
        return vs_fail_memory(context);
    *s = (vs_assembly){.context = context, .blocks = def->blocks, .elements = def->elements};
    vs_arena_init(&s->arena, context);
    s->start = VS_COPY(&s->arena, int, def->start, (int64_t)def->elements + 1);
    s->block = VS_COPY(&s->arena, int, def->block, def->start[def->elements]);
    s->energy = VS_NEW(&s->arena, double, def->elements);
    if (!s->start || !s->block || !s->energy || !list_elements(s) || !list_neighbours(s) || !make_pattern(s) ||
        !make_slots(s) || !make_colours(s)) {
        vs_assembly_destroy(s);
        return VS_ERROR_MEMORY;
    }
    *assembly = s;
    return VS_OK;
}

void vs_assembly_destroy(vs_assembly *assembly) {
    if (!assembly)
        return;
    vs_arena_release(&assembly->arena);
    vs_release(assembly->context, assembly);
}

vs_linear_pattern vs_assembly_pattern(const vs_assembly *s) {
    return (vs_linear_pattern){
        .n = 3 * s->blocks, .p = s->p, .i = s->i, .symmetric = true, .groups = s->blocks, .group = s->group};
}

// ---- sums ------------------------------------------------------------------------------------------

typedef struct sum_job {
    vs_assembly *assembly;
    vs_element_function *function;
    void *user;
    double *force, *matrix;
    bool energy;
    int first; // place in order of the colour's first element
} sum_job;

// The block (a, b) of an element matrix is added to block (i, j), i >= j, of the pattern; transposed if the element has
// them the other way round.
static void scatter_block(const vs_assembly *s, int slot, int i, int j, const double *from, int row, int column,
                          double *matrix) {
    for (int c = 0; c < 3; c++) {
        double *to = matrix + s->p[3 * j + c];
        if (i == j) {
            for (int r = c; r < 3; r++)
                to[r - c] += from[r * row + c * column];
        } else {
            to += 3 - c + 3 * (int64_t)slot;
            for (int r = 0; r < 3; r++)
                to[r] += from[r * row + c * column];
        }
    }
}

static void scatter_matrix(const vs_assembly *s, int e, const double *from, double *matrix) {
    const int *block = s->block + s->start[e], *slot = s->slot + s->pair[e];
    int size = s->start[e + 1] - s->start[e], n = 3 * size;
    for (int a = 0; a < size; a++) {
        for (int b = 0; b < a; b++, slot++) {
            const double *at = from + 3 * a * n + 3 * b;
            if (block[a] < 0 || block[b] < 0)
                continue;
            if (block[a] > block[b])
                scatter_block(s, *slot, block[a], block[b], at, n, 1, matrix);
            else
                scatter_block(s, *slot, block[b], block[a], at, 1, n, matrix);
        }
        if (block[a] >= 0)
            scatter_block(s, 0, block[a], block[a], from + 3 * a * n + 3 * a, n, 1, matrix);
    }
}

static void add_elements(void *user, int64_t begin, int64_t end) {
    const sum_job *job = user;
    vs_assembly *s = job->assembly;
    double force[ROWS_MOST], matrix[ROWS_MOST * ROWS_MOST];
    for (int64_t t = begin; t < end; t++) {
        int e = s->order[job->first + t], size = s->start[e + 1] - s->start[e];
        const int *block = s->block + s->start[e];
        size_t rows = 3 * (size_t)size;
        if (job->force)
            memset(force, 0, rows * sizeof *force);
        if (job->matrix)
            memset(matrix, 0, rows * rows * sizeof *matrix);
        s->energy[e] = 0;
        job->function(job->user, e, job->energy ? &s->energy[e] : NULL, job->force ? force : NULL,
                      job->matrix ? matrix : NULL);
        for (int a = 0; a < size && job->force; a++)
            for (int c = 0; c < 3 && block[a] >= 0; c++)
                job->force[3 * block[a] + c] += force[3 * a + c];
        if (job->matrix)
            scatter_matrix(s, e, matrix, job->matrix);
    }
}

void vs_assembly_add(vs_assembly *assembly, vs_element_function *function, void *user, double *energy, double *force,
                     double *matrix) {
    sum_job job = {assembly, function, user, force, matrix, energy != NULL, 0};
    for (int k = 0; k < assembly->colours; k++) {
        job.first = assembly->colour_start[k];
        vs_parallel_for(assembly->context, assembly->colour_start[k + 1] - job.first, GRAIN, add_elements, &job);
    }
    if (!energy)
        return;
    // Compensated, because differences of this sum over small steps matter.
    double sum = 0, lost = 0;
    for (int e = 0; e < assembly->elements; e++) {
        double x = assembly->energy[e], total = sum + x;
        lost += fabs(sum) >= fabs(x) ? (sum - total) + x : (x - total) + sum;
        sum = total;
    }
    *energy = sum + lost;
}

void vs_assembly_multiply(const vs_assembly *s, const double *matrix, double alpha, const double *x, double beta,
                          double *y) {
    int n = 3 * s->blocks;
    for (int k = 0; k < n; k++)
        y[k] = beta == 0 ? 0 : beta * y[k];
    for (int j = 0; j < n; j++) {
        double factor = alpha * x[j], sum = matrix[s->p[j]] * factor;
        for (int64_t k = s->p[j] + 1; k < s->p[j + 1]; k++) {
            y[s->i[k]] += matrix[k] * factor;
            sum += alpha * matrix[k] * x[s->i[k]];
        }
        y[j] += sum;
    }
}
