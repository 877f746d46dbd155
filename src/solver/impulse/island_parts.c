// Connected parts of the groups: see island_parts.h. Two groups are coupled by a velocity that both act on, if H is the
// identity; by an entry of N in the local form; and all are by a general H.
#include "solver/impulse/island_parts.h"

#include "base/disjoint_sets.h"

// first: work (n)
static void join_by_velocities(const vs_scaled *problem, int groups, int *first, int *part) {
    for (int j = 0; j < problem->n; j++)
        first[j] = -1;
    for (int g = 0; g < groups; g++) {
        vs_jacobian J = vs_scaled_jacobian(problem, g);
        for (int k = 0, last = g; k < J.width; k++) {
            int *here = &first[J.col[k]];
            if (*here < 0)
                *here = g;
            else if (*here != last) // the other velocities of a body mostly have the same first group
                (void)vs_sets_join(part, g, last = *here);
        }
    }
}

// group_of: work (m)
static void join_by_entries(const vs_scaled *problem, int *group_of, int *part) {
    const vs_sparse *N = &problem->N;
    for (int g = 0; g < problem->cones; g++)
        for (int row = problem->row[g]; row < problem->row[g + 1]; row++)
            group_of[row] = g;
    for (int j = 0; j < N->cols; j++)
        for (int64_t t = N->p[j]; t < N->p[j + 1]; t++)
            (void)vs_sets_join(part, group_of[j], group_of[N->i[t]]);
}

// The roots of all groups become the numbers of the islands.
static int number_parts(int groups, int *part) {
    int count = 0;
    for (int g = 0; g < groups; g++)
        part[g] = vs_sets_root(part, g);
    // roots come before their members; numbers are kept apart from groups by their sign
    for (int g = 0; g < groups; g++)
        part[g] = part[g] == g ? -1 - count++ : part[part[g]];
    for (int g = 0; g < groups; g++)
        part[g] = -1 - part[g];
    return count;
}

vs_error vs_island_parts_find(const vs_scaled *problem, int *part, int *count) {
    int groups = problem->m_e + problem->cones;
    vs_arena scratch;
    vs_arena_init(&scratch, problem->problem->context);
    int *work = VS_NEW(&scratch, int, problem->local ? problem->m : problem->n);
    bool general = !problem->local && !problem->identity;
    for (int g = 0; g < groups; g++)
        part[g] = general ? 0 : g;
    if (work && problem->local)
        join_by_entries(problem, work, part);
    else if (work && problem->identity)
        join_by_velocities(problem, groups, work, part);
    *count = number_parts(groups, part);
    vs_error error = work ? VS_OK : VS_ERROR_MEMORY;
    vs_arena_release(&scratch);
    return error;
}
