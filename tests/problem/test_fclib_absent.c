// A build without HDF5 says so instead of failing to link or to explain.
#include "problems.h"

#include "voussoir/fclib.h"

static void every_call_is_unsupported_and_names_hdf5(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = NULL, *read = NULL;
    assert_int_equal(make_sample(context, &problem), VS_OK);
    assert_int_equal(vs_fclib_read(context, "file.hdf5", &read), VS_ERROR_UNSUPPORTED);
    assert_null(read);
    assert_non_null(strstr(vs_context_get_error_text(context), "HDF5"));
    assert_int_equal(vs_fclib_write("file.hdf5", problem, NULL), VS_ERROR_UNSUPPORTED);
    assert_int_equal(vs_fclib_read_solution("file.hdf5", problem, NULL, NULL, NULL, NULL), VS_ERROR_UNSUPPORTED);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_is_unsupported_and_names_hdf5)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
