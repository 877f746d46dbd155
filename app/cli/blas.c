// Corrects what OpenBLAS chose when it was loaded: the processor kernel and the threads.
//
// A processor that is newer than the library gets the kernel of a Pentium 4 ("Prescott"), several times slower than
// necessary. And one thread is started for each further core, though we use only one; if the address space is limited
// (ulimit -v) and there is no room for their buffers, they wait for it in a loop, for ever, and the end of the process
// waits for them.
//
// The environment variables OPENBLAS_CORETYPE and OPENBLAS_NUM_THREADS override both, but only before loading:
// therefore the command restarts itself, which takes 30 ms. Without a limit idle threads harm nobody, and it does not.
// No other way is left: constructors of a program run after those of its libraries (and what .preinit_array does to the
// environment is undone by the C library's), the serial variant of OpenBLAS has the same name as the others and is
// chosen by the system, and _exit() would skip what other libraries do at the end. Programs that use libvoussoir decide
// themselves: it changes no setting before the first solve.
#include "cli/blas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/system.h"
#include "voussoir/voussoir.h"

// Marks the restarted process; holds the kernel that was found if that was the reason.
static const char marker[] = "VOUSSOIR_REEXEC";

bool app_cpu_has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

// All subsets that the kernel SkylakeX uses.
bool app_cpu_has_avx512(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

// The kernels that OpenBLAS falls back to. The name of the one in use, null if it is not one of these.
static const char *fallback(void) {
    static const char *const names[] = {"Prescott", "Core2", "Generic"};
    const char *blas = vs_solver_blas();
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strncmp(blas, "OpenBLAS", 8) == 0 && strstr(blas, names[k]))
            return names[k];
    return NULL;
}

const char *app_blas_remedy(void) {
    if (!fallback() || !app_cpu_has_avx2())
        return NULL;
    return app_cpu_has_avx512() ? "SkylakeX" : "Haswell";
}

const char *app_blas_repaired_from(void) {
    const char *found = getenv(marker);
    return found && *found ? found : NULL;
}

static bool has_threads(void) {
    int (*count)(void);
    void *symbol = app_system_find_symbol("openblas_get_num_threads");
    memcpy(&count, &symbol, sizeof symbol); // ISO C has no conversion; POSIX guarantees the bits
    return count && count() > 1;
}

void app_blas_prepare(char **argv, bool computes) {
    const char *kernel = computes && !getenv("OPENBLAS_CORETYPE") ? app_blas_remedy() : NULL;
    const bool alone = has_threads() && app_system_memory_is_limited();
    if ((!kernel && !alone) || getenv(marker))
        return;
    const app_variable variable[] = {{marker, kernel ? fallback() : ""},
                                     {"OPENBLAS_CORETYPE", kernel},
                                     {"OPENBLAS_NUM_THREADS", alone ? "1" : NULL}};
    // If the restart fails: continue slowly.
    app_system_restart(argv, variable, (int)(sizeof variable / sizeof *variable));
}
