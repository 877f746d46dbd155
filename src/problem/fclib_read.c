// Reading the groups fclib_global, fclib_local and voussoir.
//
// Vectors come first: their lengths, which the file really stores, fix n, m and m_e, and matrices must agree with
// them, so that no size is taken from a single number. Any of FCLIB's storages is read (triplets with i = row and
// p = column, compressed columns, compressed rows); duplicates are summed and rows sorted.
// Values are taken as stored: a mass matrix of which one triangle is empty stays one (M v = f + H r is meant
// literally). Not read: joints of the local form (V, R, s), which the local form here does not have, and initial
// guesses.
#include "problem/fclib_data.h"
#include "problem/validate.h"

#include <limits.h>

// State of one read; the arena holds the data until the problem has its copies.
typedef struct reading {
    vs_context *context;
    vs_arena arena;
    vs_h5_group root, vectors;
} reading;

// ---- matrices -------------------------------------------------------------------------------------------

typedef struct raw_matrix {
    int64_t m, n, nz;       // as stored; nz: see below
    int64_t p_count, count; // lengths of p and of i, x
    int64_t *p, *i;
    double *x;
} raw_matrix;

static vs_error read_raw(const vs_h5_group *group, int rows, int cols, vs_arena *arena, raw_matrix *A) {
    vs_error error = vs_h5_read_int(group, "m", &A->m);
    if (!error)
        error = vs_h5_read_int(group, "n", &A->n);
    if (!error && (A->m != rows || A->n != cols))
        error = vs_fail(group->context, VS_ERROR_DATA, "%s is %lld x %lld, but the vectors make it %d x %d",
                        group->path, (long long)A->m, (long long)A->n, rows, cols);
    if (!error)
        error = vs_h5_read_int(group, "nz", &A->nz);
    if (!error && A->nz < -2)
        error = vs_fail(group->context, VS_ERROR_DATA, "%s/nz is %lld, not -2, -1 or a count", group->path,
                        (long long)A->nz);
    if (error)
        return error;
    A->p_count = A->nz == -1 ? A->n + 1 : A->nz == -2 ? A->m + 1 : -1;
    A->count = -1;
    int64_t x_count = -1;
    error = vs_h5_read_ints(group, "p", arena, &A->p_count, &A->p);
    if (!error)
        error = vs_h5_read_ints(group, "i", arena, &A->count, &A->i);
    if (!error)
        error = vs_h5_read_doubles(group, "x", arena, &x_count, &A->x);
    if (x_count < A->count)
        A->count = x_count;
    return error;
}

// Number of entries in use; the arrays may be longer (FCLIB's nzmax).
static vs_error count_used(const vs_h5_group *group, const raw_matrix *A, int64_t *used) {
    if (A->nz >= 0) {
        *used = A->nz;
        if (A->nz > A->count || A->nz > A->p_count)
            return vs_fail(group->context, VS_ERROR_DATA, "%s/nz is %lld, but i, p or x has fewer entries", group->path,
                           (long long)A->nz);
        return VS_OK;
    }
    if (A->p[0] != 0)
        return vs_fail(group->context, VS_ERROR_DATA, "%s/p[0] is %lld, not 0", group->path, (long long)A->p[0]);
    for (int64_t k = 1; k < A->p_count; k++)
        if (A->p[k] < A->p[k - 1] || A->p[k] > A->count)
            return vs_fail(group->context, VS_ERROR_DATA, "%s/p[%lld] is %lld: not ascending or beyond %lld entries",
                           group->path, (long long)k, (long long)A->p[k], (long long)A->count);
    *used = A->p[A->p_count - 1];
    return VS_OK;
}

// Row and column of every entry in use, checked against the sizes.
static vs_error expand(const vs_h5_group *group, const raw_matrix *A, int64_t used, int *row, int *col) {
    int64_t line = 0;
    for (int64_t k = 0; k < used; k++) {
        while (A->nz < 0 && k >= A->p[line + 1])
            line++;
        const int64_t r = A->nz == -2 ? line : A->i[k];
        const int64_t c = A->nz == -2 ? A->i[k] : A->nz == -1 ? line : A->p[k];
        if (r < 0 || r >= A->m || c < 0 || c >= A->n)
            return vs_fail(group->context, VS_ERROR_DATA, "%s: entry %lld is at (%lld, %lld), outside of %lld x %lld",
                           group->path, (long long)k, (long long)r, (long long)c, (long long)A->m, (long long)A->n);
        row[k] = (int)r;
        col[k] = (int)c;
    }
    return VS_OK;
}

// The matrix `name`, which must be rows x cols.
static vs_error read_matrix(reading *read, const char *name, int rows, int cols, vs_sparse *A) {
    vs_h5_group group;
    raw_matrix raw = {0};
    int64_t used = 0;
    vs_error error = vs_h5_group_open(&read->root, name, false, &group);
    if (!error)
        error = read_raw(&group, rows, cols, &read->arena, &raw);
    if (!error)
        error = count_used(&group, &raw, &used);
    if (!error) {
        int *row = VS_NEW(&read->arena, int, used), *col = VS_NEW(&read->arena, int, used);
        error = row && col ? expand(&group, &raw, used, row, col) : VS_ERROR_MEMORY;
        if (!error)
            error = vs_sparse_from_triplets(rows, cols, used, row, col, raw.x, &read->arena, A);
    }
    vs_h5_group_close(&group);
    return error;
}

// ---- vectors --------------------------------------------------------------------------------------------

// Any length that fits an int.
static vs_error read_vector(reading *read, const char *name, int *count, double **x) {
    int64_t found = -1;
    vs_error error = vs_h5_read_doubles(&read->vectors, name, &read->arena, &found, x);
    if (!error)
        error = vs_validate_count(read->context, (vs_where){0}, name, 0, found);
    *count = error ? 0 : (int)found;
    return error;
}

// FCLIB has f, w and b on the other side of the equation.
static void negate(double *x, int count) {
    for (int k = 0; k < count; k++)
        x[k] = -x[k];
}

// mu, with 3 rows per contact.
static vs_error read_mu(reading *read, const char *rows_name, int rows, double **mu) {
    if (rows % 3 != 0)
        return vs_fail(read->context, VS_ERROR_DATA, "%s/%s has %d entries, not a multiple of 3", read->vectors.path,
                       rows_name, rows);
    int64_t contacts = rows / 3;
    return vs_h5_read_doubles(&read->vectors, "mu", &read->arena, &contacts, mu);
}

static vs_error check_spacedim(reading *read) {
    int64_t dimension = 0;
    vs_error error = vs_h5_read_int(&read->root, "spacedim", &dimension);
    if (!error && dimension != 3)
        error = vs_fail(read->context, VS_ERROR_UNSUPPORTED, "%s/spacedim is %lld; only 3 is supported",
                        read->root.path, (long long)dimension);
    return error;
}

// ---- the group voussoir ---------------------------------------------------------------------------------

// kind and contact_row of the extension into parts.
static vs_error read_kinds(reading *read, const vs_h5_group *group, vs_problem_parts *parts) {
    int64_t contacts = -1, ends = -1, *code = NULL, *row = NULL;
    vs_error error = vs_h5_read_ints(group, "kind", &read->arena, &contacts, &code);
    if (!error)
        error = vs_validate_count(read->context, (vs_where){0}, "contacts in voussoir/kind", 0, contacts);
    ends = contacts + 1;
    if (!error)
        error = vs_h5_read_ints(group, "contact_row", &read->arena, &ends, &row);
    if (error)
        return error;
    vs_cone_kind *kind = VS_NEW(&read->arena, vs_cone_kind, contacts);
    int *first = VS_NEW(&read->arena, int, contacts + 1);
    if (!kind || !first)
        return VS_ERROR_MEMORY;
    first[0] = 0;
    for (int64_t i = 0; i < contacts; i++) {
        const int64_t rows = row[i + 1] >= 0 && row[i + 1] < INT_MAX && row[0] == 0 ? row[i + 1] - first[i] : 0;
        kind[i] = code[i] == VS_FCLIB_FRICTION   ? VS_CONE_SECOND_ORDER
                  : code[i] == VS_FCLIB_ROLLING  ? VS_CONE_ROLLING
                  : code[i] == VS_FCLIB_ELLIPTIC ? VS_CONE_ELLIPTIC
                  : code[i] == VS_FCLIB_BOX      ? VS_CONE_BOX
                                                 : VS_CONE_NONNEG;
        const bool fits = (code[i] == VS_FCLIB_FRICTION && rows == 3) ||
                          (kind[i] >= VS_CONE_ROLLING && rows >= 4 && rows <= VS_DISCS_ROWS) ||
                          (code[i] == VS_FCLIB_FRICTIONLESS && rows == 1) || (code[i] == VS_FCLIB_BOX && rows >= 1);
        if (!fits)
            return vs_fail(read->context, VS_ERROR_DATA, "%s/kind[%lld] is %lld, which cannot have %lld rows",
                           group->path, (long long)i, (long long)code[i], (long long)rows);
        first[i + 1] = (int)row[i + 1];
    }
    parts->contacts = (int)contacts, parts->kind = kind, parts->row = first;
    return VS_OK;
}

// Drops the FCLIB rows that only pad one-row contacts: Dt, b and mu get our rows.
static vs_error drop_rows(reading *read, const vs_h5_group *group, vs_problem_parts *parts, double *b, double *mu) {
    const int m = parts->row[parts->contacts];
    vs_sparse *Dt = &parts->Dt;
    if (m > Dt->cols)
        return vs_fail(read->context, VS_ERROR_DATA, "%s/contact_row ends at %d, but H has %d columns", group->path, m,
                       Dt->cols);
    int64_t *at = VS_NEW(&read->arena, int64_t, m), *p = VS_NEW(&read->arena, int64_t, (int64_t)m + 1);
    if (!at || !p)
        return VS_ERROR_MEMORY;
    const int64_t rows = vs_fclib_map_rows(parts->contacts, parts->row, parts->kind, at);
    if (rows != Dt->cols)
        return vs_fail(read->context, VS_ERROR_DATA, "%s/kind describes %lld FCLIB rows, but H has %d columns",
                       group->path, (long long)rows, Dt->cols);
    // Rows between the kept ones must be empty, so that the columns' entries stay where they are.
    p[0] = 0;
    for (int k = 0; k < m; k++) {
        if (Dt->p[at[k]] != p[k])
            return vs_fail(read->context, VS_ERROR_DATA, "H: the tangential row %lld of a one-row contact is not empty",
                           (long long)at[k] - 1);
        p[k + 1] = Dt->p[at[k] + 1];
        b[k] = b[at[k]];
    }
    if (p[m] != Dt->p[Dt->cols])
        return vs_fail(read->context, VS_ERROR_DATA, "H: the last one-row contact has a tangential row");
    for (int i = 0; i < parts->contacts; i++)
        mu[i] = parts->kind[i] >= VS_CONE_SECOND_ORDER ? mu[at[parts->row[i]] / 3] : 0;
    Dt->cols = m;
    Dt->p = p;
    return VS_OK;
}

// Bounds of the box rows, zero on all others.
static vs_error read_bounds(reading *read, const vs_h5_group *group, vs_problem_parts *parts) {
    int64_t rows = parts->Dt.cols;
    double *lo = NULL, *hi = NULL;
    bool bounded = false;
    for (int i = 0; i < parts->contacts; i++)
        bounded = bounded || parts->kind[i] == VS_CONE_BOX;
    if (!bounded)
        return VS_OK;
    vs_error error = vs_h5_read_doubles(group, "lo", &read->arena, &rows, &lo);
    if (!error)
        error = vs_h5_read_doubles(group, "hi", &read->arena, &rows, &hi);
    for (int i = 0; !error && i < parts->contacts; i++)
        for (int k = parts->row[i]; parts->kind[i] != VS_CONE_BOX && k < parts->row[i + 1]; k++)
            lo[k] = hi[k] = 0;
    parts->lo = lo, parts->hi = hi;
    return error;
}

// Coefficients of rolling and spinning friction, zero for all other contacts.
static vs_error read_rolling(reading *read, const vs_h5_group *group, vs_problem_parts *parts) {
    int64_t contacts = parts->contacts;
    double *rolling = NULL, *spinning = NULL;
    bool rolls = false;
    for (int i = 0; i < parts->contacts; i++)
        rolls = rolls || parts->kind[i] >= VS_CONE_ROLLING;
    if (!rolls)
        return VS_OK;
    vs_error error = vs_h5_read_doubles(group, "rolling", &read->arena, &contacts, &rolling);
    if (!error)
        error = vs_h5_read_doubles(group, "spinning", &read->arena, &contacts, &spinning);
    for (int i = 0; !error && i < parts->contacts; i++)
        if (parts->kind[i] < VS_CONE_ROLLING)
            rolling[i] = spinning[i] = 0;
    parts->rolling = rolling, parts->spinning = spinning;
    return error;
}

static vs_error read_joints(reading *read, const vs_h5_group *group, vs_problem_parts *parts) {
    int64_t ends = -1, *row = NULL, rows = parts->Ct.cols, keys;
    double *E_e = NULL;
    uint64_t *key = NULL;
    vs_error error = vs_h5_read_ints(group, "joint_row", &read->arena, &ends, &row);
    if (!error)
        error = vs_validate_count(read->context, (vs_where){0}, "joints in voussoir/joint_row", 0, ends - 1);
    keys = ends - 1;
    if (!error)
        error = vs_h5_read_keys(group, "joint_key", &read->arena, &keys, &key);
    if (!error)
        error = vs_h5_read_doubles(group, "E_e", &read->arena, &rows, &E_e);
    if (error)
        return error;
    int *first = VS_NEW(&read->arena, int, ends);
    if (!first)
        return VS_ERROR_MEMORY;
    for (int64_t i = 0; i < ends; i++) {
        if (row[i] < (i > 0 ? row[i - 1] + 1 : 0) || row[i] > rows || (i == 0 && row[i] != 0))
            return vs_fail(read->context, VS_ERROR_DATA,
                           "%s/joint_row[%lld] is %lld: not ascending or beyond %lld rows", group->path, (long long)i,
                           (long long)row[i], (long long)rows);
        first[i] = (int)row[i];
    }
    if (first[ends - 1] != rows)
        return vs_fail(read->context, VS_ERROR_DATA, "%s/joint_row ends at %d, but G has %lld columns", group->path,
                       first[ends - 1], (long long)rows);
    parts->joints = (int)(ends - 1), parts->joint_row = first, parts->joint_key = key, parts->E_e = E_e;
    return VS_OK;
}

static vs_error read_extension(reading *read, const vs_h5_group *group, vs_problem_parts *parts, double *b,
                               double *mu) {
    int64_t format = 0;
    vs_error error = vs_h5_read_int(group, "format", &format);
    if (!error && format != VS_FCLIB_FORMAT)
        error = vs_fail(read->context, VS_ERROR_UNSUPPORTED, "%s/format is %lld; this version reads only %d",
                        group->path, (long long)format, VS_FCLIB_FORMAT);
    if (!error)
        error = read_kinds(read, group, parts);
    if (!error)
        error = drop_rows(read, group, parts, b, mu);
    if (!error)
        error = read_bounds(read, group, parts);
    if (!error)
        error = read_rolling(read, group, parts);
    if (!error)
        error = read_joints(read, group, parts);
    int64_t rows = parts->Dt.cols, contacts = parts->contacts;
    double *E = NULL;
    uint64_t *key = NULL;
    if (!error)
        error = vs_h5_read_doubles(group, "E", &read->arena, &rows, &E);
    if (!error)
        error = vs_h5_read_keys(group, "key", &read->arena, &contacts, &key);
    parts->E = E, parts->key = key;
    return error;
}

// ---- the two forms --------------------------------------------------------------------------------------

// Contacts of 3 rows and joints by their columns, for a file without the group voussoir.
static vs_error group_plainly(reading *read, vs_problem_parts *parts) {
    const int contacts = parts->contacts;
    int *row = VS_NEW(&read->arena, int, (int64_t)contacts + 1);
    vs_cone_kind *kind = VS_NEW(&read->arena, vs_cone_kind, contacts);
    int *joint_row = VS_NEW(&read->arena, int, (int64_t)parts->Ct.cols + 1);
    if (!row || !kind || !joint_row)
        return VS_ERROR_MEMORY;
    for (int i = 0; i <= contacts; i++)
        row[i] = 3 * i;
    for (int i = 0; i < contacts; i++)
        kind[i] = VS_CONE_SECOND_ORDER;
    parts->row = row, parts->kind = kind;
    parts->joints = vs_problem_find_joints(&parts->Ct, joint_row);
    parts->joint_row = joint_row;
    return VS_OK;
}

static vs_error read_global(reading *read, const vs_h5_group *extension, vs_problem **problem) {
    int n = 0, m = 0, m_e = 0;
    double *f = NULL, *w = NULL, *mu = NULL, *b = NULL;
    int64_t none[1] = {0};
    const bool jointed = vs_h5_has(&read->root, "G");
    vs_error error = read_vector(read, "f", &n, &f);
    if (!error)
        error = read_vector(read, "w", &m, &w);
    if (!error)
        error = read_mu(read, "w", m, &mu);
    if (!error && jointed)
        error = read_vector(read, "b", &m_e, &b);
    if (error)
        return error;

    negate(f, n);
    negate(w, m);
    negate(b, m_e);
    vs_problem_parts parts = {.c = f, .contacts = m / 3, .mu = mu, .b = w, .b_e = b};
    parts.Ct = (vs_sparse){.rows = n, .p = none};
    error = read_matrix(read, "M", n, n, &parts.H);
    if (!error)
        error = read_matrix(read, "H", n, m, &parts.Dt);
    if (!error && jointed)
        error = read_matrix(read, "G", n, m_e, &parts.Ct);
    if (!error)
        error = extension->id >= 0 ? read_extension(read, extension, &parts, w, mu) : group_plainly(read, &parts);
    return error ? error : vs_problem_from_parts(read->context, &parts, problem);
}

static vs_error read_local(reading *read, vs_problem **problem) {
    static const char *const joints[] = {"V", "R"};
    int m = 0;
    double *q = NULL, *mu = NULL;
    vs_sparse N;
    // Empty matrices mean no joints.
    for (int k = 0; k < 2; k++) {
        vs_h5_group group;
        int64_t columns = 0;
        vs_error error = vs_h5_group_open(&read->root, joints[k], true, &group);
        if (!error && group.id >= 0)
            error = vs_h5_read_int(&group, "n", &columns);
        if (!error && columns != 0)
            error = vs_fail(read->context, VS_ERROR_UNSUPPORTED,
                            "%s: joints in the local form are not supported; use the global form", group.path);
        vs_h5_group_close(&group);
        if (error)
            return error;
    }
    vs_error error = read_vector(read, "q", &m, &q);
    if (!error)
        error = read_mu(read, "q", m, &mu);
    if (!error)
        error = read_matrix(read, "W", m, m, &N);
    if (error)
        return error;
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){N.rows, N.cols, N.p, N.i, N.x};
    def.r = q, def.mu = mu, def.contacts = m / 3;
    return vs_problem_from_local(read->context, &def, problem);
}

vs_error vs_fclib_read_group(const vs_h5_group *root, vs_problem **problem) {
    reading read = {.context = root->context, .root = {.id = -1}, .vectors = {.id = -1}};
    vs_arena_init(&read.arena, root->context);
    vs_h5_group extension = {.id = -1};
    vs_error error = VS_OK;
    const bool global = vs_h5_has(root, VS_FCLIB_GLOBAL);
    if (!global && !vs_h5_has(root, VS_FCLIB_LOCAL)) {
        error = vs_fail(root->context, VS_ERROR_DATA, "not an FCLIB file: it has neither %s nor %s", VS_FCLIB_GLOBAL,
                        VS_FCLIB_LOCAL);
        goto cleanup;
    }
    error = vs_h5_group_open(root, global ? VS_FCLIB_GLOBAL : VS_FCLIB_LOCAL, false, &read.root);
    if (!error)
        error = check_spacedim(&read);
    if (!error)
        error = vs_h5_group_open(&read.root, "vectors", false, &read.vectors);
    if (!error)
        error = vs_h5_group_open(root, VS_FCLIB_EXTENSION, true, &extension);
    if (!error)
        error = global ? read_global(&read, &extension, problem) : read_local(&read, problem);
cleanup:
    vs_h5_group_close(&extension);
    vs_h5_group_close(&read.vectors);
    vs_h5_group_close(&read.root);
    vs_arena_release(&read.arena);
    return error;
}
