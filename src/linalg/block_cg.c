// Conjugate gradients on the scaled matrix between the two triangles, T = (1 + L)^-1 A (1 + L')^-1:
//
//     T d = t + (1 + L)^-1 (d + (A_d - 2) t),   t = (1 + L')^-1 d
//
// S. C. Eisenstat, Efficient implementation of a class of preconditioned conjugate gradient methods, SIAM J. Sci. Stat.
// Comput. 2 (1981).
// d is updated in the upward sweep, the products are summed in the downward one.
#include "linalg/block_cg.h"

#include <math.h>
#include <string.h>

enum {
    LARGEST = 16,     // unknowns of a block
    CHUNK = 40000,    // rows of a chunk, at least
    MOST_CHUNKS = 16, //
    BODY = 6,         // unknowns of the usual block
    PADDING = 8       // values that a product of the usual block may read past its end
};

// ---- creation --------------------------------------------------------------------------------------

static int size_of(const vs_block_cg *cg, int g) {
    return cg->group[g + 1] - cg->group[g];
}

static int chunk_of(const vs_block_cg *cg, int g) {
    return (int)((int64_t)g * cg->chunks / cg->rows);
}

// Rows in the order of the groups, except those that touch a later chunk: they come last, so that the chunks have no
// common blocks. One more chunk takes 5 to 10 % more iterations on piles of spheres; an order by nested dissection
// takes half as many again.
static void order_rows(vs_block_cg *cg, const vs_linear_pattern *A, int *group_of, int *between) {
    const int *first = A->group;
    for (int g = 0; g < cg->rows; g++)
        for (int j = first[g]; j < first[g + 1]; j++)
            group_of[j] = g;
    for (int g = 0; g < cg->rows; g++) {
        between[g] = 0;
        for (int j = first[g]; j < first[g + 1]; j++)
            for (int64_t t = A->p[j]; t < A->p[j + 1]; t++)
                between[g] |= chunk_of(cg, group_of[A->i[t]]) > chunk_of(cg, g);
    }
    int row = 0;
    for (int last = 0; last < 2; last++)
        for (int g = 0; g < cg->rows; g++) {
            if (between[g] != last)
                continue;
            cg->from[row] = first[g];
            cg->group[row + 1] = cg->group[row] + first[g + 1] - first[g];
            for (int j = first[g]; j < first[g + 1]; j++)
                group_of[j] = row;
            row++;
            cg->chunk[last ? cg->chunks + 1 : chunk_of(cg, g) + 1] = row;
        }
    for (int c = 0; c <= cg->chunks; c++) // chunks without rows
        cg->chunk[c + 1] = cg->chunk[c + 1] > cg->chunk[c] ? cg->chunk[c + 1] : cg->chunk[c];
}

// Block pairs (row, column) in both triangles, counted into cg->p[row + 1] or, with `next`, written.
static void list_blocks(vs_block_cg *cg, const vs_linear_pattern *A, const int *group_of, int *mark, int64_t *next) {
    for (int g = 0; g < cg->rows; g++)
        mark[g] = -1;
    for (int g = 0; g < cg->rows; g++)
        for (int j = cg->from[g]; j < cg->from[g] + size_of(cg, g); j++)
            for (int64_t t = A->p[j]; t < A->p[j + 1]; t++) {
                int h = group_of[A->i[t]];
                if (mark[h] == g)
                    continue;
                mark[h] = g;
                if (!next) {
                    cg->p[h + 1]++;
                    cg->p[g + 1] += h != g;
                    continue;
                }
                cg->column[next[h]++] = g;
                if (h != g)
                    cg->column[next[g]++] = h;
            }
}

// Insertion: rows come nearly in order, the columns up to the diagonal by visit, those beyond it by the pattern.
static void sort_columns(int *column, int64_t count) {
    for (int64_t a = 1; a < count; a++) {
        int c = column[a];
        int64_t b = a;
        for (; b > 0 && column[b - 1] > c; b--)
            column[b] = column[b - 1];
        column[b] = c;
    }
}

static int64_t find_block(const vs_block_cg *cg, int row, int column) {
    int64_t low = cg->p[row], high = cg->p[row + 1] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (cg->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Destination of each value of the pattern.
static void place_values(vs_block_cg *cg, const vs_linear_pattern *A, const int *group_of) {
    for (int g = 0; g < cg->rows; g++)
        for (int j = cg->from[g]; j < cg->from[g] + size_of(cg, g); j++) {
            int last = -1;
            int64_t lower = 0, upper = 0; // blocks (h, g) and (g, h)
            for (int64_t t = A->p[j]; t < A->p[j + 1]; t++) {
                int i = A->i[t], h = group_of[i];
                if (h != last) {
                    lower = cg->value[find_block(cg, h, g)];
                    upper = cg->value[find_block(cg, g, h)];
                    last = h;
                }
                cg->at[t] = lower + (int64_t)(j - cg->from[g]) * size_of(cg, h) + (i - cg->from[h]);
                cg->mirror[t] = upper + (int64_t)(i - cg->from[h]) * size_of(cg, g) + (j - cg->from[g]);
            }
        }
}

// Lays out the blocks begin … end - 1 of row g. Those left of the diagonal come first, by rows, then the
// others from the last row to the first: both sweeps read memory forwards.
static void lay_out(vs_block_cg *cg, int g, int64_t begin, int64_t end, int64_t *values) {
    for (int64_t b = begin; b < end; b++) {
        cg->value[b] = *values;
        *values += (int64_t)size_of(cg, g) * size_of(cg, cg->column[b]);
    }
}

static vs_error create_blocks(vs_block_cg *cg, const vs_linear_pattern *A, vs_arena *arena, vs_arena *work) {
    int *group_of = VS_NEW(work, int, A->n), *mark = VS_NEW(work, int, cg->rows);
    int64_t *next = VS_NEW(work, int64_t, cg->rows);
    if (!group_of || !mark || !next)
        return VS_ERROR_MEMORY;
    order_rows(cg, A, group_of, mark);
    for (int g = 0; g < cg->rows; g++)
        if (size_of(cg, g) > LARGEST)
            return vs_fail(cg->context, VS_ERROR_UNSUPPORTED, "conjugate gradients: a block has more than %d unknowns",
                           LARGEST);
    list_blocks(cg, A, group_of, mark, NULL);
    for (int g = 0; g < cg->rows; g++) {
        cg->p[g + 1] += cg->p[g];
        next[g] = cg->p[g];
    }
    int64_t blocks = cg->p[cg->rows];
    cg->column = VS_NEW(arena, int, blocks);
    cg->value = VS_NEW(arena, int64_t, blocks + 1);
    if (!cg->column || !cg->value)
        return VS_ERROR_MEMORY;
    list_blocks(cg, A, group_of, mark, next);
    for (int g = 0; g < cg->rows; g++) {
        sort_columns(cg->column + cg->p[g], cg->p[g + 1] - cg->p[g]);
        cg->diagonal[g] = find_block(cg, g, g);
        cg->usual[g] = true;
        for (int64_t b = cg->p[g]; b < cg->p[g + 1]; b++)
            cg->usual[g] = cg->usual[g] && size_of(cg, g) == BODY && size_of(cg, cg->column[b]) == BODY;
        cg->root_at[g + 1] = cg->root_at[g] + (int64_t)size_of(cg, g) * size_of(cg, g);
    }
    int64_t values = 0;
    for (int g = 0; g < cg->rows; g++)
        lay_out(cg, g, cg->p[g], cg->diagonal[g], &values);
    for (int g = cg->rows - 1; g >= 0; g--) {
        lay_out(cg, g, cg->diagonal[g] + 1, cg->p[g + 1], &values);
        lay_out(cg, g, cg->diagonal[g], cg->diagonal[g] + 1, &values);
    }
    cg->value[blocks] = values;
    cg->x = VS_NEW_ZERO(arena, float, values + PADDING);
    cg->root = VS_NEW_ZERO(arena, double, cg->root_at[cg->rows]);
    if (!cg->x || !cg->root)
        return VS_ERROR_MEMORY;
    place_values(cg, A, group_of);
    return VS_OK;
}

vs_error vs_block_cg_create(vs_block_cg *cg, vs_context *context, const vs_linear_pattern *pattern, vs_arena *arena) {
    *cg = (vs_block_cg){.n = pattern->n, .rows = pattern->groups, .context = context};
    cg->chunks = pattern->groups / CHUNK < MOST_CHUNKS ? pattern->groups / CHUNK : MOST_CHUNKS;
    cg->chunks = cg->chunks < 2 ? 1 : cg->chunks;
    cg->chunk = VS_NEW_ZERO(arena, int, (int64_t)cg->chunks + 2);
    cg->part = VS_NEW_ZERO(arena, double, (int64_t)cg->chunks + 1);
    cg->nonzeros = pattern->p[pattern->n];
    cg->group = VS_NEW_ZERO(arena, int, (int64_t)pattern->groups + 1);
    cg->from = VS_NEW(arena, int, pattern->groups);
    cg->p = VS_NEW_ZERO(arena, int64_t, (int64_t)cg->rows + 1);
    cg->root_at = VS_NEW_ZERO(arena, int64_t, (int64_t)cg->rows + 1);
    cg->diagonal = VS_NEW(arena, int64_t, cg->rows);
    cg->at = VS_NEW(arena, int64_t, cg->nonzeros);
    cg->mirror = VS_NEW(arena, int64_t, cg->nonzeros);
    cg->usual = VS_NEW(arena, bool, cg->rows);
    float **vectors[] = {&cg->solution, &cg->r, &cg->d, &cg->t, &cg->w};
    for (int k = 0; k < 5; k++) {
        *vectors[k] = VS_NEW_ZERO(arena, float, cg->n + PADDING);
        if (!*vectors[k])
            return VS_ERROR_MEMORY;
    }
    if (!cg->chunk || !cg->part || !cg->group || !cg->from || !cg->p || !cg->root_at || !cg->diagonal || !cg->at ||
        !cg->mirror || !cg->usual)
        return VS_ERROR_MEMORY;
    vs_arena work;
    vs_arena_init(&work, context);
    vs_error error = create_blocks(cg, pattern, arena, &work);
    vs_arena_release(&work);
    return error;
}

double vs_block_cg_work(const vs_block_cg *cg) {
    return (double)cg->value[cg->p[cg->rows]] + 10. * cg->n;
}

// ---- values ----------------------------------------------------------------------------------------

// Lower Cholesky factor of a block by rows; false if it is not definite, or barely so.
static bool factor_block(int size, const double *a, double *root) {
    static const double LEAST = 1e-3; // least pivot, relative to the diagonal entry
    for (int j = 0; j < size; j++) {
        double pivot = a[j * size + j];
        for (int k = 0; k < j; k++)
            pivot -= root[j * size + k] * root[j * size + k];
        if (!(pivot > LEAST * LEAST * a[j * size + j]))
            return false;
        root[j * size + j] = sqrt(pivot);
        for (int i = j + 1; i < size; i++) {
            double sum = a[i * size + j];
            for (int k = 0; k < j; k++)
                sum -= root[i * size + k] * root[j * size + k];
            root[i * size + j] = sum / root[j * size + j];
        }
    }
    return true;
}

// x <- root^-1 x, or with `back` root'^-1 x; entries of x `stride` apart.
static void solve_root(int size, const double *root, bool back, int stride, double *x) {
    for (int at = 0; at < size; at++) {
        int i = back ? size - 1 - at : at;
        double sum = x[i * stride];
        for (int k = back ? i + 1 : 0; k < (back ? size : i); k++)
            sum -= (back ? root[k * size + i] : root[i * size + k]) * x[k * stride];
        x[i * stride] = sum / root[i * size + i];
    }
}

// Row g: blocks left of the diagonal become L C_column'^-1; their squares are added to `square`, lower triangle.
static void scale_columns(vs_block_cg *cg, int g, double *square) {
    int rows = size_of(cg, g);
    for (int64_t b = cg->p[g]; b < cg->diagonal[g]; b++) {
        int h = cg->column[b], columns = size_of(cg, h);
        double block[LARGEST * LARGEST] = {0};
        float *x = cg->x + cg->value[b];
        for (int k = 0; k < rows * columns; k++)
            block[k] = x[k];
        for (int r = 0; r < rows; r++)
            solve_root(columns, cg->root + cg->root_at[h], false, rows, block + r);
        for (int c = 0; c < columns; c++)
            for (int i = 0; i < rows; i++)
                for (int j = 0; j <= i; j++)
                    square[i * rows + j] += block[c * rows + i] * block[c * rows + j];
        for (int k = 0; k < rows * columns; k++)
            x[k] = (float)block[k];
    }
}

// Then C_g^-1 times that, here and mirrored.
static void scale_rows(vs_block_cg *cg, int g) {
    int rows = size_of(cg, g);
    for (int64_t b = cg->p[g]; b < cg->diagonal[g]; b++) {
        int h = cg->column[b], columns = size_of(cg, h);
        float *x = cg->x + cg->value[b], *mirror = cg->x + cg->value[find_block(cg, h, g)];
        for (int c = 0; c < columns; c++) {
            double column[LARGEST];
            for (int i = 0; i < rows; i++)
                column[i] = x[c * rows + i];
            solve_root(rows, cg->root + cg->root_at[g], false, 1, column);
            for (int i = 0; i < rows; i++)
                x[c * rows + i] = mirror[i * columns + c] = (float)column[i];
        }
    }
}

// D and the diagonal block of row g. Where D would not be definite it is A's own block.
static bool set_diagonal(vs_block_cg *cg, int g, const double *square) {
    int size = size_of(cg, g);
    double *root = cg->root + cg->root_at[g], a[LARGEST * LARGEST] = {0}, d[LARGEST * LARGEST];
    float *x = cg->x + cg->value[cg->diagonal[g]];
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            a[i * size + j] = (double)x[j * size + i];
            d[i * size + j] = a[i * size + j] - (j <= i ? square[i * size + j] : square[j * size + i]);
        }
    if (!factor_block(size, d, root) && !factor_block(size, a, root))
        return false;
    for (int c = 0; c < size; c++)
        solve_root(size, root, false, size, a + c);
    for (int r = 0; r < size; r++)
        solve_root(size, root, false, 1, a + r * size);
    for (int k = 0; k < size * size; k++)
        x[k] = (float)(a[k] - (k % (size + 1) == 0 ? 2 : 0));
    return true;
}

bool vs_block_cg_set(vs_block_cg *cg, const double *x) {
    memset(cg->x, 0, sizeof(float) * (size_t)cg->value[cg->p[cg->rows]]);
    for (int64_t t = 0; t < cg->nonzeros; t++)
        cg->x[cg->at[t]] = cg->x[cg->mirror[t]] = (float)x[t];
    for (int g = 0; g < cg->rows; g++) {
        double square[LARGEST * LARGEST] = {0};
        scale_columns(cg, g, square);
        if (!set_diagonal(cg, g, square))
            return false;
        scale_rows(cg, g);
    }
    return true;
}

// ---- steps -----------------------------------------------------------------------------------------

// sum += block x, 6 x 6 by columns. Eight lanes, the last two without meaning: whole vector registers.
static inline void add_body(const float *restrict block, const float *restrict x, float sum[restrict PADDING]) {
    for (int c = 0; c < BODY; c++)
        for (int l = 0; l < PADDING; l++)
            sum[l] += block[BODY * c + l] * x[c];
}

static void add_block(int rows, int columns, const float *block, const float *x, float *sum) {
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++)
            sum[r] += block[rows * c + r] * x[c];
}

// sum = the blocks begin … end - 1 of row g times x.
static inline void multiply_blocks(const vs_block_cg *cg, int g, int64_t begin, int64_t end, const float *x,
                                   float sum[LARGEST]) {
    memset(sum, 0, sizeof(float) * LARGEST);
    const float *block = cg->x + cg->value[begin];
    if (cg->usual[g]) {
        float lanes[PADDING] = {0};
        for (int64_t b = begin; b < end; b++, block += BODY * BODY)
            add_body(block, x + cg->group[cg->column[b]], lanes);
        memcpy(sum, lanes, sizeof lanes);
        return;
    }
    int rows = size_of(cg, g);
    for (int64_t b = begin; b < end; b++) {
        int columns = size_of(cg, cg->column[b]);
        add_block(rows, columns, block, x + cg->group[cg->column[b]], sum);
        block += (int64_t)rows * columns;
    }
}

// d = r + beta d, t = (1 + L')^-1 d, w = d + (A_d - 2) t
static void sweep_up(vs_block_cg *cg, int chunk) {
    for (int g = cg->chunk[chunk + 1] - 1; g >= cg->chunk[chunk]; g--) {
        int first = cg->group[g], size = size_of(cg, g);
        float sum[LARGEST];
        multiply_blocks(cg, g, cg->diagonal[g] + 1, cg->p[g + 1], cg->t, sum);
        for (int k = 0; k < size; k++) {
            float d = cg->r[first + k] + cg->beta * cg->d[first + k];
            cg->d[first + k] = d;
            cg->t[first + k] = d - sum[k];
        }
        multiply_blocks(cg, g, cg->diagonal[g], cg->diagonal[g] + 1, cg->t, sum);
        for (int k = 0; k < size; k++)
            cg->w[first + k] = cg->d[first + k] + sum[k];
    }
}

// w <- (1 + L)^-1 w; part = d'(t + w).
static void sweep_down(vs_block_cg *cg, int chunk) {
    double curvature = 0;
    for (int g = cg->chunk[chunk]; g < cg->chunk[chunk + 1]; g++) {
        int first = cg->group[g], size = size_of(cg, g);
        float sum[LARGEST], part = 0;
        multiply_blocks(cg, g, cg->p[g], cg->diagonal[g], cg->w, sum);
        for (int k = 0; k < size; k++) {
            cg->w[first + k] -= sum[k];
            part += cg->d[first + k] * (cg->t[first + k] + cg->w[first + k]);
        }
        curvature += part;
    }
    cg->part[chunk] = curvature;
}

// x += alpha d, r -= alpha (t + w); part = r'r.
static void move(vs_block_cg *cg, int chunk) {
    double sum = 0;
    for (int k = cg->group[cg->chunk[chunk]]; k < cg->group[cg->chunk[chunk + 1]]; k++) {
        cg->solution[k] += cg->alpha * cg->d[k];
        cg->r[k] -= cg->alpha * (cg->t[k] + cg->w[k]);
        sum += (double)(cg->r[k] * cg->r[k]);
    }
    cg->part[chunk] = sum;
}

static void sweep_chunks_up(void *user, int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; c++)
        sweep_up(user, (int)c);
}

static void sweep_chunks_down(void *user, int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; c++)
        sweep_down(user, (int)c);
}

static void move_chunks(void *user, int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; c++)
        move(user, (int)c);
}

static double sum_parts(const vs_block_cg *cg) {
    double sum = 0;
    for (int c = 0; c <= cg->chunks; c++)
        sum += cg->part[c];
    return sum;
}

// One step; returns d'Td, and moves if that is positive: *square = r'r before and after.
static double make_step(vs_block_cg *cg, double *square) {
    sweep_up(cg, cg->chunks);
    vs_parallel_for(cg->context, cg->chunks, 1, sweep_chunks_up, cg);
    vs_parallel_for(cg->context, cg->chunks, 1, sweep_chunks_down, cg);
    sweep_down(cg, cg->chunks);
    double curvature = sum_parts(cg), before = *square;
    if (!(curvature > 0))
        return curvature;
    cg->alpha = (float)(before / curvature);
    vs_parallel_for(cg->context, (int64_t)cg->chunks + 1, 1, move_chunks, cg);
    *square = sum_parts(cg);
    cg->beta = (float)(*square / before);
    return curvature;
}

// r = (1 + L)^-1 C^-1 b; returns r'r.
static double begin_steps(vs_block_cg *cg, const double *b) {
    double square = 0;
    for (int g = 0; g < cg->rows; g++) {
        int first = cg->group[g], size = size_of(cg, g);
        double part[LARGEST];
        float sum[LARGEST];
        memcpy(part, b + cg->from[g], sizeof(double) * (size_t)size);
        solve_root(size, cg->root + cg->root_at[g], false, 1, part);
        multiply_blocks(cg, g, cg->p[g], cg->diagonal[g], cg->r, sum);
        for (int k = 0; k < size; k++) {
            cg->r[first + k] = (float)part[k] - sum[k];
            square += (double)(cg->r[first + k] * cg->r[first + k]);
        }
    }
    return square;
}

// The residual of the unscaled system, C (1 + L) r: its norm.
static double true_residual(vs_block_cg *cg) {
    double square = 0;
    for (int g = 0; g < cg->rows; g++) {
        int first = cg->group[g], size = size_of(cg, g);
        const double *root = cg->root + cg->root_at[g];
        float sum[LARGEST];
        multiply_blocks(cg, g, cg->p[g], cg->diagonal[g], cg->r, sum);
        for (int i = 0; i < size; i++) {
            double entry = 0;
            for (int k = 0; k <= i; k++)
                entry += root[i * size + k] * (double)(cg->r[first + k] + sum[k]);
            square += entry * entry;
        }
    }
    return sqrt(square);
}

// x = C'^-1 (1 + L')^-1 solution
static void end_steps(vs_block_cg *cg, double *x) {
    for (int g = cg->rows - 1; g >= 0; g--) {
        int first = cg->group[g], size = size_of(cg, g);
        float sum[LARGEST];
        multiply_blocks(cg, g, cg->diagonal[g] + 1, cg->p[g + 1], cg->solution, sum);
        for (int k = 0; k < size; k++) {
            cg->solution[first + k] -= sum[k];
            x[cg->from[g] + k] = cg->solution[first + k];
        }
        solve_root(size, cg->root + cg->root_at[g], true, 1, x + cg->from[g]);
    }
}

bool vs_block_cg_solve(vs_block_cg *cg, double *x, double tolerance, int most, int *steps) {
    static const double AIM = .7; // largest factor on r.r until the next evaluation
    size_t bytes = sizeof(float) * (size_t)cg->n;
    double square = begin_steps(cg, x);
    double residual = true_residual(cg), enough = square * (tolerance / residual) * (tolerance / residual);
    memset(cg->solution, 0, bytes);
    memset(cg->d, 0, bytes);
    *steps = 0;
    cg->beta = 0;
    while (residual > tolerance) {
        if (*steps >= most || !(make_step(cg, &square) > 0))
            return false;
        ++*steps;
        // The steps know another norm only: evaluate the right one when theirs seems small enough.
        if (square <= enough) {
            residual = true_residual(cg);
            enough = square * fmin(AIM, tolerance / residual);
        }
        if (!isfinite(square))
            return false;
    }
    end_steps(cg, x);
    return true;
}
