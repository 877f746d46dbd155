// The columns of a trajectory (docs/formats.md): their names, units and sizes; opening, and which frames are complete. Those of
// the report of a step are in the table of its fields (voussoir/report.h).
//
// A frame is complete when every column has its row, offsets have the row that ends it, and contacts and bonds reach that far.
// Time is written last and read first; data beyond the last complete frame is ignored.
#include "base/file.h"
#include "base/path.h"
#include "output/trajectory/trajectory_data.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { READ_ATTEMPTS = 20 };

typedef enum holder { OF_NOTHING, OF_BODIES, OF_JOINTS, OF_NODES, OF_GATES } holder;

static const struct column {
    const char *path, *unit;
    vs_number number;
    holder of; // rank 3: a row has `width` numbers for each of these
    int width;
} table[VS_COLUMNS] = {
    [VS_COLUMN_POSE] = {"state/pose", "m, quaternion w x y z", VS_NUMBER_DOUBLE, OF_BODIES, 7},
    [VS_COLUMN_VELOCITY] = {"state/velocity", "m/s, rad/s", VS_NUMBER_DOUBLE, OF_BODIES, 6},
    [VS_COLUMN_REACTION] = {"joints/reaction", "N, N m", VS_NUMBER_DOUBLE, OF_JOINTS, 6},
    [VS_COLUMN_NODE_POSITION] = {"flexible/position", "m", VS_NUMBER_DOUBLE, OF_NODES, 3},
    [VS_COLUMN_NODE_VELOCITY] = {"flexible/velocity", "m/s", VS_NUMBER_DOUBLE, OF_NODES, 3},
    [VS_COLUMN_NODE_STRESS] = {"flexible/von_mises", "Pa", VS_NUMBER_DOUBLE, OF_NODES, 1},
    [VS_COLUMN_NODE_PRESSURE] = {"flexible/pressure", "Pa", VS_NUMBER_DOUBLE, OF_NODES, 1},
    [VS_COLUMN_GATE_BODIES] = {"gates/bodies", "1", VS_NUMBER_INT64, OF_GATES, 1},
    [VS_COLUMN_GATE_MASS] = {"gates/mass", "kg", VS_NUMBER_DOUBLE, OF_GATES, 1},
    [VS_COLUMN_GATE_ENERGY] = {"gates/energy", "J", VS_NUMBER_DOUBLE, OF_GATES, 1},
    [VS_COLUMN_GATE_WAITING] = {"gates/waiting", "1", VS_NUMBER_INT64, OF_GATES, 1},
    [VS_COLUMN_CONTACT_BODY] = {"contacts/body", "row of /bodies, -1: world", VS_NUMBER_INT, OF_NOTHING, 2},
    [VS_COLUMN_CONTACT_POINT] = {"contacts/point", "m", VS_NUMBER_DOUBLE, OF_NOTHING, 3},
    [VS_COLUMN_CONTACT_NORMAL] = {"contacts/normal", "1", VS_NUMBER_DOUBLE, OF_NOTHING, 3},
    [VS_COLUMN_CONTACT_GAP] = {"contacts/gap", "m", VS_NUMBER_DOUBLE, OF_NOTHING, 1},
    [VS_COLUMN_CONTACT_FRICTION] = {"contacts/friction", "1", VS_NUMBER_DOUBLE, OF_NOTHING, 1},
    [VS_COLUMN_CONTACT_IMPULSE] = {"contacts/impulse", "N s", VS_NUMBER_DOUBLE, OF_NOTHING, 3},
    [VS_COLUMN_CONTACT_VELOCITY] = {"contacts/velocity", "m/s", VS_NUMBER_DOUBLE, OF_NOTHING, 3},
    [VS_COLUMN_CONTACT_MOMENT] = {"contacts/moment", "N m s", VS_NUMBER_DOUBLE, OF_NOTHING, 3},
    [VS_COLUMN_BOND_BODY] = {"bonds/body", "row of /bodies, -1: world", VS_NUMBER_INT, OF_NOTHING, 2},
    [VS_COLUMN_BOND_POINT] = {"bonds/point", "m", VS_NUMBER_DOUBLE, OF_NOTHING, 3},
    [VS_COLUMN_BOND_NORMAL] = {"bonds/normal", "1", VS_NUMBER_DOUBLE, OF_NOTHING, 3},
    [VS_COLUMN_BOND_AREA] = {"bonds/area", "m^2", VS_NUMBER_DOUBLE, OF_NOTHING, 1},
    [VS_COLUMN_BOND_STRENGTH] = {"bonds/strength", "1", VS_NUMBER_DOUBLE, OF_NOTHING, 1},
    [VS_COLUMN_CONTACT_OFFSET] = {"contacts/offset", "row of /contacts", VS_NUMBER_INT64, OF_NOTHING, 1},
    [VS_COLUMN_BOND_OFFSET] = {"bonds/offset", "row of /bonds", VS_NUMBER_INT64, OF_NOTHING, 1},
    [VS_COLUMN_TIME] = {"time", "s", VS_NUMBER_DOUBLE, OF_NOTHING, 1},
};

static vs_dataset_rows_def define_field(int k) {
    const vs_report_field field = vs_report_field_at(k);
    const vs_number number = field.kind == VS_REPORT_REAL  ? VS_NUMBER_DOUBLE
                             : field.kind == VS_REPORT_INT ? VS_NUMBER_INT
                                                           : VS_NUMBER_INT64;
    return (vs_dataset_rows_def){.path = field.column, .unit = field.unit, .number = number, .rank = 1, .inner[0] = 1};
}

static int64_t count_of(const vs_trajectory_file *file, holder of) {
    switch (of) {
    case OF_BODIES:
        return file->bodies;
    case OF_JOINTS:
        return file->joints;
    case OF_NODES:
        return file->nodes;
    case OF_GATES:
        return file->gates;
    case OF_NOTHING:
        break;
    }
    return 1;
}

static vs_dataset_rows_def define(const vs_trajectory_file *file, int k) {
    if (vs_column_field(k) >= 0)
        return define_field(vs_column_field(k));
    const struct column *column = &table[k];
    vs_dataset_rows_def def = {.path = column->path, .unit = column->unit, .number = column->number};
    if (column->of == OF_NOTHING) {
        def.rank = column->width == 1 ? 1 : 2;
        def.inner[0] = column->width;
    } else {
        def.rank = column->width == 1 ? 2 : 3;
        def.inner[0] = count_of(file, column->of);
        def.inner[1] = column->width;
    }
    return def;
}

// ---- files ----------------------------------------------------------------------------------------------

// Closing the file closes its objects. The format is fixed: newer libraries write the same bytes.
// Readers retry when they find a half-written piece, but not for minutes if the file is damaged.
static hid_t make_access(void) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0 && (H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) < 0 ||
                      H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0 ||
                      H5Pset_metadata_read_attempts(list, READ_ATTEMPTS) < 0)) {
        (void)H5Pclose(list);
        list = -1;
    }
    return list;
}

vs_error vs_trajectory_file_create(vs_context *context, const char *path, vs_trajectory_file *file) {
    *file = (vs_trajectory_file){.context = context, .id = -1, .root.id = -1};
    hid_t access = make_access(), create = H5Pcreate(H5P_FILE_CREATE);
    if (access >= 0 && create >= 0 && vs_driver_use_unlocked(context, access, &file->driver) &&
        H5Pset_obj_track_times(create, false) >= 0)
        file->id = H5Fcreate(path, H5F_ACC_TRUNC, create, access);
    if (create >= 0)
        (void)H5Pclose(create);
    if (access >= 0)
        (void)H5Pclose(access);
    if (file->id < 0)
        return vs_fail(context, VS_ERROR_IO, "cannot be created");
    return vs_h5_root_open(context, file->id, &file->root);
}

// Time first: all other columns reach at least as far, even while it is being written.
static vs_error open_columns(vs_trajectory_file *file) {
    vs_error error = VS_OK;
    for (int k = VS_COLUMNS - 1; !error && k >= 0; k--) {
        if (!vs_column_exists(file, k))
            continue;
        const vs_dataset_rows_def def = define(file, k);
        error = vs_dataset_rows_open(&file->root, &def, &file->column[k]);
    }
    return error;
}

// Columns of later versions may be missing.
static void find_fields(vs_trajectory_file *file) {
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field field = vs_report_field_at(k);
        file->field[k] = field.column && (!field.later || H5Lexists(file->root.id, field.column, H5P_DEFAULT) > 0);
    }
}

static vs_error read_counts(vs_trajectory_file *file) {
    vs_arena arena;
    vs_arena_init(&arena, file->context);
    void *data = NULL;
    int64_t one = 1, bodies = -1, joints = -1;
    vs_error error = vs_h5_read_table(&file->root, "meta/format", VS_NUMBER_INT, 1, &arena, &one, &data);
    if (!error && *(int *)data != VS_TRAJECTORY_FORMAT)
        error = vs_fail(file->context, VS_ERROR_UNSUPPORTED, "has format %d; this version reads only %d", *(int *)data,
                        VS_TRAJECTORY_FORMAT);
    if (!error)
        error = vs_h5_read_table(&file->root, "bodies/motion", VS_NUMBER_INT, 1, &arena, &bodies, &data);
    if (!error)
        error = vs_h5_read_table(&file->root, "joints/kind", VS_NUMBER_INT, 1, &arena, &joints, &data);
    file->bodies = bodies;
    file->joints = joints;
    find_fields(file);
    file->moments = !error && H5Lexists(file->root.id, "contacts/moment", H5P_DEFAULT) > 0;
    file->bonds = !error && H5Lexists(file->root.id, "bonds", H5P_DEFAULT) > 0;
    int64_t solids = -1, nodes = -1;
    if (!error && H5Lexists(file->root.id, "flexible", H5P_DEFAULT) > 0) {
        error = vs_h5_read_table(&file->root, "flexible/element_nodes", VS_NUMBER_INT, 1, &arena, &solids, &data);
        if (!error)
            error = vs_h5_read_table(&file->root, "flexible/rest", VS_NUMBER_DOUBLE, 3, &arena, &nodes, &data);
        file->solids = solids;
        file->nodes = nodes;
    }
    int64_t gates = -1;
    if (!error && H5Lexists(file->root.id, "gates", H5P_DEFAULT) > 0) {
        error = vs_h5_read_table(&file->root, "gates/sink", VS_NUMBER_INT, 1, &arena, &gates, &data);
        file->gates = gates;
    }
    vs_arena_release(&arena);
    return error;
}

// A file that is being written, or was left so, must be opened for SWMR reading.
static hid_t open_for_reading(const char *path, hid_t access) {
    // A file that the program has open with HDF5's defaults, as h5py does, cannot be opened with another degree.
    static const H5F_close_degree_t degree[] = {H5F_CLOSE_STRONG, H5F_CLOSE_WEAK};
    hid_t id = -1;
    for (int k = 0; k < 2 && id < 0; k++) {
        if (H5Pset_fclose_degree(access, degree[k]) < 0)
            return -1;
        id = H5Fopen(path, H5F_ACC_RDONLY, access);
        if (id < 0)
            id = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    }
    return id;
}

// Was the writer killed, so that the file can be read only through its journal?
static bool is_half_written(const char *path) {
    const int descriptor = vs_file_open(path, O_RDONLY);
    const bool yes = descriptor >= 0 && vs_journal_is_left(descriptor) && !vs_file_is_locked(descriptor);
    vs_file_unlock(descriptor);
    return yes;
}

vs_error vs_trajectory_file_open(vs_context *context, const char *path, bool write, vs_trajectory_file *file) {
    *file = (vs_trajectory_file){.context = context, .id = -1, .root.id = -1};
    hid_t list = make_access();
    const vs_driver_hold hold = write ? VS_DRIVER_HOLD_ALL : VS_DRIVER_HOLD_NOTHING;
    if (list >= 0 && (!(write || is_half_written(path)) || vs_driver_use(context, list, hold, &file->driver)))
        file->id = write ? H5Fopen(path, H5F_ACC_RDWR, list) : open_for_reading(path, list);
    if (list >= 0)
        (void)H5Pclose(list);
    if (file->id < 0)
        return !vs_path_is_open_to_us(path, write)
                   ? vs_fail(context, VS_ERROR_IO, "cannot be opened: %s", strerror(errno))
                   : vs_fail(context, VS_ERROR_IO, "is not an HDF5 file or is damaged");
    vs_error error = vs_h5_root_open(context, file->id, &file->root);
    if (!error)
        error = read_counts(file);
    if (!error)
        error = open_columns(file);
    return error;
}

vs_error vs_trajectory_file_close(vs_trajectory_file *file) {
    for (int k = 0; k < VS_COLUMNS; k++)
        vs_dataset_rows_close(&file->column[k]);
    if (file->root.id > 0)
        vs_h5_group_close(&file->root);
    const bool good = file->id <= 0 || H5Fclose(file->id) >= 0;
    file->id = -1;
    return good ? vs_driver_check(file->context, &file->driver)
                : vs_fail(file->context, VS_ERROR_IO, "could not be written completely");
}

// ---- columns --------------------------------------------------------------------------------------------

vs_error vs_columns_create(vs_trajectory_file *file) {
    static const char *const groups[] = {"state", "solver", "energy", "contacts"};
    const int64_t zero = 0;
    file->moments = true;
    for (int k = 0; k < vs_report_field_count(); k++)
        file->field[k] = vs_report_field_at(k).column != NULL;
    vs_error error = VS_OK;
    for (size_t k = 0; !error && k < sizeof groups / sizeof groups[0]; k++)
        error = vs_h5_group_make_timeless(&file->root, groups[k]);
    if (!error && file->bonds)
        error = vs_h5_group_make_timeless(&file->root, "bonds");
    for (int k = 0; !error && k < VS_COLUMNS; k++) {
        if (!vs_column_exists(file, k))
            continue;
        const vs_dataset_rows_def def = define(file, k);
        error = vs_dataset_rows_create(&file->root, &def, &file->column[k]);
    }
    if (!error)
        error = vs_dataset_rows_append(&file->column[VS_COLUMN_CONTACT_OFFSET], 1, &zero);
    if (!error && file->bonds)
        error = vs_dataset_rows_append(&file->column[VS_COLUMN_BOND_OFFSET], 1, &zero);
    return error;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// At most *frames, as many as the rows of a list are there for.
static vs_error limit_by_list(const vs_trajectory_file *file, const vs_column_list *list, int64_t *frames) {
    const vs_dataset_rows *offset = &file->column[list->offset];
    int64_t rows = INT64_MAX, end = 0;
    for (int k = list->first; k <= list->last; k++)
        if (vs_column_exists(file, k))
            rows = least(rows, file->column[k].rows);
    *frames = least(*frames, offset->rows - 1);
    if (*frames < 0)
        return vs_fail(file->context, VS_ERROR_DATA, "%s has no rows", offset->def.path);
    vs_error error = vs_dataset_rows_read(offset, *frames, 1, &end);
    while (!error && *frames > 0 && (end < 0 || end > rows))
        error = vs_dataset_rows_read(offset, --*frames, 1, &end);
    if (!error && *frames == 0 && end != 0)
        error = vs_fail(file->context, VS_ERROR_DATA, "%s must begin with 0", offset->def.path);
    return error;
}

vs_error vs_columns_complete(const vs_trajectory_file *file, int64_t *frames) {
    int64_t count = INT64_MAX;
    *frames = 0;
    for (int k = 0; k < VS_COLUMNS; k++)
        if (vs_column_exists(file, k) && !vs_column_list_of(k) && !vs_column_is_offset(k))
            count = least(count, file->column[k].rows);
    vs_error error = limit_by_list(file, &vs_column_contacts, &count);
    if (!error && file->bonds)
        error = limit_by_list(file, &vs_column_bonds, &count);
    *frames = error ? 0 : count;
    return error;
}

vs_error vs_columns_cut(vs_trajectory_file *file, int64_t frames) {
    int64_t contacts = 0, bonds = 0;
    vs_error error = vs_dataset_rows_read(&file->column[VS_COLUMN_CONTACT_OFFSET], frames, 1, &contacts);
    if (!error && file->bonds)
        error = vs_dataset_rows_read(&file->column[VS_COLUMN_BOND_OFFSET], frames, 1, &bonds);
    // Time first: an interrupted truncation leaves no time without its frame.
    for (int k = VS_COLUMNS - 1; !error && k >= 0; k--) {
        const vs_column_list *list = vs_column_list_of(k);
        const int64_t rows = list == &vs_column_contacts ? contacts : list ? bonds : frames + vs_column_is_offset(k);
        if (vs_column_exists(file, k))
            error = vs_dataset_rows_cut(&file->column[k], rows);
    }
    return error;
}

vs_error vs_columns_contacts(const vs_trajectory_file *file, int64_t frame, int64_t range[2]) {
    vs_error error = vs_dataset_rows_read(&file->column[VS_COLUMN_CONTACT_OFFSET], frame, 2, range);
    if (!error && (range[0] < 0 || range[1] < range[0] || range[1] > file->column[VS_COLUMN_CONTACT_GAP].rows))
        error = vs_fail(file->context, VS_ERROR_DATA, "contacts/offset is invalid at frame %lld", (long long)frame);
    return error;
}
