// Damage of the dry joints of a run (voussoir/damage.h): collected after each step, written as a table, summed up in the report.
#ifndef VS_APP_RUN_DAMAGE_H
#define VS_APP_RUN_DAMAGE_H

#include <stdbool.h>

#include "voussoir/voussoir.h"

void app_damage_add(vs_damage *damage, const vs_simulation *simulation); // after a step
// A row per joint. Complains and returns false if the file cannot be written.
bool app_damage_write(const vs_damage *damage, const vs_world *world, const char *path);
// Lines of the report.
void app_damage_report(const vs_damage *damage, const vs_world *world, const char *path);

#endif
