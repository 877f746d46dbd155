// Reading a trajectory: constant data, quantities over time, and the state of a frame.
#include "base/file.h"
#include "output/trajectory/reader_data.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// ---- opening ----------------------------------------------------------------------------------------------

// Names of bodies, joints or solids, each with its final zero.
static vs_error read_names(vs_trajectory_reader *r, const char *path, int64_t count, const char *const **to) {
    size_t room = 0;
    char *packed = NULL;
    vs_error error = vs_h5_read_names(&r->file.root, path, count, &r->arena, &room, &packed);
    if (error)
        return error;
    const char **name = VS_NEW_ZERO(&r->arena, const char *, count + 1);
    char *text = vs_arena_allocate_zero(&r->arena, count, room + 1);
    if (!name || !text)
        return VS_ERROR_MEMORY;
    for (size_t k = 0; k < (size_t)count; k++)
        name[k] = memcpy(text + k * (room + 1), packed + k * room, room);
    *to = name;
    return VS_OK;
}

static vs_error read_all_names(vs_trajectory_reader *r) {
    vs_error error = read_names(r, "bodies/name", r->file.bodies, &r->info.body_name);
    if (!error)
        error = read_names(r, "joints/name", r->file.joints, &r->info.joint_name);
    if (!error && r->file.solids > 0)
        error = read_names(r, "flexible/name", r->file.solids, &r->solid_name);
    if (!error && r->file.gates > 0)
        error = read_names(r, "gates/name", r->file.gates, &r->gate_name);
    return error;
}

static vs_error read_constants(vs_trajectory_reader *r) {
    const vs_h5_group *root = &r->file.root;
    int64_t bodies = r->file.bodies, one = 1, three = 3;
    void *motion = NULL, *mass = NULL, *inertia = NULL, *step = NULL, *gravity = NULL, *period = NULL;
    vs_error error = vs_h5_read_table(root, "bodies/motion", VS_NUMBER_INT, 1, &r->arena, &bodies, &motion);
    if (!error)
        error = vs_h5_read_table(root, "bodies/mass", VS_NUMBER_DOUBLE, 1, &r->arena, &bodies, &mass);
    if (!error)
        error = vs_h5_read_table(root, "bodies/inertia", VS_NUMBER_DOUBLE, 9, &r->arena, &bodies, &inertia);
    if (!error)
        error = vs_h5_read_table(root, "meta/step", VS_NUMBER_DOUBLE, 1, &r->arena, &one, &step);
    if (!error)
        error = vs_h5_read_table(root, "meta/gravity", VS_NUMBER_DOUBLE, 1, &r->arena, &three, &gravity);
    if (!error && vs_h5_has(root, "meta/period"))
        error = vs_h5_read_table(root, "meta/period", VS_NUMBER_DOUBLE, 1, &r->arena, &three, &period);
    if (error)
        return error;
    const double *p = period;
    r->info.period = p ? (vs_vec3){fmax(p[0], 0), fmax(p[1], 0), fmax(p[2], 0)} : VS_ZERO3;
    char software[VS_SOFTWARE_TEXT];
    vs_h5_read_text(root, "meta/software", sizeof software, software);
    vs_software_read(software, sizeof software, r->software);
    r->info.software = r->software;
    const double *g = gravity, *h = step;
    r->info.bodies = (int)bodies;
    r->info.joints = (int)r->file.joints;
    r->info.step = *h > 0 && isfinite(*h) ? *h : 0;
    r->info.gravity = (vs_vec3){g[0], g[1], g[2]};
    r->info.motion = motion;
    r->info.mass = mass;
    r->info.inertia = inertia;
    return VS_OK;
}

static vs_error open_file(vs_trajectory_reader *r, const char *path) {
    const size_t length = strlen(path) + 1;
    if (!(r->path = VS_NEW(&r->arena, char, (int64_t)length)))
        return VS_ERROR_MEMORY;
    (void)memcpy(r->path, path, length);
    vs_error error = vs_trajectory_file_open(r->context, path, false, &r->file);
    if (!error && (r->file.bodies > INT_MAX / 9 || r->file.joints > INT_MAX / 9))
        error = vs_fail(r->context, VS_ERROR_DATA, "has too many bodies");
    if (!error)
        error = vs_columns_complete(&r->file, &r->info.frames);
    if (!error)
        error = read_constants(r);
    if (!error)
        error = read_all_names(r);
    if (!error && !(r->ints = VS_NEW(&r->arena, int64_t, r->info.frames)))
        error = VS_ERROR_MEMORY;
    return error ? vs_file_blame(r->context, error, path) : VS_OK;
}

vs_error vs_trajectory_reader_open(vs_context *context, const char *path, vs_trajectory_reader **reader) {
    if (!context)
        return VS_ERROR_ARGUMENT;
    if (!path || !reader)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_trajectory_reader_open: path and reader must not be null");
    *reader = NULL;
    vs_arena arena;
    vs_arena_init(&arena, context);
    vs_trajectory_reader *r = VS_NEW_ZERO(&arena, vs_trajectory_reader, 1);
    if (!r) {
        vs_arena_release(&arena);
        return VS_ERROR_MEMORY;
    }
    r->context = context;
    r->arena = arena; // it contains the reader itself
    r->file.id = -1;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    const vs_error error = open_file(r, path);
    vs_h5_silence_end(&silence);
    if (error)
        vs_trajectory_reader_close(r);
    else
        *reader = r;
    return error;
}

void vs_trajectory_reader_close(vs_trajectory_reader *reader) {
    if (!reader)
        return;
    (void)vs_trajectory_file_close(&reader->file);
    vs_arena arena = reader->arena;
    vs_arena_release(&arena);
}

const vs_trajectory_info *vs_trajectory_reader_get_info(const vs_trajectory_reader *reader) {
    return reader ? &reader->info : NULL;
}

// ---- reading ----------------------------------------------------------------------------------------------

static vs_error read_rows(const vs_dataset_rows *rows, int64_t first, int64_t count, void *to) {
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    const vs_error error = vs_dataset_rows_read(rows, first, count, to);
    vs_h5_silence_end(&silence);
    return error;
}

int vs_reader_find_series(const vs_trajectory_reader *r, const char *name) {
    static const char solver[] = "solver/";
    for (int k = VS_COLUMN_REPORT; k < VS_COLUMN_CONTACT_BODY; k++) {
        const char *path = vs_column_exists(&r->file, k) ? r->file.column[k].def.path : "";
        const size_t skip = strncmp(path, solver, strlen(solver)) == 0 ? strlen(solver) : 0;
        if (*path && strcmp(path + skip, name) == 0)
            return k;
    }
    return strcmp(name, "time") == 0 ? VS_COLUMN_TIME : -1;
}

vs_error vs_trajectory_reader_read_series(vs_trajectory_reader *reader, const char *name, double *value) {
    if (!reader || !name || !value)
        return vs_fail(reader ? reader->context : NULL, VS_ERROR_ARGUMENT,
                       "vs_trajectory_reader_read_series: an argument is null");
    const int column = vs_reader_find_series(reader, name);
    const int64_t frames = reader->info.frames;
    if (column < 0)
        return vs_fail(reader->context, VS_ERROR_ARGUMENT,
                       "%s is not a quantity of a frame of this file; see docs/formats.md", name);
    const vs_dataset_rows *rows = &reader->file.column[column];
    const vs_number number = rows->def.number;
    const vs_error error = read_rows(rows, 0, frames, number == VS_NUMBER_DOUBLE ? (void *)value : reader->ints);
    if (error)
        return vs_file_blame(reader->context, error, reader->path);
    const int *narrow = (const int *)reader->ints;
    if (number == VS_NUMBER_INT)
        for (int64_t k = 0; k < frames; k++)
            value[k] = narrow[k];
    else if (number == VS_NUMBER_INT64)
        for (int64_t k = 0; k < frames; k++)
            value[k] = (double)reader->ints[k];
    return VS_OK;
}

vs_error vs_trajectory_reader_read_state(vs_trajectory_reader *reader, int64_t frame, double *pose, double *velocity) {
    if (!reader)
        return VS_ERROR_ARGUMENT;
    if (frame < 0 || frame >= reader->info.frames)
        return vs_fail(reader->context, VS_ERROR_ARGUMENT, "frame %lld does not exist", (long long)frame);
    vs_error error = pose ? read_rows(&reader->file.column[VS_COLUMN_POSE], frame, 1, pose) : VS_OK;
    if (!error && velocity)
        error = read_rows(&reader->file.column[VS_COLUMN_VELOCITY], frame, 1, velocity);
    return error ? vs_file_blame(reader->context, error, reader->path) : VS_OK;
}
