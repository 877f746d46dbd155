// Concave bodies that move: links of a chain hold each other, meshes that fly at each other do not overlap, and a body
// on its mesh weighs what the mesh does.
#include "body/world_data.h"
#include "collide/mesh/mesh.h"
#include "kit/random.h"
#include "kit/solids.h"
#include "step/worlds.h"

static vs_body_id add_torus(rig *s, double z, bool across, vs_motion motion) {
    vs_shape *shape = torus_mesh(s->context, .04, .01, 16, 8);
    const vs_quat turn = across ? (vs_quat){.5, .5, .5, .5} : (vs_quat){.70710678118654752, .70710678118654752, 0, 0};
    const vs_pose pose = {{0, 0, z}, turn};
    if (motion == VS_MOTION_DYNAMIC)
        return add_solid(s, shape, 7800, pose, VS_ZERO3);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = shape, collider.material = s->material, collider.pose = pose;
    must(vs_world_add_collider(s->world, &collider, NULL), s->context);
    vs_shape_release(shape);
    return (vs_body_id){0, 0};
}

static void test_chain_of_links_hangs(void **state) {
    (void)state;
    enum { LINKS = 6 };
    rig s;
    open_rig(&s, .3, 0, false);
    vs_body_id link[LINKS];
    double weight = 0, mass;
    vs_mat3 inertia;
    for (int k = 0; k < LINKS; k++) {
        // 0.06 m apart they touch; the octagonal tubes nest a little deeper
        link[k] = add_torus(&s, -.0595 * k, k % 2, k ? VS_MOTION_DYNAMIC : VS_MOTION_STATIC);
        if (k == 0)
            continue;
        must(vs_world_get_body_mass(s.world, link[k], &mass, &inertia), s.context);
        weight += mass * standard_gravity;
    }
    s.options.solver.tolerance = 1e-9;
    start_rig(&s);
    vs_vec3 held = VS_ZERO3;
    for (int k = 0; k < 300; k++) {
        const vs_step_report report = take_step(&s);
        assert_below(report.penetration, 1e-4 * .05);
        // the mean over the last 100 steps
        for (int i = 0; i < vs_simulation_get_contact_count(s.simulation) && k >= 200; i++) {
            vs_contact_view view;
            must(vs_simulation_get_contact_at(s.simulation, i, &view), s.context);
            if (view.a.index == 0)
                held = vs_add_scaled(held, 1 / (100 * s.options.step), view.impulse);
        }
    }
    for (int k = 1; k < LINKS; k++) {
        const vs_vec3 x = state_of(&s, link[k]).pose.position;
        assert_vec(x, ((vs_vec3){0, 0, -.06 * k}), .002 * k); // settled by less than the corners of their tubes
    }
    assert_relative(fabs(held.z), weight, .05); // it still swings a little
    close_rig(&s);
}

// ---- flying ----------------------------------------------------------------------------------------

static vs_shape *make_mesh(rig *s, int kind) {
    return kind == 0   ? box_mesh(s->context, .03, .025, .03)
           : kind == 1 ? torus_mesh(s->context, .035, .012, 12, 6)
                       : prism(s->context,
                               (const double[6][2]){{-.03, -.03}, {.03, -.03}, {.03, 0}, {0, 0}, {0, .03}, {-.03, .03}},
                               6, (const int[4][3]){{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, .04);
}

static double depth_of(const rig *s, vs_mesh_points *points) {
    const vs_collider *a = &s->world->collider[0], *b = &s->world->collider[1];
    must(vs_narrow_meshes(a->shape, vs_collider_pose(s->world, a), b->shape, vs_collider_pose(s->world, b), 0, points),
         s->context);
    double depth = 0;
    for (int k = 0; k < points->count; k++)
        depth = fmax(depth, -points->at[k].gap);
    return depth;
}

static void test_meshes_that_meet_do_not_overlap(void **state) {
    (void)state;
    uint64_t seed = 81;
    int met = 0;
    for (int k = 0; k < VS_SAMPLES(90); k++) {
        rig s;
        open_rig(&s, .3, 0, false);
        for (int i = 0; i < 2; i++) {
            vs_pose pose = random_pose(&seed, .015);
            pose.position.x += (i ? 1 : -1) * .065;
            const vs_body_id id =
                add_solid(&s, make_mesh(&s, i ? k % 3 : k / 3 % 3), 1000, pose, (vs_vec3){i ? -1.5 : 1.5, 0, 0});
            vs_body_state flying = state_of(&s, id);
            flying.spin = random_vec(&seed, 30);
            must(vs_world_set_body_state(s.world, id, &flying), s.context);
        }
        s.options.solver.tolerance = 1e-9;
        start_rig(&s);
        vs_mesh_points points = {.context = s.context};
        bool touched = false;
        for (int i = 0; i < 30; i++) {
            touched = take_step(&s).contacts > 0 || touched;
            assert_below(depth_of(&s, &points), 2e-4 * .05); // late contacts are searched from 1e-4 on
        }
        met += touched;
        vs_release(s.context, points.at);
        close_rig(&s);
    }
    assert_in_range(met, VS_SAMPLES(90) * 2 / 3, VS_SAMPLES(90));
}

static void keep_warning(void *user, vs_log_level level, const char *text) {
    if (level == VS_LOG_WARNING)
        (void)snprintf(user, 400, "%s", text);
}

// An open mesh that faces away from the bodies beside it is named before the first step; the right way round it is not, nor a
// body that starts beyond its border, nor a closed mesh.
static void test_bodies_behind_an_open_mesh_are_told(void **state) {
    (void)state;
    static const vs_vec3 corner[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, -1}};
    static const int up[] = {0, 1, 2, 0, 2, 3}, down[] = {2, 1, 0, 3, 2, 0},
                     closed[] = {0, 1, 2, 0, 2, 3, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3, 4};
    const struct {
        const int *index;
        int triangles;
        vs_vec3 at;
        bool told;
    } cases[] = {{up, 2, {0, 0, .2}, false},
                 {down, 2, {0, 0, .2}, true},
                 {down, 2, {1.25, 0, .02}, false},
                 {down, 2, {0, 0, 3}, false},
                 {closed, 6, {0, 0, -.2}, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[400] = "";
        vs_context *context = NULL;
        vs_world *world = NULL;
        vs_simulation *simulation = NULL;
        vs_shape *mesh = NULL, *ball = NULL;
        vs_body_id id;
        vs_collider_id shape;
        vs_context_def def = vs_context_def_default();
        def.log = keep_warning;
        def.log_user = text;
        assert_int_equal(vs_context_create(&def, &context), VS_OK);
        must(vs_world_create(context, NULL, &world), context);
        must(vs_shape_mesh(context, corner, 5, cases[k].index, cases[k].triangles, &mesh), context);
        must(vs_shape_sphere(context, .1, &ball), context);
        vs_body_def body = vs_body_def_default();
        body.motion = VS_MOTION_STATIC;
        body.name = "sheet";
        must(vs_world_add_body(world, &body, &id), context);
        vs_collider_def collider = vs_collider_def_default();
        collider.body = id;
        collider.shape = mesh;
        must(vs_world_add_collider(world, &collider, &shape), context);
        body = vs_body_def_default();
        body.name = "grain";
        body.pose.position = cases[k].at;
        must(vs_world_add_body(world, &body, &id), context);
        collider.body = id;
        collider.shape = ball;
        must(vs_world_add_collider(world, &collider, &shape), context);
        must(vs_simulation_create(world, NULL, &simulation), context);
        assert_int_equal(text[0] != '\0', cases[k].told);
        if (cases[k].told)
            assert_true(strstr(text, "body 'sheet': its open mesh") &&
                        strstr(text, "1 body, the first of them 'grain'"));
        vs_simulation_destroy(simulation);
        vs_world_destroy(world);
        vs_shape_release(mesh);
        vs_shape_release(ball);
        vs_context_destroy(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_of_links_hangs),
        cmocka_unit_test(test_meshes_that_meet_do_not_overlap),
        cmocka_unit_test(test_bodies_behind_an_open_mesh_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
