// voussoir statics and voussoir limit.
#ifndef VS_APP_STATICS_STATICS_H
#define VS_APP_STATICS_STATICS_H

#include "cli/command.h"

extern const app_command app_statics_command;
extern const app_command app_limit_command;

#endif
