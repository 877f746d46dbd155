// voussoir collect.
#ifndef VS_APP_COLLECT_COLLECT_H
#define VS_APP_COLLECT_COLLECT_H

#include "cli/command.h"

extern const app_command app_collect_command;

#endif
