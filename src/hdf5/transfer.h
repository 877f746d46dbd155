// Whole transfers at a place in a file: interrupted and partial ones continue.
#ifndef VS_HDF5_TRANSFER_H
#define VS_HDF5_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

// Both return 0 or the errno of the failure, and in *done the number of bytes transferred in either case. Reading ends
// without failure at the end of the file.
int vs_write_at(int descriptor, uint64_t at, const void *bytes, size_t size, size_t *done);
int vs_read_at(int descriptor, uint64_t at, void *bytes, size_t size, size_t *done);

#endif
