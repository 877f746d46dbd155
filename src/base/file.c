// Errors that name a file, and whole files. Locks are part of system.h.
#include "base/file.h"
#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

vs_error vs_file_blame(vs_context *context, vs_error error, const char *path) {
    if (!error || error == VS_ERROR_MEMORY)
        return error;
    return vs_fail(context, error, "%s: %s", path, vs_context_get_error_text(context));
}

static const long FILE_MOST = 1L << 30; // bytes

vs_error vs_file_load(vs_context *context, const char *path, char **bytes, size_t *length) {
    *bytes = NULL;
    vs_error error = VS_OK;
    FILE *file = vs_path_stream(path, "rb");
    if (!file)
        return vs_fail(context, VS_ERROR_IO, "%s: %s", path, strerror(errno));
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
        error = vs_fail(context, VS_ERROR_IO, "%s: %s", path, strerror(errno));
        goto cleanup;
    }
    if (size > FILE_MOST) {
        error = vs_fail(context, VS_ERROR_DATA, "%s: the file is larger than %ld bytes", path, FILE_MOST);
        goto cleanup;
    }
    *bytes = vs_allocate(context, (size_t)size + 1);
    if (!*bytes) {
        error = vs_fail_memory(context);
        goto cleanup;
    }
    *length = fread(*bytes, 1, (size_t)size, file);
    (*bytes)[*length] = 0;
    if (ferror(file))
        error = vs_fail(context, VS_ERROR_IO, "%s: %s", path, strerror(errno));
cleanup:
    (void)fclose(file);
    return error;
}
