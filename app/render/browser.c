// Chromium's DevTools protocol over --remote-debugging-pipe: JSON ended by a zero byte, requests into its descriptor 3,
// answers and events out of 4. Drawing is done by the processor (SwiftShader): the same picture on any machine.
#define _GNU_SOURCE
#include "render/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/process.h"
#include "cli/system/system.h"

enum { PATIENCE = 120, MOST = 1 << 28 }; // s for an answer; bytes of it

const char *app_browser_find(void) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", NULL};
    const char *chosen = getenv("CHROMIUM"); // NOLINT(concurrency-mt-unsafe): one thread
    if (chosen && *chosen)
        return strchr(chosen, '/')            ? (access(chosen, X_OK) == 0 ? chosen : NULL)
               : app_process_is_there(chosen) ? chosen
                                              : NULL;
    for (int k = 0; names[k]; k++)
        if (app_process_is_there(names[k]))
            return names[k];
    return NULL;
}

// ---- the process --------------------------------------------------------------------------------------------------

static _Noreturn void become(const char *program, const char *scratch, int in, int out) {
    char profile[APP_SCRATCH + 32], log[APP_SCRATCH + 32];
    (void)snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", scratch);
    (void)snprintf(log, sizeof log, "%s/browser.log", scratch);
    // Chromium has no sandbox for root.
    const char *sandbox = geteuid() == 0 ? "--no-sandbox" : "--no-first-run";
    const char *argv[] = {program,
                          "--headless=new",
                          "--remote-debugging-pipe",
                          profile,
                          "--no-first-run",
                          "--disable-extensions",
                          "--disable-dev-shm-usage",
                          "--hide-scrollbars",
                          "--mute-audio",
                          "--disable-background-networking",
                          "--disable-component-update",
                          "--disable-sync",
                          "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", // the page and nothing else
                          "--use-angle=swiftshader",
                          "--enable-unsafe-swiftshader",
                          "--ignore-gpu-blocklist",
                          sandbox,
                          "about:blank",
                          NULL};
    const int said = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666), high_in = fcntl(in, F_DUPFD, 10),
              high_out = fcntl(out, F_DUPFD, 10);
    (void)setpgid(0, 0);
    app_process_restrict(0, 4e9); // it reserves far more address space than it uses
    if (said >= 0 && dup2(said, STDOUT_FILENO) >= 0 && dup2(said, STDERR_FILENO) >= 0 && dup2(high_in, 3) == 3 &&
        dup2(high_out, 4) == 4)
        (void)execvp(program, (char *const *)argv);
    _exit(127);
}

static bool start(app_browser *b, const char *program, const char *scratch) {
    int down[2] = {-1, -1}, up[2] = {-1, -1};
    if (!app_system_pipe(down) || !app_system_pipe(up) || (b->process = fork()) < 0) {
        (void)snprintf(b->error, sizeof b->error, "cannot start a process (%s)", strerror(errno));
        b->process = 0;
        return false;
    }
    if (b->process == 0)
        become(program, scratch, down[0], up[1]);
    (void)setpgid(b->process, b->process);
    (void)close(down[0]);
    (void)close(up[1]);
    b->to = down[1];
    b->from = up[0];
    return true;
}

void app_browser_close(app_browser *b) {
    if (b->to >= 0)
        (void)close(b->to);
    if (b->from >= 0)
        (void)close(b->from);
    if (b->process > 0) {
        (void)kill(-b->process, SIGKILL);
        (void)waitpid(b->process, NULL, 0);
    }
    free(b->session);
    free(b->buffer);
    *b = (app_browser){.to = -1, .from = -1};
}

// ---- messages -----------------------------------------------------------------------------------------------------

static bool fail(app_browser *b, const char *why) {
    (void)snprintf(b->error, sizeof b->error, "%s", why);
    return false;
}

static bool send_all(app_browser *b, const char *text, size_t size) {
    while (size > 0) {
        const ssize_t sent = write(b->to, text, size);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return fail(b, "the browser ended");
        text += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool make_room(app_browser *b) {
    enum { PIECE = 1 << 16 };
    if (b->room - b->used >= PIECE)
        return true;
    const size_t room = 2 * b->room + PIECE;
    char *buffer = room <= MOST ? realloc(b->buffer, room) : NULL;
    if (!buffer)
        return fail(b, "the browser's answer is too large");
    b->buffer = buffer;
    b->room = room;
    return true;
}

// The next message; null: see error.
static json_t *receive(app_browser *b, double deadline) {
    for (;;) {
        const char *end = b->used ? memchr(b->buffer, '\0', b->used) : NULL;
        if (end) {
            const size_t size = (size_t)(end - b->buffer) + 1;
            json_t *message = json_loads(b->buffer, 0, NULL);
            (void)memmove(b->buffer, b->buffer + size, b->used - size);
            b->used -= size;
            if (!message)
                (void)fail(b, "the browser does not speak the DevTools protocol");
            return message;
        }
        struct pollfd wait = {.fd = b->from, .events = POLLIN};
        if (!make_room(b))
            return NULL;
        if (app_interrupted())
            return fail(b, "interrupted"), NULL;
        if (app_now() > deadline)
            return fail(b, "the browser does not answer"), NULL;
        if (poll(&wait, 1, 200) <= 0)
            continue;
        const ssize_t got = read(b->from, b->buffer + b->used, b->room - b->used);
        if (got <= 0)
            return fail(b, "the browser ended"), NULL;
        b->used += (size_t)got;
    }
}

// Sends a request and waits for its answer; takes ownership of `parameters`. The result, or null: see error.
static json_t *ask(app_browser *b, const char *method, json_t *parameters) {
    json_t *request = json_pack("{s:i, s:s, s:o}", "id", ++b->serial, "method", method, "params", parameters);
    if (request && b->session)
        (void)json_object_set_new(request, "sessionId", json_string(b->session));
    char *text = request ? json_dumps(request, JSON_COMPACT) : NULL;
    const bool sent = text && send_all(b, text, strlen(text) + 1);
    json_decref(request);
    free(text);
    const double deadline = app_now() + PATIENCE;
    json_t *message = NULL;
    while (sent && (message = receive(b, deadline))) {
        if (json_integer_value(json_object_get(message, "id")) == b->serial)
            break;
        json_decref(message);
    }
    json_t *result = json_incref(json_object_get(message, "result"));
    if (message && !result) {
        const char *why = json_string_value(json_object_get(json_object_get(message, "error"), "message"));
        (void)fail(b, why ? why : "the browser refused");
    }
    json_decref(message);
    return result;
}

// ---- pages --------------------------------------------------------------------------------------------------------

bool app_browser_open(app_browser *b, const char *program, const char *scratch, int width, int height) {
    *b = (app_browser){.to = -1, .from = -1};
    (void)signal(SIGPIPE, SIG_IGN);
    if (!start(b, program, scratch))
        return false;
    json_t *page = ask(b, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"));
    const char *target = json_string_value(json_object_get(page, "targetId"));
    json_t *attached =
        target ? ask(b, "Target.attachToTarget", json_pack("{s:s, s:b}", "targetId", target, "flatten", 1)) : NULL;
    const char *session = json_string_value(json_object_get(attached, "sessionId"));
    b->session = session ? strdup(session) : NULL;
    json_decref(page);
    json_decref(attached);
    if (!b->session)
        return false;
    json_t *done =
        ask(b, "Emulation.setDeviceMetricsOverride",
            json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", height, "deviceScaleFactor", 1, "mobile", 0));
    json_decref(done);
    return done != NULL;
}

bool app_browser_go(app_browser *b, const char *url) {
    json_t *done = ask(b, "Page.navigate", json_pack("{s:s}", "url", url));
    const char *why = json_string_value(json_object_get(done, "errorText"));
    const bool good = done && (!why || !*why);
    if (done && !good)
        (void)fail(b, why);
    json_decref(done);
    return good;
}

char *app_browser_evaluate(app_browser *b, const char *expression) {
    json_t *done = ask(b, "Runtime.evaluate",
                       json_pack("{s:s, s:b, s:b}", "expression", expression, "awaitPromise", 1, "returnByValue", 1));
    const json_t *thrown = json_object_get(json_object_get(done, "exceptionDetails"), "exception");
    const char *value = json_string_value(json_object_get(json_object_get(done, "result"), "value"));
    char *text = value && !thrown ? strdup(value) : NULL;
    if (done && !text) {
        const char *why = json_string_value(json_object_get(thrown, "description"));
        (void)snprintf(b->error, sizeof b->error, "%.*s", why ? (int)strcspn(why, "\n") : 0, why ? why : "");
        if (!why)
            (void)fail(b, "the page gave no text");
    }
    json_decref(done);
    return text;
}
