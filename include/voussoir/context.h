// The context: allocator, log sink and thread count, passed explicitly to every object that needs them. The library has
// no other state; two contexts never influence each other. A context and the objects created with it may be used by one
// thread at a time; different contexts may be used in parallel.
#ifndef VOUSSOIR_CONTEXT_H
#define VOUSSOIR_CONTEXT_H

#include <stddef.h>

#include "voussoir/export.h"
#include "voussoir/version.h"

#ifdef __cplusplus
extern "C" {
#endif

// Misuse, lack of memory, invalid data, I/O. How well a problem was solved is a vs_status (solver.h), never an error.
typedef enum vs_error {
    VS_OK = 0,
    VS_ERROR_MEMORY,     // an allocation failed
    VS_ERROR_ARGUMENT,   // invalid call: null pointer, option out of range
    VS_ERROR_DATA,       // invalid problem or file; the error text names the field
    VS_ERROR_IO,         // a file could not be read or written
    VS_ERROR_UNSUPPORTED // not in this build, or not for this kind of problem
} vs_error;

typedef enum vs_log_level { VS_LOG_ERROR, VS_LOG_WARNING, VS_LOG_INFO, VS_LOG_DEBUG } vs_log_level;

typedef struct vs_context vs_context;

// Definition of a context; start from vs_context_def_default().
typedef struct vs_context_def {
    void *(*allocate)(void *user, size_t bytes);                   // 16-byte aligned or null; default malloc
    void (*release)(void *user, void *memory);                     // frees memory returned by allocate; default free
    void *allocator_user;                                          // first argument of both
    void (*log)(void *user, vs_log_level level, const char *text); // default: silent
    void *log_user;                                                // first argument of log
    int threads; // >= 1; default 1. Results are bitwise identical for any count
} vs_context_def;

// malloc and free, no log, one thread.
VS_API vs_context_def vs_context_def_default(void);

// Creates a context; destroy it with vs_context_destroy(). A null `def` stands for the defaults. VS_ERROR_ARGUMENT if a
// field is out of range.
VS_API vs_error vs_context_create(const vs_context_def *def, vs_context **context);
// Destroys a context, after all objects created with it. Null is allowed.
VS_API void vs_context_destroy(vs_context *context);

// Text of the last error returned by a call with this context, "" if there was none: one line that says what is wrong
// and where. Owned by the context, valid until its next error.
VS_API const char *vs_context_get_error_text(const vs_context *context);

// Short name of an error: "out of memory", "wrong argument", … Never null.
VS_API const char *vs_error_name(vs_error error);

// The name that a mistyped word probably meant, for messages; null if none is near. `names` ends with null.
VS_API const char *vs_nearest_name(const char *word, const char *const *names);

// Version of the loaded library, as VS_VERSION_STRING (version.h) is that of the headers: "0.2.0". Never null.
VS_API const char *vs_version(void);

#ifdef __cplusplus
}
#endif

#endif
