// Recovery of files that were not closed.
//
// HDF5 marks a file that is open for writing in its superblock and refuses to open a marked one for writing again.
// The contents of the file are nevertheless valid once a journal left by its writer is replayed (driver.c). So it is
// enough to clear the mark, and to set the true size, which the superblock gets only on closing. Superblock
// version 3 (File Format Specification 3.0, section II.A), all little-endian:
//
//     0 signature (8) | 8 version | 9 size of offsets | 10 size of lengths | 11 marks: 1 writing, 4 writing for readers
//     12 base address (8) | 20 extension (8) | 28 end of file (8) | 36 root group (8) | 44 checksum of 0 … 43 (4)
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "hdf5/transfer.h"
#include "output/trajectory/trajectory_data.h"

#include <string.h>
#include <unistd.h>

enum { BLOCK = 48, VERSION = 8, OFFSETS = 9, MARKS = 11, END = 28, CHECKSUM = 44, MARK_WRITING = 1 | 4 };

// Is it a complete superblock as written here?
static bool is_ours(const unsigned char block[BLOCK]) {
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    return memcmp(block, signature, sizeof signature) == 0 && block[VERSION] == 3 && block[OFFSETS] == 8 &&
           vs_get_bytes(block + CHECKSUM, 4) == vs_checksum(block, CHECKSUM);
}

vs_error vs_superblock_repair(vs_context *context, int descriptor) {
    unsigned char block[BLOCK];
    size_t done = 0;
    const vs_error error = vs_journal_replay(context, descriptor);
    if (error)
        return error;
    const int64_t length = lseek(descriptor, 0, SEEK_END);
    if (length < 0 || vs_read_at(descriptor, 0, block, BLOCK, &done) != 0 || done != BLOCK || !is_ours(block))
        return vs_fail(context, VS_ERROR_DATA, "is not a trajectory, or its first bytes are damaged");
    const uint64_t end = vs_get_bytes(block + END, 8), size = (uint64_t)length;
    if (end > size)
        return vs_fail(context, VS_ERROR_DATA, "is truncated: %llu bytes of at least %llu", (unsigned long long)size,
                       (unsigned long long)end);
    if (!(block[MARKS] & MARK_WRITING))
        return VS_OK;
    block[MARKS] &= (unsigned char)~MARK_WRITING;
    vs_put_bytes(block + END, 8, size);
    vs_put_bytes(block + CHECKSUM, 4, vs_checksum(block, CHECKSUM));
    if (vs_write_at(descriptor, 0, block, BLOCK, &done) != 0 || vs_file_sync(descriptor) != 0)
        return vs_fail(context, VS_ERROR_IO, "could not be repaired");
    return VS_OK;
}

static vs_error cut_to_complete(vs_context *context, const char *path, int64_t *frames) {
    vs_trajectory_file file;
    vs_error error = vs_trajectory_file_open(context, path, true, &file);
    if (!error)
        error = vs_columns_complete(&file, frames);
    if (!error)
        error = vs_columns_cut(&file, *frames);
    const vs_error closed = vs_trajectory_file_close(&file);
    return error ? error : closed;
}

vs_error vs_trajectory_recover(vs_context *context, const char *path, int64_t *frames) {
    if (!context || !path)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_trajectory_recover: an argument is null");
    int64_t count = 0;
    int lock = -1;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error = vs_file_lock(context, path, &lock);
    if (!error)
        error = vs_superblock_repair(context, lock);
    if (!error)
        error = cut_to_complete(context, path, &count);
    vs_file_unlock(lock);
    vs_h5_silence_end(&silence);
    if (frames)
        *frames = error ? 0 : count;
    return vs_file_blame(context, error, path);
}
