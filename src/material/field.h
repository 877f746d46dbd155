// The table of the fields of vs_material: names, units, defaults, ranges, rules for pairs. Validation and combination (material.c),
// the reader of scenes, the schema, Python and the table of docs/laws.md follow from it: a new field is a member of
// vs_material and a row of field.c.
#ifndef VS_MATERIAL_FIELD_H
#define VS_MATERIAL_FIELD_H

#include "voussoir/world.h"

// One of two materials that meet: the value of a field, and its friction coefficient.
typedef struct vs_met_value {
    double value, mu;
} vs_met_value;

// What holds between two materials.
typedef struct vs_pair_rule {
    const char *text;
    double (*combine)(vs_met_value a, vs_met_value b);
} vs_pair_rule;

typedef struct vs_material_row {
    vs_material_field field; // `pair` is the rule's text
    const vs_pair_rule *rule;
} vs_material_row;

// Row of the table; null beyond the last one.
const vs_material_row *vs_material_row_at(int index);

// The value of a field, for a choice its number.
double vs_material_get(const vs_material *material, const vs_material_field *field);
void vs_material_set(vs_material *material, const vs_material_field *field, double value);
// Number of choices of a field, 0: it is a number.
int vs_material_choices(const vs_material_field *field);
// The table over a speed of a field; null: it has none.
vs_speed_table *vs_material_table(vs_material *material, const vs_material_field *field);
const vs_speed_table *vs_material_const_table(const vs_material *material, const vs_material_field *field);

#endif
