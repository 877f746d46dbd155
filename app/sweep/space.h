// The runs of a sweep: which parameters vary, and their values in the k-th run.
#ifndef VS_APP_SWEEP_SPACE_H
#define VS_APP_SWEEP_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APP_SWEEP_AXES = 24,
    APP_SWEEP_NAME = 128,
    APP_SWEEP_MOST = 50000000 // runs
};

typedef enum app_axis_kind {
    APP_AXIS_GRID,    // values, combined with all other grids
    APP_AXIS_TABLE,   // values, one per row of --table
    APP_AXIS_UNIFORM, // random: from a to b
    APP_AXIS_NORMAL,  // mean a, standard deviation b
    APP_AXIS_LOG,     // the logarithm is uniform from a to b
    APP_AXIS_INTEGER  // whole numbers from a to b
} app_axis_kind;

// One parameter that varies.
typedef struct app_sweep_axis {
    char name[APP_SWEEP_NAME];
    app_axis_kind kind;
    double a, b;
    double *value; // (count) of grids and tables
    int count;
} app_sweep_axis;

typedef struct app_space {
    app_sweep_axis axis[APP_SWEEP_AXES];
    int axes;
    int samples, seed; // of the random axes
} app_space;

// "mu=0.1:0.9:9", "mu=1e-3:1:4:log", "mu=0.1,0.3"; "mu=uniform:0.1:0.9"; a CSV file. false: complained.
bool app_space_add_grid(app_space *space, const char *text);
bool app_space_add_sample(app_space *space, const char *text);
bool app_space_add_table(app_space *space, const char *path);
void app_space_release(app_space *space);
const char *app_axis_kind_name(app_axis_kind kind);

// Samples are the slowest index, then rows of the table, then grids, the last one fastest: more samples add runs and
// change none of the existing ones.
int64_t app_space_count(const app_space *space);
int64_t app_space_sample_of(const app_space *space, int64_t run);
double app_space_value(const app_space *space, int axis, int64_t run);
// "mu=0.3 speed=2", cut at size.
void app_space_describe(const app_space *space, int64_t run, char *text, size_t size);

#endif
