// Reading and writing single datasets.
//
// A dataset is read only after its class, rank and size were checked: numbers of the right class, at most one
// dimension, stored in this file by a hard link (no external files, no links to elsewhere), and no more of them than
// the bytes of the file can hold. Compression by deflate gains a factor of at most 1032, which bounds the memory by the
// size of the file. HDF5 itself is trusted to read its own structures.
#include "hdf5/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COMPRESSION_LIMIT = 1100, NAME_SIZE = 128 };

void vs_h5_silence_begin(vs_h5_silence *silence) {
    // Fails if the user set a handler through HDF5's old interface, which then stays.
    silence->changed = H5Eget_auto2(H5E_DEFAULT, &silence->function, &silence->data) >= 0 &&
                       H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0;
}

void vs_h5_silence_end(const vs_h5_silence *silence) {
    if (silence->changed)
        (void)H5Eset_auto2(H5E_DEFAULT, silence->function, silence->data);
}

// "fclib_global/M/p"
static const char *full_name(const vs_h5_group *group, const char *name, char text[NAME_SIZE]) {
    (void)snprintf(text, NAME_SIZE, "%s%s%s", group->path, group->path[0] ? "/" : "", name);
    return text;
}

// ---- groups ---------------------------------------------------------------------------------------------

vs_error vs_h5_root_open(vs_context *context, hid_t file, vs_h5_group *root) {
    *root = (vs_h5_group){.context = context, .id = -1};
    if (H5Fget_filesize(file, &root->file_bytes) < 0 || (root->id = H5Gopen2(file, "/", H5P_DEFAULT)) < 0)
        return vs_fail(context, VS_ERROR_IO, "the root group of the file could not be opened");
    return VS_OK;
}

void vs_h5_group_close(vs_h5_group *group) {
    if (group->id >= 0)
        (void)H5Gclose(group->id);
    group->id = -1;
}

bool vs_h5_has(const vs_h5_group *group, const char *name) {
    return H5Lexists(group->id, name, H5P_DEFAULT) > 0;
}

// The name exists and is a hard link: soft and external links could lead out of the file.
static vs_error check_link(const vs_h5_group *group, const char *name) {
    char text[NAME_SIZE];
    H5L_info_t info;
    if (!vs_h5_has(group, name))
        return vs_fail(group->context, VS_ERROR_DATA, "%s is missing", full_name(group, name, text));
    if (H5Lget_info(group->id, name, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD)
        return vs_fail(group->context, VS_ERROR_DATA, "%s is a soft or external link; store the object itself",
                       full_name(group, name, text));
    return VS_OK;
}

vs_error vs_h5_group_open(const vs_h5_group *parent, const char *name, bool optional, vs_h5_group *group) {
    *group = (vs_h5_group){.context = parent->context, .id = -1, .file_bytes = parent->file_bytes};
    char text[NAME_SIZE];
    (void)snprintf(group->path, sizeof group->path, "%.79s", full_name(parent, name, text));
    if (optional && !vs_h5_has(parent, name))
        return VS_OK;
    vs_error error = check_link(parent, name);
    if (!error && (group->id = H5Gopen2(parent->id, name, H5P_DEFAULT)) < 0)
        error = vs_fail(parent->context, VS_ERROR_DATA, "%s is not a group", text);
    return error;
}

// ---- reading --------------------------------------------------------------------------------------------

// Entries of the dataset: one dimension or a scalar; -1 on failure, -2 for more dimensions.
static int64_t count_entries(hid_t dataset) {
    hid_t space = H5Dget_space(dataset);
    if (space < 0)
        return -1;
    hsize_t size = 0;
    int64_t count = -1;
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank > 1)
        count = -2;
    else if (rank == 1 && H5Sget_simple_extent_dims(space, &size, NULL) == 1 && size <= INT64_MAX)
        count = (int64_t)size;
    else if (rank == 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR)
        count = 1;
    (void)H5Sclose(space);
    return count;
}

static bool is_class(hid_t dataset, H5T_class_t wanted, size_t *size) {
    hid_t type = H5Dget_type(dataset);
    if (type < 0)
        return false;
    const bool yes = H5Tget_class(type) == wanted;
    *size = H5Tget_size(type);
    (void)H5Tclose(type);
    return yes && *size > 0;
}

// Stored inside this file, in the dataset itself?
static bool is_inside(hid_t dataset) {
    hid_t list = H5Dget_create_plist(dataset);
    if (list < 0)
        return false;
    const H5D_layout_t layout = H5Pget_layout(list);
    const bool yes = (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) &&
                     H5Pget_external_count(list) == 0;
    (void)H5Pclose(list);
    return yes;
}

// Class, rank, place and size, before anything is allocated.
static vs_error check_dataset(const vs_h5_group *group, const char *name, hid_t dataset, H5T_class_t wanted,
                              int64_t *count) {
    char text[NAME_SIZE];
    vs_context *context = group->context;
    (void)full_name(group, name, text);
    size_t size = 0;
    if (!is_class(dataset, wanted, &size))
        return vs_fail(context, VS_ERROR_DATA, "%s does not hold %s", text,
                       wanted == H5T_INTEGER ? "integers" : "floating-point numbers");
    const int64_t found = count_entries(dataset);
    if (found < 0)
        return vs_fail(context, VS_ERROR_DATA, "%s %s", text,
                       found == -2 ? "has more than one dimension" : "has no readable size");
    if (*count >= 0 && found != *count)
        return vs_fail(context, VS_ERROR_DATA, "%s has %lld entries, not %lld", text, (long long)found,
                       (long long)*count);
    if (!is_inside(dataset))
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "%s is stored outside this file", text);
    const hsize_t stored = H5Dget_storage_size(dataset);
    if (found > 0 && (stored > group->file_bytes || (hsize_t)found / COMPRESSION_LIMIT > stored / size))
        return vs_fail(context, VS_ERROR_DATA, "%s declares %lld entries, but stores only %llu bytes", text,
                       (long long)found, (unsigned long long)stored);
    if (found > 0 && stored == 0)
        return vs_fail(context, VS_ERROR_DATA, "%s was never written", text);
    *count = found;
    return VS_OK;
}

// Entries of 8 bytes each, of the memory type given.
static vs_error read_array(const vs_h5_group *group, const char *name, H5T_class_t wanted, hid_t type, vs_arena *arena,
                           int64_t *count, void **x) {
    *x = NULL;
    vs_error error = check_link(group, name);
    if (error)
        return error;
    char text[NAME_SIZE];
    hid_t dataset = H5Dopen2(group->id, name, H5P_DEFAULT);
    if (dataset < 0)
        return vs_fail(group->context, VS_ERROR_DATA, "%s is not a dataset", full_name(group, name, text));
    error = check_dataset(group, name, dataset, wanted, count);
    if (!error && !(*x = vs_arena_allocate(arena, *count, sizeof(int64_t))))
        error = VS_ERROR_MEMORY;
    if (!error && *count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *x) < 0)
        error = vs_fail(group->context, VS_ERROR_IO, "%s could not be read", full_name(group, name, text));
    (void)H5Dclose(dataset);
    return error;
}

vs_error vs_h5_read_ints(const vs_h5_group *group, const char *name, vs_arena *arena, int64_t *count, int64_t **x) {
    void *data = NULL;
    vs_error error = read_array(group, name, H5T_INTEGER, H5T_NATIVE_INT64, arena, count, &data);
    *x = data;
    return error;
}

vs_error vs_h5_read_keys(const vs_h5_group *group, const char *name, vs_arena *arena, int64_t *count, uint64_t **x) {
    void *data = NULL;
    vs_error error = read_array(group, name, H5T_INTEGER, H5T_NATIVE_UINT64, arena, count, &data);
    *x = data;
    return error;
}

vs_error vs_h5_read_doubles(const vs_h5_group *group, const char *name, vs_arena *arena, int64_t *count, double **x) {
    void *data = NULL;
    vs_error error = read_array(group, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, arena, count, &data);
    *x = data;
    char text[NAME_SIZE];
    for (int64_t k = 0; !error && *x && k < *count; k++)
        if (!isfinite((*x)[k]))
            error = vs_fail(group->context, VS_ERROR_DATA, "%s[%lld] is not finite (%g)", full_name(group, name, text),
                            (long long)k, (*x)[k]);
    return error;
}

vs_error vs_h5_read_int(const vs_h5_group *group, const char *name, int64_t *value) {
    vs_arena arena;
    vs_arena_init(&arena, group->context);
    int64_t count = 1, *x = NULL;
    vs_error error = vs_h5_read_ints(group, name, &arena, &count, &x);
    *value = error || !x ? 0 : x[0];
    vs_arena_release(&arena);
    return error;
}

void vs_h5_read_text(const vs_h5_group *group, const char *name, size_t size, char *text) {
    (void)memset(text, 0, size);
    const hid_t dataset = vs_h5_has(group, name) ? H5Dopen2(group->id, name, H5P_DEFAULT) : -1;
    if (dataset < 0)
        return;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Tget_size(type) < size && H5Sget_simple_extent_npoints(space) == 1 &&
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
        (void)memset(text, 0, size);
    if (type >= 0)
        (void)H5Tclose(type);
    if (space >= 0)
        (void)H5Sclose(space);
    (void)H5Dclose(dataset);
}

// ---- writing --------------------------------------------------------------------------------------------

static vs_error fail_write(const vs_h5_group *group, const char *name) {
    char text[NAME_SIZE];
    return vs_fail(group->context, VS_ERROR_IO, "%s could not be written", full_name(group, name, text));
}

vs_error vs_h5_group_make(const vs_h5_group *parent, const char *name, vs_h5_group *group) {
    *group = (vs_h5_group){.context = parent->context};
    char text[NAME_SIZE];
    (void)snprintf(group->path, sizeof group->path, "%.79s", full_name(parent, name, text));
    group->id = H5Gcreate2(parent->id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group->id < 0 ? fail_write(parent, name) : VS_OK;
}

// A dataset in the given space; without the time of writing, so that equal problems give equal files.
static vs_error write_space(const vs_h5_group *group, const char *name, hid_t type, hid_t stored, hid_t space,
                            bool empty, const void *x) {
    hid_t dataset = -1, list = H5Pcreate(H5P_DATASET_CREATE);
    bool good = list >= 0 && space >= 0 && H5Pset_obj_track_times(list, false) >= 0;
    if (good)
        dataset = H5Dcreate2(group->id, name, stored, space, H5P_DEFAULT, list, H5P_DEFAULT);
    good = good && dataset >= 0 && (empty || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    if (dataset >= 0)
        good = H5Dclose(dataset) >= 0 && good;
    if (list >= 0)
        (void)H5Pclose(list);
    return good ? VS_OK : fail_write(group, name);
}

vs_error vs_h5_write(const vs_h5_group *group, const char *name, hid_t type, hid_t stored, int64_t count,
                     const void *x) {
    const hsize_t size = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    vs_error error = write_space(group, name, type, stored, space, count == 0, x);
    if (space >= 0)
        (void)H5Sclose(space);
    return error;
}

vs_error vs_h5_write_int(const vs_h5_group *group, const char *name, int value) {
    return vs_h5_write(group, name, H5T_NATIVE_INT, H5T_NATIVE_INT, 1, &value);
}

vs_error vs_h5_write_text(const vs_h5_group *group, const char *name, const char *text) {
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    vs_error error = VS_OK;
    if (space < 0 || type < 0 || H5Tset_size(type, strlen(text) + 1) < 0)
        error = fail_write(group, name);
    if (!error)
        error = write_space(group, name, type, type, space, false, text);
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
    return error;
}
