// What the files of `voussoir render` share.
#ifndef VS_APP_RENDER_RENDER_H
#define VS_APP_RENDER_RENDER_H

#include <stdbool.h>
#include <stdio.h>

int app_render(int argc, char **argv);
void app_render_help(FILE *to);

typedef struct app_render_options {
    bool help, frames;
    double time;                  // s; NaN: the last frame
    double from, to, rate, speed; // film: s, s (NaN: the ends), pictures a second, simulated seconds a second
    const char *output, *viewer, *colour, *look;
    int width, height; // px
    bool points, arrows, chains, dark;
    double opacity, azimuth, elevation, force, zoom; // NaN: the viewer's choice; degrees
    int with;                                        // 0: whichever is there, 1: Chromium, 2: ParaView
} app_render_options;

enum { APP_WITH_ANY, APP_WITH_CHROMIUM, APP_WITH_PARAVIEW };

// One picture (PNG), or with `frames` all pictures of a film into an existing folder. The exit code; *pictures: how
// many
int app_render_chromium(const app_render_options *options, const char *path, const char *browser, const char *viewer,
                        const char *output, int *pictures);
// One picture by pvbatch; `script` is tools/render.py.
int app_render_paraview(const app_render_options *options, const char *path, const char *script, const char *output);

#endif
