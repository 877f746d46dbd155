// Atomic changes of a file: after a kill at any moment and a replay of the journal all of them are made, or none.
#ifndef VS_HDF5_JOURNAL_H
#define VS_HDF5_JOURNAL_H

#include <stdbool.h>

#include "base/context.h"

// Changes that are not in the file yet.
typedef struct vs_journal {
    vs_context *context;
    unsigned char *bytes; // (capacity) records
    size_t size;
    int64_t capacity;
} vs_journal;

// VS_ERROR_MEMORY leaves the journal as it was.
vs_error vs_journal_add(vs_journal *journal, uint64_t at, const void *bytes, size_t size);
// Applies the changes to bytes that were read from the file.
void vs_journal_overlay(const vs_journal *journal, uint64_t at, void *bytes, size_t size);
// Makes the changes and sets the size of the file; the journal is then empty. errno if that failed, else 0. After a
// failure the file is unchanged, or vs_journal_replay() completes it.
int vs_journal_commit(vs_journal *journal, int descriptor, uint64_t file_size);
void vs_journal_release(vs_journal *journal);

// The journal that a killed process left in a file: detect it, load it into an empty journal, complete it.
bool vs_journal_is_left(int descriptor);
vs_error vs_journal_load(vs_journal *journal, int descriptor, uint64_t *file_size); // none: empty
vs_error vs_journal_replay(vs_context *context, int descriptor);

#endif
