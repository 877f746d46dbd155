// voussoir sweep.
#ifndef VS_APP_SWEEP_SWEEP_H
#define VS_APP_SWEEP_SWEEP_H

#include "cli/command.h"

extern const app_command app_sweep_command;

int app_sweep_main(void *options, const app_line *line); // the command, with complete options

#endif
