// Cavities: closed surfaces inside a solid of the same object.
//
// Shells of one object do not cross each other, so that the number of other shells around a shell, its depth, tells what it is:
// even, the outside of a solid; odd, a cavity of the least shell around it, whichever way its triangles faced. As a body it
// would be one inside matter. Two shells that coincide, a cavity and the body that fills it, count as one inside the other.
#include "cad/cad_data.h"

#include <math.h>
#include <stdlib.h>

static const double INWARD = 1e-6; // of a shell's size: from its surface to a point inside of it
enum { PROBES = 9 };               // such points of a shell that must be inside another one

// A closed surface with its normals outward.
typedef struct shell {
    int solid;
    vs_box3 box;
    double volume;         // m^3
    bool closed;           //
    vs_triangles *surface; // made when it is needed
    int depth, parent;     // shells around it, the least of them
} shell;

typedef struct nest {
    vs_drawing *d;
    vs_solids *s;
    vs_arena scratch;
    shell *shell;   // (solids)
    double *volume; // (solids)
    int axis;       // of the largest extent, 0 … 2
} nest;

// ---- shells ----------------------------------------------------------------------------------------

static void widen(vs_box3 *box, vs_vec3 v) {
    box->low = (vs_vec3){fmin(box->low.x, v.x), fmin(box->low.y, v.y), fmin(box->low.z, v.z)};
    box->high = (vs_vec3){fmax(box->high.x, v.x), fmax(box->high.y, v.y), fmax(box->high.z, v.z)};
}

static shell look_at(const nest *n, int solid) {
    const vs_soup *soup = &n->d->soup;
    shell h = {.solid = solid, .closed = true, .parent = -1};
    const vs_vec3 o = soup->vertex[soup->index[3 * (int64_t)n->s->triangle[n->s->start[solid]]]];
    h.box = (vs_box3){o, o};
    for (int k = n->s->start[solid]; k < n->s->start[solid + 1]; k++) {
        const int64_t first = 3 * (int64_t)n->s->triangle[k];
        vs_vec3 v[3];
        for (int i = 0; i < 3; i++) {
            v[i] = soup->vertex[soup->index[first + i]];
            widen(&h.box, v[i]);
            h.closed = h.closed && n->s->partner[first + i] >= 0;
            v[i] = vs_subtract(v[i], o);
        }
        h.volume += vs_dot(v[0], vs_cross(v[1], v[2])) / 6;
    }
    return h;
}

// The triangles of a shell with a tree; null: degenerate, or no memory.
static vs_triangles *surface_of(nest *n, shell *h) {
    const int first = n->s->start[h->solid], triangles = n->s->start[h->solid + 1] - first;
    const vs_soup *soup = &n->d->soup;
    vs_vec3 *vertex = VS_NEW(&n->scratch, vs_vec3, 3 * (int64_t)triangles);
    int *index = VS_NEW(&n->scratch, int, 3 * (int64_t)triangles), count = 0;
    vs_triangles *made = VS_NEW(&n->scratch, vs_triangles, 1);
    if (!vertex || !index || !made)
        return NULL;
    for (int k = 0; k < triangles; k++) {
        const int *corner = soup->index + 3 * (int64_t)n->s->triangle[first + k];
        if (!vs_triangle_has_area(soup->vertex[corner[0]], soup->vertex[corner[1]], soup->vertex[corner[2]]))
            continue;
        for (int i = 0; i < 3; i++, count++) {
            vertex[count] = soup->vertex[corner[i]];
            index[count] = count;
        }
    }
    return vs_triangles_mesh(&n->scratch, vertex, count, index, count / 3, made) == VS_OK ? made : NULL;
}

// ---- nesting ---------------------------------------------------------------------------------------

static bool box_holds(const vs_box3 *outer, const vs_box3 *inner) {
    return outer->low.x <= inner->low.x && outer->low.y <= inner->low.y && outer->low.z <= inner->low.z &&
           outer->high.x >= inner->high.x && outer->high.y >= inner->high.y && outer->high.z >= inner->high.z;
}

// A point just inside of a triangle of the shell.
static vs_vec3 probe(const nest *n, const shell *h, int triangle) {
    const vs_soup *soup = &n->d->soup;
    const int *corner = soup->index + 3 * (int64_t)triangle;
    const vs_vec3 a = soup->vertex[corner[0]], b = soup->vertex[corner[1]], c = soup->vertex[corner[2]];
    const vs_vec3 normal = vs_normalize(vs_cross(vs_subtract(b, a), vs_subtract(c, a)));
    const double size = vs_length(vs_subtract(h->box.high, h->box.low));
    return vs_add_scaled(vs_scale(1. / 3, vs_add(a, vs_add(b, c))), -INWARD * size, normal);
}

static bool is_inside(nest *n, const shell *inner, shell *outer) {
    const bool smaller =
        inner->volume < outer->volume || (inner->volume == outer->volume && inner->solid > outer->solid);
    if (!smaller || !box_holds(&outer->box, &inner->box))
        return false;
    if (!outer->surface)
        outer->surface = surface_of(n, outer);
    if (!outer->surface || !outer->surface->surface.closed)
        return false;
    const int first = n->s->start[inner->solid], count = n->s->start[inner->solid + 1] - first;
    for (int k = 0; k < PROBES && k < count; k++) {
        const int at = (int)((int64_t)k * count / (count < PROBES ? count : PROBES));
        if (!vs_triangles_contain(outer->surface, probe(n, inner, n->s->triangle[first + at])))
            return false;
    }
    return true;
}

static void compare_pair(nest *n, shell *a, shell *b) {
    shell *pair[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        shell *inner = pair[k], *outer = pair[1 - k];
        if (!is_inside(n, inner, outer))
            continue;
        inner->depth++;
        if (inner->parent < 0 || outer->volume < n->volume[inner->parent])
            inner->parent = outer->solid;
    }
}

static double along(vs_vec3 v, int axis) {
    return vs_component(v, axis);
}

typedef struct place {
    int object, shell;
    double low; // along the axis
} place;

static int compare(const void *a, const void *b) {
    const place *p = a, *q = b;
    if (p->object != q->object)
        return p->object < q->object ? -1 : 1;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->shell > q->shell) - (p->shell < q->shell);
}

// All pairs of closed shells of one object whose extents along the axis overlap.
static vs_error find_pairs(nest *n) {
    const int solids = n->s->solids;
    place *order = VS_NEW(&n->scratch, place, solids);
    int *active = VS_NEW(&n->scratch, int, solids), actives = 0, object = -1;
    if (!order || !active)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < solids; k++)
        order[k] = (place){n->s->object[k], k, along(n->shell[k].box.low, n->axis)};
    qsort(order, (size_t)solids, sizeof *order, compare);
    for (int k = 0; k < solids; k++) {
        shell *here = &n->shell[order[k].shell];
        int kept = 0;
        if (order[k].object != object)
            actives = 0;
        object = order[k].object;
        if (!here->closed)
            continue;
        for (int i = 0; i < actives; i++) {
            shell *other = &n->shell[active[i]];
            if (along(other->box.high, n->axis) < order[k].low)
                continue;
            active[kept++] = active[i];
            compare_pair(n, here, other);
        }
        actives = kept;
        active[actives++] = order[k].shell;
    }
    return VS_OK;
}

// ---- merging ---------------------------------------------------------------------------------------

// Lists the triangles of the solids again, with those of their cavities turned over. into (solids): where each goes.
static vs_error merge(nest *n, const int *into, int kept) {
    vs_solids *s = n->s, old = *s;
    const int triangles = old.start[old.solids];
    int *owner = VS_NEW(&n->scratch, int, n->d->soup.triangles);
    s->triangle = VS_NEW(n->d->arena, int, triangles);
    s->start = VS_NEW_ZERO(n->d->arena, int, (int64_t)kept + 1);
    s->object = VS_NEW(n->d->arena, int, kept);
    s->cavities = VS_NEW_ZERO(n->d->arena, int, kept);
    if (!owner || !s->triangle || !s->start || !s->object || !s->cavities)
        return VS_ERROR_MEMORY;
    s->solids = kept;
    for (int k = 0; k < old.solids; k++) {
        const bool cavity = n->shell[k].depth % 2 == 1;
        s->cavities[into[k]] += cavity;
        s->object[into[k]] = old.object[k];
        s->start[into[k] + 1] += old.start[k + 1] - old.start[k];
        for (int j = old.start[k]; j < old.start[k + 1]; j++) {
            owner[old.triangle[j]] = into[k];
            if (cavity)
                vs_triangle_turn_over(&n->d->soup, s->partner, old.triangle[j]);
        }
    }
    for (int k = 0; k < kept; k++)
        s->start[k + 1] += s->start[k];
    for (int k = 0; k < n->d->soup.triangles; k++) // each start moves to the end of its solid
        s->triangle[s->start[owner[k]]++] = k;
    for (int k = kept; k > 0; k--)
        s->start[k] = s->start[k - 1];
    s->start[0] = 0;
    return VS_OK;
}

static vs_error number_solids(nest *n) {
    const int solids = n->s->solids;
    int *into = VS_NEW(&n->scratch, int, solids), kept = 0;
    if (!into)
        return VS_ERROR_MEMORY;
    // A parent that is itself a cavity: shells cross each other; both remain bodies.
    for (int k = 0; k < solids; k++)
        if (n->shell[k].depth % 2 == 1 && n->shell[n->shell[k].parent].depth % 2 == 1)
            n->shell[k].depth++;
    for (int k = 0; k < solids; k++)
        if (n->shell[k].depth % 2 == 0)
            into[k] = kept++;
    for (int k = 0; k < solids; k++)
        if (n->shell[k].depth % 2 == 1)
            into[k] = into[n->shell[k].parent];
    return merge(n, into, kept);
}

vs_error vs_cavities_find(vs_drawing *d, vs_solids *solids) {
    nest n = {.d = d, .s = solids};
    vs_arena_init(&n.scratch, d->arena->context);
    n.shell = VS_NEW(&n.scratch, shell, solids->solids);
    n.volume = VS_NEW(&n.scratch, double, solids->solids);
    solids->cavities = VS_NEW_ZERO(d->arena, int, solids->solids);
    vs_error error = n.shell && n.volume && solids->cavities ? VS_OK : VS_ERROR_MEMORY;
    vs_box3 all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < solids->solids && !error; k++) {
        n.shell[k] = look_at(&n, k);
        n.volume[k] = n.shell[k].volume;
        widen(&all, n.shell[k].box.low);
        widen(&all, n.shell[k].box.high);
    }
    const vs_vec3 size = vs_subtract(all.high, all.low);
    n.axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    if (!error)
        error = find_pairs(&n);
    bool any = false;
    for (int k = 0; k < solids->solids && !error; k++)
        any = any || n.shell[k].depth > 0;
    if (any && !error)
        error = number_solids(&n);
    vs_arena_release(&n.scratch);
    return error;
}
