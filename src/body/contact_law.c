// Laws of contact of materials. Of two materials
//
//     static_mu, across       the geometric mean, as mu; without one of its own a material has its mu. No static_mu where one has
//                             friction over the speed
//     weakening, healing, stribeck, damping      the larger
//     stiffness, hertz        those of two springs in series: 1/k = 1/k_a + 1/k_b, K^(-2/3) = K_a^(-2/3) + K_b^(-2/3);
//                             a material without one is rigid
#include "body/contact_law.h"

#include <math.h>

#include "base/elementary.h"

vs_error vs_contact_law_check(vs_context *context, const vs_material *m) {
    const struct {
        const char *name;
        double value;
    } number[] = {{"static_mu", m->static_mu}, {"weakening", m->weakening}, {"healing", m->healing},
                  {"stribeck", m->stribeck},   {"across", m->across},       {"stiffness", m->stiffness},
                  {"hertz", m->hertz},         {"damping", m->damping}};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        if (!(number[k].value >= 0) || !isfinite(number[k].value))
            return vs_fail(context, VS_ERROR_ARGUMENT, "material: %s must not be negative (is %g)", number[k].name,
                           number[k].value);
    if (m->static_mu > 0 && m->static_mu < m->mu)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: static_mu (%g) must not be below mu (%g)", m->static_mu,
                       m->mu);
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

// Of two springs F = k x^power in series; 0: rigid.
static double in_series(double a, double b, double power) {
    if (a == 0 || b == 0)
        return fmax(a, b);
    return vs_pow(vs_pow(a, -1 / power) + vs_pow(b, -1 / power), -power);
}

void vs_contact_law_combine(const vs_material *a, const vs_material *b, vs_material *pair) {
    if (a->static_mu > 0 || b->static_mu > 0)
        pair->static_mu = sqrt(fmax(a->static_mu, a->mu) * fmax(b->static_mu, b->mu));
    if (a->across > 0 || b->across > 0)
        pair->across = sqrt((a->across > 0 ? a->across : a->mu) * (b->across > 0 ? b->across : b->mu));
    if (pair->mu_table.count > 0)
        pair->static_mu = 0;
    pair->weakening = fmax(a->weakening, b->weakening);
    pair->healing = fmax(a->healing, b->healing);
    pair->stribeck = fmax(a->stribeck, b->stribeck);
    pair->stiffness = in_series(a->stiffness, b->stiffness, 1);
    pair->hertz = in_series(a->hertz, b->hertz, 1.5);
    pair->damping = fmax(a->damping, b->damping);
    if (vs_material_is_soft(pair))
        pair->compliance = 0;
}

static bool any(const vs_world *world, bool (*is)(const vs_material *)) {
    bool found = false;
    for (int k = 0; k < world->materials && !found; k++)
        found = is(&world->material[k]);
    for (int k = 0; k < world->pairs && !found; k++)
        found = is(&world->pair[k].material);
    return found;
}

// A material with static friction and one with stribeck are a pair of the latter kind; a pair of its own may have any.
bool vs_world_remembers_friction(const vs_world *world) {
    return any(world, vs_material_remembers);
}

bool vs_world_has_soft_contacts(const vs_world *world) {
    return any(world, vs_material_is_soft);
}
