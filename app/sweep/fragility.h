// Fragility of a sweep: the share of runs that fail over an intensity, with the lognormal curve that fits it best.
#ifndef VS_APP_SWEEP_FRAGILITY_H
#define VS_APP_SWEEP_FRAGILITY_H

#include <stdbool.h>

#include "sweep/state.h"

// Checks --fragility and --exceeds against the parameters that vary. false: complained.
bool app_fragility_check(const app_sweep_options *options);
// Fits the results, prints the curve, and writes DIR/fragility.csv and, if there is gnuplot, DIR/fragility.svg and .png.
// false: complained.
bool app_fragility_write(const app_sweep *s);

#endif
