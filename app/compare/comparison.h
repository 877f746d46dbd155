// A comparison: files x solvers x tolerances, and the results.
#ifndef VS_APP_COMPARE_COMPARISON_H
#define VS_APP_COMPARE_COMPARISON_H

#include <stdbool.h>

#include "cli/system/process_child.h"
#include "compare/options.h"
#include "voussoir/voussoir.h"

enum {
    APP_COMPARE_SOLVERS = 48,
    APP_COMPARE_TOLERANCES = 12,
    APP_COMPARE_NAME = 64,
    APP_COMPARE_PATH = 1024,
    APP_COMPARE_LINES = 400, // of a history
    APP_COMPARE_POINTS = 60
};

typedef struct app_compare_solver {
    char name[APP_COMPARE_NAME];
    bool peer;        // an external program
    vs_method method; // of the library
} app_compare_solver;

typedef struct app_compare_file {
    char *path;
    char label[APP_COMPARE_NAME]; // its name without the extension
    vs_problem_info info;
    bool history;                                  // wanted
    char family[APP_COMPARE_NAME], difficulty[16]; // of a collection; else ""
    bool held_out;
} app_compare_file;

// What a process of a comparison is told: plain data.
typedef struct app_compare_task {
    // Its result: app_compare_row, app_compare_trace, app_captured, a list of peers.
    enum { APP_COMPARE_SOLVE, APP_COMPARE_TRACE, APP_COMPARE_CAPTURE, APP_COMPARE_LIST } kind;
    int number;                     // of the task: numbers the files of a peer
    char path[APP_COMPARE_PATH];    // of the problem; of the scene, or its name
    app_compare_solver solver;      //
    double tolerance;               //
    char peer[APP_COMPARE_PATH];    // the program of peers, "" if there is none
    char scratch[APP_COMPARE_PATH]; // directory for files of peers, "" if there is none
} app_compare_task;

// One entry of the grid. Its own process fills it and hands it back: plain data.
typedef struct app_compare_row {
    char status[24];                // the solver's; or unsupported, error, crashed, timeout, interrupted (not run)
    char message[256];              // one line
    int iterations, factorizations; // -1: unknown
    double seconds;                 // from the problem in memory to its impulses, prepare included; NaN: unknown
    double prepare;                 // s
    bool measured;                  //
    vs_measures measures;           // of the returned impulses, by vs_measure() with the requested model
} app_compare_row;

typedef struct app_compare_point {
    int iteration;
    double seconds;                     // since the solve began
    double energy_error;                // J
    double natural_map;                 // relative
    double fischer_burmeister, natural; // NaN where unknown
} app_compare_point;

// The convergence of one solver on one file: its own history, and the errors of what it returns when stopped early.
typedef struct app_compare_trace {
    int file, solver;
    bool complete;       // false: it crashed, hung or was not run
    double energy_scale; // J, e0
    int lines, points;
    app_compare_point line[APP_COMPARE_LINES];
    app_compare_point point[APP_COMPARE_POINTS];
} app_compare_trace;

// One solver at one tolerance.
typedef struct app_compare_score {
    int run;      // files that every solver was run on
    int solved;   // of these
    int common;   // files solved by every solver that solves at least half of them; 0 if this one does not
    double mean;  // s, geometric mean on these; NaN: none
    int both;     // solved by this and by the first solver
    double ratio; // geometric mean of (its time / the first solver's) on these; NaN: none
} app_compare_score;

typedef struct app_comparison {
    app_compare_options options;
    app_task *work;         // of every process: app_compare_options, app_compare_task, and what belongs to its kind
    app_compare_file *file; // (files)
    int files;
    app_compare_solver solver[APP_COMPARE_SOLVERS];
    int solvers;
    double tolerance[APP_COMPARE_TOLERANCES]; // loosest first
    int tolerances;
    app_compare_row *row; // (files x solvers x tolerances), the last index runs fastest
    app_compare_score score[APP_COMPARE_SOLVERS][APP_COMPARE_TOLERANCES];
    app_compare_trace *trace; // (traces)
    int traces;
    char peer[APP_COMPARE_PATH];    // the program, "" if there is none
    char scratch[APP_COMPARE_PATH]; // directory for files of peers, "" if there is none
    char line[2048];                // the command line
    char collection[65];            // SHA-256 of the table of the collection; else ""
    bool interrupted;
    int exit_code; // of files that could not be read
} app_comparison;

// The task of a file (-1: none), a solver (-1: none) and a tolerance; its kind is that of a solve.
app_compare_task app_compare_task_of(const app_comparison *c, int number, int file, int solver, int tolerance);
app_compare_row *app_compare_row_of(const app_comparison *c, int file, int solver, int tolerance);
// By the measures, whatever status the solver reports.
bool app_compare_is_solved(const app_comparison *c, const app_compare_row *row, double tolerance);
// "1e-4", "2.5e-7"
void app_compare_format(double tolerance, char text[16]);
// DIR/name in the directory of the results.
void app_compare_path(const app_comparison *c, const char *name, char path[APP_COMPARE_PATH]);
void app_compare_release(app_comparison *c);

#endif
