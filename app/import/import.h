// voussoir import: drawings of other programs as scenes.
#ifndef VS_APP_IMPORT_IMPORT_H
#define VS_APP_IMPORT_IMPORT_H

#include "cli/command.h"

extern const app_command app_import_command;

#endif
