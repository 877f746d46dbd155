// Pairs of the contact laws on the central path: see smooth_law.h.
#include "solver/derivative/smooth_law.h"

#include <math.h>
#include <string.h>

static const double KAPPA = 10;     // share of the cone in the exact path, that of coulomb/path
static const double FRACTION = .95; // of the step to the boundary
static const double SHORTEN = .8;   // of a step that rounding takes over it

// ---- creation --------------------------------------------------------------------------------------

typedef struct builder {
    vs_smooth_law *law;
    const vs_mass_model *mass;
    double tau;
    double *lambda;
} builder;

static vs_smooth_pair *add_pair(builder *b, vs_smooth_group *group, int row, double G, double offset) {
    vs_smooth_pair *pair = &b->law->pair[b->law->pairs++];
    group->pairs++;
    *pair = (vs_smooth_pair){.size = 1, .row = {row}, .G = {G}, .offset = offset, .normal = true, .weight = 1};
    return pair;
}

// a of the group's impulses, x = weight tau a^-1 of a point on the axis.
static void start_pair(const builder *b, const vs_smooth_group *group, vs_smooth_pair *pair) {
    pair->a[0] = pair->G[0] * b->lambda[group->first + pair->row[0]] + pair->offset;
    pair->x[0] = pair->weight * b->tau / pair->a[0];
}

static vs_smooth_group *add_group(builder *b, int contact, int first, int rows) {
    vs_smooth_group *group = &b->law->group[b->law->groups++];
    *group = (vs_smooth_group){.contact = contact, .first = first, .rows = rows, .pair = b->law->pairs};
    return group;
}

static void add_box_row(builder *b, int contact, int row) {
    const vs_problem *p = b->mass->problem;
    const double lo = p->lo[row], hi = p->hi[row], reach = sqrt(b->tau / b->mass->scale.row[row]);
    vs_smooth_group *group = add_group(b, contact, row, 1);
    group->box = true;
    group->active[0] = hi > lo;
    b->lambda[row] = lo;
    if (!group->active[0])
        return;
    b->lambda[row] = isfinite(lo) ? lo + fmin(reach, .5 * (hi - lo)) : isfinite(hi) ? hi - reach : 0;
    if (isfinite(lo))
        start_pair(b, group, add_pair(b, group, 0, 1, -lo));
    if (isfinite(hi))
        start_pair(b, group, add_pair(b, group, 0, -1, hi));
}

static bool has_radius(const double *m, int first, int end) {
    for (int i = first; i < end; i++)
        if (!(m[i] > 0))
            return false;
    return end > first;
}

static void add_contact(builder *b, int contact) {
    const vs_problem *p = b->mass->problem;
    const int row = p->row[contact], rows = p->row[contact + 1] - row;
    const bool exact = b->mass->friction == VS_MODEL_EXACT;
    vs_smooth_group *group = add_group(b, contact, row, rows);
    memset(b->lambda + row, 0, (size_t)rows * sizeof *b->lambda);
    b->lambda[row] = sqrt(b->tau / b->mass->scale.row[row]);
    group->active[0] = true;
    double m[VS_MODE_ROWS] = {0};
    vs_discs discs = {0};
    if (rows > 1 && b->mass->friction != VS_MODEL_FRICTIONLESS) {
        vs_modes_coefficients(p, contact, m);
        discs = vs_modes_discs(p, contact);
    }
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        if (!has_radius(m, discs.begin[k], discs.begin[k + 1]))
            continue;
        vs_smooth_pair *pair = add_pair(b, group, 0, 1, 0);
        pair->normal = !exact;
        pair->weight = exact ? KAPPA : 1;
        for (int i = discs.begin[k]; i < discs.begin[k + 1]; i++) {
            pair->row[pair->size] = i;
            pair->G[pair->size++] = 1 / m[i];
            group->active[i] = true;
        }
        start_pair(b, group, pair);
    }
    if (exact || group->pairs == 0)
        start_pair(b, group, add_pair(b, group, 0, 1, 0));
}

vs_error vs_smooth_law_create(vs_smooth_law *law, const vs_mass_model *mass, double tau, double *lambda,
                              vs_arena *arena) {
    const vs_problem *p = mass->problem;
    const int most = p->m + p->contacts;
    *law = (vs_smooth_law){.group = VS_NEW_ZERO(arena, vs_smooth_group, most),
                           .pair = VS_NEW_ZERO(arena, vs_smooth_pair, 2 * (int64_t)most)};
    if (!law->group || !law->pair)
        return VS_ERROR_MEMORY;
    builder b = {.law = law, .mass = mass, .tau = tau, .lambda = lambda};
    for (int i = 0; i < p->contacts; i++) {
        if (p->kind[i] != VS_CONE_BOX)
            add_contact(&b, i);
        for (int row = p->row[i]; row < p->row[i + 1] && p->kind[i] == VS_CONE_BOX; row++)
            add_box_row(&b, i, row);
    }
    return VS_OK;
}

// ---- cones -----------------------------------------------------------------------------------------

static double length_of(const vs_smooth_pair *pair, const double *x) {
    double sum = 0;
    for (int i = 1; i < pair->size; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static double determinant(const vs_smooth_pair *pair, const double *x) {
    const double length = length_of(pair, x);
    return pair->size == 1 ? x[0] : (x[0] - length) * (x[0] + length);
}

static double dot(const vs_smooth_pair *pair, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < pair->size; i++)
        sum += x[i] * y[i];
    return sum;
}

// out = value a^-1
static void invert(const vs_smooth_pair *pair, double value, double *out) {
    const double factor = value / determinant(pair, pair->a);
    out[0] = pair->size == 1 ? factor : factor * pair->a[0];
    for (int i = 1; i < pair->size; i++)
        out[i] = -factor * pair->a[i];
}

// W^2 = eta^2 (2 w w' - J), w = (x / |x| + J a / |a|) / 2 gamma, with |a|^2 = det a
static void scale(vs_smooth_pair *pair) {
    if (pair->size == 1) {
        pair->W2[0] = pair->x[0] / pair->a[0];
        return;
    }
    const double a = sqrt(determinant(pair, pair->a)), x = sqrt(determinant(pair, pair->x));
    const double gamma = sqrt(.5 * (1 + dot(pair, pair->a, pair->x) / (a * x)));
    double w[VS_MODE_ROWS];
    for (int i = 0; i < pair->size; i++)
        w[i] = (pair->x[i] / x + (i == 0 ? 1 : -1) * pair->a[i] / a) / (2 * gamma);
    for (int i = 0; i < pair->size; i++)
        for (int j = 0; j < pair->size; j++)
            pair->W2[i * VS_MODE_ROWS + j] = x / a * (2 * w[i] * w[j] + (i != j ? 0 : i == 0 ? -1 : 1));
}

void vs_smooth_law_scale(vs_smooth_law *law) {
    for (int k = 0; k < law->pairs; k++)
        scale(&law->pair[k]);
}

double vs_smooth_law_products(const vs_smooth_law *law) {
    double sum = 0;
    for (int k = 0; k < law->pairs; k++)
        sum += dot(&law->pair[k], law->pair[k].a, law->pair[k].x) / law->pair[k].weight;
    return law->pairs > 0 ? sum / law->pairs : 0;
}

// ---- iteration -------------------------------------------------------------------------------------

void vs_smooth_law_velocities(const vs_smooth_law *law, double tau, double *u) {
    for (int k = 0; k < law->groups; k++) {
        const vs_smooth_group *group = &law->group[k];
        memset(u + group->first, 0, (size_t)group->rows * sizeof *u);
        for (int e = group->pair; e < group->pair + group->pairs; e++) {
            const vs_smooth_pair *pair = &law->pair[e];
            double x[VS_MODE_ROWS];
            invert(pair, pair->weight * tau, x);
            for (int i = pair->normal ? 0 : 1; i < pair->size; i++)
                u[group->first + pair->row[i]] += pair->G[i] * x[i];
        }
    }
}

static double direct(vs_smooth_pair *pair, double tau, const double *dl) {
    double inverse[VS_MODE_ROWS] = {0}, square = 0;
    invert(pair, pair->weight * tau, inverse);
    for (int i = 0; i < pair->size; i++)
        pair->da[i] = pair->G[i] * dl[pair->row[i]];
    for (int i = 0; i < pair->size; i++) {
        double sum = 0;
        for (int j = 0; j < pair->size; j++)
            sum += pair->W2[i * VS_MODE_ROWS + j] * pair->da[j];
        pair->dx[i] = inverse[i] - pair->x[i] - sum;
        square += sum * pair->da[i];
    }
    return sqrt(fmax(square, 0) / (pair->weight * tau));
}

double vs_smooth_law_direct(vs_smooth_law *law, double tau, const double *dl) {
    double most = 0;
    for (int k = 0; k < law->groups; k++)
        for (int e = law->group[k].pair; e < law->group[k].pair + law->group[k].pairs; e++)
            most = fmax(most, direct(&law->pair[e], tau, dl + law->group[k].first));
    return most;
}

// Smallest step > 0 at which x + step d is on the boundary; infinite: none.
static double boundary(const vs_smooth_pair *pair, const double *x, const double *d) {
    if (pair->size == 1)
        return d[0] < 0 ? -x[0] / d[0] : INFINITY;
    const double dd = determinant(pair, d), xx = determinant(pair, x), xd = 2 * x[0] * d[0] - dot(pair, x, d);
    const double root = xd * xd - dd * xx;
    // dd s^2 + 2 xd s + xx = 0
    if (dd < 0 || (xd < 0 && root >= 0))
        return xx / (-xd + sqrt(fmax(root, 0)));
    return INFINITY;
}

static bool is_inside(const vs_smooth_pair *pair, const double *x, const double *d, double step) {
    double moved[VS_MODE_ROWS] = {0};
    for (int i = 0; i < pair->size; i++)
        moved[i] = x[i] + step * d[i];
    return moved[0] > length_of(pair, moved);
}

double vs_smooth_law_step(const vs_smooth_law *law) {
    double least = INFINITY;
    for (int k = 0; k < law->pairs; k++) {
        const vs_smooth_pair *pair = &law->pair[k];
        least = fmin(least, fmin(boundary(pair, pair->a, pair->da), boundary(pair, pair->x, pair->dx)));
    }
    double step = fmin(1, FRACTION * least);
    for (int k = 0; k < law->pairs; k++) {
        const vs_smooth_pair *pair = &law->pair[k];
        while (step > 0 && !(is_inside(pair, pair->a, pair->da, step) && is_inside(pair, pair->x, pair->dx, step)))
            step *= SHORTEN;
    }
    return step;
}

void vs_smooth_law_advance(vs_smooth_law *law, double step) {
    for (int k = 0; k < law->pairs; k++)
        for (int i = 0; i < law->pair[k].size; i++) {
            law->pair[k].a[i] += step * law->pair[k].da[i];
            law->pair[k].x[i] += step * law->pair[k].dx[i];
        }
}
