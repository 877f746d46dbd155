// Flexible bodies in a step: H and c, where their elements couple velocities.
//
//     H = m M + k K                                          m, k: weights, L: length, of elastic_times.h
//     c = -(M v + L (f + K o + M g + loads)) + H_fp v_p       o: the elements are at q + ahead v1 - o
//
// f and K are those of the elements at the positions of the beginning; K is their semidefinite tangent (its omissions
// are documented in element/), R = alpha M + beta K their damping. Prescribed velocities v_p (nodes with prescribed
// motion, nodes on bodies with prescribed motion) have no column; their effect on the free ones stands in c. The mass
// of a beam is that of its bodies, and alpha damps only their linear velocities. elastic_newton.h expands the elements
// elsewhere.
#ifndef VS_STEP_ELASTIC_TERMS_H
#define VS_STEP_ELASTIC_TERMS_H

#include "collide/node/node_contact.h"
#include "step/elastic/elastic_matrix.h"
#include "step/elastic/elastic_times.h"

typedef struct vs_elastic_terms {
    vs_world *world;         // borrowed, as are
    const vs_blocks *blocks; //
    const vs_kick *kick;     //
    double damping;          // numerical, 0 … 1, of the present step
    bool mid;                // energies are those of the middle of steps: not in implicit Euler
    vs_elastic_matrix H;
    // Elements of solids are linearized about the positions that velocities `around` (n) lead to: predicted ones or, if
    // `expanded`, those that Newton's method has found. Those of beams, and in implicit Euler, about q.
    bool expanded;
    VS_ARRAY(double) around;
    VS_ARRAY(double) direction;                                             // (n) work
    VS_ARRAY(vs_vec3) right, push, velocity, before, mean, offset, inertia; // (most blocks of an assembly) work
    VS_ARRAY(bool) touches;                                                 // (most nodes) work
} vs_elastic_terms;

// Sets H, and adds the part of flexible bodies to c (n).
vs_error vs_elastic_terms_fill(vs_elastic_terms *s, double *c);
void vs_elastic_terms_release(vs_context *context, vs_elastic_terms *s);

// Velocities of a solid's nodes, also of those with prescribed motion, for those of the problem, v (n).
vs_vec3 vs_elastic_terms_node_velocity(const vs_elastic_terms *s, int flexible, int node, const double *v);
void vs_elastic_terms_velocities(const vs_elastic_terms *s, int flexible, const double *v, vs_vec3 *out);
// Velocities of a flexible body's blocks before the step (blocks of its assembly).
void vs_elastic_terms_velocities_before(const vs_elastic_terms *s, int flexible, vs_vec3 *out);
vs_elastic_times vs_elastic_terms_times(const vs_elastic_terms *s, int flexible);
// Are its elements linearized about the positions of the beginning? Otherwise about those that `around` leads to.
bool vs_elastic_terms_at_start(const vs_elastic_terms *s, int flexible);
// o (blocks of its assembly), m or rad.
void vs_elastic_terms_offset(const vs_elastic_terms *s, int flexible, vs_vec3 *out);
// Takes the vibrations much faster than the step out of the positions of solids, by smooth (v0 - w) less its mean. They stand in q0
// with an amplitude of h v/2, of which steps without much damping know nothing, but implicit Euler would take its strain
// energy, (h omega/2)^2 times that of the vibration, for real. Nodes with contacts stay where they are.
vs_error vs_elastic_terms_smooth(vs_elastic_terms *s, const vs_node_contacts *contacts);
// After the step, before prescribed velocities are set: keeps those of the beginning.
void vs_elastic_terms_remember(const vs_elastic_terms *s);
// Moves a solid's nodes to where its elements act for v, keeping their positions in `saved` (nodes), and back.
void vs_elastic_terms_move(const vs_elastic_terms *s, int flexible, const double *v, vs_vec3 *saved);
void vs_elastic_terms_move_back(const vs_elastic_terms *s, int flexible, const vs_vec3 *saved);

#endif
