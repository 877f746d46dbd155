// Unpacks the embedded viewer: see embedded.h. Browsers read it through the server of `view`, which serves files.
#include "cli/system/embedded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/system/message.h"
#include "cli/system/process.h"

static char unpacked[APP_SCRATCH];
static pid_t owner; // children, which serve, leave the pages alone

static void remove_pages(void) {
    if (getpid() == owner)
        app_scratch_remove(unpacked);
}

// The folders on the way to a file.
static void make_folders(char path[PATH_MAX]) {
    for (char *slash = strchr(path + strlen(unpacked) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

static bool write_one(const app_page *page) {
    char path[PATH_MAX];
    const size_t size = (size_t)(page->end - page->begin);
    if (snprintf(path, sizeof path, "%s/%s", unpacked, page->name) >= PATH_MAX)
        return false;
    make_folders(path);
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(page->begin, 1, size, file) == size;
    const bool closed = file && fclose(file) == 0;
    if (!written || !closed)
        app_complain("%s: cannot be written (%s); set TMPDIR to a folder with 20 MB of room", path, strerror(errno));
    return written && closed;
}

bool app_pages_unpack(char folder[PATH_MAX]) {
    bool good = unpacked[0] != '\0';
    if (!good && app_scratch_make(unpacked)) {
        owner = getpid();
        good = atexit(remove_pages) == 0;
        for (const app_page *page = app_pages; good && page->name; page++)
            good = write_one(page);
    }
    (void)snprintf(folder, PATH_MAX, "%s", unpacked);
    return good;
}
