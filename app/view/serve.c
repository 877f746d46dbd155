// One loop over the sockets: every connection is a small state machine, so that slow clients only occupy their slot.
//
//     READING    the head of a request, at most HEAD bytes; requests that follow it at once stay in the buffer
//     WRITING    its answer: a short text and, for files, a range read piece by piece
//     DRAINING   after the last answer: discards what still comes, because closing a socket with unread bytes would
//                destroy the answer on its way
//
// Each phase has a deadline as a whole. If all slots are taken, a new client replaces the one that has been reading or
// draining for longest, once that is GRACE: clients without a complete request, which need not know the token, cannot keep others out.
#include "view/serve.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/system.h"
#include "view/request.h"
#include "view/token.h"

enum { CONNECTIONS = 64, HEAD = 8192, PIECE = 1 << 16 };
// s: between requests, from the first byte of a head to its last, for an answer (and the time of its bytes at the
// lowest rate, in bytes per second), for the end of a connection; before it may be replaced. A browser on the same
// machine needs milliseconds.
enum { IDLE_TIME = 20, HEAD_TIME = 5, ANSWER_TIME = 20, LOWEST_RATE = 1 << 20, DRAIN_TIME = 2, GRACE = 1 };

typedef enum phase { READING, WRITING, DRAINING } phase;

typedef struct connection {
    int socket; // -1: free
    phase phase;
    double since, deadline; // s; begin and end of the phase
    char *head;             // (HEAD) requests
    size_t received;        // bytes in it
    char *out;              // (PIECE) bytes to send
    size_t used, sent;      // of these
    int64_t left;           // bytes of the file still to send
    FILE *file;             // null: none
    bool lasts;             // another request may follow
    bool head_only;         // the request is a HEAD: the answer has no body
} connection;

const char *app_media_type(const char *name) {
    static const struct {
        const char *end, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".json", "application/json"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".wasm", "application/wasm"},
                 {".h5", "application/x-hdf5"},
                 {".hdf5", "application/x-hdf5"}};
    const size_t length = strlen(name);
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        const size_t end = strlen(types[k].end);
        if (length > end && strcmp(name + length - end, types[k].end) == 0)
            return types[k].type;
    }
    return "application/octet-stream";
}

// ---- phases ----------------------------------------------------------------------------------------------------

static void enter(connection *c, phase next, double seconds) {
    c->phase = next;
    c->since = app_now();
    c->deadline = c->since + seconds;
}

static void let_go(connection *c) {
    if (c->file)
        (void)fclose(c->file);
    app_socket_close(c->socket);
    c->file = NULL;
    c->socket = -1;
}

// ---- answers ---------------------------------------------------------------------------------------------------

// The page runs the viewer's own scripts (HDF5 is WebAssembly in a worker made from a Blob) and talks to this server
// only; nobody may frame it, and the address with its token is not passed on.
static const char PRECAUTIONS[] =
    "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; "
    "connect-src 'self'; style-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "X-Frame-Options: DENY\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

// The head of an answer whose body has `length` bytes; `more` are further headers, each with its end of line.
static void begin_answer(connection *c, const char *status, const char *type, int64_t length, const char *more) {
    const int used = snprintf(
        c->out, PIECE, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %" PRId64 "\r\n%s%sConnection: %s\r\n\r\n",
        status, type, length, PRECAUTIONS, more, c->lasts ? "keep-alive" : "close");
    c->used = (size_t)used;
    c->sent = 0;
    enter(c, WRITING, ANSWER_TIME + (double)length / LOWEST_RATE);
}

static void refuse(connection *c, const char *status, const char *more) {
    const size_t length = strlen(status);
    begin_answer(c, status, "text/plain; charset=utf-8", (int64_t)length + 1, more);
    if (c->head_only)
        return;
    memcpy(c->out + c->used, status, length);
    c->out[c->used + length] = '\n';
    c->used += length + 1;
}

// The part of a file of `size` bytes that is asked for; false: there is no such part.
static bool choose_part(const app_request *r, int64_t size, int64_t *first, int64_t *length) {
    *first = 0;
    *length = size;
    if (!r->range)
        return true;
    if (r->first < 0) { // the last bytes
        *length = r->last < size ? r->last : size;
        *first = size - *length;
        return *length > 0;
    }
    if (r->first >= size || (r->last >= 0 && r->last < r->first))
        return false;
    *first = r->first;
    *length = (r->last >= 0 && r->last < size ? r->last + 1 : size) - r->first;
    return true;
}

static void answer_file(connection *c, const app_request *r, const app_resource *resource) {
    struct stat status;
    c->file = fopen(resource->file, "rb");
    if (!c->file || fstat(fileno(c->file), &status) != 0 || !S_ISREG(status.st_mode)) {
        refuse(c, "404 Not Found", "");
        return;
    }
    int64_t size = status.st_size, first, length;
    char range[96] = "", date[64] = "", more[320];
    if (!choose_part(r, size, &first, &length) || fseeko(c->file, (off_t)first, SEEK_SET) != 0) {
        (void)snprintf(range, sizeof range, "Content-Range: bytes */%" PRId64 "\r\n", size);
        refuse(c, "416 Range Not Satisfiable", range);
        return;
    }
    if (r->range)
        (void)snprintf(range, sizeof range, "Content-Range: bytes %" PRId64 "-%" PRId64 "/%" PRId64 "\r\n", first,
                       first + length - 1, size);
    struct tm utc;
    if (gmtime_r(&status.st_mtime, &utc))
        (void)strftime(date, sizeof date, "Last-Modified: %a, %d %b %Y %H:%M:%S GMT\r\n", &utc);
    (void)snprintf(more, sizeof more, "%s%sAccept-Ranges: bytes\r\nCache-Control: %s\r\n", range, date,
                   resource->changes ? "no-store" : "no-cache");
    begin_answer(c, r->range ? "206 Partial Content" : "200 OK", resource->type, length, more);
    c->left = c->head_only ? 0 : length;
}

// A page of another site whose name was made to point to 127.0.0.1 sends its own Host. Port 80 may be omitted.
static bool is_ours(const app_server *server, const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char full[32];
        (void)snprintf(full, sizeof full, "%s:%d", names[k], server->port);
        if (strcmp(host, full) == 0 || (server->port == 80 && strcmp(host, names[k]) == 0))
            return true;
    }
    return false;
}

// What follows "/TOKEN" in a path; null: it does not begin so.
static const char *below_token(const app_server *server, const char *path) {
    return path[0] == '/' && app_token_begins(server->token, path + 1) ? path + 1 + APP_TOKEN : NULL;
}

static void answer_request(const app_server *server, connection *c, const char *head) {
    app_request r;
    const bool understood = app_request_read(head, &r);
    const bool reads = understood && (strcmp(r.method, "GET") == 0 || strcmp(r.method, "HEAD") == 0);
    const char *name = understood ? below_token(server, r.path) : NULL;
    c->head_only = understood && strcmp(r.method, "HEAD") == 0;
    c->lasts = false;
    if (!understood) {
        refuse(c, "400 Bad Request", "");
    } else if (!is_ours(server, r.host) || !name) {
        refuse(c, "403 Forbidden", ""); // for every path, so that nobody learns which ones exist
    } else if (!reads) {
        refuse(c, "405 Method Not Allowed", "Allow: GET, HEAD\r\n");
    } else {
        c->lasts = !r.close && !r.body; // a body is not read, and must not be taken for the next request
        for (int k = 0; k < server->resources; k++)
            if (strcmp(server->resource[k].url, name) == 0) {
                answer_file(c, &r, &server->resource[k]);
                return;
            }
        refuse(c, "404 Not Found", "");
    }
}

// ---- connections -----------------------------------------------------------------------------------------------

// Begins the answer to the first request in the buffer, if it is complete.
static void take_request(const app_server *server, connection *c) {
    c->head[c->received] = '\0';
    const char *end = strstr(c->head, "\r\n\r\n");
    if (end) {
        const size_t size = (size_t)(end - c->head) + 4;
        const char next = c->head[size];
        c->head[size] = '\0'; // headers of the next request are not this one's
        answer_request(server, c, c->head);
        c->head[size] = next;
        c->received -= size;
        (void)memmove(c->head, c->head + size, c->received);
    } else if (memchr(c->head, '\0', c->received) || c->received == HEAD - 1) {
        c->lasts = c->head_only = false;
        refuse(c, c->received < HEAD - 1 ? "400 Bad Request" : "431 Request Header Fields Too Large", "");
    }
}

// Reads available bytes. False: the connection is closed.
static bool receive(const app_server *server, connection *c) {
    const int64_t got = app_socket_receive(c->socket, c->head + c->received, HEAD - 1 - c->received);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    if (c->received == 0)
        c->deadline = app_now() + HEAD_TIME; // `since` stays: a first byte is no merit
    c->received += (size_t)got;
    take_request(server, c);
    return true;
}

static bool discard(connection *c) {
    const int64_t got = app_socket_receive(c->socket, c->out, PIECE);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

// The answer is sent: the next request, which may be here already, or the end.
static void finish_answer(const app_server *server, connection *c) {
    if (c->file)
        (void)fclose(c->file);
    c->file = NULL;
    if (c->lasts) {
        enter(c, READING, c->received > 0 ? HEAD_TIME : IDLE_TIME);
        take_request(server, c);
    } else {
        app_socket_finish(c->socket);
        enter(c, DRAINING, DRAIN_TIME);
    }
}

// Sends as much as the client accepts. False: the connection is closed.
static bool send_more(const app_server *server, connection *c) {
    if (c->sent == c->used) { // the next piece of the file
        const size_t wanted = c->left < PIECE ? (size_t)c->left : PIECE;
        const size_t got = fread(c->out, 1, wanted, c->file);
        if (got == 0)
            return false; // shorter than promised: the client sees an early end
        c->used = got;
        c->sent = 0;
        c->left -= (int64_t)got;
    }
    const int64_t gone = app_socket_send(c->socket, c->out + c->sent, c->used - c->sent);
    if (gone < 0)
        return errno == EAGAIN || errno == EINTR;
    c->sent += (size_t)gone;
    if (c->sent == c->used && c->left == 0)
        finish_answer(server, c);
    return true;
}

// A free slot, or else the connection that has waited longest without an answer on its way; null: there is none yet.
static connection *find_slot(connection *all) {
    const double latest = app_now() - GRACE;
    connection *longest = NULL;
    for (int k = 0; k < CONNECTIONS; k++) {
        connection *c = &all[k];
        if (c->socket < 0)
            return c;
        if (c->phase != WRITING && c->since < (longest ? longest->since : latest))
            longest = c;
    }
    return longest;
}

static void welcome(const app_server *server, connection *c) {
    const int socket = app_socket_accept(server->listener);
    if (socket < 0)
        return;
    let_go(c);
    c->socket = socket;
    c->received = 0;
    c->left = 0;
    enter(c, READING, IDLE_TIME);
}

// ---- the server ------------------------------------------------------------------------------------------------

bool app_server_open(app_server *server, int port, const app_resource *resource, int resources) {
    *server = (app_server){.listener = -1, .resource = resource, .resources = resources};
    if (!app_token_make(server->token)) {
        app_complain("the system gives no random numbers (%s)", strerror(errno));
        return false;
    }
    const int wanted = port;
    server->listener = app_socket_listen(&port);
    server->port = port;
    if (server->listener >= 0)
        return true;
    if (wanted > 0)
        app_complain("cannot open port %d of 127.0.0.1 (%s); give another --port, or none", wanted, strerror(errno));
    else
        app_complain("cannot open any port of 127.0.0.1 (%s)", strerror(errno));
    return false;
}

void app_server_address(const app_server *server, char address[APP_ADDRESS]) {
    (void)snprintf(address, APP_ADDRESS, "http://127.0.0.1:%d/%s/", server->port, server->token);
}

// One event of a connection. False: it is closed.
static bool advance(const app_server *server, connection *c) {
    switch (c->phase) {
    case READING:
        return receive(server, c);
    case WRITING:
        return send_more(server, c);
    default:
        return discard(c);
    }
}

static void serve(app_server *server, connection *all) {
    while (!app_interrupted()) {
        app_socket_event wait[CONNECTIONS + 1];
        connection *who[CONNECTIONS];
        int count = 0;
        for (int k = 0; k < CONNECTIONS; k++)
            if (all[k].socket >= 0) {
                wait[count] = (app_socket_event){.socket = all[k].socket, .send = all[k].phase == WRITING};
                who[count++] = &all[k];
            }
        // Without a slot new clients wait in the listener's queue.
        const bool listens = find_slot(all) != NULL;
        wait[count] = (app_socket_event){.socket = server->listener};
        if (!app_socket_wait(wait, count + listens, listens ? 500 : 50))
            return;
        const double time = app_now();
        for (int k = 0; k < count; k++)
            if (time > who[k]->deadline || (wait[k].ready && !advance(server, who[k])))
                let_go(who[k]);
        // Last, so that a client's first bytes are read before the next one can take its place.
        connection *slot = listens && wait[count].ready ? find_slot(all) : NULL;
        if (slot)
            welcome(server, slot);
    }
}

void app_server_run(app_server *server) {
    connection all[CONNECTIONS];
    char *memory = malloc((size_t)CONNECTIONS * (HEAD + PIECE));
    if (!memory) {
        app_complain("out of memory");
        return;
    }
    for (int k = 0; k < CONNECTIONS; k++)
        all[k] = (connection){.socket = -1,
                              .head = memory + (size_t)k * (HEAD + PIECE),
                              .out = memory + (size_t)k * (HEAD + PIECE) + HEAD};
    serve(server, all);
    for (int k = 0; k < CONNECTIONS; k++)
        let_go(&all[k]);
    free(memory);
}

void app_server_close(app_server *server) {
    app_socket_close(server->listener);
    server->listener = -1;
}
