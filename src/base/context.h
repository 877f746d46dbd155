// Internals of the context: memory through the user's allocator, error text, log, parallel loops.
#ifndef VS_BASE_CONTEXT_H
#define VS_BASE_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "voussoir/context.h"

// A factorization or a geometric construction broke down. Never leaves the library: callers turn it into a vs_status or
// into an error that users know.
#define VS_ERROR_NUMERICAL ((vs_error)(VS_ERROR_UNSUPPORTED + 1))

// Memory of the user's allocator; null when it fails. Zero bytes give a valid pointer.
void *vs_allocate(vs_context *context, size_t bytes);
void vs_release(vs_context *context, void *memory); // null is legal

// Stores the text (printf) as the context's error text, logs it, and returns `error`:
//     return vs_fail(context, VS_ERROR_DATA, "mu[%d] is negative (%g)", i, mu[i]);
vs_error vs_fail(vs_context *context, vs_error error, const char *format, ...) __attribute__((format(printf, 3, 4)));
// vs_fail() for a failed allocation.
vs_error vs_fail_memory(vs_context *context);

void vs_log(vs_context *context, vs_log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

int vs_context_threads(const vs_context *context); // as requested

// Calls body(user, begin, end) for consecutive chunks of [0, count) on the context's threads and returns when
// all are done. Chunks have `grain` items each (the last may have fewer) and do not depend on the thread count;
// a body that writes only to its own items therefore gives the same bits for any thread count.
// Serial when there is one thread or one chunk. Allocates nothing.
void vs_parallel_for(vs_context *context, int64_t count, int64_t grain,
                     void (*body)(void *user, int64_t begin, int64_t end), void *user);

#endif
