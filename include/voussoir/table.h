// Tables in HDF5: one row per record, columns of numbers and texts; readable by h5py and pandas.
#ifndef VOUSSOIR_TABLE_H
#define VOUSSOIR_TABLE_H

#include <stdint.h>

#include "voussoir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vs_table_kind { VS_TABLE_NUMBER, VS_TABLE_INTEGER, VS_TABLE_TEXT } vs_table_kind;

typedef struct vs_table_column {
    const char *name;        // not empty, unique
    const char *unit;        // "m"; "": none
    vs_table_kind kind;      // selects one of the arrays (rows) below
    const double *number;    // NaN: missing
    const int64_t *integer;  //
    const char *const *text; // UTF-8, null: ""
} vs_table_column;

// Writes the dataset /NAME with one compound per row, its attribute `unit` (one text per column), and the dataset
// /note, any text on the origin of the table. An existing file is replaced as a whole, never overwritten in place. The
// same table gives the same bytes. VS_ERROR_IO, or VS_ERROR_UNSUPPORTED in a build without HDF5.
VS_API vs_error vs_table_write(vs_context *context, const char *path, const char *name, const char *note,
                               const vs_table_column *column, int columns, int64_t rows);

// Sizes of a table.
typedef struct vs_table_info {
    int64_t rows;
    int columns;
    char names[1024]; // of the columns, a line each, as many as fit
} vs_table_info;

// Reads the sizes of the table /NAME of a file. VS_ERROR_DATA if there is none.
VS_API vs_error vs_table_read_info(vs_context *context, const char *path, const char *name, vs_table_info *info);

#ifdef __cplusplus
}
#endif

#endif
