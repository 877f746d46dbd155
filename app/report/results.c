// What a trajectory tells about a run: ways of bodies, errors of the recorded steps, energies.
//
// Where the supports move together, as on a shaken table, ways are those relative to them (not turned with them).
#include "report/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "voussoir/report.h"

static const double TOGETHER = 1e-9; // m, supports that move alike
enum { DYNAMIC, KINEMATIC };         // of info->motion

typedef struct reading {
    vs_trajectory_reader *reader;
    app_results *r;
    double *first, *pose, *velocity, *series; // (7 bodies), (7 bodies), (6 bodies), (frames)
} reading;

const char *app_results_name(const app_results *r, int body, char name[64]) {
    const char *given = r->info->body_name[body];
    if (given[0])
        (void)snprintf(name, 64, "%.60s", given);
    else
        (void)snprintf(name, 64, "#%d", body);
    return name;
}

// ---- ways --------------------------------------------------------------------------------------------------------

static double distance(const double *a, const double *b, const double *less) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double d = a[i] - b[i] - less[i];
        sum += d * d;
    }
    return sqrt(sum);
}

// The angle of the rotation from p to q, 0 to pi.
static double angle(const double *p, const double *q) {
    const double w = fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
    return 2 * acos(fmin(w, 1));
}

// Whether all kinematic bodies have moved alike, and how far the first of them.
static bool find_ground(const reading *x, double ground[3], int *which) {
    bool together = true;
    *which = -1;
    for (int b = 0; b < x->r->info->bodies; b++) {
        if (x->r->info->motion[b] != KINEMATIC)
            continue;
        const double *now = x->pose + 7 * b, *then = x->first + 7 * b;
        for (int i = 0; i < 3; i++) {
            const double way = now[i] - then[i];
            if (*which < 0)
                ground[i] = way;
            together = together && fabs(way - ground[i]) <= TOGETHER;
        }
        *which = *which < 0 ? b : *which;
    }
    return together && *which >= 0;
}

static vs_error choose_ground(reading *x) {
    bool together = true;
    double none[3] = {0};
    vs_error error = VS_OK;
    x->r->ground = -1;
    for (int64_t k = 0; k < x->r->info->frames && !error && together; k++) {
        double ground[3] = {0};
        error = vs_trajectory_reader_read_state(x->reader, k, x->pose, NULL);
        together = !error && find_ground(x, ground, &x->r->ground);
        x->r->ground_most = fmax(x->r->ground_most, distance(ground, none, none));
    }
    if (!together || x->r->ground_most == 0)
        x->r->ground = -1;
    return error;
}

static void follow(reading *x, bool last) {
    double ground[3] = {0};
    for (int i = 0; i < 3 && x->r->ground >= 0; i++)
        ground[i] = x->pose[7 * x->r->ground + i] - x->first[7 * x->r->ground + i];
    for (int k = 0; k < x->r->ways; k++) {
        app_way *w = &x->r->way[k];
        const double *now = x->pose + 7 * w->body, *then = x->first + 7 * w->body, *v = x->velocity + 6 * w->body;
        if (!isfinite(now[0])) {
            w->removed = true;
            continue;
        }
        w->last = distance(now, then, ground);
        w->most = fmax(w->most, w->last);
        w->turned = fmax(w->turned, angle(now + 3, then + 3));
        if (last)
            w->speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
}

static int farther(const void *left, const void *right) {
    const app_way *a = left, *b = right;
    return a->most > b->most ? -1 : a->most < b->most ? 1 : a->body < b->body ? -1 : 1;
}

static vs_error read_ways(reading *x) {
    app_results *r = x->r;
    vs_error error = vs_trajectory_reader_read_state(x->reader, 0, x->first, NULL);
    if (!error)
        error = choose_ground(x);
    for (int b = 0; b < r->info->bodies; b++)
        if (r->info->motion[b] == DYNAMIC) {
            r->way[r->ways++] = (app_way){.body = b};
            r->mass += r->info->mass[b];
        }
    r->dynamic = r->ways;
    for (int64_t k = 0; k < r->info->frames && !error; k++) {
        error = vs_trajectory_reader_read_state(x->reader, k, x->pose, x->velocity);
        if (!error)
            follow(x, k == r->info->frames - 1);
    }
    if (r->ways > 1)
        qsort(r->way, (size_t)r->ways, sizeof *r->way, farther);
    return error;
}

// ---- series ------------------------------------------------------------------------------------------------------

static vs_error largest(reading *x, const char *name, double *to) {
    const vs_error error = vs_trajectory_reader_read_series(x->reader, name, x->series);
    for (int64_t k = 0; k < x->r->info->frames && !error; k++)
        *to = fmax(*to, x->series[k]);
    return error;
}

// The last number minus the first, and the largest magnitude on the way.
static vs_error change(reading *x, const char *name, double *to, double *most) {
    const vs_error error = vs_trajectory_reader_read_series(x->reader, name, x->series);
    const int64_t last = x->r->info->frames - 1;
    if (error)
        return error;
    *to = x->series[last] - x->series[0];
    for (int64_t k = 0; k <= last; k++)
        *most = fmax(*most, fabs(x->series[k]));
    return VS_OK;
}

// The square root of the energy error over its reference, as `voussoir plot error`.
static vs_error read_error(reading *x) {
    const int64_t frames = x->r->info->frames;
    double *scale = malloc((size_t)frames * sizeof *scale);
    vs_error error = scale ? vs_trajectory_reader_read_series(x->reader, "energy_scale", scale) : VS_ERROR_MEMORY;
    if (!error)
        error = vs_trajectory_reader_read_series(x->reader, "energy_error", x->series);
    for (int64_t k = 0; k < frames && !error; k++)
        x->r->error = fmax(x->r->error, scale[k] > 0 ? sqrt(x->series[k] / scale[k]) : 0);
    free(scale);
    if (!error)
        error = vs_trajectory_reader_read_series(x->reader, "status", x->series);
    for (int64_t k = 0; k < frames && !error; k++)
        x->r->unsolved += x->series[k] > 0;
    return error;
}

// Files before version 0.2 have no terms of the balance.
static vs_error read_energies(reading *x) {
    app_results *r = x->r;
    double most = 0, unused = 0;
    vs_error error = change(x, "kinetic", &r->kinetic, &most);
    if (!error)
        error = change(x, "potential", &r->potential, &unused);
    r->share = NAN;
    for (int k = 0; k < vs_energy_term_count() && k < APP_ENERGY_TERMS && !error; k++) {
        char name[64];
        double value = 0;
        const vs_energy_term term = vs_energy_term_at(k);
        (void)snprintf(name, sizeof name, "energy/%s", term.name);
        error = change(x, name, &value, term.side == VS_ENERGY_DISCRETIZATION ? &unused : &most);
        if (error == VS_ERROR_ARGUMENT)
            return VS_OK;
        r->energy[k] = value;
        if (term.side == VS_ENERGY_DISCRETIZATION)
            r->share = fabs(value);
    }
    r->share = most > 0 ? r->share / most : 0;
    return error;
}

vs_error app_results_read(vs_trajectory_reader *reader, app_results *r) {
    *r = (app_results){.info = vs_trajectory_reader_get_info(reader)};
    const size_t bodies = (size_t)r->info->bodies + 1, frames = (size_t)r->info->frames + 1;
    reading x = {.reader = reader, .r = r};
    x.first = calloc(20 * bodies, sizeof *x.first);
    x.series = calloc(frames, sizeof *x.series);
    r->way = calloc(bodies, sizeof *r->way);
    vs_error error = x.first && x.series && r->way ? VS_OK : VS_ERROR_MEMORY;
    if (!error) {
        x.pose = x.first + 7 * bodies;
        x.velocity = x.pose + 7 * bodies;
        error = vs_trajectory_reader_read_series(reader, "time", x.series);
        r->begin = x.series[0];
        r->end = x.series[r->info->frames - 1];
    }
    if (!error)
        error = read_ways(&x);
    if (!error)
        error = read_error(&x);
    if (!error)
        error = largest(&x, "natural_map", &r->natural);
    if (!error)
        error = largest(&x, "penetration", &r->penetration);
    if (!error)
        error = largest(&x, "joint_drift", &r->drift);
    if (!error)
        error = largest(&x, "contacts", &r->contacts);
    if (!error)
        error = read_energies(&x);
    free(x.first);
    free(x.series);
    return error;
}

void app_results_release(app_results *r) {
    free(r->way);
    *r = (app_results){0};
}
