// Flexible bodies in a step: H and c, where their elements couple velocities.
//
//     H = (1 + h alpha) M + (h^2 + h beta) K
//     c = -(M (v + h g) + h f + h loads) + H_fp v_p
//
// f and K are those of the elements at the positions of the beginning; K is their semidefinite tangent (its omissions
// are documented in element/), R = alpha M + beta K their damping. Prescribed velocities v_p (nodes with prescribed
// motion, nodes on bodies with prescribed motion) have no column; their effect on the free ones stands in c. The mass
// of a beam is that of its bodies, and alpha damps only their linear velocities. elastic_newton.h expands the elements
// elsewhere.
#ifndef VS_STEP_ELASTIC_TERMS_H
#define VS_STEP_ELASTIC_TERMS_H

#include "step/elastic_matrix.h"

typedef struct vs_elastic_terms {
    vs_world *world;         // borrowed, as are
    const vs_blocks *blocks; //
    double h;                // s
    vs_elastic_matrix H;
    // Elements of solids are expanded about the positions that velocities `around` (n) lead to, not about those of the
    // beginning.
    bool expanded;
    VS_ARRAY(double) around;
    VS_ARRAY(double) direction;                       // (n) work
    VS_ARRAY(vs_vec3) right, push, velocity, inertia; // (most blocks of an assembly) work
} vs_elastic_terms;

// Sets H, and adds the part of flexible bodies to c (n).
vs_error vs_elastic_terms_fill(vs_elastic_terms *s, double *c);
void vs_elastic_terms_release(vs_context *context, vs_elastic_terms *s);

// Velocities of a solid's nodes, also of those with prescribed motion, for those of the problem, v (n).
vs_vec3 vs_elastic_terms_node_velocity(const vs_elastic_terms *s, int flexible, int node, const double *v);
void vs_elastic_terms_velocities(const vs_elastic_terms *s, int flexible, const double *v, vs_vec3 *out);
// Moves a solid's nodes by h v, keeping their positions in `saved` (nodes), and back.
void vs_elastic_terms_move(const vs_elastic_terms *s, int flexible, const double *v, vs_vec3 *saved);
void vs_elastic_terms_move_back(const vs_elastic_terms *s, int flexible, const vs_vec3 *saved);

#endif
