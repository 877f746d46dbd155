// Messages about failures.
#include "cli/system/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/system/rank.h"
#include "voussoir/voussoir.h"

void app_complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (app_is_root()) {
        (void)fputs("voussoir: ", stderr);
        (void)vfprintf(stderr, format, list);
        (void)fputc('\n', stderr);
    }
    va_end(list);
}

// A reason that the file system knows better than HDF5; null if the file exists and is readable.
static const char *explain_path(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        switch (errno) {
        case ENOENT:
        case ENOTDIR:
            return "does not exist; check the path";
        case EACCES:
            return "is not accessible; check the permissions of its folder";
        case ELOOP:
            return "is a symbolic link that leads to itself; remove it";
        case ENAMETOOLONG:
            return "is too long a name; check the path";
        default:
            return "is not accessible; check the disk or the network";
        }
    if (S_ISDIR(status.st_mode))
        return "is a directory; give the files in it";
    if (access(path, R_OK) != 0)
        return "is not readable; check its permissions";
    if (S_ISREG(status.st_mode) && status.st_size == 0)
        return "is empty; copy or write it again";
    return NULL;
}

static const char *remedy(vs_error error) {
    switch (error) {
    case VS_ERROR_MEMORY:
        return "close other programs or solve a smaller problem";
    case VS_ERROR_ARGUMENT:
        return "set --method, --form and --linear-solver to auto, or see 'voussoir help solve'";
    case VS_ERROR_DATA:
        return "fix it in the program that wrote the file";
    case VS_ERROR_IO:
        return "check that the file was written and copied completely, and that the disk is not full";
    case VS_ERROR_UNSUPPORTED:
        return "'voussoir doctor' lists the features of this build";
    default:
        return "please report this as a bug, with the file";
    }
}

// The text of the library and the remedy.
static void quote(const char *path, vs_error error, const vs_context *context, const char *advice, char *text,
                  size_t size) {
    // The library may have put the file's name first; the caller adds it.
    const char *said = context ? vs_context_get_error_text(context) : "";
    const size_t length = strlen(path);
    if (strncmp(said, path, length) == 0 && strncmp(said + length, ": ", 2) == 0)
        said += length + 2;
    if (error == VS_ERROR_MEMORY || !*said)
        said = vs_error_name(error);
    // Some texts contain the remedy.
    const bool advised = strstr(said, "; use ") || strstr(said, "; wait ") || strstr(said, "; remove ");
    (void)snprintf(text, size, "%s%s%s", said, advised ? "" : "; ", advised ? "" : advice);
}

void app_explain(const char *path, vs_error error, const vs_context *context, char *text, size_t size) {
    const char *known = error == VS_ERROR_IO ? explain_path(path) : NULL;
    if (known)
        (void)snprintf(text, size, "%s", known);
    else
        quote(path, error, context, remedy(error), text, size);
}

void app_explain_output(const char *path, vs_error error, const vs_context *context, char *text, size_t size) {
    quote(path, error, context, error == VS_ERROR_IO ? APP_OUTPUT_REMEDY : remedy(error), text, size);
}
