// Bodies as they are called in reports and tables.
#ifndef VS_APP_CLI_BODY_NAME_H
#define VS_APP_CLI_BODY_NAME_H

#include "voussoir/world.h"

enum { APP_BODY_NAME = 64 };

// A body's name; without one its number, "#3", as in --quantity; "world".
void app_body_name(const vs_world *world, vs_body_id id, char name[APP_BODY_NAME]);

#endif
