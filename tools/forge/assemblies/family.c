// The table of families, and several structures in one assembly.
#include "family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 6.283185307179586;

static const struct {
    const char *name;
    void (*draw)(draft *d); // null: several structures
    double share;
} FAMILY[] = {
    {"tower", draw_tower, 18},  {"slope", draw_slope, 10},  {"drums", draw_drums, 8},   {"plate", draw_plate, 9},
    {"lean", draw_lean, 6},     {"groove", draw_groove, 4}, {"roll", draw_roll, 5},     {"courses", draw_courses, 10},
    {"jam", draw_jam, 5},       {"arch", draw_arch, 5},     {"buried", draw_buried, 3}, {"floating", draw_floating, 3},
    {"driven", draw_driven, 2}, {"loaded", draw_loaded, 4}, {"islands", NULL, 12},
};
enum { FAMILIES = sizeof FAMILY / sizeof FAMILY[0], CLOSED = 4, MOST_STRUCTURES = 4 };

int family_count(void) {
    return FAMILIES;
}

const char *family_name(int family) {
    return FAMILY[family].name;
}

static int draw_family(stream *random) {
    double sum = 0, at;
    for (int k = 0; k < FAMILIES; k++)
        sum += FAMILY[k].share;
    at = draw_uniform(random, 0, sum);
    for (int k = 0; k < FAMILIES; k++) {
        at -= FAMILY[k].share;
        if (at < 0)
            return k;
    }
    return FAMILIES - 1;
}

static double draw_scale(stream *random) {
    return draw_chance(random, .5) ? 1 : draw_decades(random, -6, 4);
}

static double draw_friction(stream *random) {
    return draw_chance(random, .1)   ? 0
           : draw_chance(random, .1) ? draw_decades(random, -9, 3)
                                     : draw_uniform(random, .05, 1.2);
}

// A structure joins what is known of the assembly.
static void join(assembly *a, const draft *d) {
    const bool first = d->first == 0;
    const forge_truth both[2] = {a->truth, d->truth};
    const forge_truth order[] = {TRUTH_NONE, TRUTH_FALLS, TRUTH_MOVES, TRUTH_UNKNOWN, TRUTH_STANDS};
    a->factor = first ? d->factor : fmin(a->factor, d->factor) + 0 * (a->factor + d->factor); // NaN if either is
    a->factor_guard = fmax(first ? 0 : a->factor_guard, d->factor_guard);
    a->truth = d->truth;
    for (int k = 0; k < 5 && !first; k++)
        if (both[0] == order[k] || both[1] == order[k]) {
            a->truth = order[k];
            return;
        }
}

static void draw_structure(stream *random, assembly *a, int family, double scale, const double position[3]) {
    const bool alone = strcmp(a->family, FAMILY[family].name) == 0;
    const double z[3] = {0, 0, 1};
    draft d = {.assembly = a,
               .random = random,
               .first = a->solids,
               .material = a->materials++,
               .alone = alone,
               .scale = scale,
               .factor = NAN};
    a->mu[d.material] = draw_friction(random);
    d.mass = draw_chance(random, .6) ? 1 : draw_decades(random, -6, 6);
    memcpy(d.position, position, sizeof d.position);
    set_rotation(d.rotation, z, draw_chance(random, .5) ? 0 : draw_uniform(random, 0, TURN));
    FAMILY[family].draw(&d);
    place(&d);
    join(a, &d);
}

static int compare(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

// Structures side by side, the smaller ones first: those after them are far from the origin.
static void draw_islands(stream *random, assembly *a, double position[3]) {
    double scale[MOST_STRUCTURES];
    const int count = 2 + draw_below(random, MOST_STRUCTURES - 1);
    const bool alike = draw_chance(random, .6);
    for (int k = 0; k < count; k++)
        scale[k] = alike ? 1 : draw_decades(random, -3, 3);
    qsort(scale, (size_t)count, sizeof scale[0], compare);
    for (int k = 0; k < count; k++) {
        draw_structure(random, a, draw_below(random, CLOSED), scale[k], position);
        position[0] += 60 * (scale[k] + scale[k + 1 < count ? k + 1 : k]);
    }
}

void draw_assembly(stream *random, int family, assembly *a) {
    const double angle = draw_uniform(random, 0, TURN);
    double position[3] = {0, 0, 0};
    const int chosen = draw_family(random), k = family < 0 ? chosen : family;
    memset(a, 0, sizeof *a);
    a->family = FAMILY[k].name;
    a->gravity = draw_chance(random, .8) ? 9.81 : draw_decades(random, -3, 3);
    a->limited = draw_chance(random, .35);
    a->direction[0] = cos(angle);
    a->direction[1] = sin(angle);
    if (draw_chance(random, .15))
        for (int i = 0; i < 3; i++)
            position[i] = draw_normal(random) * draw_decades(random, 0, 5);
    if (FAMILY[k].draw)
        draw_structure(random, a, k, draw_scale(random), position);
    else
        draw_islands(random, a, position);
}
