// STEP and IGES files, through gmsh.
#ifndef VS_APP_IMPORT_GMSH_H
#define VS_APP_IMPORT_GMSH_H

#include "voussoir/cad.h"

// Reads a STEP or IGES file like vs_cad_read(); its unit is known, and gmsh may work on it for a number of seconds. Returns an
// exit code; complains about failures.
int app_gmsh_read(vs_context *context, const char *path, double seconds, const vs_cad_options *options, vs_cad **cad);

#endif
