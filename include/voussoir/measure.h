// Every error measure, on unscaled data, from the impulses alone, independent of any solver.
#ifndef VOUSSOIR_MEASURE_H
#define VOUSSOIR_MEASURE_H

#include "voussoir/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// Friction model of the conditions. Frictionless: every mu is taken as 0, tangential impulses vanish. Relaxed: the
// convex model, in which a sliding contact opens with the speed mu |u_T|. Exact: Coulomb friction.
typedef enum vs_model { VS_MODEL_RELAXED, VS_MODEL_FRICTIONLESS, VS_MODEL_EXACT } vs_model;
VS_API const char *vs_model_name(vs_model model); // "relaxed", "frictionless", "exact"

// Error measures of impulses (g, l). v and y are always recomputed from them: inconsistent data cannot score.
//
// Convergence is checked island by island; contacts, joints and velocities that are not coupled belong to different contact
// islands. Of an island,
//
//     reference       max(e0 of the island, reference energies of its velocities (problem.h) up to 100 e0, 1e-4 y^2/a, floor), with the
//                     largest free velocity y (without friction: the largest normal one): where hardly any impulse is needed, two
//                     digits more than asked suffice
//     floor           energy of the rounding of its free velocities, and of the impulses that boxes without 0 demand, to doubles: an
//                     island with a smaller error is exact
//     relative error  sqrt(energy error / reference), at least that of the rounding of its impulses: beside very large impulses
//                     smaller velocities are lost, and their errors cannot be seen
//     work error      |sum of ybar'l + g'r_e|, less its rounding: energy that contacts and joints create or destroy against
//                     their laws. Of a box row (l - lo) y+ + (hi - l) y-, but at most |l y|
//
// Where masses differ by more than 1e4, the heavy bodies of an island would hide what the light ones do. Each contact and
// joint is therefore compared with its own energy, too:
//
//     velocity        V of an island: the largest free velocity |y| of its contacts, sqrt(2 e0 a) of its joints, and the velocity
//                     sqrt(2 reference a) of the heaviest (least a) of them
//     own energy      V^2/(2a) of a contact or joint: that velocity seen by its lighter body; none of boxes
//     relative error  sqrt(energy error of the contact / (1e4 own energy)), where that is stricter than its island's: two digits of
//                     velocity less than asked of the island. 0 below its own floor
//
// Errors are also given for the islands that are not large and granular: a solver may have a looser tolerance for the others
// (vs_solver_options.granular_tolerance). A large granular island has rigid bodies and at least 1000 contacts, or
// 300 that are fewer than 4 per body: fewer than 3 per pair of bodies and 8 per body, or a tenth of the pairs in one point and
// fewer than 1.8 per body in faces.
//
// A tolerance bounds the relative error, and its square root the work error over the reference. The work error is of first
// order in the error of the impulses, the energy error of second; the bound of work matters only where impulses are far
// larger than the motion justifies, such as between wedged bodies.
typedef struct vs_measures {
    double
        relative_error; // largest of all islands, contacts and joints; infinite if a number is not finite, or if energies of an
                        // island are out of the range of doubles (1e-280 to 1e300 J): nothing can be certified
    double island_error;     // J; energy error of that island, contact or joint
    double island_reference; // J; its reference; 1e4 own energies of a contact or joint
    double island_floor;     // J; its floor
    double relative_work;    // largest work error over the reference of all islands
    double work_error;       // J; work error of that island
    double rounding_work; // largest work that rounding of one contact's impulses can do, over its own energy. Not part
                          // of the criterion: above 1e-3, say, a light body is so loaded that rounding can move it
    int64_t islands;      // number of islands of the problem
    double energy_error;  // J; sum of contacts a/2 |l - P_K(l - y/a)|^2, box constraints, and joints r^2/(2a)
    double energy_scale;  // J; e0, the energy error of g = 0, l = 0; islands where it is only rounding are left out
    double natural_map_relative; // |l - P_K(l - y)| / max(|r|, |l|, |y|), as FCLIB and Siconos define it. Joints: r_e
                                 // and its free-motion value are entries of y and r, r_e one of the residual. 0/0 is 0.
                                 // Islands whose energy error is not above their floor are left out of the residual.
                                 // Computed in double precision: it mixes units, and the rounding of large impulses on
                                 // light bodies is counted by the relative error only
    double natural_residual;     // |l - P_K(l - y)|, 2-norm over contacts and rows; mixes N s and m/s
    double fischer_burmeister;   // |phi_FB(l, y)| of the cones and rows, 2-norm; mixes N s and m/s
    double complementarity;      // y'l in J (exact model: y + mu|y_T| n)
    double duality_gap;          // J; NaN where there is no objective (unsymmetric H or N, exact model)
    double impulse_balance;      // J; 1/2 r_d'H^-1 r_d of the recomputed v (roundoff)
    double joint_error_energy;   // J; sum r_e^2/(2a)
    double joint_error_velocity; // m/s; max |r_e|
    double cone_violation;       // N s; max distance of l_i to K
    double dual_violation;       // m/s; max distance of y_i to K*
    // Without large granular islands; the same as above if there are none:
    double strict_error;                         // relative_error
    double strict_work;                          // relative_work
    double strict_map;                           // natural_map_relative
    int64_t granular_islands, granular_contacts; // number of large granular islands, and of their contacts
} vs_measures;

typedef struct vs_measurer vs_measurer;

// Prepares repeated measurements of one problem (factors of H, inverse effective masses, e0); destroy it with
// vs_measurer_destroy(). The problem must outlive it. VS_ERROR_DATA if H cannot be factored.
VS_API vs_error vs_measurer_create(const vs_problem *problem, vs_model model, vs_measurer **measurer);
VS_API void vs_measurer_destroy(vs_measurer *measurer); // null is allowed

// Evaluates all measures of the impulses g (m_e; null without joints) and lambda (m). The recomputed v (n) and y (m,
// not shifted by mu |y_T|) are stored unless null. Allocates nothing.
VS_API vs_error vs_measure(vs_measurer *measurer, const double *g, const double *lambda, double *v, double *y,
                           vs_measures *measures);

#ifdef __cplusplus
}
#endif

#endif
