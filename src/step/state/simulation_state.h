// The state of a world and its simulation as bytes: what decides the next bits, beyond the scene. Checkpoints are files of
// it, snapshots keep it in memory.
//
//     0   "VSCHECK\n"                                8 bytes
//     8   format 4, 0x01020304                       2 x uint32
//     16  bytes of all chunks                        uint64
//     24  chunks: tag (4 letters), version (uint32), bytes (uint64), fields (archive.h)
//
// all little-endian. A chunk is a part of the state: parts.h. Chunks may come in any order; one that is missing, twice there, not known, or of
// a version that is not known, is refused by its name.
#ifndef VS_STEP_SIMULATION_STATE_H
#define VS_STEP_SIMULATION_STATE_H

#include "step/state/state.h"

// Writes as far as there is room; `count` is the number of bytes of all.
void vs_state_save(const vs_state *s, void *buffer, size_t capacity, size_t *count);
// Checks everything, then changes the world and the simulation. After an error nothing has changed.
vs_error vs_state_load(const vs_state *s, const void *bytes, size_t count);

// What bytes say about themselves.
typedef struct vs_state_info {
    double time; // s
    int64_t bodies, joints, flexibles;
    char software[VS_STATE_TEXT];
} vs_state_info;
vs_error vs_state_read_info(vs_context *context, const void *bytes, size_t count, vs_state_info *info);

#endif
