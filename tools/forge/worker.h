// A search in a worker process, so that it survives crashes and hangs of the library. Totals are kept in memory that the
// worker shares with its parent.
#ifndef FORGE_WORKER_H
#define FORGE_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct forge_workers {
    void (*work)(void *user, uint64_t from);                    // in the worker: specimens from … end - 1
    void (*report_end)(void *user, bool hang, const char *how); // in the parent: the worker ended at *current
    void *user;                                                 //
    const uint64_t *current;                                    // shared: number of the specimen at work
} forge_workers;

// Zeros, shared with processes that are created later; ends the program if there is no memory.
void *share_memory(size_t size);
// Ends this process after so much processor time, or time; 0: no longer.
void limit_time(int seconds, int wall_seconds);
// After an end at a specimen, the search continues with the next one.
void run_workers(const forge_workers *workers, uint64_t from, uint64_t end);

#endif
