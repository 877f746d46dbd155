// What was imported: bodies, sizes, units, interfaces.
#ifndef VS_APP_IMPORT_REPORT_H
#define VS_APP_IMPORT_REPORT_H

#include <stdbool.h>

#include "statics/assembly.h"
#include "voussoir/cad.h"

void app_import_report(const char *path, const vs_cad_report *r);
// Complains about sizes that look like another unit.
void app_import_check_size(const char *path, const vs_cad_report *r);
// Complains about blocks that touch nothing: how far their neighbours are, and what closes the joints.
void app_import_check_gaps(const char *path, const app_assembly *a, const vs_cad_report *r);
// Prints the verdict of the statics. False: complained, or undecided, see assembly->code.
bool app_import_report_statics(app_assembly *assembly);

#endif
