// A convex shape on a plane, z <= 0 in the plane's axes: the gap of a point x of the shape is its height n . x over it.
//
//     box        up to the 4 lowest vertices        hull       up to 8: the lowest and the outermost
//     sphere     the lowest point                   capsule    the lowest point of either end
//     ellipsoid  c - S^2 n/|S n|                    cylinder   4 points around either rim, up to 8 if it stands
//     others     the part of the surface towards the plane (convex/patch.h)
//
// Only points within the envelope count. A cylinder's points begin at the lowest one of the rim, which is what touches
// when it rolls. If it stands upright to 2e-4 rad they are fixed to the body: four, and those others that have been the lowest
// one and still are as low. A drum whose centre of pressure lies beyond the four tips until the rim between two of them
// touches, and stands. Points that turn with the tilt would let it walk, step by step.
#include "collide/convex/patch.h"
#include "collide/narrow/pairs.h"

static const double SAME_HEIGHT = 1e-9;    // of the size
static const uint32_t LOWEST = UINT32_MAX; // feature of a point that is no corner

typedef struct ground {
    vs_vec3 normal; // unit, out of the ground; world
    vs_vec3 origin; // world
    double envelope;
    vs_manifold *m;
} ground;

static double height(const ground *g, vs_vec3 x) {
    return vs_dot(g->normal, vs_subtract(x, g->origin));
}

static void touch(const ground *g, vs_vec3 x, uint32_t feature) {
    vs_manifold_add(g->m, x, vs_scale(-1, g->normal), height(g, x), g->envelope, feature);
}

static ground ground_of(vs_pose plane, double envelope, vs_manifold *m) {
    m->count = 0;
    return (ground){vs_rotate(plane.rotation, (vs_vec3){0, 0, 1}), plane.position, envelope, m};
}

// The functions below: a shape at a pose, a plane (there is only one) at a pose.

void vs_narrow_sphere_plane(const vs_shape *a, vs_pose pose, const vs_shape *plane, vs_pose pose_b, double envelope,
                            vs_manifold *m) {
    (void)plane;
    const ground g = ground_of(pose_b, envelope, m);
    touch(&g, vs_add_scaled(pose.position, -a->radius, g.normal), 0);
}

void vs_narrow_capsule_plane(const vs_shape *a, vs_pose pose, const vs_shape *plane, vs_pose pose_b, double envelope,
                             vs_manifold *m) {
    (void)plane;
    const ground g = ground_of(pose_b, envelope, m);
    for (uint32_t end = 0; end < 2; end++) {
        vs_vec3 c = vs_pose_apply(pose, (vs_vec3){0, 0, end == 0 ? -a->half_length : a->half_length});
        touch(&g, vs_add_scaled(c, -a->radius, g.normal), end);
    }
}

void vs_narrow_box_plane(const vs_shape *box, vs_pose pose, const vs_shape *plane, vs_pose pose_b, double envelope,
                         vs_manifold *m) {
    (void)plane;
    const ground g = ground_of(pose_b, envelope, m);
    int lowest[4] = {0}, count = 0;
    double at[4] = {0};
    // vertex k has the signs of its bits; ascending heights, equal ones by index
    vs_vec3 vertex[8];
    for (int k = 0; k < 8; k++) {
        vertex[k] =
            vs_pose_apply(pose, (vs_vec3){k & 1 ? box->half.x : -box->half.x, k & 2 ? box->half.y : -box->half.y,
                                          k & 4 ? box->half.z : -box->half.z});
        double z = height(&g, vertex[k]);
        if (!(z <= g.envelope) || (count == 4 && z >= at[3]))
            continue;
        int place = count < 4 ? count++ : 3;
        for (; place > 0 && at[place - 1] > z; place--) {
            at[place] = at[place - 1];
            lowest[place] = lowest[place - 1];
        }
        at[place] = z;
        lowest[place] = k;
    }
    for (int k = 0; k < count; k++)
        touch(&g, vertex[lowest[k]], (uint32_t)lowest[k]);
}

void vs_narrow_hull_plane(const vs_shape *hull, vs_pose pose, const vs_shape *plane, vs_pose pose_b, double envelope,
                          vs_manifold *m) {
    (void)plane;
    const ground g = ground_of(pose_b, envelope, m);
    const vs_polytope *h = &hull->polytope;
    vs_vec3 n = vs_rotate_back(pose.rotation, g.normal);
    double base = height(&g, pose.position);
    vs_extremes extremes;
    vs_extremes_begin(&extremes, n, 1e-9 * hull->size);
    for (int k = 0; k < h->vertices; k++) {
        double z = base + vs_dot(n, h->vertex[k]);
        if (z <= g.envelope)
            vs_extremes_offer(&extremes, k, h->vertex[k], z);
    }
    int chosen[VS_MANIFOLD_MOST], count = vs_extremes_end(&extremes, chosen);
    for (int k = 0; k < count; k++)
        touch(&g, vs_pose_apply(pose, h->vertex[chosen[k]]), (uint32_t)chosen[k]);
}

// ---- cylinder --------------------------------------------------------------------------------------

// rad: tilts up to which points are fixed to the body. A drum that stands tips by less in a step; a disk that still rolls on its
// rim with such a tilt does so at hundreds of turns per second, and points fixed to it stop it.
static const double STANDS = 2e-4;
static const double AS_LOW = 1e-8; // of the radius: the lowest point is not needed where another one is as low
static const double KEPT = 1e-6;   // of the radius, above the lowest point: as long as other points stay
enum { CORNERS = 4, OTHERS = VS_MANIFOLD_MOST - CORNERS, QUADRANT = 1 << 20 };

static vs_vec3 quarter_turns(vs_vec3 x, uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        x = (vs_vec3){-x.y, x.x, 0};
    return x;
}

// Directions across the axis as numbers, to 1e-6 rad: the quadrant, and where in it along the chord of its ends.
static uint32_t number_of(vs_vec3 x) {
    uint32_t quadrant = 0;
    for (; quadrant < 3 && !(x.x > 0 && x.y >= 0); quadrant++)
        x = quarter_turns(x, 3);
    const double along = x.y / (x.x + x.y) * QUADRANT;
    return QUADRANT * quadrant + (uint32_t)fmin(fmax(along + .5, 0), QUADRANT - 1);
}

static vs_vec3 direction_of(uint32_t number) {
    const double along = (double)(number % QUADRANT) / QUADRANT,
                 length = sqrt((1 - along) * (1 - along) + along * along);
    return quarter_turns((vs_vec3){(1 - along) / length, along / length, 0}, number / QUADRANT);
}

// Points of a rim besides the four, as numbers; each is a point of the body.
typedef struct rim {
    const vs_shape *cylinder;
    uint32_t cap;
    vs_vec3 normal; // of the plane, in the body's axes
    int count;
    uint32_t other[OTHERS];
} rim;

// m, above the lowest point of the rim.
static double rise(const rim *r, vs_vec3 direction) {
    const double tilt = sqrt(r->normal.x * r->normal.x + r->normal.y * r->normal.y);
    return r->cylinder->radius * (vs_dot(r->normal, direction) + tilt);
}

static uint32_t feature_of(const rim *r, uint32_t number) {
    return 2 * CORNERS + 4 * QUADRANT * r->cap + number;
}

static void keep_others(rim *r, const vs_former *former) {
    for (int k = 0; former && k < former->count && r->count < OTHERS; k++) {
        const uint32_t number = former->feature[k] - feature_of(r, 0); // wraps around if it is none of this rim
        if (number < 4 * QUADRANT && rise(r, direction_of(number)) <= KEPT * r->cylinder->radius)
            r->other[r->count++] = number;
    }
}

// Adds the lowest point, unless another one is as low; the highest one gives way.
static void add_lowest(rim *r) {
    double least = INFINITY, most = -INFINITY;
    int highest = 0;
    for (uint32_t k = 0; k < CORNERS; k++)
        least = fmin(least, rise(r, quarter_turns((vs_vec3){1, 0, 0}, k)));
    for (int k = 0; k < r->count; k++) {
        const double up = rise(r, direction_of(r->other[k]));
        least = fmin(least, up);
        if (up > most)
            most = up, highest = k;
    }
    if (least > AS_LOW * r->cylinder->radius)
        r->other[r->count < OTHERS ? r->count++ : highest] = number_of(vs_scale(-1, r->normal));
}

static void put_rim(const ground *g, const rim *r, vs_pose pose) {
    const double radius = r->cylinder->radius, z = r->cap == 0 ? -r->cylinder->half_length : r->cylinder->half_length;
    const vs_vec3 centre = vs_pose_apply(pose, (vs_vec3){0, 0, z});
    for (int k = 0; k < r->count; k++)
        touch(g, vs_add_scaled(centre, radius, vs_rotate(pose.rotation, direction_of(r->other[k]))),
              feature_of(r, r->other[k]));
}

void vs_narrow_cylinder_plane(const vs_shape *cylinder, vs_pose pose, const vs_shape *plane, vs_pose pose_b,
                              double envelope, vs_manifold *m) {
    (void)plane;
    const ground g = ground_of(pose_b, envelope, m);
    vs_vec3 n = vs_rotate_back(pose.rotation, g.normal);
    const double tilt = sqrt(n.x * n.x + n.y * n.y);
    // across the axis to the last bit: in the body's axes
    vs_vec3 lowest = tilt > STANDS ? (vs_vec3){-n.x / tilt, -n.y / tilt, 0} : (vs_vec3){1, 0, 0};
    vs_vec3 axis = vs_rotate(pose.rotation, (vs_vec3){0, 0, 1}), down = vs_rotate(pose.rotation, lowest);
    vs_vec3 side = vs_rotate(pose.rotation, (vs_vec3){-lowest.y, lowest.x, 0});
    rim stands = {.cylinder = cylinder, .cap = n.z > 0 ? 0 : 1, .normal = n};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t cap = i == 0 ? stands.cap : 1 - stands.cap; // the lower one first
        double z = cap == 0 ? -cylinder->half_length : cylinder->half_length;
        vs_vec3 centre = vs_add_scaled(pose.position, z, axis);
        for (uint32_t k = 0; k < CORNERS; k++) {
            double r = k < 2 ? cylinder->radius : -cylinder->radius;
            touch(&g, vs_add_scaled(centre, r, k % 2 == 0 ? down : side), 4 * cap + k);
        }
        if (i == 0 && tilt <= STANDS) {
            keep_others(&stands, g.m->former);
            add_lowest(&stands);
            put_rim(&g, &stands, pose);
        }
    }
}

void vs_narrow_ellipsoid_plane(const vs_shape *ellipsoid, vs_pose pose, const vs_shape *plane, vs_pose pose_b,
                               double envelope, vs_manifold *m) {
    (void)plane;
    const ground g = ground_of(pose_b, envelope, m);
    vs_vec3 n = vs_rotate_back(pose.rotation, g.normal), s = ellipsoid->half;
    vs_vec3 sn = {s.x * n.x, s.y * n.y, s.z * n.z};
    double reach = vs_length(sn);
    vs_vec3 lowest = {-s.x * sn.x / reach, -s.y * sn.y / reach, -s.z * sn.z / reach};
    vs_manifold_add(g.m, vs_pose_apply(pose, lowest), vs_scale(-1, g.normal), height(&g, pose.position) - reach,
                    g.envelope, 0);
}

// ---- any convex shape ------------------------------------------------------------------------------

// The part that faces the plane: corners of a face, four points of a disc and the lowest one of its rim, the ends of a
// line, or the lowest point.
void vs_narrow_convex_plane(const vs_shape *a, vs_pose pose, const vs_shape *plane, vs_pose pose_b, double envelope,
                            vs_manifold *m) {
    (void)plane;
    const ground g = ground_of(pose_b, envelope, m);
    const vs_vec3 down = vs_scale(-1, g.normal);
    const vs_convex c = vs_convex_from_shape(a, (vs_pose){VS_ZERO3, pose.rotation});
    const vs_vec3 lowest = vs_add_scaled(vs_convex_support(&c, down, NULL), c.radius, down);
    const double tolerance = SAME_HEIGHT * c.size;
    vs_patch patch;
    vs_patch_toward(&c, down, tolerance, &patch);
    if (patch.kind == VS_PATCH_DISC) {
        const vs_vec3 centre = patch.point[0];
        patch.count = 4;
        for (int k = 0; k < 4; k++) {
            patch.point[k] = vs_add_scaled(centre, (k < 2 ? 1 : -1) * patch.radius, k % 2 == 0 ? patch.u : patch.w);
            patch.id[k] = k;
        }
    }
    vs_extremes extremes;
    vs_extremes_begin(&extremes, vs_rotate_back(pose.rotation, g.normal), tolerance);
    double least = INFINITY;
    for (int k = 0; k < patch.count; k++) {
        const double z = height(&g, vs_add(pose.position, patch.point[k]));
        least = fmin(least, z);
        if (z <= envelope)
            vs_extremes_offer(&extremes, k, vs_rotate_back(pose.rotation, patch.point[k]), z);
    }
    int chosen[VS_MANIFOLD_MOST], count = vs_extremes_end(&extremes, chosen);
    const bool lower = height(&g, vs_add(pose.position, lowest)) < least - tolerance;
    if (lower)
        touch(&g, vs_add(pose.position, lowest), LOWEST);
    for (int k = 0; k < count; k++)
        touch(&g, vs_add(pose.position, patch.point[chosen[k]]), (uint32_t)patch.id[chosen[k]]);
}
