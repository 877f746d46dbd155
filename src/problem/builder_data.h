// A problem that is being built: what build.c adds and finish.c copies.
#ifndef VS_PROBLEM_BUILDER_DATA_H
#define VS_PROBLEM_BUILDER_DATA_H

#include "base/array.h"
#include "problem/problem_data.h"

enum { VS_BUILDER_TEXT = 512 };

typedef VS_ARRAY(int) vs_int_array;
typedef VS_ARRAY(int64_t) vs_long_array;
typedef VS_ARRAY(double) vs_double_array;

// For how much all arrays of the groups have room.
typedef struct vs_group_room {
    int64_t groups, rows, columns, values;
} vs_group_room;

// Contacts (with bounds) or joints as added so far; arrays as in vs_rows and vs_problem.
typedef struct vs_group_arrays {
    int groups, rows;
    vs_int_array row;            // one per group: where it ends
    VS_ARRAY(vs_cone_kind) kind; // one per group
    VS_ARRAY(uint64_t) key;      // one per group
    vs_double_array mu;          // one per group
    vs_double_array rolling;     // one per group
    vs_double_array spinning;    // one per group
    vs_long_array start, value;  // one per group: where it ends
    vs_int_array col;
    vs_double_array x;
    vs_double_array b, E, lo, hi; // one per row
    vs_group_room room;
} vs_group_arrays;

struct vs_problem_builder {
    vs_context *context;
    vs_arena arena;
    vs_error failed; // error of the first call that failed
    char text[VS_BUILDER_TEXT];
    int blocks, n;
    bool bounded;         // there are box rows
    bool rolls;           // there are contacts with rolling or spinning friction
    vs_int_array end;     // unknown behind each block
    vs_double_array H, c; // dense blocks one behind the other; (n)
    vs_int_array order;   // scratch, blocks of a group in ascending order
    vs_sparse mass;       // of all blocks, p = null: each block has its own
    double *reference;    // (referenced) J; null: none
    int referenced;
    vs_group_arrays contacts, joints;
};

// First unknown of a block, and the number of its unknowns.
static inline int vs_builder_block_begin(const vs_problem_builder *builder, int block) {
    return block > 0 ? builder->end.data[block - 1] : 0;
}
static inline int vs_builder_block_dofs(const vs_problem_builder *builder, int block) {
    return builder->end.data[block] - vs_builder_block_begin(builder, block);
}

#endif
