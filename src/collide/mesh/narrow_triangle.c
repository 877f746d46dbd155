// A convex shape against one triangle: signed gap, normal from the shape to the triangle, contact points.
//
// The triangle is the surface of a solid behind it. The gap of a shape in front is that of its closest point; a shape
// entirely behind has no contact; one that penetrates is pushed out to the front or sideways past an edge, whichever is
// shorter, never to the back. The touched part of the triangle is in the low three bits of the feature: sideways
// normals at an edge with a flat or concave neighbour are an artefact of considering one triangle alone, and only the
// caller knows the neighbours.
#include "collide/mesh/narrow_triangle.h"

#include "collide/convex/touch.h"

// Relative to the smaller one of shape and triangle:
static const double FACE_BIAS = 5e-7;
static const double SAME_PLACE = 1e-6;

typedef struct setting {
    vs_convex convex, triangle; // working frame: the shape's axes
    vs_meeting meeting;
    double size; // m, of the smaller one
} setting;

// False for triangles without area.
static bool set_up(const vs_shape *shape, vs_pose pose, const vs_vec3 triangle[3], double envelope, setting *s) {
    vs_vec3 local[3];
    for (int k = 0; k < 3; k++)
        local[k] = vs_pose_apply_back(pose, triangle[k]);
    s->convex = vs_convex_from_shape(shape, VS_IDENTITY_POSE);
    s->triangle = vs_convex_from_triangle(local);
    s->size = fmin(s->convex.size, s->triangle.size);
    // All corners: a point inside the outline of this triangle may be on the outline of the whole surface.
    s->meeting = (vs_meeting){pose, envelope, SAME_PLACE * s->size, 1, NULL};
    return vs_dot(s->triangle.normal, s->triangle.normal) > .5;
}

// The part of the triangle that is first along n: a vertex, an edge or all of it.
static uint32_t touched(const vs_convex *triangle, vs_vec3 n, double tolerance) {
    double along[3], low = INFINITY;
    for (int k = 0; k < 3; k++) {
        along[k] = vs_dot(n, vs_subtract(triangle->triangle[k], triangle->centre));
        low = fmin(low, along[k]);
    }
    int count = 0, last = 0, missing = 0;
    for (int k = 0; k < 3; k++)
        if (along[k] <= low + tolerance) {
            count++;
            last = k;
        } else {
            missing = k;
        }
    if (count == 3)
        return VS_TRIANGLE_FACE;
    return count == 2 ? VS_TRIANGLE_EDGE + (uint32_t)((missing + 1) % 3) : VS_TRIANGLE_VERTEX + (uint32_t)last;
}

// Stores the touched part in the low bits; the rest of the name is folded into 29 bits.
static void rename_features(vs_manifold *m, int from, uint32_t what) {
    for (int k = from; k < m->count; k++) {
        uint32_t f = m->at[k].feature;
        m->at[k].feature = (f ^ (f >> 29) << 26) << 3 | what;
        for (int i = from; i < k; i++)
            if (m->at[i].feature == m->at[k].feature) {
                m->at[k].feature += 8;
                i = from - 1;
            }
    }
}

// Across an edge of the polytope, with start `from` and direction `along`, and a direction at the triangle: one of its
// edges, or its normal if the polytope is to leave sideways.
static void try_edge(const setting *s, const int *edge, vs_vec3 direction, const int ends[2], vs_touch *touch) {
    const vs_polytope *p = &s->convex.shape->polytope;
    vs_vec3 from = p->vertex[edge[0]], along = vs_subtract(p->vertex[edge[1]], from);
    vs_vec3 n = vs_cross(along, direction);
    double nn = vs_dot(n, n);
    if (nn <= 1e-16 * vs_dot(along, along) * vs_dot(direction, direction))
        return;
    // Outward from the polytope: between the normals of the edge's faces; and not to the back.
    n = vs_scale((vs_dot(n, vs_add(p->normal[edge[2]], p->normal[edge[3]])) < 0 ? -1 : 1) / sqrt(nn), n);
    vs_vec3 start = vs_convex_support(&s->triangle, vs_scale(-1, n), 0);
    double better = touch->gap + FACE_BIAS * s->size;
    if (vs_dot(n, s->triangle.normal) > 1e-9 || vs_dot(n, vs_subtract(start, from)) <= better)
        return;
    double gap = vs_convex_gap_along(&s->convex, &s->triangle, n);
    if (gap <= better)
        return;
    double t = vs_dot(vs_cross(vs_subtract(start, from), direction), n) / vs_dot(vs_cross(along, direction), n);
    touch->gap = gap;
    touch->normal = n;
    touch->on_a = vs_add_scaled(from, fmin(fmax(t, 0), 1), along);
    touch->on_b = vs_add_scaled(touch->on_a, gap, n);
    touch->feature = vs_feature_of_vertices(edge, ends, 2);
}

static void try_edges(const setting *s, vs_touch *touch) {
    const vs_polytope *p = &s->convex.shape->polytope;
    for (int e = 0; e < p->edges; e++) {
        for (int k = 0; k < 3; k++) {
            int ends[2] = {k, (k + 1) % 3};
            vs_vec3 side = vs_subtract(s->triangle.triangle[ends[1]], s->triangle.triangle[k]);
            try_edge(s, &p->edge[4 * e], side, ends, touch);
        }
        try_edge(s, &p->edge[4 * e], s->triangle.normal, (int[2]){-1, -1}, touch);
    }
}

void vs_narrow_triangle(const vs_shape *convex, vs_pose pose, const vs_vec3 triangle[3], double envelope,
                        vs_manifold *m) {
    setting s;
    vs_touch touch;
    if (!set_up(convex, pose, triangle, envelope, &s) ||
        !vs_touch_find(&s.convex, &s.triangle, &s.triangle.normal, envelope, &touch))
        return;
    if (touch.gap > 0 && vs_dot(touch.normal, s.triangle.normal) > 1e-6)
        return;
    if (touch.gap <= 0 && convex->polytope.edges > 0)
        try_edges(&s, &touch);
    vs_touch_find_faces(&touch, &s.convex, &s.triangle, FACE_BIAS * s.size, NULL);
    if (touch.face_a >= 0 && vs_dot(vs_convex_face_normal(&s.convex, touch.face_a), s.triangle.normal) > 1e-6)
        touch.face_a = -1;
    int before = m->count;
    vs_touch_contacts(&touch, &s.convex, &s.triangle, &s.meeting, m);
    if (m->count > before) {
        // The normal of the contact in the working frame: it may be that of a face.
        vs_vec3 n = vs_rotate_back(pose.rotation, m->at[before].normal);
        rename_features(m, before, touched(&s.triangle, n, s.meeting.tolerance));
    }
}

bool vs_triangle_way_out(const vs_shape *convex, vs_pose pose, const vs_vec3 triangle[3], vs_way_out *way) {
    setting s;
    vs_touch touch;
    if (!set_up(convex, pose, triangle, 0, &s) ||
        !vs_touch_find(&s.convex, &s.triangle, NULL, SAME_PLACE * s.size, &touch))
        return false;
    *way = (vs_way_out){vs_pose_apply(pose, touch.on_b), vs_rotate(pose.rotation, touch.normal), touch.gap};
    return true;
}
