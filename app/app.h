// What the files of the command share. One file a subcommand; each gives the exit code of the process.
#ifndef VS_APP_H
#define VS_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "voussoir/voussoir.h"
#include "voussoir/mpi/distributed.h"

// Exit codes of the command.
enum { APP_DONE = 0, APP_USAGE = 1, APP_DATA = 2, APP_TOLERANCE = 3, APP_INTERRUPTED = 130 };

// ---- subcommands; argv[0] is the subcommand's name -------------------------------------------------------

// One subcommand (commands.c).
typedef struct app_command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
    void (*help)(FILE *to);
    bool computes;                  // worth a second start for a fast BLAS
    const char *files;              // endings of the files it takes, "json xml"; null: none
    const char *(*word)(int index); // other operands that shells may offer, null beyond the last; null: none
} app_command;
const app_command *app_command_at(int index);          // null beyond the last
const app_command *app_command_find(const char *name); // null: complained

int app_new(int argc, char **argv);
extern const char app_starter[]; // starter.json: CMake writes the file that holds it
int app_completion(int argc, char **argv);
int app_solve(int argc, char **argv);
int app_compare_main(int argc, char **argv);
int app_info(int argc, char **argv);
int app_convert(int argc, char **argv);
int app_doctor(int argc, char **argv);
int app_run(int argc, char **argv);
int app_scenes(int argc, char **argv);
int app_sweep_main(int argc, char **argv);
int app_reproduce(int argc, char **argv);
int app_export(int argc, char **argv);
int app_view(int argc, char **argv);
int app_plot(int argc, char **argv);
int app_render(int argc, char **argv);
void app_new_help(FILE *to);
void app_completion_help(FILE *to);
void app_solve_help(FILE *to);
void app_compare_help(FILE *to);
void app_info_help(FILE *to);
void app_convert_help(FILE *to);
void app_doctor_help(FILE *to);
void app_run_help(FILE *to);
void app_scenes_help(FILE *to);
void app_sweep_help(FILE *to);
void app_reproduce_help(FILE *to);
void app_export_help(FILE *to);
void app_view_help(FILE *to);
void app_plot_help(FILE *to);
void app_render_help(FILE *to);
const char *app_reproduce_word(int index); // an entry's ID, null beyond the last

// ---- messages (message.c): one line on standard error, "voussoir: …" ---------------------------------------

void app_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
// What a library call with `path` said, without the path, and what the user can do: "is damaged; check …".
void app_explain(const char *path, vs_error error, const vs_context *context, char *text, size_t size);
// The exit code for a failed library call.
int app_exit_code(vs_error error);
// The worse of two: 130, then 2, 1, 3, 0.
int app_worse(int a, int b);

// ---- options (options.c) -------------------------------------------------------------------------------------

// One option and where its value goes: exactly one target is not null.
typedef struct app_option {
    const char *name;           // "--tol"
    bool *flag;                 // takes no value
    const char **text;          // any text
    double *number;             // finite and >= least (or > least with `open`), <= most if that is not 0
    int *count;                 // least … most
    int *choice;                // index into choices
    const char *const *choices; // ends with null
    double least, most;         // of number and count
    bool open;                  // least itself is not allowed
    bool time;                  // number is in seconds: "3", "3s", "2ms", "50us"
    bool path;                  // text is a file or a folder, which shells complete
} app_option;

// Reads argv[1 … argc-1] by a table that ends with a null name. Operands move to the front, argv[1 … *operands].
// Complains and returns false if something is wrong.
bool app_options_read(const char *command, const app_option *table, int argc, char **argv, int *operands);
// Calls a command only to see its table, for instance to write it down for a shell: nothing is read or run.
void app_options_ask(const app_command *command, void (*visit)(const app_option *table, void *user), void *user);
// Takes every "--name value" and "--name=value" out of the line, for options that may come any number of times; each
// value goes to `take`, which complains itself. `example` is a value.
bool app_options_take(const char *command, const char *name, const char *example, int *argc, char **argv,
                      bool (*take)(void *user, const char *value), void *user);
// The candidate nearest to a mistyped word, null if none is near. `names` ends with null.
const char *app_nearest(const char *word, const char *const *names);

// ---- one process (alone.c), or one rank of voussoir-mpi (several.c) --------------------------------------------

typedef struct app_problem {
    vs_problem *whole;           // as it was read; null on ranks other than 0
    const vs_problem *part;      // what is solved here
    vs_distributed *distributed; // null: one process
} app_problem;

bool app_several(void);           // this is voussoir-mpi
const char *app_started_as(void); // how it is started
bool app_speaks(void);            // this process reports and writes: the only one, or rank 0
vs_error app_problem_read(vs_context *context, const char *path, app_problem *problem);
// Puts the whole solution into the result; tells what went over the network.
vs_error app_problem_gather(app_problem *problem, vs_result *result, vs_traffic *traffic);
void app_problem_release(app_problem *problem);
// Ends all processes if the others cannot know of this failure and would wait forever.
void app_end_others(vs_error error);

// ---- voussoir solve -------------------------------------------------------------------------------------------

typedef struct app_solve_options {
    bool help, history, explain, json;
    const char *output, *warm; // null: none
    int threads;               //
    vs_solver_options solver;  // without the progress callback
    int files;                 // argv[1 … files]
} app_solve_options;

bool app_solve_options_read(int argc, char **argv, app_solve_options *options);
// "exact", …; "both", …
const char *app_criterion_name(vs_criterion criterion);
extern const char *const app_methods[]; // names in the order of vs_method, ended by null

// A finished solve, or why there is none; what the two reports show.
typedef struct app_solved {
    const char *path;
    vs_problem_info info;
    const app_solve_options *options;
    const vs_result *result;   // null: failed, see error
    bool met;                  // the tolerance is met by the measures
    bool warm;                 // a warm start was used
    const char *output;        // file written, null: none
    const vs_traffic *traffic; // null: one process
    double read_seconds;       // s, reading and validating the file
    const char *error;         // one line, null: none
    int exit_code;
} app_solved;

// The model of the returned impulses: the one asked for, unless a fallback was used.
vs_model app_result_model(const app_solved *s);

// ---- reports (report.c, json.c) -------------------------------------------------------------------------------

bool app_colour(void); // standard output is a terminal that wants colour
void app_report_solved(const app_solved *s);
void app_report_problem(const vs_problem_info *info); // the lines about sizes
void app_format_seconds(double seconds, char text[16]);
const char *app_base_name(const char *path);

// One object: indented, or on one line with `line`. false: out of memory or standard output failed.
bool app_json_solved(const app_solved *s, bool line);

// What `info` knows of a file.
typedef struct app_stored {
    const char *path, *error; // error null: none
    vs_problem_info info;
    bool solution;              // the file holds one
    vs_measures relaxed, exact; // of that solution
} app_stored;
bool app_json_stored(const app_stored *s, bool line);

// ---- BLAS (blas.c) ----------------------------------------------------------------------------------------------

// OpenBLAS chooses its processor kernel when it is loaded, and a slow one on processors that it does not know.
// Starts the command again with OPENBLAS_CORETYPE set if that helps; returns if not, or if that was done already.
void app_blas_repair(char **argv);
// The kernel that OpenBLAS had chosen before the repair, null if there was none.
const char *app_blas_repaired_from(void);
// The value of OPENBLAS_CORETYPE that suits this processor, null if the kernel in use is no fallback.
const char *app_blas_remedy(void);
bool app_cpu_has_avx2(void);
bool app_cpu_has_avx512(void);

// interrupt.c: the first Ctrl-C asks to end soon, the second one ends the process.
void app_catch_interrupts(void);
void app_interrupt(void); // as if Ctrl-C had come
bool app_interrupted(void);

double app_now(void); // s, wall time since some beginning (clock.c)

#endif
