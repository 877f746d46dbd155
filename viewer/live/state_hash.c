// Prints the hash of named scenes after some steps: equal hashes mean equal bits of all poses, velocities and impulses.
//
//     state_hash STEPS[,STEPS…] [SCENE…]     all named scenes without a name; one column for each number of steps
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "live.h"

enum { COLUMNS = 8 };

// Increasing numbers between commas; 0: this is no such list.
static int read_steps(const char *text, int steps[COLUMNS]) {
    int columns = 0;
    for (char *end = NULL; columns < COLUMNS; text = end + 1) {
        const long number = strtol(text, &end, 10);
        if (number <= (columns > 0 ? steps[columns - 1] : 0) || number > 1000000000)
            return 0;
        steps[columns++] = (int)number;
        if (*end != ',')
            return *end == '\0' ? columns : 0;
    }
    return 0;
}

static int run(const char *scene, const int *steps, int columns) {
    live *l = live_load(scene, NULL, 0);
    bool failed = !l;
    printf("%-24s", scene);
    for (int c = 0, k = 0; c < columns && !failed; c++) {
        for (; k < steps[c] && !failed; k++)
            failed = live_step(l) != 0;
        if (!failed)
            printf(" %s", live_hash(l));
    }
    printf("%s%s\n", failed ? " " : "", failed ? live_error() : "");
    (void)fflush(stdout);
    live_destroy(l);
    return failed;
}

int main(int argc, char **argv) {
    int steps[COLUMNS], failed = 0;
    const int columns = argc > 1 ? read_steps(argv[1], steps) : 0;
    if (columns == 0) {
        fputs("usage: state_hash STEPS[,STEPS...] [SCENE...]\n", stderr);
        return 1;
    }
    for (int k = 2; k < argc; k++)
        failed += run(argv[k], steps, columns);
    for (int k = 0; argc == 2 && k < live_scene_count(); k++)
        failed += run(live_scene_name(k), steps, columns);
    return failed ? 2 : 0;
}
