// Steps of pairs in the user's coordinates.
#ifndef VS_TESTS_CONE_ADVANCE_H
#define VS_TESTS_CONE_ADVANCE_H

#include "cone/cone.h"

// cone->advance() takes scaled directions.
static inline bool advance_by(const vs_cone *cone, vs_cone_pair *pair, double al, const double *dl, double ay,
                              const double *dy) {
    double dlt[3] = {0}, dyt[3] = {0};
    cone->apply(pair, 1, dl, dlt);
    cone->apply(pair, -1, dy, dyt);
    return cone->advance(pair, al, dlt, ay, dyt);
}

#endif
