// Packs of four contacts (packed_sweep.h): what packed_contacts.c fills and packed_sweep.c sweeps over.
#ifndef VS_SOLVER_SPLITTING_PACKED_SWEEP_DATA_H
#define VS_SOLVER_SPLITTING_PACKED_SWEEP_DATA_H

#include "solver/impulse/impulse_problem.h"
#include "solver/splitting/lanes.h"

enum {
    VS_PACK_BODY = 6,                  // velocities of a rigid body
    VS_PACK_COLUMNS = 2 * VS_PACK_BODY //
};

typedef struct vs_pack {
    vs_lane J[3][VS_PACK_COLUMNS];
    vs_lane A[9]; // J J'
    vs_lane E[3]; // compliance
    vs_lane r[3], mu;
    vs_lane x[3], f[3], p[3];  // impulse, its last change by a solution, momentum
    vs_lane age;               // visits, or extrapolations, since it last turned back
    int velocity[2][VS_LANES]; // first of each body; -1: it has none, J is zero
    int group[VS_LANES];       // -1: empty lane
    bool idle;                 // none of them had an impulse before or after its last visit
} vs_pack;

// For the order of contacts in a colour.
typedef struct vs_pack_place {
    double key;
    int group;
} vs_pack_place;

struct vs_packed {
    const vs_impulse_problem *problem;
    int packs, colours;
    int *start;           // (colours + 1) packs of each colour
    vs_pack *pack;        // (packs)
    vs_pack_place *place; // (groups) work
    int singles;
    int *single;             // (singles) groups that are visited one by one
    double *x, *f, *p, *age; // (rows) x 3, (groups) as in a pack, of the singles
    double *v;               // (n)
    int sweeps;              // since the beginning
    double alpha;            // of vs_packed_pull(); 0: none
    const double *centre;    // (rows)
};

#endif
