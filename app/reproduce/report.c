// The report of `voussoir reproduce`: one table per entry, or all entries as one JSON object.
#include "reproduce/report.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/system/message.h"
#include "cli/report.h"
#include "reproduce/entry.h"
#include "voussoir/voussoir.h"

// Width in characters; printf() counts bytes.
static int width(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static int widest(const app_repro *r, size_t offset, const char *head) {
    int most = width(head);
    for (int k = 0; k < r->rows; k++) {
        const int w = width((const char *)&r->row[k] + offset);
        most = w > most ? w : most;
    }
    return most;
}

static void put(const char *text, int room, bool right) {
    const int blanks = room - width(text);
    if (right)
        printf("%*s%s", blanks > 0 ? blanks : 0, "", text);
    else
        printf("%s%*s", text, blanks > 0 ? blanks : 0, "");
}

void app_repro_print(const app_repro *r) {
    char seconds[16];
    app_format_seconds(r->seconds, seconds);
    printf("%s  %s\n  %s; took %s\n", r->entry->id, r->entry->title, r->entry->source, seconds);
    const int what = widest(r, offsetof(app_repro_row, what), "");
    const int source = widest(r, offsetof(app_repro_row, source), "source");
    const int ours = widest(r, offsetof(app_repro_row, ours), "ours");
    for (int k = -1; k < r->rows; k++) {
        const app_repro_row *row = k < 0 ? NULL : &r->row[k];
        printf("  ");
        put(row ? row->what : "", what, false);
        printf("  ");
        put(row ? row->source : "source", source, true);
        printf("  ");
        put(row ? row->ours : "ours", ours, true);
        if (row)
            printf("  %s%s%s", app_verdict_name(row->verdict), row->note[0] ? "; " : "", row->note);
        printf("\n");
    }
    for (int k = 0; k < r->files && r->options->out; k++)
        printf("  wrote %s/%s\n", r->folder, r->file[k]);
    if (r->error[0])
        printf("  failed: %s\n", r->error);
    printf("\n");
}

static json_t *number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *entry_object(const app_repro *r, bool kept) {
    json_t *o = json_object(), *rows = json_array(), *files = json_array();
    for (int k = 0; k < r->rows; k++) {
        const app_repro_row *row = &r->row[k];
        json_t *one = json_object();
        (void)json_object_set_new(one, "name", json_string(row->what));
        (void)json_object_set_new(one, "source", json_string(row->source));
        (void)json_object_set_new(one, "ours", json_string(row->ours));
        (void)json_object_set_new(one, "source_value", number(row->source_value));
        (void)json_object_set_new(one, "our_value", number(row->our_value));
        (void)json_object_set_new(one, "verdict",
                                  json_string(row->verdict == APP_WORSE ? "worse" : app_verdict_name(row->verdict)));
        (void)json_object_set_new(one, "note", json_string(row->note));
        (void)json_array_append_new(rows, one);
    }
    for (int k = 0; k < r->files && kept; k++)
        (void)json_array_append_new(files, json_string(r->file[k]));
    (void)json_object_set_new(o, "id", json_string(r->entry->id));
    (void)json_object_set_new(o, "title", json_string(r->entry->title));
    (void)json_object_set_new(o, "where", json_string(r->entry->source));
    (void)json_object_set_new(o, "seconds", number(r->seconds));
    (void)json_object_set_new(o, "rows", rows);
    (void)json_object_set_new(o, "files", files);
    (void)json_object_set_new(o, "error", r->error[0] ? json_string(r->error) : json_null());
    return o;
}

bool app_repro_json(const app_repro *r, int count, bool full, int exit_code) {
    json_t *o = json_object(), *entries = json_array();
    for (int k = 0; k < count; k++)
        (void)json_array_append_new(entries, entry_object(&r[k], r[k].options->out != NULL));
    (void)json_object_set_new(o, "voussoir", json_string(vs_version()));
    (void)json_object_set_new(o, "full", json_boolean(full));
    (void)json_object_set_new(o, "entries", entries);
    (void)json_object_set_new(o, "exit_code", json_integer(exit_code));
    const bool good = json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(o);
    if (!good)
        app_complain("cannot write the JSON; check standard output and free memory");
    return good;
}
