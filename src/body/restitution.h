// Restitution of materials, constant or over the speed of approach.
#ifndef VS_BODY_RESTITUTION_H
#define VS_BODY_RESTITUTION_H

#include "base/context.h"
#include "voussoir/world.h"

// Restitution of an impact with this normal speed of approach, m/s.
double vs_restitution_at(const vs_material *material, double speed);
// Values in range, at most so many points; text set.
vs_error vs_restitution_check(vs_context *context, const vs_material *material, int most);
// Sets that of a pair of two materials.
void vs_restitution_combine(const vs_material *a, const vs_material *b, vs_material *pair);

#endif
