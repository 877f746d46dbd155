// Damage of dry joints: see voussoir/damage.h.
#include "voussoir/damage.h"

#include <math.h>
#include <stdlib.h>

#include "statics/interfaces.h"

// A corner of an interface as a point of both bodies.
typedef struct corner {
    vs_vec3 a, b;   // m, in the axes of each body
    vs_vec3 normal; // from a to b, in the axes of a
} corner;

typedef struct joint {
    vs_interface_damage damage;
    int64_t first, corners;
} joint;

struct vs_damage {
    vs_context *context;
    const vs_world *world;
    VS_ARRAY(joint) joint;
    VS_ARRAY(corner) corner;
};

// ---- joints ------------------------------------------------------------------------------------------

static int compare_bodies(uint32_t a, uint32_t b, uint32_t other_a, uint32_t other_b) {
    return a != other_a ? (a > other_a) - (a < other_a) : (b > other_b) - (b < other_b);
}

static int compare_interfaces(const void *p, const void *q) {
    const vs_interface *x = p, *y = q;
    const int order = compare_bodies(x->a.index, x->b.index, y->a.index, y->b.index);
    return order != 0 ? order : (x->first > y->first) - (x->first < y->first);
}

static corner place_corner(const vs_world *world, const vs_interface *it, vs_vec3 point) {
    const vs_pose a = world->body[it->a.index].pose, b = world->body[it->b.index].pose;
    return (corner){vs_pose_apply_back(a, point), vs_pose_apply_back(b, point), vs_rotate_back(a.rotation, it->normal)};
}

// The next interface, of the same pair as the last one or of a new pair.
static vs_error add(vs_damage *d, const vs_interface *it, const vs_vec3 *point, double *largest) {
    joint *last = d->joint.count > 0 ? &d->joint.data[d->joint.count - 1] : NULL;
    const bool known = last && last->damage.a.index == it->a.index && last->damage.b.index == it->b.index;
    vs_error error = VS_RESERVE(d->context, &d->joint, d->joint.count + 1);
    if (!error)
        error = VS_RESERVE(d->context, &d->corner, d->corner.count + it->corners);
    if (error)
        return error;
    if (!known) {
        d->joint.data[d->joint.count++] = (joint){.damage = {.a = it->a, .b = it->b}, .first = d->corner.count};
        *largest = -1;
    }
    joint *j = &d->joint.data[d->joint.count - 1];
    if (it->area > *largest) {
        *largest = it->area;
        j->damage.centre = it->centre;
        j->damage.normal = it->normal;
    }
    j->damage.area += it->area;
    for (int k = 0; k < it->corners; k++)
        d->corner.data[d->corner.count++] = place_corner(d->world, it, point[it->first + k]);
    j->corners += it->corners;
    return VS_OK;
}

static vs_error list_joints(vs_damage *d, const vs_interface_options *options) {
    vs_interfaces found;
    vs_error error = vs_interfaces_find(d->world, options, NULL, &found);
    double largest = -1; // area of the joint's interfaces so far
    if (error)
        return error;
    for (int64_t k = 0; k < found.list.count; k++) {
        vs_interface *it = &found.list.data[k];
        if (it->a.index > it->b.index) {
            const vs_body_id a = it->a;
            it->a = it->b, it->b = a;
            it->normal = vs_scale(-1, it->normal);
        }
    }
    if (found.list.count > 1)
        qsort(found.list.data, (size_t)found.list.count, sizeof *found.list.data, compare_interfaces);
    for (int64_t k = 0; k < found.list.count && !error; k++)
        error = add(d, &found.list.data[k], found.point.data, &largest);
    vs_interfaces_release(d->context, &found);
    return error;
}

vs_error vs_damage_create(const vs_world *world, const vs_interface_options *options, vs_damage **out) {
    if (!out)
        return VS_ERROR_ARGUMENT;
    *out = NULL;
    if (!world)
        return VS_ERROR_ARGUMENT;
    const vs_interface_options defaults = vs_interface_options_default();
    vs_damage *d = vs_allocate(world->context, sizeof *d);
    if (!d)
        return vs_fail_memory(world->context);
    *d = (vs_damage){.context = world->context, .world = world};
    const vs_error error = list_joints(d, options ? options : &defaults);
    if (error)
        vs_damage_destroy(d);
    else
        *out = d;
    return error;
}

void vs_damage_destroy(vs_damage *d) {
    if (!d)
        return;
    VS_ARRAY_RELEASE(d->context, &d->joint);
    VS_ARRAY_RELEASE(d->context, &d->corner);
    vs_release(d->context, d);
}

// ---- damage ------------------------------------------------------------------------------------------

static bool lives(const vs_world *world, vs_body_id id) {
    return id.index == 0 || ((int)id.index < world->bodies && world->body[id.index].alive &&
                             world->body[id.index].generation == id.generation);
}

static void update_joint(const vs_damage *d, joint *j) {
    vs_interface_damage *damage = &j->damage;
    if (!lives(d->world, damage->a) || !lives(d->world, damage->b))
        return;
    const vs_pose a = d->world->body[damage->a.index].pose, b = d->world->body[damage->b.index].pose;
    damage->opening = damage->slip = 0;
    for (int64_t k = 0; k < j->corners; k++) {
        const corner *c = &d->corner.data[j->first + k];
        const vs_vec3 normal = vs_rotate(a.rotation, c->normal);
        const vs_vec3 apart = vs_subtract(vs_pose_apply(b, c->b), vs_pose_apply(a, c->a));
        const double opening = vs_dot(normal, apart);
        damage->opening = fmax(damage->opening, opening);
        damage->slip = fmax(damage->slip, vs_length(vs_add_scaled(apart, -opening, normal)));
    }
    damage->opening_most = fmax(damage->opening_most, damage->opening);
    damage->slip_most = fmax(damage->slip_most, damage->slip);
}

void vs_damage_update(vs_damage *d) {
    for (int64_t k = 0; d && k < d->joint.count; k++)
        update_joint(d, &d->joint.data[k]);
}

// The world has index 0 and any generation.
static bool is_same(vs_body_id a, vs_body_id b) {
    return a.index == b.index && (a.index == 0 || a.generation == b.generation);
}

bool vs_damage_dissipate(vs_damage *d, vs_body_id a, vs_body_id b, double energy) {
    const vs_body_id low = a.index < b.index ? a : b, high = a.index < b.index ? b : a;
    int64_t first = 0, end = d ? d->joint.count : 0;
    while (first < end) {
        const int64_t middle = first + (end - first) / 2;
        vs_interface_damage *damage = &d->joint.data[middle].damage;
        const int order = compare_bodies(low.index, high.index, damage->a.index, damage->b.index);
        if (order == 0) {
            const bool same = is_same(low, damage->a) && is_same(high, damage->b);
            damage->dissipation += same ? energy : 0;
            return same;
        }
        if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    return false;
}

int vs_damage_get_joint_count(const vs_damage *d) {
    return d ? (int)d->joint.count : 0;
}

vs_error vs_damage_get_joint(const vs_damage *d, int k, vs_interface_damage *out) {
    if (!d || !out || k < 0 || k >= d->joint.count)
        return VS_ERROR_ARGUMENT;
    *out = d->joint.data[k].damage;
    return VS_OK;
}
