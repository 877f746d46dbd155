// A run in one process: the voussoir command. run_several.c is what voussoir-mpi has in its place.
#include "run.h"

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

unsigned app_together(unsigned flags) {
    return flags;
}
