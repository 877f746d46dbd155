// What the files of `voussoir run` share.
#ifndef VS_APP_RUN_RUN_H
#define VS_APP_RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"
#include "voussoir/mpi/simulation.h"
#include "voussoir/scene.h"

int app_run(int argc, char **argv);
void app_run_help(FILE *to);

enum { APP_RUN_SETTINGS = 32, APP_RUN_LISTED = 8 };

typedef struct app_run_options {
    bool help, json, quiet, resume;
    const char *scene;                            // file or name
    vs_scene_parameter setting[APP_RUN_SETTINGS]; // of --set
    char name[APP_RUN_SETTINGS][64];              // their names
    int settings;                                 //
    double duration, step, tolerance, frame;      // < 0: the scene's
    double max_time;                              // s, of a step's contact problem; < 0: the scene's
    int model, method, warm, inaccurate;          // -1: the scene's
    int elastic;                                  // linearisations a step; 0: the scene's
    const char *output, *checkpoint, *capture;    // null: none
    double checkpoint_every;                      // s of wall time
    int capture_every;                            // steps, 0: none
    int threads;
} app_run_options;

bool app_run_options_read(int argc, char **argv, app_run_options *options);

// For every command that runs scenes: the defaults, --set, and the options that say how to simulate.
app_run_options app_run_options_default(void);
bool app_run_settings_read(const char *command, int *argc, char **argv, app_run_options *options);
enum { APP_RUN_COMMON = 10 };
void app_run_options_list(app_run_options *options, app_option table[APP_RUN_COMMON]);

// Sums over the steps of a run.
typedef struct app_run_totals {
    int64_t first;                  // steps that an earlier run had done
    int64_t steps;                  // done now
    int64_t inaccurate;             // of these
    int64_t listed[APP_RUN_LISTED]; // the first inaccurate ones
    int64_t iterations, factorizations;
    int64_t contacts;                       // sum
    int contacts_most;                      //
    double energy_error;                    // J, largest
    double relative_error;                  // largest sqrt(energy error / e0)
    int64_t worst;                          // the step of it
    double penetration, drift;              // m, largest
    double dissipation, work, prescribed;   // J, sums; the last is part of the work
    int inverted;                           // elements inside out, most
    int64_t inverted_first;                 // the first step with some; 0: none
    double collide, assemble, solve, total; // s
    vs_energy begin, end;
    vs_step_report last;
} app_run_totals;

void app_run_add(app_run_totals *t, const vs_step_report *r);

// A run as the summary shows it.
typedef struct app_run_summary {
    const app_run_options *options;
    const vs_scene *scene; // null: it could not be made
    const app_run_totals *totals;
    double duration;    // s, to simulate
    double time;        // s, reached
    double wall;        // s
    int bodies, joints; //
    bool divided;       // among ranks, as
    vs_division_info division;
    uint64_t hash;            // of the world
    int64_t frames, captured; // written
    bool checkpoint;          // written
    const char *status;       // "done", "interrupted", "inaccurate", "error"
    const char *error;        // one line, null: none
    int exit_code;
} app_run_summary;

// Makes the scene and runs it to its end (run.c); `finish` sees the run, its scene too, before all is released. Returns
// the exit code.
int app_run_scene(const app_run_options *options, void (*finish)(const app_run_summary *ran, void *user), void *user);
void app_run_report(const app_run_summary *ran);
bool app_run_json(const app_run_summary *ran);

// ---- serial (serial.c), or one rank of voussoir-mpi (distributed.c) --------------------------------

// Collective: all ranks call them. In one process they do nothing.
vs_error app_simulation_divide(vs_simulation *simulation);
vs_error app_simulation_gather(vs_simulation *simulation); // all states and contacts, where files are written
bool app_simulation_division(vs_simulation *simulation, vs_division_info *info); // false: one process

// ---- progress --------------------------------------------------------------------------------------

typedef struct app_run_progress {
    bool terminal, quiet, shown;
    double start, last; // s of wall time
    double begin, end;  // s simulated
} app_run_progress;

void app_run_show(app_run_progress *p, const vs_step_report *r);
void app_run_clear(app_run_progress *p);

#endif
