// The trees of a problem and the rows beside them: see forest.h.
#ifndef VS_SOLVER_FOREST_FOREST_DATA_H
#define VS_SOLVER_FOREST_FOREST_DATA_H

#include "solver/run.h"

enum {
    VS_FOREST_WIDTH = 6, // unknowns of a node
    VS_FOREST_JOINT = 8, // rows of a joint, at most: those of its constraints, and linear motors, springs and dampers
    VS_FOREST_ROWS_MOST = 96,  // left beside the trees: more are not small
    VS_FOREST_EXCHANGES = 100, // of rows, at most
};

// A node is eliminated after those below it.
typedef struct vs_forest_node {
    int above;       // node, -1: none
    int group;       // joint of the problem that ties it, -1: free
    int rows;        // of the joint
    int own, others; // first column of the node and of the one above in the joint's rows; others -1: the ground
    double inertia[VS_FOREST_WIDTH * VS_FOREST_WIDTH]; // articulated
    double inverse[VS_FOREST_WIDTH * VS_FOREST_WIDTH]; // of it
    double Y[VS_FOREST_JOINT * VS_FOREST_WIDTH];       // (rows x 6) J inverse; J: the joint's rows on the node
    double W[VS_FOREST_JOINT * VS_FOREST_JOINT];       // (rows x 8) (J inverse J' + E)^-1
    double K[VS_FOREST_JOINT * VS_FOREST_WIDTH];       // (rows x 6) W J_above
} vs_forest_node;

// What the sweep up the tree leaves in a node: a = inverse f, t = J a, s = W (b - t), for the load f of the node.
typedef struct vs_forest_load {
    double a[VS_FOREST_WIDTH], t[VS_FOREST_JOINT];
    double f[VS_FOREST_WIDTH], s[VS_FOREST_JOINT];
} vs_forest_load;

// A row beside the trees.
typedef struct vs_forest_row {
    bool joint;             // of the problem's joints, else of its contacts
    int group, row;         // there
    int64_t at;             // of the row's values
    int first, nodes;       // its path: places in `path` and `load`
    int before;             // the last row before it with the same columns, -1: none
    int like;               // the first row that is the same but for its sign, possibly itself
    double sign;            // in units of that row
    double lo, hi;          // of the impulse
    double compliance;      //
    signed char set;        // -1: at lo, 0: between, 1: at hi
    double impulse, change; // total; since the last pass
} vs_forest_row;

typedef struct vs_forest {
    vs_method_run *run;
    int nodes;
    vs_forest_node *node;
    int *order;            // (nodes) leaves first
    vs_forest_load *sweep; // (nodes) of a right-hand side
    double *v;             // (6 nodes) velocities
    double *g;             // (m_e) joint impulses of the trees
    double *r_e;           // (m_e) work
    int rows;
    vs_forest_row *row;
    int *path;                      // nodes of the rows' paths, leaves first
    vs_forest_load *load;           // beside the path
    int *slot;                      // (rows x nodes) place of a node in `load`, -1: not on the path
    double *A, *q;                  // (rows x rows), (rows): w = A x + q of the rows
    double *factor, *x, *w, *scale; // work of the exchanges
    int *between;                   //
    vs_stage stage;                 // report of the last solve
} vs_forest;

// The first entry of a row of the problem, and the columns that it has.
typedef struct vs_forest_view {
    const double *x;
    const int *col;
    int width;
} vs_forest_view;
static inline vs_forest_view vs_forest_view_row(const vs_forest *forest, const vs_forest_row *row) {
    const vs_problem *p = forest->run->problem;
    const vs_rows *A = row->joint ? &p->C : &p->D;
    return (vs_forest_view){A->x + row->at, A->col + A->start[row->group],
                            (int)(A->start[row->group + 1] - A->start[row->group])};
}

#endif
