// The serial command: one process. distributed.c is its counterpart in voussoir-mpi.
#include <stdbool.h>

#include "cli/system/rank.h"
#include "voussoir/voussoir.h"

bool app_is_distributed(void) {
    return false;
}

bool app_is_root(void) {
    return true;
}

const char *app_invocation(void) {
    return "voussoir";
}

unsigned app_any_rank(unsigned flags) {
    return flags;
}

void app_abort_ranks(vs_error error) {
    (void)error;
}
