// voussoir render.
#ifndef VS_APP_RENDER_RENDER_H
#define VS_APP_RENDER_RENDER_H

#include <stdio.h>

int app_render(int argc, char **argv);
void app_render_help(FILE *to);

#endif
