// The statuses of the rows at a solution, and the directions ("modes") in which its impulses may change.
//
// A mode is a number z with an equation; both live in the rows of one contact or joint:
//
//     dl = P dm + T z          R'dy + epsilon z = Q'dm
//
//     held row          T = R = e_i
//     at a limit        T = R = none                          dl_i = d lo_i or d hi_i
//     friction, normal  T = (1, -m e)                         R = (1, 0), relaxed model (1, -m e)
//     friction, across  T = R = m t, t across e               epsilon = |m y| / l_n
//
// with the coefficients m_i of the rows of a disc (cone.h), e = m y / |m y| the direction of its slip, and
//
//     l_i = -l_n m_i e_i    =>    P_i = -l_n e_i,    Q_i = -t_i y_i, normal of the relaxed model e_i y_i
//
// T and R are scaled to a unit of energy, so that the least norm of z is that of the impulses.
#ifndef VS_SOLVER_DERIVATIVE_MODES_H
#define VS_SOLVER_DERIVATIVE_MODES_H

#include "mass/mass_model.h"
#include "voussoir/derivative.h"

enum { VS_MODE_ROWS = 6 };

typedef struct vs_mode {
    bool joint;
    int group; // contact or joint
    int first; // row of D or C with the first entry
    int rows;  // entries
    double T[VS_MODE_ROWS], R[VS_MODE_ROWS], Q[VS_MODE_ROWS];
    double epsilon; // >= 0
} vs_mode;

typedef struct vs_modes {
    vs_mode *mode;         // (count) by islands
    int count;             //
    int islands;           //
    int *island;           // (islands + 1) first mode of each
    vs_row_status *status; // (m)
    unsigned char *flags;  // (contacts)
    double *P;             // (m)
    double *low;           // (m) box rows: share of lo in the bound that limits them, the rest is that of hi
    int borders;
} vs_modes;

// Relative to the units of islands.
typedef struct vs_modes_zero {
    double border;   // what is less counts as zero, and has a flag
    double rounding; // what is less is not known: the errors of the solution
} vs_modes_zero;

// y (m) of the impulses lambda. unit (islands): see vs_measurer_units().
vs_error vs_modes_create(vs_modes *modes, const vs_mass_model *mass, vs_modes_zero zero, const double *unit,
                         const double *lambda, const double *y, vs_arena *arena);

// The parts of it, for other laws: arrays with the modes of joints; a mode; the order by islands.
vs_error vs_modes_begin(vs_modes *modes, const vs_mass_model *mass, vs_arena *arena);
vs_mode *vs_modes_add(vs_modes *modes, bool joint, int group, int first, int rows);
vs_error vs_modes_end(vs_modes *modes, const vs_mass_model *mass, vs_arena *arena);

// lambda (m) or g (m_e) += factor coefficient of the rows of the mode
static inline void vs_mode_add(const vs_mode *mode, const double *coefficient, double factor, double *lambda,
                               double *g) {
    double *to = (mode->joint ? g : lambda) + mode->first;
    for (int i = 0; i < mode->rows; i++)
        to[i] += factor * coefficient[i];
}

// Which coefficient a row of a contact with friction has.
typedef enum vs_coefficient { VS_COEFFICIENT_MU, VS_COEFFICIENT_ROLLING, VS_COEFFICIENT_SPINNING } vs_coefficient;
vs_coefficient vs_modes_coefficient(int rows, int row); // row 1 … rows - 1 of a contact with so many
void vs_modes_coefficients(const vs_problem *problem, int contact,
                           double *m);                           // m_1 … of the rows of a contact with friction
vs_discs vs_modes_discs(const vs_problem *problem, int contact); // its rows in discs

#endif
