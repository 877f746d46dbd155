// Reading the head of an HTTP/1.x request: the first line and the few headers that matter here.
#include "view/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

static void read_range(const char *head, app_request *r) {
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

bool app_request_read(const char *head, app_request *r) {
    *r = (app_request){0};
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
    r->body = find_header(head, "Transfer-Encoding", value, sizeof value) ||
              (find_header(head, "Content-Length", value, sizeof value) && strcmp(value, "0") != 0);
    read_range(head, r);
    return true;
}
