// The checksum of HDF5's own structures, used for our checkpoints as well.
#ifndef VS_BASE_CHECKSUM_H
#define VS_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// 32 bits over `count` bytes; does not depend on the machine's byte order or on alignment.
uint32_t vs_checksum(const void *bytes, size_t count);

#endif
