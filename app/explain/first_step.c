// The first step of a scene.
#include "explain/first_step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/body_name.h"
#include "cli/system/files.h"
#include "voussoir/voussoir.h"

static const double TOUCHES = 1e-3;     // of the smaller size: the envelope of bodies at rest
static const double NARROW = .015;      // of the size: a gap below it looks like one that should be closed
static const double AT_REST = .01;      // of the speed that free fall gains in a step
static const double VIOLENT = 1000;     // times gravity: neither loads nor impacts at the start are meant to do that
static const double VIOLENT_SPEED = 10; // m/s
enum { SEARCHED = 64 };                 // floating bodies whose neighbours are sought

typedef struct step {
    vs_scene *scene;
    const app_bodies *b;
    vs_simulation *simulation;
    int *group; // (bodies + 1) a forest of bodies that hold each other; the last is the world and all that is fixed
    app_first_step *out;
} step;

// ---- groups ------------------------------------------------------------------------------------------------------

static int root_of(int *group, int k) {
    while (group[k] != k)
        k = group[k] = group[group[k]];
    return k;
}

static int node_of(const step *s, vs_body_id id) {
    const int k = app_bodies_find(s->b, id);
    return k >= 0 && s->b->body[k].dynamic ? k : s->b->count;
}

static void join(step *s, vs_body_id a, vs_body_id b) {
    s->group[root_of(s->group, node_of(s, a))] = root_of(s->group, node_of(s, b));
}

static double smaller_size(const step *s, const vs_contact_view *c) {
    double size = INFINITY;
    const int pair[2] = {app_bodies_find(s->b, c->a), app_bodies_find(s->b, c->b)};
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0 && s->b->body[pair[i]].dynamic)
            size = fmin(size, s->b->body[pair[i]].side[2]);
    return size;
}

static void join_contacts(step *s) {
    vs_body_id last[2] = {{0, 0}, {0, 0}};
    for (int k = 0; k < vs_simulation_get_contact_count(s->simulation); k++) {
        vs_contact_view c;
        if (vs_simulation_get_contact_at(s->simulation, k, &c) != VS_OK || c.gap > TOUCHES * smaller_size(s, &c))
            continue;
        if (c.flexible_a.index != 0 || c.flexible_b.index != 0) // what a flexible body carries is not followed
            c.a = (vs_body_id){0, 0};
        join(s, c.a, c.b);
        s->out->pairs += c.a.index != last[0].index || c.b.index != last[1].index || k == 0;
        last[0] = c.a, last[1] = c.b;
    }
}

static void join_beams(step *s) {
    const vs_world *world = s->scene->world;
    for (int k = 0; k < vs_world_get_flexible_count(world); k++) {
        vs_flexible_view v;
        if (vs_world_get_flexible_view(world, vs_world_get_flexible_at(world, k), &v) != VS_OK || !v.beam)
            continue;
        for (int i = 0; i + 1 < v.nodes; i++)
            join(s, v.body[i], v.body[i + 1]);
    }
}

static void join_joints(step *s) {
    const vs_world *world = s->scene->world;
    for (int k = 0; k < vs_world_get_joint_count(world); k++) {
        vs_joint_def def;
        if (vs_world_get_joint_def(world, vs_world_get_joint_at(world, k), &def) != VS_OK)
            continue;
        if (def.kind != VS_JOINT_GEAR && def.kind != VS_JOINT_CAM && def.points == 0)
            join(s, def.a, def.b);
        for (int i = 0; i + 1 < def.points; i++)
            join(s, def.point[i].body, def.point[i + 1].body);
    }
}

// ---- gaps --------------------------------------------------------------------------------------------------------

static bool is_below(vs_vec3 normal, vs_vec3 gravity) {
    return normal.x * gravity.x + normal.y * gravity.y + normal.z * gravity.z > .5 * app_length(gravity);
}

// The least distance down to a body of another group.
static double find_gap(const step *s, int k, int *below) {
    const app_body *one = &s->b->body[k];
    const vs_vec3 gravity = vs_world_get_gravity(s->scene->world);
    double gap = INFINITY;
    for (int i = 0; i <= s->b->count; i++) {
        const vs_body_id other = i < s->b->count ? s->b->body[i].id : (vs_body_id){0, 0};
        vs_body_distance d;
        if (i != k && root_of(s->group, node_of(s, other)) != root_of(s->group, k) &&
            vs_world_get_body_distance(s->scene->world, one->id, other, NARROW * one->side[2], &d) == VS_OK &&
            d.distance < gap && d.distance > 0 && is_below(d.normal, gravity)) {
            gap = d.distance;
            *below = i;
        }
    }
    return gap;
}

// A scene most of whose bodies float is one of falling bodies.
static void check_gaps(step *s, app_findings *f) {
    int searched = 0, gaps = 0, first = -1, below = -1;
    double gap = 0;
    for (int k = 0; k < s->b->count; k++) {
        if (!s->b->body[k].dynamic || root_of(s->group, k) == root_of(s->group, s->b->count) ||
            !vs_world_is_body_present(s->b->world, s->b->body[k].id))
            continue;
        s->out->floating++;
    }
    const bool falls = s->out->floating > 2 && 2 * s->out->floating > s->b->dynamic;
    for (int k = 0; k < s->b->count && s->out->floating > 0 && !falls && searched < SEARCHED; k++) {
        if (!s->b->body[k].dynamic || root_of(s->group, k) == root_of(s->group, s->b->count) ||
            app_length(s->b->body[k].state.velocity) > 0)
            continue;
        int under = -1;
        searched++;
        const double found = find_gap(s, k, &under);
        if (isfinite(found) && gaps++ == 0)
            first = k, below = under, gap = found;
    }
    if (gaps == 0)
        return;
    char name[APP_BODY_NAME], other[APP_BODY_NAME], who[APP_FINDING_NAMES];
    app_finding_names(app_bodies_name(s->b, first, name), gaps, who);
    app_finding_add(f, "gap", "%s: %.3g m above %.60s: it falls onto it; close the gap, or is it meant to fall?", who,
                    gap, app_bodies_name(s->b, below < s->b->count ? below : -1, other));
}

// ---- motion ------------------------------------------------------------------------------------------------------

static void sort_bodies(step *s, app_findings *f) {
    const double gained = app_length(vs_world_get_gravity(s->scene->world)) * s->scene->options.step;
    app_first_step *out = s->out;
    int violent = -1;
    double most = 0;
    for (int k = 0; k < s->b->count; k++) {
        const app_body *one = &s->b->body[k];
        vs_body_state state;
        if (!one->dynamic || vs_world_get_body_state(s->scene->world, one->id, &state) != VS_OK)
            continue;
        const double change = app_distance(state.velocity, one->state.velocity);
        const double turn = app_distance(state.spin, one->state.spin) * one->side[2];
        const int kind = change + turn <= AT_REST * gained                                                       ? 0
                         : fabs(change - gained) <= AT_REST * gained && turn <= AT_REST * gained && !one->joined ? 1
                                                                                                                 : 2;
        int *const counts[3] = {&out->resting, &out->falling, &out->moving};
        ++*counts[kind];
        if (out->example[kind] < 0)
            out->example[kind] = k;
        if (change > most && change > VIOLENT_SPEED && change > VIOLENT * 9.81 * s->scene->options.step)
            most = change, violent = k;
    }
    char name[APP_BODY_NAME];
    if (violent >= 0)
        app_finding_add(f, "violent",
                        "%.60s gains %.3g m/s in the first step, %.2g times gravity: check loads (N), masses (kg) and "
                        "springs (N/m)",
                        app_bodies_name(s->b, violent, name), most, most / (9.81 * s->scene->options.step));
}

static vs_error check_overlaps(step *s, app_findings *f) {
    vs_overlap deepest;
    const vs_error error = vs_simulation_find_overlaps(s->simulation, 0, &deepest, 1, &s->out->overlaps);
    if (error != VS_OK || s->out->overlaps == 0)
        return error;
    char a[APP_BODY_NAME], b[APP_BODY_NAME], more[48] = "";
    if (s->out->overlaps > 1)
        (void)snprintf(more, sizeof more, ", and %d more pairs", s->out->overlaps - 1);
    app_body_name(s->scene->world, deepest.a, a);
    app_body_name(s->scene->world, deepest.b, b);
    app_finding_add(f, "overlap", "%.60s and %.60s overlap by %.3g m%s: they are pushed apart", a, b, deepest.depth,
                    more);
    return VS_OK;
}

// ---- all of it ---------------------------------------------------------------------------------------------------

static vs_error take(step *s, const char *output) {
    vs_world *world = s->scene->world;
#ifdef APP_TRAJECTORIES
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    options.step = s->scene->options.step;
    options.title = s->scene->name;
    if (output && !app_writes(output))
        return VS_ERROR_ARGUMENT;
    vs_error error = output ? vs_trajectory_writer_create(output, world, &options, &writer) : VS_OK;
    if (error == VS_OK && writer)
        error = vs_trajectory_writer_attach(writer, s->simulation);
    if (error == VS_OK)
        error = vs_simulation_step(s->simulation, &s->out->report);
    const vs_error closed = vs_trajectory_writer_close(writer);
    return error != VS_OK ? error : closed;
#else
    (void)output, (void)world;
    return vs_simulation_step(s->simulation, &s->out->report);
#endif
}

static void put_back(const step *s) {
    for (int k = 0; k < s->b->count; k++)
        (void)vs_world_set_body_state(s->scene->world, s->b->body[k].id, &s->b->body[k].state);
}

vs_error app_first_step_take(vs_scene *scene, const app_bodies *b, const char *output, app_first_step *first,
                             app_findings *f) {
    step s = {.scene = scene, .b = b, .out = first, .group = calloc((size_t)b->count + 1, sizeof *s.group)};
    *first = (app_first_step){.example = {-1, -1, -1}};
    if (!s.group)
        return VS_ERROR_MEMORY;
    for (int k = 0; k <= b->count; k++)
        s.group[k] = k;
    vs_error error = vs_simulation_create(scene->world, &scene->options, &s.simulation);
    if (error == VS_OK)
        error = check_overlaps(&s, f);
    if (error == VS_OK)
        error = take(&s, output);
    if (error == VS_OK) {
        join_contacts(&s);
        join_joints(&s);
        join_beams(&s);
        sort_bodies(&s, f);
        put_back(&s);
        check_gaps(&s, f);
    }
    vs_simulation_destroy(s.simulation);
    free(s.group);
    return error;
}
