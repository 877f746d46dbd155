// The numbers of a comparison: results.csv, results.json, histories.csv.
#ifndef VS_APP_COMPARE_RESULTS_H
#define VS_APP_COMPARE_RESULTS_H

#include <stdbool.h>

#include "compare/comparison.h"

// results.csv, results.json, histories.csv. false: complained.
bool app_compare_write(const app_comparison *c);

#endif
