// Shapes of one mechanism that overlap wherever its joints move.
//
// Descriptions of robots overlap at their joints: a link and the base below it, or the two neighbours of a short link. No
// motion of the joints separates such bodies, so that contacts between them contradict the joints, and no step could fulfil
// both. They get no contacts. Overlaps that some position of the joints opens, and those of separate mechanisms, are left:
// they are mistakes of the initial state, and such bodies must collide later.
//
// The positions tried: that of the file, the keyframes, all joints at their lower or upper ends, and POSES between (a
// sequence of low discrepancy). Mechanisms with a joint whose position cannot be set (a loop, a ball joint) are left alone;
// so are contacts with the world, if only the joint to the world is of that kind.
#include <math.h>

#include "base/array.h"
#include "collide/collision.h"
#include "scene/import/import_data.h"
#include "scene/data/keyframe.h"
#include "scene/data/scene_data.h"

static const double LEAST = 1e-4; // of the smaller shape's size: overlaps that count, as at the start of a run
static const double PI = 3.14159265358979323846;
enum { ENDS = 2, POSES = 8 };

// Two bodies; a shape of the world and a body.
typedef struct locked {
    int a, b;
    int collider; // of the world; -1: both bodies move
    int seen;     // last pose in which they overlapped
    double depth; // m, in the file's pose
} locked;

typedef struct search {
    vs_import *im;
    vs_world *world;
    vs_collision *collision;
    VS_ARRAY(locked) pair;
    int *root;             // (bodies) mechanism: union-find
    bool *fixed, *unknown; // (bodies) by root: joined to the world; some joint could not be moved
    bool *unknown_base;    // (bodies) by root: the joint to the world could not be moved
    double span;           // m, of the largest shape that moves
    int poses;
} search;

// ---- mechanisms ------------------------------------------------------------------------------------

static int root_of(const search *s, int body) {
    while (s->root[body] != body)
        body = s->root[body];
    return body;
}

static bool is_link(const vs_joint *joint) {
    return joint->alive && joint->def.kind != VS_JOINT_GEAR && joint->def.kind != VS_JOINT_SPRING;
}

static void find_mechanisms(search *s) {
    const vs_world *world = s->world;
    for (int k = 0; k < world->bodies; k++)
        s->root[k] = k;
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        if (is_link(joint) && joint->a > 0 && joint->b > 0)
            s->root[root_of(s, joint->a)] = root_of(s, joint->b);
    }
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        if (is_link(joint) && (joint->a == 0 || joint->b == 0))
            s->fixed[root_of(s, joint->a + joint->b)] = true;
    }
    for (int k = 0; k < world->colliders; k++)
        if (world->collider[k].alive && world->collider[k].body > 0)
            s->span = fmax(s->span, world->collider[k].shape->size);
}

// ---- overlaps --------------------------------------------------------------------------------------

static bool overlaps(const vs_world *world, const vs_contact *c) {
    return -c->gap >
           LEAST * fmin(world->collider[c->collider_a].shape->size, world->collider[c->collider_b].shape->size);
}

// In the first pose pairs are added, later on those seen are marked.
static void note(search *s, const vs_contact *c) {
    const int world_shape = c->a == 0 ? c->collider_a : -1;
    for (int64_t k = 0; k < s->pair.count; k++) {
        locked *pair = &s->pair.data[k];
        if (pair->a != c->a || pair->b != c->b || pair->collider != world_shape)
            continue;
        if (s->poses == 0)
            pair->depth = fmax(pair->depth, -c->gap);
        else if (pair->seen == s->poses - 1)
            pair->seen = s->poses;
        return;
    }
    const bool one = c->a == 0 ? s->fixed[root_of(s, c->b)] : root_of(s, c->a) == root_of(s, c->b);
    if (s->poses > 0 || !one)
        return;
    vs_import_check(s->im, NULL, VS_RESERVE(s->im->context, &s->pair, s->pair.count + 1));
    if (vs_import_good(s->im))
        s->pair.data[s->pair.count++] = (locked){c->a, c->b, world_shape, 0, -c->gap};
}

// The present pose is the next one.
static void look(search *s) {
    const vs_contacts *contacts;
    if (!vs_import_good(s->im))
        return;
    vs_import_check(s->im, NULL, vs_collision_find(s->collision, 0, 0, NULL, &contacts));
    for (int k = 0; vs_import_good(s->im) && k < contacts->count; k++)
        if (overlaps(s->world, &contacts->contact[k]))
            note(s, &contacts->contact[k]);
    s->poses++;
}

// ---- poses -----------------------------------------------------------------------------------------

static void move_joint(search *s, int index, double fraction) {
    vs_world *world = s->world;
    const vs_joint *joint = &world->joint[index];
    const vs_joint_kind kind = joint->def.kind;
    if (!is_link(joint) || kind == VS_JOINT_FIXED)
        return;
    const double reach = kind == VS_JOINT_REVOLUTE ? PI : 2 * s->span;
    const double low = joint->def.limited ? joint->def.low : -reach,
                 high = joint->def.limited ? joint->def.high : reach;
    vs_error error = VS_ERROR_ARGUMENT;
    if (kind == VS_JOINT_REVOLUTE || kind == VS_JOINT_PRISMATIC)
        error = vs_world_set_joint_coordinate(world, (vs_joint_id){(uint32_t)index, joint->generation},
                                              low + fraction * (high - low), 0);
    if (error == VS_ERROR_MEMORY)
        vs_import_check(s->im, NULL, error);
    else if (error && joint->a > 0 && joint->b > 0)
        s->unknown[root_of(s, joint->a)] = true;
    else if (error)
        s->unknown_base[root_of(s, joint->a + joint->b)] = true;
}

// Moves the world through all poses, and back.
static void look_around(search *s) {
    vs_scene *scene = s->im->scene;
    const int keys = scene->keyframes;
    vs_import_check(s->im, NULL, vs_scene_add_keyframe(scene, ""));
    if (!vs_import_good(s->im))
        return;
    for (int k = 0; k < keys; k++) {
        vs_scene_apply_keyframe(s->world, &scene->keyframe[k]);
        look(s);
    }
    for (int p = 0; p < ENDS + POSES && vs_import_good(s->im); p++) {
        vs_scene_apply_keyframe(s->world, &scene->keyframe[keys]);
        for (int k = 0; k < s->world->joints && vs_import_good(s->im); k++) {
            const double between = .6180339887498949 * (p + 1) + .7548776662466927 * k;
            move_joint(s, k, p < ENDS ? p : between - floor(between));
        }
        look(s);
    }
    vs_scene_apply_keyframe(s->world, &scene->keyframe[keys]);
    vs_scene_drop_keyframe(scene, keys);
}

// ---- contacts left out -----------------------------------------------------------------------------

// A bit that only this shape has as its group; false: all are in use.
static bool separate_group(vs_world *world, int shape) {
    uint32_t used = 0;
    bool alone = true;
    vs_collider *own = &world->collider[shape];
    for (int k = 0; k < world->colliders; k++) {
        used |= world->collider[k].group;
        alone = alone && (k == shape || !(world->collider[k].group & own->group));
    }
    if (alone)
        return true;
    if (used == UINT32_MAX)
        return false;
    const uint32_t bit = ~used & (used + 1); // the lowest that is free
    for (int k = 0; k < world->colliders; k++)
        if (world->collider[k].mask & own->group)
            world->collider[k].mask |= bit;
        else
            world->collider[k].mask &= ~bit;
    own->group = bit;
    return true;
}

// Other shapes of the world, as the floor, still collide with the body.
static bool ignore_shape(vs_world *world, int shape, int body) {
    if (!separate_group(world, shape))
        return false;
    for (int k = 0; k < world->colliders; k++)
        if (world->collider[k].body == body)
            world->collider[k].mask &= ~world->collider[shape].group;
    world->topology++;
    return true;
}

// The body (MJCF) or link (URDF) of the file that has the shape. Null: none.
static const xmlNode *owner_of(const search *s, int shape) {
    const vs_import_item *item = s->im->item;
    const vs_collider_id id = {(uint32_t)shape, s->world->collider[shape].generation};
    while (item && (item->id.index != id.index || item->id.generation != id.generation))
        item = item->next;
    const xmlNode *node = item ? item->node : NULL;
    while (node && !vs_is_element(node, "body") && !vs_is_element(node, "link"))
        node = node->parent;
    return node;
}

static const char *name_of(const search *s, int body, int shape) {
    const vs_body_id id = {(uint32_t)body, s->world->body[body].generation};
    const xmlNode *owner = body == 0 ? owner_of(s, shape) : NULL;
    const char *name = owner ? vs_import_text(s->im, (vs_element){owner, NULL}, "name") : NULL;
    if (body > 0)
        name = vs_world_get_body_name(s->world, id);
    return name && *name ? name : body == 0 ? "world" : "body without name";
}

static void leave_out(search *s, const locked *pair) {
    const int mechanism = root_of(s, pair->b);
    vs_world *world = s->world;
    bool done = true;
    if (pair->seen != s->poses - 1 || s->unknown[mechanism] || (pair->a == 0 && s->unknown_base[mechanism]))
        return;
    if (pair->a == 0)
        done = ignore_shape(world, pair->collider, pair->b);
    else
        vs_import_check(s->im, NULL,
                        vs_world_ignore_pair(world, (vs_body_id){(uint32_t)pair->a, world->body[pair->a].generation},
                                             (vs_body_id){(uint32_t)pair->b, world->body[pair->b].generation}));
    if (done && vs_import_good(s->im))
        vs_log(
            s->im->context, VS_LOG_WARNING,
            "%s: '%.60s' and '%.60s' overlap by %.3g m wherever their joints move: contacts between them are left out; "
            "to have them, make their shapes smaller or move them apart",
            s->im->name, name_of(s, pair->a, pair->collider), name_of(s, pair->b, -1), pair->depth);
}

void vs_import_leave_out_locked(vs_import *im) {
    vs_world *world = im->scene->world;
    if (!vs_import_good(im) || !im->joint || world->colliders < 2)
        return;
    search s = {.im = im, .world = world};
    s.root = vs_import_make(im, NULL, world->bodies, sizeof *s.root);
    s.fixed = vs_import_make(im, NULL, world->bodies, sizeof *s.fixed);
    s.unknown = vs_import_make(im, NULL, world->bodies, sizeof *s.unknown);
    s.unknown_base = vs_import_make(im, NULL, world->bodies, sizeof *s.unknown_base);
    if (!vs_import_good(im))
        return;
    find_mechanisms(&s);
    vs_import_check(im, NULL, vs_collision_create(world, &s.collision));
    look(&s);
    if (s.pair.count > 0 && vs_import_good(im))
        look_around(&s);
    for (int64_t k = 0; k < s.pair.count && vs_import_good(im); k++)
        leave_out(&s, &s.pair.data[k]);
    VS_ARRAY_RELEASE(im->context, &s.pair);
    vs_collision_destroy(s.collision);
}
