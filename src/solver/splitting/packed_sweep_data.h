// What packs of contacts (packed_sweep.h) are made of: packed_contacts.c chooses which contacts stand together, and
// packed_by_four.c and packed_by_eight.c fill packs with them and sweep over these, each for its width and precision; for problems
// with rolling friction their counterparts do.
#ifndef VS_SOLVER_SPLITTING_PACKED_SWEEP_DATA_H
#define VS_SOLVER_SPLITTING_PACKED_SWEEP_DATA_H

#include "solver/impulse/impulse_problem.h"

enum {
    VS_PACK_BODY = 6,                   // velocities of a rigid body
    VS_PACK_COLUMNS = 2 * VS_PACK_BODY, //
    VS_PACK_WIDE = 8                    // numbers between two bodies in single precision
};

struct vs_packed;

// What is done with the packs of a colour.
typedef struct vs_pack_work {
    struct vs_packed *packed;
    int first;        // pack
    double most;      // over-relaxation
    bool extrapolate; // instead of a visit
    bool all;         // visits of idle packs, too
} vs_pack_work;

typedef void vs_pack_function(void *work, int64_t begin, int64_t end); // vs_pack_work, packs from its first one

// Packs of one width.
typedef struct vs_pack_lanes {
    int lanes;
    size_t bytes;                                                             // of a pack
    void (*load)(struct vs_packed *s, int pack, const int *group, int count); // at most `lanes` contacts
    void (*pull)(struct vs_packed *s);                                        // alpha and centre
    void (*begin)(struct vs_packed *s, const double *l);                      // impulses, without memory
    void (*read)(const struct vs_packed *s, double *l);                       // impulses
    void (*carry)(struct vs_packed *s);                                       // the velocities are v
    vs_pack_function *(*choose)(void);                                        // for this processor
} vs_pack_lanes;

extern const vs_pack_lanes vs_pack_by_four, vs_pack_by_eight, vs_pack_rolling_by_four, vs_pack_rolling_by_eight;

// For the order of contacts in a colour.
typedef struct vs_pack_place {
    double key;
    int group;
} vs_pack_place;

struct vs_packed {
    const vs_impulse_problem *problem;
    int colours;
    int *start;           // (colours + 1) contacts of each colour
    int *group;           // (contacts) of packs, colour by colour, those of a colour in the order of the last load
    vs_pack_place *place; // (groups) work
    const vs_pack_lanes *four, *eight; // for the rows of the problem
    const vs_pack_lanes *lanes;        // one of these
    int *first;                        // (colours + 1) pack of each colour
    void *pack;                        // (packs) of these lanes
    int singles;
    int *single;             // (singles) groups that are visited one by one
    double *x, *f, *p, *age; // (rows) x 3, (groups) as in a pack, of the singles
    double *v;               // (n)
    float *wide;             // (VS_PACK_WIDE for each body) v in single precision; null: only doubles will do
    int sweeps;              // since the beginning
    double alpha;            // of vs_packed_pull(); 0: none
    const double *centre;    // (rows)
};

// The first velocities of the bodies of a group: two runs of six, or one. False: it is none of these.
bool vs_pack_find_bodies(const vs_impulse_problem *p, int g, int *velocity);

#endif
