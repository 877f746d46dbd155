// The dynamic tests of Mazhar et al. 2014.
#ifndef VS_APP_REPRODUCE_MAZHAR_DYNAMICS_H
#define VS_APP_REPRODUCE_MAZHAR_DYNAMICS_H

#include "reproduce/entry.h"

void app_repro_mazhar_ball(app_repro *r);
void app_repro_mazhar_box(app_repro *r);
void app_repro_mazhar_incline_65(app_repro *r);
void app_repro_mazhar_incline_25(app_repro *r);

#endif
