// voussoir view.
#ifndef VS_APP_VIEW_VIEW_H
#define VS_APP_VIEW_VIEW_H

#include "cli/command.h"

extern const app_command app_view_command;

#endif
