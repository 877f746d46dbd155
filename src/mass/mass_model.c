// Factors, inverse effective masses and free motion of one problem, created and updated together.
#include "mass/mass_model.h"

#include <float.h>
#include <math.h>

// Scale and free motion, once H is factored.
static vs_error compute(vs_mass_model *mass) {
    vs_energy_scale_compute(&mass->scale, mass->problem, mass->friction, mass->factor);
    return vs_velocities_compute(&mass->free, mass->problem, mass->factor, NULL, NULL);
}

vs_error vs_mass_model_create(vs_mass_model *mass, const vs_problem *problem, vs_model friction, vs_arena *arena) {
    *mass = (vs_mass_model){.problem = problem, .friction = friction};
    vs_error error = vs_island_map_create(&mass->islands, problem, arena);
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

// ---- rounding ----------------------------------------------------------------------------------------

// Roundings of a contact velocity, in epsilons of the sum of its terms' sizes: of a dozen products, of adding them, and of
// the velocities themselves. Sums of a dozen terms leave three epsilons, rarely five; this is twice the latter.
static const double ROUNDINGS = 10;

// r^2/(2a) of the rounding of a row's product
//
//     r = ROUNDINGS eps (|A||v| + |b|)
static double row_rounding(const vs_rows *A, int g, int row, double b, double a, const double *v) {
    int64_t width = A->start[g + 1] - A->start[g];
    const double *x = A->x + A->value[g] + (row - A->row[g]) * width;
    double size = fabs(b);
    for (int64_t j = 0; j < width; j++)
        size += fabs(x[j] * v[A->col[A->start[g] + j]]);
    double root = ROUNDINGS * DBL_EPSILON * size / sqrt(a);
    return .5 * root * root;
}

void vs_mass_model_add_rounding(const vs_mass_model *mass, double *energy) {
    const vs_problem *p = mass->problem;
    const vs_island_map *islands = &mass->islands;
    const double *v = mass->free.v;
    for (int i = 0; i < p->contacts; i++)
        for (int row = p->row[i]; row < p->row[i + 1]; row++) {
            double root = p->local ? ROUNDINGS * DBL_EPSILON * fabs(p->r[row]) / sqrt(mass->scale.row[row]) : 0;
            energy[islands->contact[i]] +=
                p->local ? .5 * root * root : row_rounding(&p->D, i, row, p->b[row], mass->scale.row[row], v);
        }
    for (int j = 0; j < p->joints; j++)
        for (int row = p->joint_row[j]; row < p->joint_row[j + 1]; row++)
            energy[islands->joint[j]] += row_rounding(&p->C, j, row, p->b_e[row], mass->scale.joint_row[row], v);
}

vs_error vs_mass_model_add_factor_rounding(const vs_mass_model *mass, double *r, double *z, double *energy) {
    const vs_problem *p = mass->problem;
    if (!mass->factor || !mass->factor->solver)
        return VS_OK;
    vs_error error = vs_mass_rounding(mass->factor, mass->free.v, r, z);
    for (int j = 0; j < vs_space_owned(p->space, p->n) && !error; j++)
        if (mass->islands.entry[j] != VS_NO_ISLAND)
            energy[mass->islands.entry[j]] += r[j] * z[j];
    return error;
}
