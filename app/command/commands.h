// Commands of one file each.
#ifndef VS_APP_COMMAND_COMMANDS_H
#define VS_APP_COMMAND_COMMANDS_H

#include <stdio.h>

int app_new(int argc, char **argv);
int app_scenes(int argc, char **argv);
int app_export(int argc, char **argv);
int app_info(int argc, char **argv);
int app_convert(int argc, char **argv);
int app_doctor(int argc, char **argv);
void app_new_help(FILE *to);
void app_scenes_help(FILE *to);
void app_export_help(FILE *to);
void app_info_help(FILE *to);
void app_convert_help(FILE *to);
void app_doctor_help(FILE *to);

#endif
