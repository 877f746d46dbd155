// Identifies the BLAS. OpenBLAS is looked up at run time, so that any other BLAS links as well.
#include "linalg/blas.h"

#include <stdio.h>
#include <string.h>

#include "base/system.h"

// ISO C has no conversion from the object pointer returned by dlsym() to a function pointer; POSIX guarantees the bits.
#define LOOK_UP(function, name)                                                                                        \
    do {                                                                                                               \
        void *symbol = vs_system_find_symbol(name);                                                                    \
        memcpy(&(function), &symbol, sizeof symbol);                                                                   \
    } while (0)

const char *vs_blas_name(void) {
#if VS_BLAS
    static _Thread_local char name[96];
    char *(*config)(void), *(*core)(void);
    LOOK_UP(config, "openblas_get_config");
    LOOK_UP(core, "openblas_get_corename");
    if (!config)
        return "unknown";

    // "OpenBLAS 0.3.21 NO_AFFINITY …": the first two words
    const char *text = config();
    size_t length = strcspn(text, " ");
    if (text[length] == ' ')
        length += 1 + strcspn(text + length + 1, " ");
    snprintf(name, sizeof name, "%.*s, core %s", (int)length, text, core ? core() : "unknown");
    return name;
#else
    return "none";
#endif
}

void vs_blas_single_thread(void) {
#if VS_BLAS
    void (*set_threads)(int);
    LOOK_UP(set_threads, "openblas_set_num_threads");
    if (set_threads)
        set_threads(1);
#endif
}
