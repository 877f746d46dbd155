// Factors, inverse effective masses and free motion of one problem, created and updated together.
#include "mass/mass_model.h"

#include <float.h>
#include <math.h>

#include "problem/granular.h"

// Scale and free motion, once H is factored.
static vs_error compute(vs_mass_model *mass) {
    vs_energy_scale_compute(&mass->scale, mass->problem, mass->friction, mass->factor);
    return vs_velocities_compute(&mass->free, mass->problem, mass->factor, NULL, NULL);
}

vs_error vs_mass_model_create(vs_mass_model *mass, const vs_problem *problem, vs_model friction, vs_arena *arena) {
    *mass = (vs_mass_model){.problem = problem, .friction = friction};
    vs_error error = vs_island_map_create(&mass->islands, problem, arena);
    if (!error)
        error = vs_granular_find(&mass->islands, problem, arena);
    if (!error)
        error = vs_velocities_create(&mass->free, problem, false, arena);
    if (!error)
        error = vs_energy_scale_create(&mass->scale, problem, arena);
    if (!error && !problem->local) {
        mass->factor = VS_NEW_ZERO(arena, vs_mass, 1);
        error = mass->factor ? vs_mass_create(mass->factor, problem, arena) : VS_ERROR_MEMORY;
    }
    return error ? error : compute(mass);
}

vs_error vs_mass_model_update(vs_mass_model *mass, const vs_problem *problem) {
    mass->problem = problem;
    vs_error error = mass->factor ? vs_mass_update(mass->factor, problem) : VS_OK;
    return error ? error : compute(mass);
}

void vs_mass_model_release(vs_mass_model *mass) {
    if (mass->factor)
        vs_mass_release(mass->factor);
    *mass = (vs_mass_model){0};
}

double vs_mass_model_friction(const vs_mass_model *mass, int contact) {
    return mass->friction == VS_MODEL_FRICTIONLESS ? 0.0 : mass->problem->mu[contact];
}

vs_discs vs_mass_model_discs(const vs_mass_model *mass, int contact, double *ell) {
    const vs_problem *p = mass->problem;
    const double *a = mass->scale.row + p->row[contact];
    int rows = p->row[contact + 1] - p->row[contact];
    bool elliptic = p->kind[contact] == VS_CONE_ELLIPTIC;
    double length = sqrt(a[0] / a[3]);
    vs_discs discs = elliptic ? vs_discs_make_elliptic(rows) : vs_discs_make(rows);
    for (int k = 0; k < rows && ell; k++)
        ell[k] = sqrt(a[0] / a[k]);
    if (mass->friction == VS_MODEL_FRICTIONLESS)
        return discs;
    discs.mu[VS_DISC_SLIDING] = p->mu[contact];
    discs.mu[VS_DISC_ROLLING] = elliptic ? 0.0 : p->rolling[contact] / length;
    discs.mu[VS_DISC_SPINNING] = elliptic ? 0.0 : p->spinning[contact] / length;
    return discs;
}

int vs_mass_model_rows_end(const vs_mass_model *mass, int contact) {
    const vs_problem *p = mass->problem;
    bool normal_only = p->kind[contact] == VS_CONE_SECOND_ORDER && vs_mass_model_friction(mass, contact) == 0.0;
    normal_only = normal_only || (vs_problem_rolls(p, contact) && mass->friction == VS_MODEL_FRICTIONLESS);
    return normal_only ? p->row[contact] + 1 : p->row[contact + 1];
}

// ---- rounding ----------------------------------------------------------------------------------------

// Roundings of a contact velocity, in epsilons of the sum of its terms' sizes: of a dozen products, of adding them, and of
// the velocities themselves. Sums of a dozen terms leave three epsilons, rarely five; this is twice the latter.
static const double ROUNDINGS = 10;

// r^2/(2a) without overflow in between
static double velocity_energy(double r, double a) {
    double root = r / sqrt(a);
    return .5 * root * root;
}

// That of a rounded velocity.
static double rounding_energy(double size, double a) {
    return velocity_energy(ROUNDINGS * DBL_EPSILON * size, a);
}

// |A||v| + |b| of a row
static double size_of_terms(const vs_rows *A, int g, int row, double b, const double *v) {
    int64_t width = A->start[g + 1] - A->start[g];
    const double *x = A->x + A->value[g] + (row - A->row[g]) * width;
    double size = fabs(b);
    for (int64_t j = 0; j < width; j++)
        size += fabs(x[j] * v[A->col[A->start[g] + j]]);
    return size;
}

double vs_mass_model_demand(const vs_mass_model *mass, int contact, int row) {
    const vs_problem *p = mass->problem;
    return p->kind[contact] == VS_CONE_BOX ? fmax(0.0, fmax(p->lo[row], -p->hi[row])) : 0.0;
}

static void add_to_contact(const vs_mass_model *mass, int contact, double energy, const vs_roundings *to) {
    to->island[mass->islands.contact[contact]] += energy;
    to->contact[contact] += energy;
}

static void add_to_joint(const vs_mass_model *mass, int joint, double energy, const vs_roundings *to) {
    to->island[mass->islands.joint[joint]] += energy;
    to->joint[joint] += energy;
}

void vs_mass_model_add_rounding(const vs_mass_model *mass, const vs_roundings *to) {
    const vs_problem *p = mass->problem;
    const double *v = mass->free.v;
    for (int i = 0; i < p->contacts; i++)
        for (int row = p->row[i]; row < vs_mass_model_rows_end(mass, i); row++) {
            double a = mass->scale.row[row];
            double size = p->local ? fabs(p->r[row]) : size_of_terms(&p->D, i, row, p->b[row], v);
            add_to_contact(mass, i, rounding_energy(size + a * vs_mass_model_demand(mass, i, row), a), to);
        }
    for (int j = 0; j < p->joints; j++)
        for (int row = p->joint_row[j]; row < p->joint_row[j + 1]; row++) {
            double size = size_of_terms(&p->C, j, row, p->b_e[row], v);
            add_to_joint(mass, j, rounding_energy(size, mass->scale.joint_row[row]), to);
        }
}

// Energy of the velocity that a row makes of the roundings z (n).
static double row_energy(const vs_rows *A, int g, int row, double a, const double *z) {
    return velocity_energy(size_of_terms(A, g, row, 0.0, z), a);
}

vs_error vs_mass_model_add_factor_rounding(const vs_mass_model *mass, double *r, double *z, const vs_roundings *to) {
    const vs_problem *p = mass->problem;
    if (!mass->factor || !mass->factor->solver)
        return VS_OK;
    vs_error error = vs_mass_rounding(mass->factor, mass->free.v, r, z);
    for (int i = 0; i < p->contacts && !error; i++)
        for (int row = p->row[i]; row < vs_mass_model_rows_end(mass, i); row++)
            add_to_contact(mass, i, row_energy(&p->D, i, row, mass->scale.row[row], z), to);
    for (int j = 0; j < p->joints && !error; j++)
        for (int row = p->joint_row[j]; row < p->joint_row[j + 1]; row++)
            add_to_joint(mass, j, row_energy(&p->C, j, row, mass->scale.joint_row[row], z), to);
    return error;
}
