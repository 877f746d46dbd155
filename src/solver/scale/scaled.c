// Energy scaling of a problem (docs/theory.md): see scaled.h for the formulas. The pattern of D' is that of D with
// the columns of a contact completed to whole blocks of H, because G^-1 mixes the unknowns of a block.
#include "solver/scale/scaled.h"

#include <math.h>
#include <string.h>

#include "measure/own_scale.h"
#include "solver/scale/row_space.h"

static const double LEAST_WIDTH = 1e-14; // of a box relative to its bounds; a narrower one prescribes the impulse
enum { SLIDING = 2, RIGID = 12 };        // rows u and w; velocities of two rigid bodies
static const double RATIO_MOST = 1e8;    // of masses, up to which impulses determine velocities

// Inverse masses so far; a comparison passes by what is not a number.
typedef struct mass_range {
    double least, most;
} mass_range;

static void widen(mass_range *range, double a) {
    if (a < range->least)
        range->least = a;
    if (a > range->most)
        range->most = a;
}

// By 1/mass of the bodies at contact i with friction. A translation is known by its column of the contact's three rows,
// which are orthonormal: its length is 1.
static void widen_by_bodies(const vs_problem *problem, const vs_mass *mass, int i, mass_range *range) {
    const double one = 1, roundoff = 1e-9;
    const vs_rows *D = &problem->D;
    int64_t width = D->start[i + 1] - D->start[i];
    const double *x = D->x + D->value[i];
    double diagonal[RIGID] = {0};
    const bool single = width <= RIGID && vs_mass_find_diagonal(mass, (int)width, D->col + D->start[i], diagonal);
    for (int64_t j = 0; j < width; j++) {
        double square = x[j] * x[j] + x[width + j] * x[width + j] + x[2 * width + j] * x[2 * width + j];
        if (fabs(square - 1) > roundoff)
            continue;
        widen(range, single ? one / diagonal[j] : vs_mass_inverse_form(mass, 1, D->col + D->start[i] + j, &one));
    }
}

// Largest to least inverse effective mass of the contacts, and inverse mass of the bodies at them: unlike masses and inertias these
// compare in any units.
static double mass_ratio(const vs_problem *problem, const vs_mass_model *mass) {
    mass_range range = {INFINITY, 0};
    for (int i = 0; i < problem->contacts; i++) {
        widen(&range, mass->scale.contact[i]);
        if (vs_problem_has_friction(problem, i) && mass->factor && mass->factor->block_of)
            widen_by_bodies(problem, mass->factor, i, &range);
    }
    return vs_space_max(problem->space, range.most) / vs_space_min(problem->space, range.least);
}

// ---- rows ------------------------------------------------------------------------------------------

bool vs_scaled_is_prescribed(const vs_problem *problem, int row) {
    double lo = problem->lo[row], hi = problem->hi[row];
    return hi - lo <= LEAST_WIDTH * fmax(fabs(lo), fabs(hi));
}

// Rows of contact i that the scaled problem keeps, and the number of their cones.
static void count_kept(const vs_problem *problem, vs_model model, int i, int *rows, int *cones) {
    switch (problem->kind[i]) {
    case VS_CONE_SECOND_ORDER: {
        bool friction = model != VS_MODEL_FRICTIONLESS && problem->mu[i] > 0;
        *rows = friction ? 3 : 1;
        *cones = 1;
        break;
    }
    case VS_CONE_ROLLING:
    case VS_CONE_ELLIPTIC:
        *rows = problem->row[i + 1] - problem->row[i] - (problem->mu[i] > 0 ? 0 : SLIDING);
        *rows = model == VS_MODEL_FRICTIONLESS ? 1 : *rows;
        *cones = 1;
        break;
    case VS_CONE_BOX:
        *rows = 0;
        for (int row = problem->row[i]; row < problem->row[i + 1]; row++)
            *rows += !vs_scaled_is_prescribed(problem, row);
        *cones = *rows;
        break;
    default:
        *rows = 1;
        *cones = 1;
    }
}

// Is row k of contact i one of those that the scaled problem, which keeps `rows` of them, has no use for?
static bool is_dropped(const vs_problem *problem, int i, int rows, int k) {
    if (vs_problem_rolls(problem, i) && rows > 1 && !(problem->mu[i] > 0))
        return k >= 1 && k <= SLIDING;
    return vs_problem_has_friction(problem, i) && k >= rows;
}

static vs_error create_cones(vs_scaled *s, const vs_problem *problem, vs_model model, vs_arena *arena) {
    int m = 0, cones = 0;
    for (int i = 0; i < problem->contacts; i++) {
        int rows, parts;
        count_kept(problem, model, i, &rows, &parts);
        m += rows;
        cones += parts;
    }
    s->m = m;
    s->cones = cones;
    s->row = VS_NEW(arena, int, cones + 1);
    s->kind = VS_NEW(arena, vs_cone_kind, cones);
    s->source = VS_NEW(arena, int, m);
    s->prescribed = VS_NEW(arena, int, problem->m);
    if (!s->prescribed || !s->row || !s->kind || !s->source)
        return VS_ERROR_MEMORY;
    m = cones = 0;
    for (int i = 0; i < problem->contacts; i++) {
        int rows, parts;
        count_kept(problem, model, i, &rows, &parts);
        vs_cone_kind kind = vs_problem_rolls(problem, i) ? VS_CONE_ROLLING : problem->kind[i];
        if (vs_problem_has_friction(problem, i) && rows == 1)
            kind = VS_CONE_NONNEG;
        for (int k = 0; k < parts; k++) {
            s->row[cones] = m + k;
            s->kind[cones++] = kind;
        }
        for (int k = problem->row[i]; k < problem->row[i + 1]; k++) {
            bool prescribed = problem->kind[i] == VS_CONE_BOX && vs_scaled_is_prescribed(problem, k);
            bool dropped = is_dropped(problem, i, rows, k - problem->row[i]);
            if (prescribed)
                s->prescribed[s->prescribed_count++] = k;
            else if (!dropped)
                s->source[m++] = k;
        }
    }
    s->row[cones] = m;
    return VS_OK;
}

// ---- patterns --------------------------------------------------------------------------------------

// The columns of a source group completed to whole blocks. Writes to `col` if not null; returns their number.
static int complete_columns(const vs_problem *problem, const int *block_of, const int *from, int count, int *col) {
    int total = 0, last = -1;
    for (int k = 0; k < count; k++) {
        int block = block_of ? block_of[from[k]] : from[k];
        if (block == last)
            continue;
        last = block;
        int begin = block_of ? problem->block[block] : block, end = block_of ? problem->block[block + 1] : block + 1;
        for (int j = begin; j < end; j++, total++)
            if (col)
                col[total] = j;
    }
    return total;
}

// Scaled rows: group k comes from group group_of[k] of the problem's and has the rows row[k] … row[k+1]-1.
typedef struct kept_rows {
    int groups;
    const int *group_of, *row;
} kept_rows;

// Pattern of the rows of A that are kept.
static vs_error create_rows(const vs_rows *A, const vs_problem *problem, const int *block_of, kept_rows kept,
                            vs_arena *arena, vs_rows *out) {
    int groups = kept.groups;
    const int *group_of = kept.group_of, *row = kept.row;
    out->groups = groups;
    out->rows = row[groups];
    out->cols = problem->n;
    out->row = VS_COPY(arena, int, row, groups + 1);
    out->start = VS_NEW(arena, int64_t, groups + 1);
    out->value = VS_NEW(arena, int64_t, groups + 1);
    if (!out->row || !out->start || !out->value)
        return VS_ERROR_MEMORY;
    int64_t columns = 0, values = 0;
    for (int k = 0; k < groups; k++) {
        int g = group_of[k], width = (int)(A->start[g + 1] - A->start[g]);
        out->start[k] = columns;
        out->value[k] = values;
        int completed = complete_columns(problem, block_of, A->col + A->start[g], width, NULL);
        columns += completed;
        values += (int64_t)completed * (row[k + 1] - row[k]);
    }
    out->start[groups] = columns;
    out->value[groups] = values;
    out->col = VS_NEW(arena, int, columns);
    out->x = VS_NEW_ZERO(arena, double, values);
    if (!out->col || !out->x)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < groups; k++) {
        int g = group_of[k], width = (int)(A->start[g + 1] - A->start[g]);
        complete_columns(problem, block_of, A->col + A->start[g], width, out->col + out->start[k]);
    }
    return VS_OK;
}

static vs_error create_global(vs_scaled *s, const vs_problem *problem, vs_arena *arena) {
    int n = problem->n, status = 0;
    const int *block_of = s->identity ? s->mass->factor->block_of : NULL;
    int *group_of = VS_NEW(arena, int, s->cones);
    int *joint_of = VS_NEW(arena, int, problem->joints);
    if (!group_of || !joint_of)
        return VS_ERROR_MEMORY;
    for (int k = 0, i = 0; k < s->cones; k++) {
        while (problem->row[i + 1] <= s->source[s->row[k]])
            i++;
        group_of[k] = i;
    }
    for (int k = 0; k < problem->joints; k++)
        joint_of[k] = k;
    kept_rows contacts = {s->cones, group_of, s->row}, joints = {problem->joints, joint_of, problem->joint_row};
    status |= create_rows(&problem->D, problem, block_of, contacts, arena, &s->D) != VS_OK;
    status |= create_rows(&problem->C, problem, block_of, joints, arena, &s->C) != VS_OK;
    s->c = VS_NEW(arena, double, n);
    s->G = VS_NEW(arena, double, n);
    if (status || !s->c || !s->G)
        return VS_ERROR_MEMORY;
    if (!s->identity)
        return vs_sparse_copy(&problem->H, arena, &s->H);
    return VS_OK;
}

// ---- local form ------------------------------------------------------------------------------------

// The problem's column of each of N's.
static int column_of(const vs_scaled *s, int k) {
    return k < s->m ? s->source[k] : s->ghost_source[k - s->m];
}

// N without the dropped rows and columns.
static vs_error create_local(vs_scaled *s, const vs_problem *problem, vs_arena *arena) {
    const vs_sparse *N = &problem->N;
    int cols = s->m + s->ghosts, *kept = VS_NEW(arena, int, problem->m);
    s->r = VS_NEW(arena, double, s->m);
    s->N = (vs_sparse){.rows = s->m, .cols = cols, .p = VS_NEW(arena, int64_t, cols + 1)};
    if (!kept || !s->r || !s->N.p)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < problem->m; i++)
        kept[i] = -1;
    for (int k = 0; k < s->m; k++)
        kept[s->source[k]] = k;
    int64_t count = 0;
    for (int k = 0; k < cols; k++)
        for (int64_t t = N->p[column_of(s, k)]; t < N->p[column_of(s, k) + 1]; t++)
            count += kept[N->i[t]] >= 0;
    s->N.i = VS_NEW(arena, int, count);
    s->N.x = VS_NEW(arena, double, count);
    if (!s->N.i || !s->N.x)
        return VS_ERROR_MEMORY;
    count = 0;
    for (int k = 0; k < cols; k++) {
        s->N.p[k] = count;
        for (int64_t t = N->p[column_of(s, k)]; t < N->p[column_of(s, k) + 1]; t++)
            if (kept[N->i[t]] >= 0)
                s->N.i[count++] = kept[N->i[t]];
    }
    s->N.p[cols] = count;
    return VS_OK;
}

vs_error vs_scaled_create(vs_scaled *s, vs_mass_model *mass, const vs_measurer *measurer, vs_arena *arena) {
    const vs_problem *problem = mass->problem;
    memset(s, 0, sizeof *s);
    s->mass = mass;
    s->local = problem->local;
    s->identity = !problem->local && problem->block_diagonal;
    s->symmetric = problem->symmetric;
    s->n = problem->local ? 0 : problem->n;
    s->m_e = problem->m_e;
    s->problem = problem;
    vs_error error = create_cones(s, problem, mass->friction, arena);
    bool rolling = vs_space_any(problem->space, problem->rolling != NULL); // methods are chosen by it, on all processes
    if (!error && rolling && mass->friction != VS_MODEL_FRICTIONLESS) {
        s->discs = VS_NEW_ZERO(arena, vs_discs, s->cones);
        error = s->discs ? VS_OK : VS_ERROR_MEMORY;
    }
    if (!error)
        error = vs_scaled_create_row_space(s, problem, arena);
    if (error)
        return error;
    s->S = VS_NEW(arena, double, s->m + s->ghosts);
    s->lo = VS_NEW_ZERO(arena, double, s->m);
    s->hi = VS_NEW_ZERO(arena, double, s->m);
    s->b = VS_NEW_ZERO(arena, double, s->m);
    s->E = VS_NEW_ZERO(arena, double, s->m);
    s->S_e = VS_NEW(arena, double, s->m_e);
    s->b_e = VS_NEW(arena, double, s->m_e);
    s->E_e = VS_NEW(arena, double, s->m_e);
    s->joint = VS_NEW(arena, int, s->m_e);
    s->unit_row = VS_NEW(arena, double, s->m);
    s->unit_joint = VS_NEW(arena, double, s->m_e);
    s->unit_v = VS_NEW(arena, double, s->n);
    s->own_row = VS_NEW(arena, double, s->m);
    s->own_joint = VS_NEW(arena, double, s->m_e);
    if (!s->unit_row || !s->unit_joint || !s->unit_v || !s->own_row || !s->own_joint)
        return VS_ERROR_MEMORY;
    if (!s->S || !s->lo || !s->hi || !s->b || !s->E || !s->S_e || !s->b_e || !s->E_e || !s->joint)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < problem->joints; j++)
        for (int row = problem->joint_row[j]; row < problem->joint_row[j + 1]; row++)
            s->joint[row] = j;
    s->extreme = !s->local && mass_ratio(problem, mass) > RATIO_MOST;
    error = s->local ? create_local(s, problem, arena) : create_global(s, problem, arena);
    if (error)
        return error;
    vs_scaled_update(s, measurer);
    return VS_OK;
}

// ---- values ----------------------------------------------------------------------------------------

static void update_row_scales(vs_scaled *s, const vs_energy_scale *a) {
    const vs_problem *problem = s->problem;
    for (int k = 0, i = 0; k < s->cones; k++) {
        int row = s->source[s->row[k]];
        while (problem->row[i + 1] <= row)
            i++;
        double root = sqrt(a->row[row]), mu = problem->mu[i];
        s->S[s->row[k]] = root;
        if (s->kind[k] == VS_CONE_SECOND_ORDER) {
            s->S[s->row[k]] = root * sqrt(mu);
            s->S[s->row[k] + 1] = s->S[s->row[k] + 2] = root / sqrt(mu);
        }
        if (s->kind[k] == VS_CONE_ROLLING) {
            s->discs[k] = vs_mass_model_discs(s->mass, i, NULL);
            if (!(mu > 0))
                s->discs[k] = vs_discs_without_sliding(&s->discs[k]);
            for (int j = s->row[k]; j < s->row[k + 1]; j++)
                s->S[j] = sqrt(a->row[s->source[j]]);
        }
        if (s->kind[k] == VS_CONE_BOX) {
            s->lo[s->row[k]] = root * problem->lo[row] / s->unit_row[s->row[k]];
            s->hi[s->row[k]] = root * problem->hi[row] / s->unit_row[s->row[k]];
        }
    }
    for (int k = 0; k < s->m_e; k++)
        s->S_e[k] = sqrt(a->joint_row[k]);
}

// x <- L^-1 x for one block of H = L D L'; division by G = D^1/2 L' except for D^1/2.
static void solve_unit_block(const vs_mass *mass, int block, double *x) {
    const double *f = mass->factor + mass->start[block];
    int size = mass->problem->block[block + 1] - mass->problem->block[block];
    for (int i = 1; i < size; i++)
        for (int j = 0; j < i; j++)
            x[i] -= f[i * size + j] * x[j];
}

// The blocks of one row of a Jacobian
static void solve_unit_blocks(const vs_mass *mass, int width, const int *col, double *x) {
    const int *first = mass->problem->block;
    for (int j = 0, size; j < width; j += size) {
        int block = mass->block_of[col[j]];
        size = first[block + 1] - first[block];
        if (size > 1)
            solve_unit_block(mass, block, x + j);
    }
}

// The values of one group: rows of A divided by S, columns by G.
static void update_rows(const vs_scaled *s, const vs_rows *A, const int *source, const double *S, const vs_mass *mass,
                        vs_rows *out) {
    int g = 0;
    for (int k = 0; k < out->groups; k++) {
        int width = (int)(out->start[k + 1] - out->start[k]);
        const int *col = out->col + out->start[k];
        double *x = out->x + out->value[k];
        for (int row = out->row[k]; row < out->row[k + 1]; row++, x += width) {
            int from = source ? source[row] : row;
            while (A->row[g + 1] <= from)
                g++;
            int from_width = (int)(A->start[g + 1] - A->start[g]);
            const int *from_col = A->col + A->start[g];
            const double *from_x = A->x + A->value[g] + (int64_t)(from - A->row[g]) * from_width;
            if (from_width == width)
                for (int j = 0; j < width; j++)
                    x[j] = from_x[j] / S[row];
            else
                for (int j = 0, t = 0; j < width; j++)
                    x[j] = t < from_width && from_col[t] == col[j] ? from_x[t++] / S[row] : 0;
            if (s->identity)
                solve_unit_blocks(mass, width, col, x);
            for (int j = 0; j < width; j++)
                x[j] /= s->G[col[j]];
        }
    }
}

// c - D'l of the prescribed impulses
static void shift_c(vs_scaled *s) {
    const vs_rows *D = &s->problem->D;
    const vs_space *space = s->problem->space;
    memcpy(s->c, s->problem->c, sizeof(double) * (size_t)s->n);
    vs_space_assemble_begin(space, s->n, s->c);
    for (int k = 0, g = 0; k < s->prescribed_count; k++) {
        int row = s->prescribed[k];
        while (D->row[g + 1] <= row)
            g++;
        int64_t width = D->start[g + 1] - D->start[g];
        const double *x = D->x + D->value[g] + (row - D->row[g]) * width;
        for (int64_t t = 0; t < width; t++)
            s->c[D->col[D->start[g] + t]] -= x[t] * s->problem->lo[row];
    }
    vs_space_assemble_end(space, s->c);
}

// sqrt(diag H)
static void find_roots(const vs_sparse *H, double *root) {
    for (int j = 0; j < H->cols; j++)
        for (int64_t t = H->p[j]; t < H->p[j + 1]; t++)
            if (H->i[t] == j)
                root[j] = sqrt(H->x[t]);
}

static void update_global(vs_scaled *s, const vs_mass *mass) {
    const vs_problem *problem = s->problem;
    shift_c(s);
    if (s->identity) {
        for (int k = 0; k < problem->blocks; k++) {
            int first = problem->block[k], size = problem->block[k + 1] - first;
            for (int i = 0; i < size; i++)
                s->G[first + i] = sqrt(mass->factor[mass->start[k] + (int64_t)i * (size + 1)]);
            solve_unit_block(mass, k, s->c + first);
        }
    } else {
        memset(s->G, 0, sizeof(double) * (size_t)s->n);
        find_roots(&problem->H, s->G);
        vs_space_assemble_end(problem->space, s->G);
        for (int j = 0; j < s->n; j++)
            for (int64_t t = problem->H.p[j]; t < problem->H.p[j + 1]; t++)
                s->H.x[t] = problem->H.x[t] / (s->G[j] * s->G[problem->H.i[t]]);
    }
    for (int j = 0; j < s->n; j++)
        s->c[j] /= s->G[j] * s->unit_v[j];
    update_rows(s, &problem->D, s->source, s->S, mass, &s->D);
    update_rows(s, &problem->C, NULL, s->S_e, mass, &s->C);
    for (int k = 0; k < s->m; k++) {
        s->b[k] = problem->b[s->source[k]] / (s->S[k] * s->unit_row[k]);
        s->E[k] = problem->E[s->source[k]] / (s->S[k] * s->S[k]);
    }
    for (int k = 0; k < s->m_e; k++) {
        s->b_e[k] = problem->b_e[k] / (s->S_e[k] * s->unit_joint[k]);
        s->E_e[k] = problem->E_e[k] / (s->S_e[k] * s->S_e[k]);
    }
}

// N was created with the source's order of entries, without dropped ones.
static void update_local(vs_scaled *s) {
    const vs_sparse *N = &s->problem->N;
    vs_scaled_extend(s, s->S);
    for (int k = 0; k < s->m; k++)
        s->r[k] = s->problem->r[s->source[k]] / (s->S[k] * s->unit_row[k]);
    for (int k = 0; k < s->m + s->ghosts; k++) {
        int64_t t = N->p[column_of(s, k)];
        for (int64_t u = s->N.p[k]; u < s->N.p[k + 1]; u++, t++) {
            while (N->i[t] != s->source[s->N.i[u]])
                t++;
            s->N.x[u] = N->x[t] / (s->S[k] * s->S[s->N.i[u]]);
        }
    }
}

// The units of rows, joint rows and velocities from those of the islands.
static void update_units(vs_scaled *s, const double *unit) {
    const vs_problem *problem = s->problem;
    const vs_island_map *islands = &s->mass->islands;
    for (int k = 0, i = 0; k < s->m; k++) {
        while (problem->row[i + 1] <= s->source[k])
            i++;
        s->unit_row[k] = unit[islands->contact[i]];
    }
    for (int j = 0; j < problem->joints; j++)
        for (int k = problem->joint_row[j]; k < problem->joint_row[j + 1]; k++)
            s->unit_joint[k] = unit[islands->joint[j]];
    for (int j = 0; j < s->n; j++)
        s->unit_v[j] = islands->entry[j] == VS_NO_ISLAND ? 1 : unit[islands->entry[j]];
}

// The references of the own errors of rows and joint rows.
static void update_own(vs_scaled *s, const double *contact, const double *joint) {
    const vs_problem *problem = s->problem;
    bool uneven = false;
    for (int k = 0, i = 0; k < s->m; k++) {
        while (problem->row[i + 1] <= s->source[k])
            i++;
        s->own_row[k] = vs_own_reference(contact[i]);
        uneven = uneven || s->own_row[k] < 1;
    }
    for (int k = 0; k < s->m_e; k++) {
        s->own_joint[k] = vs_own_reference(joint[s->joint[k]]);
        uneven = uneven || s->own_joint[k] < 1;
    }
    s->uneven = vs_space_any(problem->space, uneven);
}

void vs_scaled_update(vs_scaled *s, const vs_measurer *measurer) {
    s->problem = s->mass->problem;
    s->free_norm = vs_measurer_free_norm(measurer);
    update_units(s, vs_measurer_units(measurer));
    update_own(s, vs_measurer_contact_shares(measurer), vs_measurer_joint_shares(measurer));
    update_row_scales(s, &s->mass->scale);
    if (s->local)
        update_local(s);
    else
        update_global(s, s->mass->factor);
}

// ---- to and from the user's units ------------------------------------------------------------------

void vs_scaled_lambda(const vs_scaled *s, const double *lambda, double *scaled) {
    for (int k = 0; k < s->m; k++)
        scaled[k] = lambda[s->source[k]] * s->S[k] / s->unit_row[k];
}

void vs_scaled_lambda_undo(const vs_scaled *s, const double *scaled, double *lambda) {
    memset(lambda, 0, sizeof(double) * (size_t)s->problem->m);
    for (int k = 0; k < s->m; k++)
        lambda[s->source[k]] = scaled[k] / s->S[k] * s->unit_row[k];
    for (int k = 0; k < s->prescribed_count; k++)
        lambda[s->prescribed[k]] = s->problem->lo[s->prescribed[k]];
}

void vs_scaled_g(const vs_scaled *s, const double *g, double *scaled) {
    for (int k = 0; k < s->m_e; k++)
        scaled[k] = g[k] * s->S_e[k] / s->unit_joint[k];
}

void vs_scaled_g_undo(const vs_scaled *s, const double *scaled, double *g) {
    for (int k = 0; k < s->m_e; k++)
        g[k] = scaled[k] / s->S_e[k] * s->unit_joint[k];
}

void vs_scaled_v(const vs_scaled *s, const double *v, double *scaled) {
    const vs_problem *problem = s->problem;
    if (!s->identity) {
        for (int j = 0; j < s->n; j++)
            scaled[j] = s->G[j] * v[j] / s->unit_v[j];
        return;
    }
    const vs_mass *mass = s->mass->factor;
    for (int k = 0; k < problem->blocks; k++) {
        int first = problem->block[k], size = problem->block[k + 1] - first;
        const double *f = mass->factor + mass->start[k];
        for (int i = 0; i < size; i++) {
            double sum = v[first + i];
            for (int j = i + 1; j < size; j++)
                sum += f[j * size + i] * v[first + j];
            scaled[first + i] = sqrt(f[i * size + i]) * sum / s->unit_v[first];
        }
    }
}

void vs_scaled_v_undo(const vs_scaled *s, const double *scaled, double *v) {
    const vs_problem *problem = s->problem;
    if (!s->identity) {
        for (int j = 0; j < s->n; j++)
            v[j] = scaled[j] / s->G[j] * s->unit_v[j];
        return;
    }
    const vs_mass *mass = s->mass->factor;
    for (int k = 0; k < problem->blocks; k++) {
        int first = problem->block[k], size = problem->block[k + 1] - first;
        const double *f = mass->factor + mass->start[k];
        for (int i = size - 1; i >= 0; i--) {
            double sum = scaled[first + i] * s->unit_v[first] / sqrt(f[i * size + i]);
            for (int j = i + 1; j < size; j++)
                sum -= f[j * size + i] * v[first + j];
            v[first + i] = sum;
        }
    }
}

// ---- stacked rows ----------------------------------------------------------------------------------

int vs_scaled_group_row(const vs_scaled *s, int g) {
    return g < s->m_e ? g : s->m_e + s->row[g - s->m_e];
}

double vs_scaled_friction(const vs_scaled *s, int cone) {
    return s->S[s->row[cone]] / s->S[s->row[cone] + 1];
}

void vs_scaled_even_rows(const vs_scaled *s, double *scale) {
    for (int k = 0; k < s->m_e + s->m; k++)
        scale[k] = 1;
    scale += s->m_e;
    for (int k = 0; k < s->cones; k++)
        if (s->kind[k] == VS_CONE_SECOND_ORDER) {
            double root = sqrt(vs_scaled_friction(s, k));
            scale[s->row[k]] = root;
            scale[s->row[k] + 1] = scale[s->row[k] + 2] = 1 / root;
        }
}

vs_error vs_scaled_free_velocities(const vs_scaled *s, double *work, double *y) {
    if (s->local) {
        memcpy(y, s->r, sizeof(double) * (size_t)s->m);
        return VS_OK;
    }
    for (int j = 0; j < s->n; j++)
        work[j] = -s->c[j] * (s->identity ? 1 : s->G[j]);
    if (!s->identity) {
        vs_error error = vs_mass_solve(s->mass->factor, work);
        if (error)
            return error;
        for (int j = 0; j < s->n; j++)
            work[j] *= s->G[j];
    }
    vs_context *context = s->problem->context;
    vs_rows_multiply(&s->C, 1, work, 0, y, context);
    vs_rows_multiply(&s->D, 1, work, 0, y + s->m_e, context);
    for (int k = 0; k < s->m_e; k++)
        y[k] -= s->b_e[k];
    for (int k = 0; k < s->m; k++)
        y[s->m_e + k] -= s->b[k];
    return VS_OK;
}
