// How a run ended: the condition that stopped it, whether the bodies stand, how far they went.
#ifndef VS_APP_RUN_OUTCOME_H
#define VS_APP_RUN_OUTCOME_H

#include <stdbool.h>

#include "cli/body_name.h"
#include "voussoir/voussoir.h"

typedef struct app_run_outcome {
    bool known;                      // not in distributed runs
    vs_outcome outcome;              //
    char stop[192];                  // the condition that is met: "displacement of 'lintel' above 0.02 m"; "": none
    char farthest[APP_BODY_NAME];    // names of bodies, "" if there is none
    char most_turned[APP_BODY_NAME]; //
    char first_displaced[APP_BODY_NAME];
    char residual_of[APP_BODY_NAME];
    char farthest_on[APP_BODY_NAME]; // moving supports that carry these two, "": the ground
    char residual_on[APP_BODY_NAME]; //
    vs_margin margin;                // NaN unless at rest
    char sliding[2 * APP_BODY_NAME]; // "stone3/stone4", "" if there is none
    char tipping[2 * APP_BODY_NAME]; //
} app_run_outcome;

void app_run_outcome_read(const vs_simulation *simulation, const vs_scene *scene, app_run_outcome *o);
void app_run_outcome_report(const app_run_outcome *o);

#endif
