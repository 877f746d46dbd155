// Serving a few files to a browser on this machine: HTTP/1.1, GET and HEAD, byte ranges; 127.0.0.1 only.
//
// Other users of the machine can connect, too, and so can pages of other sites in the user's browser: every address
// begins with a random token, http://127.0.0.1:PORT/TOKEN/…, and a request without it is refused, as is one to
// another host. Only the files of a table are served: paths are compared, never constructed, so that nothing else can
// be reached. Memory is bounded by the number of connections; each request has a deadline, and a new client takes the
// place of one that has not sent a request.
#ifndef VS_APP_VIEW_SERVE_H
#define VS_APP_VIEW_SERVE_H

#include <stdbool.h>

#include "view/token.h"

typedef struct app_resource {
    const char *url;  // below the token: "/index.html"
    const char *file; // path
    const char *type; // "text/html; charset=utf-8"
    bool changes;     // may grow while it is served: never cached, its size is looked up for every request
} app_resource;

typedef struct app_server {
    int listener;
    int port; // chosen
    char token[APP_TOKEN + 1];
    const app_resource *resource;
    int resources;
} app_server;

// Opens the port on 127.0.0.1; 0: any free one. Complains and returns false if that fails.
bool app_server_open(app_server *server, int port, const app_resource *resource, int resources);
// The address of the resource "/"; others are below it.
enum { APP_ADDRESS = 96 };
void app_server_address(const app_server *server, char address[APP_ADDRESS]);
// Serves until Ctrl-C.
void app_server_run(app_server *server);
void app_server_close(app_server *server);

// The media type for a file's name.
const char *app_media_type(const char *name);

#endif
