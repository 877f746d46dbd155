// Broad phase: pairs of overlapping boxes.
#ifndef VS_COLLIDE_BROAD_H
#define VS_COLLIDE_BROAD_H

#include "shape/shape_data.h"

typedef struct vs_box_pair {
    int first, second;
} vs_box_pair;

// Reusable memory; initialize to zero except for the context.
typedef struct vs_broad {
    vs_context *context;
    int64_t capacity;                                  // boxes
    struct vs_broad_node *node;                        // a tree over the boxes, root 0
    uint64_t *key, *spare_key;                         // positions along a space-filling curve
    int *order, *spare;                                // boxes along it
    vs_box_pair *pair;                                 // found
    int pairs;                                         //
    int64_t pair_capacity;                             //
    bool (*accept)(void *user, int first, int second); // of the current search
    void *user;
    vs_box3 *box;          // (capacity) along the curve, so that neighbours share cache lines
    const vs_box3 *source; // the caller's
    int64_t most;          // pairs; 0: no limit
    vs_error failed;       // VS_ERROR_MEMORY: an allocation failed; VS_ERROR_DATA: more pairs than `most`
} vs_broad;

void vs_broad_release(vs_broad *broad);

// All pairs first < second of the `count` boxes (finite) that overlap or touch and that accept() accepts. The order
// of pairs is a function of the boxes alone. VS_ERROR_DATA, without a text: more than `most`; those found are there.
vs_error vs_broad_find(vs_broad *broad, const vs_box3 *box, int count,
                       bool (*accept)(void *user, int first, int second), void *user);

// Adds a pair found elsewhere.
vs_error vs_broad_add(vs_broad *broad, int first, int second);

// Sorts `count` keys with their values, stable, by digits from the least one; the spares have the same size.
void vs_sort_keys(uint64_t *key, int *value, uint64_t *spare_key, int *spare_value, int count);

#endif
