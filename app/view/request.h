// The head of an HTTP request, as far as the server of `voussoir view` uses it.
#ifndef VS_APP_VIEW_REQUEST_H
#define VS_APP_VIEW_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct app_request {
    char method[8];
    char path[1024]; // without query
    char host[256];  // empty: not given
    bool range;
    int64_t first, last; // of the range; -1: not given
    bool close;          // the client wants the connection closed after the answer
    bool body;           // one follows the head
} app_request;

// Reads a head that ends with an empty line. false: not a request that this server understands.
bool app_request_read(const char *head, app_request *r);

#endif
