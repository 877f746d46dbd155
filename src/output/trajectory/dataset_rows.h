// Datasets that grow by rows, and small ones of fixed size. Every message names the dataset.
#ifndef VS_OUTPUT_DATASET_ROWS_H
#define VS_OUTPUT_DATASET_ROWS_H

#include "hdf5/dataset.h"

typedef enum vs_number { VS_NUMBER_DOUBLE, VS_NUMBER_INT, VS_NUMBER_INT64 } vs_number;
size_t vs_number_size(vs_number number);

// Layout of a row: one number (rank 1), inner[0] numbers (rank 2), or inner[0] times inner[1] (rank 3).
typedef struct vs_dataset_rows_def {
    const char *path; // "state/pose", from the root; outlives the rows
    const char *unit; // attribute `unit`
    vs_number number;
    int rank;         // 1 … 3
    int64_t inner[2]; // inner[0] may be 0
} vs_dataset_rows_def;

typedef struct vs_dataset_rows {
    vs_context *context;
    vs_dataset_rows_def def;
    hid_t dataset;    // <= 0: not open
    int64_t rows;     // in the file
    size_t row_bytes; // in memory
} vs_dataset_rows;

// Its group must exist.
vs_error vs_dataset_rows_create(const vs_h5_group *root, const vs_dataset_rows_def *def, vs_dataset_rows *rows);
// Class, rank and sizes must match, and the file must be large enough for the declared rows.
vs_error vs_dataset_rows_open(const vs_h5_group *root, const vs_dataset_rows_def *def, vs_dataset_rows *rows);
vs_error vs_dataset_rows_append(vs_dataset_rows *rows, int64_t count, const void *data);
vs_error vs_dataset_rows_read(const vs_dataset_rows *rows, int64_t first, int64_t count, void *data);
vs_error vs_dataset_rows_cut(vs_dataset_rows *rows, int64_t count); // to at most `count` rows
vs_error vs_dataset_rows_flush(const vs_dataset_rows *rows);        // an open reader sees them after its refresh
void vs_dataset_rows_close(vs_dataset_rows *rows);                  // not open is legal

// A group without time stamps, so that equal trajectories give equal bytes.
vs_error vs_h5_group_make_timeless(const vs_h5_group *root, const char *path);
// count x width numbers (count alone with width 1) that never change.
vs_error vs_h5_write_table(const vs_h5_group *root, const char *path, vs_number number, int64_t count, int width,
                           const void *data);
// Reads it into the arena; the width must match, and *count unless it is negative.
vs_error vs_h5_read_table(const vs_h5_group *root, const char *path, vs_number number, int width, vs_arena *arena,
                          int64_t *count, void **data);
// Texts of equal length, zero-padded UTF-8.
vs_error vs_h5_write_names(const vs_h5_group *root, const char *path, int64_t count, size_t room, const char *text);
// Reads them into the arena; *room: bytes of each, zero-padded, without a final zero if it is full.
vs_error vs_h5_read_names(const vs_h5_group *root, const char *path, int64_t count, vs_arena *arena, size_t *room,
                          char **text);
// Are these the texts in the file?
bool vs_h5_same_names(const vs_h5_group *root, const char *path, int64_t count, size_t room, const char *text,
                      vs_arena *arena);

#endif
