// Meshes of MJCF: primitives fitted to them, their mass, and those that are for display only.
#include "imported.h"

// Roundoff of eigenvalues of numbers about 1.
static const double ROUND = 1e-12;

// A box of 2 x 4 x 8 m about (1, 0, 0).
#define BRICK "<mesh name='brick' vertex='0 -2 -4  2 -2 -4  0 2 -4  2 2 -4  0 -2 4  2 -2 4  0 2 4  2 2 4'/>"
#define MODEL(assets, rest) "<mujoco><asset>" assets "</asset><worldbody>" rest "</worldbody></mujoco>"

static const vs_collider *collider(const vs_scene *scene, int k) {
    assert_true(k < scene->world->colliders);
    return &scene->world->collider[k];
}

static void a_primitive_is_fitted_to_the_inertia_of_its_mesh(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, MODEL(BRICK, "<geom type='box' mesh='brick'/><geom type='capsule' mesh='brick'/>"
                                           "<geom type='cylinder' mesh='brick' pos='0 0 9'/>"
                                           "<geom type='sphere' mesh='brick' fitscale='.5'/>"
                                           "<geom type='ellipsoid' mesh='brick'/>"));
    assert_string_equal(f->log, "");
    // shortest along x … longest along z, where the mesh is
    const vs_collider *box = collider(scene, 0), *capsule = collider(scene, 1), *cylinder = collider(scene, 2);
    const vs_vec3 long_side = vs_rotate(box->pose.rotation, (vs_vec3){0, 0, 1});
    assert_close(box->shape->half.x, 1, ROUND);
    assert_close(box->shape->half.y, 2, ROUND);
    assert_close(box->shape->half.z, 4, ROUND);
    assert_close(fabs(long_side.z), 1, ROUND);
    assert_close(box->pose.position.x, 1, ROUND);
    assert_close(capsule->shape->radius, 1.5, ROUND);
    assert_close(capsule->shape->half_length, 4 - .75, ROUND);
    assert_close(cylinder->shape->half_length, 4, ROUND);
    assert_close(cylinder->pose.position.z, 9, ROUND);
    assert_close(collider(scene, 3)->shape->radius, .5 * 7. / 3, ROUND);
    assert_close(collider(scene, 4)->shape->half.y, 2, ROUND);
    vs_scene_destroy(scene);
    scene = need(f, "<mujoco><compiler fitaabb='true'/><asset>" BRICK "</asset><worldbody>"
                    "<geom type='box' mesh='brick'/></worldbody></mujoco>");
    assert_close(collider(scene, 0)->shape->half.x, 1, 0);
    assert_close(collider(scene, 0)->pose.position.x, 1, 0);
    vs_scene_destroy(scene);
}

// x -> S R'(x - refpos)
static void points_are_moved_turned_and_scaled(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, MODEL("<mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3' refpos='1 0 0' scale='1 1 10' "
                                    "refquat='1 0 0 1'/>",
                                    "<geom type='mesh' mesh='m'/>"));
    // Turned back by 90 degrees about z: (x, y) -> (y, -x).
    const vs_shape *hull = collider(scene, 0)->shape;
    assert_close(hull->bounds.low.x, 0, ROUND);
    assert_close(hull->bounds.high.x, 2, ROUND);
    assert_close(hull->bounds.low.y, 0, ROUND);
    assert_close(hull->bounds.high.y, 1, ROUND);
    assert_close(hull->bounds.high.z, 30, ROUND);
    vs_scene_destroy(scene);
}

// Display only: not read, so that neither a missing file nor a flat mesh is in the way.
static void what_touches_nothing_and_weighs_nothing_is_not_read(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, MODEL("<mesh name='m' file='absent.stl'/>",
                                    "<geom type='mesh' mesh='m' contype='0' conaffinity='0'/><body><freejoint/>"
                                    "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                                    "<geom type='box' mesh='m' contype='0' conaffinity='0'/></body>"));
    assert_int_equal(scene->world->colliders, 0);
    assert_string_equal(f->log, "");
    vs_scene_destroy(scene);
}

// Groups outside of the range have no mass.
static void masses_come_from_the_groups_of_the_range(void **state) {
    fixture *f = *state;
    double mass;
    vs_scene *scene = need(f, "<mujoco><compiler inertiagrouprange='1 2'/><worldbody><body name='a'><freejoint/>"
                              "<geom size='1' mass='3' group='1'/><geom size='1' mass='4' group='3'/></body>"
                              "</worldbody></mujoco>");
    must(vs_world_get_body_mass(scene->world, vs_world_find_body(scene->world, "a"), &mass, NULL), f->context);
    assert_close(mass, 3, ROUND);
    vs_scene_destroy(scene);
}

static void the_friction_of_the_higher_priority_applies(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, "<mujoco><worldbody><geom size='1' friction='.9'/><geom size='1' friction='.2' "
                              "priority='1' pos='5 0 0'/></worldbody></mujoco>");
    const vs_material pair =
        vs_world_get_material_pair(scene->world, collider(scene, 0)->material, collider(scene, 1)->material);
    assert_close(pair.mu, .2, 0);
    vs_scene_destroy(scene);
}

static bool collide(const vs_scene *scene, int i, int j) {
    const vs_collider *a = collider(scene, i), *b = collider(scene, j);
    return (a->group & b->mask) && (b->group & a->mask);
}

// Geoms without bits collide with the floor because of their pair, with its friction, and with nothing else.
static void a_pair_collides_with_its_own_friction(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, "<mujoco><worldbody><geom name='floor' type='plane'/><body><freejoint/><geom name='foot' size='.1' "
                "pos='0 0 1' contype='0' conaffinity='0'/></body><body><freejoint/><geom name='other' size='.1' "
                "pos='0 0 5'/></body></worldbody><contact><pair geom1='foot' geom2='floor' friction='.3'/></contact>"
                "</mujoco>");
    assert_string_equal(f->log, "");
    assert_true(collide(scene, 0, 1) && collide(scene, 0, 2) && !collide(scene, 1, 2));
    assert_close(
        vs_world_get_material_pair(scene->world, collider(scene, 0)->material, collider(scene, 1)->material).mu, .3, 0);
    assert_close(
        vs_world_get_material_pair(scene->world, collider(scene, 0)->material, collider(scene, 2)->material).mu, 1, 0);
    vs_scene_destroy(scene);
}

// The base is a part of the world, and so is the floor; the link is kept from the base only.
static void an_exclusion_of_the_base_leaves_the_floor(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, "<mujoco><worldbody><geom type='plane'/><body name='base' pos='0 0 5'><geom size='.1'/><body "
                "name='link' pos='0 0 3'><joint/><geom size='.1'/><body name='part'><geom size='.2'/></body></body>"
                "</body></worldbody><contact><exclude body1='base' body2='link'/></contact></mujoco>");
    assert_string_equal(f->log, "");
    assert_true(collide(scene, 0, 2) && !collide(scene, 1, 2) && collide(scene, 1, 3) && collide(scene, 0, 3));
    vs_scene_destroy(scene);
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(a_primitive_is_fitted_to_the_inertia_of_its_mesh),    test(points_are_moved_turned_and_scaled),
        test(what_touches_nothing_and_weighs_nothing_is_not_read), test(masses_come_from_the_groups_of_the_range),
        test(the_friction_of_the_higher_priority_applies),         test(a_pair_collides_with_its_own_friction),
        test(an_exclusion_of_the_base_leaves_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
