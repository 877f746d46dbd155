// A world and its contacts, for tests of the whole search.
#ifndef TESTS_COLLIDE_SCENE_H
#define TESTS_COLLIDE_SCENE_H

#include "meeting.h"
#include "collide/collision.h"

typedef struct scene {
    memory memory;
    vs_context *context;
    vs_world *world;
    vs_collision *collision;
    const vs_contacts *contacts;
} scene;

static inline scene *open_scene(void) {
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->context = make_context(&s->memory);
    assert_int_equal(vs_world_create(s->context, NULL, &s->world), VS_OK);
    assert_int_equal(vs_collision_create(s->world, &s->collision), VS_OK);
    return s;
}

static inline void close_scene(scene *s) {
    vs_collision_destroy(s->collision);
    vs_world_destroy(s->world);
    end_context(s->context, &s->memory);
    free(s);
}

static inline vs_body_id add_body(scene *s, vs_motion motion, vs_pose pose, vs_vec3 velocity) {
    vs_body_def def = vs_body_def_default();
    def.motion = motion;
    def.pose = pose;
    def.velocity = velocity;
    vs_body_id id;
    assert_int_equal(vs_world_add_body(s->world, &def, &id), VS_OK);
    return id;
}

// Takes the shape over.
static inline vs_collider_id add_shape(scene *s, vs_body_id body, vs_shape *shape, vs_pose pose, uint32_t group,
                                       uint32_t mask) {
    vs_collider_def def = vs_collider_def_default();
    def.body = body;
    def.shape = shape;
    def.pose = pose;
    def.group = group;
    def.mask = mask;
    vs_collider_id id;
    assert_int_equal(vs_world_add_collider(s->world, &def, &id), VS_OK);
    vs_shape_release(shape);
    return id;
}

static inline vs_shape *ball(scene *s, double radius) {
    vs_shape *shape = NULL;
    assert_int_equal(vs_shape_sphere(s->context, radius, &shape), VS_OK);
    return shape;
}

static inline vs_shape *brick(scene *s, double x, double y, double z) {
    vs_shape *shape = NULL;
    assert_int_equal(vs_shape_box(s->context, (vs_vec3){x, y, z}, &shape), VS_OK);
    return shape;
}

static inline vs_shape *ground(scene *s) {
    vs_shape *shape = NULL;
    assert_int_equal(vs_shape_plane(s->context, &shape), VS_OK);
    return shape;
}

static inline vs_body_id add_ball(scene *s, vs_vec3 x, double radius, vs_vec3 velocity) {
    vs_body_id id = add_body(s, VS_MOTION_DYNAMIC, (vs_pose){x, {1, 0, 0, 0}}, velocity);
    (void)add_shape(s, id, ball(s, radius), VS_IDENTITY_POSE, 1, UINT32_MAX);
    return id;
}

static inline void find(scene *s, double h, double envelope) {
    assert_int_equal(vs_collision_find(s->collision, h, envelope, NULL, &s->contacts), VS_OK);
    for (int k = 0; k < s->contacts->count; k++) {
        const vs_contact *c = &s->contacts->contact[k];
        assert_true(c->a < c->b);
        assert_int_equal(s->world->collider[c->collider_a].body, c->a);
        assert_int_equal(s->world->collider[c->collider_b].body, c->b);
        if (k == 0)
            continue;
        const vs_contact *p = c - 1; // strictly ascending by (a, b, key)
        assert_true(p->a < c->a || (p->a == c->a && (p->b < c->b || (p->b == c->b && p->key < c->key))));
    }
}

static const vs_body_id WORLD = {0, 0};

#endif
