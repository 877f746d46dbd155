// Nearby problems that are easier, as a way to the one that is asked for: contacts with a little compliance, or with
// less friction.
#ifndef VS_SOLVER_COULOMB_HOMOTOPY_H
#define VS_SOLVER_COULOMB_HOMOTOPY_H

#include "solver/coulomb/path.h"

typedef struct vs_homotopy {
    double *l, *y;    // (rows of the largest island) best of the nearby problem
    double *kept;     // (rows) solution of the last nearby problem that was solved
    double *mu;       // (groups) friction as given
    double *soft;     // (rows of all islands) exact solutions for a compliance
    double *softness; // (islands) that compliance, in units of a; 0: none was solved
} vs_homotopy;

vs_error vs_homotopy_create(vs_homotopy *h, int islands, int rows, int most_rows, int most_groups, vs_arena *arena);

// Along the path with compliance, then Newton without. Keeps the solution of the smallest compliance that was solved as
// number k, whose rows begin at `first`. island is the attempt's; its epsilon is zero again at the end.
vs_outcome vs_homotopy_compliance(vs_homotopy *h, vs_path *path, vs_island *island, vs_attempt *attempt, int k,
                                  int first);
// The largest compliances first, down to the smallest that is solved: what to return when all else fails.
vs_outcome vs_homotopy_soften(vs_homotopy *h, vs_path *path, vs_island *island, vs_attempt *attempt, int k, int first);
// Newton from a tenth of the friction in adaptive steps to all of it. island's mu are as given again at the end.
vs_outcome vs_homotopy_friction(vs_homotopy *h, vs_island *island, vs_attempt *attempt);

#endif
