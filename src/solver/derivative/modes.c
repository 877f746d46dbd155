// Statuses and modes of contacts, box rows and joints: see modes.h.
#include "solver/derivative/modes.h"

#include <math.h>
#include <string.h>

// One contact with friction at the solution, in the user's units.
typedef struct slip_state {
    const double *l, *y; // (rows)
    double root;         // sqrt(a), of energies
    double zero;         // sqrt(J) below which an impulse or velocity is none
    double rounding;     // sqrt(J) below which it is not known
    int rows;
    double m[VS_MODE_ROWS]; // coefficients; row 0: 0
    double e[VS_MODE_ROWS]; // directions of slip
    double S[VS_DISC_COUNT];
    bool slides[VS_DISC_COUNT];
} slip_state;

typedef struct collector {
    vs_modes *modes;
    const vs_mass_model *mass;
    vs_modes_zero zero;
    const double *unit, *lambda, *y;
} collector;

vs_coefficient vs_modes_coefficient(int rows, int row) {
    if (row < 3)
        return VS_COEFFICIENT_MU;
    return rows == 4 || row == 5 ? VS_COEFFICIENT_SPINNING : VS_COEFFICIENT_ROLLING;
}

// ---- modes -----------------------------------------------------------------------------------------

vs_mode *vs_modes_add(vs_modes *modes, bool joint, int group, int first, int rows) {
    vs_mode *mode = &modes->mode[modes->count++];
    *mode = (vs_mode){.joint = joint, .group = group, .first = first, .rows = rows};
    return mode;
}

static void add_held(vs_modes *modes, bool joint, int group, int row, double root) {
    vs_mode *mode = vs_modes_add(modes, joint, group, row, 1);
    mode->T[0] = 1 / root;
    mode->R[0] = 1 / root;
}

// a: inverse effective masses of the mode's rows. Scales |S T| and |S R|, S^2 = diag(a), to 1: z and R'dy become roots of
// energies.
static void normalize(vs_mode *mode, const double *a) {
    double impulse = 0, velocity = 0;
    for (int i = 0; i < mode->rows; i++) {
        impulse += a[i] * mode->T[i] * mode->T[i];
        velocity += a[i] * mode->R[i] * mode->R[i];
    }
    const double t = 1 / sqrt(impulse), r = 1 / sqrt(velocity);
    for (int i = 0; i < mode->rows; i++) {
        mode->T[i] *= t;
        mode->R[i] *= r;
        mode->Q[i] *= r;
    }
    mode->epsilon *= t * r;
}

// ---- friction --------------------------------------------------------------------------------------

// Direction, slip and status of the rows first … end - 1 of one disc. Returns whether it is at a border.
static bool find_slip(slip_state *c, int disc, int first, int end) {
    double S = 0, load = 0;
    bool frictionless = false;
    for (int i = first; i < end; i++)
        frictionless = frictionless || !(c->m[i] > 0);
    for (int i = first; i < end; i++) {
        const double weight = frictionless ? 1 : c->m[i];
        S += weight * c->y[i] * weight * c->y[i];
        load += frictionless ? 0 : c->l[i] / c->m[i] * (c->l[i] / c->m[i]);
    }
    S = sqrt(S);
    load = sqrt(load);
    const double margin = frictionless ? 0 : fmax(c->l[0] - load, 0) * c->root, slip = S / c->root;
    const bool known = fmax(slip, margin) > c->rounding; // else it counts as held, whichever of both rounding leaves
    c->slides[disc] = frictionless || (known && slip > margin);
    c->S[disc] = frictionless ? 0 : S;
    const bool directed = frictionless ? slip > c->zero : c->slides[disc];
    for (int i = first; i < end; i++)
        c->e[i] = directed ? (frictionless ? 1 : c->m[i]) * c->y[i] / S : 0;
    return slip <= c->zero && margin <= c->zero;
}

// Unit vectors t across e (size): the k-th by Gram and Schmidt from the axes, the one nearest to e left out.
static void find_across(int size, const double *e, double t[VS_MODE_ROWS][VS_MODE_ROWS]) {
    int nearest = 0;
    for (int i = 1; i < size; i++)
        nearest = fabs(e[i]) > fabs(e[nearest]) ? i : nearest;
    for (int axis = 0, k = 0; axis < size; axis++) {
        if (axis == nearest)
            continue;
        // Householder: the reflection that takes the nearest axis to -+e takes the others to vectors across it.
        const double sign = e[nearest] > 0 ? 1 : -1, factor = e[axis] / (1 + fabs(e[nearest]));
        for (int i = 0; i < size; i++)
            t[k][i] = (i == axis) - factor * (e[i] + (i == nearest ? sign : 0));
        k++;
    }
}

static void add_across(const collector *to, const slip_state *c, int contact, int disc, int first, int end) {
    const vs_problem *p = to->mass->problem;
    double t[VS_MODE_ROWS][VS_MODE_ROWS];
    find_across(end - first, c->e + first, t);
    for (int k = 0; k < end - first - 1; k++) {
        vs_mode *mode = vs_modes_add(to->modes, false, contact, p->row[contact] + first, end - first);
        for (int i = 0; i < end - first; i++) {
            mode->T[i] = c->m[first + i] * t[k][i];
            mode->R[i] = c->m[first + i] * t[k][i];
            mode->Q[i] = -t[k][i] * c->y[first + i];
        }
        mode->epsilon = c->S[disc] / c->l[0];
        normalize(mode, to->mass->scale.row + mode->first);
    }
}

static void add_disc(const collector *to, slip_state *c, int contact, int disc, int first, int end) {
    vs_modes *modes = to->modes;
    const vs_problem *p = to->mass->problem;
    const int row = p->row[contact];
    if (find_slip(c, disc, first, end))
        modes->flags[contact] |= VS_DERIVATIVE_BORDER;
    for (int i = first; i < end; i++) {
        modes->status[row + i] = c->slides[disc] ? VS_ROW_LIMIT : VS_ROW_HELD;
        modes->P[row + i] = c->slides[disc] ? -c->l[0] * c->e[i] : 0;
        if (!c->slides[disc])
            add_held(modes, false, contact, row + i, sqrt(to->mass->scale.row[row + i]));
    }
    if (c->slides[disc] && c->S[disc] > 0 && c->l[0] > 0)
        add_across(to, c, contact, disc, first, end);
}

vs_discs vs_modes_discs(const vs_problem *problem, int contact) {
    const int rows = problem->row[contact + 1] - problem->row[contact];
    if (problem->kind[contact] == VS_CONE_ELLIPTIC)
        return vs_discs_make_elliptic(rows);
    return vs_discs_make(rows);
}

void vs_modes_coefficients(const vs_problem *problem, int contact, double *m) {
    const int rows = problem->row[contact + 1] - problem->row[contact];
    for (int i = 1; i < rows; i++) {
        const vs_coefficient which = vs_modes_coefficient(rows, i);
        m[i] = which == VS_COEFFICIENT_MU        ? problem->mu[contact]
               : which == VS_COEFFICIENT_ROLLING ? problem->rolling[contact]
                                                 : problem->spinning[contact];
    }
}

// The speed with which a contact opens; in the relaxed model that beyond its slip.
static double opening(const collector *to, const slip_state *c, const vs_discs *discs) {
    double open = c->y[0];
    for (int k = 0; k < VS_DISC_COUNT && to->mass->friction == VS_MODEL_RELAXED; k++) {
        double S = 0;
        for (int i = discs->begin[k]; i < discs->begin[k + 1]; i++)
            S += c->m[i] * c->y[i] * c->m[i] * c->y[i];
        open -= sqrt(S);
    }
    return open;
}

static void add_friction(const collector *to, int contact) {
    const vs_problem *p = to->mass->problem;
    const int row = p->row[contact], rows = p->row[contact + 1] - row;
    const bool frictionless = to->mass->friction == VS_MODEL_FRICTIONLESS || rows == 1;
    const double root = sqrt(to->mass->scale.row[row]);
    slip_state c = {.l = to->lambda + row,
                    .y = to->y + row,
                    .root = root,
                    .zero = to->zero.border * to->unit[to->mass->islands.contact[contact]],
                    .rounding = to->zero.rounding * to->unit[to->mass->islands.contact[contact]],
                    .rows = rows};
    vs_discs discs = {0};
    if (!frictionless) {
        vs_modes_coefficients(p, contact, c.m);
        discs = vs_modes_discs(p, contact);
    }
    const double impulse = c.l[0] * root, open = opening(to, &c, &discs) / root;
    if (fabs(impulse) <= c.zero && fabs(open) <= c.zero)
        to->modes->flags[contact] |= VS_DERIVATIVE_BORDER;
    if (open > impulse || fmax(fabs(open), fabs(impulse)) <= c.zero)
        return;
    to->modes->status[row] = VS_ROW_HELD;
    if (frictionless) {
        add_held(to->modes, false, contact, row, root);
        return;
    }
    for (int k = 0; k < VS_DISC_COUNT; k++)
        if (discs.begin[k + 1] > discs.begin[k])
            add_disc(to, &c, contact, k, discs.begin[k], discs.begin[k + 1]);
    vs_mode *mode = vs_modes_add(to->modes, false, contact, row, rows);
    const bool relaxed = to->mass->friction == VS_MODEL_RELAXED;
    mode->T[0] = mode->R[0] = 1;
    for (int i = 1; i < rows; i++) {
        if (to->modes->status[row + i] != VS_ROW_LIMIT)
            continue;
        mode->T[i] = -c.m[i] * c.e[i];
        mode->R[i] = relaxed ? mode->T[i] : 0;
        mode->Q[i] = relaxed ? c.e[i] * c.y[i] : 0;
    }
    normalize(mode, to->mass->scale.row + row);
}

// ---- boxes and joints ------------------------------------------------------------------------------

static void add_box(const collector *to, int contact) {
    const vs_problem *p = to->mass->problem;
    const double zero = to->zero.border * to->unit[to->mass->islands.contact[contact]];
    for (int row = p->row[contact]; row < p->row[contact + 1]; row++) {
        const double root = sqrt(to->mass->scale.row[row]), y = to->y[row] / root;
        const double low = (to->lambda[row] - p->lo[row]) * root, high = (p->hi[row] - to->lambda[row]) * root;
        const double room = fmax(y > 0 ? low : high, 0);
        const bool prescribed = !(p->hi[row] > p->lo[row]);
        if (!prescribed && fabs(y) <= zero && fmin(low, high) <= zero)
            to->modes->flags[contact] |= VS_DERIVATIVE_BORDER;
        to->modes->status[row] = prescribed || fabs(y) > room ? VS_ROW_LIMIT : VS_ROW_HELD;
        if (to->modes->status[row] == VS_ROW_HELD)
            add_held(to->modes, false, contact, row, root);
        else
            to->modes->P[row] = 1;
        to->modes->low[row] = y > 0;
    }
}

static void add_joint(vs_modes *modes, const vs_mass_model *mass, int joint) {
    const vs_problem *p = mass->problem;
    for (int row = p->joint_row[joint]; row < p->joint_row[joint + 1]; row++)
        add_held(modes, true, joint, row, sqrt(mass->scale.joint_row[row]));
}

// ---- all of them -----------------------------------------------------------------------------------

static int island_of(const vs_mass_model *mass, const vs_mode *mode) {
    return mode->joint ? mass->islands.joint[mode->group] : mass->islands.contact[mode->group];
}

// Stable sort by islands.
vs_error vs_modes_end(vs_modes *modes, const vs_mass_model *mass, vs_arena *arena) {
    modes->islands = mass->islands.count;
    modes->island = VS_NEW_ZERO(arena, int, modes->islands + 2);
    vs_mode *sorted = VS_NEW(arena, vs_mode, modes->count);
    if (!modes->island || !sorted)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < modes->count; k++)
        modes->island[island_of(mass, &modes->mode[k]) + 2]++;
    for (int k = 0; k < modes->islands; k++)
        modes->island[k + 2] += modes->island[k + 1];
    for (int k = 0; k < modes->count; k++)
        sorted[modes->island[island_of(mass, &modes->mode[k]) + 1]++] = modes->mode[k];
    modes->mode = sorted;
    return VS_OK;
}

vs_error vs_modes_begin(vs_modes *modes, const vs_mass_model *mass, vs_arena *arena) {
    const vs_problem *p = mass->problem;
    *modes = (vs_modes){.mode = VS_NEW_ZERO(arena, vs_mode, p->m + p->m_e),
                        .status = VS_NEW_ZERO(arena, vs_row_status, p->m),
                        .flags = VS_NEW_ZERO(arena, unsigned char, p->contacts),
                        .P = VS_NEW_ZERO(arena, double, p->m),
                        .low = VS_NEW_ZERO(arena, double, p->m)};
    if (!modes->mode || !modes->status || !modes->flags || !modes->P || !modes->low)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < p->joints; j++)
        add_joint(modes, mass, j);
    return VS_OK;
}

vs_error vs_modes_create(vs_modes *modes, const vs_mass_model *mass, vs_modes_zero zero, const double *unit,
                         const double *lambda, const double *y, vs_arena *arena) {
    const vs_problem *p = mass->problem;
    const vs_error error = vs_modes_begin(modes, mass, arena);
    if (error)
        return error;
    const collector to = {.modes = modes, .mass = mass, .zero = zero, .unit = unit, .lambda = lambda, .y = y};
    for (int i = 0; i < p->contacts; i++) {
        if (p->kind[i] == VS_CONE_BOX)
            add_box(&to, i);
        else
            add_friction(&to, i);
        modes->borders += (modes->flags[i] & VS_DERIVATIVE_BORDER) != 0;
    }
    return vs_modes_end(modes, mass, arena);
}
