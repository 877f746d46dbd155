// The results of a sweep as a table, and its report.
#ifndef VS_APP_SWEEP_TABLE_H
#define VS_APP_SWEEP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep/state.h"

bool app_sweep_write(const app_sweep *s); // runs.csv, and runs.h5 if there is HDF5; false: complained
void app_sweep_report(const app_sweep *s, int64_t now, double seconds);
void app_sweep_list(const app_sweep *s); // runs and their parameters as CSV on standard output

#endif
