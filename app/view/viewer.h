// The built viewer (viewer/), which `view` shows and `render` draws with.
#ifndef VS_APP_VIEW_VIEWER_H
#define VS_APP_VIEW_VIEWER_H

#include <limits.h>
#include <stdbool.h>

#include "view/serve.h"

// The folder of the built viewer; `requested` may be null. Complains and returns false if there is none.
bool app_viewer_find(const char *requested, char folder[PATH_MAX]);

// Opens a server for the viewer and one trajectory: `app_server_address`, followed by ?file=trajectory.h5. The server
// uses the table that is returned, to be freed after it was closed. null: complained.
typedef struct app_served app_served;
app_served *app_viewer_serve(const char *folder, const char *trajectory, int port, app_server *server);

#endif
