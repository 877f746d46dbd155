// A file driver for HDF5 that survives a full disk.
#ifndef VS_OUTPUT_DRIVER_H
#define VS_OUTPUT_DRIVER_H

#include <hdf5.h>

#include "base/context.h"

#include <stdbool.h>
#include <sys/stat.h>

// One open file; must outlive it.
typedef struct vs_driver {
    H5FD_t hdf5; // what HDF5 keeps of every file
    int descriptor;
    haddr_t allocated, end; // bytes that HDF5 wants to use; bytes of the file
    struct stat status;     // tells whether two files are the same
    int failed;             // errno of the first failed write, 0: none. Nothing is written after it
} vs_driver;

// Files opened with this access list go through the driver.
bool vs_driver_use(hid_t access, vs_driver *driver);
// VS_ERROR_IO if a write failed.
vs_error vs_driver_check(vs_context *context, const vs_driver *driver);

#endif
