// Several changes of a file as one: a kill at any moment leaves all of them or none (to whoever replays the journal).
#ifndef VS_OUTPUT_JOURNAL_H
#define VS_OUTPUT_JOURNAL_H

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
// Lays the changes over bytes that were read from the file.
void vs_journal_overlay(const vs_journal *journal, uint64_t at, void *bytes, size_t size);
// Makes the changes and gives the file its size; the journal is empty then. errno if that failed, else 0. After a
// failure the file is as it was, or vs_journal_replay() makes it what it should be.
int vs_journal_commit(vs_journal *journal, int descriptor, uint64_t file_size);
void vs_journal_release(vs_journal *journal);

// What a killed process left at the end of a file: is there something, take it into an empty journal, finish it.
bool vs_journal_is_left(int descriptor);
vs_error vs_journal_load(vs_journal *journal, int descriptor, uint64_t *file_size); // nothing there: empty
vs_error vs_journal_replay(vs_context *context, int descriptor);

#endif
