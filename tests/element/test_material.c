// Materials: the library is valid, and wrong values are named.
#include "numbers.h"
#include "kit/fixture.h"

#include "element/material.h"

static void test_library_is_valid_and_found_by_name(void **state) {
    assert_true(vs_elastic_material_count() >= 10);
    for (int k = 0; k < vs_elastic_material_count(); k++) {
        const vs_elastic_material material = vs_elastic_material_at(k);
        assert_int_equal(vs_elastic_material_validate(context_of(state), &material), VS_OK);
        assert_string_equal(vs_elastic_material_find(material.name)->name, material.name);
        // A slip of a power of ten shows in the speed of sound, sqrt(E/rho): 45 m/s (foam) … 6 km/s for all solids.
        double speed = sqrt(material.young / material.density);
        assert_true(speed > 25 && speed < 6000);
    }
    assert_null(vs_elastic_material_at(-1).name);
    assert_null(vs_elastic_material_at(vs_elastic_material_count()).name);
    assert_null(vs_elastic_material_find("unobtainium"));
    assert_null(vs_elastic_material_find(NULL));
    const vs_elastic_material *steel = vs_elastic_material_find("steel");
    assert_relative(steel->young, 210e9, 0);
    assert_relative(vs_shear_modulus(steel), 80.769e9, 1e-4); // E/(2 (1 + nu)), tables print 81 GPa
}

static void test_wrong_values_are_named(void **state) {
    const vs_elastic_material good = *vs_elastic_material_find("rubber");
    struct {
        size_t field;
        double value;
        const char *word;
    } wrong[] = {
        {offsetof(vs_elastic_material, density), 0, "density"},
        {offsetof(vs_elastic_material, density), NAN, "density"},
        {offsetof(vs_elastic_material, young), -1, "Young"},
        {offsetof(vs_elastic_material, young), INFINITY, "Young"},
        {offsetof(vs_elastic_material, poisson), .5, "Poisson"},
        {offsetof(vs_elastic_material, poisson), -1, "Poisson"},
        {offsetof(vs_elastic_material, poisson), NAN, "Poisson"},
        {offsetof(vs_elastic_material, alpha), -1e-9, "alpha"},
        {offsetof(vs_elastic_material, beta), INFINITY, "beta"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        vs_elastic_material m = good;
        memcpy((char *)&m + wrong[k].field, &wrong[k].value, sizeof(double));
        assert_int_equal(vs_elastic_material_validate(context_of(state), &m), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_get_error_text(context_of(state)), wrong[k].word));
        assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "rubber"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library_is_valid_and_found_by_name),
        cmocka_unit_test(test_wrong_values_are_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
