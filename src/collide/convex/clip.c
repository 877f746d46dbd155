// Contact points of two patches, seen along the contact normal n: the corners of their common outline.
//
//     polygon and polygon   clipping (Sutherland and Hodgman 1974)
//     disc                  fixed points of its rim, and where the rim crosses the other outline
//     segments              the ends of their common part
//
// Each point lies over both patches, which are planes (or lines) there: gap = height of the incident patch above the
// reference. Points beyond the envelope are dropped. If there are many, a few that span the outline are kept: the
// lowest one first, then those that enlarge it most; four if they cover enough of its area, at most eight. Those of the
// last step, if they are known, stay while they cover enough: a corner that comes and goes loses its impulse each time.
#include "collide/convex/clip.h"

#include <string.h>

#include "base/elementary.h"

enum { SPOTS_MOST = 4 * VS_PATCH_POINTS };

typedef struct spot {
    double x, y;
    double below, above; // heights of the reference and the incident patch, m
    uint32_t feature;
} spot;

// The plane of projection: axes e, f across n, from an origin near the reference.
typedef struct view {
    vs_vec3 origin, e, f, n;
    double tolerance; // m
    uint32_t face;    // high bits of the features
    int count;
    spot at[SPOTS_MOST];
} view;

// A patch in the plane of projection; its height is linear: level + slope . (x - place[0]).
typedef struct outline {
    vs_patch_kind kind;
    int count;
    double place[VS_PATCH_POINTS][2];
    int id[VS_PATCH_POINTS];
    double level, slope[2];
    double radius, rim[4][2]; // disc: fixed points of its rim
} outline;

// Kinds of corners of the common outline, by origin.
enum { CORNER_INCIDENT = 0, CORNER_CROSSING = 1, CORNER_REFERENCE = 2, CORNER_SINGLE = 3 };

static uint32_t name_corner(uint32_t face, int kind, int i, int j) {
    return (uint32_t)kind << 30 | face | ((uint32_t)i & 1023u) << 10 | ((uint32_t)j & 1023u);
}

// Spots are not initialized: they are many, and few are used.
static void look_along(view *v, const vs_patch *reference, vs_vec3 n, double tolerance, bool from_b) {
    v->origin = reference->point[0];
    v->n = n;
    v->tolerance = tolerance;
    v->count = 0;
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const vs_vec3 lead = x <= y && x <= z ? (vs_vec3){1, 0, 0} : y <= z ? (vs_vec3){0, 1, 0} : (vs_vec3){0, 0, 1};
    v->e = vs_normalize(vs_add_scaled(lead, -vs_dot(lead, n), n));
    v->f = vs_cross(n, v->e);
    v->face = (uint32_t)from_b << 29 | ((uint32_t)reference->face % VS_FEATURE_FACES) << 20;
}

static void place_point(const view *v, vs_vec3 point, double place[2]) {
    vs_vec3 d = vs_subtract(point, v->origin);
    place[0] = vs_dot(v->e, d);
    place[1] = vs_dot(v->f, d);
}

static void draw(const view *v, const vs_patch *patch, outline *o) {
    o->kind = patch->kind;
    o->count = patch->count;
    o->place[0][0] = o->place[0][1] = 0;
    for (int k = 0; k < patch->count; k++) {
        place_point(v, patch->point[k], o->place[k]);
        o->id[k] = patch->id[k];
    }
    o->level = vs_dot(v->n, vs_subtract(patch->point[0], v->origin));
    o->slope[0] = o->slope[1] = 0;
    if (patch->kind == VS_PATCH_SEGMENT && patch->count == 2) {
        double dx = o->place[1][0] - o->place[0][0], dy = o->place[1][1] - o->place[0][1], dd = dx * dx + dy * dy;
        double rise = vs_dot(v->n, vs_subtract(patch->point[1], patch->point[0]));
        if (dd > v->tolerance * v->tolerance) {
            o->slope[0] = rise * dx / dd;
            o->slope[1] = rise * dy / dd;
        }
    } else if (patch->kind != VS_PATCH_POINT) {
        double s = -1 / vs_dot(patch->normal, v->n);
        o->slope[0] = s * vs_dot(patch->normal, v->e);
        o->slope[1] = s * vs_dot(patch->normal, v->f);
    }
    if (patch->kind == VS_PATCH_DISC) {
        o->radius = patch->radius;
        for (int k = 0; k < 4; k++)
            place_point(v,
                        vs_add_scaled(patch->point[0], (k < 2 ? 1 : -1) * patch->radius, k % 2 ? patch->w : patch->u),
                        o->rim[k]);
    }
}

static double height(const outline *o, double x, double y) {
    return o->level + o->slope[0] * (x - o->place[0][0]) + o->slope[1] * (y - o->place[0][1]);
}

static void collect(view *v, double x, double y, uint32_t feature) {
    if (v->count < SPOTS_MOST)
        v->at[v->count++] = (spot){.x = x, .y = y, .feature = feature};
}

// ---- polygons --------------------------------------------------------------------------------------

// A corner of the polygon during clipping, and the name of the edge that starts there: that of the incident patch
// (the id of its start), or - 1 - i for edge i of the reference.
typedef struct corner {
    double x, y;
    int edge;
    uint32_t feature;
} corner;

// Distance of a place outside edge i of a polygon; negative inside. The order of corners follows the view.
static double outside(const outline *o, int i, double x, double y, double turn) {
    int j = i + 1 < o->count ? i + 1 : 0;
    double dx = o->place[j][0] - o->place[i][0], dy = o->place[j][1] - o->place[i][1];
    double length = sqrt(dx * dx + dy * dy);
    return length > 0 ? turn * (dy * (x - o->place[i][0]) - dx * (y - o->place[i][1])) / length : -INFINITY;
}

static uint32_t name_cut(const view *v, const outline *reference, int i, int edge) {
    if (edge >= 0)
        return name_corner(v->face, CORNER_CROSSING, i, edge);
    int before = -1 - edge;
    if (before + 1 == i)
        return name_corner(v->face, CORNER_REFERENCE, 0, reference->id[i]);
    if (before == 0 && i == reference->count - 1)
        return name_corner(v->face, CORNER_REFERENCE, 0, reference->id[0]);
    return name_corner(v->face, CORNER_REFERENCE, 1 + i, before);
}

// Points within the tolerance of an edge count as inside, so that corners on it keep their names.
static int cut(const view *v, const outline *reference, int i, const corner *in, int count, corner *out) {
    int n = 0;
    for (int k = 0; k < count && n + 2 <= SPOTS_MOST; k++) {
        corner p = in[k], q = in[k + 1 < count ? k + 1 : 0];
        double dp = outside(reference, i, p.x, p.y, 1), dq = outside(reference, i, q.x, q.y, 1);
        bool keep_p = dp <= v->tolerance, keep_q = dq <= v->tolerance;
        if (keep_p)
            out[n++] = p;
        if (keep_p == keep_q)
            continue;
        double t = fmin(fmax(dp / (dp - dq), 0), 1);
        out[n++] = (corner){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), keep_p ? -1 - i : p.edge,
                            name_cut(v, reference, i, p.edge)};
    }
    return n;
}

static void clip_polygon(view *v, const outline *reference, const outline *incident) {
    corner buffer[2][SPOTS_MOST];
    int count = incident->count, from = 0;
    for (int k = 0; k < count; k++)
        buffer[0][k] = (corner){incident->place[k][0], incident->place[k][1], incident->id[k],
                                name_corner(v->face, CORNER_INCIDENT, 0, incident->id[k])};
    // Each edge adds at most one corner (a segment traversed in both directions: two).
    for (int i = 0; i < reference->count && count > 0; i++, from = 1 - from)
        count = cut(v, reference, i, buffer[from], count, buffer[1 - from]);
    for (int k = 0; k < count; k++)
        collect(v, buffer[from][k].x, buffer[from][k].y, buffer[from][k].feature);
}

// ---- discs -----------------------------------------------------------------------------------------

static double winding(const outline *o) {
    double sum = 0;
    for (int k = 2; k < o->count; k++)
        sum += (o->place[k - 1][0] - o->place[0][0]) * (o->place[k][1] - o->place[0][1]) -
               (o->place[k - 1][1] - o->place[0][1]) * (o->place[k][0] - o->place[0][0]);
    return sum < 0 ? -1 : 1;
}

static bool is_within(const outline *o, double x, double y, double tolerance) {
    if (o->kind == VS_PATCH_DISC)
        return vs_hypot(x - o->place[0][0], y - o->place[0][1]) <= o->radius + tolerance;
    if (o->count < 3)
        return false;
    double turn = winding(o);
    for (int i = 0; i < o->count; i++)
        if (outside(o, i, x, y, turn) > tolerance)
            return false;
    return true;
}

// Points where the edge from p to q crosses the rim.
static void cross_rim(view *v, const outline *disc, const double p[2], const double q[2], int edge) {
    double dx = q[0] - p[0], dy = q[1] - p[1], cx = p[0] - disc->place[0][0], cy = p[1] - disc->place[0][1];
    double length = sqrt(dx * dx + dy * dy);
    if (!(length > 0))
        return;
    double middle = -(cx * dx + cy * dy) / length, across = (cx * dy - cy * dx) / length;
    double square = disc->radius * disc->radius - across * across;
    if (!(square > 0))
        return;
    for (int side = 0; side < 2; side++) {
        double t = (middle + (side == 0 ? -1 : 1) * sqrt(square)) / length;
        if (t > 0 && t < 1)
            collect(v, p[0] + t * dx, p[1] + t * dy, name_corner(v->face, CORNER_CROSSING, edge, side));
    }
}

// other: corner kind of the polygon, segment or point that meets the disc.
static void meet_disc(view *v, const outline *disc, const outline *other, int disc_kind, int other_kind) {
    for (int k = 0; k < 4; k++)
        if (is_within(other, disc->rim[k][0], disc->rim[k][1], v->tolerance))
            collect(v, disc->rim[k][0], disc->rim[k][1], name_corner(v->face, disc_kind, 1, k));
    if (other->kind == VS_PATCH_DISC)
        return;
    for (int k = 0; k < other->count; k++) {
        const double *p = other->place[k], *q = other->place[k + 1 < other->count ? k + 1 : 0];
        if (is_within(disc, p[0], p[1], v->tolerance))
            collect(v, p[0], p[1], name_corner(v->face, other_kind, 0, other->id[k]));
        if (other->count > 2 || k == 0)
            cross_rim(v, disc, p, q, other->id[k]);
    }
}

static void cross_rims(view *v, const outline *a, const outline *b) {
    double dx = b->place[0][0] - a->place[0][0], dy = b->place[0][1] - a->place[0][1], d = vs_hypot(dx, dy);
    if (!(d > v->tolerance))
        return;
    double along = (d * d + a->radius * a->radius - b->radius * b->radius) / (2 * d);
    double square = a->radius * a->radius - along * along;
    for (int side = 0; side < 2 && square > 0; side++) {
        double s = (side == 0 ? 1 : -1) * sqrt(square);
        collect(v, a->place[0][0] + (along * dx - s * dy) / d, a->place[0][1] + (along * dy + s * dx) / d,
                name_corner(v->face, CORNER_CROSSING, 0, side));
    }
}

// The lowest point of a tilted rim, where none of the fixed ones represents it.
static void lowest_of_rim(view *v, const outline *reference, const outline *disc) {
    double steep = vs_hypot(disc->slope[0], disc->slope[1]);
    if (!(steep > 0))
        return;
    // The rim is a circle in its own plane, foreshortened along the slope in the view.
    double s = disc->radius / (steep * sqrt(1 + steep * steep));
    double x = disc->place[0][0] - s * disc->slope[0], y = disc->place[0][1] - s * disc->slope[1];
    double low = height(disc, x, y);
    for (int k = 0; k < 4; k++)
        if (height(disc, disc->rim[k][0], disc->rim[k][1]) <= low + .1 * v->tolerance)
            return;
    if (is_within(reference, x, y, v->tolerance))
        collect(v, x, y, name_corner(v->face, CORNER_INCIDENT, 2, 0));
}

static void meet(view *v, const outline *reference, const outline *incident) {
    bool disc = incident->kind == VS_PATCH_DISC;
    if (reference->kind == VS_PATCH_DISC)
        meet_disc(v, reference, incident, CORNER_REFERENCE, CORNER_INCIDENT);
    else if (!disc)
        clip_polygon(v, reference, incident);
    if (disc) {
        meet_disc(v, incident, reference, CORNER_INCIDENT, CORNER_REFERENCE);
        lowest_of_rim(v, reference, incident);
        if (reference->kind == VS_PATCH_DISC)
            cross_rims(v, reference, incident);
    }
}

// ---- reduction -------------------------------------------------------------------------------------

static double gap_of(const spot *s) {
    return s->above - s->below;
}

// Lower, or equally low to rounding and with the lower feature.
static bool is_before(const view *v, const spot *p, const spot *q) {
    double drop = gap_of(q) - gap_of(p);
    return drop > v->tolerance || (drop > -v->tolerance && p->feature < q->feature);
}

// Drops spots beyond the envelope, and all but the lowest of those at one position; the first of equals stays.
static void drop_spots(view *v, double envelope) {
    int kept = 0;
    double near2 = 4 * v->tolerance * v->tolerance;
    for (int k = 0; k < v->count; k++) {
        spot s = v->at[k];
        if (!(gap_of(&s) <= envelope))
            continue;
        int same = 0;
        for (; same < kept; same++) {
            double dx = s.x - v->at[same].x, dy = s.y - v->at[same].y;
            if (dx * dx + dy * dy <= near2)
                break;
        }
        if (same == kept)
            v->at[kept++] = s;
        else if (is_before(v, &s, &v->at[same]))
            v->at[same] = s;
    }
    v->count = kept;
}

// Twice the area of the hull of few spots, by gift wrapping.
static double hull_area(const view *v, const int *chosen, int count) {
    int first = 0;
    for (int k = 1; k < count; k++) {
        const spot *p = &v->at[chosen[k]], *q = &v->at[chosen[first]];
        if (p->x < q->x || (p->x == q->x && p->y < q->y))
            first = k;
    }
    double sum = 0;
    int at = first;
    for (int steps = 0; steps < count; steps++) {
        const spot *p = &v->at[chosen[at]];
        int next = at == 0 ? 1 : 0;
        for (int k = 0; k < count; k++) {
            if (k == at || k == next)
                continue;
            const spot *q = &v->at[chosen[next]], *r = &v->at[chosen[k]];
            double turn = (q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x);
            if (turn < 0 || (turn == 0 && vs_hypot(r->x - p->x, r->y - p->y) > vs_hypot(q->x - p->x, q->y - p->y)))
                next = k;
        }
        const spot *q = &v->at[chosen[next]], *o = &v->at[chosen[first]];
        sum += (p->x - o->x) * (q->y - o->y) - (p->y - o->y) * (q->x - o->x);
        at = next;
        if (at == first)
            break;
    }
    return sum;
}

// Gain of a spot over those chosen: distance from the only one, else area.
static double gain(const view *v, int *chosen, int count, double area, int candidate) {
    const spot *p = &v->at[chosen[0]], *q = &v->at[candidate];
    if (count == 1)
        return vs_hypot(q->x - p->x, q->y - p->y);
    chosen[count] = candidate;
    return hull_area(v, chosen, count + 1) - area;
}

// Chooses spots by index; ties within rounding go to the lower feature.
static int choose(const view *v, double share, int chosen[VS_MANIFOLD_MOST + 1]) {
    int all[SPOTS_MOST], lowest = 0, count = 1;
    for (int k = 0; k < v->count; k++) {
        if (is_before(v, &v->at[k], &v->at[lowest]))
            lowest = k;
        all[k] = k;
    }
    chosen[0] = lowest;
    double whole = v->count > 2 ? hull_area(v, all, v->count) : 0, area = 0;
    while (count < VS_MANIFOLD_MOST && count < v->count && !(count >= 4 && area >= share * whole)) {
        int best = -1;
        double most = 0;
        for (int k = 0; k < v->count; k++) {
            double g = gain(v, chosen, count, area, k), margin = 1e-6 * most;
            if (best < 0 || g > most + margin || (g > most - margin && v->at[k].feature < v->at[best].feature)) {
                best = k;
                most = g;
            }
        }
        // Only spots on a line, or within the outline, are left.
        const spot *p = &v->at[chosen[0]], *q = &v->at[chosen[count > 1 ? 1 : 0]];
        if (!(most > v->tolerance * (count == 1 ? 1 : vs_hypot(p->x - q->x, p->y - q->y))))
            break;
        chosen[count++] = best;
        area = count > 2 ? hull_area(v, chosen, count) : 0;
    }
    return count;
}

// ---- the last step -------------------------------------------------------------------------------------

static bool was_chosen(const vs_former *former, uint32_t feature) {
    for (int i = 0; i < former->count; i++)
        if (former->feature[i] == feature)
            return true;
    return false;
}

// Adds a spot; if there is no room, instead of the one whose loss costs least area.
static int add_spot(const view *v, int *chosen, int count, int added) {
    if (count < VS_MANIFOLD_MOST) {
        chosen[count] = added;
        return count + 1;
    }
    int least = 0;
    double most = -INFINITY;
    for (int k = 0; k < count; k++) {
        int kept = chosen[k];
        chosen[k] = added;
        double area = hull_area(v, chosen, count);
        chosen[k] = kept;
        if (area > most) {
            most = area;
            least = k;
        }
    }
    chosen[least] = added;
    return count;
}

// The spots of the last step again, with the lowest one, if they cover almost as much as those of a new choice (count),
// whose first one is the lowest; else these.
static int choose_again(const view *v, const vs_meeting *meeting, int chosen[VS_MANIFOLD_MOST + 1], int count) {
    int again[VS_MANIFOLD_MOST], same = 0, lowest = chosen[0];
    double least = INFINITY;
    for (int k = 0; k < v->count && same < VS_MANIFOLD_MOST; k++)
        if (was_chosen(meeting->former, v->at[k].feature)) {
            again[same++] = k;
            least = fmin(least, gap_of(&v->at[k]));
        }
    if (same < 3 || hull_area(v, again, same) < meeting->share * hull_area(v, chosen, count))
        return count;
    if (gap_of(&v->at[lowest]) < least - v->tolerance)
        same = add_spot(v, again, same, lowest);
    memcpy(chosen, again, sizeof *again * (size_t)same);
    return same;
}

// ---- output ----------------------------------------------------------------------------------------

static void append(const vs_meeting *meeting, vs_vec3 point, vs_vec3 n, double gap, uint32_t feature, vs_manifold *m) {
    if (m->count == VS_MANIFOLD_MOST || !(gap <= meeting->envelope))
        return;
    // Reduced faces and very large indices may produce a name twice.
    for (int k = 0; k < m->count; k++)
        if (m->at[k].feature == feature) {
            feature++;
            k = -1;
        }
    m->at[m->count].point = vs_pose_apply(meeting->pose, point);
    m->at[m->count].normal = vs_rotate(meeting->pose.rotation, n);
    m->at[m->count].gap = gap;
    m->at[m->count].feature = feature;
    m->count++;
}

double vs_meeting_faces(const vs_meeting *meeting, const vs_patch *reference, const vs_patch *incident, vs_vec3 n,
                        double lowest, bool from_b, vs_manifold *m) {
    view v;
    look_along(&v, reference, n, meeting->tolerance, from_b);
    outline below, above;
    draw(&v, reference, &below);
    draw(&v, incident, &above);
    meet(&v, &below, &above);
    for (int k = 0; k < v.count; k++) {
        v.at[k].below = height(&below, v.at[k].x, v.at[k].y);
        // A tilted disc is narrower in the view than its outline: nothing outside it is lower.
        v.at[k].above = fmax(height(&above, v.at[k].x, v.at[k].y), v.at[k].below + lowest);
    }
    drop_spots(&v, meeting->envelope);
    if (v.count == 0)
        return INFINITY;
    int chosen[VS_MANIFOLD_MOST + 1];
    int count = choose(&v, meeting->share, chosen);
    if (meeting->former)
        count = choose_again(&v, meeting, chosen, count);
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        const spot *s = &v.at[chosen[k]];
        vs_vec3 point = vs_add_scaled(vs_add_scaled(v.origin, s->x, v.e), s->y, v.f);
        point = vs_add_scaled(point, .5 * (s->below + s->above), v.n);
        append(meeting, point, vs_scale(from_b ? -1 : 1, v.n), gap_of(s), s->feature, m);
        least = fmin(least, gap_of(s));
    }
    return least;
}

bool vs_meeting_segments(const vs_meeting *meeting, const vs_patch *a, const vs_patch *b, vs_vec3 n, vs_manifold *m) {
    if (a->kind != VS_PATCH_SEGMENT || b->kind != VS_PATCH_SEGMENT)
        return false;
    vs_vec3 along_a = vs_subtract(a->point[1], a->point[0]), along_b = vs_subtract(b->point[1], b->point[0]);
    double length = vs_length(along_a), cosine = vs_dot(along_a, along_b) / (length * vs_length(along_b));
    if (fabs(cosine) < 1 - 5e-9) // 1e-4 rad
        return false;
    vs_vec3 e = vs_scale(1 / length, along_a);
    double t[2] = {vs_dot(e, vs_subtract(b->point[0], a->point[0])), vs_dot(e, vs_subtract(b->point[1], a->point[0]))};
    double low = fmax(0, fmin(t[0], t[1])), high = fmin(length, fmax(t[0], t[1]));
    if (!(high - low > meeting->tolerance))
        return false;
    for (int k = 0; k < 2; k++) {
        double s = k == 0 ? low : high;
        vs_vec3 on_a = vs_add_scaled(a->point[0], s, e);
        vs_vec3 on_b = vs_add_scaled(b->point[0], (s - t[0]) / (t[1] - t[0]), along_b);
        int vertices[2] = {a->id[0], a->id[1]}, others[2] = {b->id[0], b->id[1]};
        uint32_t feature = vs_feature_of_vertices(vertices, others, 2) ^ (uint32_t)k;
        vs_meeting_point(meeting, on_a, on_b, n, vs_dot(n, vs_subtract(on_b, on_a)), feature, m);
    }
    return true;
}

void vs_meeting_point(const vs_meeting *meeting, vs_vec3 on_a, vs_vec3 on_b, vs_vec3 n, double gap, uint32_t feature,
                      vs_manifold *m) {
    append(meeting, vs_scale(.5, vs_add(on_a, on_b)), n, gap, feature, m);
}

// Lowest and highest vertex of a set; a single vertex is both.
static uint32_t name_set(const int *vertex, int count) {
    int low = vertex[0], high = vertex[0];
    for (int k = 1; k < count; k++) {
        low = vertex[k] < low ? vertex[k] : low;
        high = vertex[k] > high ? vertex[k] : high;
    }
    return ((uint32_t)(low + 1) * 131u + (uint32_t)(high + 1)) & 0x3fffu;
}

uint32_t vs_feature_of_vertices(const int *vertex_a, const int *vertex_b, int count) {
    // The lowest bit distinguishes the two ends of parallel edges.
    return (uint32_t)CORNER_SINGLE << 30 | name_set(vertex_a, count) << 15 | name_set(vertex_b, count) << 1;
}

int vs_feature_reference(const vs_former *former, bool *from_b) {
    *from_b = false;
    for (int k = 0; former && k < former->count; k++) {
        uint32_t feature = former->feature[k];
        if (feature >> 30 == CORNER_SINGLE)
            continue;
        *from_b = feature >> 29 & 1u;
        return (int)(feature >> 20) % VS_FEATURE_FACES;
    }
    return -1;
}
