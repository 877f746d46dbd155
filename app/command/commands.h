// Commands of one file each.
#ifndef VS_APP_COMMAND_COMMANDS_H
#define VS_APP_COMMAND_COMMANDS_H

#include "cli/command.h"

extern const app_command app_new_command;
extern const app_command app_scenes_command;
extern const app_command app_export_command;
extern const app_command app_info_command;
extern const app_command app_convert_command;
extern const app_command app_doctor_command;

#endif
