// The threads behind vs_parallel_for(); only the context knows them.
#ifndef VS_BASE_PARALLEL_H
#define VS_BASE_PARALLEL_H

#include "base/context.h"

typedef struct vs_pool vs_pool;

// Starts threads - 1 workers (the caller is the last one); threads >= 2. If the system starts fewer, the pool works
// with those it has: results do not depend on the count.
vs_error vs_pool_create(vs_context *context, int threads, vs_pool **pool);
void vs_pool_destroy(vs_context *context, vs_pool *pool); // joins the workers; null is legal

#endif
