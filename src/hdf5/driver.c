// HDF5 does not recover from a failed write: the file can neither be written nor closed, and the process crashes at
// exit. This driver hides the failure: it records it, drops all later writes, and reports success, so that HDF5 can
// close properly. On disk the file is as if the writer had been killed before the failed write. Callers use
// vs_driver_check().
//
// HDF5 orders its writes for concurrent readers (SWMR) so that the file can be read at any moment, with two exceptions:
// a reader that finds a half-written piece retries, which never ends if the writer was killed; and nothing is ordered
// when a file is opened for writing, before SWMR starts. So the pieces are buffered here and written together through a
// journal (journal.c).
//
// Otherwise it does what HDF5's own driver for POSIX files does, the locks included.
#include "hdf5/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "hdf5/transfer.h"

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most) {
    vs_driver *const *info = H5Pget_driver_info(access);
    (void)most;
    if (!info)
        return NULL;
    vs_driver *d = *info;
    int mode = flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
    mode |= flags & H5F_ACC_CREAT ? O_CREAT : 0;
    mode |= flags & H5F_ACC_EXCL ? O_EXCL : 0;
    mode |= flags & H5F_ACC_TRUNC ? O_TRUNC : 0;
    *d = (vs_driver){.descriptor = vs_file_open(name, mode), .hold = d->hold, .journal.context = d->journal.context};
    if (d->descriptor < 0)
        return NULL;
    uint64_t end = 0;
    const int64_t size = lseek(d->descriptor, 0, SEEK_END);
    if (size < 0 || !vs_file_get_identity(d->descriptor, &d->identity) ||
        (!(flags & H5F_ACC_RDWR) && vs_journal_load(&d->journal, d->descriptor, &end) != VS_OK)) {
        vs_journal_release(&d->journal);
        (void)close(d->descriptor);
        return NULL;
    }
    d->end = d->journal.size > 0 ? end : (haddr_t)size;
    return &d->hdf5;
}

void vs_driver_commit(vs_driver *driver, vs_driver_hold hold) {
    if (driver->hold != VS_DRIVER_HOLD_NOTHING && !driver->failed)
        driver->failed = vs_journal_commit(&driver->journal, driver->descriptor, driver->end);
    driver->hold = hold;
}

static herr_t close_file(H5FD_t *file) {
    vs_driver *d = (vs_driver *)file;
    vs_driver_commit(d, d->hold);
    vs_journal_release(&d->journal);
    if (close(d->descriptor) != 0 && !d->failed)
        d->failed = errno; // some file systems report errors only now
    d->descriptor = -1;
    return 0;
}

static int compare(const H5FD_t *a, const H5FD_t *b) {
    const vs_file_identity *x = &((const vs_driver *)a)->identity, *y = &((const vs_driver *)b)->identity;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static herr_t query(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    if (flags)
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                 H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t get_allocated(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const vs_driver *)file)->allocated;
}

static herr_t set_allocated(H5FD_t *file, H5FD_mem_t type, haddr_t bytes) {
    (void)type;
    ((vs_driver *)file)->allocated = bytes;
    return 0;
}

static haddr_t get_end(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    const vs_driver *d = (const vs_driver *)file;
    return d->end > d->allocated ? d->end : d->allocated;
}

// Beyond the end of the file there are zeros.
static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, void *buffer) {
    const vs_driver *d = (const vs_driver *)file;
    char *to = buffer;
    (void)type;
    (void)list;
    size_t done;
    if (vs_read_at(d->descriptor, at, to, size, &done))
        return -1;
    (void)memset(to + done, 0, size - done);
    vs_journal_overlay(&d->journal, at, buffer, size);
    return 0;
}

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, const void *buffer) {
    vs_driver *d = (vs_driver *)file;
    (void)list;
    if (d->hold == VS_DRIVER_HOLD_ALL || (d->hold == VS_DRIVER_HOLD_STRUCTURE && type != H5FD_MEM_DRAW)) {
        if (!d->failed && vs_journal_add(&d->journal, at, buffer, size) != VS_OK)
            d->failed = ENOMEM;
        d->end = at + size > d->end ? at + size : d->end;
        return 0;
    }
    if (d->failed)
        return 0;
    size_t done;
    d->failed = vs_write_at(d->descriptor, at, buffer, size, &done);
    if (done > 0)
        d->end = at + done > d->end ? at + done : d->end;
    return 0;
}

static herr_t set_size(H5FD_t *file, hid_t list, hbool_t closing) {
    vs_driver *d = (vs_driver *)file;
    (void)list;
    (void)closing;
    if (d->failed || d->end == d->allocated)
        return 0;
    if (d->hold == VS_DRIVER_HOLD_NOTHING && ftruncate(d->descriptor, (off_t)d->allocated) != 0)
        d->failed = errno;
    else
        d->end = d->allocated;
    return 0;
}

static herr_t lock(H5FD_t *file, hbool_t write) {
    const vs_driver *d = (const vs_driver *)file;
    return vs_file_share(d->descriptor, write ? VS_SHARE_WRITE : VS_SHARE_READ) ? 0 : -1;
}

static herr_t unlock(H5FD_t *file) {
    const vs_driver *d = (const vs_driver *)file;
    return vs_file_share(d->descriptor, VS_SHARE_NONE) ? 0 : -1;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)700, // from HDF5's range for testing
#endif
    .name = "voussoir",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(vs_driver *),
    .open = open_file,
    .close = close_file,
    .cmp = compare,
    .query = query,
    .get_eoa = get_allocated,
    .set_eoa = set_allocated,
    .get_eof = get_end,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = set_size,
    .lock = lock,
    .unlock = unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

bool vs_driver_use(vs_context *context, hid_t access, vs_driver_hold hold, vs_driver *driver) {
    driver->hold = hold;
    driver->journal.context = context;
    hid_t id = H5FDregister(&driver_class);
    const bool good = id >= 0 && H5Pset_driver(access, id, &driver) >= 0;
    // The access list and the files opened with it keep the driver from now on.
    if (id >= 0)
        (void)H5FDunregister(id);
    return good;
}

bool vs_driver_use_unlocked(vs_context *context, hid_t access, vs_driver *driver) {
    return H5Pset_file_locking(access, false, true) >= 0 &&
           vs_driver_use(context, access, VS_DRIVER_HOLD_NOTHING, driver);
}

vs_error vs_driver_check(vs_context *context, const vs_driver *driver) {
    if (driver->failed == ENOMEM)
        return vs_fail_memory(context);
    return driver->failed ? vs_fail(context, VS_ERROR_IO, "could not be written: %s", strerror(driver->failed)) : VS_OK;
}
