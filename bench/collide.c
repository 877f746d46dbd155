// collide [--repeat 3]
//
// Cost of collision detection: one pass over a pile of 10 000 and of 100 000 spheres of radius 0.035 m with six
// neighbours each, numbered at random, in units of qsort() over as many doubles as there are ends of contacts
// (600 000); and the exponent p of the growth between both. Bounds: 20 units, p <= 1.15.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "collide/collision.h"

static const double RADIUS = .035, JITTER = 2e-4, ENVELOPE = 2e-3; // m

static double draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

// A cubic lattice of touching spheres, a little disturbed.
static vs_error fill(vs_world *world, vs_shape *sphere, int count) {
    int side = (int)ceil(cbrt(count)), *place = malloc((size_t)count * sizeof *place);
    if (!place)
        return VS_ERROR_MEMORY;
    uint64_t seed = 1;
    for (int k = 0; k < count; k++) {
        int other = (int)(draw(&seed) * (k + 1));
        place[k] = place[other];
        place[other] = k;
    }
    vs_error error = VS_OK;
    for (int k = 0; k < count && !error; k++) {
        vs_body_def body = vs_body_def_default();
        double *x[3] = {&body.pose.position.x, &body.pose.position.y, &body.pose.position.z};
        int index[3] = {place[k] % side, place[k] / side % side, place[k] / side / side};
        for (int i = 0; i < 3; i++)
            *x[i] = 2 * RADIUS * index[i] + JITTER * (draw(&seed) - .5);
        vs_collider_def collider = vs_collider_def_default();
        collider.shape = sphere;
        error = vs_world_add_body(world, &body, &collider.body);
        if (!error)
            error = vs_world_add_collider(world, &collider, NULL);
    }
    free(place);
    return error;
}

// Least time of one pass, without the first one, which allocates.
static bool measure(int count, int repeat, bench_time *least, int *contacts) {
    vs_context *context = NULL;
    vs_world *world = NULL;
    vs_shape *sphere = NULL;
    vs_collision *collision = NULL;
    const vs_contacts *found = NULL;
    bool good = !vs_context_create(NULL, &context) && !vs_world_create(context, NULL, &world) &&
                !vs_shape_sphere(context, RADIUS, &sphere) && !fill(world, sphere, count) &&
                !vs_collision_create(world, &collision) && !vs_collision_find(collision, 1e-3, ENVELOPE, NULL, &found);
    *least = (bench_time){INFINITY, INFINITY};
    for (int k = 0; k < repeat && good; k++) {
        bench_time begin = bench_now();
        good = !vs_collision_find(collision, 1e-3, ENVELOPE, NULL, &found);
        bench_least(least, bench_since(begin));
    }
    *contacts = good ? found->count : 0;
    vs_collision_destroy(collision);
    vs_shape_release(sphere);
    if (world)
        vs_world_destroy(world);
    if (context)
        vs_context_destroy(context);
    return good;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure_unit(int repeat, bench_time *least) {
    enum { COUNT = 600000 };
    double *number = malloc(COUNT * sizeof *number);
    *least = (bench_time){INFINITY, INFINITY};
    uint64_t seed = 2;
    for (int k = 0; k < repeat && number; k++) {
        for (int i = 0; i < COUNT; i++)
            number[i] = draw(&seed);
        bench_time begin = bench_now();
        qsort(number, COUNT, sizeof *number, compare);
        bench_least(least, bench_since(begin));
    }
    free(number);
    return number != NULL;
}

int main(int argc, char **argv) {
    int repeat = argc == 3 && strcmp(argv[1], "--repeat") == 0 ? atoi(argv[2]) : 3;
    if ((argc != 1 && argc != 3) || repeat < 1) {
        (void)fprintf(stderr, "usage: collide [--repeat 3]\n");
        return 1;
    }
    bench_time unit, small, large;
    int few, many;
    if (!measure_unit(repeat, &unit) || !measure(10000, 5 * repeat, &small, &few) ||
        !measure(100000, repeat, &large, &many)) {
        (void)fprintf(stderr, "collide: out of memory\n");
        return 2;
    }
    printf("| spheres | contacts | s per pass, wall | processor | in qsorts (bound 20) |\n|---|---|---|---|---|\n");
    printf("| 10000 | %d | %.5f | %.5f | %.2f |\n", few, small.wall, small.processor, small.processor / unit.processor);
    printf("| 100000 | %d | %.5f | %.5f | %.2f |\n", many, large.wall, large.processor,
           large.processor / unit.processor);
    printf("\nqsort of 600000 doubles: %.5f s wall, %.5f s processor\n", unit.wall, unit.processor);
    // spheres at the surface have fewer neighbours: growth is measured per sphere and per contact
    printf("exponent of the processor time (bound 1.15): %.3f by spheres, %.3f by contacts\n",
           log10(large.processor / small.processor), log(large.processor / small.processor) / log((double)many / few));
    return 0;
}
