// Which islands are large and granular: see granular.h.
#include "problem/granular.h"

static const double LARGE = 1000, LEAST = 300, MOST_DISORDERED = 4, MOST_PER_BODY = 8, MOST_PER_PAIR = 3,
                    LEAST_SINGLE = 0.1, MOST_FACES = 1.8;
enum { VELOCITIES = 6, FACE = 3 }; // of a rigid body; contacts of a pair that touches with faces

// Numbers of an island.
enum { CONTACTS, PAIRS, SINGLE, FACES, ENTRIES, COUPLED, PARTS };

// Does contact i act on the same bodies as the one before it? Contacts of a pair are neighbours; bodies that do not move are
// not told apart.
static bool is_same_pair(const vs_rows *D, int i) {
    const int64_t a = D->start[i - 1], b = D->start[i], end = D->start[i + 1];
    bool same = b - a == end - b;
    for (int64_t k = 0; k < end - b && same; k++)
        same = D->col[a + k] == D->col[b + k];
    return same;
}

static void add_up(const vs_island_map *map, const vs_problem *p, double *sum) {
    int of_pair = 0; // contacts of the present pair so far
    for (int i = 0; i < p->contacts; i++) {
        double *of = sum + PARTS * (int64_t)map->contact[i];
        const bool counts = p->kind[i] != VS_CONE_BOX;
        of_pair = !counts ? 0 : of_pair > 0 && is_same_pair(&p->D, i) ? of_pair + 1 : 1;
        if (!counts)
            continue;
        of[CONTACTS]++;
        of[PAIRS] += of_pair == 1;
        of[SINGLE] += of_pair == 1 ? 1 : of_pair == 2 ? -1 : 0;
        of[FACES] += of_pair == FACE;
    }
    for (int j = 0; j < vs_space_owned(p->space, p->n); j++) {
        if (map->entry[j] == VS_NO_ISLAND)
            continue;
        sum[PARTS * (int64_t)map->entry[j] + ENTRIES]++;
        sum[PARTS * (int64_t)map->entry[j] + COUPLED] += !p->block_diagonal;
    }
}

static bool is_granular(const double *of) {
    const double bodies = of[ENTRIES] / VELOCITIES;
    const bool few = of[CONTACTS] < MOST_PER_BODY * bodies && of[CONTACTS] < MOST_PER_PAIR * of[PAIRS],
               points = of[SINGLE] >= LEAST_SINGLE * of[PAIRS] && of[FACES] < MOST_FACES * bodies;
    const bool many = of[CONTACTS] >= LARGE || (of[CONTACTS] >= LEAST && of[CONTACTS] < MOST_DISORDERED * bodies);
    return many && of[COUPLED] == 0 && (few || points);
}

static void decide(vs_island_map *map, const vs_problem *problem, double *sum) {
    const vs_space *space = problem->space;
    double total[2] = {0};
    if (!problem->local)
        add_up(map, problem, sum);
    vs_island_map_sum(map, space, PARTS, sum);
    for (int k = 0; k < map->count; k++) {
        const double *of = sum + PARTS * (int64_t)k;
        map->granular[k] = is_granular(of);
        if (map->granular[k] && vs_island_map_counts(map, space, k)) {
            total[0]++;
            total[1] += of[CONTACTS];
        }
    }
    vs_space_sums(space, 2, total);
    map->granular_islands = total[0], map->granular_contacts = total[1];
}

vs_error vs_granular_find(vs_island_map *map, const vs_problem *problem, vs_arena *arena) {
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    double *sum = VS_NEW_ZERO(&scratch, double, PARTS *(int64_t)map->count);
    map->granular = VS_NEW_ZERO(arena, bool, map->count);
    const bool failed = vs_space_any(problem->space, !sum || !map->granular);
    if (!failed)
        decide(map, problem, sum);
    vs_arena_release(&scratch);
    return failed ? VS_ERROR_MEMORY : VS_OK;
}
