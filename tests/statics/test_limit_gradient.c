// Derivatives of a limit load, from its forces and its mechanism, against a closed form and against differences of limit loads that
// are found again with changed data.
//
// Tolerance: factors are found to 1e-12 or better, and are differentiated over changes of 1e-4 of the data. Central differences
// have errors of 1e-8 of the factor from that, and of second order in the change.
#include "assemblies.h"

#include "statics/statics_data.h"

static const double g = 9.81;

static vs_limit_result find(vs_statics *s) {
    vs_limit_result r;
    assert_int_equal(vs_statics_find_limit(s, &r), VS_OK);
    assert_int_equal(r.status, VS_LIMIT_FOUND);
    return r;
}

static vs_limit_gradient differentiate(vs_statics *s, const vs_limit_result *r) {
    vs_limit_gradient q;
    assert_int_equal(vs_statics_differentiate_limit(s, r, &q), VS_OK);
    return q;
}

// A block on a floor that slides: factor mu. One that tips about an edge: b/h.
static void block_on_a_floor(void **state) {
    vs_context *context = context_of(state);
    for (int tips = 0; tips < 2; tips++) {
        const double mu = tips ? .8 : .2, b = .3, h = .6;
        vs_world *world = make_world(context, mu, (vs_vec3){0, 0, -g});
        add_floor(context, world);
        add_box(context, world, (vs_vec3){b, .5, h}, at(0, 0, h), VS_MOTION_DYNAMIC);
        vs_statics *s = make_statics(world);
        assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){1, 0, 0}), VS_OK);
        const vs_limit_result r = find(s);
        const vs_limit_gradient q = differentiate(s, &r);
        assert_near("by mu", q.mu[0], tips ? 0 : 1, 1e-7);
        assert_near("by density", q.density[0], 0, 1e-7); // load and resistance grow together
        double by_edge = 0;
        for (int c = 0; c < 4; c++)
            by_edge += vs_statics_get_point(s, c).x > 0 ? q.point[c].x : 0;
        assert_near("by the edge", by_edge, tips ? 1 / h : 0, 1e-7);
        // A dead force P along x takes P / W of the factor.
        const double weight = 8 * b * .5 * h * 1000 * g;
        assert_near("by a force", q.force[0].x * weight, -1, 1e-7);
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// The data that are moved: a coordinate of a corner, the density of a block, the friction of an interface, a force on a block.
typedef enum datum { CORNER, DENSITY, FRICTION, FORCE, DATA } datum;

static void add_mass(vs_statics *s, int b, double mass) {
    s->block[b].mass += mass;
    vs_statics_add_load(s, b, vs_scale(mass, s->gravity), VS_ZERO3, s->load);
    vs_statics_add_load(s, b, vs_scale(mass, s->live_weight), VS_ZERO3, s->live);
}

static void move(vs_statics *s, datum kind, int k, double by) {
    if (kind == CORNER)
        s->interfaces.point.data[k] = vs_add_scaled(s->interfaces.point.data[k], by, (vs_vec3){.6, 0, .8});
    else if (kind == DENSITY)
        add_mass(s, k, by * s->block[k].mass);
    else if (kind == FRICTION)
        s->interfaces.list.data[k].mu += by;
    else
        vs_statics_add_load(s, k, (vs_vec3){by * s->weight, 0, 0}, VS_ZERO3, s->load);
    vs_statics_fill_values(s);
}

static double derivative_of(const vs_statics *s, const vs_limit_gradient *q, datum kind, int k) {
    if (kind == CORNER)
        return vs_dot(q->point[k], (vs_vec3){.6, 0, .8});
    return kind == DENSITY ? q->density[k] : kind == FRICTION ? q->mu[k] : s->weight * q->force[k].x;
}

// A factor of an assembly whose data are moved by `by`; a new one for each, so that nothing else differs.
static double factor_of(vs_context *context, const char *name, const vs_vec3 *direction, datum kind, int k, double by) {
    vs_statics *s = make_named(context, name, NULL, 0);
    assert_int_equal(vs_statics_add_live_weight(s, *direction), VS_OK);
    move(s, kind, k, by);
    const vs_limit_result r = find(s);
    vs_statics_destroy(s);
    return r.factor;
}

// Twenty of each kind of datum, evenly over the assembly.
static void check_named(vs_context *context, const char *name, vs_vec3 direction) {
    vs_statics *s = make_named(context, name, NULL, 0);
    assert_int_equal(vs_statics_add_live_weight(s, direction), VS_OK);
    const vs_limit_result r = find(s);
    const vs_limit_gradient q = differentiate(s, &r);
    const int counts[DATA] = {s->interfaces.report.contacts, s->blocks, s->interfaces.report.interfaces, s->blocks};
    const double step = 1e-4;
    static const char *const names[DATA] = {"corner", "density", "friction", "force"};
    for (datum kind = CORNER; kind < DATA; kind++) {
        double worst = 0, most = 0;
        for (int i = 0; i < 20; i++) {
            const int k = i * counts[kind] / 20;
            const double up = factor_of(context, name, &direction, kind, k, step);
            const double down = factor_of(context, name, &direction, kind, k, -step);
            const double exact = derivative_of(s, &q, kind, k);
            worst = fmax(worst, fabs(exact - (up - down) / (2 * step)));
            most = fmax(most, fabs(exact));
        }
        print_message("  %s, %s: derivatives up to %.3g, differences from them up to %.1e\n", name, names[kind], most,
                      worst);
        assert_true(worst <= 1e-5);
    }
    vs_statics_destroy(s);
}

static void arch_tilted(void **state) {
    check_named(context_of(state), "arch", (vs_vec3){1, 0, 0});
}

static void no_limit_no_derivative(void **state) {
    vs_statics *s = make_named(context_of(state), "arch", NULL, 0);
    const vs_limit_result none = {.status = VS_LIMIT_UNBOUNDED};
    vs_limit_gradient q;
    assert_int_equal(vs_statics_differentiate_limit(s, &none, &q), VS_ERROR_DATA);
    vs_statics_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(block_on_a_floor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arch_tilted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_limit_no_derivative, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
