// Sums over elements: sparse symmetric matrices and vectors from dense element ones, in parallel, the same bits for any
// number of threads.
//
// Unknowns come in blocks of 3: a node of tetrahedra is one block, a node of beams two (linear, angular).
// An element is a list of blocks; its matrix has 3 rows per block. Made once for a mesh: the pattern of the sum (lower
// triangle by columns, as in vs_linear_pattern), the destination of every element's entries, and colours: elements of
// one colour share no block and are added in parallel, one colour after the other. An entry therefore gets its terms in
// an order that depends on the mesh only. Memory is allocated by _create() only.
#ifndef VS_ELEMENT_ASSEMBLY_H
#define VS_ELEMENT_ASSEMBLY_H

#include "linalg/linear_solver.h"

enum { VS_ELEMENT_BLOCKS_MOST = 10 };

typedef struct vs_assembly vs_assembly;

// The blocks of the elements: of element e, block[start[e] … start[e + 1]). At most 10 each, no block twice in one
// element; -1 is a fixed block, whose rows and columns are left out. Borrowed during _create() only.
typedef struct vs_assembly_def {
    int blocks;       // number of blocks; unknowns are 3 blocks
    int elements;     //
    const int *start; // (elements + 1)
    const int *block; // (start[elements])
} vs_assembly_def;

// Blocks without elements get a diagonal block in the pattern (of zeros, unless something else is added there).
vs_error vs_assembly_create(vs_context *context, const vs_assembly_def *def, vs_assembly **assembly);
void vs_assembly_destroy(vs_assembly *assembly); // null is legal

vs_linear_pattern vs_assembly_pattern(const vs_assembly *s); // a view; groups are the blocks

// Contribution of an element: energy, force (rows) and matrix (rows x rows, row-major, symmetric; its lower triangle
// counts), rows = 3 times its blocks. All are zero on entry; null: not requested. Called on several threads at once.
typedef void vs_element_function(void *user, int element, double *energy, double *force, double *matrix);

// Adds all elements to the sums that are not null: force (3 blocks) and matrix (values in the order of the pattern).
// energy: their sum, replaced.
void vs_assembly_add(vs_assembly *assembly, vs_element_function *function, void *user, double *energy, double *force,
                     double *matrix);

// y = alpha A x + beta y with the symmetric matrix A with these values; serial. beta = 0 does not read y.
void vs_assembly_multiply(const vs_assembly *s, const double *matrix, double alpha, const double *x, double beta,
                          double *y);

#endif
