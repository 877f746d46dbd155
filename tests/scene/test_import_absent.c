// A build without libxml2 says so instead of importing.
#include "scenes.h"

static void imports_are_refused_with_the_reason(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_scene *scene = NULL;
    assert_int_equal(vs_scene_import(context, "robot.urdf", &scene), VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(context), "libxml2"));
    assert_int_equal(vs_scene_import_text(context, "", 0, NULL, &scene), VS_ERROR_UNSUPPORTED);
    assert_null(scene);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(imports_are_refused_with_the_reason)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
