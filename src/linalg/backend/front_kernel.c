// Elimination of the pivots of a dense front: see front_kernel.h. Panels of a few pivots, then one product for the rest,
// in tiles that stay in registers. Sums are formed in the order of the pivots whatever the width of the registers, and
// without fused operations, so that all processors give the same bits.
#include "linalg/backend/front_kernel.h"

#include <math.h>
#include <string.h>

enum {
    PANEL = 12,      // pivots eliminated together
    TILE_ROWS = 4,   // of the product
    TILE_COLUMNS = 8 // two registers of four numbers
};

int64_t vs_front_lead(int rows) {
    return (int64_t)rows + TILE_COLUMNS;
}

// Compiled into each version of the elimination, for its registers.
#define INLINE inline __attribute__((always_inline))

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

// C -= L U of a panel: L (rows x depth), U (depth x columns), all with leading dimension `lead`. Whole tiles are written.
static INLINE void subtract_tiles(double *C, const double *L, const double *U, int rows, int columns, int depth,
                                  int64_t lead) {
    for (int i = 0; i < rows; i += TILE_ROWS)
        for (int j = 0; j < columns; j += TILE_COLUMNS) {
            const double *l = L + i * lead, *u = U + j;
            double *c = C + i * lead + j;
            quad sum[TILE_ROWS][2];
            for (int r = 0; r < TILE_ROWS; r++)
                for (int h = 0; h < 2; h++)
                    sum[r][h] = *(const quad *)(c + r * lead + 4 * h);
            for (int p = 0; p < depth; p++, u += lead) {
                quad left = *(const quad *)u, right = *(const quad *)(u + 4);
                for (int r = 0; r < TILE_ROWS; r++) {
                    double m = l[r * lead + p];
                    sum[r][0] -= m * left;
                    sum[r][1] -= m * right;
                }
            }
            for (int r = 0; r < TILE_ROWS; r++)
                for (int h = 0; h < 2; h++)
                    *(quad *)(c + r * lead + 4 * h) = sum[r][h];
        }
}

static INLINE void exchange_rows(double *a, double *b, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        double keep = a[k];
        a[k] = b[k];
        b[k] = keep;
    }
}

// Eliminates pivots begin … end-1 in their own columns, in the rows of pivots.
static INLINE bool eliminate_pivots(double *F, int rows, int pivots, int begin, int end, int *exchanged) {
    int64_t lead = vs_front_lead(rows);
    for (int p = begin; p < end; p++) {
        int best = p;
        for (int i = p + 1; i < pivots; i++)
            if (fabs(F[i * lead + p]) > fabs(F[best * lead + p]))
                best = i;
        exchanged[p] = best;
        if (best != p)
            exchange_rows(F + p * lead, F + best * lead, rows);
        const double *u = F + p * lead;
        if (!(fabs(u[p]) > 0))
            return false;
        double inverse = 1 / u[p];
        for (int i = p + 1; i < pivots; i++) {
            double *row = F + i * lead, m = row[p] * inverse;
            row[p] = m;
            for (int j = p + 1; j < end; j++)
                row[j] -= m * u[j];
        }
    }
    return true;
}

// The same in the rows of the border, one after the other.
static INLINE void eliminate_border(double *F, int rows, int pivots, int begin, int end) {
    int64_t lead = vs_front_lead(rows);
    double inverse[PANEL] = {0};
    for (int p = begin; p < end; p++)
        inverse[p - begin] = 1 / F[p * lead + p];
    for (int i = pivots; i < rows; i++) {
        double *row = F + i * lead;
        for (int p = begin; p < end; p++) {
            const double *u = F + p * lead;
            double m = row[p] * inverse[p - begin];
            row[p] = m;
            for (int j = p + 1; j < end; j++)
                row[j] -= m * u[j];
        }
    }
}

// Rows begin … end-1 of U behind their panel: F <- L^-1 F.
static INLINE void solve_rows(double *F, int rows, int begin, int end) {
    int64_t lead = vs_front_lead(rows);
    for (int p = begin + 1; p < end; p++)
        for (int q = begin; q < p; q++) {
            double m = F[p * lead + q];
            for (int j = end; j < rows; j++)
                F[p * lead + j] -= m * F[q * lead + j];
        }
}

static INLINE bool eliminate(double *F, int rows, int pivots, int *exchanged) {
    int64_t lead = vs_front_lead(rows);
    for (int begin = 0; begin < pivots; begin += PANEL) {
        int end = begin + PANEL < pivots ? begin + PANEL : pivots;
        if (!eliminate_pivots(F, rows, pivots, begin, end, exchanged))
            return false;
        eliminate_border(F, rows, pivots, begin, end);
        solve_rows(F, rows, begin, end);
        subtract_tiles(F + end * lead + end, F + end * lead + begin, F + begin * lead + end, rows - end, rows - end,
                       end - begin, lead);
    }
    return true;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static bool eliminate_avx2(double *F, int rows, int pivots, int *exchanged) {
    return eliminate(F, rows, pivots, exchanged);
}

bool vs_front_eliminate(double *F, int rows, int pivots, int *exchanged) {
    return __builtin_cpu_supports("avx2") ? eliminate_avx2(F, rows, pivots, exchanged)
                                          : eliminate(F, rows, pivots, exchanged);
}
#else
bool vs_front_eliminate(double *F, int rows, int pivots, int *exchanged) {
    return eliminate(F, rows, pivots, exchanged);
}
#endif
