// Recursive bisection over all ranks at once: no rank knows the positions of others' bodies. A level of the tree costs
// some dozens of sums of as many numbers as it has cuts.
#include "mpi/regions.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { HALVINGS = 52, DONE = -1 }; // halvings of an interval: to the last bit of a double

// Bodies often are in layers, which no axis-aligned plane halves: cuts are slightly tilted.
static const double LEAN = .0137, LEAN_MORE = .0071;

// Ranks low … high - 1 with their bodies.
typedef struct part {
    int low, high;
    vs_vec3 normal;
    double below, above;   // the cut is between,
    double least, most;    // with this much weight below them
    double weight, wanted; // total, and below the cut
} part;

// State of a level of the tree.
typedef struct level {
    vs_regions *regions;
    int count;
    const vs_vec3 *position;
    const double *weight;
    int *part_of; // (count)
    int parts;
    part *part;  // (ranks)
    double *sum; // (6 ranks)
} level;

static int middle_of(const part *p) {
    return p->low + (p->high - p->low) / 2;
}

static vs_vec3 across(const double extent[3]) {
    if (extent[0] >= extent[1] && extent[0] >= extent[2])
        return (vs_vec3){1, LEAN, LEAN_MORE};
    return extent[1] >= extent[2] ? (vs_vec3){LEAN_MORE, 1, LEAN} : (vs_vec3){LEAN, LEAN_MORE, 1};
}

// Normals across the longest extents.
static void choose_normals(level *l) {
    for (int k = 0; k < 6 * l->parts; k++)
        l->sum[k] = -INFINITY;
    for (int k = 0; k < l->count; k++) {
        if (l->part_of[k] == DONE)
            continue;
        double *most = l->sum + 6 * (int64_t)l->part_of[k];
        const vs_vec3 x = l->position[k];
        const double all[6] = {x.x, x.y, x.z, -x.x, -x.y, -x.z};
        for (int i = 0; i < 6; i++)
            most[i] = fmax(most[i], all[i]);
    }
    MPI_Allreduce(MPI_IN_PLACE, l->sum, 6 * l->parts, MPI_DOUBLE, MPI_MAX, l->regions->comm);
    for (int k = 0; k < l->parts; k++) {
        const double *most = l->sum + 6 * (int64_t)k;
        const double extent[3] = {most[0] + most[3], most[1] + most[4], most[2] + most[5]};
        l->part[k].normal = across(extent);
    }
}

// Extent of the bodies of each part along its normal, and their weight.
static void find_intervals(level *l) {
    for (int k = 0; k < 2 * l->parts; k++)
        l->sum[k] = -INFINITY;
    for (int k = 0; k < l->parts; k++)
        l->part[k].weight = 0;
    for (int k = 0; k < l->count; k++) {
        if (l->part_of[k] == DONE)
            continue;
        part *p = &l->part[l->part_of[k]];
        const double x = vs_dot(p->normal, l->position[k]);
        double *most = l->sum + 2 * (int64_t)l->part_of[k];
        most[0] = fmax(most[0], -x), most[1] = fmax(most[1], x);
        p->weight += l->weight[k];
    }
    MPI_Allreduce(MPI_IN_PLACE, l->sum, 2 * l->parts, MPI_DOUBLE, MPI_MAX, l->regions->comm);
    for (int k = 0; k < l->parts; k++) {
        part *p = &l->part[k];
        p->below = -l->sum[2 * (int64_t)k];
        p->above = nextafter(l->sum[2 * (int64_t)k + 1], INFINITY);
        p->least = 0;
    }
    for (int k = 0; k < l->parts; k++)
        l->sum[k] = l->part[k].weight;
    MPI_Allreduce(MPI_IN_PLACE, l->sum, l->parts, MPI_DOUBLE, MPI_SUM, l->regions->comm);
    for (int k = 0; k < l->parts; k++) {
        part *p = &l->part[k];
        p->weight = p->most = l->sum[k];
        p->wanted = p->weight * (middle_of(p) - p->low) / (p->high - p->low) * (1 - 1e-12);
    }
}

// Bisects the intervals until at most one body is between their ends; less than wanted is below `below`.
static void find_cuts(level *l) {
    for (int halving = 0; halving < HALVINGS; halving++) {
        memset(l->sum, 0, sizeof(double) * (size_t)l->parts);
        for (int k = 0; k < l->count; k++) {
            if (l->part_of[k] == DONE)
                continue;
            const part *p = &l->part[l->part_of[k]];
            if (vs_dot(p->normal, l->position[k]) < .5 * (p->below + p->above))
                l->sum[l->part_of[k]] += l->weight[k];
        }
        MPI_Allreduce(MPI_IN_PLACE, l->sum, l->parts, MPI_DOUBLE, MPI_SUM, l->regions->comm);
        for (int k = 0; k < l->parts; k++) {
            part *p = &l->part[k];
            const bool enough = l->sum[k] >= p->wanted;
            *(enough ? &p->above : &p->below) = .5 * (p->below + p->above);
            *(enough ? &p->most : &p->least) = l->sum[k];
        }
    }
    // Bodies left in between are at one position, like jointed ones: they go to the side with the better balance.
    for (int k = 0; k < l->parts; k++) {
        part *p = &l->part[k];
        if (p->wanted - p->least < p->most - p->wanted && p->least > 0)
            p->above = p->below;
        l->regions->cut[middle_of(p)] = (vs_region_cut){p->normal, p->above};
    }
}

// Splits the parts; those of one rank are done.
static void split(level *l, part *next, int *number) {
    int parts = 0;
    for (int k = 0; k < l->parts; k++) {
        const int low = l->part[k].low, middle = middle_of(&l->part[k]), high = l->part[k].high;
        number[2 * k] = number[2 * k + 1] = DONE;
        if (middle - low > 1) {
            next[parts] = (part){.low = low, .high = middle};
            number[2 * k] = parts++;
        }
        if (high - middle > 1) {
            next[parts] = (part){.low = middle, .high = high};
            number[2 * k + 1] = parts++;
        }
    }
    for (int k = 0; k < l->count; k++)
        if (l->part_of[k] != DONE) {
            const part *p = &l->part[l->part_of[k]];
            const bool right = !(vs_dot(p->normal, l->position[k]) < p->above);
            l->part_of[k] = number[2 * l->part_of[k] + right];
        }
    memcpy(l->part, next, sizeof *next * (size_t)parts);
    l->parts = parts;
}

vs_error vs_regions_create(vs_regions *regions, MPI_Comm comm, vs_arena *arena) {
    *regions = (vs_regions){.comm = comm};
    MPI_Comm_size(comm, &regions->ranks);
    regions->cut = VS_NEW_ZERO(arena, vs_region_cut, regions->ranks);
    return regions->cut ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_regions_balance(vs_regions *regions, int count, const vs_vec3 *position, const double *weight,
                            vs_arena *arena) {
    const int ranks = regions->ranks;
    level l = {.regions = regions, .count = count, .position = position, .weight = weight, .parts = ranks > 1};
    l.part_of = VS_NEW_ZERO(arena, int, count);
    l.part = VS_NEW_ZERO(arena, part, ranks);
    l.sum = VS_NEW(arena, double, 6 * (int64_t)ranks);
    part *next = VS_NEW(arena, part, ranks);
    int *number = VS_NEW(arena, int, 2 * (int64_t)ranks);
    int failed = !l.part_of || !l.part || !l.sum || !next || !number;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, regions->comm);
    if (failed)
        return VS_ERROR_MEMORY;
    l.part[0] = (part){.low = 0, .high = ranks};
    while (l.parts > 0) {
        choose_normals(&l);
        find_intervals(&l);
        find_cuts(&l);
        split(&l, next, number);
    }
    return VS_OK;
}

int vs_regions_find(const vs_regions *regions, vs_vec3 position, int now, double margin) {
    int low = 0, high = regions->ranks;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        const vs_region_cut *cut = &regions->cut[middle];
        const double stays = now >= low && now < middle ? margin : now >= middle && now < high ? -margin : 0;
        *(vs_dot(cut->normal, position) < cut->at + stays ? &high : &low) = middle;
    }
    return low;
}
