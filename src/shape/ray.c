// A ray against one shape: closed forms, and triangles.
//
// A convex shape is met on an interval of the ray, from the largest of the distances at which it enters to the smallest at
// which it leaves: of the planes of a polytope, of a quadric and of the planes of its ends. An origin inside meets the
// shape at once, against the ray.
#include "shape/ray.h"

#include <math.h>

const vs_span VS_SPAN_EVERYTHING = {-INFINITY, INFINITY, {0, 0, 0}};

bool vs_span_is_empty(const vs_span *s) {
    return !(s->enter <= s->leave);
}

void vs_span_cut_by_plane(const vs_ray *ray, vs_vec3 normal, double offset, vs_span *s) {
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

vs_span vs_span_in_ball(vs_vec3 p, vs_vec3 d, double radius) {
    const double a = vs_dot(d, d), b = vs_dot(p, d), c = vs_dot(p, p) - radius * radius, root = b * b - a * c;
    if (a == 0)
        return c <= 0 ? VS_SPAN_EVERYTHING : (vs_span){INFINITY, -INFINITY, {0, 0, 0}};
    if (root < 0)
        return (vs_span){INFINITY, -INFINITY, {0, 0, 0}};
    // Without cancellation: one root by the sum, the other by the product.
    const double sum = -b - copysign(sqrt(root), b), one = sum / a, other = sum != 0 ? c / sum : one;
    return (vs_span){fmin(one, other), fmax(one, other), {0, 0, 0}};
}

static vs_vec3 point_at(const vs_ray *ray, double distance) {
    return vs_add_scaled(ray->origin, distance, ray->direction);
}

vs_span vs_span_of_ball(const vs_ray *ray, vs_vec3 centre, double radius) {
    const vs_vec3 p = vs_subtract(ray->origin, centre);
    vs_span s = vs_span_in_ball(p, ray->direction, radius);
    s.normal = vs_normalize(vs_add_scaled(p, s.enter, ray->direction));
    return s;
}

vs_span vs_span_of_cylinder(const vs_ray *ray, double radius, double half_length) {
    const vs_vec3 p = {ray->origin.x, ray->origin.y, 0}, d = {ray->direction.x, ray->direction.y, 0};
    vs_span s = vs_span_in_ball(p, d, radius);
    s.normal = isfinite(s.enter) ? vs_normalize(vs_add_scaled(p, s.enter, d)) : VS_ZERO3;
    vs_span_cut_by_plane(ray, (vs_vec3){0, 0, 1}, half_length, &s);
    vs_span_cut_by_plane(ray, (vs_vec3){0, 0, -1}, half_length, &s);
    return s;
}

bool vs_span_hit(const vs_ray *ray, const vs_span *s, vs_ray_hit *hit) {
    if (vs_span_is_empty(s) || s->leave < 0 || s->enter > ray->length)
        return false;
    *hit = s->enter >= 0 ? (vs_ray_hit){s->enter, s->normal} : (vs_ray_hit){0, vs_scale(-1, ray->direction)};
    return true;
}

bool vs_polytope_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit) {
    const vs_polytope *p = &shape->polytope;
    vs_span s = VS_SPAN_EVERYTHING;
    for (int f = 0; f < p->faces; f++)
        vs_span_cut_by_plane(ray, p->normal[f], p->offset[f], &s);
    return vs_span_hit(ray, &s, hit);
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

bool vs_triangles_ray(const vs_shape *shape, const vs_ray *ray, vs_ray_hit *hit) {
    const vs_triangles *t = &shape->triangles;
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
    return vs_class_of(shape)->ray(shape, ray, hit);
}
