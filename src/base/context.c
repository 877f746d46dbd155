// The context: the user's allocator and log sink, the text of the last error and the threads.
//
// All memory of the library comes from the allocator given at creation, the context itself included. The error text
// has a fixed place inside the context, so that reporting a lack of memory needs no memory.
// Nothing here is locked: a context is used by one thread at a time, and loop bodies neither allocate, fail nor log.
#include "base/context.h"

#include "base/context_data.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int vs_context_threads(const vs_context *context) {
    return context->def.threads;
}

const char *vs_context_get_error_text(const vs_context *context) {
    return context ? context->error_text : "";
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
static void format_line(char text[VS_ERROR_TEXT], const char *format, va_list arguments) {
    int length = vsnprintf(text, VS_ERROR_TEXT, format, arguments);
    if (length < 0)
        memcpy(text, "(text lost)", sizeof "(text lost)");
    if (length >= VS_ERROR_TEXT)
        memcpy(text + VS_ERROR_TEXT - 4, "...", 4);
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < 32)
            *c = ' ';
    }
}

vs_error vs_fail(vs_context *context, vs_error error, const char *format, ...) {
    if (!context)
        return error;
    // Formatted in a buffer of its own: the arguments may contain the previous error text.
    char text[VS_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    format_line(text, format, arguments);
    va_end(arguments);
    memcpy(context->error_text, text, VS_ERROR_TEXT);
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
    char text[VS_ERROR_TEXT];
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
    }
    return error == VS_ERROR_NUMERICAL ? "numerical breakdown" : "unknown error";
}

const char *vs_version(void) {
    return VS_VERSION_STRING;
}
