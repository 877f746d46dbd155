#include "hdf5/transfer.h"

#include <errno.h>
#include <unistd.h>

int vs_write_at(int descriptor, uint64_t at, const void *bytes, size_t size, size_t *done) {
    *done = 0;
    while (*done < size) {
        const ssize_t count = pwrite(descriptor, (const char *)bytes + *done, size - *done, (off_t)(at + *done));
        if (count > 0)
            *done += (size_t)count;
        else if (count == 0 || errno != EINTR)
            return count == 0 ? ENOSPC : errno;
    }
    return 0;
}

int vs_read_at(int descriptor, uint64_t at, void *bytes, size_t size, size_t *done) {
    *done = 0;
    while (*done < size) {
        const ssize_t count = pread(descriptor, (char *)bytes + *done, size - *done, (off_t)(at + *done));
        if (count > 0)
            *done += (size_t)count;
        else if (count == 0)
            return 0;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}
