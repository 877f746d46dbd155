// The part of a convex shape that touches another one: a face, the cap or a side line of a cylinder, an edge, a vertex.
// Chosen by the direction of contact alone, so that it stays the same while the shapes move little.
#include "collide/patch.h"

// Below this cosine a face is too steep to touch a plane across n.
static const double FLATTEST_LEAST = .1;
// Cylinders touch a plane with their cap above this cosine between axis and normal, else with a line of their side.
static const double CAP_LEAST = .7071;
// Faces perpendicular to the normal to within this cosine (8 degrees) may lie on each other.
static const double NEARLY_FLAT = .99;

static void set_points(vs_patch *patch, vs_patch_kind kind, int count) {
    patch->kind = kind;
    patch->count = count;
    patch->face = 0;
}

static bool is_polytope(const vs_convex *c) {
    return c->shape && (c->shape->kind == VS_SHAPE_BOX || c->shape->kind == VS_SHAPE_HULL);
}

void vs_patch_of_face(const vs_convex *c, int face, vs_patch *patch) {
    set_points(patch, VS_PATCH_POLYGON, 3);
    patch->face = face;
    patch->normal = vs_convex_face_normal(c, face);
    if (!c->shape) {
        for (int k = 0; k < 3; k++) {
            patch->point[k] = c->triangle[k];
            patch->id[k] = k;
        }
    } else if (c->shape->kind == VS_SHAPE_CYLINDER) {
        set_points(patch, VS_PATCH_DISC, 1);
        patch->face = face;
        patch->point[0] = vs_add_scaled(c->position, c->shape->half_length, patch->normal);
        patch->id[0] = 0;
        patch->u = vs_mat3_apply(&c->rotation, (vs_vec3){1, 0, 0});
        patch->w = vs_mat3_apply(&c->rotation, (vs_vec3){0, 1, 0});
        patch->radius = c->shape->radius;
    } else {
        const vs_polytope *p = &c->shape->polytope;
        int first = p->face_start[face], all = p->face_start[face + 1] - first;
        patch->count = all < VS_PATCH_POINTS ? all : VS_PATCH_POINTS;
        for (int k = 0; k < patch->count; k++) {
            int step = all <= VS_PATCH_POINTS ? k : (int)((long long)k * all / VS_PATCH_POINTS);
            patch->id[k] = p->face_vertex[first + step];
            patch->point[k] = vs_convex_vertex(c, patch->id[k]);
        }
    }
}

// ---- edges -----------------------------------------------------------------------------------------

// The two farthest apart of the vertices that lie within tolerance of the farthest in direction n.
static void edge_of_vertices(const vs_convex *c, vs_vec3 n, double tolerance, vs_patch *patch) {
    int vertices = c->shape ? c->shape->polytope.vertices : 3, top;
    vs_vec3 farthest = vs_convex_support(c, n, &top);
    double high = vs_dot(n, farthest), longest = tolerance * tolerance;
    set_points(patch, VS_PATCH_POINT, 1);
    patch->point[0] = farthest;
    patch->id[0] = top;
    for (int i = 0; i < vertices; i++) {
        vs_vec3 x = vs_convex_vertex(c, i), along = vs_subtract(x, farthest);
        if (i == top || vs_dot(n, x) < high - tolerance || vs_dot(along, along) <= longest)
            continue;
        longest = vs_dot(along, along);
        set_points(patch, VS_PATCH_SEGMENT, 2);
        patch->point[1] = x;
        patch->id[1] = i;
    }
    if (patch->count == 2 && patch->id[1] < patch->id[0]) {
        patch->point[0] = patch->point[1];
        patch->point[1] = farthest;
        patch->id[0] = patch->id[1];
        patch->id[1] = top;
    }
}

// A line of the side of a capsule or cylinder, at the side that points to n.
static void side_line(const vs_convex *c, vs_vec3 n, vs_patch *patch) {
    vs_vec3 axis = vs_mat3_apply(&c->rotation, (vs_vec3){0, 0, 1});
    vs_vec3 out = n;
    if (c->shape->kind == VS_SHAPE_CYLINDER)
        out = vs_normalize(vs_add_scaled(n, -vs_dot(n, axis), axis));
    set_points(patch, VS_PATCH_SEGMENT, 2);
    for (int k = 0; k < 2; k++) {
        vs_vec3 end = vs_add_scaled(c->position, (k == 0 ? 1 : -1) * c->shape->half_length, axis);
        patch->point[k] = vs_add_scaled(end, c->shape->radius, out);
        patch->id[k] = k;
    }
}

static void farthest_point(const vs_convex *c, vs_vec3 n, vs_patch *patch) {
    set_points(patch, VS_PATCH_POINT, 1);
    patch->point[0] = vs_add_scaled(vs_convex_support(c, n, &patch->id[0]), c->radius, n);
    patch->id[0] = patch->id[0] < 0 ? 0 : patch->id[0];
}

void vs_patch_of_edge(const vs_convex *c, vs_vec3 n, double tolerance, vs_patch *patch) {
    if (!c->shape || is_polytope(c)) {
        edge_of_vertices(c, n, tolerance, patch);
        return;
    }
    double rise = fabs(vs_mat3_apply_t(&c->rotation, n).z); // cosine between axis and n
    bool has_side = c->shape->kind == VS_SHAPE_CYLINDER || c->shape->kind == VS_SHAPE_CAPSULE;
    if (has_side && 2 * rise * c->shape->half_length <= tolerance)
        side_line(c, n, patch);
    else
        farthest_point(c, n, patch);
}

// ---- faces -----------------------------------------------------------------------------------------

// The face of a polytope that is most across n among those that reach the farthest point; -1: all are steep. The first
// of equals is preferred by a margin above rounding.
static int flattest_face(const vs_convex *c, vs_vec3 n, double tolerance) {
    const vs_polytope *p = &c->shape->polytope;
    vs_vec3 local = vs_mat3_apply_t(&c->rotation, n);
    double high = vs_dot(n, vs_subtract(vs_convex_support(c, n, 0), c->position));
    int best = -1;
    double flattest = FLATTEST_LEAST;
    for (int f = 0; f < p->faces; f++) {
        double cosine = vs_dot(p->normal[f], local);
        if (cosine <= flattest + (best < 0 ? 0 : 1e-7))
            continue;
        bool reaches = false;
        for (int k = p->face_start[f]; k < p->face_start[f + 1] && !reaches; k++)
            reaches = vs_dot(p->vertex[p->face_vertex[k]], local) >= high - tolerance;
        if (reaches) {
            best = f;
            flattest = cosine;
        }
    }
    return best;
}

void vs_patch_toward(const vs_convex *c, vs_vec3 n, double tolerance, vs_patch *patch) {
    if (!c->shape || is_polytope(c)) {
        int face = c->shape ? flattest_face(c, n, tolerance) : vs_dot(c->normal, n) > FLATTEST_LEAST ? 0 : -1;
        if (face >= 0)
            vs_patch_of_face(c, face, patch);
        else
            edge_of_vertices(c, n, tolerance, patch);
        return;
    }
    double rise = vs_mat3_apply_t(&c->rotation, n).z;
    if (c->shape->kind == VS_SHAPE_CYLINDER && fabs(rise) > CAP_LEAST)
        vs_patch_of_face(c, rise > 0 ? 0 : 1, patch);
    else if ((c->shape->kind == VS_SHAPE_CYLINDER || c->shape->kind == VS_SHAPE_CAPSULE) && fabs(rise) <= CAP_LEAST)
        side_line(c, n, patch);
    else
        farthest_point(c, n, patch);
}

// ---- the contact of two shapes ---------------------------------------------------------------------

// The best face of `from` along n, as a candidate for the normal of contact; other: the opposite shape.
static int matching_face(const vs_convex *from, const vs_convex *other, const vs_touch *touch, bool from_b,
                         double tolerance, double *gap) {
    int best = -1;
    double least = touch->gap - tolerance, offset = vs_dot(touch->normal, vs_subtract(touch->on_b, touch->on_a));
    *gap = -INFINITY;
    for (int f = 0; f < vs_convex_faces(from); f++) {
        vs_vec3 outward = vs_convex_face_normal(from, f);
        vs_vec3 n = from_b ? vs_scale(-1, outward) : outward;
        // The gap along n is at most that of the closest points: most faces fail here.
        double most = vs_dot(n, vs_subtract(touch->on_b, touch->on_a)) + (touch->gap - offset);
        if (most < least - tolerance || vs_dot(n, touch->normal) <= 0)
            continue;
        double s = from_b ? vs_convex_gap_along(other, from, n) : vs_convex_gap_along(from, other, n);
        if (s >= least && s > *gap) {
            *gap = s;
            best = f;
        }
    }
    return best;
}

static double area(const vs_patch *patch) {
    if (patch->kind == VS_PATCH_DISC)
        return 3.14159265358979 * patch->radius * patch->radius;
    vs_vec3 sum = VS_ZERO3;
    for (int k = 2; k < patch->count; k++)
        sum = vs_add(sum, vs_cross(vs_subtract(patch->point[k - 1], patch->point[0]),
                                   vs_subtract(patch->point[k], patch->point[0])));
    return .5 * vs_length(sum);
}

void vs_touch_find_faces(vs_touch *touch, const vs_convex *a, const vs_convex *b, double tolerance) {
    double gap_a, gap_b;
    touch->face_a = matching_face(a, b, touch, false, tolerance, &gap_a);
    touch->face_b = matching_face(b, a, touch, true, tolerance, &gap_b);
    if (touch->face_a < 0 || touch->face_b < 0)
        return;
    // The reference: the better one, or of two equally good the larger, independently of the order of a and b.
    vs_patch face_a, face_b;
    vs_patch_of_face(a, touch->face_a, &face_a);
    vs_patch_of_face(b, touch->face_b, &face_b);
    double larger = area(&face_b) / area(&face_a);
    bool take_b = gap_b > gap_a + tolerance || (gap_b >= gap_a - tolerance && larger > 1 + 1e-9);
    if (take_b)
        touch->face_a = -1;
    else
        touch->face_b = -1;
}

static bool is_flat(const vs_patch *patch, vs_vec3 n) {
    return (patch->kind == VS_PATCH_POLYGON || patch->kind == VS_PATCH_DISC) && vs_dot(patch->normal, n) > NEARLY_FLAT;
}

// Faces across the normal, or nearly so: the edges of two that lie almost flat on each other may cross where one
// overhangs; the contact is along neither's normal, but their whole common outline carries load.
static bool meet_faces(const vs_touch *touch, const vs_convex *a, const vs_convex *b, const vs_meeting *meeting,
                       vs_manifold *m) {
    bool from_b = touch->face_a < 0 && touch->face_b >= 0;
    const vs_convex *from = from_b ? b : a, *other = from_b ? a : b;
    vs_vec3 n = vs_scale(from_b ? -1 : 1, touch->normal);
    vs_patch reference, incident;
    if (touch->face_a >= 0 || touch->face_b >= 0) {
        vs_patch_of_face(from, from_b ? touch->face_b : touch->face_a, &reference);
        n = reference.normal;
    } else {
        vs_patch_toward(from, n, meeting->tolerance, &reference);
    }
    vs_patch_toward(other, vs_scale(-1, n), meeting->tolerance, &incident);
    if (touch->face_a < 0 && touch->face_b < 0 && !(is_flat(&reference, n) && is_flat(&incident, vs_scale(-1, n))))
        return false;
    // Where the faces do not lie above each other the contact is that of the closest points.
    int before = m->count;
    double lowest = vs_convex_gap_along(from, other, n);
    if (vs_meeting_faces(meeting, &reference, &incident, n, lowest, from_b, m) <= touch->gap + meeting->tolerance)
        return true;
    m->count = before;
    return false;
}

void vs_touch_contacts(const vs_touch *touch, const vs_convex *a, const vs_convex *b, const vs_meeting *meeting,
                       vs_manifold *m) {
    if (meet_faces(touch, a, b, meeting, m))
        return;
    vs_patch first, second;
    vs_patch_of_edge(a, touch->normal, meeting->tolerance, &first);
    vs_patch_of_edge(b, vs_scale(-1, touch->normal), meeting->tolerance, &second);
    if (!vs_meeting_segments(meeting, &first, &second, touch->normal, m))
        vs_meeting_point(meeting, touch->on_a, touch->on_b, touch->normal, touch->gap, touch->feature, m);
}
