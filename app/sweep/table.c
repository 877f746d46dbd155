// The results of a sweep: one row per run in runs.csv and runs.h5, and a summary that lists failures.
#define _GNU_SOURCE
#include "sweep/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/csv.h"
#include "cli/file_kind.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/system.h"
#include "run/totals.h"
#include "sweep/child.h"
#include "sweep/options.h"
#include "sweep/plan.h"
#include "sweep/quantity.h"
#include "sweep/space.h"
#include "sweep/state.h"
#include "voussoir/table.h"

#ifdef APP_TRAJECTORIES
#endif

enum { LISTED = 20 };

#define NONE ((double)NAN)

static const app_sweep_result *result_of(const app_sweep *s, int64_t run) {
    return s->run[run].result ? s->run[run].result : &app_sweep_nothing;
}

// ---- columns -----------------------------------------------------------------------------------------------

typedef enum cell_kind { CELL_NUMBER, CELL_WHOLE, CELL_TEXT } cell_kind;

// A value of the table; `text` may point to `room`.
typedef struct cell {
    double number;
    int64_t whole;
    const char *text;
    char room[20];
} cell;

typedef struct column {
    char name[2 * APP_QUANTITY_NAME];
    const char *unit;
    cell_kind kind;
} column;

// Columns before and after the varied parameters; then come the quantities, then the message.
static const column before[] = {{"run", "", CELL_WHOLE}, {"sample", "", CELL_WHOLE}};
enum {
    STATUS,
    STOP,
    OUTCOME,
    EXIT_CODE,
    STEPS,
    INACCURATE,
    TIME,
    KINETIC,
    POTENTIAL,
    ENERGY,
    ENERGY_ERROR,
    PENETRATION,
    DRIFT,
    DISPLACEMENT,
    FARTHEST,
    ROTATION,
    MOST_TURNED,
    RESIDUAL,
    RESIDUAL_OF,
    SLIDING,
    TIPPING,
    WALL,
    HASH
};
static const column after[] = {
    [STATUS] = {"status", "", CELL_TEXT},
    [STOP] = {"stop", "", CELL_TEXT},
    [OUTCOME] = {"outcome", "", CELL_TEXT},
    [EXIT_CODE] = {"exit_code", "", CELL_WHOLE},
    [STEPS] = {"steps", "", CELL_WHOLE},
    [INACCURATE] = {"inaccurate_steps", "", CELL_WHOLE},
    [TIME] = {"time_s", "s", CELL_NUMBER},
    [KINETIC] = {"kinetic_J", "J", CELL_NUMBER},
    [POTENTIAL] = {"potential_J", "J", CELL_NUMBER},
    [ENERGY] = {"energy_J", "J", CELL_NUMBER},
    [ENERGY_ERROR] = {"energy_error_J", "J", CELL_NUMBER},
    [PENETRATION] = {"penetration_m", "m", CELL_NUMBER},
    [DRIFT] = {"joint_drift_m", "m", CELL_NUMBER},
    [DISPLACEMENT] = {"displacement_m", "m", CELL_NUMBER},
    [FARTHEST] = {"displacement_body", "", CELL_TEXT},
    [ROTATION] = {"rotation_rad", "rad", CELL_NUMBER},
    [MOST_TURNED] = {"rotation_body", "", CELL_TEXT},
    [RESIDUAL] = {"residual_m", "m", CELL_NUMBER},
    [RESIDUAL_OF] = {"residual_body", "", CELL_TEXT},
    [SLIDING] = {"margin_sliding", "", CELL_NUMBER},
    [TIPPING] = {"margin_tipping", "", CELL_NUMBER},
    [WALL] = {"wall_s", "s", CELL_NUMBER},
    [HASH] = {"hash", "", CELL_TEXT},
};
enum { BEFORE = sizeof before / sizeof before[0], AFTER = sizeof after / sizeof after[0] };

static int count_columns(const app_sweep_options *o) {
    return BEFORE + o->space.axes + AFTER + o->quantities.numbers + 1;
}

static column column_at(const app_sweep_options *o, int k) {
    column c = {.unit = "", .kind = CELL_NUMBER};
    if (k < BEFORE)
        return before[k];
    if ((k -= BEFORE) < o->space.axes) {
        (void)snprintf(c.name, sizeof c.name, "%s", o->space.axis[k].name);
        return c;
    }
    if ((k -= o->space.axes) < AFTER)
        return after[k];
    if ((k -= AFTER) < o->quantities.numbers) {
        app_quantities_column(&o->quantities, k, c.name, &c.unit);
        return c;
    }
    return (column){.name = "message", .unit = "", .kind = CELL_TEXT};
}

static void put_result(const app_sweep_result *r, int k, cell *c) {
    const double number[] = {[TIME] = r->time,
                             [KINETIC] = r->kinetic,
                             [POTENTIAL] = r->potential,
                             [ENERGY] = r->kinetic + r->potential,
                             [ENERGY_ERROR] = r->energy_error,
                             [PENETRATION] = r->penetration,
                             [DRIFT] = r->drift,
                             [DISPLACEMENT] = r->displacement,
                             [ROTATION] = r->rotation,
                             [RESIDUAL] = r->residual,
                             [SLIDING] = r->sliding,
                             [TIPPING] = r->tipping,
                             [WALL] = r->wall,
                             [HASH] = 0};
    const int64_t whole[HASH + 1] = {[EXIT_CODE] = r->exit_code, [STEPS] = r->steps, [INACCURATE] = r->inaccurate};
    const char *const text[] = {[STATUS] = r->status,           [STOP] = r->stop,
                                [OUTCOME] = r->outcome,         [FARTHEST] = r->farthest,
                                [MOST_TURNED] = r->most_turned, [RESIDUAL_OF] = r->residual_of,
                                [HASH] = r->hash ? c->room : ""};
    c->number = number[k];
    c->whole = whole[k];
    if (after[k].kind == CELL_TEXT)
        c->text = text[k];
    if (k == HASH)
        (void)snprintf(c->room, sizeof c->room, "%016" PRIx64, r->hash);
}

static void cell_at(const app_sweep *s, int64_t run, int k, cell *c) {
    const app_sweep_options *o = s->options;
    const app_sweep_result *r = result_of(s, run);
    if (k < BEFORE)
        c->whole = k == 0 ? run : app_space_sample_of(&o->space, run);
    else if ((k -= BEFORE) < o->space.axes)
        c->number = app_space_value(&o->space, k, run);
    else if ((k -= o->space.axes) < AFTER)
        put_result(r, k, c);
    else if ((k -= AFTER) < o->quantities.numbers)
        c->number = r == &app_sweep_nothing ? NONE : r->quantity[k];
    else
        c->text = r->message;
}

// Runs that have a row, in their order. Null: complained.
static int64_t *list_rows(const app_sweep *s, int64_t *rows) {
    int64_t *run = calloc((size_t)s->runs + 1, sizeof *run);
    *rows = 0;
    for (int64_t m = 0; run && m < s->runs; m++)
        if (!s->sparse || s->run[m].result)
            run[(*rows)++] = m;
    if (!run)
        app_complain("%s: out of memory; use several smaller sweeps", s->options->command);
    return run;
}

// ---- CSV ---------------------------------------------------------------------------------------------------

// The shortest text that reads back to the same bits.
static void print_number(FILE *to, double x) {
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    (void)fputs(text, to);
}

static void print_row(FILE *to, const app_sweep *s, int64_t run, int columns) {
    for (int k = 0; k < columns; k++) {
        const cell_kind kind = column_at(s->options, k).kind;
        cell c = {.text = ""};
        cell_at(s, run, k, &c);
        if (k)
            (void)fputc(',', to);
        if (kind == CELL_TEXT)
            app_csv_text(to, c.text);
        else if (kind == CELL_WHOLE)
            (void)fprintf(to, "%" PRId64, c.whole);
        else if (isfinite(c.number))
            print_number(to, c.number);
    }
    (void)fputc('\n', to);
}

static bool print_csv(FILE *to, const app_sweep *s, int columns) {
    int64_t rows = 0, *run = list_rows(s, &rows);
    if (!run)
        return false;
    for (int k = 0; k < columns; k++) {
        const column c = column_at(s->options, k);
        if (k)
            (void)fputc(',', to);
        app_csv_text(to, c.name);
    }
    (void)fputc('\n', to);
    for (int64_t k = 0; k < rows; k++)
        print_row(to, s, run[k], columns);
    free(run);
    return true;
}

static bool write_csv(const app_sweep *s) {
    char path[APP_SWEEP_PATH];
    app_output out;
    app_sweep_path(s, "runs.csv", path);
    if (!app_output_open(&out, path))
        return false;
    return app_output_close(&out, print_csv(out.file, s, count_columns(s->options)));
}

void app_sweep_list(const app_sweep *s) {
    (void)print_csv(stdout, s, BEFORE + s->options->space.axes);
}

// ---- HDF5 --------------------------------------------------------------------------------------------------

#ifdef APP_TRAJECTORIES
// The columns as arrays; temporary texts are in `room`.
typedef struct arrays {
    column *column;
    vs_table_column *table;
    double *number;
    int64_t *whole;
    const char **text;
    char *room;
} arrays;

static bool allocate(arrays *a, size_t columns, size_t rows) {
    a->column = calloc(columns, sizeof *a->column);
    a->table = calloc(columns, sizeof *a->table);
    a->number = calloc(columns * rows, sizeof *a->number);
    a->whole = calloc(columns * rows, sizeof *a->whole);
    a->text = calloc(columns * rows, sizeof *a->text);
    a->room = calloc(rows, sizeof((cell *)0)->room);
    return a->column && a->table && a->number && a->whole && a->text && a->room;
}

static void release(arrays *a) {
    free(a->column);
    free(a->table);
    free(a->number);
    free(a->whole);
    free(a->text);
    free(a->room);
}

static void fill(const app_sweep *s, arrays *a, int columns, const int64_t *run, size_t rows) {
    for (int k = 0; k < columns; k++) {
        const size_t first = (size_t)k * rows;
        a->column[k] = column_at(s->options, k);
        a->table[k] = (vs_table_column){.name = a->column[k].name,
                                        .unit = a->column[k].unit,
                                        .kind = (vs_table_kind)a->column[k].kind,
                                        .number = a->number + first,
                                        .integer = a->whole + first,
                                        .text = a->text + first};
        for (size_t m = 0; m < rows; m++) {
            cell c = {.text = ""};
            cell_at(s, run[m], k, &c);
            a->number[first + m] = c.number;
            a->whole[first + m] = c.whole;
            a->text[first + m] = c.text;
            if (c.text == c.room) {
                memcpy(a->room + m * sizeof c.room, c.room, sizeof c.room);
                a->text[first + m] = a->room + m * sizeof c.room;
            }
        }
    }
}

static bool write_hdf5(const app_sweep *s) {
    const int columns = count_columns(s->options);
    char path[APP_SWEEP_PATH], why[512] = "out of memory; use several smaller sweeps";
    char *plan = app_sweep_plan(s);
    vs_context *context = NULL;
    arrays a = {0};
    vs_error error = VS_ERROR_MEMORY;
    int64_t rows = 0, *run = list_rows(s, &rows);
    app_sweep_path(s, "runs.h5", path);
    if (run && allocate(&a, (size_t)columns, (size_t)rows + 1) && vs_context_create(NULL, &context) == VS_OK) {
        fill(s, &a, columns, run, (size_t)rows);
        error = !app_writes(path) ? VS_ERROR_ARGUMENT
                                  : vs_table_write(context, path, APP_SWEEP_TABLE, plan, a.table, columns, rows);
        if (error && !app_files_refused())
            app_explain_output(path, error, context, why, sizeof why);
    }
    if (error)
        app_complain("%s: %s", path, why);
    vs_context_destroy(context);
    release(&a);
    free(run);
    free(plan);
    return error == VS_OK;
}
#else
static bool write_hdf5(const app_sweep *s) {
    (void)s;
    return true;
}
#endif

bool app_sweep_write(const app_sweep *s) {
    const int lock = app_folder_lock(s->options->out);
    const bool good = write_csv(s) && write_hdf5(s);
    app_folder_unlock(lock);
    return good;
}

// ---- the summary -------------------------------------------------------------------------------------------

static void label(const char *name) {
    printf("  %-13s", name);
}

static void list_failures(const app_sweep *s, int64_t failed) {
    int64_t listed = 0;
    for (int64_t m = 0; m < s->runs && listed < LISTED; m++) {
        if (s->run[m].state != APP_SWEEP_FAILED)
            continue;
        char values[200];
        const app_sweep_result *r = s->run[m].result;
        app_space_describe(&s->options->space, m, values, sizeof values);
        label(listed++ ? "" : "failed");
        printf("run %" PRId64 " (%s): %s: %s\n", m, values, r->status, r->message);
    }
    if (failed > listed) {
        label("");
        printf("and %" PRId64 " more in runs.csv\n", failed - listed);
    }
}

// Motion that the steps do not resolve: as in the summary of a run.
static void report_balance(const app_sweep *s) {
    int64_t coarse = 0, unbalanced = 0;
    double most = 0;
    for (int64_t m = 0; m < s->runs; m++) {
        if (s->run[m].state != APP_SWEEP_DONE)
            continue;
        const app_sweep_result *r = s->run[m].result;
        coarse += r->discretization_share > APP_RUN_COARSE;
        unbalanced += r->unbalanced > 0;
        most = r->discretization_share > most ? r->discretization_share : most;
    }
    if (coarse > 0) {
        label("time steps");
        printf("at most %.2g %% of the energies exchanged, more than 1 %% in %" PRId64
               " runs: the steps are too long for this motion\n",
               100 * most, coarse);
    }
    if (unbalanced > 0) {
        label("unbalanced");
        printf("%" PRId64 " runs with steps that created more than 1 %% of their energy; use a smaller --step\n",
               unbalanced);
    }
}

void app_sweep_report(const app_sweep *s, int64_t now, double seconds) {
    int64_t done = 0, failed = 0, inaccurate = 0;
    for (int64_t m = 0; m < s->runs; m++) {
        done += s->run[m].state == APP_SWEEP_DONE;
        failed += s->run[m].state == APP_SWEEP_FAILED;
        inaccurate += s->run[m].state == APP_SWEEP_DONE && s->run[m].result->inaccurate > 0;
    }
    printf("%s: %" PRId64 " runs, %" PRId64 " with results, %" PRId64 " failed", s->title, s->runs, done, failed);
    if (done + failed < s->runs)
        printf(", %" PRId64 " missing", s->runs - done - failed);
    printf("\n");
    label("executed");
    if (now > 0)
        printf("%" PRId64 " run%s in %.3g s (%.3g ms per run)\n", now, now == 1 ? "" : "s", seconds,
               1e3 * seconds / (double)now);
    else
        printf("none, all results existed\n");
    if (s->options->space.samples > 1) {
        label("seed");
        printf("%d\n", s->options->space.seed);
    }
    if (inaccurate > 0) {
        label("inaccurate");
        printf("%" PRId64 " runs with steps that missed the tolerance\n", inaccurate);
    }
    report_balance(s);
    list_failures(s, failed);
    label("written to");
#ifdef APP_TRAJECTORIES
    printf("%s/runs.h5, %s/runs.csv\n", s->options->out, s->options->out);
#else
    printf("%s/runs.csv\n", s->options->out);
#endif
}
