// Joints and mortar of an assembly: what carries forces beside dry contacts.
#ifndef VS_STATICS_STRENGTH_H
#define VS_STATICS_STRENGTH_H

#include "statics/statics_data.h"

// After blocks are known; and after interfaces.
vs_error vs_statics_take_joints(vs_statics *s, const vs_world *world);
vs_error vs_statics_take_mortar(vs_statics *s, const vs_world *world);

#endif
