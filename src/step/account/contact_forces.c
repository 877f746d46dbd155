// Forces of the contacts on bodies, and between two of them: impulses of the last step over its length. The torque is that of
// the point of contact, where it was in the step, about the present centre of mass, and that of rolling and spinning friction.
#include <string.h>

#include "base/vec.h"
#include "step/account/contact_view.h"
#include "voussoir/observe.h"

// A force on a body, about a point.
typedef struct wrench {
    vs_vec3 force, torque;
} wrench;

// On b; with sign -1: on a.
static wrench wrench_of(const vs_simulation *s, const vs_contact_view *view, double sign, vs_vec3 about) {
    const double factor = sign / s->options.step;
    const vs_vec3 force = vs_scale(factor, view->impulse);
    const vs_vec3 torque = vs_cross(vs_subtract(view->point, about), force);
    return (wrench){force, vs_add_scaled(torque, factor, view->moment)};
}

static vs_vec3 centre_of(const vs_world *world, vs_body_id id) {
    return id.index == 0 ? VS_ZERO3 : world->body[id.index].pose.position;
}

static bool is_same(vs_body_id a, vs_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

// Adds the wrench to the numbers of a body. The world has none, nor has a body that was removed after the step.
static void add_to(const vs_simulation *s, vs_body_id id, double sign, const vs_contact_view *view, const int *row,
                   double *out) {
    if (id.index == 0 || vs_world_body_index(s->world, id) < 0)
        return;
    const wrench w = wrench_of(s, view, sign, centre_of(s->world, id));
    double *at = out + 6 * (ptrdiff_t)row[id.index];
    at[0] += w.force.x, at[1] += w.force.y, at[2] += w.force.z;
    at[3] += w.torque.x, at[4] += w.torque.y, at[5] += w.torque.z;
}

static vs_error fail_null(const vs_simulation *s) {
    return vs_fail(s ? s->context : NULL, VS_ERROR_ARGUMENT, "contact forces: an argument is null");
}

static vs_error check(const vs_simulation *s) {
    if (s->division)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "contact forces: the simulation is distributed");
    return VS_OK;
}

vs_error vs_simulation_get_contact_forces(const vs_simulation *s, double *out) {
    if (!s || !out)
        return fail_null(s);
    vs_error error = check(s);
    if (error)
        return error;
    const vs_world *world = s->world;
    int *row = vs_allocate(s->context, sizeof *row * (size_t)world->bodies), rows = 0;
    if (!row)
        return vs_fail_memory(s->context);
    for (int k = 0; k < world->bodies; k++) {
        row[k] = rows;
        rows += k > 0 && world->body[k].alive;
    }
    memset(out, 0, sizeof *out * 6 * (size_t)rows);
    const int count = vs_simulation_get_contact_count(s);
    for (int k = 0; k < count && !error; k++) {
        vs_contact_view view;
        error = vs_simulation_get_contact_at(s, k, &view);
        if (error)
            break;
        add_to(s, view.a, -1, &view, row, out);
        view.point = vs_subtract(view.point, vs_contact_view_shift(s, k));
        add_to(s, view.b, 1, &view, row, out);
    }
    vs_release(s->context, row);
    return error;
}

vs_error vs_simulation_get_pair_force(const vs_simulation *s, vs_body_id a, vs_body_id b, vs_vec3 *force,
                                      vs_vec3 *torque) {
    if (!s || !force || !torque)
        return fail_null(s);
    vs_error error = check(s);
    if (error)
        return error;
    if (vs_world_body_index(s->world, a) < 0 || vs_world_body_index(s->world, b) < 0 || is_same(a, b))
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "contact forces: needs two different bodies that exist");
    *force = *torque = VS_ZERO3;
    const int count = vs_simulation_get_contact_count(s);
    for (int k = 0; k < count && !error; k++) {
        vs_contact_view view;
        error = vs_simulation_get_contact_at(s, k, &view);
        const bool along = !error && is_same(view.a, a) && is_same(view.b, b);
        const bool against = !error && is_same(view.a, b) && is_same(view.b, a);
        if ((!along && !against) || view.flexible_a.generation > 0 || view.flexible_b.generation > 0)
            continue;
        if (along)
            view.point = vs_subtract(view.point, vs_contact_view_shift(s, k));
        const wrench w = wrench_of(s, &view, along ? 1 : -1, centre_of(s->world, b));
        *force = vs_add(*force, w.force);
        *torque = vs_add(*torque, w.torque);
    }
    return error;
}
