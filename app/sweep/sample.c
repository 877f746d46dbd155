// One member of a sweep, in its own process: the run of 'voussoir run', and the numbers of its final state.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "cli/message.h"
#include "run/run.h"
#include "sweep/sweep.h"
#include "voussoir/voussoir.h"

#ifdef __linux__
#endif

// ---- quantities --------------------------------------------------------------------------------------------

// In the order of the enum.
static const struct {
    const char *name, *unit;
    int size;
    const char *part[4];
} quantities[] = {
    {"position", "m", 3, {"x", "y", "z"}},    {"rotation", "", 4, {"w", "x", "y", "z"}},
    {"velocity", "m/s", 3, {"x", "y", "z"}},  {"spin", "rad/s", 3, {"x", "y", "z"}},
    {"joint", "", 2, {"coordinate", "rate"}}, {"force", "N", 3, {"x", "y", "z"}},
    {"torque", "N m", 3, {"x", "y", "z"}},
};
enum { KINDS = sizeof quantities / sizeof quantities[0] };

int app_quantity_size(app_quantity_kind kind) {
    return quantities[kind].size;
}

bool app_sweep_add_quantity(app_sweep_options *options, const char *text) {
    const size_t length = strcspn(text, ":");
    const char *name = text[length] ? text + length + 1 : "";
    app_quantity *q = &options->quantity[options->quantities];
    int kind = 0;
    while (kind < KINDS &&
           !(strlen(quantities[kind].name) == length && strncmp(quantities[kind].name, text, length) == 0))
        kind++;
    if (kind == KINDS || !*name || strlen(name) >= sizeof q->name) {
        app_complain("--quantity: '%.60s' is not position:BODY, rotation:BODY, velocity:BODY, spin:BODY, joint:JOINT, "
                     "force:JOINT or torque:JOINT; for instance --quantity position:crate",
                     text);
        return false;
    }
    if (options->quantities == APP_SWEEP_QUANTITIES) {
        app_complain("--quantity: more than %d; keep --trajectories instead", APP_SWEEP_QUANTITIES);
        return false;
    }
    for (int k = 0; k < options->quantities; k++) {
        if ((int)options->quantity[k].kind == kind && strcmp(options->quantity[k].name, name) == 0) {
            app_complain("--quantity: '%.60s' is given twice; leave one away", text);
            return false;
        }
    }
    q->kind = (app_quantity_kind)kind;
    (void)snprintf(q->name, sizeof q->name, "%s", name);
    options->numbers += quantities[kind].size;
    options->quantities++;
    return true;
}

void app_quantity_column(const app_sweep_options *options, int k, char name[2 * APP_SWEEP_NAME], const char **unit) {
    int at = 0;
    while (k >= quantities[options->quantity[at].kind].size)
        k -= quantities[options->quantity[at++].kind].size;
    const app_quantity *q = &options->quantity[at];
    (void)snprintf(name, (size_t)2 * APP_SWEEP_NAME, "%s.%s.%s", q->name, quantities[q->kind].name,
                   quantities[q->kind].part[k]);
    *unit = quantities[q->kind].unit;
}

// The k-th body or joint for "#k", -1 for names.
static int number_of(const char *name, int count) {
    char *end = NULL;
    const long k = name[0] == '#' ? strtol(name + 1, &end, 10) : -1;
    return end && end != name + 1 && *end == '\0' && k >= 0 && k < count ? (int)k : -1;
}

static vs_body_id find_body(const vs_world *world, const char *name) {
    const int k = number_of(name, vs_world_get_body_count(world));
    return k >= 0 ? vs_world_get_body_at(world, k) : vs_world_find_body(world, name);
}

static vs_joint_id find_joint(const vs_world *world, const char *name) {
    const int k = number_of(name, vs_world_get_joint_count(world));
    return k >= 0 ? vs_world_get_joint_at(world, k) : vs_world_find_joint(world, name);
}

static void put3(double *to, vs_vec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static bool put_joint(const vs_world *world, const app_quantity *q, double *to) {
    const vs_joint_id id = find_joint(world, q->name);
    vs_vec3 force = {0}, torque = {0};
    if (id.index == 0 && id.generation == 0)
        return false;
    if (q->kind == APP_QUANTITY_JOINT)
        return vs_world_get_joint_coordinate(world, id, &to[0], &to[1]) == VS_OK;
    if (vs_world_get_joint_reaction(world, id, &force, &torque) != VS_OK)
        return false;
    put3(to, q->kind == APP_QUANTITY_FORCE ? force : torque);
    return true;
}

static bool put_body(const vs_world *world, const app_quantity *q, double *to) {
    const vs_body_id id = find_body(world, q->name);
    vs_body_state state;
    if ((id.index == 0 && id.generation == 0) || vs_world_get_body_state(world, id, &state) != VS_OK)
        return false;
    const vs_quat r = state.pose.rotation;
    if (q->kind == APP_QUANTITY_ROTATION)
        memcpy(to, (const double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *to);
    else
        put3(to, q->kind == APP_QUANTITY_POSITION   ? state.pose.position
                 : q->kind == APP_QUANTITY_VELOCITY ? state.velocity
                                                    : state.spin);
    return true;
}

static void put_quantities(const app_sweep_options *o, const vs_world *world, app_sweep_result *result) {
    double *to = result->quantity;
    for (int k = 0; k < o->quantities; k++) {
        const app_quantity *q = &o->quantity[k];
        for (int i = 0; i < quantities[q->kind].size; i++)
            to[i] = (double)NAN;
        const bool there = q->kind >= APP_QUANTITY_JOINT ? put_joint(world, q, to) : put_body(world, q, to);
        if (!there && !result->absent[0])
            (void)snprintf(result->absent, sizeof result->absent, "%s", q->name);
        to += quantities[q->kind].size;
    }
}

// ---- the run -----------------------------------------------------------------------------------------------

typedef struct watched {
    const app_sweep_options *options;
    app_sweep_result *result;
} watched;

static void keep_result(const app_run_summary *ran, void *user) {
    const watched *w = user;
    app_sweep_result *r = w->result;
    const app_run_totals *t = ran->totals;
    (void)snprintf(r->status, sizeof r->status, "%s", ran->status);
    (void)snprintf(r->message, sizeof r->message, "%s", ran->error ? ran->error : "");
    r->exit_code = ran->exit_code;
    if (!ran->scene)
        return;
    r->steps = t->steps;
    r->inaccurate = t->inaccurate;
    r->time = ran->time;
    r->kinetic = t->end.kinetic;
    r->potential = t->end.potential;
    r->energy_error = t->energy_error;
    r->penetration = t->penetration;
    r->drift = t->drift;
    r->wall = ran->wall;
    r->hash = ran->hash;
    put_quantities(w->options, ran->scene->world, r);
}

// Tools that list processes (ps, top, pgrep) then show which member one is.
static void name_process(int64_t member) {
#ifdef __linux__
    char name[24]; // of which the system keeps 15 letters: all, for the members there may be
    (void)snprintf(name, sizeof name, "sweep %d", (int)member);
    (void)prctl(PR_SET_NAME, name);
#else
    (void)member;
#endif
}

void app_sweep_run_member(const app_sweep_options *options, int64_t member, bool only_make, app_sweep_result *result) {
    app_run_options run = options->run;
    char path[APP_SWEEP_PATH];
    watched w = {.options = options, .result = result};
    *result = app_sweep_nothing;
    for (int k = 0; k < APP_SWEEP_NUMBERS; k++)
        result->quantity[k] = (double)NAN;
    for (int k = 0; k < options->axes && member >= 0; k++)
        run.setting[run.settings++] = (vs_scene_parameter){options->axis[k].name, app_sweep_value(options, k, member)};
    if (only_make)
        run.duration = 0;
    if (options->trajectories && !only_make) {
        (void)snprintf(path, sizeof path, "%s/trajectories/%08" PRId64 ".h5", options->out, member);
        run.output = path;
    }
    run.quiet = true;
    if (member >= 0)
        name_process(member);
    (void)app_run_scene(&run, keep_result, &w);
}
