// Checks of a world: sizes, masses, speeds, gravity, supports, duplicates, the step. Limits are beyond what is built or
// thrown on Earth, so that a scene within them is not named.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/body_name.h"
#include "check/checks.h"
#include "voussoir/flexible.h"
#include "voussoir/gate.h"
#include "voussoir/query.h"

static const double LARGEST = 100;            // m, of a moving body
static const double SMALLEST = .01;           // m, of all bodies together, as for imported drawings
static const double LIGHTEST = 5;             // kg/m^3: foams have 10 and more
static const double HEAVIEST = 25000;         // kg/m^3: osmium has 22600
static const double FLATTEST = 2e-4;          // thickness over length: a sheet of paper of 0.1 mm on 0.5 m
static const double WEAKEST = .5;             // m/s^2: the Moon has 1.6
static const double STRONGEST = 26;           // m/s^2: Jupiter has 24.8
static const double FASTEST = 1500;           // m/s: a bullet has 1000
static const double SIZES_PER_STEP = 10;      //
static const double LONGEST_STEP = .1;        // s
static const double NEVER_LANDS = 1e6;        // m, reach of the search for something to land on
enum { SEARCHED = 64, NAME = APP_BODY_NAME }; // bodies for which that is done

// Counts bodies and keeps the first.
typedef struct found {
    int count, first;
} found;

static void count(found *f, int k) {
    if (f->count++ == 0)
        f->first = k;
}

static const char *names(const app_bodies *b, const found *f, char text[APP_FINDING_NAMES]) {
    char name[NAME];
    app_finding_names(app_bodies_name(b, f->first, name), f->count, text);
    return text;
}

// ---- sizes and masses --------------------------------------------------------------------------------------------

static void check_extent(const app_bodies *b, app_findings *f) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0;
    for (int k = 0; k < b->count; k++) {
        if (!b->body[k].dynamic)
            continue;
        const vs_vec3 p = b->body[k].state.pose.position;
        const double at[3] = {p.x, p.y, p.z}, reach = b->body[k].side[2] / 2;
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], at[i] - reach);
            high[i] = fmax(high[i], at[i] + reach);
        }
    }
    for (int i = 0; i < 3 && b->dynamic > 0; i++)
        extent = fmax(extent, high[i] - low[i]);
    if (b->dynamic > 0 && extent < SMALLEST)
        app_finding_add(f, "small", "all that moves is %.2g m large: lengths are in metres; is that what was meant?",
                        extent);
}

static void check_sizes(const app_bodies *b, app_findings *f) {
    found large = {0}, flat = {0}, light = {0}, heavy = {0};
    char who[APP_FINDING_NAMES];
    for (int k = 0; k < b->count; k++) {
        const app_body *one = &b->body[k];
        if (!one->dynamic)
            continue;
        if (one->side[2] > LARGEST)
            count(&large, k);
        if (one->joined) // links of mechanisms may have any mass and inertia
            continue;
        if (one->side[0] < FLATTEST * one->side[1])
            count(&flat, k);
        else if (one->density < LIGHTEST)
            count(&light, k);
        else if (one->density > HEAVIEST)
            count(&heavy, k);
    }
    const app_body *all = b->body;
    if (large.count > 0)
        app_finding_add(f, "large", "%s: %.4g m long; lengths are in metres (%.4g mm would be %.3g m)",
                        names(b, &large, who), all[large.first].side[2], all[large.first].side[2],
                        1e-3 * all[large.first].side[2]);
    if (flat.count > 0)
        app_finding_add(f, "flat", "%s: %.2g m thick and %.3g m long: almost no thickness", names(b, &flat, who),
                        all[flat.first].side[0], all[flat.first].side[2]);
    if (light.count > 0)
        app_finding_add(f, "light",
                        "%s: %.3g kg, %.3g kg/m^3 for its size, lighter than foam; masses are in kg, densities in "
                        "kg/m^3 (2.4 g/cm^3 are 2400)",
                        names(b, &light, who), all[light.first].mass, all[light.first].density);
    if (heavy.count > 0)
        app_finding_add(f, "heavy", "%s: %.3g kg, %.3g kg/m^3 for its size, denser than any metal",
                        names(b, &heavy, who), all[heavy.first].mass, all[heavy.first].density);
    check_extent(b, f);
}

// ---- twice the same ----------------------------------------------------------------------------------------------

typedef struct sorted_body {
    const app_body *body;
} sorted_body;

// By place, so that copies become neighbours.
static int compare(const void *left, const void *right) {
    const app_body *a = ((const sorted_body *)left)->body, *b = ((const sorted_body *)right)->body;
    const vs_vec3 p = a->state.pose.position, q = b->state.pose.position;
    const double difference[3] = {p.x - q.x, p.y - q.y, p.z - q.z};
    for (int i = 0; i < 3; i++)
        if (difference[i] != 0)
            return difference[i] < 0 ? -1 : 1;
    return a->id.index < b->id.index ? -1 : 1;
}

static bool is_double(const app_body *a, const app_body *b) {
    return app_distance(a->state.pose.position, b->state.pose.position) == 0 && a->mass == b->mass &&
           a->side[2] == b->side[2];
}

static void check_doubles(const app_bodies *b, app_findings *f) {
    sorted_body *sorted = calloc((size_t)b->count + 1, sizeof *sorted);
    const app_body *pair[2] = {NULL, NULL};
    int bodies = 0, doubles = 0;
    for (int k = 0; sorted && k < b->count; k++)
        if (b->body[k].dynamic && !b->body[k].joined && b->body[k].side[2] > 0 &&
            vs_world_is_body_present(b->world, b->body[k].id))
            sorted[bodies++].body = &b->body[k];
    if (bodies > 1)
        qsort(sorted, (size_t)bodies, sizeof *sorted, compare);
    for (int k = 0; k + 1 < bodies; k++)
        if (is_double(sorted[k].body, sorted[k + 1].body) && doubles++ == 0)
            pair[0] = sorted[k].body, pair[1] = sorted[k + 1].body;
    if (doubles > 0) {
        char first[NAME], second[NAME], more[48] = "";
        if (doubles > 1)
            (void)snprintf(more, sizeof more, ", and %d more", doubles - 1);
        app_finding_add(f, "double", "%.60s and %.60s are the same body in the same place%s: remove one",
                        app_bodies_name(b, (int)(pair[0] - b->body), first),
                        app_bodies_name(b, (int)(pair[1] - b->body), second), more);
    }
    free(sorted);
}

// ---- gravity, supports, speeds -----------------------------------------------------------------------------------

static void check_gravity(const vs_world *world, app_findings *f) {
    const vs_vec3 g = vs_world_get_gravity(world);
    const double size = app_length(g), across = hypot(g.x, g.y);
    if (size > STRONGEST || (size > 0 && size < WEAKEST))
        app_finding_add(f, "gravity", "gravity is %.4g m/s^2; the Earth's is 9.81 m/s^2%s", size,
                        size > 9700 && size < 9900 ? " (9810 mm/s^2)"
                        : size > 970 && size < 990 ? " (981 cm/s^2)"
                        : size > 32 && size < 32.4 ? " (32.2 ft/s^2)"
                                                   : "");
    if (size > 0 && g.z > 0 && across < g.z)
        app_finding_add(f, "upward", "gravity points up: z points up, and gravity is [0, 0, -9.81] by default");
    else if (size > 0 && fabs(g.z) < 1e-9 * size && (g.x == 0 || g.y == 0))
        app_finding_add(f, "sideways", "gravity points along %s: here z points up, gravity is [0, 0, -9.81] by default",
                        g.x == 0 ? "y" : "x");
}

static bool is_held(const app_bodies *b) {
    const vs_body_id ground = {0, 0};
    for (int k = 0; k < b->count; k++)
        if (!b->body[k].dynamic)
            return true;
    for (int k = 0; k < vs_world_get_joint_count(b->world); k++) {
        vs_joint_def def;
        if (vs_world_get_joint_def(b->world, vs_world_get_joint_at(b->world, k), &def) == VS_OK &&
            (def.a.index == 0 || def.b.index == 0))
            return true;
    }
    for (int k = 0; k < b->count && k < SEARCHED; k++) {
        vs_body_distance d;
        if (vs_world_get_body_distance(b->world, ground, b->body[k].id, NEVER_LANDS, &d) == VS_OK &&
            isfinite(d.distance))
            return true;
    }
    return vs_world_get_flexible_count(b->world) > 0; // whose nodes may be fixed
}

static void check_support(const app_bodies *b, app_findings *f) {
    if (b->dynamic > 0 && app_length(vs_world_get_gravity(b->world)) > 0 && !is_held(b))
        app_finding_add(f, "support",
                        "nothing is fixed: everything falls; make bodies static (\"motion\": \"static\") or "
                        "add a floor (shape plane)");
}

static void check_speeds(const vs_scene *scene, const app_bodies *b, app_findings *f) {
    const double h = scene->options.step;
    found fast = {0};
    char who[APP_FINDING_NAMES];
    for (int k = 0; k < b->count; k++) {
        const double v = app_length(b->body[k].state.velocity);
        if (v > FASTEST || (b->body[k].side[2] > 0 && v * h > SIZES_PER_STEP * b->body[k].side[2]))
            count(&fast, k);
    }
    if (fast.count > 0)
        app_finding_add(f, "fast", "%s: %.4g m/s, %.3g m in each step of %.3g s; speeds are in m/s",
                        names(b, &fast, who), app_length(b->body[fast.first].state.velocity),
                        h * app_length(b->body[fast.first].state.velocity), h);
    if (h > LONGEST_STEP && scene->options.scheme != VS_SCHEME_QUASI_STATIC)
        app_finding_add(f, "step", "a step is %.3g s long: bodies fall %.2g m in it; the default is 1/240 s", h,
                        .5 * app_length(vs_world_get_gravity(b->world)) * h * h);
}

void app_check_world(const vs_scene *scene, const app_bodies *b, app_findings *f) {
    check_support(b, f);
    check_gravity(b->world, f);
    check_sizes(b, f);
    check_doubles(b, f);
    check_speeds(scene, b, f);
}
