// OpenBLAS chooses its processor kernel and starts its threads when it is loaded: a slow kernel on processors that it
// does not recognize, and threads that never end in a limited address space.
#ifndef VS_APP_CLI_BLAS_H
#define VS_APP_CLI_BLAS_H

#include <stdbool.h>

// Restarts the command with OPENBLAS_CORETYPE or OPENBLAS_NUM_THREADS set if that helps; returns if not, or if it was
// restarted already. A command that does not compute does with any kernel.
void app_blas_prepare(char **argv, bool computes);
// The kernel that OpenBLAS had chosen before the restart, null if there was none.
const char *app_blas_repaired_from(void);
// The value of OPENBLAS_CORETYPE that suits this processor, null if the kernel in use is no fallback.
const char *app_blas_remedy(void);
bool app_cpu_has_avx2(void);
bool app_cpu_has_avx512(void);

#endif
