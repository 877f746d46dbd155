// The table of fields of materials is complete; defaults, checks, what holds between two, and the pairs of a world follow from it.
#include "body/world_data.h"
#include "kit/compare.h"
#include "kit/memory.h"
#include "material/field.h"
#include "material/material.h"

// A material whose fields all differ from their defaults; k: which.
static vs_material make_material(int k) {
    vs_material m = {.mu = .1 + .01 * k, .restitution = .5 + .004 * k, .rolling = .001 * k, .adhesion = 70 - k};
    m.static_mu = k % 3 == 0 ? m.mu + .2 : 0;
    m.across = k % 4 == 1 ? .3 : 0;
    m.stiffness = k % 5 == 2 ? 1e4 + k : 0;
    m.compliance = k % 5 == 2 ? 0 : 1e-7 * k;
    m.impact = k % 2 ? VS_IMPACT_MOREAU : VS_IMPACT_NEWTON;
    return m;
}

static void every_member_of_a_material_has_a_row(void **state) {
    (void)state;
    unsigned char covered[sizeof(vs_material)] = {0};
    for (int k = 0; k < vs_material_field_count(); k++) {
        const vs_material_field field = vs_material_field_at(k);
        assert_true(field.name && field.unit && field.text && field.pair);
        memset(covered + field.offset, 1, field.choices ? sizeof(int) : sizeof(double));
        if (field.over)
            memset(covered + field.table, 1, sizeof(vs_speed_table));
    }
    for (size_t k = 0, gap = 0; k < sizeof covered; k++) { // the compiler aligns doubles with less than 8 bytes
        gap = covered[k] ? 0 : gap + 1;
        if (gap >= sizeof(double))
            fail_msg("byte %zu of vs_material has no row in src/material/field.c", k);
    }
    assert_null(vs_material_field_at(-1).name);
    assert_null(vs_material_field_at(vs_material_field_count()).name);
}

static void values_outside_of_the_range_of_a_row_are_refused(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const vs_material normal = vs_material_default();
    assert_int_equal(vs_material_check(context, &normal, VS_TABLE_POINTS), VS_OK);
    for (int k = 0; k < vs_material_field_count(); k++) {
        const vs_material_field field = vs_material_field_at(k);
        const double bad[] = {-1, field.most + 1, NAN};
        for (int i = 0; i < (field.choices ? 2 : 3); i++) {
            vs_material material = normal;
            vs_material_set(&material, &field, bad[i]);
            assert_int_equal(vs_material_check(context, &material, VS_TABLE_POINTS), VS_ERROR_ARGUMENT);
            assert_non_null(strstr(vs_context_get_error_text(context), field.name));
        }
        if (field.over) {
            vs_material material = normal;
            *vs_material_table(&material, &field) = (vs_speed_table){1, {0}, {-1}};
            assert_int_equal(vs_material_check(context, &material, VS_TABLE_POINTS), VS_ERROR_ARGUMENT);
            assert_non_null(strstr(vs_context_get_error_text(context), field.name));
        }
    }
    end_context(context, &m);
}

// By hand, as docs/laws.md has it.
static void two_materials_combine_by_the_rules_of_the_table(void **state) {
    (void)state;
    const vs_material a = {.mu = .4,
                           .restitution = .2,
                           .rolling = .01,
                           .spinning = .003,
                           .adhesion = 5,
                           .static_mu = .6,
                           .weakening = 1e-3,
                           .compliance = 1e-6,
                           .coupling = VS_COUPLING_ELLIPTIC};
    const vs_material b = {.mu = .9,
                           .restitution = .7,
                           .rolling = .02,
                           .healing = 2,
                           .across = .1,
                           .compliance = 3e-6,
                           .impact = VS_IMPACT_MOREAU};
    vs_material pair, other;
    vs_material_combine(&a, &b, &pair);
    vs_material_combine(&b, &a, &other);
    assert_memory_equal(&pair, &other, sizeof pair);
    assert_close(pair.mu, .6, 1e-15);
    assert_close(pair.static_mu, sqrt(.6 * .9), 1e-15);
    assert_close(pair.across, sqrt(.4 * .1), 1e-15);
    assert_true(pair.restitution == .7 && pair.rolling == .02 && pair.spinning == .003 && pair.adhesion == 5);
    assert_true(pair.weakening == 1e-3 && pair.healing == 2 && pair.stribeck == 0);
    assert_close(pair.compliance, 4e-6, 1e-20);
    assert_true(pair.impact == VS_IMPACT_MOREAU && pair.coupling == VS_COUPLING_ELLIPTIC);

    const vs_material soft = {.mu = 1, .stiffness = 100, .hertz = 8}, softer = {.mu = 1, .stiffness = 300, .hertz = 8};
    vs_material_combine(&soft, &softer, &pair);
    assert_close(pair.stiffness, 75, 1e-12);
    assert_close(pair.hertz, 8 * pow(2, -1.5), 1e-14);
    vs_material_combine(&soft, &a, &pair);
    assert_true(pair.stiffness == 100 && pair.compliance == 0);
}

// More materials than have their pairs kept, some pairs set before and some after others were added.
static void a_world_gives_the_same_pairs_kept_or_not(void **state) {
    (void)state;
    enum { COUNT = 70 };
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = NULL;
    assert_int_equal(vs_world_create(context, NULL, &world), VS_OK);
    const vs_material own = {.mu = 2};
    assert_int_equal(vs_world_set_material_pair(world, 0, 0, &own), VS_OK); // before there is any material
    vs_material given[COUNT], expected, room;
    for (int k = 0; k < COUNT; k++) {
        given[k] = make_material(k);
        assert_int_equal(vs_world_add_material(world, &given[k], NULL, NULL), VS_OK);
        assert_int_equal(vs_world_set_material_pair(world, k, k / 2, &own), VS_OK);
    }
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < COUNT; b++) {
            vs_material_combine(&given[a], &given[b], &expected);
            if (b == a / 2 || a == b / 2)
                expected = own;
            const vs_material *found = vs_world_material_between(world, a, b, &room);
            assert_memory_equal(found, &expected, sizeof expected);
            assert_true(found == &room || found == vs_world_material_between(world, b, a, &room));
        }
    assert_true(vs_world_material_between(world, 3, 5, &room) != &room);
    vs_world_destroy(world);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_of_a_material_has_a_row),
        cmocka_unit_test(values_outside_of_the_range_of_a_row_are_refused),
        cmocka_unit_test(two_materials_combine_by_the_rules_of_the_table),
        cmocka_unit_test(a_world_gives_the_same_pairs_kept_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
