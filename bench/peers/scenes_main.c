// voussoir-peer-scenes: one scene in one engine, measured by voussoir.
//
//     voussoir-peer-scenes list
//     voussoir-peer-scenes ENGINE SCENE [--duration 2] [--step 0.005] [--set NAME=VALUE]... [--samples 50]
//                          [--max-time SECONDS] [--json]
//
// Exit codes: 0 done; 1 the engine failed, took too long on the clock, or its states are no numbers (what was measured
// until then is printed); 2 wrong usage, or an engine or scene that is not there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "engine_voussoir.h"
#include "linalg/blas.h"
#include "scene_measure.h"

enum { PARAMETERS_MOST = 12, STEPS_MOST = 10000000 };

typedef struct scene_arguments {
    const char *engine, *scene;
    double duration, step, max_time; // s; max_time: of all steps together, on the clock
    int samples;
    vs_scene_parameter parameter[PARAMETERS_MOST];
    int parameters;
    bool json;
} scene_arguments;

typedef struct scene_times {
    double least, median, mean; // s a step, on the clock
    double processor;           // s a step, mean processor time
} scene_times;

static const engine *engine_at(int index) {
    typedef const engine *engine_list(int index);
    engine_list *const lists[] = {
        engine_voussoir_get,
#ifdef PEER_MUJOCO
        engine_mujoco_get,
#endif
#ifdef PEER_ODE
        engine_ode_get,
#endif
#ifdef PEER_BULLET
        engine_bullet_get,
#endif
    };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (int i = 0; lists[k](i); i++)
            if (index-- == 0)
                return lists[k](i);
    return NULL;
}

static int list_engines(void) {
    const engine *e;
    for (int k = 0; (e = engine_at(k)); k++)
        printf("%s\t%s\t%s\n", e->name, e->version(), e->settings);
    return 0;
}

static const engine *find_engine(const char *name) {
    const engine *e;
    for (int k = 0; (e = engine_at(k)); k++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

// ---- arguments ---------------------------------------------------------------------------------------

static bool parse_number(const char *text, double *x) {
    char *end;
    *x = strtod(text, &end);
    return *text && !*end && isfinite(*x);
}

// NAME=VALUE; the text is cut at the sign.
static bool parse_setting(char *text, scene_arguments *a) {
    char *sign = strchr(text, '=');
    if (!sign || a->parameters == PARAMETERS_MOST)
        return false;
    *sign = 0;
    a->parameter[a->parameters].name = text;
    return parse_number(sign + 1, &a->parameter[a->parameters++].value);
}

static bool parse(int argc, char **argv, scene_arguments *a) {
    double samples = 50;
    *a = (scene_arguments){.duration = 2, .step = .005, .max_time = INFINITY};
    for (int k = 1; k < argc; k++) {
        char none[] = "", *value = k + 1 < argc ? argv[k + 1] : none;
        bool taken = true;
        if (strcmp(argv[k], "--json") == 0) {
            a->json = true;
            continue;
        }
        if (argv[k][0] != '-' && !a->scene) {
            *(a->engine ? &a->scene : &a->engine) = argv[k];
            continue;
        }
        if (strcmp(argv[k], "--duration") == 0)
            taken = parse_number(value, &a->duration) && a->duration > 0;
        else if (strcmp(argv[k], "--step") == 0)
            taken = parse_number(value, &a->step) && a->step > 0;
        else if (strcmp(argv[k], "--samples") == 0)
            taken = parse_number(value, &samples) && samples >= 1 && samples <= STEPS_MOST;
        else if (strcmp(argv[k], "--max-time") == 0)
            taken = parse_number(value, &a->max_time) && a->max_time > 0;
        else if (strcmp(argv[k], "--set") == 0)
            taken = parse_setting(value, a);
        else
            return false;
        if (!taken)
            return false;
        k++;
    }
    a->samples = (int)samples;
    return a->scene && a->duration / a->step >= 1 && a->duration / a->step <= STEPS_MOST;
}

// ---- a run -------------------------------------------------------------------------------------------

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the times.
static scene_times sum_up(double *time, int count) {
    scene_times out = {0};
    qsort(time, (size_t)count, sizeof *time, compare_doubles);
    for (int k = 0; k < count; k++)
        out.mean += time[k] / count;
    if (count > 0) {
        out.least = time[0];
        out.median = .5 * (time[(count - 1) / 2] + time[count / 2]);
    }
    return out;
}

// How many steps went well within the limit; their time on the clock each, and all of their processor time.
static int go(const engine *e, void *state, const engine_scene *scene, scene_meter *meter, int steps, double limit,
              double *time, bench_time *all) {
    vs_body_state *at = calloc((size_t)scene->bodies, sizeof *at);
    int k = 0;
    for (bool good = at != NULL; k < steps && good && all->wall < limit; k += good) {
        bench_time begin = bench_now();
        good = e->step(state);
        bench_time spent = bench_since(begin);
        time[k] = spent.wall;
        bench_add(all, spent);
        for (int i = 0; i < scene->bodies && good; i++)
            e->get(state, i, &at[i]);
        good = good && scene_meter_take(meter, k + 1, at);
    }
    free(at);
    return k;
}

static void print_number(const char *name, double x) {
    printf(", \"%s\": ", name);
    isfinite(x) ? printf("%.6g", x) : printf("null");
}

static void print_json(const engine *e, const scene_arguments *a, int bodies, int steps, int done,
                       const scene_measures *m, const scene_times *t) {
    printf("{\"engine\": \"%s\", \"version\": \"%s\", \"blas\": \"%s\", \"scene\": \"%s\", \"parameters\": {", e->name,
           e->version(), vs_blas_name(), a->scene);
    for (int k = 0; k < a->parameters; k++)
        printf("%s\"%s\": %g", k ? ", " : "", a->parameter[k].name, a->parameter[k].value);
    printf("}, \"bodies\": %d, \"step\": %g, \"steps\": %d, \"steps_done\": %d", bodies, a->step, steps, done);
    print_number("penetration_max", m->penetration_max);
    print_number("penetration_end", m->penetration_end);
    print_number("creep", m->creep);
    print_number("kinetic_end", m->kinetic_end);
    print_number("energy_change", m->energy_change);
    print_number("energy_rise", m->energy_rise);
    print_number("step_error", m->step_error);
    print_number("step_median", m->step_median);
    print_number("step_energy", m->step_energy);
    print_number("sampled", m->sampled);
    print_number("ms_min", 1e3 * t->least);
    print_number("ms_median", 1e3 * t->median);
    print_number("ms_mean", 1e3 * t->mean);
    print_number("ms_processor", 1e3 * t->processor);
    printf("}\n");
}

static void print_text(const engine *e, const scene_arguments *a, int bodies, int steps, int done,
                       const scene_measures *m, const scene_times *t) {
    printf("%s %s (%s), %s: %d bodies, %d of %d steps of %g s\n", e->name, e->version(), e->settings, a->scene, bodies,
           done, steps, a->step);
    printf("  penetration    %.3g m at most, %.3g m at the end\n", m->penetration_max, m->penetration_end);
    printf("  creep          %.3g m\n", m->creep);
    printf("  kinetic energy %.3g J at the end\n", m->kinetic_end);
    printf("  energy         changed by %.3g J; largest rise %.3g J\n", m->energy_change, m->energy_rise);
    printf("  step error     %.3g of a step of gravity, %.3g J (mean of %d steps)\n", m->step_error, m->step_energy,
           m->sampled);
    printf("  time per step  %.4g ms least, %.4g median, %.4g mean; processor %.4g mean\n", 1e3 * t->least,
           1e3 * t->median, 1e3 * t->mean, 1e3 * t->processor);
}

static int run(const engine *e, const scene_arguments *a, vs_context *context, const built_scene *built) {
    int steps = (int)lround(a->duration / a->step), done = 0;
    double *time = calloc((size_t)steps, sizeof *time);
    scene_meter *meter = scene_meter_create(context, &built->scene, steps, a->samples);
    void *state = e->create(&built->scene, e->name);
    if (time && meter && state) {
        scene_measures measures;
        bench_time all = {0};
        done = go(e, state, &built->scene, meter, steps, a->max_time, time, &all);
        scene_meter_report(meter, &measures);
        scene_times times = sum_up(time, done);
        times.processor = done > 0 ? all.processor / done : 0;
        (a->json ? print_json : print_text)(e, a, built->scene.bodies, steps, done, &measures, &times);
    } else
        (void)fprintf(stderr, "voussoir-peer-scenes: %s could not be set up: %s\n", e->name,
                      vs_context_get_error_text(context));
    if (state)
        e->destroy(state);
    scene_meter_destroy(meter);
    free(time);
    return done == steps ? 0 : 1;
}

int main(int argc, char **argv) {
    scene_arguments a;
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list_engines();
    if (!parse(argc, argv, &a)) {
        (void)fprintf(stderr, "usage: voussoir-peer-scenes list | ENGINE SCENE [--duration 2] [--step 0.005] "
                              "[--set NAME=VALUE]... [--samples 50] [--max-time SECONDS] [--json]\n");
        return 2;
    }
    const engine *e = find_engine(a.engine);
    if (!e) {
        (void)fprintf(stderr,
                      "voussoir-peer-scenes: there is no engine '%s' in this build; 'list' prints their names\n",
                      a.engine);
        return 2;
    }
    vs_blas_single_thread();
    vs_context *context = NULL;
    built_scene built;
    if (vs_context_create(NULL, &context) != VS_OK)
        return 1;
    int code = 2;
    if (built_scene_make(context, a.scene, a.parameter, a.parameters, a.step, &built)) {
        code = run(e, &a, context, &built);
        built_scene_release(&built);
    }
    vs_context_destroy(context);
    return code;
}
