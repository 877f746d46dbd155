// Writing a trajectory while simulating.
//
// Frames are collected in memory and written together, flush_frames at a time: unflushed data would be lost in a kill
// and invisible to readers in any case. All datasets exist before writing for concurrent readers (SWMR) begins; then
// come state, solver, contacts and bonds, their offsets, and the times last. A frame that fails half-way leaves nothing.
#include "base/array.h"
#include "base/file.h"
#include "base/output_file.h"
#include "body/period.h"
#include "output/trajectory/trajectory_data.h"
#include "step/data/simulation_data.h"
#include "voussoir/bond.h"
#include "voussoir/gate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { PENDING_BYTES_MOST = 1 << 25 }; // write earlier if frames are large

// Rows of a column that are not yet in the file.
typedef struct pending {
    char *data;             // (capacity)
    int64_t rows, capacity; // capacity: bytes
} pending;

struct vs_trajectory_writer {
    vs_context *context;
    vs_arena arena;
    vs_trajectory_writer_options options;
    char *path;
    vs_recorded recorded;
    vs_trajectory_file file;
    int lock;      // descriptor
    bool discards; // the null device: nothing is written
    pending pending[VS_COLUMNS];
    int64_t pending_bytes;
    int64_t contacts, bonds; // in the file and pending
    int64_t next;            // the next frame that is due, in multiples of options.frame
    double margin;           // s, half a step: rounding neither repeats nor omits a frame
    bool resumed;
    vs_simulation *simulation; // that it records, while the observer is attached
    vs_observer observer;
    vs_error failed; // error of a failed write: nothing more is written
};

// ---- rows in memory -------------------------------------------------------------------------------------

// Room for more rows, uninitialized; null without memory.
static void *push(vs_trajectory_writer *w, int column, int64_t count) {
    pending *p = &w->pending[column];
    const size_t row = w->file.column[column].row_bytes;
    if (vs_array_reserve(w->context, &p->data, &p->capacity, (p->rows + count) * (int64_t)row, 1))
        return NULL;
    char *at = p->data + (size_t)p->rows * row;
    p->rows += count;
    w->pending_bytes += count * (int64_t)row;
    return at;
}

static bool push_double(vs_trajectory_writer *w, int column, double x) {
    double *to = push(w, column, 1);
    if (to)
        *to = x;
    return to != NULL;
}

static bool push_int(vs_trajectory_writer *w, int column, int x) {
    int *to = push(w, column, 1);
    if (to)
        *to = x;
    return to != NULL;
}

static bool push_int64(vs_trajectory_writer *w, int column, int64_t x) {
    int64_t *to = push(w, column, 1);
    if (to)
        *to = x;
    return to != NULL;
}

static void put3(double *to, vs_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

// ---- a frame --------------------------------------------------------------------------------------------

// A body that is absent or was removed has no pose: NaN.
static bool push_state(vs_trajectory_writer *w, const vs_world *world) {
    const vs_recorded *r = &w->recorded;
    double *pose = push(w, VS_COLUMN_POSE, 1), *velocity = pose ? push(w, VS_COLUMN_VELOCITY, 1) : NULL;
    for (int k = 0; velocity && k < r->bodies; k++, pose += 7, velocity += 6) {
        const vs_body *body = r->body[k] < world->bodies ? &world->body[r->body[k]] : NULL;
        if (!body || !vs_body_takes_part(body) || body->generation != r->body_generation[k]) {
            for (int i = 0; i < 7; i++)
                pose[i] = velocity[i < 6 ? i : 5] = (double)NAN;
            continue;
        }
        const vs_quat q = body->pose.rotation;
        put3(pose, vs_world_in_cell(world, body->pose.position));
        pose[3] = q.w, pose[4] = q.x, pose[5] = q.y, pose[6] = q.z;
        put3(velocity, body->velocity);
        put3(velocity + 3, vs_rotate(q, body->spin));
    }
    return velocity != NULL;
}

static bool push_reactions(vs_trajectory_writer *w, const vs_world *world) {
    const vs_recorded *r = &w->recorded;
    double *to = push(w, VS_COLUMN_REACTION, 1);
    for (int k = 0; to && k < r->joints; k++) {
        const vs_joint *joint = r->joint[k] < world->joints ? &world->joint[r->joint[k]] : NULL;
        const bool there = joint && joint->alive && joint->generation == r->joint_generation[k];
        put3(to + 6 * (size_t)k, there ? joint->force : VS_ZERO3);
        put3(to + 6 * (size_t)k + 3, there ? joint->torque : VS_ZERO3);
    }
    return to != NULL;
}

// Stress and pressure of a solid are zero where they are unknown: before the first step.
static vs_error push_nodes(vs_trajectory_writer *w, const vs_world *world, const vs_simulation *simulation) {
    const vs_recorded *r = &w->recorded;
    double *at[4];
    if (r->solids == 0)
        return VS_OK;
    for (int c = 0; c < 4; c++)
        if (!(at[c] = push(w, VS_COLUMN_NODE_POSITION + c, 1)))
            return vs_fail_memory(w->context);
    (void)memset(at[2], 0, sizeof(double) * (size_t)r->nodes);
    (void)memset(at[3], 0, sizeof(double) * (size_t)r->nodes);
    vs_error error = VS_OK;
    int64_t node = 0;
    for (int k = 0; k < r->solids && !error; k++) {
        const vs_flexible *f = &world->flexible[r->solid[k]];
        const vs_flexible_id id = {(uint32_t)r->solid[k], r->solid_generation[k]};
        if (!f->alive || f->generation != id.generation)
            return vs_fail(w->context, VS_ERROR_UNSUPPORTED,
                           "%s: flexible solid %d (\"%.*s\") was removed, but a trajectory keeps its nodes; "
                           "close the file before and start another one after the removal",
                           w->path, k, (int)r->solid_room, r->solid_name + (size_t)k * r->solid_room);
        for (int i = 0; i < f->nodes; i++) {
            put3(at[0] + 3 * (node + i), f->position[i]);
            put3(at[1] + 3 * (node + i), f->velocity[i]);
        }
        error = vs_world_get_flexible_stress(world, id, at[2] + node);
        if (!error && simulation)
            error = vs_simulation_get_pressure(simulation, id, at[3] + node);
        node += f->nodes;
    }
    return error;
}

static vs_error push_gates(vs_trajectory_writer *w, const vs_world *world) {
    vs_error error = VS_OK;
    if (w->file.gates == 0)
        return VS_OK;
    int64_t *bodies = push(w, VS_COLUMN_GATE_BODIES, 1), *waiting = push(w, VS_COLUMN_GATE_WAITING, 1);
    double *mass = push(w, VS_COLUMN_GATE_MASS, 1), *energy = push(w, VS_COLUMN_GATE_ENERGY, 1);
    if (!bodies || !waiting || !mass || !energy)
        return vs_fail_memory(w->context);
    for (int k = 0; k < w->recorded.gates && !error; k++) {
        vs_gate_view view;
        error = vs_world_get_gate_at(world, k, &view);
        bodies[k] = view.bodies, waiting[k] = view.waiting;
        mass[k] = view.mass, energy[k] = view.energy;
    }
    return error;
}

// An older file that is continued does not have all columns.
static bool push_report(vs_trajectory_writer *w, const vs_step_report *r) {
    bool good = true;
    for (int k = 0; k < vs_report_field_count() && good; k++) {
        const int column = VS_COLUMN_REPORT + k;
        const double value = vs_report_field_value(k, r);
        if (!vs_column_exists(&w->file, column))
            continue;
        const vs_number number = w->file.column[column].def.number;
        good = number == VS_NUMBER_DOUBLE ? push_double(w, column, value)
               : number == VS_NUMBER_INT  ? push_int(w, column, (int)value)
                                          : push_int64(w, column, (int64_t)value);
    }
    return good;
}

// The row of a body; one that was added later has none.
static int row_of(const vs_recorded *r, vs_body_id id) {
    if (id.index == 0)
        return VS_ROW_WORLD;
    const int row = id.index < (uint32_t)r->slots ? r->row[id.index] : VS_ROW_UNKNOWN;
    return row >= 0 && r->body_generation[row] != id.generation ? VS_ROW_UNKNOWN : row;
}

static int row_of_side(const vs_recorded *r, vs_body_id body, vs_flexible_id flexible) {
    if (flexible.generation == 0)
        return row_of(r, body);
    for (int k = 0; k < r->solids; k++)
        if ((uint32_t)r->solid[k] == flexible.index && r->solid_generation[k] == flexible.generation)
            return VS_ROW_FLEXIBLE - k;
    return VS_ROW_UNKNOWN;
}

// What is recorded beside the state of the world: a simulation's contacts, or given ones, or none.
typedef struct source {
    const vs_simulation *simulation;
    const vs_contact_view *contact; // (contacts)
    int contacts;
} source;

static vs_error view_contact(const source *s, int k, vs_contact_view *view) {
    if (s->simulation)
        return vs_simulation_get_contact_at(s->simulation, k, view);
    *view = s->contact[k];
    return VS_OK;
}

static vs_error push_contacts(vs_trajectory_writer *w, const vs_world *world, const source *from) {
    const int there = from->simulation ? vs_simulation_get_contact_count(from->simulation) : from->contacts;
    const int count = w->options.contacts ? there : 0;
    int *body = push(w, VS_COLUMN_CONTACT_BODY, count);
    const int last = w->file.moments ? VS_COLUMN_CONTACT_MOMENT : VS_COLUMN_CONTACT_VELOCITY;
    double *at[VS_COLUMN_CONTACT_MOMENT + 1];
    for (int c = VS_COLUMN_CONTACT_POINT; c <= last; c++)
        if (!(at[c] = push(w, c, count)) && count > 0)
            return vs_fail_memory(w->context);
    if (!body && count > 0)
        return vs_fail_memory(w->context);
    for (int64_t k = 0; k < count; k++) {
        vs_contact_view view;
        const vs_error error = view_contact(from, (int)k, &view);
        if (error)
            return error;
        body[2 * k] = row_of_side(&w->recorded, view.a, view.flexible_a);
        body[2 * k + 1] = row_of_side(&w->recorded, view.b, view.flexible_b);
        put3(at[VS_COLUMN_CONTACT_POINT] + 3 * k, vs_world_in_cell(world, view.point));
        put3(at[VS_COLUMN_CONTACT_NORMAL] + 3 * k, view.normal);
        at[VS_COLUMN_CONTACT_GAP][k] = view.gap;
        at[VS_COLUMN_CONTACT_FRICTION][k] = view.mu;
        put3(at[VS_COLUMN_CONTACT_IMPULSE] + 3 * k, view.impulse);
        put3(at[VS_COLUMN_CONTACT_VELOCITY] + 3 * k, view.velocity);
        if (w->file.moments)
            put3(at[VS_COLUMN_CONTACT_MOMENT] + 3 * k, view.moment);
    }
    w->contacts += count;
    return push_int64(w, VS_COLUMN_CONTACT_OFFSET, w->contacts) ? VS_OK : vs_fail_memory(w->context);
}

// Broken bonds as well, with strength 0; that of a removed body has no point: NaN. Mortar bonds in the first step, so that
// there are none before it.
static vs_error push_bonds(vs_trajectory_writer *w, const vs_simulation *simulation) {
    if (!w->file.bonds)
        return VS_OK;
    const int count = w->options.contacts ? vs_simulation_get_bond_count(simulation) : 0;
    int *body = push(w, VS_COLUMN_BOND_BODY, count);
    double *point = push(w, VS_COLUMN_BOND_POINT, count), *normal = push(w, VS_COLUMN_BOND_NORMAL, count);
    double *area = push(w, VS_COLUMN_BOND_AREA, count), *strength = push(w, VS_COLUMN_BOND_STRENGTH, count);
    if (count > 0 && !(body && point && normal && area && strength))
        return vs_fail_memory(w->context);
    for (int64_t k = 0; k < count; k++) {
        vs_bond_view view;
        const vs_error error = vs_simulation_get_bond_at(simulation, (int)k, &view);
        if (error)
            return error;
        body[2 * k] = row_of(&w->recorded, view.a);
        body[2 * k + 1] = row_of(&w->recorded, view.b);
        const bool there = vs_dot(view.normal, view.normal) > 0;
        put3(point + 3 * k, there ? view.point : (vs_vec3){(double)NAN, (double)NAN, (double)NAN});
        put3(normal + 3 * k, view.normal);
        area[k] = view.area;
        strength[k] = view.strength;
    }
    w->bonds += count;
    return push_int64(w, VS_COLUMN_BOND_OFFSET, w->bonds) ? VS_OK : vs_fail_memory(w->context);
}

// Before the first step there is no report: energies are those of the world, the rest is zero.
static vs_error push_frame(vs_trajectory_writer *w, const vs_world *world, const source *from,
                           const vs_step_report *report) {
    vs_step_report start = {0};
    if (!report) {
        start.time = vs_world_get_time(world);
        start.energy = vs_world_get_energy(world);
        report = &start;
    }
    if (!push_state(w, world) || !push_reactions(w, world) || !push_report(w, report) ||
        !push_double(w, VS_COLUMN_TIME, report->time))
        return vs_fail_memory(w->context);
    vs_error error = push_nodes(w, world, from->simulation);
    if (!error)
        error = push_gates(w, world);
    if (!error)
        error = push_contacts(w, world, from);
    return error ? error : push_bonds(w, from->simulation);
}

// ---- to the file ----------------------------------------------------------------------------------------

static vs_error append_columns(vs_trajectory_writer *w, int first, int last) {
    vs_error error = VS_OK;
    for (int k = first; !error && k <= last; k++)
        if (vs_column_exists(&w->file, k))
            error = vs_dataset_rows_append(&w->file.column[k], w->pending[k].rows, w->pending[k].data);
    for (int k = first; !error && k <= last; k++)
        if (w->pending[k].rows > 0 && vs_column_exists(&w->file, k))
            error = vs_dataset_rows_flush(&w->file.column[k]);
    return error;
}

static vs_error drain(vs_trajectory_writer *w) {
    if (w->failed || w->pending[VS_COLUMN_TIME].rows == 0)
        return w->failed;
    vs_error error = append_columns(w, 0, VS_COLUMN_BOND_STRENGTH);
    if (!error)
        error = append_columns(w, VS_COLUMN_CONTACT_OFFSET, VS_COLUMN_BOND_OFFSET);
    if (!error)
        error = append_columns(w, VS_COLUMN_TIME, VS_COLUMN_TIME);
    if (!error) {
        vs_driver_commit(&w->file.driver, VS_DRIVER_HOLD_STRUCTURE);
        error = vs_driver_check(w->context, &w->file.driver);
    }
    for (int k = 0; k < VS_COLUMNS; k++)
        w->pending[k].rows = 0;
    w->pending_bytes = 0;
    return w->failed = error;
}

// Frames that are due until a time, without the first.
static int64_t count_due(const vs_trajectory_writer *w, double time) {
    return w->options.frame > 0 ? (int64_t)floor((time + w->margin) / w->options.frame) : 0;
}

bool vs_trajectory_writer_is_due(const vs_trajectory_writer *w, double time) {
    return w && (w->options.frame <= 0 || count_due(w, time) >= w->next);
}

static vs_error write_frame(vs_trajectory_writer *w, const vs_world *world, const source *from,
                            const vs_step_report *report) {
    if (w->failed)
        return vs_fail(w->context, w->failed, "%s: an earlier write failed", w->path);
    w->next = count_due(w, report ? report->time : vs_world_get_time(world)) + 1;
    if (w->discards)
        return VS_OK;
    const int64_t frames = w->pending[VS_COLUMN_TIME].rows, contacts = w->contacts, bonds = w->bonds;
    const int64_t bytes = w->pending_bytes;
    int64_t rows[VS_COLUMNS];
    for (int k = 0; k < VS_COLUMNS; k++)
        rows[k] = w->pending[k].rows;
    vs_error error = push_frame(w, world, from, report);
    if (error) {
        for (int k = 0; k < VS_COLUMNS; k++)
            w->pending[k].rows = rows[k];
        w->contacts = contacts, w->bonds = bonds;
        w->pending_bytes = bytes;
        return error;
    }
    if (frames + 1 < w->options.flush_frames && w->pending_bytes < PENDING_BYTES_MOST)
        return VS_OK;
    return vs_trajectory_writer_flush(w);
}

vs_error vs_trajectory_writer_write(vs_trajectory_writer *w, const vs_world *world, const vs_simulation *simulation,
                                    const vs_step_report *report) {
    if (!w || !world)
        return vs_fail(w ? w->context : NULL, VS_ERROR_ARGUMENT, "vs_trajectory_writer_write: an argument is null");
    return write_frame(w, world, &(source){.simulation = simulation}, report);
}

vs_error vs_trajectory_writer_write_contacts(vs_trajectory_writer *w, const vs_world *world, int count,
                                             const vs_contact_view *contact, const vs_step_report *report) {
    if (!w || !world || count < 0 || (count > 0 && !contact))
        return vs_fail(w ? w->context : NULL, VS_ERROR_ARGUMENT,
                       "vs_trajectory_writer_write_contacts: an argument is null, or the count is negative");
    return write_frame(w, world, &(source){.contact = contact, .contacts = count}, report);
}

vs_error vs_trajectory_writer_flush(vs_trajectory_writer *w) {
    if (!w)
        return VS_ERROR_ARGUMENT;
    if (w->failed)
        return vs_fail(w->context, w->failed, "%s: an earlier write failed", w->path);
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    const vs_error error = drain(w);
    vs_h5_silence_end(&silence);
    return vs_file_blame(w->context, error, w->path);
}

static vs_error take_step(vs_observer *observer, const vs_step_report *report) {
    vs_trajectory_writer *w = (vs_trajectory_writer *)((char *)observer - offsetof(vs_trajectory_writer, observer));
    if (!vs_trajectory_writer_is_due(w, report->time))
        return VS_OK;
    return vs_trajectory_writer_write(w, w->simulation->world, w->simulation, report);
}

vs_error vs_trajectory_writer_attach(vs_trajectory_writer *w, vs_simulation *simulation) {
    if (!w || !simulation)
        return vs_fail(w ? w->context : NULL, VS_ERROR_ARGUMENT, "vs_trajectory_writer_attach: an argument is null");
    if (w->observer.list)
        return vs_fail(w->context, VS_ERROR_ARGUMENT, "%s: is attached to a simulation; attach each writer once",
                       w->path);
    if (simulation->division)
        return vs_fail(w->context, VS_ERROR_UNSUPPORTED,
                       "%s: the simulation is distributed; gather its states and write each frame", w->path);
    w->simulation = simulation;
    w->margin = .5 * simulation->options.step;
    w->observer.take = take_step;
    vs_observer_attach(&w->observer, &simulation->observers);
    return w->resumed ? VS_OK : vs_trajectory_writer_write(w, simulation->world, NULL, NULL);
}

vs_error vs_trajectory_writer_close(vs_trajectory_writer *w) {
    if (!w)
        return VS_OK;
    vs_observer_detach(&w->observer);
    vs_context *context = w->context;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    const bool failed_before = w->failed != VS_OK;
    vs_error error = drain(w);
    const vs_error closed = vs_trajectory_file_close(&w->file);
    vs_h5_silence_end(&silence);
    vs_file_unlock(w->lock);
    if (failed_before)
        error = vs_fail(context, error, "an earlier write failed");
    if (w->path)
        error = vs_file_blame(context, error ? error : closed, w->path);
    for (int k = 0; k < VS_COLUMNS; k++)
        vs_release(context, w->pending[k].data);
    vs_arena_release(&w->arena);
    vs_release(context, w);
    return error;
}

// ---- beginning ------------------------------------------------------------------------------------------

static vs_error begin(const char *path, const vs_world *world, const vs_trajectory_writer_options *options,
                      vs_trajectory_writer **writer) {
    vs_context *context = world->context;
    const vs_trajectory_writer_options o = options ? *options : vs_trajectory_writer_options_default();
    if (o.flush_frames < 1)
        return vs_fail(context, VS_ERROR_ARGUMENT, "flush_frames is %d; it must be 1 or more", o.flush_frames);
    if (!(o.step >= 0) || !isfinite(o.step))
        return vs_fail(context, VS_ERROR_ARGUMENT, "step is %g s; it must not be negative", o.step);
    if (!(o.frame >= 0) || !isfinite(o.frame))
        return vs_fail(context, VS_ERROR_ARGUMENT, "frame is %g s; it must not be negative", o.frame);
    vs_trajectory_writer *w = vs_allocate(context, sizeof *w);
    if (!w)
        return vs_fail_memory(context);
    *w = (vs_trajectory_writer){
        .context = context, .options = o, .margin = .5 * o.step, .lock = -1, .file = {.context = context, .id = -1}};
    vs_arena_init(&w->arena, context);
    *writer = w;
    const vs_output_kind kind = vs_output_file_kind(path);
    if (kind == VS_OUTPUT_STREAM)
        return vs_fail(context, VS_ERROR_IO, "is not a regular file, which a trajectory needs; use another name");
    w->discards = kind == VS_OUTPUT_NULL;
    if (!(w->path = VS_COPY(&w->arena, char, path, (int64_t)strlen(path) + 1)))
        return VS_ERROR_MEMORY;
    return vs_recorded_gather(world, &w->arena, &w->recorded);
}

// Destroys the writer and keeps the error text.
static vs_error give_up(vs_trajectory_writer **writer, vs_error error, const char *path) {
    vs_trajectory_writer *w = *writer;
    *writer = NULL;
    if (!w)
        return error;
    error = vs_file_blame(w->context, error, path);
    (void)vs_trajectory_file_close(&w->file);
    vs_file_unlock(w->lock);
    vs_arena_release(&w->arena);
    vs_release(w->context, w);
    return error;
}

static vs_error start_writing(vs_trajectory_writer *w) {
    const bool flushed = H5Fflush(w->file.id, H5F_SCOPE_GLOBAL) >= 0;
    // HDF5 now reads what it wrote, and does not recover if the disk was full.
    const vs_error error = vs_driver_check(w->context, &w->file.driver);
    if (error)
        return error;
    if (!flushed || H5Fstart_swmr_write(w->file.id) < 0)
        return vs_fail(w->context, VS_ERROR_IO, "could not be opened for concurrent reading (SWMR)");
    vs_driver_commit(&w->file.driver, VS_DRIVER_HOLD_STRUCTURE);
    return vs_driver_check(w->context, &w->file.driver);
}

static vs_error create_file(vs_trajectory_writer *w, const vs_world *world, const char *path) {
    vs_output_file *file = NULL;
    vs_error error = vs_output_file_create(w->context, path, &file);
    if (!error)
        error = vs_trajectory_file_create(w->context, vs_output_file_get_path(file), &w->file);
    w->file.bodies = w->recorded.bodies;
    w->file.joints = w->recorded.joints;
    w->file.solids = w->recorded.solids;
    w->file.nodes = w->recorded.nodes;
    w->file.gates = w->recorded.gates;
    w->file.bonds = w->options.contacts && vs_world_get_mortar_count(world) > 0;
    if (!error)
        error = vs_constants_write(&w->file.root, world, &w->recorded, &w->options);
    if (!error)
        error = vs_columns_create(&w->file);
    if (!error)
        error = start_writing(w);
    if (!error)
        error = vs_output_file_commit(file);
    if (!error)
        w->lock = vs_output_file_take_lock(file);
    vs_output_file_destroy(file);
    return error;
}

vs_error vs_trajectory_writer_create(const char *path, const vs_world *world,
                                     const vs_trajectory_writer_options *options, vs_trajectory_writer **writer) {
    if (!path || !world || !writer)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT,
                       "vs_trajectory_writer_create: an argument is null");
    *writer = NULL;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error = begin(path, world, options, writer);
    if (!error && *writer && !(*writer)->discards)
        error = create_file(*writer, world, path);
    if (error)
        error = give_up(writer, error, path);
    vs_h5_silence_end(&silence);
    return error;
}

// ---- continuing -----------------------------------------------------------------------------------------

// Frames up to the last one that is not later than `time`.
static vs_error count_until(vs_trajectory_writer *w, double time, int64_t *frames) {
    const vs_dataset_rows *column = &w->file.column[VS_COLUMN_TIME];
    vs_error error = vs_columns_complete(&w->file, frames);
    double *times = error ? NULL : VS_NEW(&w->arena, double, *frames);
    if (!error && !times)
        error = VS_ERROR_MEMORY;
    if (!error)
        error = vs_dataset_rows_read(column, 0, *frames, times);
    while (!error && *frames > 0 && !(times[*frames - 1] <= time))
        --*frames;
    return error;
}

static vs_error continue_file(vs_trajectory_writer *w, const vs_world *world, const char *path, double time) {
    int64_t frames = 0;
    vs_error error = vs_file_lock(w->context, path, &w->lock);
    if (!error)
        error = vs_superblock_repair(w->context, w->lock);
    if (!error)
        error = vs_trajectory_file_open(w->context, path, true, &w->file);
    if (!error)
        error = vs_constants_match(&w->file, world, &w->recorded);
    if (!error)
        error = count_until(w, time, &frames);
    if (!error)
        error = vs_columns_cut(&w->file, frames);
    if (!error)
        error = vs_dataset_rows_read(&w->file.column[VS_COLUMN_CONTACT_OFFSET], frames, 1, &w->contacts);
    if (!error && w->file.bonds)
        error = vs_dataset_rows_read(&w->file.column[VS_COLUMN_BOND_OFFSET], frames, 1, &w->bonds);
    return error ? error : start_writing(w);
}

vs_error vs_trajectory_writer_resume(const char *path, const vs_world *world, double time,
                                     const vs_trajectory_writer_options *options, vs_trajectory_writer **writer) {
    if (!path || !world || !writer)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT,
                       "vs_trajectory_writer_resume: an argument is null");
    *writer = NULL;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error = begin(path, world, options, writer);
    if (!error && *writer && !(*writer)->discards)
        error = continue_file(*writer, world, path, time);
    if (error)
        error = give_up(writer, error, path);
    if (*writer) {
        (*writer)->resumed = true;
        (*writer)->next = count_due(*writer, time) + 1;
    }
    vs_h5_silence_end(&silence);
    return error;
}
