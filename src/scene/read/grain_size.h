// The sizes of the bodies of a factory: factors on the lengths of its shapes.
#ifndef VS_SCENE_GRAIN_SIZE_H
#define VS_SCENE_GRAIN_SIZE_H

#include "scene/read/reader.h"

typedef enum vs_size_kind {
    VS_SIZES_LIST, // in turn
    VS_SIZES_UNIFORM,
    VS_SIZES_LOGNORMAL,
    VS_SIZES_FRACTIONS // by mass
} vs_size_kind;

typedef struct vs_grain_sizes {
    vs_size_kind kind;
    double *factor;            // (count) of a list or of fractions; in the arena
    double *fraction, *so_far; // (count) shares of mass; mass so far, in units of factor^3
    int count;
    double from, to;          // range of the others
    double median, deviation; // of a lognormal; deviation of the logarithm
    uint64_t seed, draws;
} vs_grain_sizes;

// Of "sizes" of a factory; 1 for all if absent.
vs_grain_sizes vs_read_grain_sizes(vs_reader *reader, const vs_node *factory, uint64_t seed);
// The factor of body k = 0, 1, …, in this order. kind: its place in the list, -1 if there is none.
double vs_grain_sizes_next(vs_grain_sizes *s, int k, int *place);

#endif
