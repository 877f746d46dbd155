// Internals of a reader of trajectories.
#ifndef VS_OUTPUT_READER_DATA_H
#define VS_OUTPUT_READER_DATA_H

#include "output/software.h"
#include "output/trajectory/trajectory_data.h"

struct vs_trajectory_reader {
    vs_context *context;
    vs_arena arena;
    vs_trajectory_file file;
    vs_trajectory_info info;
    const char *const *solid_name; // (solids) of flexible solids
    const char *const *gate_name;  // (gates) of factories and sinks
    char software[VS_SOFTWARE_TEXT];
    char *path;
    int64_t *ints; // (frames) a column before conversion to doubles
};

// The column with one number per frame of this name: one of /solver, "energy/" and one of /energy, or "time"; -1: none.
int vs_reader_find_series(const vs_trajectory_reader *r, const char *name);

#endif
