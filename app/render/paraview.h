// Pictures by headless ParaView.
#ifndef VS_APP_RENDER_PARAVIEW_H
#define VS_APP_RENDER_PARAVIEW_H

#include "render/options.h"

// One picture by pvbatch; `script` is tools/render.py.
int app_render_paraview(const app_render_options *options, const char *path, const char *script, const char *output);

#endif
