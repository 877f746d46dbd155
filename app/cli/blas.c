// Corrects the processor kernel that OpenBLAS chose.
//
// OpenBLAS identifies the processor when it is loaded; one that is newer than the library gets the kernel of a
// Pentium 4 ("Prescott"), several times slower than necessary. The environment variable
// OPENBLAS_CORETYPE overrides the choice, but only before loading: therefore the command restarts itself.
#include "cli/blas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "voussoir/voussoir.h"

// Holds the kernel that was found; marks the restarted process.
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
    return getenv(marker);
}

void app_blas_repair(char **argv) {
    const char *found = fallback(), *wanted = app_blas_remedy();
    if (!wanted || getenv(marker) || getenv("OPENBLAS_CORETYPE"))
        return;
    if (setenv(marker, found, 1) != 0 || setenv("OPENBLAS_CORETYPE", wanted, 1) != 0)
        return;
    (void)execv("/proc/self/exe", argv);
    // The restart failed: continue slowly, with the environment restored.
    (void)unsetenv("OPENBLAS_CORETYPE");
    (void)unsetenv(marker);
}
