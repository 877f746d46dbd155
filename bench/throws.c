// throws [--count 100000] [--first 0] [--verbose]
//
// Continuous collision: bodies of all kinds of shapes, 1 mm to 1 m large, thrown at walls of 1 mm at 0.1 to 10 000 m and up to
// 100 radians per step, each with one of the schemes moreau, shake and controlled accuracy. Prints how many ended behind the
// wall (bound: 0), by body and wall and by scheme, how many gained energy, how many jumped (a way within a step beyond that
// with the body's velocities, by more than its size), and how many steps were not solved by contacts alone. Exit code 1 if
// any ended behind the wall. Throw k is the same in any run: --first divides many over processes. Unclear are those where the
// wall turned so far within the step in which it was seen (ten turns; half a radian with controlled accuracy, where a step
// has parts) that no path is known from the poses before and after it.
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "kit/throws.h"

typedef struct tally {
    int64_t throws, tunnelled, unclear, held, swept, inaccurate, gained, jumped, problems;
} tally;

static bool gains(const throw_result *r) {
    return r->energy > 1 + 1e-6;
}

static bool jumps(const throw_result *r) {
    return r->jump > 1;
}

static void add(tally *t, const throw_result *r) {
    t->throws++;
    t->tunnelled += r->tunnelled;
    t->unclear += r->unclear;
    t->held += r->held > 0;
    t->swept += r->swept > 0;
    t->inaccurate += r->inaccurate > 0;
    t->gained += gains(r);
    t->jumped += jumps(r);
    t->problems += r->problems;
}

static bool is_notable(const throw_result *r) {
    return r->tunnelled || r->unclear || gains(r) || jumps(r) || r->held > 0 || r->inaccurate > 0;
}

static void describe(int64_t number, const throw_case *t, const throw_result *r) {
    printf("throw %lld: %s at %s, %.3g m, %.3g m and %.3g rad per step, mu %g, e %g, %s %.3g: ", (long long)number,
           throw_body_name[t->body], throw_wall_name[t->wall], t->size, t->speed, t->spin, t->mu, t->restitution,
           throw_method_name[t->method], t->accuracy);
    if (gains(r))
        printf("GAINED, energy %.9g of the first, ", r->energy);
    if (jumps(r))
        printf("JUMPED, by %.3g sizes, ", r->jump);
    printf("%s%d held, %d contacts, %d inaccurate\n",
           r->tunnelled ? "TUNNELLED, "
           : r->unclear ? "UNCLEAR, "
                        : "",
           r->held, r->swept, r->inaccurate);
}

static void print(const char *body, const char *wall, const tally *t) {
    printf("%-10s %-13s %8lld %9lld %7lld %8lld %8lld %10lld %8lld %8lld %9.1f\n", body, wall, (long long)t->throws,
           (long long)t->tunnelled, (long long)t->unclear, (long long)t->swept, (long long)t->held,
           (long long)t->inaccurate, (long long)t->gained, (long long)t->jumped,
           t->throws ? (double)t->problems / (double)(t->throws * THROW_STEPS) : 0);
}

int main(int argc, char **argv) {
    int64_t count = 100000, first = 0;
    bool verbose = false;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--count") == 0 && k + 1 < argc)
            count = atoll(argv[++k]);
        else if (strcmp(argv[k], "--first") == 0 && k + 1 < argc)
            first = atoll(argv[++k]);
        else if (strcmp(argv[k], "--verbose") == 0)
            verbose = true;
        else
            return fprintf(stderr, "usage: throws [--count 100000] [--first 0] [--verbose]\n"), 1;
    }
    vs_context *context = NULL;
    if (vs_context_create(NULL, &context))
        return 1;
    static tally by[THROW_BODIES][THROW_WALLS], with[THROW_METHODS];
    tally all = {0};
    const bench_time begin = bench_now();
    for (int64_t k = first; k < first + count; k++) {
        uint64_t seed;
        const throw_case t = throw_number(k, &seed);
        const throw_result r = throw_run(context, &t, seed);
        if (r.error) {
            printf("throw %lld: %s\n", (long long)k, vs_context_get_error_text(context));
            all.tunnelled++;
            continue;
        }
        if (verbose && is_notable(&r))
            describe(k, &t, &r);
        add(&by[t.body][t.wall], &r);
        add(&with[t.method], &r);
        add(&all, &r);
    }
    const bench_time end = bench_now();
    printf("body       wall            throws tunnelled unclear    swept     held inaccurate   gained   jumped  "
           "problems/step\n");
    for (int b = 0; b < THROW_BODIES; b++)
        for (int w = 0; w < THROW_WALLS; w++)
            print(throw_body_name[b], throw_wall_name[w], &by[b][w]);
    for (int k = 0; k < THROW_METHODS; k++)
        print(throw_method_name[k], "", &with[k]);
    print("all", "", &all);
    printf("%.1f s\n", end.wall - begin.wall);
    vs_context_destroy(context);
    return all.tunnelled > 0;
}
