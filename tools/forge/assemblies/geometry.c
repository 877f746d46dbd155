#include "geometry.h"

#include <string.h>

static const double SAME = 1e-11;   // of the smaller solid: a length that may be rounding
static const double TOUCH = 1e-9;   // of the smaller solid: what is closer touches
static const double CERTAIN = 1e-6; // of a face, edge: what is less may be an accident of rounding

// ---- solids ----------------------------------------------------------------------------------------------

static const int BOX_FACE[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static q3 rotate(const double rotation[4], q3 v) {
    quad w = rotation[0], norm = 0;
    for (int k = 0; k < 4; k++)
        norm += (quad)rotation[k] * rotation[k];
    // v + 2 w u x v + 2 u x (u x v), for a quaternion of any length
    const q3 u = q3_of(rotation + 1), t = q3_scale(2 / norm, q3_cross(u, v));
    return q3_add(v, q3_add(q3_scale(w, t), q3_cross(u, t)));
}

static int sides_of(const solid *s, int face) {
    return s->kind == SOLID_HULL ? s->sides[face] : 4;
}

static q3 corner_of(const q_solid *q, int face, int k) {
    return q->corner[q->of->kind == SOLID_HULL ? q->of->face[face][k] : BOX_FACE[face][k]];
}

static quad volume_of(q3 a, q3 b, q3 c, q3 origin) {
    return q3_dot(q3_subtract(a, origin), q3_cross(q3_subtract(b, origin), q3_subtract(c, origin))) / 6;
}

// Centre of a hull, from tetrahedra over its faces.
static q3 find_centre(const q_solid *q) {
    const q3 origin = q->corner[0];
    q3 sum = {0, 0, 0};
    quad volume = 0;
    for (int f = 0; f < q->faces; f++)
        for (int k = 1; k + 1 < sides_of(q->of, f); k++) {
            const q3 a = corner_of(q, f, 0), b = corner_of(q, f, k), c = corner_of(q, f, k + 1);
            const quad part = volume_of(a, b, c, origin);
            sum = q3_add(sum, q3_scale(part / 4, q3_subtract(q3_add(a, q3_add(b, c)), q3_scale(3, origin))));
            volume += part;
        }
    return q3_add(origin, q3_scale(1 / volume, sum));
}

static void fill_corners(q_solid *q, q3 position) {
    const solid *s = q->of;
    q->corners = s->kind == SOLID_HULL ? s->corners : 8;
    q->faces = s->kind == SOLID_HULL ? s->faces : 6;
    for (int k = 0; k < q->corners; k++) {
        q3 c = q3_of(s->corner[k]);
        if (s->kind != SOLID_HULL) {
            c = (q3){k & 1 ? s->half[0] : -s->half[0], k & 2 ? s->half[1] : -s->half[1],
                     k & 4 ? s->half[2] : -s->half[2]};
            c.z -= s->kind == SOLID_PLANE ? s->half[2] : 0;
        }
        q->corner[k] = q3_add(position, rotate(s->rotation, c));
    }
    for (int f = 0; f < q->faces; f++)
        q->normal[f] = q3_unit(q3_cross(q3_subtract(corner_of(q, f, 1), corner_of(q, f, 0)),
                                        q3_subtract(corner_of(q, f, 2), corner_of(q, f, 1))));
    if (s->kind == SOLID_HULL && !s->fixed)
        q->centre = find_centre(q);
}

static void fill_solid(const assembly *a, const solid *s, q_solid *q) {
    const q3 position = q3_of(s->position);
    *q = (q_solid){.of = s, .centre = position};
    if (s->kind == SOLID_CYLINDER || s->kind == SOLID_SPHERE) {
        q->axis = rotate(s->rotation, (q3){0, 0, 1});
        q->size = s->kind == SOLID_SPHERE ? s->half[0]
                                          : quad_root((quad)s->half[0] * s->half[0] + (quad)s->half[2] * s->half[2]);
    } else {
        fill_corners(q, position);
        for (int k = 0; k < q->corners; k++)
            q->size = quad_larger(q->size, q3_length(q3_subtract(q->corner[k], q->centre)));
    }
    q->rounding = 8 * 0x1p-52 * (q3_length(position) + (s->kind == SOLID_PLANE ? 0 : q->size));
    q->load = q3_add(q3_of(s->force), (q3){0, 0, -(quad)s->mass * a->gravity});
}

// Largest d . x of a solid.
static quad support(const q_solid *q, q3 d) {
    const solid *s = q->of;
    quad most = q3_dot(d, q->centre);
    if (s->kind == SOLID_SPHERE)
        return most + s->half[0] * q3_length(d);
    if (s->kind == SOLID_CYLINDER) {
        const quad along = q3_dot(d, q->axis);
        return most + s->half[2] * quad_absolute(along) +
               s->half[0] * q3_length(q3_subtract(d, q3_scale(along, q->axis)));
    }
    most = q3_dot(d, q->corner[0]);
    for (int k = 1; k < q->corners; k++)
        most = quad_larger(most, q3_dot(d, q->corner[k]));
    return most;
}

// By how much a point is outside, at least; negative inside.
static quad outside(const q_solid *q, q3 p) {
    const solid *s = q->of;
    const q3 arm = q3_subtract(p, q->centre);
    if (s->kind == SOLID_SPHERE)
        return q3_length(arm) - s->half[0];
    if (s->kind == SOLID_CYLINDER) {
        const quad along = q3_dot(arm, q->axis);
        return quad_larger(quad_absolute(along) - s->half[2],
                           q3_length(q3_subtract(arm, q3_scale(along, q->axis))) - s->half[0]);
    }
    quad most = q3_dot(q->normal[0], q3_subtract(p, corner_of(q, 0, 0)));
    for (int f = 1; f < q->faces; f++)
        most = quad_larger(most, q3_dot(q->normal[f], q3_subtract(p, corner_of(q, f, 0))));
    return most;
}

bool may_push(const geometry *g, int i, int j, q3 p, q3 n, quad *off) {
    const q_solid *a = &g->solid[i], *b = &g->solid[j];
    const quad height = q3_dot(n, p);
    *off = quad_larger(outside(a, p), outside(b, p));
    *off = quad_larger(*off, support(a, n) - height);
    *off = quad_larger(*off, height + support(b, q3_scale(-1, n)));
    return *off <= SAME * quad_smaller(a->size, b->size) + a->rounding + b->rounding;
}

// ---- contacts that are certain ---------------------------------------------------------------------------

typedef struct polygon {
    int count;
    q3 at[MOST_POINTS];
} polygon;

static polygon face_of(const q_solid *q, int face) {
    polygon p = {.count = sides_of(q->of, face)};
    for (int k = 0; k < p.count; k++)
        p.at[k] = corner_of(q, face, k);
    return p;
}

// Points on the rim of a cap, counter-clockwise about n: true points of the cylinder.
static polygon cap_of(const q_solid *q, q3 n) {
    polygon p = {.count = CAP_POINTS};
    const q3 away = quad_absolute(n.x) < .7 ? (q3){1, 0, 0} : (q3){0, 1, 0}, u = q3_unit(q3_cross(n, away)),
             w = q3_cross(n, u), middle = q3_add(q->centre, q3_scale(q->of->half[2], n));
    for (int k = 0; k < CAP_POINTS; k++) {
        const double angle = 6.283185307179586 * k / CAP_POINTS;
        const quad c = cos(angle), s = sin(angle), r = q->of->half[0] / quad_root(c * c + s * s);
        p.at[k] = q3_add(middle, q3_add(q3_scale(r * c, u), q3_scale(r * s, w)));
    }
    return p;
}

// The part of a solid that is lowest along n: a face, an edge or a point. A face looks down: clockwise about n.
static polygon find_lowest(const q_solid *q, q3 n, quad tolerance) {
    const solid *s = q->of;
    const q3 down = q3_scale(-1, n);
    const quad least = -support(q, down), along = q3_dot(n, q->axis);
    polygon p = {.count = 1};
    if (s->kind == SOLID_SPHERE)
        p.at[0] = q3_add(q->centre, q3_scale(s->half[0], down));
    else if (s->kind == SOLID_CYLINDER) {
        if (1 - quad_absolute(along) < 1e-20) // a difference of quads: 1e-20 beside 1 is no double
            return cap_of(q, down);
        const q3 side = q3_unit(q3_subtract(down, q3_scale(-along, q->axis)));
        const bool lies = quad_absolute(along) * 2 * s->half[2] <= tolerance;
        p.count = lies ? 2 : 1;
        for (int k = 0; k < p.count; k++)
            p.at[k] = q3_add(q->centre, q3_add(q3_scale(s->half[0], side),
                                               q3_scale((along > 0) == (k == 0) ? -s->half[2] : s->half[2], q->axis)));
    } else {
        for (int f = 0; f < q->faces; f++)
            if (q3_dot(q->normal[f], n) < -1 + 1e-12)
                return face_of(q, f);
        p.count = 0;
        for (int k = 0; k < q->corners && p.count < 2; k++)
            if (q3_dot(n, q->corner[k]) <= least + tolerance)
                p.at[p.count++] = q->corner[k];
    }
    return p;
}

static q3 area_of(const polygon *p) {
    q3 sum = {0, 0, 0};
    for (int k = 1; k + 1 < p->count; k++)
        sum = q3_add(sum, q3_cross(q3_subtract(p->at[k], p->at[0]), q3_subtract(p->at[k + 1], p->at[0])));
    return q3_scale(.5, sum);
}

// Keeps what is inside of each edge of a face with the normal n (Sutherland and Hodgman); edges and points, too.
static void clip(polygon *p, const polygon *face, q3 n) {
    for (int e = 0; e < face->count && p->count > 0; e++) {
        const q3 from = face->at[e], to = face->at[(e + 1) % face->count];
        const q3 inward = q3_cross(n, q3_subtract(to, from));
        polygon kept = {0};
        const int edges = p->count < 3 ? p->count - 1 : p->count;
        for (int k = 0; k < p->count; k++) {
            const q3 at = p->at[k], next = p->at[(k + 1) % p->count];
            const quad here = q3_dot(inward, q3_subtract(at, from)), there = q3_dot(inward, q3_subtract(next, from));
            if (here >= 0 && kept.count < MOST_POINTS)
                kept.at[kept.count++] = at;
            if (k < edges && (here > 0) != (there > 0) && here != there && here != 0 && there != 0 &&
                kept.count < MOST_POINTS)
                kept.at[kept.count++] = q3_add(at, q3_scale(here / (here - there), q3_subtract(next, at)));
        }
        *p = kept;
    }
}

// Least distance of a point from the edges of a face; negative outside.
static quad depth_in(const polygon *face, q3 n, q3 p) {
    quad least = 0;
    for (int e = 0; e < face->count; e++) {
        const q3 from = face->at[e], along = q3_unit(q3_subtract(face->at[(e + 1) % face->count], from));
        const quad depth = q3_dot(q3_cross(n, along), q3_subtract(p, from));
        least = e == 0 ? depth : quad_smaller(least, depth);
    }
    return least;
}

// Is what two solids share more than an accident?
static bool is_certain(const polygon *shared, const polygon *whole, const polygon *face, q3 n) {
    const quad face_area = q3_length(area_of(face));
    const quad area = q3_length(area_of(shared)), whole_area = q3_length(area_of(whole));
    if (whole->count > 2)
        return shared->count > 2 && area > CERTAIN * quad_smaller(face_area, whole_area);
    if (shared->count == 0)
        return false;
    const q3 middle = q3_scale(.5, q3_add(shared->at[0], shared->at[shared->count - 1]));
    const quad long_enough = whole->count < 2 ? 1
                                              : q3_length(q3_subtract(shared->at[shared->count - 1], shared->at[0])) -
                                                    CERTAIN * q3_length(q3_subtract(whole->at[1], whole->at[0]));
    return long_enough > 0 && depth_in(face, n, middle) > CERTAIN * quad_root(face_area);
}

static void add_certain(geometry *g, int i, int j, q3 n, const polygon *face) {
    const q_solid *a = &g->solid[i], *b = &g->solid[j];
    const quad tolerance = TOUCH * quad_smaller(a->size, b->size) + a->rounding + b->rounding;
    const quad gap = -support(b, q3_scale(-1, n)) - q3_dot(n, face->at[0]);
    if (quad_absolute(gap) > tolerance)
        return;
    const polygon whole = find_lowest(b, n, tolerance);
    polygon shared = whole;
    clip(&shared, face, n);
    if (!is_certain(&shared, &whole, face, n))
        return;
    for (int k = 0; k < shared.count && g->contacts < MOST_CONTACTS; k++)
        g->contact[g->contacts++] = (certain_contact){i, j, n, shared.at[k], find_friction(g->of, i, j)};
}

static void touch(geometry *g, int i, int j) {
    const q_solid *a = &g->solid[i];
    const quad apart = q3_length(q3_subtract(a->centre, g->solid[j].centre));
    if (apart > (a->size + g->solid[j].size) * 1.01 || (a->of->fixed && g->solid[j].of->fixed))
        return;
    for (int f = 0; f < a->faces; f++) {
        const polygon face = face_of(a, f);
        add_certain(g, i, j, a->normal[f], &face);
    }
    for (int side = -1; side <= 1 && a->of->kind == SOLID_CYLINDER; side += 2) {
        const q3 n = q3_scale(side, a->axis);
        const polygon cap = cap_of(a, n);
        add_certain(g, i, j, n, &cap);
    }
}

quad find_friction(const assembly *a, int i, int j) {
    const int m = a->solid[i].material, k = a->solid[j].material;
    return m == k ? (quad)a->mu[m] : quad_root((quad)a->mu[m] * a->mu[k]);
}

static void find_islands(geometry *g) {
    for (int k = 0; k < g->of->solids; k++) {
        g->island[k] = k;
        g->weight[k] = 0;
    }
    for (int c = 0; c < g->contacts; c++) {
        const int a = g->contact[c].a, b = g->contact[c].b;
        if (g->of->solid[a].fixed || g->of->solid[b].fixed)
            continue;
        const int from = g->island[a] > g->island[b] ? g->island[a] : g->island[b],
                  to = g->island[a] > g->island[b] ? g->island[b] : g->island[a];
        for (int k = 0; k < g->of->solids; k++)
            g->island[k] = g->island[k] == from ? to : g->island[k];
    }
    for (int k = 0; k < g->of->solids; k++)
        if (!g->of->solid[k].fixed)
            g->weight[g->island[k]] += q3_length(g->solid[k].load);
}

void find_geometry(const assembly *a, geometry *g) {
    g->of = a;
    g->contacts = 0;
    for (int k = 0; k < a->solids; k++)
        fill_solid(a, &a->solid[k], &g->solid[k]);
    for (int i = 0; i < a->solids; i++)
        for (int j = 0; j < a->solids; j++)
            if (i != j)
                touch(g, i, j);
    find_islands(g);
}
