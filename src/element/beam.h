// Beams: two nodes, large displacements and rotations.
//
// Beam (Simo-Reissner, shear flexible, one quadrature point). A node is a position and a rotation, body to world, with
// 6 velocities as of a rigid body: linear in world axes, angular in body axes. The axis of the beam is x of the
// section's axes. Order of the 12 rows: linear and angular of node 0, then of node 1.
// The energy is quadratic in strains that are invariant under rigid motion:
//
//     gamma = R_m'(x_1 - x_0)/L - (1, 0, 0)      stretch and shear; R_m: halfway between both rotations
//     kappa = (log(R_0'R_1) - rest)/L            twist and curvature
//     W     = L/2 (gamma'diag(EA, GA_y, GA_z) gamma + kappa'diag(GJ, EI_y, EI_z) kappa)
//
// One point cannot lock in shear, and pure bending is exact for any number of elements. The relative rotation of
// neighbouring nodes must be less than pi.
//
// A beam without bending and torsional stiffness is a cable with massive sections.
#ifndef VS_ELEMENT_BEAM_H
#define VS_ELEMENT_BEAM_H

#include "element/elastic.h"

// A section about its centroid; y and z are principal axes.
typedef struct vs_beam_section {
    double area;             // m^2
    double Iy, Iz;           // second moments about y (bending along z) and z, m^4
    double torsion;          // torsion constant J, m^4; at most Iy + Iz
    double shear_y, shear_z; // shear areas: area times the shear correction, m^2
} vs_beam_section;

vs_beam_section vs_beam_circular(double radius, double poisson);                     // solid
vs_beam_section vs_beam_pipe(double outer, double inner, double poisson);            // radii, m
vs_beam_section vs_beam_rectangular(double along_y, double along_z, double poisson); // sides, m

// Stiffnesses; zero is allowed for any of them (EI = GJ = 0: a cable with sections).
typedef struct vs_beam_stiffness {
    double stretch[3]; // EA, GA_y, GA_z, N
    double bend[3];    // GJ, EI_y, EI_z, N m^2
} vs_beam_stiffness;

vs_beam_stiffness vs_beam_stiffness_of(const vs_elastic_material *material, const vs_beam_section *section);

// Rest shape: made from the poses of both nodes at rest.
typedef struct vs_beam_rest {
    double length; // m, between the nodes
    vs_vec3 along; // R_m'(x_1 - x_0)/L at rest: (1, 0, 0) for a straight beam with x along it
    vs_vec3 turn;  // log(R_0'R_1) at rest
} vs_beam_rest;

// False if the nodes coincide or a pose is not finite. Node rotations need not follow the axis exactly: gamma is then
// measured from `along` instead of (1, 0, 0); stiffnesses stay those of the section's axes.
bool vs_beam_prepare(const vs_pose rest_pose[2], vs_beam_rest *rest);
// The rotation whose x axis is along `along` and whose z axis is as close to `up` as possible.
vs_quat vs_beam_frame(vs_vec3 along, vs_vec3 up);

// Energy, force (12) and tangent (12 x 12) at the given poses (unit quaternions).
// The exact tangent is the second derivative of the energy along R exp(t): the derivative of the force in body axes has
// a skew part [torque]/2 on top of it, which vanishes when summed over a node in equilibrium.
// Semidefinite: the exact one with its negative eigenvalues set to zero (angles times L, to compare with lengths).
void vs_beam_evaluate(const vs_beam_rest *rest, const vs_beam_stiffness *stiffness, const vs_pose pose[2],
                      vs_tangent_kind kind, const vs_element_output *out);
// Section forces: N, Q_y, Q_z (N) and torque, M_y, M_z (N m) on the positive side, in the axes R_m.
void vs_beam_section_forces(const vs_beam_rest *rest, const vs_beam_stiffness *stiffness, const vs_pose pose[2],
                            double force[6]);

// Lumped mass of each of the two nodes: kg, and the moments of inertia about the section's axes, kg m^2: constant in
// body axes, like those of a rigid body.
// Positive for every section, so that H is definite even without bending stiffness.
typedef struct vs_beam_mass {
    double mass;
    double inertia[3];
} vs_beam_mass;

vs_beam_mass vs_beam_mass_lumped(const vs_beam_rest *rest, const vs_beam_section *section, double density);

#endif
