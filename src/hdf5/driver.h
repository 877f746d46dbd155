// A file driver for HDF5 that survives a full disk, and whose files survive a kill.
#ifndef VS_HDF5_DRIVER_H
#define VS_HDF5_DRIVER_H

#include <hdf5.h>

#include "base/file.h"
#include "hdf5/journal.h"

#include <stdbool.h>

// Writes that are buffered until vs_driver_commit() or close; then all of them reach the file, or none.
typedef enum vs_driver_hold {
    VS_DRIVER_HOLD_NOTHING,   // a file that is deleted unless it is completed
    VS_DRIVER_HOLD_STRUCTURE, // all but raw data: sufficient if these are only appended
    VS_DRIVER_HOLD_ALL
} vs_driver_hold;

// One open file; must outlive it.
typedef struct vs_driver {
    H5FD_t hdf5; // HDF5's part of every open file
    int descriptor;
    haddr_t allocated, end; // bytes allocated by HDF5; bytes of the file, including buffered ones
    vs_file_identity identity;
    int failed; // errno of the first failed write, 0: none. Nothing is written after it
    vs_driver_hold hold;
    vs_journal journal; // buffered writes
} vs_driver;

// Files opened with this access list use the driver. Files opened for reading appear as if a journal left by a killed
// writer had been replayed.
bool vs_driver_use(vs_context *context, hid_t access, vs_driver_hold hold, vs_driver *driver);
// The same for an output file under its temporary name (base/output_file.h), which has a lock of its own: HDF5's would
// conflict with it where the file system knows only one kind of locks (NFS).
bool vs_driver_use_unlocked(vs_context *context, hid_t access, vs_driver *driver);
// Writes the buffered data; `hold`: what to buffer from now on.
void vs_driver_commit(vs_driver *driver, vs_driver_hold hold);
// VS_ERROR_IO if a write failed, VS_ERROR_MEMORY if there was no memory to buffer it.
vs_error vs_driver_check(vs_context *context, const vs_driver *driver);

#endif
