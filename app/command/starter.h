// Starter scenes (starter/KIND.json) as texts: CMake writes the file that holds them.
#ifndef VS_APP_COMMAND_STARTER_H
#define VS_APP_COMMAND_STARTER_H

extern const char app_starter_gate[], app_starter_arch[], app_starter_wall[], app_starter_mechanism[],
    app_starter_robot[], app_starter_pile[];

#endif
