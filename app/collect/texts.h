// Scenes of a collection that are not among the named ones, as JSON, with the parameters in the order of their recipe.
#ifndef VS_APP_COLLECT_TEXTS_H
#define VS_APP_COLLECT_TEXTS_H

#include <stdio.h>

#include "voussoir/scene.h"

void app_write_gears(FILE *to, const vs_scene_parameter *parameter);
void app_write_thread(FILE *to, const vs_scene_parameter *parameter);
void app_write_masses(FILE *to, const vs_scene_parameter *parameter);
void app_write_platform(FILE *to, const vs_scene_parameter *parameter);
void app_write_door(FILE *to, const vs_scene_parameter *parameter);

#endif
