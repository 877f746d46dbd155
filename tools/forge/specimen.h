// A contact problem as plain dense arrays, and what is asked of the solver: drawn by draw.h, handed to the library by
// build.h, evaluated by evaluation.h. It is small, so that every array has a fixed size.
#ifndef FORGE_SPECIMEN_H
#define FORGE_SPECIMEN_H

#include "voussoir/voussoir.h"

enum { MOST_N = 72, MOST_M = 66, MOST_JOINT_ROWS = 24, MOST_CONTACTS = 20, MOST_JOINTS = 24, MOST_BLOCKS = 24 };

// The function that makes the problem: vs_problem_builder_finish(), vs_problem_from_global(), vs_problem_from_local().
typedef enum forge_form { FORM_BUILDER, FORM_GLOBAL, FORM_LOCAL } forge_form;
typedef enum forge_kind { KIND_FRICTION, KIND_FRICTIONLESS, KIND_BOX } forge_kind; // 3 rows, 1 row, any number of rows

typedef struct specimen {
    forge_form form;
    int n, m, m_e, contacts, joints, blocks;
    int block[MOST_BLOCKS + 1]; // first velocity of each block
    double H[MOST_N][MOST_N], c[MOST_N];
    double reference[MOST_N]; // J; used if has_reference
    bool has_reference;
    forge_kind kind[MOST_CONTACTS];
    int row[MOST_CONTACTS + 1]; // first row of each contact
    double mu[MOST_CONTACTS];
    double D[MOST_M][MOST_N], b[MOST_M], E[MOST_M], lo[MOST_M], hi[MOST_M];
    int joint_row[MOST_JOINTS + 1];
    double C[MOST_JOINT_ROWS][MOST_N], b_e[MOST_JOINT_ROWS], E_e[MOST_JOINT_ROWS];
    double N[MOST_M][MOST_M], r[MOST_M]; // local form, where n = 0
} specimen;

// Impulses g (m_e), lambda (m).
typedef struct impulses {
    double g[MOST_JOINT_ROWS], lambda[MOST_M];
} impulses;

#endif
