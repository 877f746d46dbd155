// A file driver for HDF5 that survives a full disk, and whose files survive a kill.
#ifndef VS_OUTPUT_DRIVER_H
#define VS_OUTPUT_DRIVER_H

#include <hdf5.h>

#include "output/journal.h"

#include <stdbool.h>
#include <sys/stat.h>

// What is held back until vs_driver_commit(), or until the file is closed; then all of it reaches the file, or nothing.
typedef enum vs_driver_hold {
    VS_DRIVER_HOLD_NOTHING,   // a file that is thrown away if it does not come to its end
    VS_DRIVER_HOLD_STRUCTURE, // all but raw data: enough if these are only appended
    VS_DRIVER_HOLD_ALL
} vs_driver_hold;

// One open file; must outlive it.
typedef struct vs_driver {
    H5FD_t hdf5; // what HDF5 keeps of every file
    int descriptor;
    haddr_t allocated, end; // bytes that HDF5 wants to use; bytes of the file, with what is held back
    struct stat status;     // tells whether two files are the same
    int failed;             // errno of the first failed write, 0: none. Nothing is written after it
    vs_driver_hold hold;
    vs_journal journal; // what is held back
} vs_driver;

// Files opened with this access list go through the driver. Those opened for reading are seen as they will be when a
// journal that a kill left in them is replayed.
bool vs_driver_use(vs_context *context, hid_t access, vs_driver_hold hold, vs_driver *driver);
// Writes what was held back; what to hold back from now on.
void vs_driver_commit(vs_driver *driver, vs_driver_hold hold);
// VS_ERROR_IO if a write failed, VS_ERROR_MEMORY if there was no memory to hold it back.
vs_error vs_driver_check(vs_context *context, const vs_driver *driver);

#endif
