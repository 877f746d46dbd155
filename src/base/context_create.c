// Contexts made and destroyed, with the threads of their loops.
#include "base/context.h"
#include "base/context_data.h"
#include "base/parallel.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MAX_THREADS = 1024 };

static void *allocate_default(void *user, size_t bytes) {
    (void)user;
    return malloc(bytes);
}

static void release_default(void *user, void *memory) {
    (void)user;
    free(memory);
}

vs_context_def vs_context_def_default(void) {
    vs_context_def def = {.threads = 1};
    def.allocate = allocate_default;
    def.release = release_default;
    return def;
}

static bool is_valid(const vs_context_def *def) {
    return def->allocate && def->release && def->threads >= 1 && def->threads <= MAX_THREADS;
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

void vs_context_destroy(vs_context *context) {
    if (!context)
        return;
    vs_pool_destroy(context, context->pool);
    context->def.release(context->def.allocator_user, context);
}
