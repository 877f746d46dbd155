// Reports of statics for people.
#ifndef VS_APP_STATICS_REPORT_H
#define VS_APP_STATICS_REPORT_H

#include "statics/assembly.h"

void app_statics_report_geometry(const app_assembly *a);
// A table of the interfaces; force (contacts): null without forces.
void app_statics_report_interfaces(const app_assembly *a, const vs_vec3 *force);
void app_statics_report_forces(const app_assembly *a, const vs_force_certificate *forces);
void app_statics_report_mechanism(const app_assembly *a, const vs_mechanism *m);

#endif
