// A ray against one shape: closed forms.
//
// A convex shape is met on an interval of the ray, from the largest of the distances at which it enters to the smallest at
// which it leaves: of the planes of a polytope, of a quadric and of the planes of its ends. An origin inside meets the
// shape at once, against the ray.
#include "collide/query/ray.h"

#include <math.h>

// The part of the ray that is inside so far, and the normal where it begins.
typedef struct span {
    double enter, leave; // m
    vs_vec3 normal;
} span;

static const span everything = {-INFINITY, INFINITY, {0, 0, 0}};

static bool is_empty(const span *s) {
    return !(s->enter <= s->leave);
}

// The half space normal . x <= offset.
static void cut_by_plane(const vs_ray *ray, vs_vec3 normal, double offset, span *s) {
    const double height = vs_dot(normal, ray->origin) - offset, slope = vs_dot(normal, ray->direction);
    if (slope == 0) {
        s->leave = height > 0 ? -INFINITY : s->leave;
        return;
    }
    const double at = -height / slope;
    if (slope > 0) {
        s->leave = fmin(s->leave, at);
    } else if (at > s->enter) {
        s->enter = at;
        s->normal = normal;
    }
}

// |p + t d| <= radius, p and d scaled or projected; normals are set by the caller.
static span cut_by_ball(vs_vec3 p, vs_vec3 d, double radius) {
    const double a = vs_dot(d, d), b = vs_dot(p, d), c = vs_dot(p, p) - radius * radius, root = b * b - a * c;
    if (a == 0)
        return c <= 0 ? everything : (span){INFINITY, -INFINITY, {0, 0, 0}};
    if (root < 0)
        return (span){INFINITY, -INFINITY, {0, 0, 0}};
    // Without cancellation: one root by the sum, the other by the product.
    const double sum = -b - copysign(sqrt(root), b), one = sum / a, other = sum != 0 ? c / sum : one;
    return (span){fmin(one, other), fmax(one, other), {0, 0, 0}};
}

static vs_vec3 point_at(const vs_ray *ray, double distance) {
    return vs_add_scaled(ray->origin, distance, ray->direction);
}

static span meet_ball(const vs_ray *ray, vs_vec3 centre, double radius) {
    const vs_vec3 p = vs_subtract(ray->origin, centre);
    span s = cut_by_ball(p, ray->direction, radius);
    s.normal = vs_normalize(vs_add_scaled(p, s.enter, ray->direction));
    return s;
}

static span meet_ellipsoid(const vs_ray *ray, vs_vec3 half) {
    const vs_vec3 p = {ray->origin.x / half.x, ray->origin.y / half.y, ray->origin.z / half.z};
    const vs_vec3 d = {ray->direction.x / half.x, ray->direction.y / half.y, ray->direction.z / half.z};
    span s = cut_by_ball(p, d, 1);
    const vs_vec3 x = vs_add_scaled(p, s.enter, d);
    s.normal = vs_normalize((vs_vec3){x.x / half.x, x.y / half.y, x.z / half.z});
    return s;
}

static span meet_cylinder(const vs_ray *ray, double radius, double half_length) {
    const vs_vec3 p = {ray->origin.x, ray->origin.y, 0}, d = {ray->direction.x, ray->direction.y, 0};
    span s = cut_by_ball(p, d, radius);
    s.normal = isfinite(s.enter) ? vs_normalize(vs_add_scaled(p, s.enter, d)) : VS_ZERO3;
    cut_by_plane(ray, (vs_vec3){0, 0, 1}, half_length, &s);
    cut_by_plane(ray, (vs_vec3){0, 0, -1}, half_length, &s);
    return s;
}

// The earliest of cylinder and end balls: their union is convex.
static span meet_capsule(const vs_ray *ray, double radius, double half_length) {
    span best = meet_cylinder(ray, radius, half_length);
    for (int k = -1; k <= 1; k += 2) {
        const span ball = meet_ball(ray, (vs_vec3){0, 0, k * half_length}, radius);
        if (is_empty(&ball))
            continue;
        const double leave = is_empty(&best) ? ball.leave : fmax(best.leave, ball.leave);
        if (is_empty(&best) || ball.enter < best.enter)
            best = ball;
        best.leave = leave;
    }
    return best;
}

static span meet_polytope(const vs_ray *ray, const vs_polytope *p) {
    span s = everything;
    for (int f = 0; f < p->faces; f++)
        cut_by_plane(ray, p->normal[f], p->offset[f], &s);
    return s;
}

// ---- meshes ----------------------------------------------------------------------------------------

typedef struct mesh_ray {
    const vs_ray *ray;
    const vs_triangles *t;
    vs_ray_hit best;
    bool found, back; // back: the closest triangle is seen from behind
} mesh_ray;

static bool visit_triangle(void *user, int triangle) {
    mesh_ray *m = user;
    const int *corner = m->t->surface.corner + 3 * (int64_t)triangle;
    const vs_vec3 v = m->t->vertex[corner[0]], p = vs_subtract(m->t->vertex[corner[1]], v),
                  q = vs_subtract(m->t->vertex[corner[2]], v), r = vs_subtract(m->ray->origin, v);
    const vs_vec3 n = m->t->surface.normal[triangle], c = vs_cross(p, q);
    const double slope = vs_dot(n, m->ray->direction), at = -vs_dot(n, r) / slope;
    if (slope == 0 || !(at >= 0 && at <= m->best.distance))
        return true;
    const vs_vec3 x = vs_add_scaled(r, at, m->ray->direction);
    const double cc = vs_dot(c, c), y = vs_dot(vs_cross(x, q), c) / cc, z = vs_dot(vs_cross(p, x), c) / cc;
    const double slack = 1e-12; // a ray through an edge meets one of its triangles
    if (y < -slack || z < -slack || y + z > 1 + slack || (m->found && at == m->best.distance))
        return true;
    m->best = (vs_ray_hit){at, vs_scale(slope > 0 ? -1 : 1, n)};
    m->found = true;
    m->back = slope > 0;
    return true;
}

static bool meet_mesh(const vs_ray *ray, const vs_triangles *t, vs_ray_hit *hit) {
    const vs_vec3 end = point_at(ray, ray->length), o = ray->origin;
    const vs_box3 box = {{fmin(o.x, end.x), fmin(o.y, end.y), fmin(o.z, end.z)},
                         {fmax(o.x, end.x), fmax(o.y, end.y), fmax(o.z, end.z)}};
    mesh_ray m = {.ray = ray, .t = t, .best.distance = ray->length};
    vs_triangles_query(t, box, visit_triangle, &m);
    *hit = m.best;
    if (m.found && m.back && t->surface.closed)
        *hit = (vs_ray_hit){0, vs_scale(-1, ray->direction)};
    return m.found;
}

// ---- any shape -------------------------------------------------------------------------------------

bool vs_ray_meets_box(const vs_ray *ray, const vs_box3 *box) {
    double enter = 0, leave = ray->length;
    for (int k = 0; k < 3; k++) {
        const double o = vs_component(ray->origin, k), d = vs_component(ray->direction, k);
        const double low = vs_component(box->low, k) - o, high = vs_component(box->high, k) - o;
        if (d == 0) {
            if (low > 0 || high < 0)
                return false;
            continue;
        }
        enter = fmax(enter, fmin(low / d, high / d));
        leave = fmin(leave, fmax(low / d, high / d));
    }
    return enter <= leave;
}

bool vs_ray_meets(const vs_ray *ray, const vs_shape *shape, vs_ray_hit *hit) {
    span s = everything;
    switch (shape->kind) {
    case VS_SHAPE_SPHERE:
        s = meet_ball(ray, VS_ZERO3, shape->radius);
        break;
    case VS_SHAPE_BOX:
    case VS_SHAPE_HULL:
        s = meet_polytope(ray, &shape->polytope);
        break;
    case VS_SHAPE_CAPSULE:
        s = meet_capsule(ray, shape->radius, shape->half_length);
        break;
    case VS_SHAPE_CYLINDER:
        s = meet_cylinder(ray, shape->radius, shape->half_length);
        break;
    case VS_SHAPE_ELLIPSOID:
        s = meet_ellipsoid(ray, shape->half);
        break;
    case VS_SHAPE_PLANE:
        cut_by_plane(ray, (vs_vec3){0, 0, 1}, 0, &s);
        break;
    case VS_SHAPE_MESH:
    case VS_SHAPE_HEIGHT_FIELD:
        return meet_mesh(ray, &shape->triangles, hit);
    }
    if (is_empty(&s) || s.leave < 0 || s.enter > ray->length)
        return false;
    *hit = s.enter >= 0 ? (vs_ray_hit){s.enter, s.normal} : (vs_ray_hit){0, vs_scale(-1, ray->direction)};
    return true;
}
