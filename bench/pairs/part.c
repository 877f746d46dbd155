// Parts of points: every feature against every other one; see part.h.
#include "part.h"

// ---- hulls -------------------------------------------------------------------------------------------

static void add_edge(part *p, int i, int j) {
    for (int k = 0; k < p->edges; k++)
        if ((p->edge[k][0] == i && p->edge[k][1] == j) || (p->edge[k][0] == j && p->edge[k][1] == i))
            return;
    p->edge[p->edges][0] = i;
    p->edge[p->edges++][1] = j;
}

static bool bounds_hull(const part *p, int i, int j, int k, real size) {
    const vec n = cross(subtract(p->point[j], p->point[i]), subtract(p->point[k], p->point[i]));
    const real noise = 1e-12L * size * length(n);
    int above = 0, below = 0;
    for (int v = 0; v < p->points; v++) {
        const real h = dot(n, subtract(p->point[v], p->point[i]));
        above += h > noise;
        below += h < -noise;
    }
    return dot(n, n) > 1e-24L * size * size * size * size && (above == 0 || below == 0);
}

void part_close(part *p) {
    real size = 0;
    for (int k = 1; k < p->points; k++)
        size = fmaxl(size, length(subtract(p->point[k], p->point[0])));
    p->triangles = p->edges = 0;
    for (int i = 0; i < p->points; i++)
        for (int j = i + 1; j < p->points; j++)
            for (int k = j + 1; k < p->points; k++) {
                if (!bounds_hull(p, i, j, k, size) || p->triangles == PART_TRIANGLES)
                    continue;
                const int t[3] = {i, j, k};
                for (int c = 0; c < 3; c++) {
                    p->triangle[p->triangles][c] = t[c];
                    add_edge(p, t[c], t[(c + 1) % 3]);
                }
                p->triangles++;
            }
    if (p->points == 2)
        add_edge(p, 0, 1);
}

// ---- distances of features ---------------------------------------------------------------------------

typedef struct placed {
    int points;
    vec point[PART_POINTS];
    const part *of;
} placed;

static placed put(const part *p, const frame *f) {
    placed out = {.points = p->points, .of = p};
    for (int k = 0; k < p->points; k++)
        out.point[k] = place(f, p->point[k]);
    return out;
}

static real clamp01(real t) {
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

static void consider(vec way, real *best, vec *least) {
    const real square = dot(way, way);
    if (square < *best) {
        *best = square;
        *least = way;
    }
}

// From x to the segment p + t d.
static vec to_segment(vec x, vec p, vec d) {
    const real dd = dot(d, d), t = dd > 0 ? clamp01(dot(subtract(x, p), d) / dd) : 0;
    return subtract(add_scaled(p, t, d), x);
}

// The inside of a triangle only: its edges and corners are features of their own.
static bool to_triangle(vec x, vec p, vec q, vec r, vec *way) {
    const vec n = cross(subtract(q, p), subtract(r, p));
    const real nn = dot(n, n);
    if (!(nn > 0))
        return false;
    const vec foot = add_scaled(x, -dot(n, subtract(x, p)) / nn, n), corner[3] = {p, q, r};
    for (int k = 0; k < 3; k++)
        if (dot(cross(n, subtract(corner[(k + 1) % 3], corner[k])), subtract(foot, corner[k])) < 0)
            return false;
    *way = scale(-dot(n, subtract(x, p)) / nn, n);
    return true;
}

// The common perpendicular of two segments if it meets both inside; ends are features of their own.
static bool between_segments(vec p, vec d, vec q, vec e, vec *way) {
    const vec c = cross(d, e), r = subtract(q, p);
    const real cc = dot(c, c);
    if (!(cc > 1e-32L * dot(d, d) * dot(e, e)))
        return false;
    const real s = dot(cross(r, e), c) / cc, t = dot(cross(r, d), c) / cc;
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1))
        return false;
    *way = scale(dot(r, c) / cc, c);
    return true;
}

// Vertices of a against faces, edges and vertices of b; sign: of the way from a to b.
static void vertices_to(const placed *a, const placed *b, real sign, real *best, vec *least) {
    vec way;
    for (int i = 0; i < a->points; i++) {
        for (int k = 0; k < b->points; k++)
            consider(scale(sign, subtract(b->point[k], a->point[i])), best, least);
        for (int k = 0; k < b->of->edges; k++) {
            const vec p = b->point[b->of->edge[k][0]], q = b->point[b->of->edge[k][1]];
            consider(scale(sign, to_segment(a->point[i], p, subtract(q, p))), best, least);
        }
        for (int k = 0; k < b->of->triangles; k++) {
            const int *t = b->of->triangle[k];
            if (to_triangle(a->point[i], b->point[t[0]], b->point[t[1]], b->point[t[2]], &way))
                consider(scale(sign, way), best, least);
        }
    }
}

static real surface_distance(const placed *a, const placed *b, vec *normal) {
    real best = INFINITY;
    vec least = {0, 0, 0}, way;
    vertices_to(a, b, 1, &best, &least);
    vertices_to(b, a, -1, &best, &least);
    for (int i = 0; i < a->of->edges; i++)
        for (int j = 0; j < b->of->edges; j++) {
            const vec p = a->point[a->of->edge[i][0]], q = b->point[b->of->edge[j][0]];
            if (between_segments(p, subtract(a->point[a->of->edge[i][1]], p), q,
                                 subtract(b->point[b->of->edge[j][1]], q), &way))
                consider(way, &best, &least);
        }
    const real distance = sqrtl(best);
    *normal = distance > 0 ? scale(1 / distance, least) : (vec){0, 0, 0};
    return distance;
}

// ---- separating axes ---------------------------------------------------------------------------------

static void try_axis(const placed *a, const placed *b, vec n, real *best, vec *normal) {
    const real norm = length(n);
    if (!(norm > 0))
        return;
    n = scale(1 / norm, n);
    real high[2] = {-INFINITY, -INFINITY}, low[2] = {INFINITY, INFINITY};
    for (int s = 0; s < 2; s++) {
        const placed *p = s == 0 ? a : b;
        for (int k = 0; k < p->points; k++) {
            const real h = dot(n, p->point[k]);
            high[s] = fmaxl(high[s], h);
            low[s] = fminl(low[s], h);
        }
    }
    const real forward = low[1] - high[0], backward = low[0] - high[1];
    if (fmaxl(forward, backward) <= *best)
        return;
    *best = fmaxl(forward, backward);
    *normal = scale(forward > backward ? 1 : -1, n);
}

static real separation(const placed *a, const placed *b, vec *normal) {
    real best = -INFINITY;
    for (int s = 0; s < 2; s++) {
        const placed *p = s == 0 ? a : b;
        for (int k = 0; k < p->of->triangles; k++) {
            const int *t = p->of->triangle[k];
            try_axis(a, b, cross(subtract(p->point[t[1]], p->point[t[0]]), subtract(p->point[t[2]], p->point[t[0]])),
                     &best, normal);
        }
    }
    for (int i = 0; i < a->of->edges; i++)
        for (int j = 0; j < b->of->edges; j++) {
            const vec d = subtract(a->point[a->of->edge[i][1]], a->point[a->of->edge[i][0]]);
            const vec e = subtract(b->point[b->of->edge[j][1]], b->point[b->of->edge[j][0]]);
            const vec n = cross(d, e);
            // Any direction gives a valid bound: parallel edges only waste time.
            if (dot(n, n) > 1e-24L * dot(d, d) * dot(e, e))
                try_axis(a, b, n, &best, normal);
        }
    return best;
}

static real extent(const placed *p) {
    real most = 0;
    for (int k = 1; k < p->points; k++)
        most = fmaxl(most, length(subtract(p->point[k], p->point[0])));
    return most;
}

static gap_bounds hull_gap(const part *a, const frame *fa, const part *b, const frame *fb) {
    const placed p = put(a, fa), q = put(b, fb);
    vec normal = {0, 0, 0}, axis = {0, 0, 0};
    const real apart = surface_distance(&p, &q, &normal), size = extent(&p) + extent(&q);
    // Only if the surfaces are as close as the parts are large can one hold the other.
    const real along = apart <= size ? separation(&p, &q, &axis) : 0;
    const bool overlap = isfinite(along) && along < -1e-15L * size;
    const real gap = (overlap ? along : apart) - a->radius - b->radius;
    return (gap_bounds){gap, gap, overlap ? axis : normal};
}

gap_bounds part_gap(const part *a, const frame *fa, const part *b, const frame *fb) {
    return a->kind == PART_HULL && b->kind == PART_HULL ? hull_gap(a, fa, b, fb) : curved_gap(a, fa, b, fb);
}

vec part_support(const part *p, const frame *f, vec direction) {
    const vec d = rotate_back(f, direction);
    vec best = {0, 0, 0};
    if (p->kind == PART_CYLINDER) {
        const real across = sqrtl(d.x * d.x + d.y * d.y), s = across > 0 ? p->radius / across : 0;
        best = (vec){s * d.x, s * d.y, d.z > 0 ? p->half : -p->half};
    } else if (p->kind == PART_ELLIPSOID) {
        const vec e = {p->axes.x * d.x, p->axes.y * d.y, p->axes.z * d.z};
        const real norm = length(e);
        best = norm > 0 ? (vec){p->axes.x * e.x / norm, p->axes.y * e.y / norm, p->axes.z * e.z / norm}
                        : (vec){p->axes.x, 0, 0};
    } else {
        real most = -INFINITY;
        for (int k = 0; k < p->points; k++)
            if (dot(d, p->point[k]) > most) {
                most = dot(d, p->point[k]);
                best = p->point[k];
            }
    }
    return place(f, best);
}
