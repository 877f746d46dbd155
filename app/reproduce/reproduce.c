// voussoir reproduce: repeats tables and figures of published work and compares the results.
//
// The exit code is 0 if no comparison is worse for us.
#include "reproduce/reproduce.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "cli/system/process.h"
#include "cli/options.h"
#include "reproduce/entry.h"
#include "reproduce/report.h"
#include "reproduce/sources.h"
#include "voussoir/voussoir.h"

static const app_repro_entry *const sources[] = {app_repro_mangoni_tasora, app_repro_mazhar, app_repro_fang,
                                                 app_repro_mangoni_thesis, app_repro_enzenhofer};
enum { SOURCES = sizeof sources / sizeof sources[0], ENTRIES = 64 };

static const app_repro_entry *entry_at(int index) {
    for (int k = 0; k < SOURCES; k++)
        for (const app_repro_entry *e = sources[k]; e->id; e++)
            if (index-- == 0)
                return e;
    return NULL;
}

static const char *word_at(int index) {
    static const char *const words[] = {"list", "all"};
    const app_repro_entry *e = index < 2 ? NULL : entry_at(index - 2);
    return index < 2 ? words[index] : e ? e->id : NULL;
}

// ---- choosing --------------------------------------------------------------------------------------

static int list(bool json) {
    json_t *array = json ? json_array() : NULL;
    const app_repro_entry *e;
    for (int k = 0; (e = entry_at(k)); k++)
        if (json)
            (void)json_array_append_new(array, json_pack("{s:s,s:s,s:s,s:s}", "id", e->id, "title", e->title, "source",
                                                         e->source, "time", e->time));
        else
            printf("%-27s %s\n%-27s %s; %s\n", e->id, e->title, "", e->source, e->time);
    if (!json)
        return APP_DONE;
    const bool good = array && json_dumpf(array, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(array);
    return good ? APP_DONE : APP_DATA;
}

// The ID itself or a prefix that ends before a dash.
static bool is_meant(const char *id, const char *word) {
    const size_t length = strlen(word);
    return strcmp(word, "all") == 0 || (length > 0 && strncmp(id, word, length) == 0 && strchr("-", id[length]));
}

static bool complain_unknown(const char *word) {
    const char *names[ENTRIES + 3] = {"list", "all"};
    const app_repro_entry *e;
    for (int k = 0; k < ENTRIES && (e = entry_at(k)); k++)
        names[k + 2] = e->id;
    const char *near = vs_nearest_name(word, names);
    if (near)
        app_complain("reproduce: unknown entry %s; did you mean '%s'?", word, near);
    else
        app_complain("reproduce: unknown entry %s; 'voussoir reproduce list' lists them", word);
    return false;
}

// Entries in the order of the table, each once.
static bool choose(char **word, int words, bool chosen[ENTRIES]) {
    for (int k = 0; k < words; k++) {
        bool any = false;
        const app_repro_entry *e;
        for (int i = 0; i < ENTRIES && (e = entry_at(i)); i++)
            if (is_meant(e->id, word[k]))
                any = chosen[i] = true;
        if (!any)
            return complain_unknown(word[k]);
    }
    return true;
}

// ---- the folder ------------------------------------------------------------------------------------

static bool make_folder(const app_repro_options *o, char folder[APP_REPRO_PATH]) {
    char scratch[APP_SCRATCH];
    if (!o->out && !app_scratch_make(scratch))
        return false;
    (void)snprintf(folder, APP_REPRO_PATH, "%s", o->out ? o->out : scratch);
    if (!o->out || app_make_directory(folder))
        return true;
    app_complain("%s: cannot create the folder; check the path and its permissions", folder);
    return false;
}

// ---- running ---------------------------------------------------------------------------------------

static int run_entry(app_repro *r) {
    const double start = app_now();
    const vs_error error = vs_context_create(NULL, &r->context);
    if (error == VS_OK)
        r->entry->run(r);
    else
        (void)app_repro_fail(r, "%s", vs_error_name(error));
    vs_context_destroy(r->context);
    r->context = NULL;
    r->seconds = app_now() - start;
    app_repro_say(r, "%s", "");
    if (app_interrupted())
        return APP_INTERRUPTED;
    if (r->error[0]) {
        app_complain("%s: %s", r->entry->id, r->error);
        return APP_DATA;
    }
    for (int k = 0; k < r->rows; k++)
        if (r->row[k].verdict == APP_WORSE)
            return APP_TOLERANCE;
    return APP_DONE;
}

static int run_chosen(const app_repro_options *o, const bool chosen[ENTRIES]) {
    char folder[APP_REPRO_PATH];
    app_repro *done = calloc(ENTRIES, sizeof *done);
    if (!done || !make_folder(o, folder)) {
        free(done);
        return APP_DATA;
    }
    int code = APP_DONE, count = 0;
    app_catch_interrupts();
    for (int k = 0; k < ENTRIES && entry_at(k) && code != APP_INTERRUPTED; k++) {
        if (!chosen[k])
            continue;
        app_repro *r = &done[count++];
        r->entry = entry_at(k);
        r->options = o;
        r->folder = folder;
        code = app_worse(code, run_entry(r));
        if (!o->json)
            app_repro_print(r);
        (void)fflush(stdout);
    }
    if (o->json && !app_repro_json(done, count, o->full, code))
        code = app_worse(code, APP_DATA);
    if (!o->out)
        app_scratch_remove(folder);
    free(done);
    return code;
}

// ---- the command -----------------------------------------------------------------------------------

static int run(void *options, const app_line *line) {
    const app_repro_options *o = options;
    bool chosen[ENTRIES] = {false};
    if (line->operands == 0 || (line->operands == 1 && strcmp(line->operand[0], "list") == 0))
        return list(o->json);
    return choose(line->operand, line->operands, chosen) ? run_chosen(o, chosen) : APP_USAGE;
}

static const app_option rows[] = {
    {.name = "--full", APP_TARGET(app_repro_options, full), .help = "include the large cases: minutes to an hour"},
    {.name = "--output",
     .letter = 'o',
     .value = "DIR",
     APP_TARGET(app_repro_options, out),
     .path = true,
     .writes = true,
     .otherwise = "a temporary directory",
     .help = "keep figures (SVG, PNG), their data (CSV) and settled problems (HDF5, reused by the next run) in DIR"},
    {.name = "--json", APP_TARGET(app_repro_options, json), .help = "JSON instead of text"},
    {.name = "--quiet", APP_TARGET(app_repro_options, quiet), .help = "do not show progress"},
    {.name = NULL},
};

static void put_sources(FILE *to) {
    (void)fputs("\nsources\n", to);
    app_help_entry("mangoni-tasora",
                   "Mangoni, Tasora: Solving unilateral contact problems in multibody dynamics using a primal-dual "
                   "interior point method",
                   to);
    app_help_entry("mangoni-thesis", "Mangoni, thesis: the same method with joints, friction and flexible bodies", to);
    app_help_entry("mazhar",
                   "Mazhar, Melanz, Ferris, Negrut: An analysis of several methods for handling hard-sphere frictional "
                   "contact in rigid multibody dynamics, TR-2014-11",
                   to);
    app_help_entry("fang",
                   "Fang: An analysis of primal-dual interior point method for computing frictional contact forces, "
                   "2014",
                   to);
    app_help_entry("enzenhofer",
                   "Enzenhöfer, Peiret, Teichmann, Kövecses: A unit-consistent error measure for mixed linear "
                   "complementarity problems in multibody dynamics with contact",
                   to);
}

const app_command app_reproduce_command = {
    .name = "reproduce",
    .summary = "repeat published tables and figures and compare the results",
    .usage = "[list | all | ID...] [OPTIONS]",
    .description =
        "Repeats published tables and figures and prints the published value, ours, and which of them is better. An ID "
        "may be cut at a dash: 'fang' selects all entries of that source. Without an ID, the entries are listed. Times "
        "are processor times of the whole process, which hardly depend on the load of the machine.",
    .groups = (const app_group[]){{.title = "options", .rows = rows}, {.rows = NULL}},
    .more = put_sources,
    .examples = "voussoir reproduce enzenhofer-case\n"
                "voussoir reproduce mazhar-dynamics -o figures\n"
                "voussoir reproduce all -o results --json",
    .exit_codes = "0 if no comparison is worse than the source, 3 if one is; 1 usage error, 2 an entry failed, 130 "
                  "interrupted.",
    .size = sizeof(app_repro_options),
    .run = run,
    .computes = true,
    .word = word_at,
};
