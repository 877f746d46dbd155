// collide_peers [--repeat 40] [--scene NAME]
//
// Collision detection beside Bullet and ODE: broad and narrow phase of the same bodies at the same poses, one thread, in
// turn within one process; the least time of all repetitions. The named scenes have settled in voussoir; then all
// places are drawn together by 1e-3, so that neighbours overlap by about that much of their distance, because ODE only
// reports overlaps. Ellipsoids are left out of primitive-soup: neither peer has them. Meshes: chains of links of 400 triangles that hang
// in each other, also beside fcl.
//
//     still     nothing moves between two searches
//     moving    every body moves by up to 1e-4 of its size before each search, as in a simulation
//
// Pairs: those with contacts. Missed: of the pairs that overlap by more than 1e-5 of the smaller size, by vs_shapes_distance(),
// those without a contact. Setting the poses is not timed. Voussoir knows the contacts of the search before, as in a
// simulation.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "body/world_data.h"
#include "collide/collision.h"
#include "collide/query/distance.h"
#include "collide_side.h"
#include "linalg/blas.h"
#include "voussoir/scene.h"
#include "voussoir/simulation.h"

enum { SIDES = 4, FRAMES = 16, MOST = 200000 };

typedef struct setting {
    int bodies;
    side_body *body;
    vs_pose *pose;
    const vs_shape **shape;
} setting;

// ---- voussoir ----------------------------------------------------------------------------------------

typedef struct own_state {
    vs_world *world;
    vs_collision *collision;
    const vs_contacts *contacts;
    int *collider; // (bodies of the setting) their colliders
    int bodies;
    int *place; // (colliders) their places in the setting
    vs_former_contact *former;
    vs_former_contacts known;
} own_state;

static vs_world *own_world; // the scene's, for the one instance of this side

static void own_place(void *state, const vs_pose *pose) {
    own_state *s = state;
    for (int k = 0; k < s->bodies; k++) {
        const vs_collider *c = &s->world->collider[s->collider[k]];
        if (c->shape->kind != VS_SHAPE_PLANE)
            s->world->body[c->body].pose = vs_pose_multiply(pose[k], vs_pose_relative(VS_IDENTITY_POSE, c->pose));
    }
}

static void *own_create(const side_body *body, int bodies, const vs_pose *pose) {
    (void)body;
    own_state *s = calloc(1, sizeof *s);
    s->world = own_world;
    s->bodies = bodies;
    s->collider = calloc((size_t)bodies, sizeof *s->collider);
    s->place = calloc((size_t)own_world->colliders, sizeof *s->place);
    s->former = calloc(MOST, sizeof *s->former);
    for (int k = 0, next = 0; k < own_world->colliders; k++)
        if (own_world->collider[k].alive) {
            s->place[k] = next;
            s->collider[next++] = k;
        }
    own_place(s, pose);
    if (vs_collision_create(own_world, &s->collision))
        exit(2);
    return s;
}

static int by_pair(const void *p, const void *q) {
    const vs_former_contact *a = p, *b = q;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

static void own_find(void *state) {
    own_state *s = state;
    if (vs_collision_find(s->collision, 1. / 240, 0, s->contacts ? &s->known : NULL, &s->contacts))
        exit(2);
}

// What a simulation keeps of its contacts; not timed.
static void own_remember(own_state *s) {
    for (int k = 0; k < s->contacts->count; k++)
        s->former[k] = (vs_former_contact){s->contacts->contact[k].pair, s->contacts->contact[k].feature};
    s->known = (vs_former_contacts){s->former, s->contacts->count};
    qsort(s->former, (size_t)s->contacts->count, sizeof *s->former, by_pair);
}

static int own_get(void *state, side_pair *pair, int most) {
    own_state *s = state;
    int count = 0;
    for (int k = 0; k < s->contacts->count; k++) {
        const vs_contact *c = &s->contacts->contact[k];
        const int i = s->place[c->collider_a], j = s->place[c->collider_b];
        const int a = i < j ? i : j, b = i < j ? j : i;
        if (count > 0 && pair[count - 1].a == a && pair[count - 1].b == b) {
            pair[count - 1].contacts++;
            pair[count - 1].deepest = fmin(pair[count - 1].deepest, c->gap);
        } else if (count < most) {
            pair[count++] = (side_pair){a, b, 1, c->gap};
        }
    }
    return count;
}

static void own_destroy(void *state) {
    own_state *s = state;
    vs_collision_destroy(s->collision);
    free(s->collider);
    free(s->place);
    free(s->former);
    free(s);
}

static const collide_side own_side = {"voussoir", own_create, own_place, own_find, own_get, own_destroy};

// ---- scenes ------------------------------------------------------------------------------------------

static double draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

// Boxes in a cube of 10 x 10 x 10, turned a little, each layer on the one below: they need not settle.
static vs_error make_boxes(vs_context *context, vs_world **world) {
    vs_shape *plane = NULL, *box = NULL;
    vs_collider_def floor = vs_collider_def_default();
    uint64_t seed = 1;
    vs_error error = vs_world_create(context, NULL, world);
    if (!error)
        error = vs_shape_plane(context, &plane);
    if (!error)
        error = vs_shape_box(context, (vs_vec3){.1, .1, .1}, &box);
    floor.shape = plane;
    if (!error)
        error = vs_world_add_collider(*world, &floor, NULL);
    for (int k = 0; k < 1000 && !error; k++) {
        vs_body_def def = vs_body_def_default();
        vs_collider_def collider = vs_collider_def_default();
        def.pose.position =
            (vs_vec3){.21 * (k % 10) + .01 * draw(&seed), .21 * (k / 10 % 10) + .01 * draw(&seed), .1 + .2 * (k / 100)};
        def.pose.rotation = vs_quat_exp((vs_vec3){0, 0, .1 * (draw(&seed) - .5)});
        def.mass = 8;
        def.inertia = (vs_mat3){{.0533, 0, 0, 0, .0533, 0, 0, 0, .0533}};
        collider.shape = box;
        error = vs_world_add_body(*world, &def, &collider.body);
        if (!error)
            error = vs_world_add_collider(*world, &collider, NULL);
    }
    vs_shape_release(plane);
    vs_shape_release(box);
    return error;
}

// A link of a chain.
static vs_error make_link(vs_context *context, vs_shape **shape) {
    enum { AROUND = 20, ABOUT = 10, POINTS = AROUND * ABOUT };
    vs_vec3 vertex[POINTS];
    int index[6 * POINTS], *corner = index;
    for (int k = 0; k < POINTS; k++) {
        const int i = k / ABOUT, j = k % ABOUT, next = (i + 1) % AROUND * ABOUT, up = (j + 1) % ABOUT;
        const double turn = 6.283185307179586, u = turn * i / AROUND, w = turn * j / ABOUT, wide = .2 + .05 * cos(w);
        vertex[k] = (vs_vec3){wide * cos(u), wide * sin(u), .05 * sin(w)};
        const int square[6] = {k, next + j, next + up, k, next + up, i * ABOUT + up};
        memcpy(corner, square, sizeof square);
        corner += 6;
    }
    return vs_shape_mesh(context, vertex, POINTS, index, 2 * POINTS, shape);
}

// Eight chains of twelve links, which just do not touch.
static vs_error make_links(vs_context *context, vs_world **world) {
    vs_shape *shape = NULL;
    vs_error error = vs_world_create(context, NULL, world);
    if (!error)
        error = make_link(context, &shape);
    for (int k = 0; k < 96 && !error; k++) {
        vs_body_def def = vs_body_def_default();
        vs_collider_def collider = vs_collider_def_default();
        def.pose.position = (vs_vec3){.302 * (k % 12), 0, .6 * (k / 12)};
        def.pose.rotation = vs_quat_exp((vs_vec3){k % 2 ? 1.5707963267948966 : 0, 0, 0});
        def.mass = 1;
        def.inertia = (vs_mat3){{.01, 0, 0, 0, .01, 0, 0, 0, .01}};
        collider.shape = shape;
        error = vs_world_add_body(*world, &def, &collider.body);
        if (!error)
            error = vs_world_add_collider(*world, &collider, NULL);
    }
    vs_shape_release(shape);
    return error;
}

static void remove_ellipsoids(vs_world *world) {
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        if (c->alive && c->shape->kind == VS_SHAPE_ELLIPSOID)
            (void)vs_world_remove_body(world, (vs_body_id){(uint32_t)c->body, world->body[c->body].generation});
    }
}

static vs_error settle(vs_world *world, int steps) {
    vs_simulation_options options = vs_simulation_options_default();
    vs_simulation *simulation = NULL;
    options.step = 1. / 240;
    vs_error error = vs_simulation_create(world, &options, &simulation);
    for (int k = 0; k < steps && !error; k++)
        error = vs_simulation_step(simulation, NULL);
    vs_simulation_destroy(simulation);
    return error;
}

static bool take_body(const vs_shape *shape, side_body *out) {
    const vs_polytope *p = &shape->polytope;
    *out = (side_body){.radius = shape->radius,
                       .half_length = shape->half_length,
                       .half = shape->half,
                       .point = p->vertex,
                       .points = p->vertices,
                       .faces = p->faces,
                       .normal = p->normal,
                       .offset = p->offset,
                       .face_start = p->face_start,
                       .face_vertex = p->face_vertex,
                       .triangle = shape->triangles.index,
                       .triangles = shape->triangles.triangles,
                       .size = shape->size};
    static const int kind[] = {
        [VS_SHAPE_SPHERE] = SIDE_SPHERE,     [VS_SHAPE_BOX] = SIDE_BOX,   [VS_SHAPE_CAPSULE] = SIDE_CAPSULE,
        [VS_SHAPE_CYLINDER] = SIDE_CYLINDER, [VS_SHAPE_ELLIPSOID] = -1,   [VS_SHAPE_HULL] = SIDE_HULL,
        [VS_SHAPE_PLANE] = SIDE_PLANE,       [VS_SHAPE_MESH] = SIDE_MESH, [VS_SHAPE_HEIGHT_FIELD] = -1};
    out->shape = (side_shape)kind[shape->kind];
    if (out->shape == SIDE_MESH) {
        out->point = shape->triangles.vertex;
        out->points = shape->triangles.vertices;
    }
    return kind[shape->kind] >= 0;
}

// Bodies of one collider each, drawn together.
static bool take_world(vs_world *world, setting *out) {
    out->body = calloc((size_t)world->colliders, sizeof *out->body);
    out->pose = calloc((size_t)world->colliders, sizeof *out->pose);
    out->shape = calloc((size_t)world->colliders, sizeof *out->shape);
    out->bodies = 0;
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        if (!c->alive)
            continue;
        const bool plane = c->shape->kind == VS_SHAPE_PLANE;
        if (!take_body(c->shape, &out->body[out->bodies]))
            return false;
        vs_pose pose = vs_collider_pose(world, c);
        if (!plane)
            pose.position = vs_scale(1 - 1e-3, pose.position);
        out->shape[out->bodies] = c->shape;
        out->pose[out->bodies++] = pose;
    }
    return true;
}

// ---- measuring ---------------------------------------------------------------------------------------

static int by_bodies(const void *p, const void *q) {
    const side_pair *a = p, *b = q;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

// Of the pairs that any side found, those that overlap.
static int find_touching(vs_context *context, const setting *s, side_pair *pair, int pairs) {
    vs_mesh_points points = {.context = context};
    int count = 0;
    qsort(pair, (size_t)pairs, sizeof *pair, by_bodies);
    for (int k = 0; k < pairs; k++) {
        vs_mesh_point least;
        bool found = false;
        const int a = pair[k].a, b = pair[k].b;
        if (count > 0 && pair[count - 1].a == a && pair[count - 1].b == b)
            continue;
        if (vs_shapes_distance(s->shape[a], s->pose[a], s->shape[b], s->pose[b], 0, &points, &least, &found))
            exit(2);
        if (found && least.gap < -1e-5 * fmin(s->shape[a]->size, s->shape[b]->size))
            pair[count++] = pair[k];
    }
    vs_release(context, points.at);
    return count;
}

static int count_missed(const side_pair *touching, int count, side_pair *pair, int pairs) {
    int missed = 0;
    qsort(pair, (size_t)pairs, sizeof *pair, by_bodies);
    for (int k = 0; k < count; k++)
        missed += bsearch(&touching[k], pair, (size_t)pairs, sizeof *pair, by_bodies) == NULL;
    return missed;
}

static void move(const setting *s, vs_pose *pose, uint64_t *seed) {
    for (int k = 0; k < s->bodies; k++) {
        pose[k] = s->pose[k];
        if (s->body[k].shape == SIDE_PLANE)
            continue;
        const double reach = 1e-4 * s->body[k].size;
        pose[k].position.x += reach * (2 * draw(seed) - 1);
        pose[k].position.y += reach * (2 * draw(seed) - 1);
        pose[k].position.z += reach * (2 * draw(seed) - 1);
    }
}

static void measure(vs_context *context, const char *name, const setting *s, int repeat) {
    const collide_side *side[SIDES] = {&own_side};
    int sides = 1, found[SIDES], contacts[SIDES] = {0}, all = 0;
#ifdef PEER_BULLET
    side[sides++] = collide_bullet_get();
#endif
#ifdef PEER_ODE
    side[sides++] = collide_ode_get();
#endif
#ifdef PEER_FCL
    if (s->body[0].shape == SIDE_MESH)
        side[sides++] = collide_fcl_get();
#endif
    static side_pair pair[SIDES][MOST], touching[SIDES * MOST];
    double least[2][SIDES];
    void *state[SIDES];
    vs_pose *frame = calloc((size_t)s->bodies * FRAMES, sizeof *frame);
    uint64_t seed = 7;
    for (int k = 0; k < FRAMES; k++)
        move(s, frame + (ptrdiff_t)k * s->bodies, &seed);
    for (int i = 0; i < sides; i++) {
        state[i] = side[i]->create(s->body, s->bodies, s->pose);
        least[0][i] = least[1][i] = INFINITY;
    }
    for (int moving = 0; moving < 2; moving++)
        for (int k = 0; k < repeat; k++)
            for (int i = 0; i < sides; i++) {
                side[i]->place(state[i], moving ? frame + (ptrdiff_t)(k % FRAMES) * s->bodies : s->pose);
                const bench_time begin = bench_now();
                side[i]->find(state[i]);
                const double time = bench_since(begin).processor;
                if (k > 1) // the first ones allocate
                    least[moving][i] = fmin(least[moving][i], time);
                if (i == 0)
                    own_remember(state[0]);
            }
    for (int i = 0; i < sides; i++) {
        side[i]->place(state[i], s->pose);
        side[i]->find(state[i]);
        found[i] = side[i]->get(state[i], pair[i], MOST);
        for (int k = 0; k < found[i]; k++) {
            contacts[i] += pair[i][k].contacts;
            touching[all++] = pair[i][k];
        }
    }
    const int overlapping = find_touching(context, s, touching, all);
    for (int i = 0; i < sides; i++) {
        printf("| %s | %s | %d | %d | %d of %d | %.1f | %.3f | %.2f | %.1f | %.3f | %.2f |\n", name, side[i]->name,
               found[i], contacts[i], count_missed(touching, overlapping, pair[i], found[i]), overlapping,
               1e6 * least[0][i], 1e6 * least[0][i] / found[i], least[0][i] / least[0][0], 1e6 * least[1][i],
               1e6 * least[1][i] / found[i], least[1][i] / least[1][0]);
        side[i]->destroy(state[i]);
    }
    free(frame);
}

static bool run(vs_context *context, const char *name, int steps, int repeat) {
    vs_scene *scene = NULL;
    vs_world *world = NULL;
    setting s = {0};
    const vs_scene_parameter wall[] = {{"rows", 20}, {"columns", 15}}, soup[] = {{"count", 120}};
    vs_error error;
    if (strcmp(name, "1000 boxes") == 0) {
        error = make_boxes(context, &world);
    } else if (strcmp(name, "links") == 0) {
        error = make_links(context, &world);
    } else {
        const bool is_soup = strcmp(name, "primitive-soup") == 0;
        error = is_soup ? vs_scene_make(context, name, soup, 1, &scene) : vs_scene_make(context, name, wall, 2, &scene);
        world = error ? NULL : scene->world;
    }
    if (!error)
        remove_ellipsoids(world);
    if (!error)
        error = settle(world, steps);
    bool good = !error && take_world(world, &s);
    if (good) {
        own_world = world;
        measure(context, name, &s, repeat);
    } else {
        (void)fprintf(stderr, "collide_peers: %s: %s\n", name, vs_context_get_error_text(context));
    }
    free(s.body);
    free(s.pose);
    free((void *)s.shape);
    if (scene)
        vs_scene_destroy(scene);
    else
        vs_world_destroy(world);
    return good;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int steps;
    } scene[] = {{"brick-wall", 20}, {"primitive-soup", 120}, {"1000 boxes", 0}, {"links", 0}};
    int repeat = 40;
    const char *only = NULL;
    for (int k = 1; k + 1 < argc; k += 2) {
        if (strcmp(argv[k], "--repeat") == 0)
            repeat = atoi(argv[k + 1]);
        else if (strcmp(argv[k], "--scene") == 0)
            only = argv[k + 1];
        else
            repeat = 0;
    }
    vs_context *context = NULL;
    if (argc % 2 == 0 || repeat < 3) {
        (void)fprintf(stderr, "usage: collide_peers [--repeat 40] [--scene NAME]\n");
        return 1;
    }
    if (vs_context_create(NULL, &context))
        return 2;
    printf("BLAS: %s; minimum of %d, processor time.\n\n", vs_blas_name(), repeat);
    printf("| scene | | pairs | contacts | missed | still, us | per pair | ratio | moving, us | per pair | ratio |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|\n");
    bool good = true;
    for (int k = 0; k < 4 && good; k++)
        if (!only || strcmp(only, scene[k].name) == 0)
            good = run(context, scene[k].name, scene[k].steps, repeat);
    vs_context_destroy(context);
    return good ? 0 : 2;
}
