// Parts of which one is a cylinder or an ellipsoid: bounds of the gap from both sides, in long double; see part.h.
//
// Let M = B - A. Apart, simplices of support points approach the point v of M nearest to the origin (Gilbert et al. 1988):
// |v| is an upper bound of the distance, and the plane across v through a support point a lower one. Overlapping, a
// polytope inside M grows towards its face nearest to the origin (van den Bergen 2001): the distance of that face is a
// lower bound of the depth, and the support of M along any direction an upper one. Both end when the bounds meet; the
// second one does not where many directions are equally good (an axis on an axis), and then says how far it came.
#include <stdlib.h>
#include <string.h>

#include "part.h"

typedef struct couple {
    const part *a, *b;
    const frame *fa, *fb;
} couple;

static vec support(const couple *c, vec direction) {
    return subtract(part_support(c->b, c->fb, direction), part_support(c->a, c->fa, scale(-1, direction)));
}

// ---- apart -------------------------------------------------------------------------------------------

typedef struct simplex {
    int count;
    vec w[4];
} simplex;

typedef struct foot {
    vec v;
    real square;
    simplex on;
} foot;

static void take(foot *best, vec v, int count, const vec *w) {
    if (!(dot(v, v) < best->square))
        return;
    *best = (foot){.v = v, .square = dot(v, v), .on.count = count};
    memcpy(best->on.w, w, sizeof *w * (size_t)count);
}

static void try_edge(foot *best, vec p, vec q) {
    const vec e = subtract(q, p), w[2] = {p, q};
    const real ee = dot(e, e), t = -dot(p, e);
    if (t > 0 && t < ee) {
        const vec end = t < .5L * ee ? p : q;
        take(best, add_scaled(end, -dot(end, e) / ee, e), 2, w);
    }
}

static void try_face(foot *best, vec p, vec q, vec r) {
    const vec n = cross(subtract(q, p), subtract(r, p)), w[3] = {p, q, r};
    const real nn = dot(n, n);
    if (nn > 0 && dot(n, cross(q, r)) > 0 && dot(n, cross(r, p)) > 0 && dot(n, cross(p, q)) > 0)
        take(best, scale(dot(n, p) / nn, n), 3, w);
}

static bool holds_origin(const simplex *s) {
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    for (int f = 0; f < 4 && s->count == 4; f++) {
        const vec p = s->w[face[f][0]];
        const vec n = cross(subtract(s->w[face[f][1]], p), subtract(s->w[face[f][2]], p));
        const real other = dot(n, subtract(s->w[face[f][3]], p)), origin = -dot(n, p);
        if (!(other * origin > 0) || fabsl(origin) > fabsl(other))
            return false;
    }
    return s->count == 4;
}

static foot nearest(const simplex *s) {
    foot best = {.square = INFINITY};
    for (int i = 0; i < s->count; i++) {
        take(&best, s->w[i], 1, &s->w[i]);
        for (int j = i + 1; j < s->count; j++) {
            try_edge(&best, s->w[i], s->w[j]);
            for (int k = j + 1; k < s->count; k++)
                try_face(&best, s->w[i], s->w[j], s->w[k]);
        }
    }
    return best;
}

// Bounds of the distance; both 0: the cores meet.
static gap_bounds distance(const couple *c, real size) {
    enum { STEPS = 3000 };
    simplex s = {.count = 1, .w = {support(c, (vec){.3L, .5L, .8L})}};
    foot best = nearest(&s);
    gap_bounds out = {-INFINITY, INFINITY, {0, 0, 0}};
    for (int step = 0; step < STEPS; step++) {
        const real norm = sqrtl(best.square);
        if (norm <= 1e-17L * size)
            return (gap_bounds){0};
        const vec w = support(c, scale(-1, best.v));
        const real low = dot(best.v, w) / norm;
        if (low > out.low) {
            out.low = low;
            out.normal = scale(1 / norm, best.v);
        }
        out.high = norm;
        if (out.high - out.low <= 1e-17L * size)
            break;
        s = best.on;
        s.w[s.count++] = w;
        if (holds_origin(&s))
            return (gap_bounds){0};
        const foot next = nearest(&s);
        if (!(next.square < best.square))
            break;
        best = next;
    }
    return out;
}

// ---- overlapping -------------------------------------------------------------------------------------

enum { CORNERS = 2000, FACES = 6 * CORNERS };

typedef struct face {
    int corner[3];
    vec normal;
    real height; // of its plane over the origin
} face;

typedef struct hull {
    int corners, faces;
    vec corner[CORNERS];
    face face[FACES];
    vec inside;
} hull;

static void add_face(hull *h, int i, int j, int k) {
    const vec p = h->corner[i];
    vec n = cross(subtract(h->corner[j], p), subtract(h->corner[k], p));
    const real norm = length(n);
    if (!(norm > 0) || h->faces == FACES)
        return;
    n = scale(1 / norm, n);
    face f = {{i, j, k}, n, dot(n, p)};
    if (f.height < dot(n, h->inside)) {
        f = (face){{i, k, j}, scale(-1, n), -f.height};
    }
    h->face[h->faces++] = f;
}

static bool has_edge(const face *f, int i, int j) {
    for (int k = 0; k < 3; k++)
        if (f->corner[k] == i && f->corner[(k + 1) % 3] == j)
            return true;
    return false;
}

// Replaces the faces that see the new corner by a fan from their outline.
static void grow(hull *h, int chosen, vec w, real noise) {
    enum { SEEN = 512 };
    face seen[SEEN];
    int count = 0, kept = 0;
    for (int k = 0; k < h->faces; k++) {
        const bool sees = k == chosen || dot(h->face[k].normal, w) - h->face[k].height > noise;
        if (sees && count < SEEN)
            seen[count++] = h->face[k];
        else
            h->face[kept++] = h->face[k];
    }
    h->faces = kept;
    h->corner[h->corners] = w;
    for (int k = 0; k < count; k++)
        for (int e = 0; e < 3; e++) {
            const int i = seen[k].corner[e], j = seen[k].corner[(e + 1) % 3];
            bool inner = false;
            for (int other = 0; other < count && !inner; other++)
                inner = other != k && has_edge(&seen[other], j, i);
            if (!inner)
                add_face(h, i, j, h->corners);
        }
    h->corners++;
}

// Four corners that span a volume.
static void begin(hull *h, const couple *c) {
    vec axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, w[6];
    for (int k = 0; k < 3; k++) {
        w[2 * k] = support(c, add(axis[k], (vec){1e-3L, 2e-3L, 3e-3L}));
        w[2 * k + 1] = support(c, add(scale(-1, axis[k]), (vec){1e-3L, -2e-3L, 3e-3L}));
    }
    real most = 0;
    int best[4] = {0, 1, 2, 3};
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            for (int k = j + 1; k < 6; k++)
                for (int l = k + 1; l < 6; l++) {
                    const real volume =
                        fabsl(dot(cross(subtract(w[j], w[i]), subtract(w[k], w[i])), subtract(w[l], w[i])));
                    if (volume > most) {
                        most = volume;
                        best[0] = i, best[1] = j, best[2] = k, best[3] = l;
                    }
                }
    h->inside = (vec){0, 0, 0};
    for (int k = 0; k < 4; k++) {
        h->corner[k] = w[best[k]];
        h->inside = add_scaled(h->inside, .25L, h->corner[k]);
    }
    h->corners = 4;
    h->faces = 0;
    for (int k = 0; k < 4; k++)
        add_face(h, k, (k + 1) % 4, (k + 2) % 4);
}

// Bounds of the gap of cores that meet, -depth.
static gap_bounds depth(const couple *c, real size, real enough) {
    static hull h; // one thread
    gap_bounds out = {-INFINITY, INFINITY, {0, 0, 0}};
    begin(&h, c);
    while (h.corners < CORNERS) {
        int near = 0;
        for (int k = 1; k < h.faces; k++)
            near = h.face[k].height < h.face[near].height ? k : near;
        const vec n = h.face[near].normal, w = support(c, n);
        const real reach = dot(n, w);
        if (-reach > out.low) {
            out.low = -reach;
            out.normal = scale(-1, n); // B - A leaves the origin along n: b moves along -n
        }
        out.high = -h.face[near].height;
        if (reach - h.face[near].height <= enough)
            break;
        grow(&h, near, w, 1e-18L * size);
    }
    return out;
}

gap_bounds curved_gap(const part *a, const frame *fa, const part *b, const frame *fb) {
    const couple c = {a, b, fa, fb};
    real extent[2];
    for (int k = 0; k < 2; k++) {
        const part *p = k == 0 ? a : b;
        extent[k] = p->kind == PART_CYLINDER    ? p->radius + p->half
                    : p->kind == PART_ELLIPSOID ? p->axes.x + p->axes.y + p->axes.z
                                                : p->radius;
        for (int i = 0; i < p->points && p->kind == PART_HULL; i++)
            extent[k] = fmaxl(extent[k], length(subtract(p->point[i], p->point[0])));
    }
    gap_bounds g = distance(&c, extent[0] + extent[1]);
    if (g.low <= 0) {
        const gap_bounds inside = depth(&c, extent[0] + extent[1], 1e-13L * fminl(extent[0], extent[1]));
        g = g.high > 0 && inside.low > 0 ? g : inside;
    }
    const real layers = part_layer(a) + part_layer(b);
    g.low -= layers;
    g.high -= layers;
    return g;
}
