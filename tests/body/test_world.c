// The world as a container: ids, names, what goes when something goes, sums over bodies, and memory.
#include "material/material.h"
#include "material/speed_table.h"
#include "worlds.h"

static vs_body_id add(vs_world *world, const char *name) {
    vs_body_def def = vs_body_def_default();
    def.name = name;
    vs_body_id id = {0, 0};
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    return id;
}

static vs_joint_id join(vs_world *world, vs_joint_kind kind, vs_body_id a, vs_body_id b) {
    vs_joint_def def = vs_joint_def_default();
    def.kind = kind;
    def.a = a;
    def.b = b;
    def.length = 1;
    vs_joint_id id = {0, 0};
    assert_int_equal(vs_world_add_joint(world, &def, &id), VS_OK);
    return id;
}

static const vs_body_id WORLD = {0, 0};

// ---- ids and names ---------------------------------------------------------------------------------

static void stale_ids_are_errors_everywhere(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_id old = add(world, NULL), other = add(world, NULL);
    assert_int_equal(vs_world_remove_body(world, old), VS_OK);
    vs_body_id again = add(world, NULL);
    assert_true(again.index == old.index && again.generation == old.generation + 1);

    vs_body_state s = {.pose = VS_IDENTITY_POSE};
    double mass;
    const vs_signal none[3] = {{0}, {0}, {0}};
    const vs_body_id ids[] = {old, {77, 1}, {UINT32_MAX, UINT32_MAX}, {0, 1}, {other.index, 0}};
    for (int k = 0; k < 5; k++) {
        vs_collider_def collider = vs_collider_def_default();
        collider.body = ids[k];
        vs_joint_def joint = vs_joint_def_default();
        joint.a = ids[k], joint.b = other;
        assert_int_equal(vs_world_get_body_state(world, ids[k], &s), VS_ERROR_ARGUMENT);
        assert_non_null(strstr(vs_context_get_error_text(context),
                               " does not exist; it was removed, or the id is of another world"));
        assert_int_equal(vs_world_set_body_state(world, ids[k], &s), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_get_body_mass(world, ids[k], &mass, NULL), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_apply_force(world, ids[k], VS_ZERO3, NULL), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_apply_torque(world, ids[k], VS_ZERO3), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_add_load(world, ids[k], none, none), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_set_drive(world, ids[k], none, none), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_ignore_pair(world, ids[k], other), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_add_collider(world, &collider, NULL), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_add_joint(world, &joint, NULL), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_remove_body(world, ids[k]), VS_ERROR_ARGUMENT);
        assert_string_equal(vs_world_get_body_name(world, ids[k]), "");
    }
    const vs_joint_id joint = {0, 0}, none_such = {3, 1};
    vs_vec3 f;
    assert_int_equal(vs_world_remove_joint(world, joint), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_get_joint_coordinate(world, none_such, &mass, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_get_joint_reaction(world, none_such, &f, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_remove_collider(world, (vs_collider_id){0, 0}), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_remove_body(world, WORLD), VS_ERROR_ARGUMENT); // not stale, but it stays
    assert_int_equal(vs_world_set_body_state(world, WORLD, &s), VS_ERROR_ARGUMENT);
    vs_world_destroy(world);
    vs_world_destroy(NULL);
    end_context(context, &m);
}

static void bodies_are_listed_by_index_and_found_by_name(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_id id[40];
    char name[32];
    for (int k = 0; k < 40; k++) {
        snprintf(name, sizeof name, "stone %d", k);
        id[k] = add(world, name);
    }
    vs_body_def twice = vs_body_def_default();
    twice.name = "stone 7";
    assert_int_equal(vs_world_add_body(world, &twice, NULL), VS_ERROR_ARGUMENT);
    for (int k = 0; k < 40; k += 3)
        assert_int_equal(vs_world_remove_body(world, id[k]), VS_OK);
    assert_int_equal(vs_world_get_body_count(world), 26);
    uint32_t last = 0;
    for (int k = 0; k < 26; k++) {
        vs_body_id at = vs_world_get_body_at(world, k);
        assert_true(at.index > last && world->body[at.index].alive);
        last = at.index;
    }
    assert_true(vs_world_get_body_at(world, 26).index == 0 && vs_world_get_body_at(world, -1).index == 0);
    for (int k = 0; k < 40; k++) {
        snprintf(name, sizeof name, "stone %d", k);
        vs_body_id found = vs_world_find_body(world, name);
        assert_true(k % 3 == 0 ? found.index == 0 : found.index == id[k].index && found.generation == id[k].generation);
    }
    // the name of a removed body is free again, the lowest slot is taken first
    vs_body_id new_one = add(world, "stone 0");
    assert_true(new_one.index == id[0].index);
    assert_string_equal(vs_world_get_body_name(world, new_one), "stone 0");
    assert_true(vs_world_find_body(world, "nobody").index == 0 && vs_world_find_body(world, NULL).index == 0);
    vs_world_destroy(world);
    end_context(context, &m);
}

// A tensor R diag(x, y, z) R' with a rotation about no special axis.
static vs_mat3 turned(double x, double y, double z) {
    const vs_mat3 I = {{x, 0, 0, 0, y, 0, 0, 0, z}};
    const vs_mat3 R = vs_quat_matrix(vs_quat_exp((vs_vec3){.3, -.7, 1.1})), Rt = vs_mat3_transpose(&R);
    const vs_mat3 RI = vs_mat3_multiply(&R, &I);
    return vs_mat3_multiply(&RI, &Rt);
}

// No principal moment exceeds the sum of the others; plates reach it, and their numbers are rounded to three digits.
static void impossible_inertia_is_refused_with_the_name_of_the_body(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    const vs_mat3 possible[] = {turned(1, 1, 1),    turned(1, 1, 2), turned(2.01, 1, 1),
                                turned(1e-9, 1, 1), turned(3, 4, 7), turned(1e30, 1e30, 2e30)},
                  wrong[] = {turned(1, 1, 3), turned(1, 1, 2.2),  turned(2.2, 1, 1),
                             turned(1, 5, 1), turned(1e-9, 1, 2), turned(1e-40, 1e-40, 3e-40)};
    vs_body_def def = vs_body_def_default();
    for (int k = 0; k < 6; k++) {
        def.inertia = possible[k];
        must(vs_world_add_body(world, &def, NULL), context);
    }
    def.name = "flywheel";
    for (int k = 0; k < 6; k++) {
        def.inertia = wrong[k];
        assert_int_equal(vs_world_add_body(world, &def, NULL), VS_ERROR_ARGUMENT);
        const char *text = vs_context_get_error_text(context);
        assert_non_null(strstr(text, "body \"flywheel\": "));
        assert_non_null(strstr(text, "exceeds the sum of the other two"));
    }
    assert_int_equal(vs_world_get_body_count(world), 6);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void wrong_definitions_name_the_field(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_def def[8];
    for (int k = 0; k < 8; k++)
        def[k] = vs_body_def_default();
    def[0].mass = 0;
    def[1].mass = NAN;
    def[2].inertia.a[1] = .5;                         // not symmetric
    def[3].inertia.a[1] = def[3].inertia.a[3] = 1.01; // not definite
    def[4].inertia.a[8] = -1;
    def[5].pose.rotation.w = 1.1;
    def[6].velocity.y = INFINITY;
    def[7].motion = VS_MOTION_STATIC, def[7].spin.x = 1;
    for (int k = 0; k < 8; k++) {
        assert_int_equal(vs_world_add_body(world, &def[k], NULL), VS_ERROR_ARGUMENT);
        assert_true(strncmp(vs_context_get_error_text(context), "body: ", 6) == 0);
    }
    assert_int_equal(vs_world_get_body_count(world), 0);

    vs_body_id a = add(world, NULL), b = add(world, NULL);
    vs_joint_def joint[9];
    for (int k = 0; k < 9; k++) {
        joint[k] = vs_joint_def_default();
        joint[k].a = a, joint[k].b = b, joint[k].kind = VS_JOINT_REVOLUTE;
    }
    joint[0].b = a;
    joint[1].limited = true, joint[1].low = 1, joint[1].high = -1;
    joint[2].kind = VS_JOINT_SPHERICAL, joint[2].motor = VS_MOTOR_SPEED;
    joint[3].stiffness = -1;
    joint[4].kind = VS_JOINT_DISTANCE;
    joint[5].kind = VS_JOINT_GEAR;
    joint[6].motor = VS_MOTOR_SPEED, joint[6].target = constant(NAN);
    joint[7].frame_b.rotation.x = 1;
    joint[8].kind = (vs_joint_kind)99;
    for (int k = 0; k < 9; k++)
        assert_int_equal(vs_world_add_joint(world, &joint[k], NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_get_joint_count(world), 0);
    assert_false(vs_world_ignores(world, (int)a.index, (int)b.index));
    vs_world_destroy(world);
    end_context(context, &m);
}

// ---- what goes with what ---------------------------------------------------------------------------

static void removing_a_body_takes_its_colliders_joints_and_gears(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_shape *shape;
    assert_int_equal(vs_shape_sphere(context, 1, &shape), VS_OK);
    vs_body_id a = add(world, "a"), b = add(world, "b"), c = add(world, "c");
    vs_collider_id on_a[3], on_b;
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = shape;
    collider.body = b;
    assert_int_equal(vs_world_add_collider(world, &collider, &on_b), VS_OK);
    collider.body = a;
    for (int k = 0; k < 3; k++)
        assert_int_equal(vs_world_add_collider(world, &collider, &on_a[k]), VS_OK);
    assert_int_equal(vs_world_remove_collider(world, on_a[1]), VS_OK); // from the middle of the list
    assert_int_equal(vs_world_remove_collider(world, on_a[1]), VS_ERROR_ARGUMENT);
    vs_shape_release(shape); // the world still has it

    vs_joint_id ab = join(world, VS_JOINT_REVOLUTE, a, b), wc = join(world, VS_JOINT_REVOLUTE, WORLD, c),
                bc = join(world, VS_JOINT_SPHERICAL, b, c);
    vs_joint_def gear = vs_joint_def_default();
    gear.kind = VS_JOINT_GEAR, gear.joint_a = wc, gear.joint_b = ab, gear.ratio = 2, gear.name = "gear";
    vs_joint_id geared;
    assert_int_equal(vs_world_add_joint(world, &gear, &geared), VS_OK);
    assert_true(world->body[c.index].joints == 3 && world->body[0].joints == 2);
    assert_true(vs_world_ignores(world, (int)a.index, (int)b.index) && vs_world_ignores(world, 0, (int)c.index));

    uint64_t before = world->topology;
    assert_int_equal(vs_world_remove_body(world, a), VS_OK);
    assert_true(world->topology > before);
    assert_int_equal(vs_world_get_joint_count(world), 2); // ab and with it the gear are gone
    assert_int_equal(vs_world_get_joint_coordinate(world, geared, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_true(vs_world_find_joint(world, "gear").generation == 0);
    assert_true(vs_world_get_joint_at(world, 0).index == wc.index && vs_world_get_joint_at(world, 1).index == bc.index);
    assert_int_equal(world->collider_slots.used, 1);
    assert_int_equal(world->body[c.index].joints, 2);
    // a new body in the old slot inherits nothing
    vs_body_id a2 = add(world, "a");
    assert_true(a2.index == a.index && world->body[a2.index].first_collider == -1);
    assert_false(vs_world_ignores(world, (int)a2.index, (int)b.index));
    assert_int_equal(vs_world_remove_collider(world, on_a[0]), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_remove_collider(world, on_b), VS_OK);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void pairs_are_ignored_as_long_as_someone_wants_it(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_id a = add(world, NULL), b = add(world, NULL), c = add(world, NULL);
    int i = (int)a.index, j = (int)b.index;
    vs_joint_id first = join(world, VS_JOINT_FIXED, a, b), second = join(world, VS_JOINT_DISTANCE, b, a);
    assert_true(vs_world_ignores(world, i, j) && vs_world_ignores(world, j, i));
    assert_int_equal(vs_world_remove_joint(world, first), VS_OK);
    assert_true(vs_world_ignores(world, i, j));
    assert_int_equal(vs_world_remove_joint(world, second), VS_OK);
    assert_false(vs_world_ignores(world, i, j));
    assert_int_equal(vs_world_ignore_pair(world, b, a), VS_OK);
    assert_int_equal(vs_world_remove_joint(world, join(world, VS_JOINT_FIXED, a, b)), VS_OK);
    assert_true(vs_world_ignores(world, i, j)); // the user's word outlasts the joint
    assert_false(vs_world_ignores(world, i, (int)c.index));
    assert_int_equal(vs_world_remove_body(world, b), VS_OK);
    b = add(world, NULL);
    assert_true((int)b.index == j && !vs_world_ignores(world, i, j));
    // many pairs, so that the table is rebuilt several times
    vs_body_id all[200];
    for (int k = 0; k < 200; k++)
        all[k] = add(world, NULL);
    for (int k = 0; k < 200; k++)
        for (int l = k % 7 + 1; k + l < 200; l += 7)
            assert_int_equal(vs_world_ignore_pair(world, all[k], all[k + l]), VS_OK);
    for (int k = 0; k < 200; k++)
        for (int l = 1; k + l < 200; l++)
            assert_int_equal(vs_world_ignores(world, (int)all[k + l].index, (int)all[k].index),
                             l % 7 == (k % 7 + 1) % 7);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void filters_decide_who_may_touch(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_shape *ball, *plane;
    assert_int_equal(vs_shape_sphere(context, 1, &ball), VS_OK);
    assert_int_equal(vs_shape_plane(context, &plane), VS_OK);
    vs_body_id a = add(world, NULL), b = add(world, NULL);
    vs_collider_def def = vs_collider_def_default();
    vs_collider_id id[4];
    def.shape = ball, def.body = a;
    assert_int_equal(vs_world_add_collider(world, &def, &id[0]), VS_OK);
    def.body = b, def.group = 2, def.mask = 1;
    assert_int_equal(vs_world_add_collider(world, &def, &id[1]), VS_OK);
    def.body = WORLD, def.shape = plane, def.group = 4, def.mask = UINT32_MAX;
    assert_int_equal(vs_world_add_collider(world, &def, &id[2]), VS_OK);
    def.pose.position.z = -1;
    assert_int_equal(vs_world_add_collider(world, &def, &id[3]), VS_OK);
    const vs_collider *c = world->collider;
    assert_true(vs_world_may_collide(world, &c[id[0].index], &c[id[1].index])); // 1 in 1, 2 in all
    assert_true(vs_world_may_collide(world, &c[id[0].index], &c[id[2].index]));
    assert_false(vs_world_may_collide(world, &c[id[1].index], &c[id[2].index])); // 4 not in 1
    assert_false(vs_world_may_collide(world, &c[id[2].index], &c[id[3].index])); // one body, and no mass
    assert_int_equal(vs_world_ignore_pair(world, WORLD, a), VS_OK);
    assert_false(vs_world_may_collide(world, &c[id[0].index], &c[id[2].index]));
    assert_true(vs_collider_pose(world, &c[id[3].index]).position.z == -1);
    def.body = a; // a plane on a dynamic body
    assert_int_equal(vs_world_add_collider(world, &def, NULL), VS_ERROR_ARGUMENT);
    vs_shape_release(ball);
    vs_shape_release(plane);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void materials_combine_by_the_rule_or_by_their_pair(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    assert_true(vs_world_get_material_pair(world, 0, 0).mu == .5);
    const vs_material ice = {.mu = .04, .restitution = .2, .compliance = 1e-6}, rubber = {.mu = 1, .restitution = .8};
    int a, b;
    assert_int_equal(vs_world_add_material(world, &ice, "ice", &a), VS_OK);
    assert_int_equal(vs_world_add_material(world, &rubber, "rubber", &b), VS_OK);
    assert_true(a == 0 && b == 1 && vs_world_find_material(world, "rubber") == 1);
    assert_int_equal(vs_world_find_material(world, "wood"), -1);
    assert_int_equal(vs_world_add_material(world, &rubber, "ice", NULL), VS_ERROR_ARGUMENT);
    vs_material p = vs_world_get_material_pair(world, b, a);
    assert_close(p.mu, .2, 1e-16);
    assert_true(p.restitution == .8 && p.compliance == 1e-6);
    const vs_material own = {.mu = .33}, bad[] = {{.mu = -1}, {.restitution = 1.1}, {.compliance = NAN}};
    assert_int_equal(vs_world_set_material_pair(world, b, a, &own), VS_OK);
    assert_true(vs_world_get_material_pair(world, a, b).mu == .33 && vs_world_get_material_pair(world, a, a).mu == .04);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(vs_world_add_material(world, &bad[k], NULL, NULL), VS_ERROR_ARGUMENT);
        assert_int_equal(vs_world_set_material_pair(world, a, b, &bad[k]), VS_ERROR_ARGUMENT);
    }
    assert_int_equal(vs_world_set_material_pair(world, a, 2, &own), VS_ERROR_ARGUMENT);
    for (int k = 0; k < 30; k++) // more than fit at first
        assert_int_equal(vs_world_add_material(world, &own, NULL, &b), VS_OK);
    for (int k = 31; k >= 0; k--)
        for (int l = k; l < 32; l += 3) {
            const vs_material pair = {.mu = .01 * k + l};
            assert_int_equal(vs_world_set_material_pair(world, l, k, &pair), VS_OK);
        }
    for (int k = 0; k < 32; k++)
        for (int l = k; l < 32; l += 3)
            assert_true(vs_world_get_material_pair(world, k, l).mu == .01 * k + l);
    vs_world_destroy(world);
    end_context(context, &m);
}

// Tables of friction: the geometric mean at the points of both, and mu is friction at rest.
static void friction_over_the_speed_combines(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    const vs_material belt = {.mu_table = {2, {1, 3}, {.4, .9}}}, ice = {.mu = .1},
                      oiled = {.mu_table = {1, {2}, {.16}}};
    const vs_material wood = {.mu = .4, .static_mu = .6};
    int a, b, c, d;
    assert_int_equal(vs_world_add_material(world, &belt, "belt", &a), VS_OK);
    assert_int_equal(vs_world_add_material(world, &ice, "ice", &b), VS_OK);
    assert_int_equal(vs_world_add_material(world, &oiled, "oiled", &c), VS_OK);
    assert_int_equal(vs_world_add_material(world, &wood, "wood", &d), VS_OK);
    const struct {
        int other;
        double speed, value;
    } expected[] = {{a, 0, .4},
                    {a, 2, .65},
                    {a, 4, .9},
                    {b, 0, .2},
                    {b, 1, .2},
                    {b, 3, .3},
                    {b, 2, .25},
                    {c, 0, sqrt(.4 * .16)},
                    {c, 2, sqrt(.65 * .16)},
                    {c, 9, sqrt(.9 * .16)},
                    {d, 0, .4}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        const vs_material pair = vs_world_get_material_pair(world, a, expected[k].other);
        assert_close(vs_speed_table_at(&pair.mu_table, pair.mu, expected[k].speed), expected[k].value, 1e-15);
        assert_close(pair.mu, vs_speed_table_at(&pair.mu_table, pair.mu, 0), 1e-15);
        assert_true(pair.static_mu == 0);
    }
    vs_world_destroy(world);
    end_context(context, &m);
}

// Tables of restitution: the larger value at the points of both, a constant as a table without slope.
static void restitution_over_the_speed_combines(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    const vs_material steel = {.mu = 1, .restitution_table = {2, {1, 5}, {.8, .4}}};
    const vs_material lead = {.mu = 1, .restitution_table = {2, {1, 3}, {.2, .5}}}, wood = {.mu = 1, .restitution = .6};
    int a, b, c;
    assert_int_equal(vs_world_add_material(world, &steel, "steel", &a), VS_OK);
    assert_int_equal(vs_world_add_material(world, &lead, "lead", &b), VS_OK);
    assert_int_equal(vs_world_add_material(world, &wood, "wood", &c), VS_OK);
    const struct {
        int other;
        double speed, value;
    } expected[] = {{a, .1, .8}, {a, 1, .8}, {a, 2, .7},  {a, 7, .4}, {b, 3, .6}, {b, 4, .55},
                    {b, 5, .5},  {b, 9, .5}, {c, .5, .8}, {c, 3, .7}, {c, 9, .6}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        vs_material pair = vs_world_get_material_pair(world, a, expected[k].other);
        assert_close(vs_restitution_at(&pair, expected[k].speed), expected[k].value, 1e-15);
    }
    const vs_material bad[] = {{.restitution_table = {2, {1, 1}, {.5, .5}}}, {.restitution_table = {1, {-1}, {.5}}},
                               {.restitution_table = {1, {1}, {1.5}}},       {.restitution_table = {.count = -1}},
                               {.restitution_table = {1, {NAN}, {.5}}},      {.restitution_table = {.count = 9}}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(vs_world_add_material(world, &bad[k], NULL, NULL), VS_ERROR_ARGUMENT);
    vs_world_destroy(world);
    end_context(context, &m);
}

// ---- state, sums and hash --------------------------------------------------------------------------

static void states_come_back_as_they_were_given(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_id a = add(world, NULL);
    const vs_body_state given = {
        .pose = {{1, 2, 3}, vs_quat_exp((vs_vec3){.3, -1, .5})}, .velocity = {4, 5, 6}, .spin = {7, -8, 9}};
    vs_body_state got;
    assert_int_equal(vs_world_set_body_state(world, a, &given), VS_OK);
    assert_int_equal(vs_world_get_body_state(world, a, &got), VS_OK);
    assert_memory_equal(&got.pose, &given.pose, sizeof got.pose);
    assert_memory_equal(&got.velocity, &given.velocity, sizeof got.velocity);
    assert_vec(got.spin, given.spin, 1e-14); // there and back by a rotation
    vs_body_state wrong = given;
    wrong.pose.rotation = (vs_quat){0, 0, 0, 0};
    assert_int_equal(vs_world_set_body_state(world, a, &wrong), VS_ERROR_ARGUMENT);
    double mass;
    vs_mat3 inertia;
    assert_int_equal(vs_world_get_body_mass(world, a, &mass, &inertia), VS_OK);
    assert_true(mass == 1 && inertia.a[0] == 1 && inertia.a[1] == 0);
    assert_int_equal(vs_world_get_body_mass(world, WORLD, &mass, &inertia), VS_OK);
    assert_true(mass == 0 && inertia.a[0] == 0);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void sums_meet_closed_forms(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, (vs_vec3){0, 0, -10});
    vs_body_def def = vs_body_def_default();
    def.mass = 2;
    def.inertia = (vs_mat3){{1, 0, 0, 0, 2, 0, 0, 0, 3}};
    def.pose = (vs_pose){{1, 0, 5}, vs_quat_exp((vs_vec3){0, 0, acos(-1) / 2})}; // body x is world y
    def.velocity = (vs_vec3){0, 3, 0};
    def.spin = (vs_vec3){0, 4, 0};
    assert_int_equal(vs_world_add_body(world, &def, NULL), VS_OK);
    def.motion = VS_MOTION_KINEMATIC; // has no energy
    assert_int_equal(vs_world_add_body(world, &def, NULL), VS_OK);
    vs_energy e = vs_world_get_energy(world);
    assert_close(e.kinetic, .5 * 2 * 9 + .5 * 1 * 16, 1e-14);
    assert_close(e.potential, 2 * 10 * 5, 1e-13);
    assert_vec(e.momentum, ((vs_vec3){0, 6, 0}), 1e-15);
    // x x m v = (1, 0, 5) x (0, 6, 0) = (-30, 0, 6), and I_x 4 along world y
    assert_vec(e.angular_momentum, ((vs_vec3){-30, 4, 6}), 1e-14);
    vs_world_destroy(world);
    end_context(context, &m);
}

static void sums_do_not_lose_small_terms_beside_large_ones(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_def def = vs_body_def_default();
    const double v[] = {1e16, 1, -1e16};
    for (int k = 0; k < 3; k++) {
        def.velocity.x = v[k];
        assert_int_equal(vs_world_add_body(world, &def, NULL), VS_OK);
    }
    assert_true(vs_world_get_energy(world).momentum.x == 1); // a plain sum says 0
    vs_world_destroy(world);
    end_context(context, &m);
}

static void hash_changes_with_one_bit_of_any_number(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_body_id a = add(world, NULL), b = add(world, NULL);
    uint64_t first = vs_world_get_hash(world);
    assert_true(first == vs_world_get_hash(world));
    vs_body *body = &world->body[a.index];
    double *const part[] = {&body->pose.position.x, &body->pose.rotation.w,       &body->velocity.z,
                            &body->spin.y,          &world->body[b.index].spin.z, &world->time};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        for (int bit = 0; bit < 64; bit++) {
            uint64_t bits;
            double kept = *part[k];
            memcpy(&bits, part[k], sizeof bits);
            bits ^= (uint64_t)1 << bit;
            memcpy(part[k], &bits, sizeof bits);
            assert_true(vs_world_get_hash(world) != first);
            *part[k] = kept;
            assert_true(vs_world_get_hash(world) == first);
        }
    assert_int_equal(vs_world_remove_body(world, b), VS_OK);
    assert_true(vs_world_get_hash(world) != first);
    vs_world_destroy(world);
    end_context(context, &m);
}

// ---- size and memory -------------------------------------------------------------------------------

// Quadratic work would take minutes here; the time limit of the test runner decides.
static void a_hundred_thousand_objects_come_and_go_quickly(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_shape *shape;
    assert_int_equal(vs_shape_sphere(context, 1, &shape), VS_OK);
    vs_body_id *id = malloc(COUNT * sizeof *id);
    assert_non_null(id);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < COUNT; k++) {
            char name[32];
            snprintf(name, sizeof name, "body %d", k);
            id[k] = add(world, name);
            vs_collider_def def = vs_collider_def_default();
            def.shape = shape, def.body = id[k];
            assert_int_equal(vs_world_add_collider(world, &def, NULL), VS_OK);
            join(world, VS_JOINT_SPHERICAL, k % 2 ? id[k - 1] : WORLD, id[k]);
            assert_int_equal(vs_world_ignore_pair(world, id[k], WORLD), VS_OK);
        }
        assert_int_equal(vs_world_get_body_count(world), COUNT);
        for (int k = 0; k < COUNT; k++)
            assert_true(vs_world_get_body_at(world, k).index == (uint32_t)k + 1);
        // in a scattered order
        for (int k = 0; k < COUNT; k++)
            assert_int_equal(vs_world_remove_body(world, id[(int)(k * INT64_C(7919) % COUNT)]), VS_OK);
        assert_true(vs_world_get_body_count(world) == 0 && vs_world_get_joint_count(world) == 0);
        assert_int_equal(world->collider_slots.used, 0);
        assert_int_equal(world->bodies, COUNT + 1); // slots are used again
    }
    free(id);
    vs_shape_release(shape);
    vs_world_destroy(world);
    end_context(context, &m);
}

// Makes a world with something of everything; the first failure is returned.
static vs_error make_everything(vs_world *world, vs_shape *shape) {
    const double time[] = {0, 1}, sample[] = {1, 2};
    const vs_signal table = {.kind = VS_SIGNAL_TABLE, .time = time, .sample = sample, .count = 2},
                    tables[3] = {table, table, table};
    const vs_material material = {.mu = .3};
    char name[16];
    vs_error error = VS_OK;
    for (int k = 0; k < 20 && !error; k++) {
        vs_body_id id = {0, 0};
        vs_body_def body = vs_body_def_default();
        snprintf(name, sizeof name, "n%d", k);
        body.name = name;
        body.motion = k == 1 ? VS_MOTION_KINEMATIC : VS_MOTION_DYNAMIC;
        error = vs_world_add_body(world, &body, &id);
        vs_collider_def collider = vs_collider_def_default();
        collider.body = id, collider.shape = shape;
        if (!error)
            error = vs_world_add_collider(world, &collider, NULL);
        if (!error)
            error = vs_world_add_material(world, &material, name, NULL);
        if (!error)
            error = vs_world_set_material_pair(world, k, 0, &material);
        if (!error && k == 1)
            error = vs_world_set_drive(world, id, tables, tables);
        if (!error)
            error = vs_world_add_load(world, id, tables, tables);
        vs_joint_def joint = vs_joint_def_default();
        joint.kind = VS_JOINT_REVOLUTE, joint.b = id, joint.name = name;
        joint.motor = VS_MOTOR_SPEED, joint.target = table;
        if (!error && k != 1)
            error = vs_world_add_joint(world, &joint, NULL);
        if (!error)
            error = vs_world_ignore_pair(world, id, vs_world_get_body_at(world, 0));
    }
    return error;
}

static void refused_memory_is_reported_and_leaks_nothing(void **state) {
    (void)state;
    int refused = 0;
    for (int k = 0;; k++) {
        memory m;
        vs_context *context = make_context(&m);
        vs_shape *shape;
        assert_int_equal(vs_shape_sphere(context, 1, &shape), VS_OK);
        refuse_call(&m, k);
        vs_world *world = NULL;
        vs_error error = vs_world_create(context, NULL, &world);
        if (!error)
            error = make_everything(world, shape);
        // whatever happened, the world is still whole: bodies can be removed
        refuse_none(&m);
        while (vs_world_get_body_count(world) > 10)
            assert_int_equal(vs_world_remove_body(world, vs_world_get_body_at(world, 3)), VS_OK);
        vs_world_destroy(world);
        vs_shape_release(shape);
        end_context(context, &m);
        if (!error)
            break;
        assert_int_equal(error, VS_ERROR_MEMORY);
        refused++;
    }
    assert_true(refused > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_ids_are_errors_everywhere),
        cmocka_unit_test(bodies_are_listed_by_index_and_found_by_name),
        cmocka_unit_test(impossible_inertia_is_refused_with_the_name_of_the_body),
        cmocka_unit_test(wrong_definitions_name_the_field),
        cmocka_unit_test(removing_a_body_takes_its_colliders_joints_and_gears),
        cmocka_unit_test(pairs_are_ignored_as_long_as_someone_wants_it),
        cmocka_unit_test(filters_decide_who_may_touch),
        cmocka_unit_test(materials_combine_by_the_rule_or_by_their_pair),
        cmocka_unit_test(friction_over_the_speed_combines),
        cmocka_unit_test(restitution_over_the_speed_combines),
        cmocka_unit_test(states_come_back_as_they_were_given),
        cmocka_unit_test(sums_meet_closed_forms),
        cmocka_unit_test(sums_do_not_lose_small_terms_beside_large_ones),
        cmocka_unit_test(hash_changes_with_one_bit_of_any_number),
        cmocka_unit_test(a_hundred_thousand_objects_come_and_go_quickly),
        cmocka_unit_test(refused_memory_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
