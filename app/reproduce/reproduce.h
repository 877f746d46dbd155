// voussoir reproduce.
#ifndef VS_APP_REPRODUCE_REPRODUCE_H
#define VS_APP_REPRODUCE_REPRODUCE_H

#include "cli/command.h"

extern const app_command app_reproduce_command;

#endif
