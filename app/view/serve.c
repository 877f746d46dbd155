// One loop over poll(): every connection is a small state machine, so that slow clients only occupy their slot.
//
//     reading   the head of a request, at most HEAD bytes
//     writing   its answer: a short text and, for files, a range read piece by piece
//
// Pages of other sites can reach 127.0.0.1, too: requests whose Host is another address are refused.
#include "view/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/message.h"

enum { CONNECTIONS = 64, HEAD = 8192, PIECE = 1 << 16, PATIENCE = 20 /* s without a byte */ };

typedef struct connection {
    int socket;    // -1: free
    bool writing;  //
    bool lasts;    // another request may follow
    int file;      // -1: none
    int64_t left;  // bytes of the file still to send
    int64_t at;    // where they are
    size_t used;   // bytes in `buffer` (reading: received; writing: to send)
    size_t sent;   // of these
    double active; // s; time of the last transfer
    char *buffer;  // (PIECE)
} connection;

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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

// ---- requests --------------------------------------------------------------------------------------------------

typedef struct request {
    char method[8];
    char path[1024];
    char host[256];
    bool range;
    int64_t first, last; // of the range; -1: not given
    bool close;
} request;

// The value of a header in `head`, copied without blanks around; false if it is not there or too long.
static bool find_header(const char *head, const char *name, char *value, size_t size) {
    const size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line && line[2]; line = strstr(line + 2, "\r\n")) {
        const char *at = line + 2;
        if (strncasecmp(at, name, length) != 0 || at[length] != ':')
            continue;
        at += length + 1;
        const char *end = strstr(at, "\r\n");
        while (*at == ' ' || *at == '\t')
            at++;
        while (end && end > at && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        if (!end || (size_t)(end - at) >= size)
            return false;
        memcpy(value, at, (size_t)(end - at));
        value[end - at] = '\0';
        return true;
    }
    return false;
}

// A whole number without sign that ends at *end; -1 if there is none.
static int64_t read_number(const char *from, const char **end) {
    int64_t value = -1;
    for (*end = from; **end >= '0' && **end <= '9'; (*end)++) {
        const int digit = **end - '0';
        value = value < 0 ? digit : value > (INT64_MAX - digit) / 10 ? INT64_MAX : 10 * value + digit;
    }
    return value;
}

static void read_range(const char *head, request *r) {
    char value[128];
    const char *end;
    r->first = r->last = -1;
    if (!find_header(head, "Range", value, sizeof value) || strncmp(value, "bytes=", 6) != 0)
        return;
    r->first = read_number(value + 6, &end);
    if (*end != '-')
        return;
    r->last = read_number(end + 1, &end);
    // several ranges are answered with the whole file, as the protocol allows
    r->range = *end == '\0' && (r->first >= 0 || r->last >= 0);
}

// False: no request that this server understands.
static bool read_request(const char *head, request *r) {
    *r = (request){0};
    char version[16];
    if (sscanf(head, "%7s %1023s %15s", r->method, r->path, version) != 3 || strncmp(version, "HTTP/1.", 7) != 0)
        return false;
    r->path[strcspn(r->path, "?#")] = '\0';
    char value[64];
    r->close = strcmp(version, "HTTP/1.1") != 0;
    if (find_header(head, "Connection", value, sizeof value))
        r->close = strcasecmp(value, "close") == 0 || (r->close && strcasecmp(value, "keep-alive") != 0);
    if (!find_header(head, "Host", r->host, sizeof r->host))
        r->host[0] = '\0';
    read_range(head, r);
    return true;
}

// ---- answers ---------------------------------------------------------------------------------------------------

static void answer(connection *c, const char *status, const char *more, const char *type, const char *text, bool body) {
    const size_t length = text ? strlen(text) : 0;
    int used = snprintf(c->buffer, PIECE,
                        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nX-Content-Type-Options: nosniff\r\n"
                        "Connection: %s\r\n%s\r\n%s",
                        status, type, length, c->lasts ? "keep-alive" : "close", more, body && text ? text : "");
    c->used = (size_t)used;
    c->sent = 0;
    c->writing = true;
}

static void refuse(connection *c, const char *status, const char *more) {
    char text[80];
    (void)snprintf(text, sizeof text, "%s\n", status);
    answer(c, status, more, "text/plain; charset=utf-8", text, true);
}

// The part of a file of `size` bytes that is asked for; false: there is no such part.
static bool choose_part(const request *r, int64_t size, int64_t *first, int64_t *length) {
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

static void answer_file(connection *c, const request *r, const app_resource *resource) {
    struct stat status;
    c->file = open(resource->file, O_RDONLY | O_CLOEXEC);
    if (c->file < 0 || fstat(c->file, &status) != 0 || !S_ISREG(status.st_mode)) {
        refuse(c, "404 Not Found", "");
        return;
    }
    int64_t size = status.st_size, first, length;
    char more[64];
    if (!choose_part(r, size, &first, &length)) {
        (void)snprintf(more, sizeof more, "Content-Range: bytes */%" PRId64 "\r\n", size);
        refuse(c, "416 Range Not Satisfiable", more);
        return;
    }
    char range[96] = "", date[64] = "";
    if (r->range)
        (void)snprintf(range, sizeof range, "Content-Range: bytes %" PRId64 "-%" PRId64 "/%" PRId64 "\r\n", first,
                       first + length - 1, size);
    struct tm utc;
    if (gmtime_r(&status.st_mtime, &utc))
        (void)strftime(date, sizeof date, "Last-Modified: %a, %d %b %Y %H:%M:%S GMT\r\n", &utc);
    int used = snprintf(c->buffer, PIECE,
                        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %" PRId64
                        "\r\n%s%sAccept-Ranges: bytes\r\nCache-Control: %s\r\n"
                        "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                        "Connection: %s\r\n\r\n",
                        r->range ? "206 Partial Content" : "200 OK", resource->type, length, range, date,
                        resource->changes ? "no-store" : "no-cache", c->lasts ? "keep-alive" : "close");
    c->used = (size_t)used;
    c->sent = 0;
    c->writing = true;
    c->at = first;
    c->left = strcmp(r->method, "HEAD") == 0 ? 0 : length;
}

static bool is_ours(const app_server *server, const char *host) {
    char name[32];
    (void)snprintf(name, sizeof name, "127.0.0.1:%d", server->port);
    if (strcmp(host, name) == 0)
        return true;
    (void)snprintf(name, sizeof name, "localhost:%d", server->port);
    return strcmp(host, name) == 0;
}

static void answer_request(const app_server *server, connection *c) {
    request r;
    const bool understood = read_request(c->buffer, &r);
    c->lasts = understood && !r.close;
    if (!understood) {
        refuse(c, "400 Bad Request", "");
        return;
    }
    if (!is_ours(server, r.host)) {
        refuse(c, "403 Forbidden", "");
        return;
    }
    if (strcmp(r.method, "GET") != 0 && strcmp(r.method, "HEAD") != 0) {
        c->lasts = false; // a body may follow, which is not read
        refuse(c, "405 Method Not Allowed", "Allow: GET, HEAD\r\n");
        return;
    }
    for (int k = 0; k < server->resources; k++)
        if (strcmp(server->resource[k].url, r.path) == 0) {
            answer_file(c, &r, &server->resource[k]);
            return;
        }
    refuse(c, "404 Not Found", "");
}

// ---- connections -----------------------------------------------------------------------------------------------

static void let_go(connection *c) {
    if (c->file >= 0)
        (void)close(c->file);
    if (c->socket >= 0)
        (void)close(c->socket);
    c->socket = c->file = -1;
}

// Ready for the next request.
static void turn(connection *c) {
    if (c->file >= 0)
        (void)close(c->file);
    c->file = -1;
    c->left = 0;
    c->used = c->sent = 0;
    c->writing = false;
}

// Reads available bytes. False: the connection is closed.
static bool receive(const app_server *server, connection *c) {
    const ssize_t got = recv(c->socket, c->buffer + c->used, HEAD - 1 - c->used, 0);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    c->active = now();
    c->used += (size_t)got;
    c->buffer[c->used] = '\0';
    if (memchr(c->buffer, '\0', c->used)) {
        c->lasts = false;
        refuse(c, "400 Bad Request", "");
    } else if (strstr(c->buffer, "\r\n\r\n")) {
        answer_request(server, c);
    } else if (c->used >= HEAD - 1) {
        c->lasts = false;
        refuse(c, "431 Request Header Fields Too Large", "");
    }
    return true;
}

// Sends as much as the client accepts. False: the connection is closed.
static bool send_more(connection *c) {
    if (c->sent == c->used) { // the next piece of the file
        const size_t wanted = c->left < PIECE ? (size_t)c->left : PIECE;
        const ssize_t got = pread(c->file, c->buffer, wanted, c->at);
        if (got <= 0)
            return false; // shorter than promised: the client sees an early end
        c->used = (size_t)got;
        c->sent = 0;
        c->at += got;
        c->left -= got;
    }
    const ssize_t gone = send(c->socket, c->buffer + c->sent, c->used - c->sent, MSG_NOSIGNAL);
    if (gone < 0)
        return errno == EAGAIN || errno == EINTR;
    c->active = now();
    c->sent += (size_t)gone;
    if (c->sent < c->used || c->left > 0)
        return true;
    if (!c->lasts)
        return false;
    turn(c);
    return true;
}

static void welcome(const app_server *server, connection *all) {
    connection *c = NULL;
    for (int k = 0; k < CONNECTIONS && !c; k++)
        c = all[k].socket < 0 ? &all[k] : NULL;
    if (!c)
        return; // they wait in the listener's queue
    const int socket = accept(server->listener, NULL, NULL);
    if (socket < 0)
        return;
    (void)fcntl(socket, F_SETFL, O_NONBLOCK);
    (void)fcntl(socket, F_SETFD, FD_CLOEXEC);
    c->socket = socket;
    c->active = now();
    turn(c);
}

// ---- the server ------------------------------------------------------------------------------------------------

bool app_server_open(app_server *server, int port, const app_resource *resource, int resources) {
    *server = (app_server){.listener = -1, .resource = resource, .resources = resources};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
    if (listener >= 0)
        (void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (listener < 0 || bind(listener, (const struct sockaddr *)&address, size) != 0 || listen(listener, 1024) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        if (port > 0)
            app_complain("cannot open port %d of 127.0.0.1 (%s); give another --port, or none", port, strerror(errno));
        else
            app_complain("cannot open any port of 127.0.0.1 (%s)", strerror(errno));
        if (listener >= 0)
            (void)close(listener);
        return false;
    }
    server->listener = listener;
    server->port = ntohs(address.sin_port);
    return true;
}

static void serve(app_server *server, connection *all) {
    while (!app_interrupted()) {
        struct pollfd wait[CONNECTIONS + 1];
        connection *who[CONNECTIONS + 1];
        nfds_t count = 0;
        bool room = false;
        for (int k = 0; k < CONNECTIONS; k++) {
            if (all[k].socket < 0) {
                room = true;
                continue;
            }
            who[count] = &all[k];
            wait[count++] = (struct pollfd){.fd = all[k].socket, .events = all[k].writing ? POLLOUT : POLLIN};
        }
        if (room) {
            who[count] = NULL;
            wait[count++] = (struct pollfd){.fd = server->listener, .events = POLLIN};
        }
        if (poll(wait, count, 500) < 0 && errno != EINTR)
            return;
        const double time = now();
        for (nfds_t k = 0; k < count; k++) {
            connection *c = who[k];
            if (!c) {
                if (wait[k].revents & POLLIN)
                    welcome(server, all);
                continue;
            }
            bool lives = time - c->active < PATIENCE;
            if (lives && wait[k].revents)
                lives = c->writing ? send_more(c) : receive(server, c);
            if (!lives)
                let_go(c);
        }
    }
}

void app_server_run(app_server *server) {
    connection all[CONNECTIONS];
    char *memory = malloc((size_t)CONNECTIONS * PIECE);
    if (!memory) {
        app_complain("out of memory");
        return;
    }
    for (int k = 0; k < CONNECTIONS; k++)
        all[k] = (connection){.socket = -1, .file = -1, .buffer = memory + (size_t)k * PIECE};
    serve(server, all);
    for (int k = 0; k < CONNECTIONS; k++)
        let_go(&all[k]);
    free(memory);
}

void app_server_close(app_server *server) {
    if (server->listener >= 0)
        (void)close(server->listener);
    server->listener = -1;
}
