// The options of `voussoir run`, some of which other commands share.
#ifndef VS_APP_RUN_OPTIONS_H
#define VS_APP_RUN_OPTIONS_H

#include <stdbool.h>

#include "cli/options.h"
#include "voussoir/voussoir.h"

enum { APP_RUN_SETTINGS = 32 };

typedef enum app_on_overlap { APP_OVERLAP_WARN, APP_OVERLAP_STOP, APP_OVERLAP_SEPARATE } app_on_overlap;

typedef struct app_run_options {
    bool json, quiet, resume;
    bool stop_at_fall;                                    // one more stop condition
    bool warn;                                            // about what looks like a mistake in the scene
    const char *scene;                                    // file or name
    const char *keyframe;                                 // null: the initial state
    vs_scene_parameter setting[APP_RUN_SETTINGS];         // of --set
    char name[APP_RUN_SETTINGS][64];                      // their names
    int settings;                                         //
    double duration, step, tolerance, frame;              // < 0: the scene's
    double accuracy;                                      // of time steps, 0: off; < 0: the scene's
    double max_time;                                      // s, of a step's contact problem; < 0: the scene's
    int model, method, warm_start, on_inaccurate, scheme; // -1: the scene's
    int overlap;                                          // app_on_overlap
    int elastic;                                          // Newton iterations per step; 0: the scene's
    int patience;                                         // factorizations of an island per step; -1: the scene's
    const char *output, *checkpoint, *capture;            // null: none
    const char *damage, *log;                             // CSV of joints, of steps; null: none
    double checkpoint_every;                              // s of wall time
    int capture_every;                                    // steps, 0: those that miss the tolerance
    int threads;
} app_run_options;

extern const app_group app_run_groups[];
bool app_run_options_complete(app_run_options *options, const app_line *line); // false: complained

// For every command that runs scenes: the defaults, and rows of this struct.
app_run_options app_run_options_default(void);
extern const app_option app_setting_rows[];    // --set
extern const app_option app_simulation_rows[]; // duration, step, model, solver, …

#endif
