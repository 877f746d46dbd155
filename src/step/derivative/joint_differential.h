// The rows of a joint to first order, contracted with a solution (v, l), like those of contacts (contact_differential.h):
//
//     dc - dJ'l,    db - dJ v
//
// as a dense matrix by the states of the joint's bodies; and the effort that its motor is commanded, which turns with them.
// Every kind of joint and motor has its rows from one function of the state (joint_law.h), whose derivative is taken by differences of
// the joint alone, by the rule of fourth order of contact_geometry.h. There is no kind that it does not know.
#ifndef VS_STEP_JOINT_DIFFERENTIAL_H
#define VS_STEP_JOINT_DIFFERENTIAL_H

#include "base/arena.h"
#include "step/data/simulation_data.h"

enum { VS_JOINT_ROWS_MOST = VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST };

// A row of a joint that is one of the problem.
typedef struct vs_joint_use_row {
    int at;         // among the rows of the joint
    int row;        // of the problem,
    bool bilateral; // of its joints, else of its contacts
    double impulse; // N s
} vs_joint_use_row;

typedef struct vs_joint_use {
    int rows;
    vs_joint_use_row row[VS_JOINT_ROWS_MOST];
} vs_joint_use;

// What joints are differentiated about.
typedef struct vs_joint_state {
    vs_world *world; // bodies are moved within, and moved back
    const vs_blocks *blocks;
    const double *v;     // (6 blocks) m/s, rad/s, or m, rad of a projection
    const vs_kick *kick; // of the step; null: rows of a projection, b = -Psi,
    const double *held;  // (joints) for which motors without a limit keep this coordinate
} vs_joint_state;

typedef struct vs_joint_differential {
    int bodies, rows;
    int *block;                  // (bodies) VS_NO_BLOCK: their motion is prescribed
    const vs_joint_use_row *use; // (rows)
    // (9 bodies + rows) x (12 bodies), by rows: c (6) and free spin (3) of the bodies, b; translation, rotation, velocity, angular
    // velocity of the bodies, as in motion_derivative.h
    double *by_state;
} vs_joint_differential;

// All rows of joint `slot` with these data; returns their number. J = db of a projection's psi.
int vs_joint_state_rows(const vs_joint_state *of, int slot, vs_joint_row row[VS_JOINT_ROWS_MOST]);
// lost: the rows are others close by.
vs_error vs_joint_differential_set(vs_joint_differential *d, const vs_joint_state *of, int slot,
                                   const vs_joint_use *use, vs_arena *arena, bool *lost);

// Where a product with it reads and writes: arrays of all blocks. state: VS_MOTION_STATE each, of which the first 12 count.
typedef struct vs_joint_product {
    double *state, *c, *free, *b, *b_e; // free: null, not wanted
} vs_joint_product;

void vs_joint_differential_apply(const vs_joint_differential *d, const vs_joint_product *x); // adds to c, free, b, b_e
void vs_joint_differential_transpose(const vs_joint_differential *d, const vs_joint_product *x); // adds to state

#endif
