// Tables over a speed: see speed_table.h.
#include "material/speed_table.h"

#include <math.h>

double vs_speed_table_at(const vs_speed_table *table, double constant, double speed) {
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

vs_error vs_speed_table_check(vs_context *context, const vs_speed_table *table, const char *name, int most) {
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

void vs_speed_table_join(const vs_speed_table *a, const vs_speed_table *b, vs_speed_table *out) {
    out->count = 0;
    for (int i = 0, j = 0; i < a->count || j < b->count;) {
        double next = fmin(i < a->count ? a->speed[i] : INFINITY, j < b->count ? b->speed[j] : INFINITY);
        i += i < a->count && a->speed[i] == next;
        j += j < b->count && b->speed[j] == next;
        out->speed[out->count++] = next;
    }
}
