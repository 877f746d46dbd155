// The contact problem of a step and its solver. While the pattern of the rows stays the same, only their values are
// replaced; otherwise both are made again.
#ifndef VS_STEP_STEP_PROBLEM_H
#define VS_STEP_STEP_PROBLEM_H

#include "solver/granular_tolerance.h"
#include "step/bond/bonds.h"
#include "step/rows/contact_rows.h"
#include "step/bond/crushing.h"
#include "step/elastic/elastic_terms.h"

// The part of a group that decides whether a prepared problem fits.
typedef struct vs_group_shape {
    vs_group_kind kind;
    int rows, blocks;
    int block[VS_GROUP_BLOCKS];
    bool elliptic;
} vs_group_shape;

typedef struct vs_step_problem {
    vs_problem_builder *builder; // kept for its memory; null before the first problem
    vs_problem *problem;
    vs_solver *solver; // null: there is nothing to solve
    vs_result result;
    VS_ARRAY(double) c; // (n)
    // Problem and solver were made for
    uint64_t topology;              // of the world
    VS_ARRAY(vs_group_shape) shape; //
    VS_ARRAY(int) body;             // (blocks of bodies) distributed
} vs_step_problem;

// c of all blocks, and H where elements couple them. To be called first.
vs_error vs_step_problem_set_momentum(vs_step_problem *p, const vs_step_view *view);
// Adds the forces of adhesion, bonds and crushed contacts to c. To be called after the rows were made.
void vs_step_problem_add_pulls(vs_step_problem *p, const vs_step_view *view);
// H of a body (6 x 6, by rows).
void vs_step_problem_mass(const vs_body *body, double H[36]);
// H v/m of a body.
void vs_step_problem_momentum(const vs_body *body, const double v[6], double momentum[6]);
// Problem and solver for the rows; reuses them if the pattern is the same.
vs_error vs_step_problem_update(vs_step_problem *p, const vs_step_view *view);
// The same rows, with H and c again.
vs_error vs_step_problem_update_elastic(vs_step_problem *p, const vs_step_view *view);
// The islands of the problem; null: there is nothing to solve.
static inline const vs_island_map *vs_step_problem_islands(const vs_step_problem *p) {
    return p->solver ? vs_solver_islands(p->solver) : NULL;
}
void vs_step_problem_release(vs_context *context, vs_step_problem *p);

#endif
