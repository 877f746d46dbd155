// The inside of a context.
#ifndef VS_BASE_CONTEXT_DATA_H
#define VS_BASE_CONTEXT_DATA_H

#include "voussoir/context.h"

enum { VS_ERROR_TEXT = 512 };

struct vs_context {
    vs_context_def def;
    struct vs_pool *pool; // null: one thread
    char error_text[VS_ERROR_TEXT];
};

#endif
