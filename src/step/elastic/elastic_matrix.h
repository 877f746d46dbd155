// The matrix H of a step with flexible bodies, whose elements couple blocks of velocities: its pattern, and where the
// nonzeros of each body's own matrices go.
//
// H consists of tiles of 3 x 3 numbers. Tiles 2 b and 2 b + 1 are the linear and angular velocities of the body with
// block b; behind those of the bodies follows one tile per free node.
#ifndef VS_STEP_ELASTIC_MATRIX_H
#define VS_STEP_ELASTIC_MATRIX_H

#include "step/rows/blocks.h"

typedef struct vs_elastic_matrix {
    uint64_t topology;           // of the world for which the pattern was made
    VS_ARRAY(int64_t) p;         // (n + 1)
    VS_ARRAY(int) i;             // both triangles, columns of whole tiles
    VS_ARRAY(double) x;          //
    VS_ARRAY(int64_t) tile_p;    // (tiles + 1)
    VS_ARRAY(int) tile_i;        //
    VS_ARRAY(int64_t) map_start; // (flexibles + 1) into
    VS_ARRAY(int64_t) map;       // (2 per nonzero of a body's assembly) its place in x, and its mirror's; -1: none
    VS_ARRAY(uint64_t) pair;     // work: column, row of tiles
} vs_elastic_matrix;

// Pattern and map for the present topology; nothing if they fit.
vs_error vs_elastic_matrix_prepare(vs_elastic_matrix *H, const vs_world *world, const vs_blocks *blocks);
void vs_elastic_matrix_release(vs_context *context, vs_elastic_matrix *H);

// Tile of block j of a flexible body's assembly (a node of a solid is one, of a beam two); -1: prescribed.
int vs_elastic_matrix_tile(const vs_world *world, const vs_blocks *blocks, int flexible, int j);
// Place in x of entry (3 row + r, 3 column + k), which exists.
int64_t vs_elastic_matrix_place(const vs_elastic_matrix *H, int row, int r, int column, int k);
// a'H b
double vs_elastic_matrix_form(const vs_elastic_matrix *H, int n, const double *a, const double *b);

#endif
