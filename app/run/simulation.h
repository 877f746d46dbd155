// The simulation of a run: undivided (serial.c), or divided among the ranks of voussoir-mpi (distributed.c).
#ifndef VS_APP_RUN_SIMULATION_H
#define VS_APP_RUN_SIMULATION_H

#include <stdbool.h>

#include "voussoir/mpi/simulation.h"
#include "voussoir/voussoir.h"

// Collective: all ranks call them. In serial runs they do nothing.
vs_error app_simulation_divide(vs_simulation *simulation);
vs_error app_simulation_gather(vs_simulation *simulation); // all states and contacts, where files are written
bool app_simulation_division(vs_simulation *simulation, vs_division_info *info); // false: serial

#endif
