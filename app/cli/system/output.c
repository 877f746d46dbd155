// Files that a command writes.
#include "cli/system/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/system/files.h"
#include "cli/system/message.h"
#include "voussoir/voussoir.h"

static void release(app_output *o) {
    vs_output_file_destroy(o->target);
    vs_context_destroy(o->context);
    o->file = NULL, o->target = NULL, o->context = NULL;
}

static bool fail(app_output *o, vs_error error) {
    char text[512];
    app_explain_output(o->path, error, o->context, text, sizeof text);
    app_complain("%s: %s", o->path, text);
    release(o);
    return false;
}

static bool fail_system(app_output *o, int reason) {
    app_complain("%s: could not be written: %s; " APP_OUTPUT_REMEDY, o->path, strerror(reason));
    release(o);
    return false;
}

bool app_output_open(app_output *output, const char *path) {
    *output = (app_output){.file = NULL};
    if (!app_writes(path))
        return false;
    (void)snprintf(output->path, sizeof output->path, "%s", path); // too long: the library reports it
    vs_error error = vs_context_create(NULL, &output->context);
    if (error == VS_OK)
        error = vs_output_file_create(output->context, path, &output->target);
    if (error != VS_OK)
        return fail(output, error);
    output->file = fopen(vs_output_file_get_path(output->target), "wb");
    return output->file || fail_system(output, errno);
}

bool app_output_close(app_output *output, bool good) {
    if (!output->file)
        return false; // complained when it was opened
    // A full disk shows when the buffer is written, at the latest here.
    int failed = 0;
    if (fflush(output->file) != 0)
        failed = errno;
    else if (ferror(output->file))
        failed = EIO;
    if (fclose(output->file) != 0 && !failed)
        failed = errno;
    if (failed)
        return fail_system(output, failed);
    const vs_error error = good ? vs_output_file_commit(output->target) : VS_OK;
    if (error != VS_OK)
        return fail(output, error);
    release(output);
    return good;
}

bool app_output_copy(const char *from, const char *path) {
    char buffer[1 << 14];
    app_output out;
    FILE *in = fopen(from, "rb");
    if (!in) {
        app_complain("%s: cannot be read: %s", from, strerror(errno));
        return false;
    }
    bool good = app_output_open(&out, path);
    for (size_t got; good && (got = fread(buffer, 1, sizeof buffer, in)) > 0;)
        good = fwrite(buffer, 1, got, out.file) == got;
    if (good && ferror(in)) {
        app_complain("%s: cannot be read completely", from);
        good = false;
    }
    good = app_output_close(&out, good);
    (void)fclose(in);
    return good;
}

bool app_output_differs(const char *path, const char *other) {
    if (!path || !other || !vs_output_file_replaces(path, other))
        return true;
    app_complain("%s: two outputs have this name, and one would overwrite the other; use another name for one of them",
                 path);
    return false;
}
