// pairs [--count 10000] [--seed 1] [--only INDEX] [--check] [--verbose] [--fcl]
//
// Distances and depths of random pairs of bodies of every kind of shape, against references in long double (part.h),
// relative to the size of the smaller body. Drawn in turn for every two kinds:
//
//     apart     at gaps of 1e-6 to 10 times the smaller size
//     touching  at gaps of up to 1e-6 of it in either direction, and at exactly 0
//     shallow   overlapping by 1e-6 to 1e-2
//     deep      centres anywhere within both
//
// each at any orientation, or turned by a multiple of a right angle and 0 or 1e-12 to 1e-3 rad, so that faces and edges
// are parallel or nearly so. One body is up to 1000 times larger than the other.
//
// Columns: the query (vs_world_get_body_distance) apart and overlapping, the contacts (the least gap of
// vs_narrow_any()), touching bodies not found by vs_world_find_overlapping(), and the width of the reference's bounds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collide/mesh/mesh.h"
#include "item.h"
#ifdef PAIRS_FCL
#include "fcl_side.h"
#include "shape/shape_data.h"
#endif

enum { APART, TOUCHING, SHALLOW, DEEP, PLACES };

static const double BOUND = 1e-9;    // of the smaller size
static const double ENVELOPE = 1e-2; // of the smaller size, of contacts
// Of the smaller size: overlaps whose contacts are compared; in deeper ones those of meshes differ on purpose.
static const double MESH_DEPTH = 1e-3;

typedef struct options {
    int count, only;
    uint64_t seed;
    bool check, verbose, fcl;
} options;

typedef struct pair {
    item item[2];
    vs_pose pose[2];
    int place;
    bool aligned;
    gap_bounds gap;
    double size; // m, of the smaller one
} pair;

typedef struct tally {
    int count, apart, overlapping, contacts, missed, untouched, ghosts, wide;
    double distance, depth, contact, width; // worst, of the size
    int worst[3];                           // pairs with the worst distance, depth, contact
} tally;

// ---- drawing -----------------------------------------------------------------------------------------

// Bodies of two kinds in turn, without two planes.
static void choose_kinds(int index, item_kind kind[2]) {
    int left = index % (ITEM_KINDS * (ITEM_KINDS + 1) / 2 - 1);
    for (int i = 0; i < ITEM_KINDS; i++)
        for (int j = i; j < ITEM_KINDS; j++) {
            if (i == ITEM_PLANE && j == ITEM_PLANE)
                continue;
            if (left-- == 0) {
                kind[0] = (item_kind)i;
                kind[1] = (item_kind)j;
                return;
            }
        }
}

static double power(uint64_t *seed, double low, double high) {
    return pow(10, random_in(seed, low, high));
}

// A quarter turn or none about each axis, and a little more.
static vs_quat draw_alignment(uint64_t *seed) {
    const double quarter = 1.5707963267948966;
    const vs_vec3 turn[3] = {{quarter, 0, 0}, {0, quarter, 0}, {0, 0, quarter}};
    vs_quat q = {1, 0, 0, 0};
    for (int k = 0; k < 3; k++)
        if (random_unit(seed) < .4)
            q = vs_quat_multiply(q, vs_quat_exp(turn[k]));
    const double angle = random_unit(seed) < .3 ? 0 : power(seed, -12, -3);
    return vs_quat_normalize(vs_quat_multiply(q, vs_quat_exp(random_vec(seed, angle))));
}

static double draw_gap(int place, uint64_t *seed) {
    const double sign = random_unit(seed) < .5 ? -1 : 1;
    switch (place) {
    case APART:
        return power(seed, -6, 1);
    case TOUCHING:
        return random_unit(seed) < .2 ? 0 : sign * power(seed, -12, -6);
    default:
        return -power(seed, -6, -2);
    }
}

static double finite_size(const item *i) {
    return isfinite(i->size) ? i->size : 1;
}

// False: this draw is none: behind a surface with one side.
static bool draw_place(pair *p, uint64_t *seed) {
    const double reach = finite_size(&p->item[0]) + finite_size(&p->item[1]);
    p->pose[0] = (vs_pose){random_vec(seed, p->size), random_quat(seed)};
    p->pose[1].rotation = p->aligned ? vs_quat_multiply(p->pose[0].rotation, draw_alignment(seed)) : random_quat(seed);
    vs_vec3 way = vs_normalize(random_vec(seed, 1));
    if (p->aligned && random_unit(seed) < .7) // along an axis, and somewhat aside
        way = vs_add(vs_rotate(p->pose[0].rotation, (vs_vec3){0, 0, random_unit(seed) < .5 ? -1 : 1}),
                     random_vec(seed, random_unit(seed) < .3 ? 0 : .2));
    const double far = p->place == DEEP ? random_in(seed, 0, .7) * p->size : 1.2 * reach;
    p->pose[1].position = vs_add_scaled(p->pose[0].position, far, way);
    bool behind;
    p->gap = item_gap(&p->item[0], p->pose[0], &p->item[1], p->pose[1], &behind);
    if (p->place != DEEP) {
        const double move = draw_gap(p->place, seed) * p->size - (double)p->gap.low;
        const vs_vec3 n = {(double)p->gap.normal.x, (double)p->gap.normal.y, (double)p->gap.normal.z};
        p->pose[1].position = vs_add_scaled(p->pose[1].position, move, n);
        bool before = behind;
        p->gap = item_gap(&p->item[0], p->pose[0], &p->item[1], p->pose[1], &behind);
        behind = before || (behind && p->gap.low > 0);
    }
    return !behind;
}

static bool draw_pair(vs_context *context, uint64_t base, int index, pair *p) {
    item_kind kind[2] = {ITEM_SPHERE, ITEM_SPHERE};
    uint64_t seed = (base << 32) + (uint64_t)index;
    for (int k = 0; k < 8; k++) // neighbours must differ from the first number on
        (void)random_unit(&seed);
    choose_kinds(index, kind);
    p->place = random_below(&seed, PLACES);
    p->aligned = random_unit(&seed) < .4;
    const double ratio = random_unit(&seed) < .5 ? 1 : power(&seed, -3, 3);
    if (!item_make(context, kind[0], 1, &seed, &p->item[0]) || !item_make(context, kind[1], ratio, &seed, &p->item[1]))
        return false;
    p->size = fmin(p->item[0].size, p->item[1].size);
    for (int tries = 0; tries < 50; tries++)
        if (draw_place(p, &seed))
            return true;
    return false;
}

// ---- the library -------------------------------------------------------------------------------------

typedef struct answer {
    double distance; // by the query
    double contact;  // least gap of contacts; infinite: none
    bool touch;
} answer;

static vs_error add_body(vs_world *world, const item *from, vs_pose pose, uint32_t group, vs_body_id *id) {
    vs_body_def def = vs_body_def_default();
    def.motion = VS_MOTION_STATIC;
    def.pose = pose;
    vs_error error = vs_world_add_body(world, &def, id);
    for (int k = 0; k < from->colliders && !error; k++) {
        vs_collider_def collider = vs_collider_def_default();
        collider.body = *id;
        collider.shape = from->shape[k];
        collider.pose = from->local[k];
        collider.group = group;
        error = vs_world_add_collider(world, &collider, NULL);
    }
    return error;
}

static vs_error find_contacts(vs_context *context, const pair *p, answer *out) {
    vs_mesh_points points = {.context = context};
    vs_error error = VS_OK;
    out->contact = INFINITY;
    for (int i = 0; i < p->item[0].colliders && !error; i++)
        for (int j = 0; j < p->item[1].colliders && !error; j++) {
            error = vs_narrow_any(p->item[0].shape[i], vs_pose_multiply(p->pose[0], p->item[0].local[i]),
                                  p->item[1].shape[j], vs_pose_multiply(p->pose[1], p->item[1].local[j]),
                                  ENVELOPE * p->size, &points);
            for (int k = 0; k < points.count && !error; k++)
                out->contact = fmin(out->contact, points.at[k].gap);
        }
    vs_release(context, points.at);
    return error;
}

static vs_error ask(vs_context *context, const pair *p, answer *out) {
    vs_world *world = NULL;
    vs_body_id id[2];
    vs_body_distance found = {0};
    vs_error error = vs_world_create(context, NULL, &world);
    for (int k = 0; k < 2 && !error; k++)
        error = add_body(world, &p->item[k], p->pose[k], 1u << k, &id[k]);
    if (!error)
        error = vs_world_get_body_distance(world, id[0], id[1], 1e4 * p->size + 1e4, &found);
    out->distance = found.distance;
    out->touch = false;
    for (int k = 0; k < p->item[0].colliders && !error; k++) {
        int count = 0; // of the second body's colliders
        error = vs_world_find_overlapping(world, p->item[0].shape[k], vs_pose_multiply(p->pose[0], p->item[0].local[k]),
                                          2, NULL, 0, &count);
        out->touch = out->touch || count > 0;
    }
    vs_world_destroy(world);
    return error ? error : find_contacts(context, p, out);
}

// ---- errors -----------------------------------------------------------------------------------------

// Outside of the bounds of the reference, of the size.
static double error_of(const pair *p, double found) {
    const real off = fmaxl(fmaxl(p->gap.low - found, found - p->gap.high), 0);
    return isnan(found) ? INFINITY : (double)(off / p->size);
}

static void worsen(double error, int index, double *worst, int *which) {
    if (error > *worst) {
        *worst = error;
        *which = index;
    }
}

static void evaluate(const pair *p, const answer *found, int index, tally *t) {
    const double gap = (double)(p->gap.high / p->size);
    const bool mesh = item_is_mesh(&p->item[0]) || item_is_mesh(&p->item[1]);
    const double width = (double)((p->gap.high - p->gap.low) / p->size);
    t->count++;
    t->width = fmax(t->width, width);
    t->wide += width > .1 * BOUND;
    // Meshes closer than the bound touch: their contacts tell.
    if (gap > (mesh ? BOUND : 0)) {
        t->apart++;
        worsen(error_of(p, found->distance), index, &t->distance, &t->worst[0]);
        t->ghosts += found->touch && gap > BOUND;
    } else {
        t->overlapping++;
        t->missed += !found->touch && gap < -BOUND;
        if (item_has_depth(&p->item[0], &p->item[1]))
            worsen(error_of(p, found->distance), index, &t->depth, &t->worst[1]);
    }
    const bool near = gap < ENVELOPE * (1 - 1e-9);
    if (!near || gap < -MESH_DEPTH || (gap <= 0 && !item_has_depth(&p->item[0], &p->item[1])))
        return;
    t->contacts++;
    t->untouched += !isfinite(found->contact);
    if (isfinite(found->contact))
        worsen(error_of(p, found->contact), index, &t->contact, &t->worst[2]);
}

static void describe(const pair *p, const answer *a, int index) {
    static const char *const place[PLACES] = {"apart", "touching", "shallow", "deep"};
    printf(
        "%d: %s and %s, %s%s, sizes %.3g %.3g: gap %.17Lg (width %.1Lg), query %.17g (%.1g), contact %.17g (%.1g)%s\n",
        index, item_name[p->item[0].kind], item_name[p->item[1].kind], place[p->place], p->aligned ? " aligned" : "",
        p->item[0].size, p->item[1].size, p->gap.low, p->gap.high - p->gap.low, a->distance, error_of(p, a->distance),
        a->contact, error_of(p, a->contact), a->touch ? ", touch" : "");
}

// ---- a third opinion ---------------------------------------------------------------------------------

// With and without triangles. Touch is compared where the reference tells that the gap exceeds NEAR of the smaller size.
typedef struct opinion {
    int pairs, apart;
    int missed[2], ghosts[2]; // overlaps not found, and found where there are none: by fcl, by the library
    int beyond[2];            // distances that differ from the reference by more than FAR
    double distance;          // worst difference of fcl and the library, of the size
} opinion;

#ifdef PAIRS_FCL
static const double NEAR = 1e-6, FAR = 1e-5;

static bool describe_to_fcl(const item *i, vs_pose pose, fcl_body *out) {
    static const fcl_kind known[ITEM_KINDS] = {[ITEM_SPHERE] = FCL_SPHERE,       [ITEM_BOX] = FCL_BOX,
                                               [ITEM_CAPSULE] = FCL_CAPSULE,     [ITEM_CYLINDER] = FCL_CYLINDER,
                                               [ITEM_ELLIPSOID] = FCL_ELLIPSOID, [ITEM_MESH] = FCL_TRIANGLES,
                                               [ITEM_CONCAVE] = FCL_TRIANGLES,   [ITEM_SHELL] = FCL_TRIANGLES,
                                               [ITEM_FIELD] = FCL_TRIANGLES};
    if (i->kind == ITEM_PLANE || i->kind == ITEM_COMPOUND || i->kind == ITEM_HULL)
        return false;
    const vs_vec3 size = vs_shape_sizes(i->shape[0]);
    const vs_pose p = vs_pose_multiply(pose, i->local[0]);
    const vs_triangles *t = &i->shape[0]->triangles;
    *out = (fcl_body){.kind = known[i->kind],
                      .size = {size.x, size.y, size.z},
                      .place = {p.position.x, p.position.y, p.position.z},
                      .rotation = {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z},
                      .vertex = &t->vertex->x,
                      .triangle = t->index,
                      .vertices = t->vertices,
                      .triangles = t->triangles};
    return true;
}

static void ask_fcl(const pair *p, const answer *ours, opinion half[2]) {
    fcl_body body[2];
    for (int k = 0; k < 2; k++)
        if (!describe_to_fcl(&p->item[k], p->pose[k], &body[k]))
            return;
    const fcl_answer theirs = fcl_ask(&body[0], &body[1]);
    const double gap = (double)p->gap.high / p->size;
    opinion *o = &half[item_is_mesh(&p->item[0]) || item_is_mesh(&p->item[1])];
    o->pairs++;
    if (fabs(gap) > NEAR) {
        o->missed[0] += gap < 0 && !theirs.touch;
        o->missed[1] += gap < 0 && !ours->touch;
        o->ghosts[0] += gap > 0 && theirs.touch;
        o->ghosts[1] += gap > 0 && ours->touch;
    }
    if (!(gap > NEAR) || theirs.touch)
        return;
    o->apart++;
    o->beyond[0] += error_of(p, theirs.distance) > FAR;
    o->beyond[1] += error_of(p, ours->distance) > FAR;
    o->distance = fmax(o->distance, fabs(theirs.distance - ours->distance) / p->size);
}
#else
static void ask_fcl(const pair *p, const answer *ours, opinion half[2]) {
    (void)p, (void)ours, (void)half;
}
#endif

static void print_opinion(const opinion half[2]) {
    printf(
        "\n| | pairs | missed: fcl | voussoir | ghosts: fcl | voussoir | apart | distance off by more than 1e-5: fcl "
        "| voussoir | worst difference |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < 2; k++)
        printf("| %s triangles | %d | %d | %d | %d | %d | %d | %d | %d | %.1e |\n", k ? "with" : "without",
               half[k].pairs, half[k].missed[0], half[k].missed[1], half[k].ghosts[0], half[k].ghosts[1], half[k].apart,
               half[k].beyond[0], half[k].beyond[1], half[k].distance);
}

// ---- tables ------------------------------------------------------------------------------------------

// What is bounded: distances, depths, overlaps found, and of shapes without triangles contacts, too.
static bool is_bad(const tally *t, bool mesh) {
    return t->distance > BOUND || t->depth > BOUND || t->missed > 0 || (!mesh && (t->untouched > 0 || t->ghosts > 0));
}

static void print_row(const char *a, const char *b, const tally *t, bool verbose) {
    printf("| %s | %s | %d | %d | %.1e | %d | %.1e | %d | %.1e | %d | %d | %d | %.1e | %d |", a, b, t->count, t->apart,
           t->distance, t->overlapping, t->depth, t->contacts, t->contact, t->missed, t->untouched, t->ghosts, t->width,
           t->wide);
    if (verbose && (is_bad(t, false) || t->contact > BOUND))
        printf(" %d %d %d", t->worst[0], t->worst[1], t->worst[2]);
    printf("\n");
}

static void add_up(tally *sum, const tally *t) {
    sum->count += t->count;
    sum->apart += t->apart;
    sum->overlapping += t->overlapping;
    sum->contacts += t->contacts;
    sum->missed += t->missed;
    sum->untouched += t->untouched;
    sum->ghosts += t->ghosts;
    sum->wide += t->wide;
    sum->distance = fmax(sum->distance, t->distance);
    sum->depth = fmax(sum->depth, t->depth);
    sum->contact = fmax(sum->contact, t->contact);
    sum->width = fmax(sum->width, t->width);
}

static bool print_table(tally table[ITEM_KINDS][ITEM_KINDS], bool verbose) {
    tally all = {0}, half[2] = {0}; // without and with meshes
    bool good = true;
    printf("| | | pairs | apart | error | overlap | error | contacts | error | missed | no contact | ghosts | width | "
           "wide |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < ITEM_KINDS; i++)
        for (int j = i; j < ITEM_KINDS; j++) {
            if (table[i][j].count == 0)
                continue;
            print_row(item_name[i], item_name[j], &table[i][j], verbose);
            const bool mesh = (i >= ITEM_MESH && i <= ITEM_FIELD) || (j >= ITEM_MESH && j <= ITEM_FIELD);
            good = good && !is_bad(&table[i][j], mesh);
            add_up(&half[mesh], &table[i][j]);
            add_up(&all, &table[i][j]);
        }
    print_row("without", "meshes", &half[0], false);
    print_row("with", "meshes", &half[1], false);
    print_row("all", "", &all, false);
    return good;
}

static bool parse(int argc, char **argv, options *o) {
    *o = (options){.count = 10000, .only = -1, .seed = 1};
    for (int k = 1; k < argc; k++) {
        const bool more = k + 1 < argc;
        if (strcmp(argv[k], "--check") == 0)
            o->check = true;
        else if (strcmp(argv[k], "--verbose") == 0)
            o->verbose = true;
#ifdef PAIRS_FCL
        else if (strcmp(argv[k], "--fcl") == 0)
            o->fcl = true;
#endif
        else if (more && strcmp(argv[k], "--count") == 0)
            o->count = atoi(argv[++k]);
        else if (more && strcmp(argv[k], "--only") == 0)
            o->only = atoi(argv[++k]);
        else if (more && strcmp(argv[k], "--seed") == 0)
            o->seed = strtoull(argv[++k], NULL, 10);
        else
            return false;
    }
    return o->count > 0;
}

int main(int argc, char **argv) {
    static tally table[ITEM_KINDS][ITEM_KINDS];
    static pair p;
    opinion half[2] = {{0}};
    options o;
    vs_context *context = NULL;
    if (!parse(argc, argv, &o)) {
        (void)fprintf(stderr, "usage: pairs [--count 10000] [--seed 1] [--only INDEX] [--check] [--verbose] [--fcl]\n");
        return 1;
    }
    if (vs_context_create(NULL, &context))
        return 2;
    int begin = o.only >= 0 ? o.only : 0, end = o.only >= 0 ? o.only + 1 : o.count, skipped = 0;
    for (int k = begin; k < end; k++) {
        answer found;
        if (!draw_pair(context, o.seed, k, &p)) {
            skipped++;
        } else if (ask(context, &p, &found)) {
            (void)fprintf(stderr, "pairs: %d: %s\n", k, vs_context_get_error_text(context));
            return 2;
        } else {
            evaluate(&p, &found, k, &table[p.item[0].kind][p.item[1].kind]);
            if (o.fcl)
                ask_fcl(&p, &found, half);
            if (o.only >= 0)
                describe(&p, &found, k);
        }
        for (int i = 0; i < 2; i++)
            item_release(&p.item[i]);
    }
    const bool good = print_table(table, o.verbose);
    printf("\nseed %llu; %d draws without a pair in front of a surface with one side were skipped\n",
           (unsigned long long)o.seed, skipped);
    if (o.fcl)
        print_opinion(half);
    vs_context_destroy(context);
    return o.check && !good ? 3 : 0;
}
