// The states of an engine, put into a world of voussoir and measured there; see scene_measure.h.
//
// Gaps come from voussoir's collision. v* comes from a step of voussoir (exact friction, tolerance 1e-8) from the
// engine's state before its step, without speed to undo penetration: the engine is free to undo as it likes, and an
// engine that is at rest in penetration has no error here. Steps that voussoir does not solve in time are not counted.
// All engines here take v at the end of a step for the poses, as voussoir does.
#include "scene_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/collision.h"

static const double ENVELOPE = 1e-3;  // m, gaps that are looked at
static const double RECOVERY = 1e-12; // m/s
static const double PATIENCE = .5;    // s for one v*

struct scene_meter {
    const engine_scene *scene;
    vs_world *world;           // gaps and energies
    vs_collision *collision;   //
    vs_world *rigid;           // v*
    vs_simulation *simulation; //
    vs_body_state *before;     // (bodies) states of the last step
    vs_vec3 *settled;          // (bodies) m, centres where creep begins
    int steps, every, settle;  // settle: step at which creep begins
    double first, lowest;      // J
    double *sample;            // (steps / every + 1) J, |v - v*|_H^2 / 2
    double gravity;            // J, |h g|_H^2 / 2
    scene_measures measures;
};

static double total(const vs_world *world, double *kinetic) {
    vs_energy energy = vs_world_get_energy(world);
    *kinetic = energy.kinetic;
    return energy.kinetic + energy.potential;
}

static vs_error prepare(scene_meter *j, vs_context *context) {
    vs_simulation_options options = vs_simulation_options_default();
    options.step = j->scene->step;
    options.recovery_speed = RECOVERY;
    options.solver.warm_start = VS_WARM_START_NONE;
    options.project = false;
    options.solver.tolerance = 1e-8;
    options.solver.max_time = PATIENCE;
    vs_error error = built_scene_world(context, j->scene, &j->world);
    if (!error)
        error = vs_collision_create(j->world, &j->collision);
    if (!error)
        error = built_scene_world(context, j->scene, &j->rigid);
    if (!error)
        error = vs_simulation_create(j->rigid, &options, &j->simulation);
    return error;
}

scene_meter *scene_meter_create(vs_context *context, const engine_scene *scene, int steps, int samples) {
    scene_meter *j = calloc(1, sizeof *j);
    int every = steps > samples ? steps / samples : 1;
    if (!j)
        return NULL;
    j->scene = scene;
    j->before = calloc((size_t)scene->bodies, sizeof *j->before);
    j->settled = calloc((size_t)scene->bodies, sizeof *j->settled);
    j->sample = calloc((size_t)(steps / every + 1), sizeof *j->sample);
    if (!j->before || !j->settled || !j->sample || prepare(j, context) != VS_OK) {
        scene_meter_destroy(j);
        return NULL;
    }
    double kinetic, mass = 0, g = vs_length(scene->gravity);
    for (int k = 0; k < scene->bodies; k++) {
        j->before[k] = scene->body[k].state;
        j->settled[k] = scene->body[k].state.pose.position;
        mass += scene->body[k].mass;
    }
    j->gravity = .5 * mass * pow(g * scene->step, 2);
    j->first = j->lowest = total(j->world, &kinetic);
    j->steps = steps;
    j->every = every;
    j->settle = steps * scene->step > 1 ? (int)lround(1 / scene->step) : steps / 2;
    return j;
}

void scene_meter_destroy(scene_meter *j) {
    if (!j)
        return;
    vs_simulation_destroy(j->simulation);
    vs_collision_destroy(j->collision);
    vs_world_destroy(j->world);
    vs_world_destroy(j->rigid);
    free(j->before);
    free(j->settled);
    free(j->sample);
    free(j);
}

static bool put_states(vs_world *world, const vs_body_state *state, int bodies) {
    for (int k = 0; k < bodies; k++) {
        vs_body_state s = state[k];
        s.pose.rotation = vs_quat_normalize(s.pose.rotation);
        if (vs_world_set_body_state(world, vs_world_get_body_at(world, k), &s) != VS_OK)
            return false;
    }
    return true;
}

// 1/2 |v - v*|_H^2 of one body
static double distance(const engine_body *body, const vs_body_state *v, const vs_body_state *other) {
    vs_vec3 dv = vs_subtract(v->velocity, other->velocity);
    vs_vec3 dw = vs_rotate_back(v->pose.rotation, vs_subtract(v->spin, other->spin));
    return .5 * (body->mass * vs_dot(dv, dv) + body->inertia.x * dw.x * dw.x + body->inertia.y * dw.y * dw.y +
                 body->inertia.z * dw.z * dw.z);
}

static bool compare(scene_meter *j, const vs_body_state *state) {
    double sum = 0;
    vs_step_report report;
    if (!put_states(j->rigid, j->before, j->scene->bodies) || vs_simulation_step(j->simulation, &report) != VS_OK)
        return false;
    if (report.status != VS_STATUS_CONVERGED)
        return true;
    for (int k = 0; k < j->scene->bodies; k++) {
        vs_body_state solved;
        (void)vs_world_get_body_state(j->rigid, vs_world_get_body_at(j->rigid, k), &solved);
        sum += distance(&j->scene->body[k], &state[k], &solved);
    }
    j->sample[j->measures.sampled++] = sum;
    return true;
}

bool scene_meter_take(scene_meter *j, int k, const vs_body_state *state) {
    scene_measures *m = &j->measures;
    const vs_contacts *contacts = NULL;
    const int bodies = j->scene->bodies;
    if (!put_states(j->world, state, bodies) ||
        vs_collision_find(j->collision, j->scene->step, ENVELOPE, NULL, &contacts) != VS_OK)
        return false;
    m->penetration_end = 0;
    for (int i = 0; i < contacts->count; i++)
        m->penetration_end = fmax(m->penetration_end, -contacts->contact[i].gap);
    m->penetration_max = fmax(m->penetration_max, m->penetration_end);
    double energy = total(j->world, &m->kinetic_end);
    m->energy_change = energy - j->first;
    m->energy_rise = fmax(m->energy_rise, energy - j->lowest);
    j->lowest = fmin(j->lowest, energy);
    m->creep = 0;
    for (int i = 0; i < bodies; i++) {
        if (k <= j->settle)
            j->settled[i] = state[i].pose.position;
        m->creep = fmax(m->creep, vs_length(vs_subtract(state[i].pose.position, j->settled[i])));
    }
    bool good = k % j->every != 0 || compare(j, state);
    memcpy(j->before, state, (size_t)bodies * sizeof *state);
    return good;
}

static int compare_energies(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void scene_meter_report(const scene_meter *j, scene_measures *out) {
    const int count = j->measures.sampled;
    *out = j->measures;
    if (count == 0)
        return;
    qsort(j->sample, (size_t)count, sizeof *j->sample, compare_energies);
    for (int k = 0; k < count; k++)
        out->step_energy += j->sample[k] / count;
    out->step_error = sqrt(out->step_energy / j->gravity);
    out->step_median = sqrt(j->sample[count / 2] / j->gravity);
}
