// The context: memory, log sink and thread count, passed explicitly to everything that needs them.
// There is no global state; contexts are independent of each other. A context and the objects made
// with it may be used by one thread at a time; different contexts may be used in parallel.
#ifndef VOUSSOIR_CONTEXT_H
#define VOUSSOIR_CONTEXT_H

#include <stddef.h>

#include "voussoir/export.h"

#ifdef __cplusplus
extern "C" {
#endif

// Misuse, lack of memory, invalid data, I/O. The outcome of a solve is a vs_status (solver.h), never an error.
typedef enum vs_error {
    VS_OK = 0,
    VS_ERROR_MEMORY,     // an allocation failed
    VS_ERROR_ARGUMENT,   // a call was wrong: null pointer, option out of range
    VS_ERROR_DATA,       // the problem or file is wrong; the text names the field
    VS_ERROR_IO,         // a file could not be read or written
    VS_ERROR_UNSUPPORTED // not in this build, or not for this kind of problem
} vs_error;

typedef enum vs_log_level { VS_LOG_ERROR, VS_LOG_WARNING, VS_LOG_INFO, VS_LOG_DEBUG } vs_log_level;

typedef struct vs_context vs_context;

// Definition of a context; start from vs_context_def_default().
typedef struct vs_context_def {
    void *(*allocate)(void *user, size_t bytes);                   // 16-byte aligned or null; default malloc
    void (*release)(void *user, void *memory);                     // of what allocate returned; default free
    void *allocator_user;                                          // passed to both
    void (*log)(void *user, vs_log_level level, const char *text); // default: silent
    void *log_user;                                                //
    int threads; // >= 1; default 1. Results have the same bits for any count
} vs_context_def;

VS_API vs_context_def vs_context_def_default(void);

// def may be null for the defaults.
VS_API vs_error vs_context_create(const vs_context_def *def, vs_context **context);
VS_API void vs_context_destroy(vs_context *context);

// Text of the last error that a call with this context returned, "" if none: one line.
VS_API const char *vs_context_get_error_text(const vs_context *context);

// "out of memory", "wrong argument", …
VS_API const char *vs_error_name(vs_error error);

VS_API const char *vs_version(void); // "0.1.0"

#ifdef __cplusplus
}
#endif

#endif
