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
    vs_error error = vs_velocities_create(&mass->free, problem, false, arena);
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

// Adds, over the rows of A, r^2/(2a) of the rounding of a row's product
//
//     r = 2 eps (|A||v| + |b|)
static void add_row_rounding(const vs_rows *A, const double *b, const double *a, const double *v, double *sum) {
    for (int g = 0; g < A->groups; g++) {
        int64_t width = A->start[g + 1] - A->start[g];
        for (int row = A->row[g]; row < A->row[g + 1]; row++) {
            double size = fabs(b[row]);
            for (int64_t j = 0; j < width; j++)
                size += fabs(A->x[A->value[g] + (row - A->row[g]) * width + j] * v[A->col[A->start[g] + j]]);
            *sum += 2.0 * DBL_EPSILON * DBL_EPSILON * size * size / a[row];
        }
    }
}

vs_error vs_mass_model_rounding(const vs_mass_model *mass, double *r, double *z, double *energy) {
    const vs_problem *p = mass->problem;
    const double *v = mass->free.v;
    vs_error error = vs_mass_rounding(mass->factor, v, r, z, energy);
    double rows = 0.0;
    add_row_rounding(&p->D, p->b, mass->scale.row, v, &rows);
    add_row_rounding(&p->C, p->b_e, mass->scale.joint_row, v, &rows);
    *energy += vs_space_sum(p->space, rows);
    return error;
}
