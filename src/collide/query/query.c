// Queries: rays, closest points, overlaps and distances over the colliders of a world.
#include "voussoir/query.h"

#include <math.h>

#include "body/world_data.h"
#include "collide/convex/closest.h"
#include "collide/mesh/mesh.h"
#include "collide/narrow/narrow.h"
#include "collide/query/distance.h"
#include "shape/ray.h"

static bool is_asked(const vs_world *world, int index, uint32_t mask) {
    const vs_collider *c = &world->collider[index];
    return c->alive && (c->group & mask) && vs_world_place(world, c->body) != VS_PLACE_ABSENT;
}

static vs_body_id body_of(const vs_world *world, int collider) {
    const int body = world->collider[collider].body;
    return (vs_body_id){(uint32_t)body, world->body[body].generation};
}

static vs_collider_id id_of(const vs_world *world, int collider) {
    return (vs_collider_id){(uint32_t)collider, world->collider[collider].generation};
}

static vs_error fail_null(const vs_world *world) {
    return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "query: an argument is null");
}

static vs_error check(const vs_world *world, bool finite) {
    return finite ? VS_OK : vs_fail(world->context, VS_ERROR_ARGUMENT, "query: places and lengths must be finite");
}

// ---- rays ------------------------------------------------------------------------------------------

vs_error vs_world_cast_ray(const vs_world *world, vs_vec3 origin, vs_vec3 direction, double length, uint32_t mask,
                           vs_query_hit *hit) {
    if (!world || !hit)
        return fail_null(world);
    vs_error error = check(world, isfinite(vs_length(origin)) && length >= 0 && isfinite(length));
    if (error)
        return error;
    if (!(vs_length(direction) > 0) || !isfinite(vs_length(direction)))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "ray: the direction must be finite and not zero");
    const vs_vec3 d = vs_normalize(direction);
    *hit = (vs_query_hit){.distance = length};
    for (int k = 0; k < world->colliders; k++) {
        if (!is_asked(world, k, mask))
            continue;
        const vs_pose pose = vs_collider_pose(world, &world->collider[k]);
        const vs_ray ray = {vs_pose_apply_back(pose, origin), vs_rotate_back(pose.rotation, d), hit->distance};
        const vs_shape *shape = world->collider[k].shape;
        vs_ray_hit found;
        if ((vs_shape_is_bounded(shape) && !vs_ray_meets_box(&ray, &shape->bounds)) ||
            !vs_ray_meets(&ray, shape, &found) || (hit->found && !(found.distance < hit->distance)))
            continue;
        *hit = (vs_query_hit){true,
                              body_of(world, k),
                              id_of(world, k),
                              vs_add_scaled(origin, found.distance, d),
                              vs_rotate(pose.rotation, found.normal),
                              found.distance};
    }
    if (!hit->found)
        *hit = (vs_query_hit){0};
    return VS_OK;
}

// ---- closest points --------------------------------------------------------------------------------

// A place on a surface, seen from a point.
typedef struct nearest {
    double distance; // m, signed
    vs_vec3 outward; // from the surface
    bool found;
} nearest;

static nearest nearest_on_mesh(const vs_triangles *t, vs_vec3 x, double reach) {
    const vs_nearest m = vs_triangles_nearest(t, x, reach);
    if (m.triangle < 0)
        return (nearest){0};
    const vs_vec3 way = vs_subtract(x, m.point);
    const bool inside = t->surface.closed && vs_triangles_contain(t, x);
    // On the surface itself the direction is that of the face.
    const vs_vec3 out =
        m.distance > 1e-12 * reach ? vs_scale((inside ? -1 : 1) / m.distance, way) : t->surface.normal[m.triangle];
    return (nearest){inside ? -m.distance : m.distance, out, true};
}

// A small ball about the point: its gap to the shape.
static nearest nearest_on_solid(const vs_shape *shape, vs_vec3 x, double reach) {
    const double radius = 1e-3 * (isfinite(shape->size) ? shape->size : fmax(reach, 1e-9));
    const vs_shape ball = {.kind = VS_SHAPE_SPHERE, .radius = radius, .size = radius};
    vs_manifold m;
    vs_narrow(&ball, (vs_pose){x, {1, 0, 0, 0}}, shape, VS_IDENTITY_POSE, reach, &m);
    if (m.count == 0 || m.at[0].gap + radius > reach)
        return (nearest){0};
    return (nearest){m.at[0].gap + radius, vs_scale(-1, m.at[0].normal), true};
}

vs_error vs_world_find_closest_point(const vs_world *world, vs_vec3 point, double reach, uint32_t mask,
                                     vs_query_hit *hit) {
    if (!world || !hit)
        return fail_null(world);
    vs_error error = check(world, isfinite(vs_length(point)) && reach >= 0 && isfinite(reach));
    if (error)
        return error;
    *hit = (vs_query_hit){.distance = reach};
    for (int k = 0; k < world->colliders; k++) {
        if (!is_asked(world, k, mask))
            continue;
        const vs_shape *shape = world->collider[k].shape;
        const vs_pose pose = vs_collider_pose(world, &world->collider[k]);
        const vs_vec3 x = vs_pose_apply_back(pose, point);
        const double most = fmax(hit->distance, 0);
        const nearest n = vs_shape_has_triangles(shape) ? nearest_on_mesh(&shape->triangles, x, most)
                                                        : nearest_on_solid(shape, x, most);
        if (!n.found || (hit->found && !(n.distance < hit->distance)))
            continue;
        const vs_vec3 out = vs_rotate(pose.rotation, n.outward);
        *hit = (vs_query_hit){true, body_of(world, k), id_of(world, k), vs_add_scaled(point, -n.distance, out),
                              out,  n.distance};
    }
    if (!hit->found)
        *hit = (vs_query_hit){0};
    return VS_OK;
}

// ---- pairs of shapes -------------------------------------------------------------------------------

// The point with the least gap within the envelope; false: none. A mesh inside a solid, or the reverse, has no points.
static vs_error find_least(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                           vs_mesh_points *points, const vs_mesh_point **least) {
    vs_error error = vs_narrow_any(a, pose_a, b, pose_b, envelope, points);
    *least = NULL;
    for (int k = 0; k < points->count && !error; k++)
        if (!*least || points->at[k].gap < (*least)->gap)
            *least = &points->at[k];
    return error;
}

static bool boxes_meet(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double reach) {
    if (!vs_shape_is_bounded(a) || !vs_shape_is_bounded(b))
        return true;
    const vs_box3 p = vs_shape_bounds(a, pose_a, reach), q = vs_shape_bounds(b, pose_b, 0);
    return vs_boxes_meet(&p, &q);
}

// Is a point of one solid inside the other one, without a contact of their surfaces? at: the point.
static bool contains(const vs_shape *mesh, vs_pose pose, const vs_shape *other, vs_pose other_pose, vs_vec3 *at) {
    if (!vs_shape_has_triangles(mesh) || !mesh->triangles.surface.closed)
        return false;
    const vs_vec3 x = vs_shape_is_convex(other)  ? vs_shape_support(other, (vs_vec3){0, 0, 1})
                      : vs_shape_is_plane(other) ? VS_ZERO3
                                                 : other->triangles.vertex[other->triangles.index[0]];
    *at = vs_pose_apply(other_pose, x);
    return vs_triangles_contain(&mesh->triangles, vs_pose_apply_back(pose, *at));
}

// Two surfaces, of which an edge of one passes through a triangle of the other.
typedef struct crossing {
    const vs_triangles *t[2];
    vs_pose pose; // of the first in the axes of the second
    bool found;
} crossing;

static bool pierces(const vs_vec3 v[3], vs_vec3 from, vs_vec3 to) {
    const vs_vec3 n = vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0]));
    const double a = vs_dot(n, vs_subtract(from, v[0])), b = vs_dot(n, vs_subtract(to, v[0]));
    if (!(a * b < 0))
        return false;
    const vs_vec3 x = vs_add_scaled(from, a / (a - b), vs_subtract(to, from));
    for (int k = 0; k < 3; k++)
        if (vs_dot(n, vs_cross(vs_subtract(v[(k + 1) % 3], v[k]), vs_subtract(x, v[k]))) < 0)
            return false;
    return true;
}

static bool visit_pair(void *user, int triangle_a, int triangle_b) {
    crossing *c = user;
    vs_vec3 p[3], q[3];
    vs_triangle_corners(c->t[0], c->pose, triangle_a, p);
    vs_triangle_corners(c->t[1], VS_IDENTITY_POSE, triangle_b, q);
    for (int k = 0; k < 3 && !c->found; k++)
        c->found = pierces(p, q[k], q[(k + 1) % 3]) || pierces(q, p[k], p[(k + 1) % 3]);
    return !c->found;
}

// Overlaps that are too deep for contacts.
static bool surfaces_cross(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b) {
    if (!vs_shape_has_triangles(a) || !vs_shape_has_triangles(b))
        return false;
    crossing c = {.t = {&a->triangles, &b->triangles}, .pose = vs_pose_relative(pose_a, pose_b)};
    const double reach = 0;
    vs_triangles_pairs(c.t[0], c.pose, c.t[1], &reach, visit_pair, &c);
    return c.found;
}

static bool is_cut(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b) {
    return vs_shape_is_convex(a) && vs_shape_has_triangles(b) && vs_mesh_is_cut(a, pose_a, b, pose_b);
}

vs_error vs_shapes_touch(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, vs_mesh_points *points,
                         bool *touch) {
    const vs_mesh_point *least;
    vs_vec3 inside;
    *touch = false;
    if ((vs_shape_is_plane(a) && vs_shape_is_plane(b)) || !boxes_meet(a, pose_a, b, pose_b, 0))
        return VS_OK;
    vs_error error = find_least(a, pose_a, b, pose_b, 0, points, &least);
    *touch = !error && (least || surfaces_cross(a, pose_a, b, pose_b) || is_cut(a, pose_a, b, pose_b) ||
                        is_cut(b, pose_b, a, pose_a) || contains(a, pose_a, b, pose_b, &inside) ||
                        contains(b, pose_b, a, pose_a, &inside));
    return error;
}

vs_error vs_world_find_overlapping(const vs_world *world, const vs_shape *shape, vs_pose pose, uint32_t mask,
                                   vs_collider_id *collider, int capacity, int *count) {
    if (!world || !shape || !count || capacity < 0 || (capacity > 0 && !collider))
        return fail_null(world);
    vs_error error = check(world, isfinite(vs_length(pose.position)));
    if (error)
        return error;
    *count = 0;
    vs_mesh_points points = {.context = world->context};
    for (int k = 0; k < world->colliders && !error; k++) {
        if (!is_asked(world, k, mask))
            continue;
        bool touch;
        const vs_collider *other = &world->collider[k];
        error = vs_shapes_touch(shape, pose, other->shape, vs_collider_pose(world, other), &points, &touch);
        if (error || !touch)
            continue;
        if (*count < capacity)
            collider[*count] = id_of(world, k);
        (*count)++;
    }
    vs_release(world->context, points.at);
    return error;
}

// ---- bodies ----------------------------------------------------------------------------------------

static vs_error compare(const vs_world *world, const vs_collider *a, const vs_collider *b, double reach,
                        vs_mesh_points *points, vs_body_distance *best) {
    const vs_pose pose_a = vs_collider_pose(world, a), pose_b = vs_collider_pose(world, b);
    const bool planes = vs_shape_is_plane(a->shape) && vs_shape_is_plane(b->shape);
    const double most = fmin(reach, fmax(best->distance, 0));
    if (planes || !boxes_meet(a->shape, pose_a, b->shape, pose_b, most))
        return VS_OK;
    // Small distances first: the cost of meshes grows with them.
    vs_error error;
    vs_mesh_point least;
    vs_vec3 inside;
    bool found = false;
    double near = fmin(most, .05 * fmin(a->shape->size, b->shape->size));
    error = vs_shapes_distance(a->shape, pose_a, b->shape, pose_b, near, points, &least, &found);
    while (!error && !found && near < most) {
        near = fmin(most, 4 * near);
        error = vs_shapes_distance(a->shape, pose_a, b->shape, pose_b, near, points, &least, &found);
    }
    // One inside the other: surfaces apart, or seen from behind.
    if (!error && (!found || least.gap > 0) && boxes_meet(a->shape, pose_a, b->shape, pose_b, 0) &&
        (contains(a->shape, pose_a, b->shape, pose_b, &inside) ||
         contains(b->shape, pose_b, a->shape, pose_a, &inside))) {
        least = (vs_mesh_point){.point = inside, .normal = found ? least.normal : (vs_vec3){0, 0, 1}};
        found = true;
    }
    if (error || !found || !(least.gap < best->distance))
        return error;
    *best = (vs_body_distance){least.gap, vs_add_scaled(least.point, -.5 * least.gap, least.normal),
                               vs_add_scaled(least.point, .5 * least.gap, least.normal), least.normal};
    return VS_OK;
}

vs_error vs_world_get_body_distance(const vs_world *world, vs_body_id a, vs_body_id b, double reach,
                                    vs_body_distance *distance) {
    if (!world || !distance)
        return fail_null(world);
    vs_error error = check(world, reach >= 0 && isfinite(reach));
    if (error)
        return error;
    const int i = vs_world_body_index(world, a), j = vs_world_body_index(world, b);
    if (i < 0 || j < 0 || i == j)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "distance: two different existing bodies are needed");
    *distance = (vs_body_distance){.distance = INFINITY};
    vs_mesh_points points = {.context = world->context};
    for (int p = world->body[i].first_collider; p >= 0 && !error; p = world->collider[p].next)
        for (int q = world->body[j].first_collider; q >= 0 && !error; q = world->collider[q].next)
            error = compare(world, &world->collider[p], &world->collider[q], reach, &points, distance);
    vs_release(world->context, points.at);
    return error;
}
