// Properties of materials, constant or over a speed: restitution over the normal speed of approach, friction over that of sliding.
#ifndef VS_BODY_SPEED_TABLE_H
#define VS_BODY_SPEED_TABLE_H

#include "base/context.h"
#include "voussoir/world.h"

// At this speed, m/s.
double vs_restitution_at(const vs_material *material, double speed);
double vs_friction_at(const vs_material *material, double speed);

// Restitution and both tables: values in range, at most so many points; text set.
vs_error vs_speed_tables_check(vs_context *context, const vs_material *material, int most);
// Sets restitution and both tables of a pair of two materials.
void vs_speed_tables_combine(const vs_material *a, const vs_material *b, vs_material *pair);

#endif
