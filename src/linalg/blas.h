// Which BLAS the backends use, and with how many threads.
#ifndef VS_LINALG_BLAS_H
#define VS_LINALG_BLAS_H

// "OpenBLAS 0.3.21, core SkylakeX"; "unknown" if it is not OpenBLAS, "none" in a build without BLAS.
// Valid until the next call in the same thread.
const char *vs_blas_name(void);
// One BLAS thread in this process: other counts change the bits of a factorization.
void vs_blas_single_thread(void);

#endif
