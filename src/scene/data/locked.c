// Shapes of one mechanism that overlap wherever its joints move: see locked.h.
//
// The positions tried: that of the file, the keyframes, all joints at their lower or upper ends, and POSES between (a
// sequence of low discrepancy). Mechanisms with a joint whose position cannot be set (a loop, a ball joint) are left alone;
// so are contacts with the ground, if only the joint to the ground is of that kind.
#include "scene/data/locked.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "body/world_data.h"
#include "collide/collision.h"
#include "scene/data/keyframe.h"

static const double LEAST = 1e-4; // of the smaller shape's size: overlaps that count, as at the start of a run
static const double PI = 3.14159265358979323846;
enum { ENDS = 2, POSES = 8 };

// Two bodies; a shape of the ground and a body.
typedef struct locked {
    int a, b;     // a: that of the ground, if one is
    int collider; // of the ground; -1: both bodies move
    int seen;     // last pose in which they overlapped
    double depth; // m, in the file's pose
} locked;

typedef struct search {
    vs_error error; // sticky
    vs_scene *scene;
    const vs_locked_options *options;
    vs_world *world;
    vs_collision *collision;
    VS_ARRAY(locked) pair;
    int *root;             // (bodies) mechanism: union-find
    bool *fixed, *unknown; // (bodies) by root: joined to the ground; some joint could not be moved
    bool *unknown_base;    // (bodies) by root: the joint to the ground could not be moved
    double span;           // m, of the largest shape that moves
    int poses;
} search;

static void keep_error(search *s, vs_error error) {
    s->error = s->error ? s->error : error;
}

// ---- mechanisms ------------------------------------------------------------------------------------

static int root_of(const search *s, int body) {
    while (s->root[body] != body)
        body = s->root[body];
    return body;
}

static bool is_link(const vs_joint *joint) {
    return joint->alive && !vs_joint_kind_couples(joint->def.kind) && joint->def.kind != VS_JOINT_SPRING &&
           joint->def.kind != VS_JOINT_CABLE;
}

// The world and what is fixed to it.
static bool is_ground(const vs_world *world, int body) {
    return body == 0 || world->body[body].motion == VS_MOTION_STATIC;
}

static bool is_between_bodies(const vs_world *world, const vs_joint *joint) {
    return !is_ground(world, joint->a) && !is_ground(world, joint->b);
}

// The body of a joint to the ground that moves; the other one, if none does.
static int moving_body(const vs_world *world, const vs_joint *joint) {
    return is_ground(world, joint->a) ? joint->b : joint->a;
}

static void find_mechanisms(search *s) {
    const vs_world *world = s->world;
    for (int k = 0; k < world->bodies; k++)
        s->root[k] = k;
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        if (is_link(joint) && is_between_bodies(world, joint))
            s->root[root_of(s, joint->a)] = root_of(s, joint->b);
    }
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        if (is_link(joint) && !is_between_bodies(world, joint))
            s->fixed[root_of(s, moving_body(world, joint))] = true;
    }
    for (int k = 0; k < world->colliders; k++)
        if (world->collider[k].alive && !is_ground(world, world->collider[k].body))
            s->span = fmax(s->span, world->collider[k].shape->size);
}

// ---- overlaps --------------------------------------------------------------------------------------

static bool overlaps(const vs_world *world, const vs_contact *c) {
    return -c->gap >
           LEAST * fmin(world->collider[c->collider_a].shape->size, world->collider[c->collider_b].shape->size);
}

// Of one mechanism? Branches that stand on the ground, as fingers on a palm that is fixed, are one robot.
static bool are_one(const search *s, int a, int b) {
    const int p = root_of(s, a), q = root_of(s, b);
    return p == q || (s->options->reference && s->fixed[p] && s->fixed[q]);
}

// In the first pose pairs are added, later on those seen are marked.
static void note(search *s, const vs_contact *c) {
    const bool first = is_ground(s->world, c->a), ground = first || is_ground(s->world, c->b);
    const int a = first || !ground ? c->a : c->b, b = first || !ground ? c->b : c->a;
    const int shape = first ? c->collider_a : ground ? c->collider_b : -1;
    for (int64_t k = 0; k < s->pair.count; k++) {
        locked *pair = &s->pair.data[k];
        if (pair->a != a || pair->b != b || pair->collider != shape)
            continue;
        if (s->poses == 0)
            pair->depth = fmax(pair->depth, -c->gap);
        else if (pair->seen == s->poses - 1)
            pair->seen = s->poses;
        return;
    }
    const bool one = ground ? s->fixed[root_of(s, b)] : are_one(s, a, b);
    if (s->poses > 0 || !one)
        return;
    keep_error(s, VS_RESERVE(s->world->context, &s->pair, s->pair.count + 1));
    if (!s->error)
        s->pair.data[s->pair.count++] = (locked){a, b, shape, 0, -c->gap};
}

// The present pose is the next one.
static void look(search *s) {
    const vs_contacts *contacts;
    if (s->error)
        return;
    keep_error(s, vs_collision_find(s->collision, 0, 0, NULL, &contacts));
    for (int k = 0; !s->error && k < contacts->count; k++)
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
        keep_error(s, error);
    else if (error && is_between_bodies(world, joint))
        s->unknown[root_of(s, joint->a)] = true;
    else if (error)
        s->unknown_base[root_of(s, moving_body(world, joint))] = true;
}

// Moves the world through all poses, and back.
static void look_around(search *s) {
    vs_scene *scene = s->scene;
    const int keys = scene->keyframes;
    keep_error(s, vs_scene_add_keyframe(scene, ""));
    if (s->error)
        return;
    for (int k = 0; k < keys; k++) {
        vs_scene_apply_keyframe(s->world, &scene->keyframe[k]);
        look(s);
    }
    for (int p = 0; p < ENDS + POSES && !s->error; p++) {
        vs_scene_apply_keyframe(s->world, &scene->keyframe[keys]);
        for (int k = 0; k < s->world->joints && !s->error; k++) {
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

// Other shapes of the ground, as the floor, still collide with the body.
static bool ignore_shape(vs_world *world, int shape, int body) {
    if (!separate_group(world, shape))
        return false;
    for (int k = 0; k < world->colliders; k++)
        if (world->collider[k].body == body)
            world->collider[k].mask &= ~world->collider[shape].group;
    world->topology++;
    return true;
}

static const char *name_of(const search *s, int body, int shape) {
    const vs_locked_options *options = s->options;
    const char *name = NULL;
    if (body > 0)
        name = vs_world_get_body_name(s->world, (vs_body_id){(uint32_t)body, s->world->body[body].generation});
    else if (options->name_shape)
        name = options->name_shape(options->user, shape);
    return name && *name ? name : body == 0 ? "world" : "body without name";
}

static bool is_asked_for(const search *s, const locked *pair) {
    for (int k = 0; k < s->world->joints && s->options->keep_asked; k++) {
        const vs_joint *joint = &s->world->joint[k];
        if (joint->alive && joint->def.collide &&
            ((joint->a == pair->a && joint->b == pair->b) || (joint->a == pair->b && joint->b == pair->a)))
            return true;
    }
    return false;
}

static int count_shapes(const vs_world *world, int body) {
    int count = 0;
    for (int k = 0; k < world->colliders; k++)
        count += world->collider[k].alive && world->collider[k].body == body;
    return count;
}

// Contacts of the two, or of the body and one shape of the ground of several. False: no group is left to tell that one.
static bool ignore(search *s, const locked *pair) {
    vs_world *world = s->world;
    if (pair->collider >= 0 && (pair->a == 0 || count_shapes(world, pair->a) > 1))
        return ignore_shape(world, pair->collider, pair->b);
    keep_error(s, vs_world_ignore_pair(world, (vs_body_id){(uint32_t)pair->a, world->body[pair->a].generation},
                                       (vs_body_id){(uint32_t)pair->b, world->body[pair->b].generation}));
    return !s->error;
}

static void leave_out(search *s, const locked *pair) {
    const int mechanism = root_of(s, pair->b);
    if (pair->seen != s->poses - 1 || s->unknown[mechanism] || (pair->collider >= 0 && s->unknown_base[mechanism]) ||
        is_asked_for(s, pair) || !ignore(s, pair))
        return;
    vs_log(s->world->context, VS_LOG_WARNING,
           "%s: '%.60s' and '%.60s' overlap by %.3g m wherever their joints move: contacts between them are left out; "
           "to have them, make their shapes smaller or move them apart",
           s->options->file, name_of(s, pair->a, pair->collider), name_of(s, pair->b, -1), pair->depth);
}

// ---- robots ----------------------------------------------------------------------------------------

enum { NAMES = 400 }; // room for names in one line

// Contacts of the pairs of moving bodies in the list from `first` on.
static void ignore_reference(search *s, int64_t first) {
    for (int64_t k = first; k < s->pair.count && !s->error; k++) {
        const locked pair = s->pair.data[k];
        if (pair.collider < 0 && !is_asked_for(s, &pair))
            (void)ignore(s, &pair);
    }
}

// Leaves out all pairs of moving bodies, which are then no longer in the list; one line names the first of them. A body that
// collides no more may have hidden what lies behind it (collide/seam.h): the search is repeated until nothing new shows.
static void leave_out_reference(search *s) {
    for (int64_t done = 0; done < s->pair.count && !s->error;) {
        ignore_reference(s, done);
        done = s->pair.count;
        s->poses = 0;
        look(s);
    }
    char names[NAMES] = "";
    size_t used = 0;
    int count = 0, named = 0, kept = 0;
    for (int64_t k = 0; k < s->pair.count && !s->error; k++) {
        const locked pair = s->pair.data[k];
        if (pair.collider >= 0 || is_asked_for(s, &pair)) {
            s->pair.data[kept++] = pair;
            continue;
        }
        count++;
        char one[NAMES];
        const int length = snprintf(one, sizeof one, "%s'%.60s' and '%.60s' by %.3g m", named ? ", " : "",
                                    name_of(s, pair.a, -1), name_of(s, pair.b, -1), pair.depth);
        if (length > 0 && used + (size_t)length < sizeof names && named == count - 1) {
            memcpy(names + used, one, (size_t)length + 1);
            used += (size_t)length;
            named++;
        }
    }
    if (s->error || count == 0)
        return;
    s->pair.count = kept;
    char more[40] = "";
    if (count > named)
        (void)snprintf(more, sizeof more, ", and %d more", count - named);
    vs_log(s->world->context, VS_LOG_WARNING,
           "%s: %d pair%s of bodies overlap in the position of the file and get no contacts: %s%s", s->options->file,
           count, count == 1 ? "" : "s", names, more);
}

static void *make(search *s, size_t size) {
    void *made = s->error ? NULL : vs_allocate(s->world->context, (size_t)s->world->bodies * size);
    if (made)
        memset(made, 0, (size_t)s->world->bodies * size);
    else if (!s->error)
        s->error = vs_fail_memory(s->world->context);
    return made;
}

vs_error vs_scene_leave_out_locked(vs_scene *scene, const vs_locked_options *options) {
    vs_world *world = scene->world;
    if (world->joints == 0 || world->colliders < 2)
        return VS_OK;
    search s = {.scene = scene, .options = options, .world = world};
    s.root = make(&s, sizeof *s.root);
    s.fixed = make(&s, sizeof *s.fixed);
    s.unknown = make(&s, sizeof *s.unknown);
    s.unknown_base = make(&s, sizeof *s.unknown_base);
    if (!s.error)
        find_mechanisms(&s);
    if (!s.error)
        s.error = vs_collision_create(world, &s.collision);
    look(&s);
    if (options->reference && !s.error)
        leave_out_reference(&s);
    if (s.pair.count > 0 && !s.error)
        look_around(&s);
    for (int64_t k = 0; k < s.pair.count && !s.error; k++)
        leave_out(&s, &s.pair.data[k]);
    VS_ARRAY_RELEASE(world->context, &s.pair);
    vs_collision_destroy(s.collision);
    vs_release(world->context, s.root);
    vs_release(world->context, s.fixed);
    vs_release(world->context, s.unknown);
    vs_release(world->context, s.unknown_base);
    return s.error;
}
