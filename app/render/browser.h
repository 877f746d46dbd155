// Headless Chromium, controlled through a pipe (the DevTools protocol).
#ifndef VS_APP_RENDER_BROWSER_H
#define VS_APP_RENDER_BROWSER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct app_browser {
    pid_t process;
    int to, from; // pipes
    int serial;   // of requests
    char *session;
    char *buffer; // received and not read yet
    size_t used, room;
    char error[256]; // why the last call failed
} app_browser;

// A browser's name or path: of CHROMIUM, or one that is on PATH; null: none.
const char *app_browser_find(void);
// Opens a page of some size in px. `scratch`: an empty folder for its profile. Call app_browser_close() in any case.
// false: see error.
bool app_browser_open(app_browser *b, const char *program, const char *scratch, int width, int height);
bool app_browser_go(app_browser *b, const char *url);
// The text that an expression, or its promise, evaluates to; to be freed; null: see error.
char *app_browser_evaluate(app_browser *b, const char *expression);
void app_browser_close(app_browser *b);

#endif
