// Tables: one dataset of compounds, so that a row is one record and the name of a column may contain any character,
// including '/'.
//
// Rows are packed in memory and written at once: tables are results, not raw data.
#include "base/file.h"
#include "base/output_file.h"
#include "output/trajectory/trajectory_data.h"
#include "voussoir/table.h"

#include <string.h>

typedef struct table {
    vs_context *context;
    const vs_table_column *column;
    int columns;
    int64_t rows;
    size_t *room;   // (columns) bytes of a value
    size_t *offset; // (columns) in a row
    size_t row_bytes;
    char *data; // (rows) x row_bytes
    vs_arena arena;
} table;

static const char *text_at(const vs_table_column *c, int64_t row) {
    return c->text[row] ? c->text[row] : "";
}

// ---- the rows ---------------------------------------------------------------------------------------------

static vs_error check(vs_context *context, const vs_table_column *column, int columns) {
    for (int k = 0; k < columns; k++) {
        const vs_table_column *c = &column[k];
        const void *data = c->kind == VS_TABLE_TEXT      ? (const void *)c->text
                           : c->kind == VS_TABLE_INTEGER ? (const void *)c->integer
                                                         : (const void *)c->number;
        if (!c->name || !*c->name)
            return vs_fail(context, VS_ERROR_ARGUMENT, "column %d has no name; give it one", k);
        if (!data)
            return vs_fail(context, VS_ERROR_ARGUMENT, "column '%s' has no values; give an array of its kind", c->name);
        for (int j = 0; j < k; j++)
            if (strcmp(column[j].name, c->name) == 0)
                return vs_fail(context, VS_ERROR_ARGUMENT, "two columns have the name '%s'; rename one", c->name);
    }
    return VS_OK;
}

static size_t measure(const vs_table_column *c, int64_t rows) {
    size_t room = 1;
    if (c->kind != VS_TABLE_TEXT)
        return 8;
    for (int64_t i = 0; i < rows; i++) {
        const size_t length = strlen(text_at(c, i));
        room = length > room ? length : room;
    }
    return room;
}

static void put(const table *t, int k) {
    const vs_table_column *c = &t->column[k];
    char *to = t->data + t->offset[k];
    for (int64_t i = 0; i < t->rows; i++, to += t->row_bytes) {
        if (c->kind == VS_TABLE_TEXT)
            (void)memcpy(to, text_at(c, i), strlen(text_at(c, i)));
        else if (c->kind == VS_TABLE_INTEGER)
            (void)memcpy(to, &c->integer[i], 8);
        else
            (void)memcpy(to, &c->number[i], 8);
    }
}

static vs_error pack(table *t) {
    t->room = VS_NEW(&t->arena, size_t, t->columns);
    t->offset = VS_NEW(&t->arena, size_t, t->columns);
    if (!t->room || !t->offset)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < t->columns; k++) {
        t->offset[k] = t->row_bytes;
        t->room[k] = measure(&t->column[k], t->rows);
        t->row_bytes += t->room[k];
    }
    t->data = vs_arena_allocate_zero(&t->arena, t->rows, t->row_bytes);
    if (!t->data)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < t->columns; k++)
        put(t, k);
    return VS_OK;
}

// ---- the file ---------------------------------------------------------------------------------------------

static hid_t make_text(size_t room) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, room) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
                      H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)) {
        (void)H5Tclose(type);
        type = -1;
    }
    return type;
}

static hid_t make_row(const table *t) {
    hid_t row = H5Tcreate(H5T_COMPOUND, t->row_bytes);
    bool good = row >= 0;
    for (int k = 0; k < t->columns && good; k++) {
        const vs_table_kind kind = t->column[k].kind;
        hid_t type = kind == VS_TABLE_TEXT      ? make_text(t->room[k])
                     : kind == VS_TABLE_INTEGER ? H5Tcopy(H5T_NATIVE_INT64)
                                                : H5Tcopy(H5T_NATIVE_DOUBLE);
        good = type >= 0 && H5Tinsert(row, t->column[k].name, t->offset[k], type) >= 0;
        if (type >= 0)
            (void)H5Tclose(type);
    }
    if (!good && row >= 0)
        (void)H5Tclose(row);
    return good ? row : -1;
}

// One text per column, all of the same length.
static bool write_units(hid_t dataset, table *t) {
    const hsize_t columns = (hsize_t)t->columns;
    size_t room = 1;
    for (int k = 0; k < t->columns; k++) {
        const size_t length = t->column[k].unit ? strlen(t->column[k].unit) : 0;
        room = length > room ? length : room;
    }
    char *units = vs_arena_allocate_zero(&t->arena, t->columns, room);
    if (!units)
        return false;
    for (size_t k = 0; k < columns; k++)
        if (t->column[k].unit)
            (void)memcpy(units + k * room, t->column[k].unit, strlen(t->column[k].unit));
    hid_t type = make_text(room), space = H5Screate_simple(1, &columns, NULL), attribute = -1;
    if (type >= 0 && space >= 0)
        attribute = H5Acreate2(dataset, "unit", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, type, units) >= 0;
    if (attribute >= 0)
        (void)H5Aclose(attribute);
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
    return good;
}

static vs_error write_rows(const vs_h5_group *root, const char *name, table *t) {
    const hsize_t rows = (hsize_t)t->rows;
    hid_t row = make_row(t), space = H5Screate_simple(1, &rows, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t dataset = -1;
    if (row >= 0 && space >= 0 && list >= 0 && H5Pset_obj_track_times(list, false) >= 0)
        dataset = H5Dcreate2(root->id, name, row, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool good = dataset >= 0 && write_units(dataset, t) &&
                (t->rows == 0 || H5Dwrite(dataset, row, H5S_ALL, H5S_ALL, H5P_DEFAULT, t->data) >= 0);
    if (dataset >= 0)
        good = H5Dclose(dataset) >= 0 && good;
    if (list >= 0)
        (void)H5Pclose(list);
    if (space >= 0)
        (void)H5Sclose(space);
    if (row >= 0)
        (void)H5Tclose(row);
    return good ? VS_OK : vs_fail(t->context, VS_ERROR_IO, "%s could not be written", name);
}

static vs_error write_file(table *t, const char *temporary, const char *name, const char *note) {
    vs_trajectory_file file;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error = vs_trajectory_file_create(t->context, temporary, &file);
    if (!error)
        error = write_rows(&file.root, name, t);
    if (!error)
        error = vs_h5_write_names(&file.root, "note", 1, *note ? strlen(note) : 1, note);
    const vs_error closed = vs_trajectory_file_close(&file);
    vs_h5_silence_end(&silence);
    return error ? error : closed;
}

vs_error vs_table_write(vs_context *context, const char *path, const char *name, const char *note,
                        const vs_table_column *column, int columns, int64_t rows) {
    if (!context || !path || !name || !*name || columns < 1 || rows < 0 || !column)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_table_write: an argument is null, empty or negative");
    table t = {.context = context, .column = column, .columns = columns, .rows = rows};
    vs_output_file *file = NULL;
    vs_arena_init(&t.arena, context);
    vs_error error = check(context, column, columns);
    if (!error)
        error = pack(&t);
    if (!error)
        error = vs_output_file_create(context, path, &file);
    if (!error)
        error = write_file(&t, vs_output_file_get_path(file), name, note ? note : "");
    if (!error)
        error = vs_output_file_commit(file);
    vs_output_file_destroy(file);
    error = vs_file_blame(context, error, path);
    vs_arena_release(&t.arena);
    return error;
}

// ---- reading ----------------------------------------------------------------------------------------------

static bool add_name(hid_t type, int column, vs_table_info *info) {
    char *name = H5Tget_member_name(type, (unsigned)column);
    const size_t used = strlen(info->names), length = name ? strlen(name) : 0;
    if (name && used + length + 2 <= sizeof info->names) {
        (void)memcpy(info->names + used, name, length);
        (void)memcpy(info->names + used + length, "\n", 2);
    }
    const bool good = name != NULL;
    (void)H5free_memory(name);
    return good;
}

static bool read_sizes(hid_t dataset, vs_table_info *info) {
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    hsize_t rows = 0;
    bool good = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_COMPOUND &&
                H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &rows, NULL) == 1;
    info->rows = (int64_t)rows;
    info->columns = good ? H5Tget_nmembers(type) : 0;
    for (int k = 0; k < info->columns && good; k++)
        good = add_name(type, k, info);
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
    return good;
}

vs_error vs_table_read_info(vs_context *context, const char *path, const char *name, vs_table_info *info) {
    if (!context || !path || !name || !info)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_table_read_info: an argument is null");
    *info = (vs_table_info){0};
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = file >= 0 ? H5Dopen2(file, name, H5P_DEFAULT) : -1;
    vs_error error = VS_OK;
    if (file < 0)
        error = vs_fail(context, VS_ERROR_IO, "is not an HDF5 file or cannot be opened");
    else if (dataset < 0 || !read_sizes(dataset, info))
        error = vs_fail(context, VS_ERROR_DATA, "has no table %s", name);
    if (dataset >= 0)
        (void)H5Dclose(dataset);
    if (file >= 0)
        (void)H5Fclose(file);
    vs_h5_silence_end(&silence);
    return vs_file_blame(context, error, path);
}
