// What the files of `voussoir compare` share.
#ifndef VS_APP_COMPARE_COMPARE_H
#define VS_APP_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "voussoir/voussoir.h"

int app_compare_main(int argc, char **argv);
void app_compare_help(FILE *to);

enum {
    APP_COMPARE_SOLVERS = 48,
    APP_COMPARE_TOLERANCES = 12,
    APP_COMPARE_NAME = 64,
    APP_COMPARE_PATH = 1024,
    APP_COMPARE_LINES = 400, // of a history
    APP_COMPARE_POINTS = 60
};

// What counts as solved: both measures below, the energy error alone, or FCLIB's natural map alone.
typedef enum app_judge { APP_JUDGE_BOTH, APP_JUDGE_ENERGY, APP_JUDGE_NATURAL } app_judge;

typedef struct app_compare_options {
    bool help, peers, quiet;
    const char *solvers, *tolerances; // comma-separated; null: all, the default ones
    const char *out;                  // directory
    vs_model model;
    app_judge judge;
    double max_time;    // s, of one solve
    double max_memory;  // GiB of a process; 0: no limit
    int jobs;           // processes at once
    int repeat;         // solves of which the fastest counts
    int steps, capture; // of a scene: to run; of which every capture-th is kept, 0: choose
    int histories;      // files
    int operands;       // argv[1 … operands]
} app_compare_options;

bool app_compare_options_read(int argc, char **argv, app_compare_options *options);

typedef struct app_compare_solver {
    char name[APP_COMPARE_NAME];
    bool peer;        // an external program
    vs_method method; // of ours
} app_compare_solver;

typedef struct app_compare_file {
    char *path;
    char label[APP_COMPARE_NAME]; // its name without the ending
    vs_problem_info info;
    bool history; // wanted
} app_compare_file;

// One entry of the grid. A child process fills it and sends it through a pipe: plain data.
typedef struct app_compare_row {
    char status[24];                // the solver's; or unsupported, error, crashed, timeout, interrupted (not run)
    char message[256];              // one line
    int iterations, factorizations; // -1: unknown
    double seconds;                 // from the problem in memory to its impulses, prepare included; NaN: unknown
    double prepare;                 // s
    bool measured;                  //
    vs_measures measures;           // of the returned impulses, by vs_measure() with the model asked for
} app_compare_row;

typedef struct app_compare_point {
    int iteration;
    double seconds;                     // since the solve began
    double energy_error;                // J
    double natural_map;                 // relative
    double fischer_burmeister, natural; // NaN where unknown
} app_compare_point;

// How one solver goes on one file: its own history, and what it returns when it is cut short.
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

typedef struct app_compare {
    app_compare_options options;
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
    char scratch[APP_COMPARE_PATH]; // directory for what peers write, "" if there is none
    char line[2048];                // the command line
    bool interrupted;
    int exit_code; // of files that could not be read
} app_compare;

app_compare_row *app_compare_row_of(const app_compare *c, int file, int solver, int tolerance);
// By the measures, whatever the solver says of itself.
bool app_compare_is_solved(const app_compare *c, const app_compare_row *row, double tolerance);
// "1e-4", "2.5e-7"
void app_compare_format(double tolerance, char text[16]);
// DIR/name in the directory of the results.
void app_compare_path(const app_compare *c, const char *name, char path[APP_COMPARE_PATH]);

// ---- what to compare on (inputs.c) -------------------------------------------------------------------

// Files, directories and scenes to a list of problem files. false: complained, see exit_code.
bool app_compare_gather(app_compare *c, char **operand);
void app_compare_release(app_compare *c);

// ---- the grid (compare.c) ----------------------------------------------------------------------------------------

// Fills the rows, then the traces. false: interrupted.
bool app_compare_run(app_compare *c);

// ---- one entry, in the child (entry.c, peer.c) --------------------------------------------------

void app_compare_solve(const app_compare *c, int file, int solver, int tolerance, app_compare_row *row);
void app_compare_trace_one(const app_compare *c, app_compare_trace *trace);

// Finds the program and the names of its solvers. false: complained.
bool app_peer_find(app_compare *c, char name[][APP_COMPARE_NAME], int most, int *count);
// Solves by it; fills all of the row but the measures. lambda, g: (m), (m_e) of the problem. false: nothing to measure.
bool app_peer_solve(const app_compare *c, int task, const char *path, const char *name, double tolerance,
                    const vs_problem *problem, double *g, double *lambda, app_compare_row *row);
void app_peer_tidy(const app_compare *c, int task); // removes what it wrote

// ---- results (scores.c, results.c, plots.c, html.c) ----------------------------------

void app_compare_tally(app_compare *c); // the scores
// Every solver was run on this file.
bool app_compare_counts(const app_compare *c, int file, int tolerance);
// It could at least try: one that supports nothing of this has no place in plots.
bool app_compare_is_shown(const app_compare *c, int solver);
// "time limit 3, unsupported 49": why entries of a solver are not solved.
void app_compare_failures(const app_compare *c, int solver, char *text, size_t size);
void app_compare_print(const app_compare *c); // the table on standard output

// results.csv, results.json, histories.csv. false: complained.
bool app_compare_write(const app_compare *c);

typedef struct app_compare_plot {
    char name[APP_COMPARE_NAME]; // of its files, without ending
    enum { APP_PLOT_PROFILE, APP_PLOT_SOLVED, APP_PLOT_HISTORY } kind;
    int index; // tolerance or file
    bool drawn;
} app_compare_plot;
enum { APP_COMPARE_PLOTS = APP_COMPARE_TOLERANCES + 1 + 64 };

// Scripts and data in DIR/plots, drawn by gnuplot if it is there. Returns the number of plots.
int app_compare_draw(const app_compare *c, app_compare_plot plot[APP_COMPARE_PLOTS]);
// report.html. false: complained.
bool app_compare_report(const app_compare *c, const app_compare_plot *plot, int plots);

#endif
