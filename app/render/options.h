// The options of `voussoir render`.
#ifndef VS_APP_RENDER_OPTIONS_H
#define VS_APP_RENDER_OPTIONS_H

#include <stdbool.h>

typedef struct app_render_options {
    bool frames;
    double time;                  // s; NaN: the last frame
    double from, to, rate, speed; // film: s, s (NaN: the ends), pictures per second, simulated seconds per second
    const char *output, *viewer, *colour, *look;
    const char *size;  // "1200x800"
    int width, height; // px
    int colour_by;     // the choice of `colour`
    bool points, arrows, chains, thrust, pressure, bonds, dark;
    double opacity, azimuth, elevation, force, zoom; // NaN: the viewer's choice; degrees
} app_render_options;

#endif
