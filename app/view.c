// voussoir view: the viewer and one trajectory, served to a browser on this machine, or in one page that can be mailed.
#include "app.h"
#include "serve.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESOURCES = 256, NAMES = 1 << 17, DEPTH = 4 };

typedef struct view_options {
    bool help, no_open;
    int port;
    const char *standalone, *viewer;
    int files;
} view_options;

// ---- where the viewer is ----------------------------------------------------------------------------------------

static bool exists(const char *path) {
    return access(path, R_OK) == 0;
}

// The folder of the built viewer: as told, of the environment, installed beside the command, in the build tree.
static bool find_viewer(const char *told, char folder[PATH_MAX]) {
    const char *chosen = told ? told : getenv("VOUSSOIR_VIEWER");
    char page[PATH_MAX + 16];
    if (chosen) {
        (void)snprintf(folder, PATH_MAX, "%s", chosen);
    } else {
        static const char *const places[] = {"../share/voussoir/viewer", "../viewer"};
        char self[PATH_MAX] = "";
        const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        char *slash = length > 0 ? strrchr(self, '/') : NULL;
        if (slash)
            *slash = '\0';
        for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
            const int used = snprintf(folder, PATH_MAX, "%s/%s", slash ? self : ".", places[k]);
            (void)snprintf(page, sizeof page, "%s/index.html", folder);
            if (used < PATH_MAX && exists(page))
                return true;
        }
    }
    (void)snprintf(page, sizeof page, "%s/index.html", folder);
    if (exists(page))
        return true;
    app_complain("the viewer was not found%s%s; build it with 'npm ci && npm run build' in viewer/ and give --viewer "
                 "viewer/dist",
                 chosen ? " in " : "", chosen ? chosen : "");
    return false;
}

// ---- what is served ----------------------------------------------------------------------------------------------

typedef struct served {
    app_resource resource[RESOURCES];
    int count;
    char *names; // (NAMES) their texts
    size_t used;
} served;

static char *keep_name(served *t, const char *name) {
    const size_t size = strlen(name) + 1;
    if (size > NAMES - t->used)
        return NULL;
    char *kept = memcpy(t->names + t->used, name, size);
    t->used += size;
    return kept;
}

static bool add(served *t, const char *url, const char *file, bool changes) {
    app_resource r = {keep_name(t, url), keep_name(t, file), app_media_type(file), changes};
    if (t->count == RESOURCES || !r.url || !r.file) {
        app_complain("%s: too many files for a viewer", file);
        return false;
    }
    t->resource[t->count++] = r;
    return true;
}

// Every plain file below a folder; hidden ones and links are left out.
static bool add_folder(served *t, const char *folder, const char *url, int depth) {
    DIR *directory = opendir(folder);
    if (!directory)
        return false;
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(directory))) { // NOLINT(concurrency-mt-unsafe): one thread
        char path[PATH_MAX], name[PATH_MAX];
        struct stat status;
        if (entry->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_MAX ||
            snprintf(name, sizeof name, "%s/%s", url, entry->d_name) >= PATH_MAX || lstat(path, &status) != 0)
            continue;
        if (S_ISREG(status.st_mode))
            good = add(t, name, path, false);
        else if (S_ISDIR(status.st_mode) && depth > 0)
            good = add_folder(t, path, name, depth - 1);
    }
    (void)closedir(directory);
    return good;
}

// ---- the browser -------------------------------------------------------------------------------------------------

// Asks the desktop for a browser, without waiting for it.
static void open_browser(const char *url) {
    (void)signal(SIGCHLD, SIG_IGN);
    const pid_t child = fork();
    if (child != 0)
        return;
    (void)setsid();
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(1);
    (void)execlp("xdg-open", "xdg-open", url, (char *)NULL);
    _exit(127);
}

static int serve_file(const view_options *options, const char *file, const char *viewer) {
    served t = {.names = malloc(NAMES)};
    app_server server = {.listener = -1};
    char page[PATH_MAX + 16];
    (void)snprintf(page, sizeof page, "%s/index.html", viewer);
    bool good = t.names && add(&t, "/", page, false) && add_folder(&t, viewer, "", DEPTH) &&
                add(&t, "/trajectory.h5", file, true);
    if (good)
        good = app_server_open(&server, options->port, t.resource, t.count);
    if (good) {
        char url[96];
        (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/?file=trajectory.h5", server.port);
        printf("%s is at %s\nCtrl-C ends\n", file, url);
        (void)fflush(stdout);
        if (!options->no_open)
            open_browser(url);
        app_catch_interrupts();
        app_server_run(&server);
    }
    app_server_close(&server);
    free(t.names);
    return good ? APP_DONE : APP_DATA;
}

// ---- one page for all ----------------------------------------------------------------------------------------------

// The page ends a script element with this id, empty in the viewer that is served.
static const char PLACE[] = "<script id=\"trajectory\" type=\"application/x-hdf5;base64\">";

static bool put_base64(FILE *from, FILE *to) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char in[3 * 4096];
    char out[4 * 4096];
    size_t got;
    while ((got = fread(in, 1, sizeof in, from)) > 0) {
        size_t used = 0;
        for (size_t k = 0; k < got; k += 3) {
            const unsigned b = k + 1 < got ? in[k + 1] : 0, c = k + 2 < got ? in[k + 2] : 0;
            const unsigned bits = (unsigned)in[k] << 16 | b << 8 | c;
            out[used++] = letters[bits >> 18];
            out[used++] = letters[bits >> 12 & 63];
            out[used++] = k + 1 < got ? letters[bits >> 6 & 63] : '=';
            out[used++] = k + 2 < got ? letters[bits & 63] : '=';
        }
        if (fwrite(out, 1, used, to) != used)
            return false;
    }
    return !ferror(from);
}

// The whole of a file as text, to be freed; null if it cannot be read.
static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat status;
    char *text = NULL;
    if (file && fstat(fileno(file), &status) == 0 && (text = malloc((size_t)status.st_size + 1)))
        text[fread(text, 1, (size_t)status.st_size, file)] = '\0';
    if (file)
        (void)fclose(file);
    return text;
}

static int write_page(const char *file, const char *viewer, const char *output) {
    char path[PATH_MAX + 32];
    (void)snprintf(path, sizeof path, "%s/standalone.html", viewer);
    char *page = read_text(path), *place = page ? strstr(page, PLACE) : NULL;
    if (!place) {
        app_complain("%s: no page to put a trajectory into; build the viewer anew", path);
        free(page);
        return APP_DATA;
    }
    place += strlen(PLACE);
    FILE *from = fopen(file, "rb"), *to = from ? fopen(output, "wb") : NULL;
    bool good = to && fwrite(page, 1, (size_t)(place - page), to) == (size_t)(place - page) && put_base64(from, to) &&
                fputs(place, to) >= 0;
    if (to && fclose(to) != 0)
        good = false;
    if (from)
        (void)fclose(from);
    free(page);
    if (!good)
        app_complain("%s: cannot be written (%s); give --standalone another place", output, strerror(errno));
    else
        printf("%s: one page that needs nothing else\n", output);
    return good ? APP_DONE : APP_DATA;
}

// ---- the command ---------------------------------------------------------------------------------------------------

void app_view_help(FILE *to) {
    (void)fputs("usage: voussoir view TRAJECTORY.h5 [OPTIONS]\n\n"
                "Shows a trajectory in the browser: motion, contacts with their forces, charts. The file may still be\n"
                "written by a running simulation. Only this machine can reach the page.\n\n"
                "  --port N                port of 127.0.0.1, default 0: any free one\n"
                "  --no-open               do not open a browser, only say the address\n"
                "  --standalone PAGE.html  write viewer and trajectory into one page instead, to keep or to mail\n"
                "  --viewer FOLDER         the built viewer, default: the one installed with the command\n\n"
                "examples\n"
                "  voussoir run arch -o arch.h5 && voussoir view arch.h5\n"
                "  voussoir view arch.h5 --standalone arch.html\n\n"
                "environment: VOUSSOIR_VIEWER is the folder of the built viewer, if --viewer is not given.\n",
                to);
}

int app_view(int argc, char **argv) {
    view_options options = {0};
    const app_option table[] = {
        {.name = "--help", .flag = &options.help},
        {.name = "--port", .count = &options.port, .least = 0, .most = 65535},
        {.name = "--no-open", .flag = &options.no_open},
        {.name = "--standalone", .text = &options.standalone, .path = true},
        {.name = "--viewer", .text = &options.viewer, .path = true},
        {.name = NULL},
    };
    if (!app_options_read("view", table, argc, argv, &options.files))
        return APP_USAGE;
    if (options.help) {
        app_view_help(stdout);
        return APP_DONE;
    }
    if (options.files != 1) {
        app_complain("view: give one trajectory, for instance 'voussoir view arch.h5'");
        return APP_USAGE;
    }
    if (!exists(argv[1])) {
        app_complain("%s: cannot be read (%s); 'voussoir run' writes trajectories", argv[1], strerror(errno));
        return APP_DATA;
    }
    char viewer[PATH_MAX];
    if (!find_viewer(options.viewer, viewer))
        return APP_DATA;
    return options.standalone ? write_page(argv[1], viewer, options.standalone) : serve_file(&options, argv[1], viewer);
}
