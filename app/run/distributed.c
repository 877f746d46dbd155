// A distributed run: all ranks step, rank 0 reports and writes.
#include <stdbool.h>

#include "run/simulation.h"
#include "voussoir/voussoir.h"

vs_error app_simulation_divide(vs_simulation *simulation) {
    return vs_simulation_divide(simulation);
}

vs_error app_simulation_gather(vs_simulation *simulation) {
    return vs_simulation_gather(simulation);
}

bool app_simulation_division(vs_simulation *simulation, vs_division_info *info) {
    return vs_simulation_get_division(simulation, info) == VS_OK;
}
