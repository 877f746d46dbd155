// OpenBLAS chooses its processor kernel when it is loaded, and a slow one on processors it does not recognize.
#ifndef VS_APP_CLI_BLAS_H
#define VS_APP_CLI_BLAS_H

#include <stdbool.h>

// Restarts the command with OPENBLAS_CORETYPE set if that helps; returns if not, or if it was restarted already.
void app_blas_repair(char **argv);
// The kernel that OpenBLAS had chosen before the restart, null if there was none.
const char *app_blas_repaired_from(void);
// The value of OPENBLAS_CORETYPE that suits this processor, null if the kernel in use is no fallback.
const char *app_blas_remedy(void);
bool app_cpu_has_avx2(void);
bool app_cpu_has_avx512(void);

#endif
