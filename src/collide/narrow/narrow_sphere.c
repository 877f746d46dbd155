// A sphere against another shape: one contact, by the closest point of the other's surface to the centre.
//
//     gap = d(c) - r,   normal = -w,   point = c - (d + r)/2 w
//
// d is the signed distance of the centre c to the surface (negative inside) and w the unit direction outward there.
// Where w is not unique (concentric spheres, a centre on an axis) one is chosen. Ellipsoids are not handled here, and
// planes are with those of all shapes (narrow_plane.c).
#include "collide/convex/closest.h"
#include "collide/narrow/pairs.h"

static vs_closest from_point(vs_vec3 x, double radius) {
    double length = vs_length(x);
    vs_vec3 w = length > 0 ? vs_scale(1 / length, x) : (vs_vec3){0, 0, 1};
    return (vs_closest){.distance = length - radius, .outward = w};
}

static vs_closest from_box(vs_vec3 x, vs_vec3 half) {
    vs_vec3 inside = {fmax(-half.x, fmin(half.x, x.x)), fmax(-half.y, fmin(half.y, x.y)),
                      fmax(-half.z, fmin(half.z, x.z))};
    vs_vec3 r = vs_subtract(x, inside);
    double length = vs_length(r);
    if (length > 0)
        return (vs_closest){.distance = length, .outward = vs_scale(1 / length, r)};
    // inside: out through the nearest face
    vs_closest out = {.distance = fabs(x.x) - half.x, .outward = {x.x < 0 ? -1 : 1, 0, 0}};
    if (fabs(x.y) - half.y > out.distance)
        out = (vs_closest){.distance = fabs(x.y) - half.y, .outward = {0, x.y < 0 ? -1 : 1, 0}};
    if (fabs(x.z) - half.z > out.distance)
        out = (vs_closest){.distance = fabs(x.z) - half.z, .outward = {0, 0, x.z < 0 ? -1 : 1}};
    return out;
}

static vs_closest from_capsule(vs_vec3 x, double radius, double half_length) {
    vs_vec3 r = {x.x, x.y, x.z - fmax(-half_length, fmin(half_length, x.z))};
    if (vs_dot(r, r) > 0)
        return from_point(r, radius);
    return (vs_closest){.distance = -radius, .outward = {1, 0, 0}}; // on the axis: sideways
}

static vs_closest from_cylinder(vs_vec3 x, double radius, double half_length) {
    double rho = sqrt(x.x * x.x + x.y * x.y), side = rho - radius, top = fabs(x.z) - half_length;
    vs_vec3 radial = rho > 0 ? (vs_vec3){x.x / rho, x.y / rho, 0} : (vs_vec3){1, 0, 0};
    vs_vec3 axial = {0, 0, x.z < 0 ? -1 : 1};
    if (side > 0 && top > 0) { // the rim
        double d = sqrt(side * side + top * top);
        return (vs_closest){.distance = d, .outward = vs_add_scaled(vs_scale(side / d, radial), top / d, axial)};
    }
    return side > top ? (vs_closest){.distance = side, .outward = radial}
                      : (vs_closest){.distance = top, .outward = axial};
}

// ---- pairs -----------------------------------------------------------------------------------------

void vs_narrow_spheres(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_manifold *m) {
    m->count = 0;
    // without rotating the difference into b's axes and back
    const vs_closest near = from_point(vs_subtract(pose_a.position, pose_b.position), b->radius);
    const vs_vec3 normal = vs_scale(-1, near.outward);
    vs_manifold_add(m, vs_add_scaled(pose_a.position, a->radius, normal), normal, near.distance - a->radius, envelope,
                    0);
}

// The contact of a sphere with a shape at `pose`; near: of its centre, in the shape's axes.
static void touch(const vs_shape *sphere, vs_vec3 centre, vs_closest near, vs_pose pose, double envelope,
                  vs_manifold *m) {
    m->count = 0;
    const vs_vec3 normal = vs_scale(-1, vs_rotate(pose.rotation, near.outward));
    vs_manifold_add(m, vs_add_scaled(centre, sphere->radius, normal), normal, near.distance - sphere->radius, envelope,
                    0);
}

void vs_narrow_sphere_box(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                          vs_manifold *m) {
    const vs_vec3 x = vs_pose_apply_back(pose_b, pose_a.position);
    touch(a, pose_a.position, from_box(x, b->half), pose_b, envelope, m);
}

void vs_narrow_sphere_capsule(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                              vs_manifold *m) {
    const vs_vec3 x = vs_pose_apply_back(pose_b, pose_a.position);
    touch(a, pose_a.position, from_capsule(x, b->radius, b->half_length), pose_b, envelope, m);
}

void vs_narrow_sphere_cylinder(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                               vs_manifold *m) {
    const vs_vec3 x = vs_pose_apply_back(pose_b, pose_a.position);
    touch(a, pose_a.position, from_cylinder(x, b->radius, b->half_length), pose_b, envelope, m);
}

void vs_narrow_sphere_hull(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                           vs_manifold *m) {
    const vs_vec3 x = vs_pose_apply_back(pose_b, pose_a.position);
    touch(a, pose_a.position, vs_closest_point_polytope(&b->polytope, x, a->radius + envelope), pose_b, envelope, m);
}
