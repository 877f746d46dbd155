// snapshots [SCENE…]
//
// What snapshots cost: bytes, and microseconds of vs_simulation_save() into a buffer and of vs_simulation_restore(), the least of 200,
// after 20 steps of named scenes, beside the median time of these steps.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "voussoir/scene.h"

enum { STEPS = 20, REPEAT = 200 };

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static vs_error measure(const vs_scene *scene, vs_simulation *simulation) {
    double step[STEPS], save = 1e300, restore = 1e300;
    size_t count = 0;
    vs_error error = VS_OK;
    for (int k = 0; k < STEPS && !error; k++) {
        vs_step_report report;
        error = vs_simulation_step(simulation, &report);
        step[k] = report.seconds_total;
    }
    if (!error)
        error = vs_simulation_save(simulation, NULL, 0, &count);
    char *buffer = error ? NULL : malloc(count);
    for (int k = 0; k < REPEAT && buffer && !error; k++) {
        const double begin = vs_clock();
        error = vs_simulation_save(simulation, buffer, count, &count);
        const double saved = vs_clock();
        if (!error)
            error = vs_simulation_restore(simulation, buffer, count);
        const double restored = vs_clock();
        save = saved - begin < save ? saved - begin : save;
        restore = restored - saved < restore ? restored - saved : restore;
    }
    free(buffer);
    qsort(step, STEPS, sizeof *step, compare);
    if (!error)
        printf("%-16s %4d bodies  %7zu bytes  save %6.1f us  restore %6.1f us  step %8.1f us\n", scene->name,
               vs_world_get_body_count(scene->world), count, 1e6 * save, 1e6 * restore, 1e6 * step[STEPS / 2]);
    return error;
}

static int run(vs_context *context, const char *name) {
    vs_scene *scene = NULL;
    vs_simulation *simulation = NULL;
    vs_error error = vs_scene_make(context, name, NULL, 0, &scene);
    if (!error)
        error = vs_simulation_create(scene->world, &scene->options, &simulation);
    if (!error)
        error = measure(scene, simulation);
    if (error)
        (void)fprintf(stderr, "%s: %s\n", name, vs_context_get_error_text(context));
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return error != VS_OK;
}

int main(int argc, char **argv) {
    static const char *const names[] = {"gripper", "brick-wall", "hopper", "rope-on-drum"};
    vs_context *context = NULL;
    int failed = vs_context_create(NULL, &context) != VS_OK;
    for (int k = 0; k < 4 && argc < 2 && !failed; k++)
        failed = run(context, names[k]);
    for (int k = 1; k < argc && !failed; k++)
        failed = run(context, argv[k]);
    vs_context_destroy(context);
    return failed;
}
