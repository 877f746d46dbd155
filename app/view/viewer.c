// The built viewer: its place, and the table of files served with a trajectory.
#include "view/viewer.h"

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/system/embedded.h"
#include "cli/system/message.h"
#include "cli/system/system.h"
#include "view/serve.h"

enum { RESOURCES = 256, NAMES = 1 << 17, DEPTH = 4 };

// ---- place of the viewer ----------------------------------------------------------------------------------------

static bool exists(const char *path) {
    return access(path, R_OK) == 0;
}

// Its page, in the folders where an installation or the build tree (a link made by CMake) has it beside the command.
static bool find_beside(char page[PATH_MAX]) {
    static const char *const places[] = {"../share/voussoir/viewer", "../viewer"};
    char self[APP_SYSTEM_PATH];
    app_system_own_folder(self);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (snprintf(page, PATH_MAX, "%s/%s/index.html", self, places[k]) < PATH_MAX && exists(page))
            return true;
    return false;
}

// As requested, from the environment, beside the command, or inside of it.
bool app_viewer_find(const char *requested, char folder[PATH_MAX]) {
    const char *chosen = requested ? requested : getenv("VOUSSOIR_VIEWER");
    char page[PATH_MAX];
    const bool found =
        chosen ? snprintf(page, sizeof page, "%s/index.html", chosen) < PATH_MAX && exists(page) : find_beside(page);
    if (!found && !chosen && app_pages[0].name)
        return app_pages_unpack(folder);
    if (!found)
        app_complain(
            "viewer not found%s%s; build it with 'npm ci && npm run build' in viewer/ and use --viewer viewer/dist",
            chosen ? " in " : "", chosen ? chosen : "");
    else
        (void)snprintf(folder, PATH_MAX, "%.*s", (int)(strrchr(page, '/') - page), page);
    return found;
}

// ---- served files ------------------------------------------------------------------------------------------------

struct app_served {
    app_resource resource[RESOURCES];
    int count;
    char names[NAMES]; // their texts
    size_t used;
};

static char *keep_name(app_served *t, const char *name) {
    const size_t size = strlen(name) + 1;
    if (size > NAMES - t->used)
        return NULL;
    char *kept = memcpy(t->names + t->used, name, size);
    t->used += size;
    return kept;
}

static bool add(app_served *t, const char *url, const char *file, bool changes) {
    app_resource r = {keep_name(t, url), keep_name(t, file), app_media_type(file), changes};
    if (t->count == RESOURCES || !r.url || !r.file) {
        app_complain("%s: too many files for a viewer", file);
        return false;
    }
    t->resource[t->count++] = r;
    return true;
}

// Every plain file below a folder; hidden ones and links are skipped.
static bool add_folder(app_served *t, const char *folder, const char *url, int depth) {
    DIR *directory = opendir(folder);
    if (!directory)
        return false;
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(directory))) { // NOLINT(concurrency-mt-unsafe): one thread
        char path[PATH_MAX], name[PATH_MAX];
        if (entry->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_MAX ||
            snprintf(name, sizeof name, "%s/%s", url, entry->d_name) >= PATH_MAX)
            continue;
        const app_entry kind = app_system_entry(path);
        if (kind == APP_ENTRY_FILE)
            good = add(t, name, path, false);
        else if (kind == APP_ENTRY_FOLDER && depth > 0)
            good = add_folder(t, path, name, depth - 1);
    }
    (void)closedir(directory);
    return good;
}

app_served *app_viewer_serve(const char *folder, const char *trajectory, int port, app_server *server) {
    char page[PATH_MAX];
    app_served *t = calloc(1, sizeof *t);
    if (!t)
        app_complain("out of memory; close other programs");
    else if (snprintf(page, sizeof page, "%s/index.html", folder) < PATH_MAX && add(t, "/", page, false) &&
             add_folder(t, folder, "", DEPTH) && add(t, "/trajectory.h5", trajectory, true) &&
             app_server_open(server, port, t->resource, t->count))
        return t;
    free(t);
    return NULL;
}
