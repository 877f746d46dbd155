// Materials: see material.h.
#include "material/material.h"

#include <math.h>

#include "material/field.h"
#include "material/speed_table.h"

vs_material vs_material_default(void) {
    vs_material material = {0};
    const vs_material_row *row;
    for (int k = 0; (row = vs_material_row_at(k)); k++)
        vs_material_set(&material, &row->field, row->field.normal);
    return material;
}

vs_material vs_material_at_rest(const vs_material *material) {
    vs_material m = *material;
    if (m.mu_table.count > 0)
        m.mu = m.mu_table.value[0];
    return m;
}

double vs_restitution_at(const vs_material *material, double speed) {
    return vs_speed_table_at(&material->restitution_table, material->restitution, speed);
}

// ---- checks ----------------------------------------------------------------------------------------

static vs_error out_of_range(vs_context *context, const vs_material_field *field, const char *what, double value) {
    if (isfinite(field->most))
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: %s must be in [0, %g] (%s %g)", field->name, field->most,
                       what, value);
    return vs_fail(context, VS_ERROR_ARGUMENT, "material: %s must not be negative (%s %g)", field->name, what, value);
}

static bool in_range(const vs_material_field *field, double value) {
    return value >= 0 && value <= field->most && isfinite(value);
}

static vs_error check_field(vs_context *context, const vs_material *m, const vs_material_field *field, int points) {
    const double value = vs_material_get(m, field);
    if (!in_range(field, value) && field->choices)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: %s: unknown value %d", field->name, (int)value);
    if (!in_range(field, value))
        return out_of_range(context, field, "is", value);
    const vs_speed_table *table = vs_material_const_table(m, field);
    vs_error error = table ? vs_speed_table_check(context, table, field->name, points) : VS_OK;
    for (int k = 0; table && k < table->count && !error; k++)
        if (!in_range(field, table->value[k]))
            error = out_of_range(context, field, "a value of its table is", table->value[k]);
    return error;
}

// Fields that exclude or need each other.
static vs_error check_together(vs_context *context, const vs_material *m) {
    if (m->static_mu > 0 && m->static_mu < m->mu)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: static_mu (%g) must not be below mu (%g)", m->static_mu,
                       m->mu);
    if (m->mu_table.count > 0 && m->static_mu > 0)
        return vs_fail(
            context, VS_ERROR_ARGUMENT,
            "material: give mu over the speed, or static_mu, not both; the table begins with friction at rest");
    if (m->stribeck > 0 && (m->weakening > 0 || m->healing > 0))
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "material: give stribeck (friction over speed) or weakening and healing (over slip), not both");
    if (m->across > 0 && !(m->mu > 0))
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "material: across needs friction along the grain, too; mu is 0: a small mu stands for none");
    if (m->damping > 0 && !vs_material_is_soft(m))
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: damping is for soft contacts; give stiffness or hertz");
    if (vs_material_is_soft(m) && m->compliance > 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: give compliance, or stiffness and hertz, not both");
    return VS_OK;
}

vs_error vs_material_check(vs_context *context, const vs_material *material, int points) {
    vs_error error = VS_OK;
    const vs_material_row *row;
    for (int k = 0; !error && (row = vs_material_row_at(k)); k++)
        error = check_field(context, material, &row->field, points);
    return error ? error : check_together(context, material);
}

// ---- pairs -----------------------------------------------------------------------------------------

// The table of a pair has the points of both.
static void combine_tables(const vs_material_row *row, const vs_material *a, const vs_material *b, vs_material *pair) {
    const vs_material_field *field = &row->field;
    const vs_speed_table *p = vs_material_const_table(a, field), *q = vs_material_const_table(b, field);
    vs_speed_table *out = vs_material_table(pair, field);
    const double x = vs_material_get(a, field), y = vs_material_get(b, field);
    vs_speed_table_join(p, q, out);
    for (int k = 0; k < out->count; k++)
        out->value[k] = row->rule->combine((vs_met_value){vs_speed_table_at(p, x, out->speed[k]), a->mu},
                                           (vs_met_value){vs_speed_table_at(q, y, out->speed[k]), b->mu});
}

void vs_material_combine(const vs_material *a, const vs_material *b, vs_material *pair) {
    *pair = (vs_material){0};
    const vs_material_row *row;
    for (int k = 0; (row = vs_material_row_at(k)); k++) {
        const vs_met_value x = {vs_material_get(a, &row->field), a->mu}, y = {vs_material_get(b, &row->field), b->mu};
        vs_material_set(pair, &row->field, row->rule->combine(x, y));
        if (row->field.over)
            combine_tables(row, a, b, pair);
    }
    if (pair->mu_table.count > 0)
        pair->static_mu = 0; // the table begins with friction at rest
    if (vs_material_is_soft(pair))
        pair->compliance = 0;
}
