// Tables over a speed: linear between their points and constant beyond.
//
// Of two materials the larger restitution holds, and the geometric mean of their friction, at the points of both tables; between
// them it is linear again.
#include "body/speed_table.h"

#include <math.h>

static double value_at(const vs_speed_table *table, double constant, double speed) {
    if (table->count == 0)
        return constant;
    int k = 0;
    while (k < table->count && table->speed[k] <= speed)
        k++;
    if (k == 0 || k == table->count)
        return table->value[k == 0 ? 0 : k - 1];
    double part = (speed - table->speed[k - 1]) / (table->speed[k] - table->speed[k - 1]);
    return table->value[k - 1] + part * (table->value[k] - table->value[k - 1]);
}

double vs_restitution_at(const vs_material *material, double speed) {
    return value_at(&material->restitution_table, material->restitution, speed);
}

double vs_friction_at(const vs_material *material, double speed) {
    return value_at(&material->mu_table, material->mu, speed);
}

// ---- checks ----------------------------------------------------------------------------------------

static vs_error check_table(vs_context *context, const vs_speed_table *table, const char *name, int most) {
    if (table->count < 0 || table->count > most)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: %s has %d points; at most %d are possible", name,
                       table->count, most);
    for (int k = 0; k < table->count; k++)
        if (!(table->speed[k] >= 0) || !isfinite(table->speed[k]) ||
            (k > 0 && !(table->speed[k] > table->speed[k - 1])))
            return vs_fail(context, VS_ERROR_ARGUMENT,
                           "material: speeds of %s must not be negative, and must increase (speed %d is %g)", name,
                           k + 1, table->speed[k]);
    return VS_OK;
}

vs_error vs_speed_tables_check(vs_context *context, const vs_material *material, int most) {
    const vs_speed_table *restitution = &material->restitution_table, *mu = &material->mu_table;
    if (!(material->restitution >= 0 && material->restitution <= 1))
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: restitution must be in [0, 1] (is %g)",
                       material->restitution);
    vs_error error = check_table(context, restitution, "restitution", most);
    if (!error)
        error = check_table(context, mu, "mu", most);
    if (error)
        return error;
    for (int k = 0; k < restitution->count; k++)
        if (!(restitution->value[k] >= 0 && restitution->value[k] <= 1))
            return vs_fail(context, VS_ERROR_ARGUMENT, "material: restitution must be in [0, 1] (value %d is %g)",
                           k + 1, restitution->value[k]);
    for (int k = 0; k < mu->count; k++)
        if (!(mu->value[k] >= 0) || !isfinite(mu->value[k]))
            return vs_fail(context, VS_ERROR_ARGUMENT, "material: mu must not be negative (value %d is %g)", k + 1,
                           mu->value[k]);
    if (mu->count > 0 && material->static_mu > 0)
        return vs_fail(
            context, VS_ERROR_ARGUMENT,
            "material: give mu over the speed, or static_mu, not both; the table begins with friction at rest");
    return VS_OK;
}

// ---- pairs -----------------------------------------------------------------------------------------

// The points of two tables, without values.
static void join(const vs_speed_table *p, const vs_speed_table *q, vs_speed_table *out) {
    out->count = 0;
    for (int i = 0, j = 0; i < p->count || j < q->count;) {
        double next = fmin(i < p->count ? p->speed[i] : INFINITY, j < q->count ? q->speed[j] : INFINITY);
        i += i < p->count && p->speed[i] == next;
        j += j < q->count && q->speed[j] == next;
        out->speed[out->count++] = next;
    }
}

void vs_speed_tables_combine(const vs_material *a, const vs_material *b, vs_material *pair) {
    vs_speed_table *restitution = &pair->restitution_table, *mu = &pair->mu_table;
    pair->restitution = fmax(a->restitution, b->restitution);
    join(&a->restitution_table, &b->restitution_table, restitution);
    for (int k = 0; k < restitution->count; k++)
        restitution->value[k] =
            fmax(vs_restitution_at(a, restitution->speed[k]), vs_restitution_at(b, restitution->speed[k]));
    join(&a->mu_table, &b->mu_table, mu);
    for (int k = 0; k < mu->count; k++)
        mu->value[k] = sqrt(vs_friction_at(a, mu->speed[k]) * vs_friction_at(b, mu->speed[k]));
}
