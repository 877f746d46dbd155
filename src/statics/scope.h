// What statics can tell something about; the rest is refused with a text that names it.
#ifndef VS_STATICS_SCOPE_H
#define VS_STATICS_SCOPE_H

#include "statics/interfaces.h"

enum { VS_STATICS_NAME = 80 };

// The name of a body, or its number as commands write it; without quotes.
void vs_statics_name_body(const vs_world *world, int body, char name[VS_STATICS_NAME]);
vs_error vs_statics_check_world(const vs_world *world, const vs_interface_options *options);
// Force and torque of all loads of a body at a time.
vs_error vs_statics_check_load(const vs_world *world, int body, double time, vs_vec3 force, vs_vec3 torque);
// time: of the options, NaN if it does not matter
vs_error vs_statics_check_interfaces(const vs_world *world, const vs_interfaces *found, double time);

#endif
