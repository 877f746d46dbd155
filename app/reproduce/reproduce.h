// What the files of `voussoir reproduce` share. One file a source; each gives its entries to the table in reproduce.c.
#ifndef VS_APP_REPRODUCE_REPRODUCE_H
#define VS_APP_REPRODUCE_REPRODUCE_H

#include <stdbool.h>
#include <stdio.h>

#include "voussoir/scene.h"

int app_reproduce(int argc, char **argv);
void app_reproduce_help(FILE *to);
const char *app_reproduce_word(int index); // an entry's ID, null beyond the last

enum { APP_REPRO_ROWS = 64, APP_REPRO_FILES = 16, APP_REPRO_PATH = 1024 };

typedef enum app_verdict { APP_BETTER, APP_SAME, APP_WORSE, APP_NOT_COMPARABLE } app_verdict;

// What is better than the source's value. within: as near to it as the tolerance says, which counts as the same.
typedef enum app_aim { APP_LESS, APP_MORE, APP_WITHIN, APP_NOTHING } app_aim;

// A comparison as an entry gives it. Texts are copied.
typedef struct app_value {
    const char *what;        // "64 spheres, cold"
    const char *format;      // of both numbers, "%.1f" if null
    double source, ours;     // NaN: there is none
    app_aim aim;             //
    double tolerance;        // APP_WITHIN: |ours - source| at most
    const char *note;        // a few words, why it is not comparable or what is meant; null: none
    const char *source_text; // instead of the number, "lifts off"; null: the number
} app_value;

// The same as it is reported.
typedef struct app_repro_row {
    char what[96], source[40], ours[40], note[160];
    double source_value, our_value; // NaN: none
    app_verdict verdict;
} app_repro_row;

typedef struct app_repro_options {
    bool help, full, json, quiet;
    const char *out; // null: a temporary directory, removed at the end
} app_repro_options;

typedef struct app_repro app_repro;

typedef struct app_repro_entry {
    const char *id;     // "003-tab5.3"
    const char *title;  // one line
    const char *source; // where in the source
    const char *time;   // about how long, "2 s; --full 1 min"
    void (*run)(app_repro *r);
} app_repro_entry;

// An entry under way, and what it found.
struct app_repro {
    const app_repro_entry *entry;
    const app_repro_options *options;
    const char *folder; // exists
    vs_context *context;
    app_repro_row row[APP_REPRO_ROWS];
    int rows;
    char file[APP_REPRO_FILES][96]; // written, in the folder
    int files;
    char error[256]; // "" if none; the entry then ended early
    double seconds;  // wall time
};

// Each ends with a null id.
extern const app_repro_entry app_repro_000[], app_repro_001[], app_repro_002[], app_repro_003[], app_repro_004[];

void app_repro_print(const app_repro *r);
// All of them as one object. false: complained.
bool app_repro_json(const app_repro *r, int count, bool full, int exit_code);
const char *app_verdict_name(app_verdict verdict);

// ---- comparing (experiment.c) -----------------------------------------------------------------------------

void app_repro_put(app_repro *r, const app_value *value);
// A claim of the source that holds of ours, too, or does not: printed as yes or no.
void app_repro_claim(app_repro *r, const char *what, const char *source, bool holds, const char *note);
// Keeps what went wrong; always false. The second takes the context's text.
bool app_repro_fail(app_repro *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool app_repro_check(app_repro *r, vs_error error);
void app_repro_say(const app_repro *r, const char *format, ...) __attribute__((format(printf, 2, 3))); // progress
// Nothing went wrong, and nobody asked to end.
bool app_repro_goes_on(const app_repro *r);
double app_repro_cpu(void); // s, processor time of the process: the load of the machine does not matter

// ---- simulating -------------------------------------------------------------------------------------------------

// Null: failed, see error. The scene's options may be changed before it is simulated.
vs_scene *app_repro_scene(app_repro *r, const char *name, const vs_scene_parameter *parameter, int parameters);
vs_simulation *app_repro_simulate(app_repro *r, vs_scene *scene);

// What a run of steps needed.
typedef struct app_repro_steps {
    int steps, inaccurate;
    double iterations, contacts; // sums
    int most;                    // contacts
} app_repro_steps;
// Steps on, adding to the sums. false: failed or interrupted.
bool app_repro_step(app_repro *r, vs_simulation *simulation, int steps, app_repro_steps *sums);

// Spheres dropped into a box and simulated until they hardly move: by Gauss-Seidel on exact friction, warm started,
// with at most `sweeps` a step, as the sources do it. Gives the last step's problem, kept as a file in the folder.
typedef struct app_repro_pile {
    int count, sweeps;   // spheres
    double side, mu;     // m, of the box
    double step, time;   // s
    double envelope;     // m, gap within which contacts count in the last step; 0: chosen
    vs_problem *problem; // owned, by the caller
    double kinetic;      // J at the end; NaN if the problem was in the folder
} app_repro_pile;
bool app_repro_settle(app_repro *r, app_repro_pile *pile);

// ---- solving ----------------------------------------------------------------------------------------------------

typedef struct app_repro_solved {
    bool supported; // this build and problem; else nothing below is set
    bool reached;   // the tolerance
    vs_status status;
    int iterations;
    double seconds;   // of processor time, from the problem to its impulses
    double objective; // J, 1/2 l'N l + r'l; relaxed and frictionless
    double error;     // max(sqrt(energy error / e0), natural map)
    vs_measures measures;
} app_repro_solved;
// Gives up after `limit` s of processor time, if that is not 0. false: failed. A method that is not there is no
// failure.
bool app_repro_solve(app_repro *r, const vs_problem *problem, const vs_solver_options *options, double limit,
                     app_repro_solved *solved);

// ---- figures ----------------------------------------------------------------------------------------------------

// FOLDER/NAME.csv, listed among the files; null: failed.
FILE *app_repro_csv(app_repro *r, const char *name);
bool app_repro_csv_close(app_repro *r, FILE *file, const char *name);
// The script of a figure that reads NAME.csv; end draws it, or says that gnuplot is missing.
FILE *app_repro_figure(app_repro *r, const char *name, int width, int height);
void app_repro_draw(app_repro *r, FILE *script, const char *name);

#endif
