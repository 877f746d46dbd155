// Restitution that depends on the normal speed of approach: a table, linear between its points and constant beyond.
//
// Of two materials the larger restitution holds, at the points of both tables; between them it is linear again.
#include "body/restitution.h"

#include <math.h>

double vs_restitution_at(const vs_material *material, double speed) {
    const vs_restitution_table *table = &material->table;
    if (table->count == 0)
        return material->restitution;
    int k = 0;
    while (k < table->count && table->speed[k] <= speed)
        k++;
    if (k == 0 || k == table->count)
        return table->value[k == 0 ? 0 : k - 1];
    double part = (speed - table->speed[k - 1]) / (table->speed[k] - table->speed[k - 1]);
    return table->value[k - 1] + part * (table->value[k] - table->value[k - 1]);
}

vs_error vs_restitution_check(vs_context *context, const vs_material *material, int most) {
    const vs_restitution_table *table = &material->table;
    if (!(material->restitution >= 0 && material->restitution <= 1))
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: restitution must be in [0, 1] (is %g)",
                       material->restitution);
    if (table->count < 0 || table->count > most)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: restitution has %d points; at most %d are possible",
                       table->count, most);
    for (int k = 0; k < table->count; k++) {
        if (!(table->speed[k] >= 0) || !isfinite(table->speed[k]) ||
            (k > 0 && !(table->speed[k] > table->speed[k - 1])))
            return vs_fail(context, VS_ERROR_ARGUMENT,
                           "material: speeds of restitution must not be negative, and must increase (speed %d is %g)",
                           k + 1, table->speed[k]);
        if (!(table->value[k] >= 0 && table->value[k] <= 1))
            return vs_fail(context, VS_ERROR_ARGUMENT, "material: restitution must be in [0, 1] (value %d is %g)",
                           k + 1, table->value[k]);
    }
    return VS_OK;
}

void vs_restitution_combine(const vs_material *a, const vs_material *b, vs_material *pair) {
    const vs_restitution_table *p = &a->table, *q = &b->table;
    vs_restitution_table *out = &pair->table;
    pair->restitution = fmax(a->restitution, b->restitution);
    out->count = 0;
    for (int i = 0, j = 0; i < p->count || j < q->count;) {
        double next = fmin(i < p->count ? p->speed[i] : INFINITY, j < q->count ? q->speed[j] : INFINITY);
        i += i < p->count && p->speed[i] == next;
        j += j < q->count && q->speed[j] == next;
        out->speed[out->count] = next;
        out->value[out->count++] = fmax(vs_restitution_at(a, next), vs_restitution_at(b, next));
    }
}
