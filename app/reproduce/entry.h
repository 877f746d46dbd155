// An entry of `voussoir reproduce`: a published table or figure, and the comparison with it.
#ifndef VS_APP_REPRODUCE_ENTRY_H
#define VS_APP_REPRODUCE_ENTRY_H

#include <stdbool.h>
#include <stdio.h>

#include "voussoir/voussoir.h"

enum { APP_REPRO_ROWS = 64, APP_REPRO_FILES = 16, APP_REPRO_PATH = 1024 };

typedef enum app_verdict { APP_BETTER, APP_SAME, APP_WORSE, APP_NOT_COMPARABLE } app_verdict;

// Which values are better than that of the source. Within: equal up to a tolerance.
typedef enum app_aim { APP_LESS, APP_MORE, APP_WITHIN, APP_NOTHING } app_aim;

// A comparison as an entry gives it. Texts are copied.
typedef struct app_value {
    const char *what;        // "64 spheres, cold start"
    const char *format;      // of both numbers, "%.1f" if null
    double source, ours;     // NaN: there is none
    app_aim aim;             //
    double tolerance;        // APP_WITHIN: |ours - source| at most
    const char *note;        // a short explanation; null: none
    const char *source_text; // instead of the number, "lifts off"; null: the number
} app_value;

// The same as it is reported.
typedef struct app_repro_row {
    char what[96], source[40], ours[40], note[160];
    double source_value, our_value; // NaN: none
    app_verdict verdict;
} app_repro_row;

typedef struct app_repro_options {
    bool full, json, quiet;
    const char *out; // null: a temporary directory, removed at the end
} app_repro_options;

typedef struct app_repro app_repro;

typedef struct app_repro_entry {
    const char *id;     // "mangoni-thesis-tab5.3"
    const char *title;  // one line
    const char *source; // where in the source
    const char *time;   // approximate duration, "2 s; --full 1 min"
    void (*run)(app_repro *r);
} app_repro_entry;

// An entry being run, and its results.
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

// ---- comparing ---------------------------------------------------------------------------------------------------

void app_repro_put(app_repro *r, const app_value *value);
// A claim of the source, and whether it holds for us: printed as yes or no.
void app_repro_claim(app_repro *r, const char *what, const char *source, bool holds, const char *note);
// Stores an error and returns false. The second takes the text of the context.
bool app_repro_fail(app_repro *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool app_repro_check(app_repro *r, vs_error error);
void app_repro_say(const app_repro *r, const char *format, ...) __attribute__((format(printf, 2, 3))); // progress
// No error and no interruption so far.
bool app_repro_goes_on(const app_repro *r);
const char *app_verdict_name(app_verdict verdict);

#endif
