// voussoir find.
#ifndef VS_APP_FIND_FIND_H
#define VS_APP_FIND_FIND_H

#include "cli/command.h"

extern const app_command app_find_command;

#endif
