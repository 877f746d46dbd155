// starter.json as text: CMake writes the file that holds it.
#ifndef VS_APP_COMMAND_STARTER_H
#define VS_APP_COMMAND_STARTER_H

extern const char app_starter[];

#endif
