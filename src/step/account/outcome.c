// The outcome of a simulation.
//
// Speeds are those of the fastest point: |v| + |spin| r, with the radius r of the body about its centre of mass. A body
// without support gains g h per step; one that stays below a small part of it for several steps therefore rests on something.
// Velocities of bodies that stand are some 1e-6 g h at the default tolerance. The energy error of an island, tol^2 times
// that of all of its bodies at g h, may be that of a single light body: the part grows with the tolerance.
//
// All is relative to what carries a body (carrier.h). A support S that moved from S0 takes a body from X0 to S S0^-1 X0:
// that is its place.
#include "step/account/outcome.h"

#include <math.h>

#include "base/elementary.h"
#include "base/names.h"
#include "body/flexible_data.h"
#include "step/account/watch.h"
#include "step/rows/island_tolerance.h"

static const double REST_SHARE = 1e-3; // of g h, at least
static const double REST_LOOSE = 300;  // times the tolerance, of g h,
static const double REST_MOST = .1;    // at most
static const double REST_TIME = .1;    // s: a rocking body is slower only at its turning points
static const double GRAVITY = 9.81;    // m/s^2, for worlds without gravity
static const double TURNED = .785398;  // rad, 45 degrees
static const double UNCARRIED = .05;   // of its radius: a body that goes so far without a support has none

typedef enum quantity { DISPLACEMENT, ROTATION, SPEED, QUANTITIES } quantity; // in the order of vs_stop_when
_Static_assert((int)QUANTITIES == (int)VS_WATCHED, "one vs_extreme each");

vs_stop_condition vs_stop_condition_default(void) {
    return (vs_stop_condition){.hold = REST_TIME};
}

const char *vs_stop_when_name(vs_stop_when when) {
    return vs_name_in(vs_stop_when_names(), (int)when, "?");
}

const char *vs_outcome_state_name(vs_outcome_state state) {
    return vs_name_in(vs_outcome_state_names(), (int)state, "?");
}

static vs_body_id id_of(const vs_world *world, int body) {
    return body > 0 ? (vs_body_id){(uint32_t)body, world->body[body].generation} : (vs_body_id){0, 0};
}

static bool is_zero(vs_body_id id) {
    return id.index == 0 && id.generation == 0;
}

// ---- the beginning ---------------------------------------------------------------------------------

void vs_watch_measure_radii(vs_watch *w, const vs_world *world) {
    for (int k = 0; k < world->bodies; k++)
        w->start.data[k].radius = 0;
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        double *radius = &w->start.data[c->body].radius;
        if (c->alive)
            *radius = fmax(*radius, vs_shape_arm(c->shape, c->pose));
    }
    w->topology = world->topology;
}

static bool has_moving_support(const vs_world *world) {
    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].alive && world->body[k].motion == VS_MOTION_KINEMATIC)
            return true;
    return false;
}

vs_error vs_watch_reserve(vs_watch *w, const vs_world *world) {
    const vs_error error = VS_RESERVE(w->context, &w->start, world->bodies);
    return error ? error : vs_carriers_reserve(&w->carriers, world);
}

// Bodies that are new begin here.
static vs_error note_new(vs_watch *w, const vs_world *world) {
    const vs_error error = vs_watch_reserve(w, world);
    if (error)
        return error;
    const bool driven = has_moving_support(world);
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        if (body->absent)
            w->start.data[k] = (vs_watched_start){0}; // begins when it enters
        if (!vs_body_takes_part(body) || w->start.data[k].generation == body->generation)
            continue;
        w->start.data[k] = (vs_watched_start){.generation = body->generation, .pose = body->pose, .time = world->time};
        const bool unknown = driven && body->motion == VS_MOTION_DYNAMIC;
        w->carriers.of.data[k] = unknown ? VS_CARRIER_UNKNOWN : body->motion == VS_MOTION_KINEMATIC ? k : 0;
        w->uncarried = w->uncarried || unknown;
    }
    vs_watch_measure_radii(w, world);
    return VS_OK;
}

static vs_error validate(const vs_world *world, const vs_stop_condition *c, int k) {
    if ((unsigned)c->when > VS_STOP_FALL)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "stop[%d].when: unknown value %d", k, (int)c->when);
    if (!(c->limit >= 0) || isinf(c->limit))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "stop[%d].limit: must not be negative, is %g", k, c->limit);
    if (!(c->hold >= 0) || isinf(c->hold))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "stop[%d].hold: must not be negative, is %g s", k, c->hold);
    if ((!is_zero(c->body) && vs_world_body_index(world, c->body) < 0) ||
        (!is_zero(c->other) && vs_world_body_index(world, c->other) < 0))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "stop[%d]: the body does not exist", k);
    return VS_OK;
}

static vs_error copy_conditions(vs_watch *w, const vs_world *world, const vs_simulation_options *o) {
    if (o->stops < 0 || (o->stops > 0 && !o->stop))
        return vs_fail(w->context, VS_ERROR_ARGUMENT, "stop: the array of %d conditions is null", o->stops);
    vs_error error = VS_OK;
    for (int k = 0; k < o->stops && !error; k++)
        error = validate(world, &o->stop[k], k);
    if (error || o->stops == 0)
        return error;
    w->condition = vs_allocate(w->context, (size_t)o->stops * sizeof *w->condition);
    w->calm = vs_allocate(w->context, (size_t)o->stops * sizeof *w->calm);
    if (!w->condition || !w->calm)
        return vs_fail_memory(w->context);
    w->conditions = o->stops;
    for (int k = 0; k < o->stops; k++) {
        w->condition[k] = o->stop[k];
        w->calm[k] = (double)NAN;
    }
    return VS_OK;
}

static double rest_share(double tolerance) {
    return fmax(REST_SHARE, fmin(REST_LOOSE * tolerance, REST_MOST));
}

vs_error vs_watch_create(const vs_world *world, const vs_simulation_options *options, vs_watch **watch) {
    vs_watch *w = vs_allocate(world->context, sizeof *w);
    if (!w)
        return vs_fail_memory(world->context);
    const double g = vs_length(world->gravity);
    const double share = rest_share(options->solver.tolerance),
                 loose = rest_share(fmax(options->solver.tolerance, options->solver.granular_tolerance));
    *w = (vs_watch){.context = world->context,
                    .begin = world->time,
                    .rest_speed = share * (g > 0 ? g : GRAVITY) * options->step,
                    .rest_ratio = share / loose,
                    .rest_since = (double)NAN,
                    .outcome = {.condition = -1, .state = VS_OUTCOME_MOVING}};
    vs_error error = copy_conditions(w, world, options);
    if (!error)
        error = note_new(w, world);
    if (error)
        vs_watch_destroy(w);
    else
        *watch = w;
    return error;
}

void vs_watch_destroy(vs_watch *w) {
    if (!w)
        return;
    VS_ARRAY_RELEASE(w->context, &w->start);
    vs_carriers_release(&w->carriers, w->context);
    vs_release(w->context, w->condition);
    vs_release(w->context, w->calm);
    vs_release(w->context, w);
}

const vs_outcome *vs_watch_outcome(const vs_watch *w) {
    return &w->outcome;
}

const vs_stop_condition *vs_watch_conditions(const vs_watch *w) {
    return w->condition;
}

// ---- bodies ----------------------------------------------------------------------------------------

// The moving support of a body; 0: the ground, or not known.
static int carrier_of(const vs_watch *w, const vs_world *world, int k) {
    const int by = w->carriers.of.data[k];
    const bool there = by > 0 && world->body[by].alive && world->body[by].generation == w->start.data[by].generation;
    return there && by != k ? by : 0;
}

static void measure_body(const vs_watch *w, const vs_world *world, int k, double value[QUANTITIES]) {
    const vs_body *body = &world->body[k];
    const vs_watched_start *from = &w->start.data[k];
    const double radius = isfinite(from->radius) ? from->radius : 0; // a plane has none
    const int by = carrier_of(w, world, k);
    vs_pose place = from->pose;
    vs_vec3 velocity = body->velocity, spin = body->spin;
    if (by > 0) {
        const vs_body *support = &world->body[by];
        const vs_vec3 turn = vs_rotate(support->pose.rotation, support->spin);
        const vs_vec3 arm = vs_subtract(body->pose.position, support->pose.position);
        place = vs_pose_multiply(support->pose, vs_pose_relative(place, w->start.data[by].pose));
        velocity = vs_subtract(velocity, vs_add(support->velocity, vs_cross(turn, arm)));
        spin = vs_subtract(spin, vs_rotate_back(body->pose.rotation, turn));
    }
    const vs_quat q = vs_quat_multiply(body->pose.rotation, vs_quat_conjugate(place.rotation));
    value[DISPLACEMENT] = vs_length(vs_subtract(body->pose.position, place.position));
    value[ROTATION] = 2 * vs_atan2(vs_length((vs_vec3){q.x, q.y, q.z}), fabs(q.w));
    value[SPEED] = vs_length(velocity) + radius * vs_length(spin);
}

// A body without a shape has no size: only its rotation counts.
static bool has_left(const vs_watch *w, int k, const double value[QUANTITIES]) {
    const double radius = w->start.data[k].radius;
    return value[ROTATION] > TURNED || (radius > 0 && value[DISPLACEMENT] > 2 * radius);
}

static bool is_watched(const vs_world *world, int k) {
    return vs_body_takes_part(&world->body[k]) && world->body[k].motion == VS_MOTION_DYNAMIC;
}

// Supports of bodies that have none yet: those of their first contacts. What moved before it had any is on the ground.
static void find_carriers(vs_watch *w, const vs_simulation *s) {
    const vs_world *world = s->world;
    w->uncarried = false;
    vs_carriers_find(&w->carriers, s);
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        vs_watched_start *from = &w->start.data[k];
        int *by = &w->carriers.of.data[k];
        const double moved = vs_length(vs_subtract(body->pose.position, from->pose.position));
        if (!vs_body_takes_part(body) || body->motion != VS_MOTION_DYNAMIC || from->carried)
            continue;
        if (*by == VS_CARRIER_UNKNOWN && !(moved <= UNCARRIED * from->radius))
            *by = 0;
        from->carried = *by != VS_CARRIER_UNKNOWN;
        w->uncarried = w->uncarried || !from->carried;
        // It came when its support had moved already: it begins now.
        if (*by > 0 && w->start.data[*by].time < from->time)
            from->pose = vs_pose_multiply(w->start.data[*by].pose, vs_pose_relative(body->pose, world->body[*by].pose));
    }
}

// The speed of a body as the limit of rest counts it: what a loose tolerance leaves is no motion.
static double unrest_of(const vs_watch *w, const vs_simulation *s, int body, double speed) {
    const vs_island_map *islands = vs_step_problem_islands(&s->problem);
    const bool known = islands && body < s->blocks.of_body.count;
    const bool loose =
        known && vs_block_is_loose(&s->options.solver, islands, &s->blocks, vs_blocks_of_body(&s->blocks, body));
    return loose ? w->rest_ratio * speed : speed;
}

static void measure_bodies(vs_watch *w, const vs_simulation *s) {
    const vs_world *world = s->world;
    w->unrest = 0;
    for (int i = 0; i < QUANTITIES; i++)
        w->present[i] = (vs_extreme){0, 0};
    for (int k = 1; k < world->bodies; k++) {
        double value[QUANTITIES];
        if (!is_watched(world, k))
            continue;
        measure_body(w, world, k, value);
        w->unrest = fmax(w->unrest, unrest_of(w, s, k, value[SPEED]));
        for (int i = 0; i < QUANTITIES; i++)
            if (value[i] > w->present[i].value)
                w->present[i] = (vs_extreme){value[i], k};
        if (is_zero(w->outcome.displaced) && has_left(w, k, value))
            w->outcome.displaced = id_of(world, k);
    }
}

// Nodes of flexible solids, m/s; beams have bodies as nodes.
static double fastest_node(const vs_world *world) {
    double speed = 0;
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        for (int i = 0; f->alive && !f->beam && i < f->nodes; i++)
            speed = fmax(speed, vs_length(f->velocity[i]));
    }
    return speed;
}

// ---- conditions ------------------------------------------------------------------------------------

// Is a contact of these two bodies the one of a condition?
static bool is_between(const vs_stop_condition *c, uint32_t a, uint32_t b) {
    const bool first = is_zero(c->body) || a == c->body.index, second = is_zero(c->body) || b == c->body.index;
    return (first && (!c->pair || b == c->other.index)) || (second && (!c->pair || a == c->other.index));
}

static bool touches(const vs_simulation *s, const vs_stop_condition *c, vs_extreme *met) {
    const int count = vs_simulation_get_contact_count(s);
    for (int k = 0; k < count; k++) {
        vs_contact_view view;
        if (vs_simulation_get_contact_at(s, k, &view) == VS_OK && vs_length(view.impulse) > 0 &&
            is_between(c, view.a.index, view.b.index)) {
            *met = (vs_extreme){vs_length(view.impulse), (int)c->body.index};
            return true;
        }
    }
    for (int64_t k = 0; k < s->control.struck.count; k++) {
        const vs_struck_contact *struck = &s->control.struck.data[k];
        if (is_between(c, (uint32_t)struck->a, (uint32_t)struck->b)) {
            *met = (vs_extreme){struck->impulse, (int)c->body.index};
            return true;
        }
    }
    return false;
}

// Slow for long enough; `since` is when it became slow.
static bool rests(double *since, double speed, double limit, double hold, double h, double now) {
    if (!(speed <= limit))
        *since = (double)NAN;
    else if (isnan(*since))
        *since = now - h;
    return now - *since >= hold - .5 * h; // half a step: rounding
}

static bool has_fallen(const vs_watch *w, const vs_world *world, int body, vs_extreme *met) {
    double value[QUANTITIES];
    const int who = body > 0 ? body : (int)w->outcome.displaced.index;
    if (who == 0)
        return false;
    measure_body(w, world, who, value);
    *met = (vs_extreme){value[DISPLACEMENT], who};
    return body == 0 || has_left(w, who, value);
}

// Of the body of a condition, or the largest one of all.
static vs_extreme quantity_of(const vs_watch *w, const vs_world *world, int body, quantity which) {
    double value[QUANTITIES];
    if (body == 0)
        return w->present[which];
    measure_body(w, world, body, value);
    return (vs_extreme){value[which], body};
}

static double unrest_of_condition(const vs_watch *w, const vs_simulation *s, int body, double speed) {
    return body > 0 ? unrest_of(w, s, body, speed) : w->unrest;
}

static bool is_met(vs_watch *w, const vs_simulation *s, int k, vs_extreme *met) {
    const vs_stop_condition *c = &w->condition[k];
    const int body = (int)c->body.index;
    if (body > 0 && vs_world_body_index(s->world, c->body) < 0)
        return false; // it was removed
    switch (c->when) {
    case VS_STOP_DISPLACEMENT:
    case VS_STOP_ROTATION:
    case VS_STOP_SPEED:
        *met = quantity_of(w, s->world, body, (quantity)c->when);
        return met->value > c->limit;
    case VS_STOP_REST:
        *met = (vs_extreme){body > 0 ? quantity_of(w, s->world, body, SPEED).value : w->outcome.speed, body};
        return rests(&w->calm[k], c->limit > 0 ? met->value : unrest_of_condition(w, s, body, met->value),
                     c->limit > 0 ? c->limit : w->rest_speed, c->hold, s->options.step, s->world->time);
    case VS_STOP_CONTACT:
        return touches(s, c, met);
    case VS_STOP_FALL:
        return has_fallen(w, s->world, body, met);
    }
    return false;
}

// ---- a step ----------------------------------------------------------------------------------------

static void keep_largest(double *largest, vs_body_id *body, const vs_world *world, vs_extreme now) {
    if (now.value > *largest) {
        *largest = now.value;
        *body = id_of(world, now.body);
    }
}

static vs_body_id support_of(const vs_watch *w, const vs_world *world, int body) {
    return id_of(world, body > 0 ? carrier_of(w, world, body) : 0);
}

static void describe(vs_watch *w, const vs_simulation *s) {
    vs_outcome *o = &w->outcome;
    const vs_world *world = s->world;
    const double h = s->options.step;
    const double nodes = fastest_node(world);
    o->speed = fmax(w->present[SPEED].value, nodes);
    w->unrest = fmax(w->unrest, nodes);
    o->at_rest = rests(&w->rest_since, w->unrest, w->rest_speed, REST_TIME, h, world->time) ||
                 w->rest_since <= w->begin + .5 * h;
    if (w->present[DISPLACEMENT].value > o->displacement)
        o->farthest_on = support_of(w, world, w->present[DISPLACEMENT].body);
    keep_largest(&o->displacement, &o->farthest, world, w->present[DISPLACEMENT]);
    o->residual = w->present[DISPLACEMENT].value;
    o->residual_of = id_of(world, w->present[DISPLACEMENT].body);
    o->residual_on = support_of(w, world, w->present[DISPLACEMENT].body);
    keep_largest(&o->rotation, &o->most_turned, world, w->present[ROTATION]);
    o->state = !is_zero(o->displaced) ? VS_OUTCOME_DISPLACED : o->at_rest ? VS_OUTCOME_STANDS : VS_OUTCOME_MOVING;
}

vs_error vs_watch_update(vs_watch *w, const vs_simulation *s, bool *met) {
    const vs_world *world = s->world;
    const vs_error error = world->topology != w->topology ? note_new(w, world) : VS_OK;
    *met = false;
    if (error)
        return error;
    if (w->uncarried)
        find_carriers(w, s);
    measure_bodies(w, s);
    describe(w, s);
    w->outcome.condition = -1;
    w->outcome.met_by = (vs_body_id){0, 0};
    w->outcome.met_value = 0;
    for (int k = 0; k < w->conditions; k++) {
        vs_extreme by = {0, 0};
        // All are evaluated: each has a memory of its own. The first one counts.
        if (is_met(w, s, k, &by) && !*met) {
            *met = true;
            w->outcome.condition = k;
            w->outcome.met_by = id_of(world, by.body);
            w->outcome.met_value = by.value;
        }
    }
    return VS_OK;
}
