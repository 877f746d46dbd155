// voussoir explain.
#ifndef VS_APP_EXPLAIN_EXPLAIN_H
#define VS_APP_EXPLAIN_EXPLAIN_H

#include "cli/command.h"

extern const app_command app_explain_command;

#endif
