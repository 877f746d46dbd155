// A serial run: nothing is divided. distributed.c is the counterpart in voussoir-mpi.
#include <stdbool.h>

#include "run/simulation.h"
#include "voussoir/voussoir.h"

vs_error app_simulation_divide(vs_simulation *simulation) {
    (void)simulation;
    return VS_OK;
}

vs_error app_simulation_gather(vs_simulation *simulation) {
    (void)simulation;
    return VS_OK;
}

bool app_simulation_division(vs_simulation *simulation, vs_division_info *info) {
    (void)simulation, (void)info;
    return false;
}
