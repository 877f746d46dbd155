// Pictures by the viewer in a headless browser: a child serves the viewer and the file, the page returns PNGs.
#define _GNU_SOURCE
#include "render/chromium.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/exit_code.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/process.h"
#include "render/browser.h"
#include "render/options.h"
#include "view/serve.h"
#include "view/viewer.h"

enum { URL = 512, OPENING = 120 }; // s until a file is open

// ---- the address of the page---------------------------------------------------------------------------------------

static void add(char url[URL], const char *name, double value) {
    const size_t used = strlen(url);
    if (isfinite(value))
        (void)snprintf(url + used, URL - used, "&%s=%g", name, value);
}

static void make_url(const app_render_options *o, const app_server *server, char url[URL]) {
    char address[APP_ADDRESS];
    app_server_address(server, address);
    (void)snprintf(url, URL, "%s?file=trajectory.h5&bare=1&theme=%s&colour=%s", address, o->dark ? "dark" : "light",
                   o->colour ? o->colour : "body");
    const bool flag[] = {o->points, o->arrows, o->chains, o->thrust, o->pressure, o->bonds};
    static const char *const name[] = {"points", "arrows", "chains", "thrust", "pressure", "bonds"};
    for (size_t k = 0; k < sizeof flag / sizeof *flag; k++)
        if (flag[k])
            add(url, name[k], 1);
    add(url, "opacity", o->opacity);
    add(url, "azimuth", o->azimuth);
    add(url, "elevation", o->elevation);
    add(url, "force", o->force);
    add(url, "zoom", o->zoom);
    if (o->look)
        (void)snprintf(url + strlen(url), URL - strlen(url), "&look=%s", o->look);
}

// Waits until the trajectory is open; returns its first and last time. false: complained.
static bool wait_for(app_browser *b, const char *path, double range[2]) {
    const struct timespec pause = {.tv_nsec = 50000000};
    const double start = app_now();
    while (app_now() - start < OPENING && !app_interrupted()) {
        char *said =
            app_browser_evaluate(b, "(() => { const m = document.getElementById('message'), v = window.voussoir;"
                                    " if (m && !m.hidden) return '!' + m.querySelector('span').textContent;"
                                    " if (!v || !v.current) return '';"
                                    " return `${v.clock.times[0]} ${v.clock.times[v.clock.frames - 1]}`; })()");
        if (!said && (strcmp(b->error, "the browser ended") == 0 || strstr(b->error, "does not answer")))
            break; // a page that is being replaced may refuse: try again
        if (said && *said == '!') {
            app_complain("%s: %s", path, said + 1);
            free(said);
            return false;
        }
        // NOLINTNEXTLINE(cert-err34-c): numbers that the page itself has printed
        const bool done = said && sscanf(said, "%lf %lf", &range[0], &range[1]) == 2;
        free(said);
        if (done)
            return true;
        (void)nanosleep(&pause, NULL);
    }
    app_complain("%s: the viewer did not open the file (%s); try 'voussoir view'", path,
                 *b->error ? b->error : "timeout");
    return false;
}

// ---- pictures -----------------------------------------------------------------------------------------------------

static int digit(char c) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(letters, c) : NULL;
    return at ? (int)(at - letters) : -1;
}

static bool write_base64(const char *text, const char *path) {
    app_output out;
    unsigned bits = 0;
    int count = 0;
    if (!app_output_open(&out, path))
        return false;
    for (; digit(*text) >= 0; text++) {
        bits = bits << 6 | (unsigned)digit(*text);
        count += 6;
        if (count >= 8)
            (void)fputc((int)(bits >> (count -= 8) & 255), out.file);
    }
    return app_output_close(&out, true);
}

static bool take_picture(app_browser *b, double time, bool nearest, const char *path) {
    char expression[512];
    (void)snprintf(expression, sizeof expression,
                   "(async () => { const v = window.voussoir, t = %.17g; v.halt?.();" // a viewer of another version
                   " const blob = await v.pictureAt(%s ? v.clock.times[v.clock.nearest(t)] : t);"
                   " return await new Promise((done) => { const r = new FileReader();"
                   " r.onload = () => done(r.result); r.readAsDataURL(blob); }); })()",
                   time, nearest ? "true" : "false");
    char *said = app_browser_evaluate(b, expression);
    const char *data = said ? strchr(said, ',') : NULL;
    const bool good = data && write_base64(data + 1, path);
    if (!data)
        app_complain("no picture from the viewer: %s", b->error);
    free(said);
    return good;
}

static bool take_film(app_browser *b, const app_render_options *o, const double range[2], const char *folder,
                      int *pictures) {
    const double from = fmax(isfinite(o->from) ? o->from : range[0], range[0]);
    const double to = fmin(isfinite(o->to) ? o->to : range[1], range[1]);
    const double count = floor((to - from) * o->rate / o->speed + 1e-9) + 1;
    if (!(count >= 1 && count <= 100000)) {
        app_complain("render: %g s to %g s gives %g pictures; change --from, --to, --rate or --speed", from, to, count);
        return false;
    }
    const bool shows = isatty(STDERR_FILENO);
    bool good = true;
    for (*pictures = 0; good && *pictures < (int)count; ++*pictures) {
        char path[PATH_MAX];
        (void)snprintf(path, sizeof path, "%s/frame-%06d.png", folder, *pictures + 1);
        good = take_picture(b, from + *pictures * o->speed / o->rate, false, path);
        if (shows)
            (void)fprintf(stderr, "\r%d of %d pictures", *pictures + 1, (int)count);
    }
    if (shows)
        (void)fputs("\r\033[K", stderr);
    return good;
}

// ---- server and browser -------------------------------------------------------------------------------------------

static pid_t serve_in_child(app_server *server) {
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        app_server_run(server);
        _exit(0);
    }
    return child;
}

int app_render_chromium(const app_render_options *options, const char *path, const char *browser, const char *viewer,
                        const char *output, int *pictures) {
    app_server server = {.listener = -1};
    app_browser b = {.to = -1, .from = -1};
    char scratch[APP_SCRATCH], url[URL];
    double range[2] = {0, 0};
    *pictures = 1;
    app_served *served = app_viewer_serve(viewer, path, 0, &server);
    if (!served || !app_scratch_make(scratch)) {
        app_server_close(&server);
        free(served);
        return APP_DATA;
    }
    app_catch_interrupts();
    const pid_t child = serve_in_child(&server);
    make_url(options, &server, url);
    bool good = app_browser_open(&b, browser, scratch, options->width, options->height) && app_browser_go(&b, url);
    if (!good && !app_interrupted())
        app_complain("%s did not start: %s; check that it runs", browser, b.error);
    good = good && wait_for(&b, path, range);
    if (good)
        good = options->frames ? take_film(&b, options, range, output, pictures)
                               : take_picture(&b, isfinite(options->time) ? options->time : range[1], true, output);
    app_browser_close(&b);
    if (child > 0) {
        (void)kill(child, SIGKILL);
        (void)waitpid(child, NULL, 0);
    }
    app_server_close(&server);
    free(served);
    app_scratch_remove(scratch);
    return good ? APP_DONE : app_interrupted() ? APP_INTERRUPTED : APP_DATA;
}
