// Exit codes of the process.
#ifndef VS_APP_CLI_EXIT_CODE_H
#define VS_APP_CLI_EXIT_CODE_H

#include "voussoir/context.h"

enum { APP_DONE = 0, APP_USAGE = 1, APP_DATA = 2, APP_TOLERANCE = 3, APP_INTERRUPTED = 130 };

// The exit code for a failed library call.
int app_exit_code(vs_error error);
// The worse of two exit codes: 130, then 2, 1, 3, 0.
int app_worse(int a, int b);

#endif
