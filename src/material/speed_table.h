// Tables of a property over a speed, linear between their points and constant beyond.
#ifndef VS_MATERIAL_SPEED_TABLE_H
#define VS_MATERIAL_SPEED_TABLE_H

#include "base/context.h"
#include "voussoir/world.h"

// At this speed, m/s; an empty table is constant.
double vs_speed_table_at(const vs_speed_table *table, double constant, double speed);
// At most so many points, with speeds that increase; text set.
vs_error vs_speed_table_check(vs_context *context, const vs_speed_table *table, const char *name, int most);
// The points of two tables, without values.
void vs_speed_table_join(const vs_speed_table *a, const vs_speed_table *b, vs_speed_table *out);

#endif
