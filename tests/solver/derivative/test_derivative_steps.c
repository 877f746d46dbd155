// Derivatives at captured steps of six scenes (tests/solver/data), which were not used while the derivatives were made: tangents
// against differences of problems solved again, and the transposition. Several have contacts at borders, impulses that redundancy
// leaves at zero: there the derivative is one of several, and only the transposition is compared. The gripper is solved to
// 4e-9 only: nothing is compared with differences of such solutions.
#include "solver/derivative/differences.h"
#include "voussoir/fclib.h"

// usage: test_derivative_steps [FILE.hdf5 …]        other captured steps than those of every run
static char **files;
static int file_count;

// Returns whether there was something to compare.
static bool check_file(void **state, const char *path, const char *name, uint64_t seed) {
    vs_problem *p = NULL;
    must(vs_fclib_read(context_of(state), path, &p), context_of(state));
    const matrix_check found = check_vectors(p, seed);
    print_message(
        "  %-16s error of the solution %.1e: %d contacts, %d at borders; %d unknowns, rank %d; residual %.1e; "
        "error %.1e, of velocities %.1e; transposition %.1e\n",
        name, found.report.measures.relative_error, p->contacts, found.report.borders, found.report.unknowns,
        found.report.rank, found.residual, found.error, found.velocity_error, found.transposed);
    assert_true(file_count > 0 || !found.solved || found.transposed <= 1e-12);
    const bool compared = found.solved && found.report.borders == 0;
    if (compared && file_count == 0)
        assert_true(found.velocity_error <= 1e-6);
    vs_problem_destroy(p);
    return compared;
}

static void captured_steps(void **state) {
    static const char *const names[] = {"brick-wall", "domino", "gripper", "hopper", "primitive-soup", "sphere-pile"};
    int compared = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names && file_count == 0; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.hdf5", VS_OWN_PROBLEMS, names[k]);
        compared += check_file(state, path, names[k], k);
    }
    for (int k = 0; k < file_count; k++)
        compared += check_file(state, files[k], files[k], (uint64_t)k);
    assert_true(compared >= 2);
}

int main(int argc, char **argv) {
    files = argv + 1, file_count = argc - 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(captured_steps, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
