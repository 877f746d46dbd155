#include "proof.h"

#include <stdio.h>
#include <string.h>

static const double BALANCED = 1e-10; // of the load of a solid: what forces may leave over
static const double ROUNDED = 1e-13;  // of the forces on it: they are rounded, and are sums of many
static const double REACH = 1e6;      // weights of an island: no force is larger

// Solids in the order of the scene are bodies 1, 2, …; 0 is the world.
static int solid_of(vs_body_id id) {
    return (int)id.index - 1;
}

static q3 from(vs_vec3 v) {
    return (q3){v.x, v.y, v.z};
}

static q3 load_of(const geometry *g, int k, forge_loads loads) {
    const quad weight = (quad)g->of->solid[k].mass * g->of->gravity;
    return q3_add(q3_scale(loads.dead, g->solid[k].load), q3_scale(loads.live * weight, q3_of(g->of->direction)));
}

// ---- forces ----------------------------------------------------------------------------------------------

typedef struct balance {
    q3 force[MOST_SOLIDS], moment[MOST_SOLIDS];
    quad sum[MOST_SOLIDS];      // of the lengths of the forces on a solid
    quad rounding[MOST_SOLIDS]; // of their moments, by that of the places of contacts
} balance;

static bool add_force(const geometry *g, const vs_interface *it, vs_vec3 at, vs_vec3 force, balance *b, char *text,
                      size_t size) {
    const int a = solid_of(it->a), c = solid_of(it->b), on[2] = {a, c};
    const q3 n = q3_unit(from(it->normal)), p = from(at), f = from(force);
    const quad normal = q3_dot(f, n), shear = q3_length(q3_subtract(f, q3_scale(normal, n))), length = q3_length(f);
    const quad mu = find_friction(g->of, a, c);
    quad off;
    if (length == 0)
        return true;
    if (!(length < 1e300) || normal < 0 || shear > mu * normal + 1e-12 * length) {
        (void)snprintf(text, size, "solids %d, %d: a force outside its cone, normal %.3g N, shear %.3g N", a, c,
                       (double)normal, (double)shear);
        return false;
    }
    if (!may_push(g, a, c, p, n, &off)) {
        (void)snprintf(text, size, "solids %d, %d: a force of %.3g N where they do not touch, off by %.3g m", a, c,
                       (double)length, (double)off);
        return false;
    }
    for (int side = 0; side < 2; side++) {
        const int k = on[side];
        const q3 push = q3_scale(side ? 1 : -1, f);
        b->force[k] = q3_add(b->force[k], push);
        b->moment[k] = q3_add(b->moment[k], q3_cross(q3_subtract(p, g->solid[k].centre), push));
        b->sum[k] += length;
        b->rounding[k] += length * (g->solid[a].rounding + g->solid[c].rounding);
    }
    return true;
}

bool forces_prove(const geometry *g, const vs_statics *statics, const vs_vec3 *force, forge_loads loads, char *text,
                  size_t size) {
    static balance b;
    memset(&b, 0, sizeof b);
    for (int i = 0; i < vs_statics_get_report(statics).interfaces; i++) {
        vs_interface it;
        if (vs_statics_get_interface(statics, i, &it) != VS_OK)
            return false;
        for (int c = it.first; c < it.first + it.corners; c++)
            if (!add_force(g, &it, vs_statics_get_point(statics, c), force[c], &b, text, size))
                return false;
    }
    for (int k = 0; k < g->of->solids; k++) {
        const q3 load = load_of(g, k, loads);
        const quad left = q3_length(q3_add(b.force[k], load)), turn = q3_length(b.moment[k]) / g->solid[k].size;
        const quad most = BALANCED * q3_length(load) + ROUNDED * b.sum[k];
        if (g->of->solid[k].fixed || (left <= most && turn <= most + b.rounding[k] / g->solid[k].size))
            continue;
        (void)snprintf(text, size, "solid %d: forces leave %.3g N and %.3g N times its size of a load of %.3g N", k,
                       (double)left, (double)turn, (double)q3_length(load));
        return false;
    }
    return true;
}

// ---- mechanisms ------------------------------------------------------------------------------------------

typedef struct motion {
    q3 velocity[MOST_SOLIDS], spin[MOST_SOLIDS];
    quad dead, live; // W: power of the loads
    quad resist;     // W: that forces of one weight of their island could take at contacts that close
    int a, b;        // solids of the worst contact
    quad worst;      // m/s
} motion;

static q3 velocity_at(const geometry *g, const motion *m, int k, q3 p) {
    return q3_add(m->velocity[k], q3_cross(m->spin[k], q3_subtract(p, g->solid[k].centre)));
}

static quad speed_of(const geometry *g, const motion *m, int k) {
    return q3_length(m->velocity[k]) + q3_length(m->spin[k]) * g->solid[k].size;
}

// How fast a contact closes, beyond the rounding of the velocities and of its place.
static quad closing(const geometry *g, const motion *m, const certain_contact *c) {
    const q3 y = q3_subtract(velocity_at(g, m, c->b, c->point), velocity_at(g, m, c->a, c->point));
    const quad opens = q3_dot(y, c->normal), slips = q3_length(q3_subtract(y, q3_scale(opens, c->normal)));
    const quad turns = q3_length(m->spin[c->a]) + q3_length(m->spin[c->b]);
    const quad rounding = 8 * 0x1p-53 * (speed_of(g, m, c->a) + speed_of(g, m, c->b)) +
                          turns * (g->solid[c->a].rounding + g->solid[c->b].rounding);
    return c->mu * slips - opens - (1 + c->mu) * rounding;
}

static void take_motion(const geometry *g, const vs_statics *statics, const vs_mechanism *given, motion *m) {
    quad island[MOST_SOLIDS] = {0};
    memset(m, 0, sizeof *m);
    for (int k = 0; k < vs_statics_get_block_count(statics); k++) {
        const int s = solid_of(vs_statics_get_block(statics, k));
        m->velocity[s] = from(given->velocity[k]);
        m->spin[s] = from(given->spin[k]);
        m->dead += q3_dot(m->velocity[s], load_of(g, s, (forge_loads){1, 0}));
        m->live += q3_dot(m->velocity[s], load_of(g, s, (forge_loads){0, 1}));
    }
    for (int c = 0; c < g->contacts; c++) {
        const certain_contact *it = &g->contact[c];
        const int of = g->island[g->of->solid[it->a].fixed ? it->b : it->a];
        const quad e = closing(g, m, it);
        island[of] = quad_larger(island[of], e);
        if (e > m->worst) {
            m->worst = e;
            m->a = it->a;
            m->b = it->b;
        }
    }
    for (int k = 0; k < g->of->solids; k++)
        m->resist += island[k] * g->weight[k];
}

bool mechanism_proves(const geometry *g, const vs_statics *statics, const vs_mechanism *given, char *text,
                      size_t size) {
    static motion m;
    take_motion(g, statics, given, &m);
    (void)snprintf(text, size, "power %.3g W, solids %d, %d close with %.3g m/s, reach %.3g", (double)m.dead, m.a, m.b,
                   (double)m.worst, m.resist > 0 ? (double)(m.dead / m.resist) : INFINITY);
    return m.dead > 0 && m.dead >= REACH * m.resist;
}

bool bound_proves(const geometry *g, const vs_statics *statics, const vs_mechanism *given, double upper, char *text,
                  size_t size) {
    static motion m;
    take_motion(g, statics, given, &m);
    const quad bound = (-m.dead + REACH * m.resist) / m.live;
    (void)snprintf(text, size, "upper bound %.17g, of its mechanism %.17g (power %.3g W, closing %.3g m/s)", upper,
                   (double)bound, (double)m.live, (double)m.worst);
    return m.live > 0 && bound <= upper + 1e-9 * (1 + quad_absolute(upper));
}
