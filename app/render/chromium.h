// Pictures by the viewer in headless Chromium.
#ifndef VS_APP_RENDER_CHROMIUM_H
#define VS_APP_RENDER_CHROMIUM_H

#include "render/options.h"

// One picture (PNG), or with `frames` all pictures of a film into an existing folder. Returns the exit code;
// *pictures: their number
int app_render_chromium(const app_render_options *options, const char *path, const char *browser, const char *viewer,
                        const char *output, int *pictures);

#endif
