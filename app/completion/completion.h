// voussoir completion.
#ifndef VS_APP_COMPLETION_COMPLETION_H
#define VS_APP_COMPLETION_COMPLETION_H

#include "cli/command.h"

extern const app_command app_completion_command;

#endif
