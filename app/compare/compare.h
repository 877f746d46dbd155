// voussoir compare.
#ifndef VS_APP_COMPARE_COMPARE_H
#define VS_APP_COMPARE_COMPARE_H

#include "cli/command.h"

extern const app_command app_compare_command;

#endif
