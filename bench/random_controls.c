// random_controls FILE… [--worlds 8] [--steps 10000] [--seed 1] [--threads 1]
//
// Steps batches of models under random controls and prints a row of Markdown for each: steps of all worlds, those that missed the
// tolerance, those that were reported as solved although they were not, states that are not finite, the growth of memory.
//
// Every CALL steps each control of each world gets a value of its range, at random (-1 to 1 without a range); every EPISODE steps
// the worlds return to their start. After every call one world, each in turn, is evaluated from outside: the measures of the problem
// of its last step at the impulses of its result must be within the tolerance, or the step must have been reported. Memory is what
// the allocators of all contexts have handed out: after the first half of the steps it must not grow by more than GROWTH.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "voussoir/voussoir.h"

enum { CALL = 20, EPISODE = 1000, MOST = 64 };
static const double TOLERANCE = 1e-6; // the default, of all islands
static const double GROWTH = 2; // of the memory at half time: buffers grow with the largest number of contacts seen

typedef struct options {
    int worlds, threads;
    long steps; // of all worlds of a model together
    uint64_t seed;
} options;

// One world with its context, which counts what it has allocated.
typedef struct world {
    size_t bytes;
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
    uint64_t random;
} world;

typedef struct tally {
    long steps, inaccurate, unflagged, broken, evaluated;
    double worst;      // largest relative error
    size_t half, most; // bytes at half time, largest afterwards
    double seconds;
} tally;

static void *allocate(void *user, size_t bytes) {
    size_t *memory = malloc(bytes + 16);
    if (memory) {
        *memory = bytes;
        ((world *)user)->bytes += bytes;
    }
    return memory ? memory + 2 : NULL;
}

static void release(void *user, void *memory) {
    if (!memory)
        return;
    size_t *block = (size_t *)memory - 2;
    ((world *)user)->bytes -= *block;
    free(block);
}

// 0 to 1, xorshift64*.
static double draw(world *w) {
    w->random ^= w->random >> 12;
    w->random ^= w->random << 25;
    w->random ^= w->random >> 27;
    return (double)((w->random * 0x2545F4914F6CDD1DULL) >> 11) / 9007199254740992.0;
}

static bool open_world(world *w, const char *path, uint64_t seed) {
    vs_context_def def = vs_context_def_default();
    def.allocate = allocate, def.release = release, def.allocator_user = w;
    w->random = seed * 0x9E3779B97F4A7C15ULL + 1;
    if (vs_context_create(&def, &w->context))
        return false;
    if (vs_scene_import(w->context, path, &w->scene))
        return false;
    (void)vs_scene_set_keyframe(w->scene, "home"); // the start of the file if there is none
    w->scene->options.solver.tolerance = TOLERANCE;
    return !vs_simulation_create(w->scene->world, &w->scene->options, &w->simulation);
}

static void close_world(world *w) {
    vs_simulation_destroy(w->simulation);
    vs_scene_destroy(w->scene);
    vs_context_destroy(w->context);
}

static void command(world *w) {
    vs_world *at = w->scene->world;
    for (int k = 0; k < vs_world_get_control_count(at); k++) {
        vs_control_def def = vs_control_def_default();
        if (vs_world_get_control_def(at, k, &def))
            continue;
        const double low = def.limited ? def.low : -1, high = def.limited ? def.high : 1;
        (void)vs_world_set_control(at, k, low + draw(w) * (high - low));
    }
}

static bool is_finite(const world *w) {
    const vs_world *at = w->scene->world;
    for (int k = 0; k < vs_world_get_body_count(at); k++) {
        vs_body_state s;
        if (vs_world_get_body_state(at, vs_world_get_body_at(at, k), &s))
            continue;
        const vs_vec3 p = s.pose.position, v = s.velocity;
        if (!isfinite(p.x + p.y + p.z + v.x + v.y + v.z + s.spin.x + s.spin.y + s.spin.z))
            return false;
    }
    return true;
}

// The last step, from outside; `reported`: some step of the call was reported as inaccurate, perhaps this one.
static void evaluate(const world *w, bool reported, tally *t) {
    const vs_problem *problem = vs_simulation_get_problem(w->simulation);
    const vs_result *result = vs_simulation_get_result(w->simulation);
    vs_measurer *measurer = NULL;
    vs_measures measures;
    if (!problem || !result || vs_measurer_create(problem, VS_MODEL_EXACT, &measurer))
        return;
    const vs_solver_options *solver = &w->scene->options.solver;
    if (!vs_measure(measurer, result->g, result->lambda, NULL, NULL, &measures)) {
        t->evaluated++;
        t->unflagged += !reported && !vs_measures_meet(&measures, solver->criterion, solver->tolerance);
    }
    vs_measurer_destroy(measurer);
}

static size_t bytes_of(const world *w, int worlds) {
    size_t sum = 0;
    for (int k = 0; k < worlds; k++)
        sum += w[k].bytes;
    return sum;
}

static vs_error run(vs_batch *batch, world *w, const options *o, tally *t) {
    vs_batch_report report[MOST];
    const long calls = o->steps / ((long)CALL * o->worlds);
    for (long call = 0; call < calls; call++) {
        if (call % (EPISODE / CALL) == 0) {
            const vs_error error = vs_batch_reset(batch, NULL);
            if (error)
                return error;
        }
        for (int k = 0; k < o->worlds; k++)
            command(&w[k]);
        const vs_error error = vs_batch_step(batch, NULL, CALL, report);
        if (error)
            return error;
        for (int k = 0; k < o->worlds; k++) {
            t->steps += report[k].steps;
            t->inaccurate += report[k].inaccurate;
            t->worst = fmax(t->worst, report[k].relative_error);
            t->broken += !is_finite(&w[k]);
        }
        const int one = (int)(call % o->worlds);
        evaluate(&w[one], report[one].inaccurate > 0, t);
        const size_t bytes = bytes_of(w, o->worlds);
        if (call <= calls / 2)
            t->half = bytes;
        else
            t->most = bytes > t->most ? bytes : t->most;
    }
    return VS_OK;
}

static double processor(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

// False: it failed.
static bool try_model(const char *path, const options *o) {
    world *w = calloc((size_t)o->worlds, sizeof *w);
    vs_context *context = NULL;
    vs_batch *batch = NULL;
    vs_simulation *simulation[MOST];
    vs_context_def def = vs_context_def_default();
    def.threads = o->threads;
    bool done = w && !vs_context_create(&def, &context);
    int open = 0;
    const char *text = "";
    for (; done && open < o->worlds; open++) {
        done = open_world(&w[open], path, o->seed + (uint64_t)open);
        simulation[open] = w[open].simulation;
        text = w[open].context ? vs_context_get_error_text(w[open].context) : "out of memory";
    }
    tally t = {0};
    if (done) {
        const double begin = processor();
        done = !vs_batch_create(context, simulation, o->worlds, &batch) && !run(batch, w, o, &t);
        t.seconds = processor() - begin;
        text = vs_context_get_error_text(context);
    }
    const bool leaks = (double)t.most > (1 + GROWTH) * (double)t.half;
    printf("| %s | %ld | %ld | %ld of %ld | %.1e | %ld | %.0f -> %.0f | %.0f | %s |\n", path, t.steps, t.inaccurate,
           t.unflagged, t.evaluated, t.worst, t.broken, (double)t.half / 1024, (double)t.most / 1024,
           1e6 * t.seconds / fmax(1, (double)t.steps), done ? "" : text);
    (void)fflush(stdout);
    vs_batch_destroy(batch);
    size_t left = 0;
    for (int k = 0; k < open; k++) {
        close_world(&w[k]);
        left += w[k].bytes;
    }
    vs_context_destroy(context);
    free(w);
    if (left > 0)
        printf("%s: %zu bytes were not released\n", path, left);
    return done && !leaks && left == 0 && t.unflagged == 0 && t.broken == 0;
}

int main(int argc, char **argv) {
    options o = {.worlds = 8, .threads = 1, .steps = 10000, .seed = 1};
    bool good = true;
    int files = 0;
    for (int k = 1; k < argc; k++) {
        if (strncmp(argv[k], "--", 2) != 0) {
            argv[files++] = argv[k];
            continue;
        }
        const long value = k + 1 < argc ? atol(argv[k + 1]) : 0;
        o.worlds = strcmp(argv[k], "--worlds") == 0 ? (int)value : o.worlds;
        o.threads = strcmp(argv[k], "--threads") == 0 ? (int)value : o.threads;
        o.steps = strcmp(argv[k], "--steps") == 0 ? value : o.steps;
        o.seed = strcmp(argv[k], "--seed") == 0 ? (uint64_t)value : o.seed;
        k++;
    }
    if (files == 0 || o.worlds < 1 || o.worlds > MOST || o.threads < 1 || o.steps < 1) {
        (void)fprintf(stderr, "random_controls FILE... [--worlds 8] [--steps 10000] [--seed 1] [--threads 1]\n");
        return 2;
    }
    printf("| model | steps | inaccurate | unflagged | largest error | not finite | memory (kB) | us per step | |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < files; k++)
        good = try_model(argv[k], &o) && good;
    return good ? 0 : 1;
}
