// Derivatives of a limit load. By the envelope theorem that of the optimum is the partial derivative of the Lagrangian
//
//     lam - v'(D'l + f_d + lam f_l) / f_l'v
//
// at the optimal forces l and mechanism v: what a change of the data does to the power of all forces on the mechanism,
// over the power P of the live load. With the force F on b at a contact, its relative velocity u = v_b - v_a and the spins w,
//
//     position of a contact      -F x (w_b - w_a) / P
//     friction of an interface   -sum F_T'u_T / (mu P)       F_T = mu z_T
//     density of a block         -m (g + lam g_l)'V / P      relative
//     force, moment on a block   -V / P,  -w / P
#include <math.h>

#include "statics/statics_data.h"

typedef struct motion {
    vs_vec3 velocity, spin, centre;
} motion;

// Of a body: at rest unless it is a block.
static motion motion_of(const vs_statics *s, const vs_mechanism *m, vs_body_id id) {
    const int b = vs_statics_find_block(s, id);
    if (b < 0)
        return (motion){0};
    return (motion){m->velocity[b], m->spin[b], s->block[b].centre};
}

static vs_vec3 velocity_at(const motion *m, vs_vec3 point) {
    return vs_add(m->velocity, vs_cross(m->spin, vs_subtract(point, m->centre)));
}

static vs_error allocate(vs_statics *s) {
    vs_gradient_arrays *g = &s->gradient;
    if (g->density)
        return VS_OK;
    g->mu = VS_NEW_ZERO(&s->arena, double, s->interfaces.report.interfaces);
    g->point = VS_NEW_ZERO(&s->arena, vs_vec3, s->interfaces.report.contacts);
    g->force = VS_NEW_ZERO(&s->arena, vs_vec3, s->blocks);
    g->moment = VS_NEW_ZERO(&s->arena, vs_vec3, s->blocks);
    g->density = VS_NEW_ZERO(&s->arena, double, s->blocks);
    return g->mu && g->point && g->force && g->moment && g->density ? VS_OK : VS_ERROR_MEMORY;
}

static void differentiate_interface(vs_statics *s, const vs_limit_result *r, int k) {
    const vs_interface *it = &s->interfaces.list.data[k];
    const motion a = motion_of(s, &r->mechanism, it->a), b = motion_of(s, &r->mechanism, it->b);
    const double power = r->mechanism.power;
    double across = 0;
    for (int c = it->first; c < it->first + it->corners; c++) {
        const vs_vec3 at = s->interfaces.point.data[c], force = r->forces.force[c];
        const vs_vec3 u = vs_subtract(velocity_at(&b, at), velocity_at(&a, at));
        across += vs_dot(force, u) - vs_dot(force, it->normal) * vs_dot(u, it->normal);
        s->gradient.point[c] = vs_scale(-1 / power, vs_cross(force, vs_subtract(b.spin, a.spin)));
    }
    s->gradient.mu[k] = it->mu > 0 ? -across / (it->mu * power) : 0;
}

vs_error vs_statics_differentiate_limit(vs_statics *s, const vs_limit_result *r, vs_limit_gradient *gradient) {
    if (!s || !r || !gradient)
        return VS_ERROR_ARGUMENT;
    if (r->status != VS_LIMIT_FOUND || !r->forces.force || !r->mechanism.velocity || !(r->mechanism.power > 0))
        return vs_fail(s->context, VS_ERROR_DATA,
                       "limit: without a limit load that was found there is no derivative of it");
    if (s->around)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "limit: no derivative with round faces, whose forces and mechanism "
                       "belong to different polygons");
    if (allocate(s))
        return VS_ERROR_MEMORY;
    const double power = r->mechanism.power;
    for (int k = 0; k < s->interfaces.report.interfaces; k++)
        differentiate_interface(s, r, k);
    for (int b = 0; b < s->blocks; b++) {
        const vs_vec3 weight = vs_add_scaled(s->gravity, r->factor, s->live_weight);
        s->gradient.force[b] = vs_scale(-1 / power, r->mechanism.velocity[b]);
        s->gradient.moment[b] = vs_scale(-1 / power, r->mechanism.spin[b]);
        s->gradient.density[b] = s->block[b].mass * vs_dot(weight, s->gradient.force[b]);
    }
    const vs_gradient_arrays *g = &s->gradient;
    *gradient = (vs_limit_gradient){
        .density = g->density, .mu = g->mu, .force = g->force, .moment = g->moment, .point = g->point};
    return VS_OK;
}
