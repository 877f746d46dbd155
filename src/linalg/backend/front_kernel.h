// Elimination of the pivots of a dense front. Entries by rows, with a leading dimension that leaves room for whole tiles.
#ifndef VS_LINALG_FRONT_KERNEL_H
#define VS_LINALG_FRONT_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

// A front of `rows` rows has vs_front_lead(rows) numbers per row and vs_front_lead(rows) rows; what is beyond `rows` is
// zero before and meaningless after.
int64_t vs_front_lead(int rows);

// F <- the factors of its first `pivots` rows and columns, L (multipliers, unit diagonal not stored) below U, and F_22 -
// F_21 F_11^-1 F_12 behind. Rows are exchanged among the pivots only: row p was exchanged with exchanged[p] (pivots). False
// if a pivot is zero or not a number. The same bits on every processor.
bool vs_front_eliminate(double *F, int rows, int pivots, int *exchanged);

#endif
