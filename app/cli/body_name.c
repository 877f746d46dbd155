// Names of bodies: see body_name.h.
#include "cli/body_name.h"

#include <stdio.h>

void app_body_name(const vs_world *world, vs_body_id id, char name[APP_BODY_NAME]) {
    const char *given = id.index > 0 ? vs_world_get_body_name(world, id) : "world";
    if (given[0])
        (void)snprintf(name, APP_BODY_NAME, "%s", given);
    else
        (void)snprintf(name, APP_BODY_NAME, "#%u", (unsigned)id.index - 1);
}
