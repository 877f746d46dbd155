// What the files of `voussoir sweep` share.
#ifndef VS_APP_SWEEP_SWEEP_H
#define VS_APP_SWEEP_SWEEP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "run/run.h"

int app_sweep_main(int argc, char **argv);
void app_sweep_help(FILE *to);

enum {
    APP_SWEEP_AXES = 24,
    APP_SWEEP_QUANTITIES = 16,
    APP_SWEEP_NUMBERS = 64, // of all quantities
    APP_SWEEP_NAME = 128,
    APP_SWEEP_PATH = 1024,
    APP_SWEEP_MOST = 50000000 // members
};

// ---- the members (space.c) -----------------------------------------------------------------------------

typedef enum app_axis_kind {
    APP_AXIS_GRID,    // values, each with each of the other grids
    APP_AXIS_TABLE,   // values, one a row of --table
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

typedef enum app_quantity_kind {
    APP_QUANTITY_POSITION, // of bodies
    APP_QUANTITY_ROTATION,
    APP_QUANTITY_VELOCITY,
    APP_QUANTITY_SPIN,
    APP_QUANTITY_JOINT, // of joints: coordinate, rate
    APP_QUANTITY_FORCE,
    APP_QUANTITY_TORQUE
} app_quantity_kind;

// Numbers of the final state that the user wants in the table.
typedef struct app_quantity {
    app_quantity_kind kind;
    char name[APP_SWEEP_NAME]; // of the body or joint
} app_quantity;

typedef struct app_sweep_options {
    bool help, quiet, list, retry, collect, mpi, submit, trajectories;
    const char *out;                     // directory
    const char *table, *part;            // null: none
    int samples, seed, jobs;             // jobs 0: choose
    double limit;                        // s for a member; 0: none
    double memory;                       // GiB for a member; 0: no limit
    int slurm, commands;                 // tasks; 0: not asked for
    app_run_options run;                 // of every member; run.setting: what does not vary
    app_sweep_axis axis[APP_SWEEP_AXES]; //
    int axes;                            //
    app_quantity quantity[APP_SWEEP_QUANTITIES];
    int quantities, numbers; // numbers: of all quantities
} app_sweep_options;

bool app_sweep_options_read(int argc, char **argv, app_sweep_options *options);
void app_sweep_options_release(app_sweep_options *options);

// "mu=0.1:0.9:9", "mu=1e-3:1:4:log", "mu=0.1,0.3"; "mu=uniform:0.1:0.9"; a CSV file. false: complained.
bool app_sweep_add_grid(app_sweep_options *options, const char *text);
bool app_sweep_add_sample(app_sweep_options *options, const char *text);
bool app_sweep_add_table(app_sweep_options *options, const char *path);
const char *app_axis_kind_name(app_axis_kind kind);

// Samples are the slowest index, then rows of the table, then grids, the last one fastest: more samples make more
// members, and change none of those that were there.
int64_t app_sweep_count(const app_sweep_options *options);
int64_t app_sweep_sample_of(const app_sweep_options *options, int64_t member);
double app_sweep_value(const app_sweep_options *options, int axis, int64_t member);
// "mu=0.3 speed=2", cut at size.
void app_sweep_describe(const app_sweep_options *options, int64_t member, char *text, size_t size);

// ---- one member, in the child (sample.c) -----------------------------------------------------------------

// What a child sends through the pipe: plain data.
typedef struct app_sweep_result {
    char status[16];                    // of the run
    char message[256];                  // what went wrong, "" if nothing did
    int exit_code;                      // of the run
    int64_t steps, inaccurate;          //
    double time;                        // s, reached
    double kinetic, potential;          // J, at the end
    double energy_error;                // J, largest of a step
    double penetration, drift;          // m, largest
    double wall;                        // s
    uint64_t hash;                      // of the final state
    char absent[APP_SWEEP_NAME];        // the first body or joint of a quantity that there is not, "" if all are
    double quantity[APP_SWEEP_NUMBERS]; // the last field: what is kept of it is only what was asked for
} app_sweep_result;

// Runs a member, or with member -1 the scene with nothing varied; with `only_make` no step is done.
void app_sweep_run_member(const app_sweep_options *options, int64_t member, bool only_make, app_sweep_result *result);
// "crate.position.x" and "m" of the k-th number of all quantities.
void app_quantity_column(const app_sweep_options *options, int k, char name[2 * APP_SWEEP_NAME], const char **unit);
int app_quantity_size(app_quantity_kind kind);
bool app_sweep_add_quantity(app_sweep_options *options, const char *text); // "position:crate"; false: complained

// ---- what is kept (journal.c) ------------------------------------------------------------------------------

// A member as the journals tell of it.
typedef struct app_sweep_member {
    enum { APP_MEMBER_MISSING, APP_MEMBER_FAILED, APP_MEMBER_DONE } state;
    app_sweep_result *result; // null: missing. Of `quantity` only the numbers asked for are allocated
} app_sweep_member;

typedef struct app_sweep {
    app_sweep_options *options;
    int64_t members;
    app_sweep_member *member;  // (members)
    int part, parts;           // this process does members part, part + parts, …
    int journal;               // descriptor, -1: not open
    char path[APP_SWEEP_PATH]; // of the journal
    char arguments[4096];      // the command line for a shell, without what chooses a scheduler; "": too long
    char title[64];            // of the scene, for messages
    bool named;                // one of the named scenes
    uint64_t scene_hash;       // of the file
} app_sweep;

// DIR/name. An overlong one is empty: no file has this name.
void app_sweep_path(const app_sweep *s, const char *name, char path[APP_SWEEP_PATH]);
// What the sweep is, as JSON text; to be freed.
char *app_sweep_plan(const app_sweep *s);
// Makes the directory and writes the plan, or compares with the one that is there. false: complained.
bool app_sweep_prepare(const app_sweep *s);
// Reads all journals of the directory into s->member. false: complained.
bool app_sweep_read(app_sweep *s);
bool app_sweep_open(app_sweep *s); // the journal of this part, for writing; false: complained
bool app_sweep_append(app_sweep *s, int64_t member, bool done, const app_sweep_result *result);
void app_sweep_close(app_sweep *s);
// Keeps a copy.
bool app_sweep_keep(app_sweep *s, int64_t member, bool done, const app_sweep_result *result);

// ---- results (table.c) ---------------------------------------------------------------------------------------

extern const app_sweep_result app_sweep_nothing; // nothing was measured: NaN, exit code -1, status "missing"
bool app_sweep_write(const app_sweep *s);        // members.csv, and members.h5 if there is HDF5; false: complained
void app_sweep_report(const app_sweep *s, int64_t now, double seconds);
void app_sweep_list(const app_sweep *s); // members and their parameters as CSV on standard output

// ---- schedulers (schedule.c) ---------------------------------------------------------------------------------------

// Fills s->arguments.
void app_sweep_keep_line(app_sweep *s, int argc, char **argv);
// Which part of how many this process is. false: complained.
bool app_sweep_find_part(app_sweep *s);
int app_sweep_commands(const app_sweep *s); // a line a part on standard output; exit code
int app_sweep_slurm(const app_sweep *s);    // a job script, submitted if asked for; exit code

#endif
