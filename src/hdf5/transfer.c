#include "hdf5/transfer.h"

#include <errno.h>

#include "base/file.h"

int vs_write_at(int descriptor, uint64_t at, const void *bytes, size_t size, size_t *done) {
    *done = 0;
    while (*done < size) {
        const int64_t count = vs_file_write_at(descriptor, (const char *)bytes + *done, size - *done, at + *done);
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
        const int64_t count = vs_file_read_at(descriptor, (char *)bytes + *done, size - *done, at + *done);
        if (count > 0)
            *done += (size_t)count;
        else if (count == 0)
            return 0;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}
