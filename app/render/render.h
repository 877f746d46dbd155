// voussoir render.
#ifndef VS_APP_RENDER_RENDER_H
#define VS_APP_RENDER_RENDER_H

#include "cli/command.h"

extern const app_command app_render_command;

#endif
