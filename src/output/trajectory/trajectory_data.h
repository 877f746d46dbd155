// Internals of a trajectory file: its columns, constant data, and opening.
#ifndef VS_OUTPUT_TRAJECTORY_DATA_H
#define VS_OUTPUT_TRAJECTORY_DATA_H

#include "body/flexible_data.h"
#include "hdf5/driver.h"
#include "output/trajectory/dataset_rows.h"
#include "voussoir/report.h"
#include "voussoir/trajectory.h"

#define VS_TRAJECTORY_FORMAT 1 // meta/format

// Columns, in the order in which they are written: a reader that sees a time sees all of its frame.
typedef enum vs_column {
    VS_COLUMN_POSE,
    VS_COLUMN_VELOCITY,
    VS_COLUMN_REACTION,
    VS_COLUMN_NODE_POSITION, // of flexible solids, only if there are any, from here …
    VS_COLUMN_NODE_VELOCITY,
    VS_COLUMN_NODE_STRESS,
    VS_COLUMN_NODE_PRESSURE, // … to here
    VS_COLUMN_GATE_BODIES,   // of factories and sinks, only if there are any, from here …
    VS_COLUMN_GATE_MASS,
    VS_COLUMN_GATE_ENERGY,
    VS_COLUMN_GATE_WAITING, // … to here
    VS_COLUMN_REPORT,       // of the fields of a report that have one, in the order of their table, from here …
    VS_COLUMN_CONTACT_BODY = VS_COLUMN_REPORT + VS_REPORT_FIELDS_MOST, // … to before here
    VS_COLUMN_CONTACT_POINT,
    VS_COLUMN_CONTACT_NORMAL,
    VS_COLUMN_CONTACT_GAP,
    VS_COLUMN_CONTACT_FRICTION,
    VS_COLUMN_CONTACT_IMPULSE,
    VS_COLUMN_CONTACT_VELOCITY,
    VS_COLUMN_CONTACT_MOMENT,
    VS_COLUMN_BOND_BODY, // of bonds, only in worlds with mortar, from here …
    VS_COLUMN_BOND_POINT,
    VS_COLUMN_BOND_NORMAL,
    VS_COLUMN_BOND_AREA,
    VS_COLUMN_BOND_STRENGTH,  // … to here, and their offset
    VS_COLUMN_CONTACT_OFFSET, // one row more than frames
    VS_COLUMN_BOND_OFFSET,    // likewise
    VS_COLUMN_TIME,
    VS_COLUMNS
} vs_column;

// Columns with as many rows in a frame as it has contacts or bonds, and the column of where its rows begin.
typedef struct vs_column_list {
    int first, last, offset;
} vs_column_list;

static const vs_column_list vs_column_contacts = {VS_COLUMN_CONTACT_BODY, VS_COLUMN_CONTACT_MOMENT,
                                                  VS_COLUMN_CONTACT_OFFSET};
static const vs_column_list vs_column_bonds = {VS_COLUMN_BOND_BODY, VS_COLUMN_BOND_STRENGTH, VS_COLUMN_BOND_OFFSET};

// The list that a column belongs to, without its offset; null: it has one row per frame.
static inline const vs_column_list *vs_column_list_of(int column) {
    if (column >= VS_COLUMN_CONTACT_BODY && column <= VS_COLUMN_CONTACT_MOMENT)
        return &vs_column_contacts;
    return column >= VS_COLUMN_BOND_BODY && column <= VS_COLUMN_BOND_STRENGTH ? &vs_column_bonds : NULL;
}

static inline bool vs_column_is_offset(int column) {
    return column == VS_COLUMN_CONTACT_OFFSET || column == VS_COLUMN_BOND_OFFSET;
}

static inline bool vs_column_is_of_bonds(int column) {
    return vs_column_list_of(column) == &vs_column_bonds || column == VS_COLUMN_BOND_OFFSET;
}

static inline bool vs_column_is_of_nodes(int column) {
    return column >= VS_COLUMN_NODE_POSITION && column <= VS_COLUMN_NODE_PRESSURE;
}

static inline bool vs_column_is_of_gates(int column) {
    return column >= VS_COLUMN_GATE_BODIES && column <= VS_COLUMN_GATE_WAITING;
}

// The column of the field at offsetof(vs_step_report, …).
static inline int vs_column_of(size_t field) {
    return VS_COLUMN_REPORT + vs_report_field_find(field);
}

// The field of a report, -1: another column.
static inline int vs_column_field(int column) {
    return column >= VS_COLUMN_REPORT && column < VS_COLUMN_CONTACT_BODY ? column - VS_COLUMN_REPORT : -1;
}

typedef struct vs_trajectory_file {
    vs_context *context;
    hid_t id;         // <= 0: not open
    vs_driver driver; // of files open for writing: do not move this struct while it is open
    vs_h5_group root;
    int64_t bodies, joints;            // nb, nj
    int64_t solids, nodes;             // nf, nn: flexible solids and their nodes; without solids there is no /flexible
    int64_t gates;                     // ng: factories and sinks; without them there is no /gates
    bool moments;                      // has /contacts/moment, which files did not have at first
    bool bonds;                        // has /bonds
    bool field[VS_REPORT_FIELDS_MOST]; // has the column of this field
    vs_dataset_rows column[VS_COLUMNS];
} vs_trajectory_file;

static inline bool vs_column_exists(const vs_trajectory_file *file, int column) {
    if (vs_column_field(column) >= 0)
        return file->field[vs_column_field(column)];
    if (column == VS_COLUMN_CONTACT_MOMENT)
        return file->moments;
    if (vs_column_is_of_bonds(column))
        return file->bonds;
    if (vs_column_is_of_gates(column))
        return file->gates > 0;
    return vs_column_is_of_nodes(column) ? file->solids > 0 : true;
}

// Bodies in /contacts/body and /bodies/collider/body that have no row. Flexible solid k is VS_ROW_FLEXIBLE - k.
enum { VS_ROW_WORLD = -1, VS_ROW_UNKNOWN = -2, VS_ROW_FLEXIBLE = -3 };

// The bodies and joints that a writer records: those that exist when it begins.
typedef struct vs_recorded {
    int bodies, joints;
    int *body, *joint;                            // slots of the world
    uint32_t *body_generation, *joint_generation; //
    int *row;                                     // (slots) of each body slot, VS_ROW_UNKNOWN: none
    int slots;                                    //
    char *body_name, *joint_name;                 // (bodies * body_room), zero-padded
    size_t body_room, joint_room;                 // bytes of the longest name, at least 1
    int solids, nodes;                            // flexible solids, and nodes of all
    int *solid;                                   // (solids) slots of the world
    uint32_t *solid_generation;                   //
    char *solid_name;                             // (solids * solid_room)
    size_t solid_room;                            //
    int gates;                                    // factories and sinks
    char *gate_name;                              // (gates * gate_room)
    size_t gate_room;                             //
} vs_recorded;

// ---- columns.c ------------------------------------------------------------------------------------------

// Opens an existing file: for reading during writing, or for exclusive writing. Close it even after a failure.
vs_error vs_trajectory_file_open(vs_context *context, const char *path, bool write, vs_trajectory_file *file);
// A new file of the latest format with a root group, nothing else; `path` is overwritten.
vs_error vs_trajectory_file_create(vs_context *context, const char *path, vs_trajectory_file *file);
vs_error vs_trajectory_file_close(vs_trajectory_file *file);

// All columns, for file->bodies, file->joints and file->bonds, empty; offsets hold their first zero.
vs_error vs_columns_create(vs_trajectory_file *file);
// Number of complete frames.
vs_error vs_columns_complete(const vs_trajectory_file *file, int64_t *frames);
vs_error vs_columns_cut(vs_trajectory_file *file, int64_t frames);
// First and one past the last contact of a frame.
vs_error vs_columns_contacts(const vs_trajectory_file *file, int64_t frame, int64_t range[2]);

// ---- constants.c ------------------------------------------------------------------------------------------

vs_error vs_recorded_gather(const vs_world *world, vs_arena *arena, vs_recorded *r);
vs_error vs_constants_write(const vs_h5_group *root, const vs_world *world, const vs_recorded *recorded,
                            const vs_trajectory_writer_options *options);
// flexible_constants.c: /flexible, nothing without solids.
vs_error vs_flexible_constants_write(const vs_h5_group *root, const vs_world *world, const vs_recorded *r,
                                     vs_arena *arena);
// gate_constants.c: /gates, nothing without factories and sinks.
vs_error vs_gate_constants_write(const vs_h5_group *root, const vs_world *world, const vs_recorded *r, vs_arena *arena);
// Checks that the file's bodies and joints are the recorded ones, else VS_ERROR_DATA.
vs_error vs_constants_match(const vs_trajectory_file *file, const vs_world *world, const vs_recorded *r);

// ---- recover.c ------------------------------------------------------------------------------------------

// Makes a file that its writer did not close readable for HDF5 again; others are left unchanged. descriptor: open
// for reading and writing, locked.
vs_error vs_superblock_repair(vs_context *context, int descriptor);

// ---- xdmf.c ---------------------------------------------------------------------------------------------

// One array of a grid, by its path in the HDF5 file.
typedef struct vs_xdmf_array {
    const char *name; // "velocity"; null ends a list
    const char *path; // "bodies/velocity/" and the frame's number, or the whole path
    vs_number number;
    int width;       // numbers per point
    bool each_frame; // else the same for all
} vs_xdmf_array;

// Points with attributes; the first array holds the positions.
typedef struct vs_xdmf_grid {
    const char *name;
    const vs_xdmf_array *array; // ends with a null name
    const int64_t *points;      // (frames)
    const char *cells;          // "Tetrahedron"; null: points only
    vs_xdmf_array cell;         // nodes of each
    int64_t cell_count;
} vs_xdmf_grid;

vs_error vs_xdmf_write(vs_context *context, const char *path, const char *data, int64_t frames, const double *time,
                       const vs_xdmf_grid *grid, int grids);
// "000042"
void vs_xdmf_frame_name(int64_t frame, char name[24]);

#endif
