// The contacts of a world: envelopes, filters, identities, order, memory.
#include "scene.h"

// A heap of balls, bricks and capsules of many sizes over planes and a brick of the world. Without bricks, ellipsoids:
// nothing can lie flush.
static void fill_with(scene *s, int count, uint64_t seed, bool bricks) {
    (void)add_shape(s, WORLD, ground(s), VS_IDENTITY_POSE, 1, UINT32_MAX);
    (void)add_shape(s, WORLD, ground(s), turned(-1.2, 0, 0, (vs_vec3){0, 1, 0}, 1.2), 1, UINT32_MAX);
    if (bricks)
        (void)add_shape(s, WORLD, brick(s, 1, 1, .2), at(.3, .2, .1), 1, UINT32_MAX);
    for (int k = 0; k < count; k++) {
        vs_pose pose = random_pose(&seed, 1);
        pose.position.z = fabs(pose.position.z);
        vs_body_id id = add_body(s, VS_MOTION_DYNAMIC, pose, random_vec(&seed, .2));
        double size = pow(10, random_in(&seed, -2, -.5));
        vs_shape *shape = NULL;
        if (k % 3 == 0)
            shape = ball(s, size);
        else if (k % 3 == 1 && bricks)
            shape = brick(s, size, .5 * size, .7 * size);
        else if (k % 3 == 1)
            assert_int_equal(vs_shape_ellipsoid(s->context, (vs_vec3){size, .5 * size, .7 * size}, &shape), VS_OK);
        else
            assert_int_equal(vs_shape_capsule(s->context, .3 * size, .7 * size, &shape), VS_OK);
        (void)add_shape(s, id, shape, random_pose(&seed, .1 * size), 1u << k % 5, k % 7 ? UINT32_MAX : 21);
    }
}

static void fill(scene *s, int count, uint64_t seed) {
    fill_with(s, count, seed, true);
}

static double envelope_of(const scene *s, int a, int b, double h) {
    double size[2] = {0, 0}, speed[2];
    const int body[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        const vs_body *p = &s->world->body[body[k]];
        for (int i = p->first_collider; i >= 0; i = s->world->collider[i].next)
            size[k] = fmax(size[k], vs_length(s->world->collider[i].pose.position) + s->world->collider[i].shape->size);
        double turn = vs_length(p->spin);
        double fall = p->motion == VS_MOTION_DYNAMIC ? h * vs_length(s->world->gravity) : 0;
        speed[k] = vs_length(p->velocity) + fall + (turn > 0 ? turn * size[k] : 0);
    }
    // a body with a plane has no size; its other colliders are no smaller than anything here
    return fmax(1e-3 * fmin(size[0], size[1]), 1.5 * h * (speed[0] + speed[1]));
}

// Slender hulls of many vertices, whose boxes are told apart in their own axes, off their origins, with some balls.
static void fill_with_hulls(scene *s, int count, uint64_t seed) {
    enum { VERTICES = 40 };
    for (int k = 0; k < count; k++) {
        vs_body_id id = add_body(s, VS_MOTION_DYNAMIC, random_pose(&seed, .25), random_vec(&seed, .2));
        const double size = pow(10, random_in(&seed, -1.5, -.5));
        vs_vec3 corner[VERTICES];
        vs_shape *shape = NULL;
        for (int i = 0; i < VERTICES; i++) {
            const vs_vec3 p = random_pose(&seed, 1).position, way = vs_scale(size / vs_length(p), p);
            corner[i] = (vs_vec3){way.x + size, .3 * way.y, .2 * way.z - size};
        }
        if (k % 5 == 0)
            shape = ball(s, .3 * size);
        else
            assert_int_equal(vs_shape_hull(s->context, corner, VERTICES, &shape), VS_OK);
        (void)add_shape(s, id, shape, random_pose(&seed, .1 * size), 1, UINT32_MAX);
    }
}

static void check_all_pairs(scene *s) {
    const double h = 1. / 240;
    for (int given = 0; given < 2; given++) {
        double envelope = given ? .02 : 0;
        find(s, h, envelope);
        int expected = 0, n = s->world->colliders;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                const vs_collider *p = &s->world->collider[i], *q = &s->world->collider[j];
                if (!vs_world_may_collide(s->world, p, q))
                    continue;
                vs_manifold m;
                vs_narrow(p->shape, vs_collider_pose(s->world, p), q->shape, vs_collider_pose(s->world, q),
                          given ? envelope : envelope_of(s, p->body, q->body, h), &m);
                expected += m.count;
            }
        assert_true(expected > 100);
        assert_int_equal(s->contacts->count, expected);
    }
}

static void test_contacts_are_those_of_trying_all_pairs(void **state) {
    (void)state;
    scene *s = open_scene();
    fill_with(s, 250, 21, false);
    check_all_pairs(s);
    close_scene(s);
}

static void test_contacts_of_hulls_are_those_of_trying_all_pairs(void **state) {
    (void)state;
    scene *s = open_scene();
    fill_with_hulls(s, 120, 22);
    check_all_pairs(s);
    close_scene(s);
}

static bool overlap(const vs_box3 *p, const vs_box3 *q) {
    return p->low.x <= q->high.x && q->low.x <= p->high.x && p->low.y <= q->high.y && q->low.y <= p->high.y &&
           p->low.z <= q->high.z && q->low.z <= p->high.z;
}

// Where process q of a world has its bodies: its own, those whose boxes overlap one of them, and all without mass.
static int set_places(const scene *s, int q, int processes, double h, double envelope, unsigned char *place) {
    int ghosts = 0;
    for (int k = 0; k < s->world->bodies; k++) {
        vs_box3 box, other;
        const bool here = k % processes == q || s->world->body[k].motion != VS_MOTION_DYNAMIC;
        place[k] = here ? VS_PLACE_HERE : VS_PLACE_ABSENT;
        if (here || !vs_collision_bounds(s->world, k, h, envelope, &box))
            continue;
        for (int i = q; i < s->world->bodies && place[k] == VS_PLACE_ABSENT; i += processes)
            if (s->world->body[i].motion == VS_MOTION_DYNAMIC &&
                vs_collision_bounds(s->world, i, h, envelope, &other) && overlap(&box, &other))
                place[k] = VS_PLACE_GHOST;
        ghosts += place[k] == VS_PLACE_GHOST;
    }
    return ghosts;
}

static void test_several_processes_find_together_what_one_does(void **state) {
    (void)state;
    enum { PROCESSES = 3, BODIES = 150 };
    scene *s = open_scene();
    fill(s, BODIES, 22);
    const double h = 1. / 240;
    for (int given = 0; given < 2; given++) {
        const double envelope = given ? .02 : 0;
        s->world->place = NULL;
        find(s, h, envelope);
        const int count = s->contacts->count;
        vs_contact *all = malloc(sizeof *all * (size_t)count);
        assert_non_null(all);
        memcpy(all, s->contacts->contact, sizeof *all * (size_t)count);
        int found = 0;
        for (int q = 0; q < PROCESSES; q++) {
            unsigned char place[BODIES + 1];
            const int ghosts = set_places(s, q, PROCESSES, h, envelope, place);
            assert_in_range(ghosts, 1, BODIES - BODIES / PROCESSES - 1); // some are needed, some are not
            s->world->place = place;
            find(s, h, envelope);
            // each is one of all, bit for bit, and of no other process
            for (int k = 0, at = 0; k < s->contacts->count; k++, at++, found++) {
                const vs_contact *c = &s->contacts->contact[k];
                while (at < count && (all[at].a != c->a || all[at].b != c->b || all[at].key != c->key))
                    at++;
                assert_true(at < count && memcmp(&all[at].point, &c->point, sizeof c->point) == 0);
                assert_true(all[at].gap == c->gap);
                all[at].key = 0;
            }
        }
        assert_int_equal(found, count);
        s->world->place = NULL;
        free(all);
    }
    close_scene(s);
}

static void test_envelope_grows_with_size_and_speed(void **state) {
    (void)state;
    scene *s = open_scene();
    // at rest, without gravity: 1e-3 of the smaller one's radius
    assert_int_equal(vs_world_set_gravity(s->world, VS_ZERO3), VS_OK);
    (void)add_ball(s, (vs_vec3){0, 0, 0}, 1, VS_ZERO3);
    vs_body_id small = add_ball(s, (vs_vec3){1.1 + .99e-4, 0, 0}, .1, VS_ZERO3);
    find(s, .01, 0);
    assert_int_equal(s->contacts->count, 1);
    vs_body_state moved = {.pose = at(1.1 + 1.01e-4, 0, 0)};
    assert_int_equal(vs_world_set_body_state(s->world, small, &moved), VS_OK);
    find(s, .01, 0);
    assert_int_equal(s->contacts->count, 0);
    // moving: 1.5 h (|v| + |spin| size) = 1.5 * 0.01 (1 + 10 * 0.1)
    moved = (vs_body_state){.pose = at(1.1 + .0299, 0, 0), .velocity = {0, -1, 0}, .spin = {0, 0, 10}};
    assert_int_equal(vs_world_set_body_state(s->world, small, &moved), VS_OK);
    find(s, .01, 0);
    assert_int_equal(s->contacts->count, 1);
    assert_close(s->contacts->contact[0].gap, .0299, 1e-15);
    moved.pose.position.x = 1.1 + .0301;
    assert_int_equal(vs_world_set_body_state(s->world, small, &moved), VS_OK);
    find(s, .01, 0);
    assert_int_equal(s->contacts->count, 0);
    find(s, .01, .0302); // given
    assert_int_equal(s->contacts->count, 1);
    // gravity adds 1.5 h (h g) for each of the two bodies
    assert_int_equal(vs_world_set_gravity(s->world, (vs_vec3){0, 0, -10}), VS_OK);
    find(s, .01, 0);
    assert_int_equal(s->contacts->count, 1);
    close_scene(s);
}

static void test_plane_on_a_turning_body_reaches_what_it_will_hit(void **state) {
    (void)state;
    scene *s = open_scene();
    vs_body_def def = vs_body_def_default();
    def.motion = VS_MOTION_KINEMATIC;
    def.spin = (vs_vec3){0, -1, 0}; // 1 rad/s: at x = 10 m it rises by 10 m/s
    vs_body_id table;
    assert_int_equal(vs_world_add_body(s->world, &def, &table), VS_OK);
    (void)add_shape(s, table, ground(s), VS_IDENTITY_POSE, 1, UINT32_MAX);
    (void)add_ball(s, (vs_vec3){10, 0, .1 + .09}, .1, VS_ZERO3);
    find(s, .01, 0);
    assert_int_equal(s->contacts->count, 1);
    assert_close(s->contacts->contact[0].gap, .09, 1e-15);
    close_scene(s);
}

static void test_normals_point_from_the_lower_body_to_the_higher(void **state) {
    (void)state;
    scene *s = open_scene();
    (void)add_ball(s, (vs_vec3){0, 0, .1}, .1, VS_ZERO3);
    (void)add_shape(s, WORLD, ground(s), VS_IDENTITY_POSE, 1, UINT32_MAX); // a collider after the ball's
    (void)add_ball(s, (vs_vec3){0, 0, .3}, .1, VS_ZERO3);
    find(s, .01, 1e-3);
    assert_int_equal(s->contacts->count, 2);
    assert_int_equal(s->contacts->contact[0].a, 0);
    for (int k = 0; k < 2; k++)
        assert_vec(s->contacts->contact[k].normal, ((vs_vec3){0, 0, 1}), 1e-15);
    close_scene(s);
}

static void test_filters_and_ignored_pairs_have_no_contacts(void **state) {
    (void)state;
    scene *s = open_scene();
    vs_body_id body[3];
    for (int k = 0; k < 3; k++) {
        body[k] = add_body(s, VS_MOTION_DYNAMIC, at(.1 * k, 0, 0), VS_ZERO3);
        (void)add_shape(s, body[k], ball(s, .2), VS_IDENTITY_POSE, 1u << k, k == 2 ? 1 : UINT32_MAX);
        (void)add_shape(s, body[k], ball(s, .2), at(0, .1, 0), 1u << k, k == 2 ? 1 : UINT32_MAX); // not with itself
    }
    find(s, .01, 1e-3);
    for (int k = 0; k < s->contacts->count; k++)
        assert_false(s->contacts->contact[k].a == 2 && s->contacts->contact[k].b == 3); // 2's mask has no group 2
    assert_int_equal(s->contacts->count, 8);
    assert_int_equal(vs_world_ignore_pair(s->world, body[0], body[2]), VS_OK);
    find(s, .01, 1e-3);
    assert_int_equal(s->contacts->count, 4);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(s->contacts->contact[k].a, 1);
        assert_int_equal(s->contacts->contact[k].b, 2);
    }
    // fixed things do not touch each other
    vs_body_id wall = add_body(s, VS_MOTION_STATIC, at(5, 0, 0), VS_ZERO3);
    (void)add_shape(s, wall, brick(s, 1, 1, 1), VS_IDENTITY_POSE, 1, UINT32_MAX);
    (void)add_shape(s, WORLD, brick(s, 1, 1, 1), at(5, 0, 1), 1, UINT32_MAX);
    find(s, .01, 1e-3);
    assert_int_equal(s->contacts->count, 4);
    close_scene(s);
}

static void test_keys_stay_during_a_slow_motion_and_change_with_the_body(void **state) {
    (void)state;
    scene *s = open_scene();
    (void)add_shape(s, WORLD, ground(s), VS_IDENTITY_POSE, 1, UINT32_MAX);
    vs_body_id id = add_body(s, VS_MOTION_DYNAMIC, at(0, 0, .3), VS_ZERO3);
    (void)add_shape(s, id, brick(s, .5, .4, .3), VS_IDENTITY_POSE, 1, UINT32_MAX);
    vs_body_id top = add_ball(s, (vs_vec3){0, 0, .8}, .2, VS_ZERO3);
    find(s, .01, 1e-2);
    assert_int_equal(s->contacts->count, 5);
    uint64_t key[5];
    for (int k = 0; k < 5; k++)
        key[k] = s->contacts->contact[k].key;
    for (int step = 1; step <= 100; step++) {
        double t = .01 * step;
        vs_body_state at_t = {.pose = turned(t, -.5 * t, .3 + 1e-3 * sin(5 * t), (vs_vec3){1e-3, 2e-3, 1}, t)};
        assert_int_equal(vs_world_set_body_state(s->world, id, &at_t), VS_OK);
        at_t.pose.position.z += .5;
        assert_int_equal(vs_world_set_body_state(s->world, top, &at_t), VS_OK);
        find(s, .01, 1e-2);
        assert_int_equal(s->contacts->count, 5);
        for (int k = 0; k < 5; k++)
            assert_true(s->contacts->contact[k].key == key[k]);
    }
    // another body in the same place is somebody else
    assert_int_equal(vs_world_remove_body(s->world, top), VS_OK);
    (void)add_ball(s, (vs_vec3){0, 0, .8}, .2, VS_ZERO3);
    vs_body_state again = {.pose = at(0, 0, .3)};
    assert_int_equal(vs_world_set_body_state(s->world, id, &again), VS_OK);
    find(s, .01, 1e-2);
    assert_int_equal(s->contacts->count, 5);
    for (int k = 0; k < 4; k++)
        assert_true(s->contacts->contact[k].key == key[k]);
    assert_true(s->contacts->contact[4].key != key[4]);
    close_scene(s);
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void test_keys_are_unique_and_everything_is_the_same_again(void **state) {
    (void)state;
    scene *s = open_scene(), *t = open_scene();
    fill(s, 300, 22);
    fill(t, 300, 22);
    find(s, .01, .03);
    find(t, .001, .3); // leaves other traces in its memory
    find(t, .01, .03);
    int n = s->contacts->count;
    assert_true(n > 500);
    assert_int_equal(n, t->contacts->count);
    uint64_t *key = malloc((size_t)n * sizeof *key);
    assert_non_null(key);
    for (int k = 0; k < n; k++) {
        const vs_contact *p = &s->contacts->contact[k], *q = &t->contacts->contact[k];
        key[k] = p->key;
        assert_true(p->a == q->a && p->b == q->b && p->key == q->key && p->gap == q->gap);
        assert_memory_equal(&p->point, &q->point, sizeof p->point);
        assert_memory_equal(&p->normal, &q->normal, sizeof p->normal);
    }
    qsort(key, (size_t)n, sizeof *key, compare_keys);
    for (int k = 1; k < n; k++)
        assert_true(key[k - 1] != key[k]);
    free(key);
    close_scene(s);
    close_scene(t);
}

static void test_second_call_allocates_nothing(void **state) {
    (void)state;
    scene *s = open_scene();
    fill(s, 100, 23);
    double height[25] = {0};
    vs_shape *field = NULL;
    assert_int_equal(vs_shape_height_field(s->context, 5, 5, .5, .5, height, &field), VS_OK);
    (void)add_shape(s, WORLD, field, at(-1, -1, .05), 1, UINT32_MAX);
    find(s, .01, .03);
    int calls = s->memory.calls;
    find(s, .01, .03);
    assert_int_equal(s->memory.calls, calls);
    close_scene(s);
}

static void test_lack_of_memory_is_reported_and_leaks_nothing(void **state) {
    (void)state;
    for (int k = 0; k < 100; k++) {
        scene *s = open_scene();
        fill(s, 30, 24);
        double height[25] = {0};
        vs_shape *field = NULL;
        assert_int_equal(vs_shape_height_field(s->context, 5, 5, .5, .5, height, &field), VS_OK);
        (void)add_shape(s, WORLD, field, at(-1, -1, .05), 1, UINT32_MAX);
        refuse_call(&s->memory, k);
        vs_error error = vs_collision_find(s->collision, .01, .03, NULL, &s->contacts);
        bool failed = was_refused(&s->memory);
        assert_int_equal(error, failed ? VS_ERROR_MEMORY : VS_OK);
        if (failed) { // and works the next time
            assert_int_equal(s->contacts->count, 0);
            refuse_none(&s->memory);
            find(s, .01, .03);
            assert_true(s->contacts->count > 0);
        }
        close_scene(s);
        if (!failed)
            return;
    }
    fail_msg("a hundred allocations for a small scene");
}

// 3000 balls in one point would have 4.5 million pairs.
static void test_bodies_in_one_place_are_refused_by_name(void **state) {
    (void)state;
    scene *s = open_scene();
    for (int k = 0; k < 3000; k++)
        (void)add_ball(s, (vs_vec3){1, 2, 3}, .1, VS_ZERO3);
    assert_int_equal(vs_collision_find(s->collision, .01, 0, NULL, &s->contacts), VS_ERROR_DATA);
    assert_int_equal(s->contacts->count, 0);
    const char *text = vs_context_get_error_text(s->context);
    assert_non_null(strstr(text, "more than 700000 pairs of colliders"));
    assert_non_null(strstr(text, "at (1, 2, 3)"));
    close_scene(s);
}

static void test_mesh_contacts_have_the_order_of_bodies(void **state) {
    (void)state;
    scene *s = open_scene();
    double height[25] = {0};
    vs_shape *field = NULL;
    assert_int_equal(vs_shape_height_field(s->context, 5, 5, .5, .5, height, &field), VS_OK);
    (void)add_ball(s, (vs_vec3){1.1, .9, .2001}, .2, VS_ZERO3);
    (void)add_shape(s, WORLD, field, VS_IDENTITY_POSE, 1, UINT32_MAX);
    find(s, .01, 1e-3);
    assert_int_equal(s->contacts->count, 1);
    assert_close(s->contacts->contact[0].gap, 1e-4, 1e-14);
    assert_vec(s->contacts->contact[0].normal, ((vs_vec3){0, 0, 1}), 1e-12);
    close_scene(s);
}

static void test_empty_world_and_wrong_arguments(void **state) {
    (void)state;
    scene *s = open_scene();
    find(s, .01, 0);
    assert_int_equal(s->contacts->count, 0);
    assert_int_equal(vs_collision_find(s->collision, -1, 0, NULL, &s->contacts), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_collision_find(s->collision, .01, NAN, NULL, &s->contacts), VS_ERROR_ARGUMENT);
    vs_collision_destroy(NULL);
    close_scene(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_are_those_of_trying_all_pairs),
        cmocka_unit_test(test_contacts_of_hulls_are_those_of_trying_all_pairs),
        cmocka_unit_test(test_several_processes_find_together_what_one_does),
        cmocka_unit_test(test_envelope_grows_with_size_and_speed),
        cmocka_unit_test(test_plane_on_a_turning_body_reaches_what_it_will_hit),
        cmocka_unit_test(test_normals_point_from_the_lower_body_to_the_higher),
        cmocka_unit_test(test_filters_and_ignored_pairs_have_no_contacts),
        cmocka_unit_test(test_keys_stay_during_a_slow_motion_and_change_with_the_body),
        cmocka_unit_test(test_keys_are_unique_and_everything_is_the_same_again),
        cmocka_unit_test(test_second_call_allocates_nothing),
        cmocka_unit_test(test_lack_of_memory_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_bodies_in_one_place_are_refused_by_name),
        cmocka_unit_test(test_mesh_contacts_have_the_order_of_bodies),
        cmocka_unit_test(test_empty_world_and_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
