// The table of a collection: which files are held out. See league_page.c for the page.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sha256.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "compare/league.h"

enum { LINE = 2048, AFTER_DIFFICULTY = 6 }; // fields

// The table beside a file.
static void table_path(const char *file, char path[APP_COMPARE_PATH]) {
    const char *slash = strrchr(file, '/');
    (void)snprintf(path, APP_COMPARE_PATH, "%.*scollection.csv", slash ? (int)(slash - file) + 1 : 0, file);
}

// A line begins with name, family and split; the difficulty is counted from its end, since the scene may hold commas.
static bool read_line(char *line, const char *label, app_compare_file *f) {
    const size_t length = strlen(label);
    if (strncmp(line, label, length) != 0 || line[length] != ',')
        return false;
    char *family = line + length + 1, *split = strchr(family, ',');
    for (int k = 0; split && k < AFTER_DIFFICULTY; k++) {
        char *comma = strrchr(split + 1, ',');
        if (comma)
            *comma = '\0';
    }
    char *difficulty = split ? strrchr(split + 1, ',') : NULL;
    if (!difficulty)
        return false;
    f->held_out = strncmp(split + 1, "held-out,", 9) == 0;
    (void)snprintf(f->difficulty, sizeof f->difficulty, "%s", difficulty + 1);
    *split = '\0';
    (void)snprintf(f->family, sizeof f->family, "%s", family);
    return true;
}

static bool find_line(const char *path, app_compare_file *f) {
    char line[LINE];
    bool found = false;
    FILE *file = app_reads(path) ? fopen(path, "r") : NULL;
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        found = read_line(line, f->label, f);
    }
    if (file)
        (void)fclose(file);
    return found;
}

bool app_league_read(app_comparison *c) {
    char path[APP_COMPARE_PATH] = "";
    int kept = 0;
    for (int k = 0; k < c->files; k++) {
        app_compare_file *f = &c->file[k];
        table_path(f->path, path);
        if (!find_line(path, f)) {
            app_complain(
                "%s: no line for %s; --league needs the directory of a collection, which 'voussoir collect' makes",
                path, f->label);
            return false;
        }
        if (f->held_out)
            c->file[kept++] = *f;
        else
            free(f->path);
    }
    c->files = kept;
    long size;
    if (kept == 0)
        app_complain("%s: no problem of the collection is held out; collect more", path);
    else
        (void)app_sha256_file(path, c->collection, &size);
    return kept > 0;
}
