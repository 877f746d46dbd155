// Contacts in eight lanes of single precision: each lane is one contact solved to their accuracy.
#define VS_LANES 8
#include "solver/splitting/lane_tests.h"

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lane_solves_its_contact),        cmocka_unit_test(lanes_do_not_know_each_other),
        cmocka_unit_test(lanes_project_as_the_cone_does),       cmocka_unit_test(rolling_lanes_come_to_their_solution),
        cmocka_unit_test(rolling_lanes_do_not_know_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
