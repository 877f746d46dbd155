// Friction coefficients: see friction.h.
#include "material/friction.h"

#include <math.h>

#include "base/elementary.h"
#include "material/speed_table.h"

// More friction at rest than mu?
static bool is_static(const vs_material *m) {
    return m->static_mu > m->mu;
}

bool vs_friction_varies(const vs_material *m) {
    return is_static(m) || m->mu_table.count > 0;
}

bool vs_friction_remembers(const vs_material *m) {
    return is_static(m) && !(m->stribeck > 0);
}

vs_friction_past vs_friction_past_new(void) {
    return (vs_friction_past){.rest = 1};
}

vs_friction_past vs_friction_past_join(vs_friction_past a, vs_friction_past b) {
    return (vs_friction_past){.rest = fmin(a.rest, b.rest)};
}

bool vs_friction_past_is_valid(vs_friction_past past) {
    return past.rest >= 0 && past.rest <= 1;
}

double vs_friction_now(const vs_material *m, vs_friction_past past, double speed) {
    if (m->mu_table.count > 0)
        return vs_speed_table_at(&m->mu_table, m->mu, speed);
    const double rest = m->stribeck > 0 ? vs_exp(-speed / m->stribeck) : past.rest;
    return m->mu + (m->static_mu - m->mu) * rest;
}

vs_friction_past vs_friction_after(const vs_material *m, vs_friction_past past, const vs_friction_step *step) {
    const double rest = past.rest;
    if (!(step->impulse > 0))
        return past;
    if (step->slip > step->sticks)
        past.rest = m->weakening > 0 ? rest * vs_exp(-step->slip / m->weakening) : 0;
    else
        past.rest = m->healing > 0 ? 1 - (1 - rest) * vs_exp(-step->h / m->healing) : 1;
    return past;
}
