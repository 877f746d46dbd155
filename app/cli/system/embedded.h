// The built viewer inside of the command (-DVOUSSOIR_EMBED_VIEWER=ON), for binaries that are one file.
#ifndef VS_APP_CLI_EMBEDDED_H
#define VS_APP_CLI_EMBEDDED_H

#include <limits.h>
#include <stdbool.h>

typedef struct app_page {
    const char *name; // below viewer/dist: "assets/index.js"; null: the end
    const unsigned char *begin, *end;
} app_page;

extern const app_page app_pages[]; // written by CMake; empty unless the option is on

// Writes the pages to a folder of this process, which is removed when it exits. False: complained, or there
// are none.
bool app_pages_unpack(char folder[PATH_MAX]);

#endif
