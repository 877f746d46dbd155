// Points, directions and memory of the central path (central_path.h).
//
// A contact has one or two scalar pairs
//
//     a s = t tau0        nonnegative: a = l;  box: a = l - lo and hi - l;  friction: a = l_0, s = u_0
//
// and with friction the cone pair (l, x), x = (nu, u_T), with its Nesterov-Todd scaling W: z = W l = W^-1 x. Rows are in
// Lorentz scale, l' = L l with L = (sqrt mu, 1/sqrt mu, 1/sqrt mu). With rolling or spinning friction there is such a pair for
// each disc k, (G_k l, x_k), G_k l = (mu_k l_0, l_k), x_k = (nu_k, u_k), and L = 1.
#ifndef VS_SOLVER_COULOMB_CENTRAL_PATH_DATA_H
#define VS_SOLVER_COULOMB_CENTRAL_PATH_DATA_H

#include "cone/cone.h"
#include "solver/coulomb/progress.h"

typedef struct vs_central_path_settings {
    double kappa;     // share of the cone in the path's complementarity
    double eta;       // largest second-order term of a step, relative to the target
    double low, high; // neighbourhood of the path: products of pairs relative to their targets
} vs_central_path_settings;

// An iterate.
typedef struct vs_path_point {
    double t;           // barrier parameter
    vs_cone_pair *pair; // (pairs) friction: vs_path_disc
    double *l;          // (rows) Lorentz scale; friction: that of the pair
    double *s1, *s2;    // (groups) of the scalar pairs; s2: boxes
    double *rp;         // (rows) N l + r - u
} vs_path_point;

// A direction, or a derivative with respect to t.
typedef struct vs_path_direction {
    double *dl;        // (rows) Lorentz scale
    double *dlt, *dyt; // (3 pairs) W G dl, W^-1 dx
    double *ds1, *ds2; // (groups)
    double dt;
} vs_path_direction;

// Vectors are for the largest island.
typedef struct vs_central_path {
    int rows, groups;
    int discs;            // pairs of a group: 1, with rolling contacts VS_DISC_COUNT
    double tau0;          // target of the pairs at t = 1
    double floor;         // of the blocks P: see central_path_direction.c
    double *rp0;          // (rows) rp at t = 1
    double *L;            // (rows) Lorentz scale
    vs_path_point now;    // iterate
    vs_path_point kept;   // iterate before a step
    vs_path_point anchor; // last well centred iterate

    double shorten;                // factor of the length of the next step
    double anchor_shorten;         // of steps from the anchor
    double *last;                  // (rows) dl of the last tangent
    double last_sense;             // of the last tangent: -1 t falls, 1 it rises, 0 there is none
    int retreats;                  // to this anchor
    int turns;                     // folds passed
    vs_path_direction tangent;     // derivative with respect to t
    vs_path_direction corrector;   // Newton step to the path; then the whole step
    vs_path_direction second;      // second-order correction
    double *rz;                    // (3 pairs) residuals of the cone pairs
    double *r1, *r2;               // (groups) residuals of the scalar pairs
    double *rhs;                   // (rows)
    double *P;                     // blocks: vs_impulse_block()
    double *impulses, *velocities; // (rows) of the iterate, in the island's units
} vs_central_path;

// Distances of a scalar pair's impulse to its bounds.
static inline double vs_path_above(const vs_impulse_problem *island, const double *l, int g) {
    return l[island->row[g]] - (island->law[g] == VS_LAW_BOX ? island->lo[g] : 0);
}

static inline double vs_path_below(const vs_impulse_problem *island, const double *l, int g) {
    return island->hi[g] - l[island->row[g]];
}

// ---- cone pairs --------------------------------------------------------------------------------------

// A cone pair of a group with friction and the rows of the group that it concerns beside the normal one.
typedef struct vs_path_disc {
    int64_t pair;    // its place
    double normal;   // the pair's first entry per l_0
    int first, size; // rows, relative to the group's first
    int next;        // disc, to look at
} vs_path_disc;

// The next disc with rows of group g; false: there is none left.
static inline bool vs_path_disc_next(const vs_central_path *path, const vs_impulse_problem *island, int g,
                                     vs_path_disc *disc) {
    const int64_t pair = (int64_t)path->discs * g;
    if (island->law[g] == VS_LAW_FRICTION && disc->next == 0) {
        *disc = (vs_path_disc){pair, 1, 1, 2, 1};
        return true;
    }
    for (int k = disc->next; island->law[g] == VS_LAW_ROLLING && k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(&island->discs[g], k, &first);
        if (size == 0)
            continue;
        *disc = (vs_path_disc){pair + k, island->discs[g].mu[k], first, size, k + 1};
        return true;
    }
    return false;
}

#define VS_PATH_DISCS(path, island, g, disc)                                                                           \
    for (vs_path_disc disc = {.next = 0}; vs_path_disc_next(path, island, g, &(disc));)

// G l of a disc; l: rows of its group.
static inline void vs_path_disc_take(const vs_path_disc *disc, const double *l, double *out) {
    out[0] = disc->normal * l[0];
    out[1] = l[disc->first];
    out[2] = disc->size > 1 ? l[disc->first + 1] : 0;
}

// ld: of the blocks of the islands.
vs_error vs_central_path_create(int rows, int groups, int ld, vs_arena *arena, vs_central_path **out);
void vs_path_copy(const vs_central_path *path, const vs_path_point *from, vs_path_point *to);

#endif
