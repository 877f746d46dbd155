// budgets [--count 1000] [--first 0] [--verbose]
//
// Random small scenes under random budgets: piles, silos, walls, mechanisms, with 10 us to 50 ms or 1 to 100 iterations
// per contact problem. Prints for each scene how deep bodies sank and how much energy appeared, and how many runs are
// beyond the bounds: a fifth of the smallest body's size, and the energy that lifts all bodies by that much. Exit code 1
// if any is.
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "kit/budgets.h"

static const double DEPTH = .2, EXCESS = .2;

typedef struct tally {
    int runs, deep, gained, limited, untouched;
    double depth, excess;
} tally;

static bool add(tally *t, const budget_result *r) {
    const bool deep = !(r->depth <= DEPTH), gained = !(r->excess <= EXCESS);
    t->runs++;
    t->deep += deep, t->gained += gained;
    t->limited += r->limited, t->untouched += r->untouched;
    t->depth = fmax(t->depth, r->depth), t->excess = fmax(t->excess, r->excess);
    return deep || gained;
}

static void print(const char *name, const tally *t) {
    printf("%-16s %5d %5d %7d %9d %9d %10.2e %10.2e\n", name, t->runs, t->deep, t->gained, t->limited, t->untouched,
           t->depth, t->excess);
}

int main(int argc, char **argv) {
    int count = 1000, first = 0;
    bool verbose = false;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--count") == 0 && k + 1 < argc)
            count = atoi(argv[++k]);
        else if (strcmp(argv[k], "--first") == 0 && k + 1 < argc)
            first = atoi(argv[++k]);
        else if (strcmp(argv[k], "--verbose") == 0)
            verbose = true;
        else
            return fprintf(stderr, "usage: budgets [--count 1000] [--first 0] [--verbose]\n"), 1;
    }
    vs_context *context = NULL;
    if (vs_context_create(NULL, &context))
        return 1;
    static tally by[BUDGET_SCENES];
    tally all = {0};
    for (int k = first; k < first + count; k++) {
        const budget_case c = budget_number(k, true);
        const budget_result r = budget_run(context, &c);
        if (r.error)
            printf("run %d: %s\n", k, vs_context_get_error_text(context)), all.deep++;
        (void)add(&all, &r);
        if (add(&by[c.scene], &r) || verbose)
            printf("run %d: %s %d, %s, tolerance %g, %g s or %d iterations: depth %.3g, energy %.3g, %d of %d steps "
                   "limited\n",
                   k, budget_scenes[c.scene].name, c.count, vs_model_name(c.model), c.tolerance, c.seconds,
                   c.iterations, r.depth, r.excess, r.limited, c.steps);
    }
    printf("scene             runs  deep  gained   limited untouched      depth     energy\n");
    for (int k = 0; k < BUDGET_SCENES; k++)
        print(budget_scenes[k].name, &by[k]);
    print("all", &all);
    vs_context_destroy(context);
    return all.deep + all.gained > 0;
}
