// Datasets of an untrusted HDF5 file: sizes are checked before memory is allocated, types before values are read, and
// every message names the dataset: "fclib_global/M/p has 12 entries, not 13".
#ifndef VS_HDF5_DATASET_H
#define VS_HDF5_DATASET_H

#include <hdf5.h>

#include "base/arena.h"

#include <stdbool.h>

// HDF5 prints its errors by default; silent between begin and end.
typedef struct vs_h5_silence {
    H5E_auto2_t function;
    void *data;
    bool changed;
} vs_h5_silence;

void vs_h5_silence_begin(vs_h5_silence *silence);
void vs_h5_silence_end(const vs_h5_silence *silence);

// A group (or the file's root) with the data needed to check and to name its datasets.
typedef struct vs_h5_group {
    vs_context *context;
    hid_t id;           // < 0: not open
    hsize_t file_bytes; // no dataset can hold more
    char path[80];      // "" for the root, else "fclib_global/M"
} vs_h5_group;

vs_error vs_h5_root_open(vs_context *context, hid_t file, vs_h5_group *root);
// A missing group is an error or, with `optional`, success and id < 0.
vs_error vs_h5_group_open(const vs_h5_group *parent, const char *name, bool optional, vs_h5_group *group);
void vs_h5_group_close(vs_h5_group *group); // not open is legal

bool vs_h5_has(const vs_h5_group *group, const char *name);
// One integer (a scalar or one entry).
vs_error vs_h5_read_int(const vs_h5_group *group, const char *name, int64_t *value);
// Arrays of one dimension in the arena. On entry *count is the expected number, or negative for any.
vs_error vs_h5_read_ints(const vs_h5_group *group, const char *name, vs_arena *arena, int64_t *count, int64_t **x);
vs_error vs_h5_read_keys(const vs_h5_group *group, const char *name, vs_arena *arena, int64_t *count, uint64_t **x);
// Rejects values that are not finite.
vs_error vs_h5_read_doubles(const vs_h5_group *group, const char *name, vs_arena *arena, int64_t *count, double **x);

// A text of fixed length, with a zero at its end; "" if there is none, or not one of less than `size` bytes.
void vs_h5_read_text(const vs_h5_group *group, const char *name, size_t size, char *text);

// Writing. `type` is the type of x in memory, `stored` that of the file; values must fit.
vs_error vs_h5_group_make(const vs_h5_group *parent, const char *name, vs_h5_group *group);
vs_error vs_h5_write(const vs_h5_group *group, const char *name, hid_t type, hid_t stored, int64_t count,
                     const void *x);
vs_error vs_h5_write_int(const vs_h5_group *group, const char *name, int value);
vs_error vs_h5_write_text(const vs_h5_group *group, const char *name, const char *text);

#endif
