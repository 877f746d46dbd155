// collide_meshes [--repeat 20]
//
// Cost of contacts of two closed meshes of 100 to 100 000 triangles each: links of a chain that hang in each other, at rest, sliding
// along each other and turning. Two envelopes: one that holds about as many triangles of every mesh, and one of 0.02 of the size
// as that of a body that falls, which holds a part of them.
//
// Columns: contacts; pairs of triangles that the trees leave; processor time per search of the trees alone, of all of the narrow
// phase (trees, triangles, choice of points), and of vs_collision_find() with it; the narrow phase when every pair of triangles
// within the envelope is visited, as far as it takes less than a second.
// The last lines: exponent of the growth of the narrow phase with the triangles.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "collide/collision.h"
#include "collide/mesh/mesh.h"

static const double RADIUS = 1, TUBE = .25, GAP = 1e-5; // m

static vs_error make_link(vs_context *context, int around, int about, vs_shape **shape) {
    const int count = around * about;
    vs_vec3 *vertex = malloc((size_t)count * sizeof *vertex);
    int *index = malloc(6 * (size_t)count * sizeof *index), *corner = index;
    vs_error error = vertex && index ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; k < count && !error; k++) {
        const int i = k / about, j = k % about, next = (i + 1) % around * about, up = (j + 1) % about;
        const double u = 2 * 3.14159265358979 * i / around, w = 2 * 3.14159265358979 * (j + .5 * (i % 2)) / about;
        const double r = RADIUS + TUBE * cos(w);
        vertex[k] = (vs_vec3){r * cos(u), r * sin(u), TUBE * sin(w)};
        const int square[6] = {k, next + j, next + up, k, next + up, i * about + up};
        memcpy(corner, square, sizeof square);
        corner += 6;
    }
    if (!error)
        error = vs_shape_mesh(context, vertex, count, index, 2 * count, shape);
    free(vertex);
    free(index);
    return error;
}

// The second link hangs in the first one, about as low as the gap; `way` along the tube of the first one, `turn` about x.
static vs_pose hang(double way, double turn) {
    const vs_quat upright = vs_quat_exp((vs_vec3){1.57079632679489662, 0, 0});
    const vs_quat along = vs_quat_exp((vs_vec3){0, 0, way}), about = vs_quat_exp((vs_vec3){turn, 0, 0});
    const vs_vec3 out = {2 * (RADIUS - TUBE) - GAP, 0, 0};
    return (vs_pose){vs_rotate(along, out), vs_quat_multiply(along, vs_quat_multiply(about, upright))};
}

static bool count_pair(void *user, int a, int b) {
    (void)a, (void)b;
    ++*(int64_t *)user;
    return true;
}

typedef struct row {
    int64_t pairs;
    int contacts;
    double trees, narrow, find, all; // s of processor time per search; all < 0: omitted
} row;

typedef enum motion { RESTING, SLIDING, TURNING, MOTIONS } motion;
static const char *const NAME[MOTIONS] = {"resting", "sliding", "turning"};

static vs_pose pose_at(motion m, int k) {
    return hang(m == SLIDING ? 1e-3 * k : 0, m == TURNING ? 1e-3 * k : 0);
}

static double time_narrow(const vs_shape *a, const vs_shape *b, motion m, double envelope, int repeat,
                          vs_mesh_points *points) {
    const bench_time begin = bench_now();
    for (int k = 0; k < repeat; k++)
        if (vs_narrow_meshes(a, VS_IDENTITY_POSE, b, pose_at(m, k), envelope, points))
            return NAN;
    return bench_since(begin).processor / repeat;
}

static double time_find(vs_world *world, vs_collision *collision, motion m, double envelope, int repeat) {
    const vs_contacts *found;
    const bench_time begin = bench_now();
    for (int k = 0; k < repeat; k++) {
        world->body[1].pose = pose_at(m, k);
        if (vs_collision_find(collision, 1e-3, envelope, NULL, &found))
            return NAN;
    }
    return bench_since(begin).processor / repeat;
}

static bool add(vs_world *world, vs_shape *shape) {
    vs_body_def body = vs_body_def_default();
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = shape;
    return !vs_world_add_body(world, &body, &collider.body) && !vs_world_add_collider(world, &collider, NULL);
}

static bool measure(vs_context *context, vs_shape *link, motion m, double envelope, int repeat, row *r) {
    vs_world *world = NULL;
    vs_collision *collision = NULL;
    vs_mesh_points points = {.context = context};
    const double size = link->size;
    const vs_gap_range range = {.envelope = envelope, .depth = 1e-2 * size, .tolerance = 2e-6 * size};
    *r = (row){0};
    bool good = !vs_world_create(context, NULL, &world) && add(world, link) && add(world, link) &&
                !vs_collision_create(world, &collision);
    const bench_time begin = bench_now();
    for (int k = 0; k < repeat && good; k++)
        vs_triangles_facing_pairs(&link->triangles, vs_pose_relative(VS_IDENTITY_POSE, pose_at(m, k)), &link->triangles,
                                  &range, count_pair, &r->pairs);
    r->trees = bench_since(begin).processor / repeat;
    r->pairs /= repeat;
    if (good) {
        vs_shape all = *link;
        all.triangles.exposure = NULL;
        r->narrow = time_narrow(link, link, m, envelope, repeat, &points);
        r->contacts = points.count;
        r->find = time_find(world, collision, m, envelope, repeat);
        r->all = time_narrow(&all, &all, m, envelope, 1, &points);
    }
    vs_release(context, points.at);
    vs_collision_destroy(collision);
    if (world)
        vs_world_destroy(world);
    return good;
}

int main(int argc, char **argv) {
    static const int ABOUT[] = {5, 16, 50, 158}; // twice as many around, times two triangles
    enum { MESHES = sizeof ABOUT / sizeof *ABOUT };
    const int repeat = argc == 3 && strcmp(argv[1], "--repeat") == 0 ? atoi(argv[2]) : 20;
    vs_context *context = NULL;
    if ((argc != 1 && argc != 3) || repeat < 1 || vs_context_create(NULL, &context)) {
        (void)fprintf(stderr, "usage: collide_meshes [--repeat 20]\n");
        return 1;
    }
    bool good = true;
    double first[2][MOTIONS], last[2][MOTIONS];
    printf(
        "| triangles | envelope, m | motion | contacts | pairs of triangles | trees, us | narrow, us | find, us | all "
        "pairs, us |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < MESHES && good; k++) {
        vs_shape *link = NULL;
        good = !make_link(context, 2 * ABOUT[k], ABOUT[k], &link);
        for (int wide = 0; wide < 2 && good; wide++)
            for (motion m = 0; m < MOTIONS && good; m++) {
                const double side = 2 * 3.14 * TUBE / ABOUT[k], envelope = wide ? .025 : fmin(.025, .2 * side * side);
                row r;
                good = measure(context, link, m, envelope, repeat, &r);
                *(k == 0 ? &first[wide][m] : &last[wide][m]) = r.narrow;
                printf("| %d | %.1e | %s | %d | %lld | %.1f | %.1f | %.1f | %.1f |\n", 4 * ABOUT[k] * ABOUT[k],
                       envelope, NAME[m], r.contacts, (long long)r.pairs, 1e6 * r.trees, 1e6 * r.narrow, 1e6 * r.find,
                       1e6 * r.all);
                (void)fflush(stdout);
            }
        vs_shape_release(link);
    }
    for (motion m = 0; m < MOTIONS && good; m++)
        printf("%sgrowth with triangles to the power %.2f (few triangles in the envelope), %.2f (%s)\n", m ? "" : "\n",
               log(last[0][m] / first[0][m]) / (2 * log((double)ABOUT[MESHES - 1] / ABOUT[0])),
               log(last[1][m] / first[1][m]) / (2 * log((double)ABOUT[MESHES - 1] / ABOUT[0])), NAME[m]);
    vs_context_destroy(context);
    return good ? 0 : 2;
}
