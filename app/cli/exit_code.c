// Exit codes of the process.
#include "cli/exit_code.h"

#include <stddef.h>

int app_exit_code(vs_error error) {
    if (error == VS_OK)
        return APP_DONE;
    return error == VS_ERROR_ARGUMENT ? APP_USAGE : APP_DATA;
}

int app_worse(int a, int b) {
    static const int order[] = {APP_INTERRUPTED, APP_DATA, APP_USAGE, APP_TOLERANCE};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        if (a == order[k] || b == order[k])
            return order[k];
    return APP_DONE;
}
