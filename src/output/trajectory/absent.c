// Trajectories and tables in a build without HDF5: every call says so. Checkpoints do not need it.
#include "body/world_data.h"
#include "output/software.h"
#include "step/data/simulation_data.h"
#include "voussoir/table.h"
#include "voussoir/trajectory.h"

static vs_error refuse(vs_context *context, const char *what) {
    return vs_fail(context, VS_ERROR_UNSUPPORTED, "%s need HDF5, which is not in this build", what);
}

static vs_error refuse_trajectory(vs_context *context) {
    return refuse(context, "trajectory files");
}

bool vs_software_hdf5(char version[VS_SOFTWARE_VERSION]) {
    version[0] = '\0';
    return false;
}

// ---- writing ------------------------------------------------------------------------------------------------

vs_error vs_trajectory_writer_create(const char *path, const vs_world *world,
                                     const vs_trajectory_writer_options *options, vs_trajectory_writer **writer) {
    (void)path, (void)options;
    if (writer)
        *writer = NULL;
    return refuse_trajectory(world ? world->context : NULL);
}

vs_error vs_trajectory_writer_resume(const char *path, const vs_world *world, double time,
                                     const vs_trajectory_writer_options *options, vs_trajectory_writer **writer) {
    (void)time;
    return vs_trajectory_writer_create(path, world, options, writer);
}

vs_error vs_trajectory_writer_write(vs_trajectory_writer *writer, const vs_world *world,
                                    const vs_simulation *simulation, const vs_step_report *report) {
    (void)writer, (void)simulation, (void)report;
    return refuse_trajectory(world ? world->context : NULL);
}

vs_error vs_trajectory_writer_write_contacts(vs_trajectory_writer *writer, const vs_world *world, int count,
                                             const vs_contact_view *contact, const vs_step_report *report) {
    (void)writer, (void)count, (void)contact, (void)report;
    return refuse_trajectory(world ? world->context : NULL);
}

bool vs_trajectory_writer_is_due(const vs_trajectory_writer *writer, double time) {
    (void)writer, (void)time;
    return false;
}

vs_error vs_trajectory_writer_attach(vs_trajectory_writer *writer, vs_simulation *simulation) {
    (void)writer;
    return refuse_trajectory(simulation ? simulation->context : NULL);
}

vs_error vs_trajectory_writer_flush(vs_trajectory_writer *writer) {
    (void)writer;
    return VS_ERROR_UNSUPPORTED;
}

// There is never a writer to close.
vs_error vs_trajectory_writer_close(vs_trajectory_writer *writer) {
    return writer ? VS_ERROR_UNSUPPORTED : VS_OK;
}

// ---- reading ------------------------------------------------------------------------------------------------

vs_error vs_trajectory_reader_open(vs_context *context, const char *path, vs_trajectory_reader **reader) {
    (void)path;
    if (reader)
        *reader = NULL;
    return refuse_trajectory(context);
}

void vs_trajectory_reader_close(vs_trajectory_reader *reader) {
    (void)reader;
}

const vs_trajectory_info *vs_trajectory_reader_get_info(const vs_trajectory_reader *reader) {
    (void)reader;
    return NULL;
}

vs_error vs_trajectory_reader_read_series(vs_trajectory_reader *reader, const char *name, double *value) {
    (void)reader, (void)name, (void)value;
    return VS_ERROR_UNSUPPORTED;
}

vs_error vs_trajectory_reader_read_state(vs_trajectory_reader *reader, int64_t frame, double *pose, double *velocity) {
    (void)reader, (void)frame, (void)pose, (void)velocity;
    return VS_ERROR_UNSUPPORTED;
}

int vs_history_kind_count(void) {
    return 0;
}

const vs_history_kind *vs_history_kind_at(int k) {
    (void)k;
    return NULL;
}

vs_error vs_trajectory_reader_find_history(vs_trajectory_reader *reader, const char *name, vs_history_info *info) {
    (void)reader, (void)name, (void)info;
    return VS_ERROR_UNSUPPORTED;
}

vs_error vs_trajectory_reader_read_history(vs_trajectory_reader *reader, const char *name, double *value) {
    (void)reader, (void)name, (void)value;
    return VS_ERROR_UNSUPPORTED;
}

// ---- recovery, export, tables -------------------------------------------------------------------------------

vs_error vs_trajectory_recover(vs_context *context, const char *path, int64_t *frames) {
    (void)path;
    if (frames)
        *frames = 0;
    return refuse_trajectory(context);
}

vs_error vs_trajectory_export_xdmf(vs_context *context, const char *path, const char *out) {
    (void)path, (void)out;
    return refuse_trajectory(context);
}

vs_error vs_trajectory_export_gltf(vs_context *context, const char *path, const char *out, int64_t every) {
    (void)path, (void)out, (void)every;
    return refuse_trajectory(context);
}

vs_error vs_trajectory_export_loads(vs_context *context, const char *path, const char *out, int64_t every) {
    (void)path, (void)out, (void)every;
    return refuse_trajectory(context);
}

vs_error vs_table_write(vs_context *context, const char *path, const char *name, const char *note,
                        const vs_table_column *column, int columns, int64_t rows) {
    (void)path, (void)name, (void)note, (void)column, (void)columns, (void)rows;
    return refuse(context, "tables");
}

vs_error vs_table_read_info(vs_context *context, const char *path, const char *name, vs_table_info *info) {
    (void)path, (void)name, (void)info;
    return refuse(context, "tables");
}
