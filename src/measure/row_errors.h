// Errors of single contacts, rows and joints, over the reference of their island, whose unit is u = sqrt(reference); and their
// parts of the sums of that island.
#ifndef VS_MEASURE_ROW_ERRORS_H
#define VS_MEASURE_ROW_ERRORS_H

#include "mass/mass_model.h"

// Parts of a sum, over the reference: energy error, work error, energy of the impulses, energy of their rounding; and
// square of the natural map.
enum { VS_SUM_ENERGY, VS_SUM_WORK, VS_SUM_IMPULSES, VS_SUM_ROUNDING, VS_SUM_MAP, VS_SUM_PARTS };

// Of one contact or joint alone, over the reference of its island.
typedef struct vs_row_errors {
    double energy;   // energy error
    double rounding; // energy of the rounding of its impulses
    double work;     // that the impulses do with that rounding
} vs_row_errors;

// Impulses and the velocities that they cause: g, r_e (m_e), l, y (m). Null impulses are zero.
typedef struct vs_evaluated {
    const double *g, *r_e, *l, *y;
} vs_evaluated;

// The velocity that must be in the dual cone: y; exact model: with mu |y_T| added to its normal component.
void vs_shift_velocity(vs_model model, double mu, const double *y, double *ybar);

// Each adds to `sum`; the natural map is in the unit `norm`.
vs_row_errors vs_row_errors_friction(const vs_mass_model *mass, int i, const vs_evaluated *e, double u, double norm,
                                     double *sum);
// A contact i with rolling or spinning friction.
vs_row_errors vs_row_errors_rolling(const vs_mass_model *mass, int i, const vs_evaluated *e, double u, double norm,
                                    double *sum);
// Row k of a contact i without friction, or of a box.
vs_row_errors vs_row_errors_row(const vs_mass_model *mass, int i, int k, const vs_evaluated *e, double u, double norm,
                                double *sum);
vs_row_errors vs_row_errors_joint(const vs_mass_model *mass, int j, const vs_evaluated *e, double u, double norm,
                                  double *sum);

#endif
