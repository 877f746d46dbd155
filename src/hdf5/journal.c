// A kill interrupts a write() between two pages, so that data across a page boundary may be half old and half new, and
// it interrupts a program between two writes. Therefore changes are first written after the end of the file, as one
// journal,
//
//     at (8) | size (8) | bytes … for each change
//     signature (8) | start of the journal (8) | size of the file afterwards (8) | checksum of all before (4)
//
// then to their destinations, and then the file is truncated to its size, which removes the journal. Nothing else is
// written meanwhile. A complete journal can be replayed any number of times; an incomplete one has changed nothing.
// This protects against kills: after a power failure the contents of the disk depend on the system.
#include "hdf5/journal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "hdf5/transfer.h"

enum { HEAD = 16, TAIL = 28, START = 8, SIZE = 16, CHECKSUM = 24 };

static const unsigned char signature[8] = {'v', 's', 0xd1, '\r', 'r', 'e', 'd', 'o'};

// ---- changes in memory ----------------------------------------------------------------------------------

vs_error vs_journal_add(vs_journal *journal, uint64_t at, const void *bytes, size_t size) {
    const size_t wanted = journal->size + HEAD + size + TAIL; // room for the tail, too
    if (vs_array_reserve(journal->context, &journal->bytes, &journal->capacity, (int64_t)wanted, 1))
        return VS_ERROR_MEMORY;
    vs_put_bytes(journal->bytes + journal->size, 8, at);
    vs_put_bytes(journal->bytes + journal->size + 8, 8, size);
    (void)memcpy(journal->bytes + journal->size + HEAD, bytes, size);
    journal->size += HEAD + size;
    return VS_OK;
}

typedef struct change {
    uint64_t at, size;
    const unsigned char *bytes;
} change;

// The next change after *place; false at the end, or if the records are invalid.
static bool next(const vs_journal *journal, size_t *place, change *c) {
    const size_t left = journal->size - *place;
    if (left < HEAD)
        return false;
    const unsigned char *head = journal->bytes + *place;
    *c = (change){vs_get_bytes(head, 8), vs_get_bytes(head + 8, 8), head + HEAD};
    if (c->size > left - HEAD || c->at > INT64_MAX - c->size)
        return false;
    *place += HEAD + (size_t)c->size;
    return true;
}

void vs_journal_overlay(const vs_journal *journal, uint64_t at, void *bytes, size_t size) {
    change c;
    for (size_t place = 0; next(journal, &place, &c);) {
        const uint64_t first = c.at > at ? c.at : at;
        const uint64_t end = c.at + c.size < at + size ? c.at + c.size : at + size;
        if (first < end)
            (void)memcpy((unsigned char *)bytes + (first - at), c.bytes + (first - c.at), (size_t)(end - first));
    }
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// One past the last byte that changes.
static uint64_t reach(const vs_journal *journal) {
    uint64_t end = 0;
    change c;
    for (size_t place = 0; next(journal, &place, &c);)
        end = larger(end, c.at + c.size);
    return end;
}

void vs_journal_release(vs_journal *journal) {
    vs_release(journal->context, journal->bytes);
    *journal = (vs_journal){.context = journal->context};
}

// ---- to the file ----------------------------------------------------------------------------------------

static int write_all(int descriptor, const unsigned char *bytes, size_t size, uint64_t at) {
    size_t done;
    return vs_write_at(descriptor, at, bytes, size, &done);
}

// Writes the changes and removes the journal.
static int apply(const vs_journal *journal, int descriptor, uint64_t file_size) {
    change c;
    for (size_t place = 0; next(journal, &place, &c);) {
        const int failed = write_all(descriptor, c.bytes, (size_t)c.size, c.at);
        if (failed)
            return failed;
    }
    return ftruncate(descriptor, (off_t)file_size) == 0 ? 0 : errno;
}

// Writes the journal after the end of both the present and the future file. If there is no room for it, the file is
// unchanged; if there is no room for a change, the journal stays for another attempt.
static int announce(vs_journal *journal, int descriptor, uint64_t now, uint64_t file_size) {
    const uint64_t start = larger(larger(now, file_size), reach(journal));
    unsigned char *tail = journal->bytes + journal->size;
    (void)memcpy(tail, signature, sizeof signature);
    vs_put_bytes(tail + START, 8, start);
    vs_put_bytes(tail + SIZE, 8, file_size);
    vs_put_bytes(tail + CHECKSUM, 4, vs_checksum(journal->bytes, journal->size + CHECKSUM));
    const int failed = write_all(descriptor, journal->bytes, journal->size + TAIL, start);
    if (failed)
        (void)!ftruncate(descriptor, (off_t)now);
    return failed;
}

int vs_journal_commit(vs_journal *journal, int descriptor, uint64_t file_size) {
    const off_t now = lseek(descriptor, 0, SEEK_END);
    if (now < 0)
        return errno;
    if (journal->size == 0 && (uint64_t)now == file_size)
        return 0;
    int failed = journal->size > 0 ? announce(journal, descriptor, (uint64_t)now, file_size) : 0;
    if (!failed)
        failed = apply(journal, descriptor, file_size);
    if (!failed)
        journal->size = 0;
    return failed;
}

// ---- after a kill ---------------------------------------------------------------------------------------

static bool read_all(int descriptor, unsigned char *bytes, size_t size, uint64_t at) {
    size_t done;
    return vs_read_at(descriptor, at, bytes, size, &done) == 0 && done == size;
}

// The tail at the end of the file, if there is one; the size of the records before it.
static bool find(int descriptor, unsigned char tail[TAIL], uint64_t *size) {
    const off_t end = lseek(descriptor, 0, SEEK_END);
    if (end < TAIL || !read_all(descriptor, tail, TAIL, (uint64_t)end - TAIL) ||
        memcmp(tail, signature, sizeof signature) != 0)
        return false;
    const uint64_t most = (uint64_t)end - TAIL, start = vs_get_bytes(tail + START, 8);
    *size = start < most ? most - start : 0;
    return start < most && vs_get_bytes(tail + SIZE, 8) <= start;
}

bool vs_journal_is_left(int descriptor) {
    unsigned char tail[TAIL];
    uint64_t size = 0;
    return find(descriptor, tail, &size);
}

vs_error vs_journal_load(vs_journal *journal, int descriptor, uint64_t *file_size) {
    unsigned char tail[TAIL];
    uint64_t size = 0;
    if (!find(descriptor, tail, &size))
        return VS_OK;
    if (vs_array_reserve(journal->context, &journal->bytes, &journal->capacity, (int64_t)(size + TAIL), 1))
        return VS_ERROR_MEMORY;
    const uint64_t start = vs_get_bytes(tail + START, 8);
    if (!read_all(descriptor, journal->bytes, size, start))
        return vs_fail(journal->context, VS_ERROR_IO, "could not be read");
    (void)memcpy(journal->bytes + size, tail, TAIL);
    journal->size = size;
    // Other data that ends like a journal?
    if (vs_get_bytes(tail + CHECKSUM, 4) != vs_checksum(journal->bytes, size + CHECKSUM) || reach(journal) > start)
        journal->size = 0;
    else
        *file_size = vs_get_bytes(tail + SIZE, 8);
    return VS_OK;
}

vs_error vs_journal_replay(vs_context *context, int descriptor) {
    vs_journal journal = {.context = context};
    uint64_t file_size = 0;
    vs_error error = vs_journal_load(&journal, descriptor, &file_size);
    const int failed = !error && journal.size > 0 ? apply(&journal, descriptor, file_size) : 0;
    if (failed)
        error = vs_fail(context, VS_ERROR_IO, "could not be repaired: %s", strerror(failed));
    vs_journal_release(&journal);
    return error;
}
