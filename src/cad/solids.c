// Solids of a drawing: triangles of one object that are connected by edges.
//
// Normals point outward afterwards: within a solid all triangles are turned like the first one, neighbours traverse their edge
// in opposite directions, and all are turned over if the volume is negative. Many drawings mix both directions. A surface inside a
// solid of the same object is a cavity of it then (cavities.c).
#include "base/disjoint_sets.h"
#include "cad/cad_data.h"

// ---- equal vertices --------------------------------------------------------------------------------

static vs_error merge_vertices(vs_drawing *d) {
    vs_arena scratch;
    vs_arena_init(&scratch, d->arena->context);
    int *first = VS_NEW(&scratch, int, d->soup.vertices);
    vs_error error =
        first ? vs_vertices_match(d->arena->context, d->soup.vertex, d->soup.vertices, first) : VS_ERROR_MEMORY;
    for (int64_t k = 0; k < 3 * (int64_t)d->soup.triangles && !error; k++)
        d->soup.index[k] = first[d->soup.index[k]];
    vs_arena_release(&scratch);
    return error;
}

// ---- connected triangles ---------------------------------------------------------------------------

// solid_of (triangles), numbers the solids; returns how many there are.
static int number_solids(int *parent, int triangles, int *solid_of) {
    int solids = 0;
    for (int k = 0; k < triangles; k++) // the root is the least of its triangles
        solid_of[k] = vs_sets_root(parent, k) == k ? solids++ : solid_of[vs_sets_root(parent, k)];
    return solids;
}

static void list_triangles(const int *solid_of, int triangles, vs_solids *s) {
    for (int k = 0; k <= s->solids; k++)
        s->start[k] = 0;
    for (int k = 0; k < triangles; k++)
        s->start[solid_of[k] + 1]++;
    for (int k = 0; k < s->solids; k++)
        s->start[k + 1] += s->start[k];
    for (int k = 0; k < triangles; k++) // each start moves to the end of its solid
        s->triangle[s->start[solid_of[k]]++] = k;
    for (int k = s->solids; k > 0; k--)
        s->start[k] = s->start[k - 1];
    s->start[0] = 0;
}

static vs_error connect(vs_drawing *d, const int *owner, vs_arena *scratch, vs_solids *s) {
    const int triangles = d->soup.triangles;
    int *parent = VS_NEW(scratch, int, triangles), *solid_of = VS_NEW(scratch, int, triangles);
    s->triangle = VS_NEW(d->arena, int, triangles);
    if (!parent || !solid_of || !s->triangle)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < triangles; k++)
        parent[k] = k;
    for (int k = 0; k < 3 * triangles; k++)
        if (s->partner[k] >= 0)
            (void)vs_sets_join(parent, k / 3, s->partner[k] / 3);
    s->solids = number_solids(parent, triangles, solid_of);
    s->start = VS_NEW(d->arena, int, (int64_t)s->solids + 1);
    s->object = VS_NEW(d->arena, int, s->solids);
    if (!s->start || !s->object)
        return VS_ERROR_MEMORY;
    list_triangles(solid_of, triangles, s);
    for (int k = 0; k < s->solids; k++)
        s->object[k] = owner[s->triangle[s->start[k]]];
    return VS_OK;
}

// ---- directions ------------------------------------------------------------------------------------

// Does the side of a triangle run from the lower to the higher vertex?
static bool runs_up(const vs_soup *soup, int side) {
    const int *corner = soup->index + 3 * (int64_t)(side / 3);
    return corner[side % 3] < corner[(side + 1) % 3];
}

// turned (triangles): -1 not reached yet, else whether the triangle must be turned to agree with the first of its solid.
static void agree(const vs_soup *soup, const int *partner, int first, signed char *turned, int *queue) {
    int end = 1;
    queue[0] = first;
    turned[first] = 0;
    for (int at = 0; at < end; at++)
        for (int k = 3 * queue[at]; k < 3 * queue[at] + 3; k++) {
            const int next = partner[k] / 3;
            if (partner[k] < 0 || turned[next] >= 0)
                continue;
            const bool same = runs_up(soup, k) == runs_up(soup, partner[k]);
            turned[next] = (signed char)(turned[queue[at]] ^ (int)same);
            queue[end++] = next;
        }
}

// Six times the volume, about the first corner.
static double volume_of(const vs_soup *soup, const vs_solids *s, int solid, const signed char *turned) {
    const vs_vec3 o = soup->vertex[soup->index[3 * (int64_t)s->triangle[s->start[solid]]]];
    double sum = 0;
    for (int k = s->start[solid]; k < s->start[solid + 1]; k++) {
        const int *corner = soup->index + 3 * (int64_t)s->triangle[k];
        const vs_vec3 a = vs_subtract(soup->vertex[corner[0]], o), b = vs_subtract(soup->vertex[corner[1]], o),
                      c = vs_subtract(soup->vertex[corner[2]], o);
        sum += (turned[s->triangle[k]] ? -1 : 1) * vs_dot(a, vs_cross(b, c));
    }
    return sum;
}

static vs_error orient(vs_drawing *d, vs_arena *scratch, const vs_solids *s) {
    const int triangles = d->soup.triangles;
    signed char *turned = VS_NEW(scratch, signed char, triangles);
    int *queue = VS_NEW(scratch, int, triangles);
    if (!turned || !queue)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < triangles; k++)
        turned[k] = -1;
    for (int k = 0; k < s->solids; k++) {
        agree(&d->soup, s->partner, s->triangle[s->start[k]], turned, queue);
        const bool over = volume_of(&d->soup, s, k, turned) < 0;
        for (int j = s->start[k]; j < s->start[k + 1]; j++)
            if ((turned[s->triangle[j]] == 1) != over)
                vs_triangle_turn_over(&d->soup, s->partner, s->triangle[j]);
    }
    return VS_OK;
}

// ---- all -------------------------------------------------------------------------------------------

static void spread_runs(const vs_drawing *d, int *owner) {
    for (int64_t r = 0; r < d->run.count; r++) {
        const int end = r + 1 < d->run.count ? d->run.data[r + 1].first : d->soup.triangles;
        for (int k = d->run.data[r].first; k < end; k++)
            owner[k] = d->run.data[r].object;
    }
}

// Triangles with a vertex twice, as at the poles of spheres, bound nothing.
static void drop_degenerate(vs_soup *soup, int *owner) {
    int kept = 0;
    for (int k = 0; k < soup->triangles; k++) {
        const int *corner = soup->index + 3 * (int64_t)k;
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
            continue;
        for (int i = 0; i < 3; i++)
            soup->index[3 * (int64_t)kept + i] = corner[i];
        owner[kept++] = owner[k];
    }
    soup->triangles = kept;
}

vs_error vs_solids_find(vs_drawing *d, vs_solids *solids) {
    vs_arena scratch;
    vs_arena_init(&scratch, d->arena->context);
    *solids = (vs_solids){0};
    int *owner = VS_NEW_ZERO(&scratch, int, d->soup.triangles);
    vs_error error = owner ? merge_vertices(d) : VS_ERROR_MEMORY;
    if (!error) {
        spread_runs(d, owner);
        drop_degenerate(&d->soup, owner);
        error = vs_edges_pair(d->arena, &d->soup, owner, &solids->partner);
    }
    if (!error)
        error = connect(d, owner, &scratch, solids);
    if (!error)
        error = orient(d, &scratch, solids);
    if (!error)
        error = vs_cavities_find(d, solids);
    vs_arena_release(&scratch);
    return error;
}
