// Bytes become calls of the builder and of vs_problem_from_global(), right and wrong ones: NaN, wrong sizes, indices
// out of range. The result is an error or a valid problem: offsets ascend, columns ascend, H is symmetric if it is
// marked so, nothing is infinite.
#include <stdlib.h>

#include "bytes.h"
#include "problem/problem_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DOFS = 14, ROWS = 4, TOUCHED = 3 };

static void check(bool good) {
    if (!good)
        abort();
}

static void check_rows(const vs_rows *A, const int *row) {
    for (int g = 0; g < A->groups; g++) {
        check(A->row[g] == row[g] && A->row[g + 1] > A->row[g]);
        const int64_t width = A->start[g + 1] - A->start[g];
        check(width >= 0 && A->value[g + 1] - A->value[g] == width * (A->row[g + 1] - A->row[g]));
        for (int64_t k = A->start[g]; k < A->start[g + 1]; k++)
            check(A->col[k] >= 0 && A->col[k] < A->cols && (k == A->start[g] || A->col[k] > A->col[k - 1]));
    }
    check(A->row[A->groups] == A->rows);
    for (int64_t k = 0; k < A->value[A->groups]; k++)
        check(!isnan(A->x[k]));
}

static void check_problem(const vs_problem *problem) {
    const vs_problem_info info = vs_problem_get_info(problem);
    check(info.blocks <= info.n && info.mass_min <= info.mass_max && info.mu_min <= info.mu_max && info.mu_min >= 0);
    check(problem->block[0] == 0 && problem->block[problem->blocks] == problem->n);
    const vs_sparse *H = &problem->H;
    for (int b = 0; b < problem->blocks; b++)
        for (int j = problem->block[b]; j < problem->block[b + 1]; j++)
            for (int64_t k = H->p[j]; k < H->p[j + 1]; k++) {
                check(H->i[k] >= problem->block[b] && H->i[k] < problem->block[b + 1] && isfinite(H->x[k]));
                bool mirrored = false;
                for (int64_t l = H->p[H->i[k]]; l < H->p[H->i[k] + 1]; l++)
                    mirrored = mirrored || (H->i[l] == j && H->x[l] == H->x[k]);
                check(mirrored || !problem->symmetric);
            }
    check_rows(&problem->D, problem->row);
    check_rows(&problem->C, problem->joint_row);
    for (int k = 0; k < problem->m; k++)
        check(isfinite(problem->b[k]) && problem->E[k] >= 0);
}

// ---- builder --------------------------------------------------------------------------------------------

static void add_block(stream *s, vs_problem_builder *builder) {
    double H[DOFS * DOFS], c[DOFS];
    const int dofs = next_choice(s, DOFS + 1), mode = next_choice(s, 4);
    for (int k = 0; k < dofs * dofs; k++)
        H[k] = mode == 0 ? next_double(s) : k % (dofs + 1) == 0 ? 32 : 0;
    // mostly a symmetric matrix with some entries from the fuzzer
    for (int k = 0; mode > 1 && dofs > 0 && k < dofs; k++) {
        const int i = next_choice(s, dofs), j = next_choice(s, dofs);
        H[i * dofs + j] = H[j * dofs + i] = next_double(s);
    }
    for (int k = 0; k < dofs; k++)
        c[k] = next_double(s);
    const bool wrong = next_choice(s, 32) == 31;
    const uint8_t null = next_byte(s);
    (void)vs_problem_builder_add_block(builder, wrong ? -dofs : dofs, null == 255 ? NULL : H, null == 254 ? NULL : c,
                                       NULL);
}

typedef struct touched {
    int count, block[TOUCHED];
    double x[TOUCHED][ROWS * DOFS], row[4][ROWS];
    const double *jacobian[TOUCHED];
} touched;

static void fill_touched(stream *s, touched *t) {
    t->count = next_choice(s, TOUCHED + 1);
    const uint8_t mode = next_byte(s);
    for (int k = 0; k < TOUCHED; k++) {
        t->block[k] = mode == 255 ? next_int(s) : next_choice(s, 4);
        t->jacobian[k] = mode == 254 && k == 1 ? NULL : t->x[k];
        for (int l = 0; l < ROWS * DOFS; l++)
            t->x[k][l] = l % 5 == 0 ? next_double(s) : (l % 3) - 1;
    }
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < ROWS; l++)
            t->row[k][l] = next_double(s);
}

static void add_rows(stream *s, vs_problem_builder *builder, int what) {
    touched t;
    fill_touched(s, &t);
    const int rows = next_choice(s, ROWS + 1);
    const uint8_t null = next_byte(s);
    if (what == 0) {
        vs_problem_contact_def d = vs_problem_contact_def_default();
        d.blocks = t.count, d.block = t.block, d.jacobian = t.jacobian, d.frictionless = next_choice(s, 2);
        d.mu = t.row[0][0], d.compliance = next_choice(s, 2) ? t.row[0][1] : 0, d.key = null;
        memcpy(d.b, t.row[1], sizeof d.b);
        (void)vs_problem_builder_add_contact(builder, &d, NULL);
    } else if (what == 1) {
        vs_problem_joint_def d = vs_problem_joint_def_default();
        d.rows = null == 254 ? -rows : rows, d.blocks = t.count, d.block = t.block, d.jacobian = t.jacobian;
        d.b = null & 1 ? t.row[0] : NULL, d.compliance = null & 2 ? t.row[1] : NULL;
        (void)vs_problem_builder_add_joint(builder, &d, NULL);
    } else {
        vs_problem_box_def d = vs_problem_box_def_default();
        d.rows = null == 254 ? -rows : rows, d.blocks = t.count, d.block = t.block, d.jacobian = t.jacobian;
        d.lo = null == 253 ? NULL : t.row[0], d.hi = t.row[1], d.b = null & 1 ? t.row[2] : NULL;
        d.compliance = null & 2 ? t.row[3] : NULL;
        (void)vs_problem_builder_add_box(builder, &d, NULL);
    }
}

static void run_builder(stream *s, vs_context *context) {
    vs_problem_builder *builder = NULL;
    vs_problem *problem = NULL;
    if (vs_problem_builder_create(context, &builder))
        return;
    const int blocks = next_choice(s, 5), calls = next_choice(s, 24);
    for (int k = 0; k < blocks; k++)
        add_block(s, builder);
    for (int k = 0; k < calls && s->left > 0; k++)
        if (next_choice(s, 8) == 7)
            add_block(s, builder);
        else
            add_rows(s, builder, next_choice(s, 3));
    if (next_choice(s, 16) == 15) {
        vs_problem_builder_destroy(builder);
        return;
    }
    const vs_error error = vs_problem_builder_finish(builder, &problem);
    check((error == VS_OK) == (problem != NULL));
    if (problem)
        check_problem(problem);
    else
        check(error == VS_ERROR_MEMORY || vs_context_get_error_text(context)[0] != 0);
    vs_problem_destroy(problem);
}

// ---- matrices -------------------------------------------------------------------------------------------

enum { COLUMNS = 12, ENTRIES = 64 };

typedef struct matrix {
    int64_t p[COLUMNS + 1];
    int i[ENTRIES];
    double x[ENTRIES];
} matrix;

// Columns with ascending rows, and occasionally a wrong number. Pointers never leave the arrays: their length
// is guaranteed by the caller.
static vs_matrix_view fill_matrix(stream *s, matrix *A, int rows, int cols, bool mass) {
    int64_t count = 0;
    for (int j = 0; j < cols; j++) {
        A->p[j] = count;
        for (int i = 0; i < rows && count < ENTRIES; i++) {
            if (mass ? i != j : next_choice(s, 3) != 0)
                continue;
            A->i[count] = i;
            A->x[count++] = mass ? 2 : next_double(s);
        }
    }
    A->p[cols] = count;
    const uint8_t wrong = next_byte(s);
    if (wrong >= 240 && count > 0)
        A->i[next_choice(s, (int)count)] = next_int(s);
    else if (wrong >= 224 && count > 0)
        A->x[next_choice(s, (int)count)] = next_double(s);
    else if (wrong >= 208)
        A->p[next_choice(s, cols + 1)] = next_choice(s, (int)count + 1);
    vs_matrix_view view = {rows, cols, A->p, A->i, A->x};
    if (wrong == 1)
        view.rows = next_int(s);
    if (wrong == 2 && cols > 0)
        view.cols--;
    return view;
}

static void run_matrices(stream *s, vs_context *context) {
    matrix H, D, C;
    double c[COLUMNS], b[COLUMNS], mu[COLUMNS], E[COLUMNS] = {0}, b_e[COLUMNS];
    const int n = next_choice(s, COLUMNS + 1), contacts = next_choice(s, COLUMNS / 3 + 1),
              m_e = next_choice(s, COLUMNS);
    for (int k = 0; k < COLUMNS; k++)
        c[k] = next_double(s), b[k] = next_double(s), mu[k] = fabs(next_double(s)), b_e[k] = next_double(s);
    E[next_choice(s, COLUMNS)] = next_double(s);
    vs_problem *problem = NULL;
    vs_problem_global_def d = vs_problem_global_def_default();
    d.H = fill_matrix(s, &H, n, n, true);
    d.Dt = fill_matrix(s, &D, n, 3 * contacts, false);
    d.Ct = fill_matrix(s, &C, n, m_e, false);
    d.c = c, d.b = b, d.mu = mu, d.b_e = b_e, d.contacts = contacts, d.E = next_choice(s, 2) ? E : NULL;
    vs_error error = vs_problem_from_global(context, &d, &problem);
    check((error == VS_OK) == (problem != NULL));
    if (problem)
        check_problem(problem);
    vs_problem_destroy(problem);

    vs_problem_local_def local = vs_problem_local_def_default();
    local.N = fill_matrix(s, &D, 3 * contacts, 3 * contacts, false);
    local.r = b, local.mu = mu, local.contacts = contacts;
    error = vs_problem_from_local(context, &local, &problem);
    check((error == VS_OK) == (problem != NULL));
    (void)vs_problem_get_info(problem);
    vs_problem_destroy(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    stream s = {data, size};
    vs_context *context = NULL;
    if (vs_context_create(NULL, &context))
        return 0;
    if (next_choice(&s, 2))
        run_builder(&s, context);
    else
        run_matrices(&s, context);
    vs_context_destroy(context);
    return 0;
}
