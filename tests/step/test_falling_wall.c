// A wall that falls: its steps are solved from the warm start, by sweeps and a few factorizations of the proximal point
// method. The central path, which begins at rest, would leave impulses from which sweeps stall in the steps that follow.
#include "worlds.h"

enum { COURSES = 10, DOOR = COURSES / 2, STEPS = 36 };
static const double brick = .5, thickness = .25, height = .2, half_length = 1.5;

static void add_stone(rig *s, int course, double left, double right) {
    const vs_vec3 half = {(right - left) / 2, thickness / 2, height / 2};
    (void)add_box(s, half, 2000, (vs_vec3){(left + right) / 2, 0, height * (course + .5)}, (vs_vec3){0});
}

// The bricks of a course between two ends, in running bond.
static void add_course(rig *s, int course, double from, double to) {
    double left = from;
    while (left < to - .01) {
        double right = -half_length + (course % 2) * .5 * brick;
        while (right < left + .01)
            right += brick;
        right = fmin(right, to);
        add_stone(s, course, left, right);
        left = right;
    }
}

// Six bricks long, with a door two bricks wide under a lintel of four.
static void add_wall(rig *s) {
    for (int course = 0; course < COURSES; course++) {
        const double door = course < DOOR ? brick : course == DOOR ? 2 * brick : 0;
        add_course(s, course, -half_length, door > 0 ? -door : half_length);
        if (door > 0)
            add_course(s, course, door, half_length);
        if (course == DOOR)
            add_stone(s, course, -door, door);
    }
}

static void steps_take_few_factorizations(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .6, pi / 6, true);
    s.options.step = 1. / 240;
    s.options.solver.tolerance = 1e-6;
    add_wall(&s);
    start_rig(&s);
    int iterations = 0, factorizations = 0, contacts = 0;
    for (int k = 0; k < STEPS; k++) {
        vs_step_report report = take_step(&s);
        iterations += report.iterations;
        factorizations += report.factorizations;
        contacts = report.contacts;
    }
    print_message("  %d bricks, %d contacts; per step %.1f iterations, %.1f factorizations\n",
                  vs_world_get_body_count(s.world), contacts, (double)iterations / STEPS,
                  (double)factorizations / STEPS);
    assert_true(contacts > 400);
    // from the path: 176 and 17 per step
    assert_true(iterations <= 110 * STEPS && factorizations <= 5 * STEPS);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_take_few_factorizations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
