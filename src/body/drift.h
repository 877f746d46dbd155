// The drift of a body that turns, in parts: the equations are in motion.c. What vs_body_advance() does, and what its
// derivative (motion_derivative.h) needs of it.
#ifndef VS_BODY_DRIFT_H
#define VS_BODY_DRIFT_H

#include "body/world_data.h"

// A drift of h (s) from a spin, with a forecast, as the equation of its mean spin sees it.
typedef struct vs_drift_part {
    const vs_mat3 *inertia;
    vs_vec3 spin, forecast; // rad/s, body axes
    double h;
} vs_drift_part;

// Residual and matrix of the equation of the mean spin m; false: it turns too far.
bool vs_mean_spin_equation(const vs_drift_part *part, vs_vec3 m, vs_vec3 *F, vs_mat3 *dF);
// Its solution by Newton's method; false if it does not converge.
bool vs_mean_spin_find(const vs_drift_part *part, vs_vec3 *mean);

typedef struct vs_drift {
    double share;       // of the reaction, that is predicted
    vs_vec3 held, spin; // rad/s, the prediction, and the spin at the end without it
    int parts;          // 0: the spin stays as it is
    vs_quat turn;
} vs_drift;

// Of a dynamic body with its spin and free_spin.
vs_drift vs_drift_find(const vs_body *body, double h);
// A sphere, or spin about a principal axis?
bool vs_spin_is_steady(const vs_body *body, vs_vec3 spin);
// Parts that the drift is tried with first, so that each turns by half a radian; more than a drift may have: it is none.
int vs_drift_least_parts(vs_vec3 spin, vs_vec3 forecast, double h);
enum { VS_DRIFT_PARTS_MOST = 1024 };

#endif
