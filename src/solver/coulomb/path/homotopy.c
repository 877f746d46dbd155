// Memory of the homotopies, and the progress on nearby problems: see homotopy.h.
#include "solver/coulomb/path/homotopy.h"

#include <math.h>

vs_error vs_homotopy_create(vs_homotopy *h, vs_islands *islands, const int *first, vs_central_path *path,
                            vs_arena *arena) {
    *h = (vs_homotopy){.islands = islands, .first = first, .path = path};
    h->l = VS_NEW_ZERO(arena, double, islands->most_rows);
    h->y = VS_NEW_ZERO(arena, double, islands->most_rows);
    h->kept = VS_NEW_ZERO(arena, double, islands->most_rows);
    h->mu = VS_NEW_ZERO(arena, double, islands->most_groups);
    h->soft = VS_NEW_ZERO(arena, double, first[islands->count]);
    h->softness = VS_NEW_ZERO(arena, double, islands->count);
    if (h->l && h->y && h->kept && h->mu && h->soft && h->softness)
        return VS_OK;
    *h = (vs_homotopy){0};
    return VS_ERROR_MEMORY;
}

vs_progress vs_homotopy_begin(const vs_homotopy *h, const vs_progress *progress, double tolerance) {
    vs_progress nearby = *progress;
    nearby.l = h->l;
    nearby.y = h->y;
    nearby.error = INFINITY;
    nearby.tolerance = fmax(tolerance, progress->tolerance);
    return nearby;
}

vs_stage_end vs_homotopy_end(const vs_progress *nearby, vs_progress *progress, vs_stage_end outcome) {
    progress->iterations = nearby->iterations;
    progress->stopped = nearby->stopped;
    progress->failure = nearby->failure;
    return nearby->stopped ? VS_STAGE_STOPPED : outcome;
}
