// Eigenvalues of small symmetric matrices and the nearest rotation of a deformation gradient.
#ifndef VS_ELEMENT_EIGEN_H
#define VS_ELEMENT_EIGEN_H

#include "base/vec.h"

enum { VS_ELEMENT_ROWS_MOST = 30 }; // rows of the largest element matrix (10-node tetrahedron)

// Symmetric A (n x n, n <= 30) = V diag(value) V': eigenvectors are the columns of V (n x n, row-major). A is
// destroyed. In no particular order, accurate relative to the largest |value|.
void vs_symmetric_eigen(int n, double *A, double *value, double *V);

// A (n x n, n <= 30, symmetric) becomes the nearest positive semidefinite matrix: negative eigenvalues become zero.
// scale (n), or null for ones: "nearest" applies to rows and columns divided by it, which makes the units of lengths
// and angles comparable.
void vs_semidefinite_part(int n, double *A, const double *scale);

// The rotation R nearest to F (Frobenius norm), det R = 1 even if F is inverted or flat. Unique unless the two smallest
// singular values (the last one signed by det F) add up to zero; then one of the nearest.
vs_mat3 vs_nearest_rotation(const vs_mat3 *F);
vs_quat vs_nearest_quaternion(const vs_mat3 *F); // the same as a unit quaternion

#endif
