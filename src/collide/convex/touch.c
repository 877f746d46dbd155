// Two convex shapes that touch: faces that lie across the normal, else parallel edges, else the closest points.
#include "collide/convex/touch.h"

#include <math.h>

// Faces perpendicular to the normal to within this cosine (8 degrees) may lie on each other.
static const double NEARLY_FLAT = .99;
// The reference face of the last step stays while the gap along it is less by at most this share of the smaller shape.
// Two faces may alternate by 1e-5 (dominoes that lie on each other), a contact is late from 1e-4 on (late_contacts.c).
static const double KEEP = 1e-4;

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

// The reference of the last step again. False: there was none, or the gap along it is too small.
static bool keep_face(vs_touch *touch, const vs_convex *a, const vs_convex *b, const vs_former *former) {
    bool from_b;
    int name = vs_feature_reference(former, &from_b);
    const vs_convex *from = from_b ? b : a;
    double least = touch->gap - KEEP * fmin(a->size, b->size), most = -INFINITY;
    int best = -1;
    for (int f = name; name >= 0 && f < vs_convex_faces(from); f += VS_FEATURE_FACES) {
        vs_vec3 n = vs_scale(from_b ? -1 : 1, vs_convex_face_normal(from, f));
        double gap = vs_dot(n, touch->normal) > 0 ? vs_convex_gap_along(a, b, n) : -INFINITY;
        if (gap >= least && gap > most) {
            most = gap;
            best = f;
        }
    }
    touch->face_a = from_b ? -1 : best;
    touch->face_b = from_b ? best : -1;
    return best >= 0;
}

void vs_touch_find_faces(vs_touch *touch, const vs_convex *a, const vs_convex *b, double tolerance,
                         const vs_former *former) {
    if (keep_face(touch, a, b, former))
        return;
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
