// A material as a whole: its check, and what holds between two. Field by field by the table of field.h; material.c adds what joins
// several fields.
#ifndef VS_MATERIAL_MATERIAL_H
#define VS_MATERIAL_MATERIAL_H

#include "base/context.h"
#include "voussoir/world.h"

// The material with mu at rest, if its friction is over the speed.
vs_material vs_material_at_rest(const vs_material *material);
// Values in range, that may stand together, tables with at most `points`; text set.
vs_error vs_material_check(vs_context *context, const vs_material *material, int points);
// What holds between two materials that were checked. Between their points tables are linear again.
void vs_material_combine(const vs_material *a, const vs_material *b, vs_material *pair);

// Restitution at a speed of approach, m/s.
double vs_restitution_at(const vs_material *material, double speed);

static inline bool vs_material_is_soft(const vs_material *m) {
    return m->stiffness > 0 || m->hertz > 0;
}

#endif
