// voussoir plot.
#ifndef VS_APP_PLOT_PLOT_H
#define VS_APP_PLOT_PLOT_H

#include "cli/command.h"

extern const app_command app_plot_command;

#endif
