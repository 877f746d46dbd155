// One rank of voussoir-mpi: rank 0 reports and writes.
#include <stdbool.h>
#include <stdio.h>

#include "cli/exit_code.h"
#include "cli/system/rank.h"
#include "voussoir/mpi/distributed.h"
#include "voussoir/mpi/simulation.h"

bool app_is_distributed(void) {
    return true;
}

bool app_is_root(void) {
    return vs_mpi_rank() == 0;
}

const char *app_invocation(void) {
    return "mpirun -np N voussoir-mpi";
}

unsigned app_any_rank(unsigned flags) {
    return vs_mpi_any(flags);
}

void app_abort_ranks(vs_error error) {
    if (error != VS_ERROR_MEMORY)
        return; // all ranks have met it
    (void)fprintf(stderr, "voussoir: rank %d of %d is out of memory; use more ranks or a smaller problem\n",
                  vs_mpi_rank(), vs_mpi_size());
    vs_mpi_abort(APP_DATA);
}
