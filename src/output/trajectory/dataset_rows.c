// Rows of extendible datasets: one unlimited dimension, chunks of about CHUNK_BYTES, no filters.
//
// Appending sets the extent and then writes; readers see the new rows after vs_dataset_rows_flush(). Nothing is compressed:
// compression gains a few percent on states of moving bodies and costs more time than a step of a small scene.
#include "output/trajectory/dataset_rows.h"

#include <string.h>

enum {
    CHUNK_BYTES = 1 << 16,
    CHUNK_ROWS_MOST = 1024,
    CHUNK_BLOCKS_MOST = 1 << 20,
    COMPRESSION_LIMIT = 1100,
    PATH_SIZE = 64
};

size_t vs_number_size(vs_number number) {
    return number == VS_NUMBER_INT ? sizeof(int) : 8;
}

static hid_t memory_type(vs_number number) {
    return number == VS_NUMBER_DOUBLE ? H5T_NATIVE_DOUBLE : number == VS_NUMBER_INT ? H5T_NATIVE_INT : H5T_NATIVE_INT64;
}

static hid_t file_type(vs_number number) {
    return number == VS_NUMBER_DOUBLE ? H5T_IEEE_F64LE : number == VS_NUMBER_INT ? H5T_STD_I32LE : H5T_STD_I64LE;
}

static vs_error fail_write(vs_context *context, const char *path) {
    return vs_fail(context, VS_ERROR_IO, "%s could not be written", path);
}

static vs_dataset_rows make_rows(const vs_h5_group *root, const vs_dataset_rows_def *def) {
    vs_dataset_rows rows = {.context = root->context, .def = *def, .dataset = -1};
    rows.row_bytes = vs_number_size(def->number);
    for (int k = 0; k < def->rank - 1; k++)
        rows.row_bytes *= (size_t)def->inner[k];
    return rows;
}

// ---- creating -------------------------------------------------------------------------------------------

// Whole rows if they are small; a row of very many bodies is divided into equal parts.
static void choose_chunk(const vs_dataset_rows *rows, hsize_t chunk[3]) {
    const vs_dataset_rows_def *def = &rows->def;
    const size_t bytes = rows->row_bytes ? rows->row_bytes : 1;
    const size_t fit = CHUNK_BYTES / bytes;
    chunk[0] = fit < 1 ? 1 : fit > CHUNK_ROWS_MOST ? CHUNK_ROWS_MOST : fit;
    for (int k = 0; k < def->rank - 1; k++)
        chunk[k + 1] = def->inner[k] > 0 ? (hsize_t)def->inner[k] : 1;
    if (def->rank > 1 && chunk[1] > CHUNK_BLOCKS_MOST) {
        const hsize_t parts = (chunk[1] + CHUNK_BLOCKS_MOST - 1) / CHUNK_BLOCKS_MOST;
        chunk[1] = (chunk[1] + parts - 1) / parts;
    }
}

static bool write_unit(hid_t dataset, const char *unit) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), attribute = -1;
    bool good = type >= 0 && space >= 0 && H5Tset_size(type, strlen(unit) + 1) >= 0;
    if (good)
        attribute = H5Acreate2(dataset, "unit", type, space, H5P_DEFAULT, H5P_DEFAULT);
    good = good && attribute >= 0 && H5Awrite(attribute, type, unit) >= 0;
    if (attribute >= 0)
        (void)H5Aclose(attribute);
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
    return good;
}

vs_error vs_dataset_rows_create(const vs_h5_group *root, const vs_dataset_rows_def *def, vs_dataset_rows *rows) {
    *rows = make_rows(root, def);
    hsize_t size[3] = {0}, most[3] = {H5S_UNLIMITED}, chunk[3];
    choose_chunk(rows, chunk);
    // A chunk must not exceed a fixed dimension: without bodies it has room for one.
    for (int k = 1; k < def->rank; k++) {
        size[k] = (hsize_t)def->inner[k - 1];
        most[k] = size[k] ? size[k] : 1;
    }
    hid_t space = H5Screate_simple(def->rank, size, most), list = H5Pcreate(H5P_DATASET_CREATE);
    if (space >= 0 && list >= 0 && H5Pset_chunk(list, def->rank, chunk) >= 0 &&
        H5Pset_obj_track_times(list, false) >= 0)
        rows->dataset = H5Dcreate2(root->id, def->path, file_type(def->number), space, H5P_DEFAULT, list, H5P_DEFAULT);
    const bool good = rows->dataset >= 0 && write_unit(rows->dataset, def->unit);
    if (list >= 0)
        (void)H5Pclose(list);
    if (space >= 0)
        (void)H5Sclose(space);
    return good ? VS_OK : fail_write(root->context, def->path);
}

// ---- opening --------------------------------------------------------------------------------------------

static bool has_class(hid_t dataset, vs_number number) {
    hid_t type = H5Dget_type(dataset);
    const bool yes = type >= 0 && H5Tget_class(type) == (number == VS_NUMBER_DOUBLE ? H5T_FLOAT : H5T_INTEGER) &&
                     H5Tget_size(type) <= 8;
    if (type >= 0)
        (void)H5Tclose(type);
    return yes;
}

// Stored in this file, and extendible if requested?
static bool is_inside(hid_t dataset, bool chunked) {
    hid_t list = H5Dget_create_plist(dataset);
    const H5D_layout_t layout = list >= 0 ? H5Pget_layout(list) : H5D_LAYOUT_ERROR;
    const bool yes = layout == H5D_CHUNKED || (!chunked && (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) &&
                                               H5Pget_external_count(list) == 0);
    if (list >= 0)
        (void)H5Pclose(list);
    return yes;
}

// Every step of the path is a hard link: soft and external links could lead out of the file.
static bool is_hard(const vs_h5_group *root, const char *path) {
    char part[PATH_SIZE];
    const size_t length = strlen(path);
    if (length >= sizeof part)
        return false;
    for (size_t k = 1; k <= length; k++) {
        if (path[k] != '/' && path[k] != 0)
            continue;
        (void)memcpy(part, path, k);
        part[k] = 0;
        H5L_info_t info;
        if (H5Lget_info(root->id, part, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

// Opens a dataset with numbers of this kind.
static vs_error open_dataset(const vs_h5_group *root, const char *path, vs_number number, bool chunked,
                             hid_t *dataset) {
    vs_context *context = root->context;
    *dataset = is_hard(root, path) ? H5Dopen2(root->id, path, H5P_DEFAULT) : -1;
    if (*dataset < 0)
        return vs_fail(context, VS_ERROR_DATA, "%s is missing or damaged", path);
    if (!has_class(*dataset, number))
        return vs_fail(context, VS_ERROR_DATA, "%s does not hold %s", path,
                       number == VS_NUMBER_DOUBLE ? "floating-point numbers" : "integers");
    if (!is_inside(*dataset, chunked))
        return vs_fail(context, VS_ERROR_DATA, "%s %s", path,
                       chunked ? "is not extendible" : "is stored outside this file");
    return VS_OK;
}

// Dimensions, -1 if there are more than `most`.
static int get_sizes(hid_t dataset, int most, hsize_t *size) {
    hid_t space = H5Dget_space(dataset);
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if (rank > most || (rank > 0 && H5Sget_simple_extent_dims(space, size, NULL) != rank))
        rank = -1;
    if (space >= 0)
        (void)H5Sclose(space);
    return rank;
}

// Compression gains a factor of COMPRESSION_LIMIT at most: memory stays bounded by the size of the file.
static vs_error check_claim(const vs_h5_group *root, const char *path, hsize_t rows, size_t row_bytes) {
    if ((double)rows * (double)row_bytes <= (double)COMPRESSION_LIMIT * (double)root->file_bytes)
        return VS_OK;
    return vs_fail(root->context, VS_ERROR_DATA, "%s declares %llu rows, more than the file can contain", path,
                   (unsigned long long)rows);
}

vs_error vs_dataset_rows_open(const vs_h5_group *root, const vs_dataset_rows_def *def, vs_dataset_rows *rows) {
    *rows = make_rows(root, def);
    vs_error error = open_dataset(root, def->path, def->number, true, &rows->dataset);
    if (error)
        return error;
    hsize_t size[3] = {0};
    bool good = get_sizes(rows->dataset, 3, size) == def->rank;
    for (int k = 1; good && k < def->rank; k++)
        good = size[k] == (hsize_t)def->inner[k - 1];
    if (!good)
        return vs_fail(root->context, VS_ERROR_DATA, "%s does not match the sizes of this trajectory", def->path);
    rows->rows = (int64_t)size[0];
    return check_claim(root, def->path, size[0], rows->row_bytes ? rows->row_bytes : 1);
}

void vs_dataset_rows_close(vs_dataset_rows *rows) {
    if (rows->dataset > 0)
        (void)H5Dclose(rows->dataset);
    rows->dataset = -1;
}

// ---- rows in and out ------------------------------------------------------------------------------------

static bool set_rows(const vs_dataset_rows *rows, int64_t count) {
    const hsize_t size[3] = {(hsize_t)count, (hsize_t)rows->def.inner[0], (hsize_t)rows->def.inner[1]};
    return H5Dset_extent(rows->dataset, size) >= 0;
}

// Selects rows in the file and the same number of them in memory, then reads or writes.
static bool transfer(const vs_dataset_rows *rows, int64_t first, int64_t count, void *in, const void *out) {
    const int rank = rows->def.rank;
    const hsize_t start[3] = {(hsize_t)first, 0, 0};
    const hsize_t size[3] = {(hsize_t)count, (hsize_t)rows->def.inner[0], (hsize_t)rows->def.inner[1]};
    hid_t file = H5Dget_space(rows->dataset), memory = H5Screate_simple(rank, size, NULL);
    bool good = file >= 0 && memory >= 0 && H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
    const hid_t type = memory_type(rows->def.number);
    if (good)
        good = (out ? H5Dwrite(rows->dataset, type, memory, file, H5P_DEFAULT, out)
                    : H5Dread(rows->dataset, type, memory, file, H5P_DEFAULT, in)) >= 0;
    if (memory >= 0)
        (void)H5Sclose(memory);
    if (file >= 0)
        (void)H5Sclose(file);
    return good;
}

vs_error vs_dataset_rows_append(vs_dataset_rows *rows, int64_t count, const void *data) {
    if (count == 0)
        return VS_OK;
    if (!set_rows(rows, rows->rows + count))
        return fail_write(rows->context, rows->def.path);
    if (rows->row_bytes > 0 && !transfer(rows, rows->rows, count, NULL, data))
        return fail_write(rows->context, rows->def.path);
    rows->rows += count;
    return VS_OK;
}

vs_error vs_dataset_rows_read(const vs_dataset_rows *rows, int64_t first, int64_t count, void *data) {
    if (count == 0 || rows->row_bytes == 0)
        return VS_OK;
    if (first < 0 || count < 0 || first > rows->rows - count)
        return vs_fail(rows->context, VS_ERROR_DATA, "%s has %lld rows, not %lld", rows->def.path,
                       (long long)rows->rows, (long long)first + (long long)count);
    if (!transfer(rows, first, count, data, NULL))
        return vs_fail(rows->context, VS_ERROR_IO, "%s could not be read", rows->def.path);
    return VS_OK;
}

vs_error vs_dataset_rows_cut(vs_dataset_rows *rows, int64_t count) {
    if (rows->rows <= count)
        return VS_OK;
    if (!set_rows(rows, count))
        return fail_write(rows->context, rows->def.path);
    rows->rows = count;
    return VS_OK;
}

vs_error vs_dataset_rows_flush(const vs_dataset_rows *rows) {
    return H5Dflush(rows->dataset) < 0 ? fail_write(rows->context, rows->def.path) : VS_OK;
}

// ---- tables of fixed size ---------------------------------------------------------------------------------

vs_error vs_h5_group_make_timeless(const vs_h5_group *root, const char *path) {
    hid_t group = -1, list = H5Pcreate(H5P_GROUP_CREATE);
    if (list >= 0 && H5Pset_obj_track_times(list, false) >= 0)
        group = H5Gcreate2(root->id, path, H5P_DEFAULT, list, H5P_DEFAULT);
    if (list >= 0)
        (void)H5Pclose(list);
    if (group < 0 || H5Gclose(group) < 0)
        return fail_write(root->context, path);
    return VS_OK;
}

static vs_error write_fixed(const vs_h5_group *root, const char *path, hid_t type, hid_t stored, int rank,
                            const hsize_t size[2], const void *data) {
    hid_t dataset = -1, space = H5Screate_simple(rank, size, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    bool good = space >= 0 && list >= 0 && H5Pset_obj_track_times(list, false) >= 0;
    if (good)
        dataset = H5Dcreate2(root->id, path, stored, space, H5P_DEFAULT, list, H5P_DEFAULT);
    good = good && dataset >= 0;
    if (good && size[0] > 0 && size[1] > 0)
        good = H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (dataset >= 0)
        good = H5Dclose(dataset) >= 0 && good;
    if (list >= 0)
        (void)H5Pclose(list);
    if (space >= 0)
        (void)H5Sclose(space);
    return good ? VS_OK : fail_write(root->context, path);
}

vs_error vs_h5_write_table(const vs_h5_group *root, const char *path, vs_number number, int64_t count, int width,
                           const void *data) {
    const hsize_t size[2] = {(hsize_t)count, (hsize_t)width};
    return write_fixed(root, path, memory_type(number), file_type(number), width == 1 ? 1 : 2, size, data);
}

vs_error vs_h5_read_table(const vs_h5_group *root, const char *path, vs_number number, int width, vs_arena *arena,
                          int64_t *count, void **data) {
    *data = NULL;
    hid_t dataset = -1;
    hsize_t size[2] = {0, 1};
    const size_t row_bytes = (size_t)width * vs_number_size(number);
    vs_error error = open_dataset(root, path, number, false, &dataset);
    if (!error && (get_sizes(dataset, 2, size) != (width == 1 ? 1 : 2) || size[1] != (hsize_t)width ||
                   (*count >= 0 && size[0] != (hsize_t)*count)))
        error = vs_fail(root->context, VS_ERROR_DATA, "%s does not match the sizes of this trajectory", path);
    if (!error)
        error = check_claim(root, path, size[0], row_bytes);
    if (!error && !(*data = vs_arena_allocate(arena, (int64_t)size[0], row_bytes)))
        error = VS_ERROR_MEMORY;
    if (!error && size[0] > 0 && H5Dread(dataset, memory_type(number), H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) < 0)
        error = vs_fail(root->context, VS_ERROR_IO, "%s could not be read", path);
    if (dataset >= 0)
        (void)H5Dclose(dataset);
    if (!error)
        *count = (int64_t)size[0];
    return error;
}

vs_error vs_h5_write_names(const vs_h5_group *root, const char *path, int64_t count, size_t room, const char *text) {
    const hsize_t size[2] = {(hsize_t)count, 1};
    hid_t type = H5Tcopy(H5T_C_S1);
    vs_error error = VS_OK;
    if (type < 0 || H5Tset_size(type, room) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
        H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)
        error = fail_write(root->context, path);
    if (!error)
        error = write_fixed(root, path, type, type, 1, size, text);
    if (type >= 0)
        (void)H5Tclose(type);
    return error;
}

vs_error vs_h5_read_names(const vs_h5_group *root, const char *path, int64_t count, vs_arena *arena, size_t *room,
                          char **text) {
    enum { LONGEST = 4096 };
    hsize_t size[1] = {0};
    bool good = false, memory = true;
    hid_t dataset = is_hard(root, path) ? H5Dopen2(root->id, path, H5P_DEFAULT) : -1;
    hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
    *text = NULL;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        (*room = H5Tget_size(type)) > 0 && *room <= LONGEST && get_sizes(dataset, 1, size) == 1 &&
        size[0] == (hsize_t)count) {
        *text = VS_NEW(arena, char, count *(int64_t)*room);
        memory = *text != NULL;
        good = memory && (count == 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0);
    }
    if (type >= 0)
        (void)H5Tclose(type);
    if (dataset >= 0)
        (void)H5Dclose(dataset);
    if (!memory)
        return VS_ERROR_MEMORY;
    return good ? VS_OK : vs_fail(root->context, VS_ERROR_DATA, "%s is missing or damaged", path);
}

bool vs_h5_same_names(const vs_h5_group *root, const char *path, int64_t count, size_t room, const char *text,
                      vs_arena *arena) {
    hsize_t size[1] = {0};
    bool same = false;
    hid_t dataset = is_hard(root, path) ? H5Dopen2(root->id, path, H5P_DEFAULT) : -1;
    hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
    char *found = VS_NEW(arena, char, count *(int64_t)room);
    if (found && type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Tget_size(type) == room && get_sizes(dataset, 1, size) == 1 && size[0] == (hsize_t)count)
        same = count == 0 || (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0 &&
                              memcmp(found, text, (size_t)count * room) == 0);
    if (type >= 0)
        (void)H5Tclose(type);
    if (dataset >= 0)
        (void)H5Dclose(dataset);
    return same;
}
