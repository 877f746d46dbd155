// Prints the hash of named scenes after some steps: equal hashes mean equal bits of all poses, velocities and impulses.
//
//     state_hash STEPS [SCENE…]     all named scenes without a name
#include <stdio.h>
#include <stdlib.h>

#include "live.h"

static int run(const char *scene, int steps) {
    live *l = live_load(scene, NULL, 0);
    int failed = !l;
    for (int k = 0; k < steps && !failed; k++)
        failed = live_step(l);
    if (failed)
        printf("%-24s %s\n", scene, live_error());
    else
        printf("%-24s %s\n", scene, live_hash(l));
    (void)fflush(stdout);
    live_destroy(l);
    return failed;
}

int main(int argc, char **argv) {
    const int steps = argc > 1 ? atoi(argv[1]) : 0;
    int failed = 0;
    if (steps <= 0) {
        fputs("usage: state_hash STEPS [SCENE...]\n", stderr);
        return 1;
    }
    for (int k = 2; k < argc; k++)
        failed += run(argv[k], steps) != 0;
    for (int k = 0; argc == 2 && k < live_scene_count(); k++)
        failed += run(live_scene_name(k), steps) != 0;
    return failed ? 2 : 0;
}
