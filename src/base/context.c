// The context: the user's allocator and log sink, the text of the last error and the threads.
//
// All memory of the library comes from the allocator given at creation, the context itself included. The error text
// has a fixed place inside the context, so that reporting a lack of memory needs no memory.
// Nothing here is locked: a context is used by one thread at a time, and loop bodies neither allocate, fail nor log.
#include "base/context.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

enum { TEXT_SIZE = 512, MAX_THREADS = 1024 };

struct vs_context {
    vs_context_def def;
    vs_pool *pool; // null: one thread
    char error_text[TEXT_SIZE];
};

static void *allocate_default(void *user, size_t bytes) {
    (void)user;
    return malloc(bytes);
}

static void release_default(void *user, void *memory) {
    (void)user;
    free(memory);
}

vs_context_def vs_context_def_default(void) {
    vs_context_def def = {.size = sizeof(vs_context_def), .threads = 1};
    def.allocate = allocate_default;
    def.release = release_default;
    return def;
}

static bool is_valid(const vs_context_def *def) {
    return def->size == sizeof(vs_context_def) && def->allocate && def->release && def->threads >= 1 &&
           def->threads <= MAX_THREADS;
}

vs_error vs_context_create(const vs_context_def *def, vs_context **context) {
    if (!context)
        return VS_ERROR_ARGUMENT;
    *context = NULL;
    vs_context_def chosen = def ? *def : vs_context_def_default();
    if (!is_valid(&chosen))
        return VS_ERROR_ARGUMENT;

    vs_context *made = chosen.allocate(chosen.allocator_user, sizeof *made);
    if (!made)
        return VS_ERROR_MEMORY;
    *made = (vs_context){.def = chosen};
    if (chosen.threads > 1) {
        vs_error error = vs_pool_create(made, chosen.threads, &made->pool);
        if (error) {
            vs_context_destroy(made);
            return error;
        }
    }
    *context = made;
    return VS_OK;
}

int vs_context_threads(const vs_context *context) {
    return context->def.threads;
}

void vs_context_destroy(vs_context *context) {
    if (!context)
        return;
    vs_pool_destroy(context, context->pool);
    context->def.release(context->def.allocator_user, context);
}

const char *vs_context_get_error_text(const vs_context *context) {
    return context ? context->error_text : "";
}

vs_pool *vs_context_pool(vs_context *context) {
    return context->pool;
}

void *vs_allocate(vs_context *context, size_t bytes) {
    // Allocators may return null for zero bytes, which would look like a failure.
    return context->def.allocate(context->def.allocator_user, bytes ? bytes : 1);
}

void vs_release(vs_context *context, void *memory) {
    if (memory)
        context->def.release(context->def.allocator_user, memory);
}

// One line that fits: control characters become blanks, a truncated text ends with dots.
static void format_line(char text[TEXT_SIZE], const char *format, va_list arguments) {
    int length = vsnprintf(text, TEXT_SIZE, format, arguments);
    if (length < 0)
        memcpy(text, "(text lost)", sizeof "(text lost)");
    if (length >= TEXT_SIZE)
        memcpy(text + TEXT_SIZE - 4, "...", 4);
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < 32)
            *c = ' ';
    }
}

vs_error vs_fail(vs_context *context, vs_error error, const char *format, ...) {
    if (!context)
        return error;
    // Formatted in a buffer of its own: the arguments may contain the previous error text.
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    format_line(text, format, arguments);
    va_end(arguments);
    memcpy(context->error_text, text, TEXT_SIZE);
    // The caller decides whether a failure is worth showing, hence the lowest level.
    vs_log(context, VS_LOG_DEBUG, "%s", context->error_text);
    return error;
}

vs_error vs_fail_memory(vs_context *context) {
    return vs_fail(context, VS_ERROR_MEMORY, "out of memory");
}

void vs_log(vs_context *context, vs_log_level level, const char *format, ...) {
    if (!context || !context->def.log)
        return;
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    format_line(text, format, arguments);
    va_end(arguments);
    context->def.log(context->def.log_user, level, text);
}

const char *vs_error_name(vs_error error) {
    switch (error) {
    case VS_OK:
        return "no error";
    case VS_ERROR_MEMORY:
        return "out of memory";
    case VS_ERROR_ARGUMENT:
        return "wrong argument";
    case VS_ERROR_DATA:
        return "wrong data";
    case VS_ERROR_IO:
        return "input or output failed";
    case VS_ERROR_UNSUPPORTED:
        return "not supported";
    case VS_ERROR_NUMERICAL:
        return "numerical breakdown";
    }
    return "unknown error";
}

const char *vs_version(void) {
    return VS_VERSION;
}
