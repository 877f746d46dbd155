// Events of a step: pairs of bodies that press on each other, or of which a sensor touches the other, compared with those
// of the step before. Both lists are sorted by bodies, contacts before sensors.
#include "step/account/events.h"

#include <stdlib.h>

#include "collide/mesh/mesh.h"
#include "problem/problem_data.h"
#include "step/account/contact_view.h"

void vs_events_release(vs_context *context, vs_events *events) {
    VS_ARRAY_RELEASE(context, &events->former);
    VS_ARRAY_RELEASE(context, &events->now);
    VS_ARRAY_RELEASE(context, &events->event);
}

static int compare(const vs_contact_event *p, const vs_contact_event *q) {
    if (p->a.index != q->a.index)
        return p->a.index < q->a.index ? -1 : 1;
    if (p->b.index != q->b.index)
        return p->b.index < q->b.index ? -1 : 1;
    if (p->a.generation != q->a.generation)
        return p->a.generation < q->a.generation ? -1 : 1;
    if (p->b.generation != q->b.generation)
        return p->b.generation < q->b.generation ? -1 : 1;
    return (int)p->sensor - (int)q->sensor;
}

static int compare_events(const void *p, const void *q) {
    return compare(p, q);
}

static vs_body_id id_of(const vs_world *world, int body) {
    return (vs_body_id){(uint32_t)body, world->body[body].generation};
}

// ---- pairs that touch ------------------------------------------------------------------------------

// Sums over the contacts of each pair of bodies that press; contacts are sorted by bodies.
static vs_error list_contacts(vs_simulation *s) {
    vs_events *e = &s->events;
    const vs_problem *problem = s->problem.problem;
    vs_contact_event *last = NULL;
    double total = 0; // of the normal impulses of the last pair
    for (int k = 0; k < s->contacts.rigid->count; k++) {
        const double normal = s->problem.result.lambda[problem->row[k]];
        if (!(normal > 0))
            continue;
        vs_contact_view view;
        vs_contact_view_fill(s, k, &view);
        if (!last || last->a.index != view.a.index || last->b.index != view.b.index) {
            if (VS_RESERVE(s->context, &e->now, e->now.count + 1))
                return VS_ERROR_MEMORY;
            last = &e->now.data[e->now.count++];
            *last = (vs_contact_event){.a = view.a, .b = view.b};
            total = 0;
        }
        total += normal;
        last->impulse = vs_add(last->impulse, view.impulse);
        last->point = vs_add_scaled(last->point, normal / total, vs_subtract(view.point, last->point));
    }
    return VS_OK;
}

static bool may_sense(const vs_world *world, const vs_collider *sensor, const vs_collider *other) {
    return other->alive && !world->body[other->body].absent && !other->sensor && other->body != sensor->body &&
           (sensor->group & other->mask) && (other->group & sensor->mask) &&
           !vs_world_ignores(world, sensor->body, other->body);
}

static vs_error sense(vs_simulation *s, const vs_collider *sensor, vs_mesh_points *points) {
    const vs_world *world = s->world;
    vs_events *e = &s->events;
    const vs_pose pose = vs_collider_pose(world, sensor);
    vs_error error = VS_OK;
    for (int k = 0; k < world->colliders && !error; k++) {
        const vs_collider *other = &world->collider[k];
        bool touch;
        if (!may_sense(world, sensor, other))
            continue;
        error = vs_shapes_touch(sensor->shape, pose, other->shape, vs_collider_pose(world, other), points, &touch);
        if (!error && touch)
            error = VS_RESERVE(s->context, &e->now, e->now.count + 1);
        if (error || !touch)
            continue;
        const bool first = sensor->body < other->body;
        e->now.data[e->now.count++] = (vs_contact_event){.a = id_of(world, first ? sensor->body : other->body),
                                                         .b = id_of(world, first ? other->body : sensor->body),
                                                         .sensor = true};
    }
    return error;
}

static vs_error list_sensed(vs_simulation *s) {
    vs_mesh_points points = {.context = s->context};
    vs_error error = VS_OK;
    for (int k = 0; k < s->world->colliders && !error; k++)
        if (s->world->collider[k].alive && s->world->collider[k].sensor)
            error = sense(s, &s->world->collider[k], &points);
    vs_release(s->context, points.at);
    return error;
}

// Several colliders of a body may touch the same sensor.
static void drop_equal(vs_events *e) {
    int64_t kept = 0;
    for (int64_t k = 0; k < e->now.count; k++)
        if (kept == 0 || compare(&e->now.data[kept - 1], &e->now.data[k]) != 0)
            e->now.data[kept++] = e->now.data[k];
    e->now.count = kept;
}

// ---- events ----------------------------------------------------------------------------------------

static vs_error merge(vs_simulation *s) {
    vs_events *e = &s->events;
    vs_error error = VS_RESERVE(s->context, &e->event, e->former.count + e->now.count);
    e->event.count = 0;
    for (int64_t i = 0, j = 0; (i < e->former.count || j < e->now.count) && !error;) {
        const int order = i == e->former.count ? 1
                          : j == e->now.count  ? -1
                                               : compare(&e->former.data[i], &e->now.data[j]);
        vs_contact_event event = order < 0 ? e->former.data[i] : e->now.data[j];
        event.kind = order < 0 ? VS_EVENT_END : order > 0 ? VS_EVENT_BEGIN : VS_EVENT_PERSIST;
        if (order < 0)
            event.impulse = event.point = VS_ZERO3;
        e->event.data[e->event.count++] = event;
        i += order <= 0;
        j += order >= 0;
    }
    return error;
}

vs_error vs_events_find(vs_simulation *s) {
    vs_events *e = &s->events;
    // The pairs of the last step become the former ones; their memory is used again.
    const vs_events last = *e;
    e->former.data = last.now.data, e->former.count = last.now.count, e->former.capacity = last.now.capacity;
    e->now.data = last.former.data, e->now.count = 0, e->now.capacity = last.former.capacity;
    if (s->division)
        return VS_OK;
    vs_error error = list_contacts(s);
    if (!error)
        error = list_sensed(s);
    if (!error && e->now.count > 1)
        qsort(e->now.data, (size_t)e->now.count, sizeof *e->now.data, compare_events);
    drop_equal(e);
    return error ? error : merge(s);
}

int vs_simulation_get_event_count(const vs_simulation *s) {
    return s ? (int)s->events.event.count : 0;
}

vs_error vs_simulation_get_event_at(const vs_simulation *s, int k, vs_contact_event *event) {
    if (!s || !event)
        return VS_ERROR_ARGUMENT;
    const int count = vs_simulation_get_event_count(s);
    if (k < 0 || k >= count)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "event %d: there are %d", k, count);
    *event = s->events.event.data[k];
    return VS_OK;
}
