// Histories: the numbers of a quantity, frame by frame.
//
// Contacts between two bodies are summed to a wrench: f = sum of l/h with the impulses l (N s) of the last step and the
// time step h, at the centre of pressure c = sum w x / sum w, where x are the contact points and w the normal impulses;
// moment m = sum (x - c) x l/h. On a plane of contact m is the torsion about its normal. The reaction of a support adds
// the joints that connect it; its point and moment are those of the contacts alone.
//
// Means over regions are in region_means.c.
//
// Stress resultants in sections of flexible solids are not among them: a trajectory has von Mises stresses, no tensors.
#include "base/file.h"
#include "output/trajectory/drive_history.h"
#include "output/trajectory/region_means.h"
#include "voussoir/world.h"

#include <math.h>
#include <string.h>

typedef struct evaluation {
    vs_trajectory_reader *reader;
    vs_history history;
    vs_arena arena;
    vs_pose start;                    // of body a in the first frame
    double sum;                       // over the frames so far: J; rad, the last angle
    vs_frame_state state;             // of the frame
    double *nodes;                    // (nodes)
    int *body;                        // (2 contacts) of a frame, at most
    double *point, *normal, *impulse; // (3 contacts)
    int64_t *node_offset;             // (solids + 1)
    double *volume;                   // (bodies)
    double *gate_mass;                // (gates)
    int64_t *gate_count;              // (gates)
} evaluation;

static const vs_dataset_rows *column(const evaluation *e, vs_column which) {
    return &e->reader->file.column[which];
}

static const vs_vec3 NOT_A_VECTOR = {(double)NAN, (double)NAN, (double)NAN};

// ---- bodies -----------------------------------------------------------------------------------------------

static vs_error read_body(evaluation *e, int64_t frame, vs_vec3 *value) {
    const vs_history *h = &e->history;
    const vs_error error = vs_dataset_rows_read(column(e, VS_COLUMN_POSE), frame, 1, e->state.pose);
    if (error)
        return error;
    const vs_pose pose = vs_get_pose(e->state.pose + 7 * (size_t)h->a);
    if (frame == 0)
        e->start = pose;
    *value = pose.position;
    if (h->quantity == VS_HISTORY_DISPLACEMENT)
        *value = vs_subtract(pose.position, e->start.position);
    if (h->quantity == VS_HISTORY_ROTATION)
        *value = vs_quat_log(vs_quat_multiply(pose.rotation, vs_quat_conjugate(e->start.rotation)));
    return VS_OK;
}

static vs_error read_motion(evaluation *e, int64_t frame, vs_vec3 *value) {
    const vs_history *h = &e->history;
    const vs_error error = vs_dataset_rows_read(column(e, VS_COLUMN_VELOCITY), frame, 1, e->state.velocity);
    if (!error)
        *value = vs_get3(e->state.velocity + 6 * (size_t)h->a + (h->quantity == VS_HISTORY_ANGULAR_VELOCITY ? 3 : 0));
    return error;
}

// ---- contacts ---------------------------------------------------------------------------------------------

// 1 if the contact acts on what the history is about, -1 if it acts on the other side, 0 if it is another contact.
static int side_of(const vs_history *h, const int body[2]) {
    if (body[0] == body[1])
        return 0;
    if (h->b == VS_ROW_ANY)
        return body[0] == h->a ? 1 : body[1] == h->a ? -1 : 0;
    return body[0] == h->a && body[1] == h->b ? 1 : body[0] == h->b && body[1] == h->a ? -1 : 0;
}

static vs_error read_pairs(evaluation *e, int64_t frame, int64_t range[2]) {
    const vs_error error = vs_columns_contacts(&e->reader->file, frame, range);
    return error ? error
                 : vs_dataset_rows_read(column(e, VS_COLUMN_CONTACT_BODY), range[0], range[1] - range[0], e->body);
}

static vs_error read_rows(evaluation *e, const int64_t range[2]) {
    const int64_t all = range[1] - range[0];
    vs_error error = vs_dataset_rows_read(column(e, VS_COLUMN_CONTACT_POINT), range[0], all, e->point);
    if (!error)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_CONTACT_NORMAL), range[0], all, e->normal);
    if (!error)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_CONTACT_IMPULSE), range[0], all, e->impulse);
    return error;
}

// The contacts of a frame that the history is about, moved to the front; with the signs of their sides.
static vs_error read_contacts(evaluation *e, int64_t frame, int64_t *count) {
    int64_t range[2] = {0}, any = 0, found = 0;
    vs_error error = read_pairs(e, frame, range);
    const int64_t all = range[1] - range[0];
    *count = 0;
    for (int64_t k = 0; !error && k < all; k++)
        any += side_of(&e->history, e->body + 2 * k) != 0;
    if (error || any == 0)
        return error;
    error = read_rows(e, range);
    for (int64_t k = 0; !error && k < all; k++) {
        const double sign = side_of(&e->history, e->body + 2 * k);
        if (sign == 0)
            continue;
        for (int64_t i = 0; i < 3; i++) {
            e->point[3 * found + i] = e->point[3 * k + i];
            e->normal[3 * found + i] = sign * e->normal[3 * k + i];
            e->impulse[3 * found + i] = sign * e->impulse[3 * k + i];
        }
        found++;
    }
    *count = found;
    return error;
}

// Force, its point of application or its moment about it.
static vs_error read_wrench(evaluation *e, int64_t frame, vs_vec3 *value) {
    int64_t count = 0;
    const vs_error error = read_contacts(e, frame, &count);
    vs_vec3 force = VS_ZERO3, centre = VS_ZERO3, moment = VS_ZERO3;
    double weight = 0;
    if (error)
        return error;
    for (int64_t k = 0; k < count; k++) {
        const vs_vec3 l = vs_get3(e->impulse + 3 * k);
        const double normal = fmax(0, vs_dot(l, vs_get3(e->normal + 3 * k)));
        force = vs_add(force, l);
        centre = vs_add_scaled(centre, normal, vs_get3(e->point + 3 * k));
        weight += normal;
    }
    centre = weight > 0 ? vs_scale(1 / weight, centre) : NOT_A_VECTOR;
    for (int64_t k = 0; k < count && weight > 0; k++)
        moment = vs_add(moment, vs_cross(vs_subtract(vs_get3(e->point + 3 * k), centre), vs_get3(e->impulse + 3 * k)));
    const double rate = 1 / e->reader->info.step;
    const vs_history_quantity q = e->history.quantity;
    *value = q == VS_HISTORY_POINT ? centre : q == VS_HISTORY_MOMENT ? vs_scale(rate, moment) : vs_scale(rate, force);
    return VS_OK;
}

// ---- joints -----------------------------------------------------------------------------------------------

// Force or torque on the second body in world axes: the file has it in frame A.
static vs_vec3 get_reaction(const evaluation *e, int joint, int first) {
    const vs_vec3 local = vs_get3(e->state.reaction + 6 * (size_t)joint + first);
    return vs_rotate(vs_frame_joint(&e->state, joint, 0).rotation, local);
}

// Of a cable the file has the tension, not its force on the bodies.
static vs_error check_reactions(const evaluation *e) {
    const vs_history *h = &e->history;
    const vs_trajectory_info *info = &e->reader->info;
    for (int j = 0; j < info->joints; j++) {
        const bool asked = h->joint >= 0 ? j == h->joint : side_of(h, e->state.joint_body + 2 * (size_t)j) != 0;
        if (asked && e->state.joint_kind[j] == VS_JOINT_CABLE)
            return vs_fail(e->reader->context, VS_ERROR_UNSUPPORTED,
                           "joint %d%s%s is a cable, whose forces on its bodies the file does not have; its tension is "
                           "tension:%s",
                           j, *info->joint_name[j] ? ", " : "", info->joint_name[j],
                           *info->joint_name[j] ? info->joint_name[j] : "#ROW");
    }
    return VS_OK;
}

static vs_error read_reaction(evaluation *e, int64_t frame, vs_vec3 *value) {
    const vs_history *h = &e->history;
    vs_error error = check_reactions(e);
    if (!error)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_POSE), frame, 1, e->state.pose);
    if (!error)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_REACTION), frame, 1, e->state.reaction);
    if (error)
        return error;
    if (h->joint >= 0) {
        *value = get_reaction(e, h->joint, h->quantity == VS_HISTORY_TORQUE ? 3 : 0);
        return VS_OK;
    }
    error = read_wrench(e, frame, value);
    for (int j = 0; j < e->reader->info.joints; j++) {
        const int side = side_of(h, e->state.joint_body + 2 * (size_t)j);
        if (side != 0)
            *value = vs_add_scaled(*value, side, get_reaction(e, j, 0));
    }
    return error;
}

static vs_error read_state(evaluation *e, int64_t frame) {
    vs_error error = vs_dataset_rows_read(column(e, VS_COLUMN_POSE), frame, 1, e->state.pose);
    if (!error)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_VELOCITY), frame, 1, e->state.velocity);
    if (!error && e->history.joint >= 0)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_REACTION), frame, 1, e->state.reaction);
    return error;
}

// N, of a cable. One without friction has a single number.
static double get_tension(const evaluation *e) {
    const double *reaction = e->state.reaction + 6 * (size_t)e->history.joint;
    return e->history.quantity == VS_HISTORY_END_TENSION && reaction[1] != 0 ? reaction[1] : reaction[0];
}

// An angle goes on from the one of the frame before, by less than half a turn.
static vs_error read_drive(evaluation *e, int64_t frame, vs_vec3 *value) {
    const double turn = 6.283185307179586;
    const vs_error error = read_state(e, frame);
    *value = VS_ZERO3;
    if (error)
        return error;
    if (e->history.quantity == VS_HISTORY_POWER) {
        value->x = vs_drive_power(&e->state, e->history.joint);
    } else if (e->history.quantity == VS_HISTORY_TENSION || e->history.quantity == VS_HISTORY_END_TENSION) {
        value->x = get_tension(e);
    } else if (e->history.quantity == VS_HISTORY_TRAVEL) {
        value->x = vs_drive_travel(&e->state, e->history.joint);
    } else {
        const double angle = vs_drive_angle(&e->state, e->history.joint);
        e->sum = value->x = angle + turn * round((e->sum - angle) / turn);
    }
    return VS_OK;
}

// Adds what the contacts of the last step wear in the time since the frame before.
static vs_error read_wear(evaluation *e, int64_t frame, vs_vec3 *value) {
    double time[2] = {0, 0}, rate = 0;
    int64_t count = 0;
    vs_error error = read_contacts(e, frame, &count);
    if (!error)
        error = read_state(e, frame);
    if (!error && frame > 0)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_TIME), frame - 1, 2, time);
    const int body[2] = {e->history.b, e->history.a};
    for (int64_t k = 0; k < count && !error; k++) {
        const vs_vec3 normal = vs_get3(e->normal + 3 * k);
        const double force = fmax(0, vs_dot(vs_get3(e->impulse + 3 * k), normal)) / e->reader->info.step;
        rate += force * vs_drive_slip(&e->state, body, vs_get3(e->point + 3 * k), normal);
    }
    e->sum += rate * (time[1] - time[0]);
    *value = (vs_vec3){e->sum, 0, 0};
    return error;
}

// ---- flexible solids --------------------------------------------------------------------------------------

static vs_error read_nodes(evaluation *e, int64_t frame, vs_vec3 *value) {
    const vs_history *h = &e->history;
    const int solid = VS_ROW_FLEXIBLE - h->a;
    const vs_error error = vs_dataset_rows_read(
        column(e, h->quantity == VS_HISTORY_PRESSURE ? VS_COLUMN_NODE_PRESSURE : VS_COLUMN_NODE_STRESS), frame, 1,
        e->nodes);
    *value = VS_ZERO3;
    for (int64_t k = e->node_offset[solid]; !error && k < e->node_offset[solid + 1]; k++)
        value->x = fmax(value->x, e->nodes[k]);
    return error;
}

// ---- regions ----------------------------------------------------------------------------------------------

static vs_error read_region(evaluation *e, int64_t frame, vs_vec3 *value) {
    int64_t range[2] = {0};
    const bool contacts = !vs_history_is_of_bodies(e->history.quantity);
    vs_error error = contacts ? read_pairs(e, frame, range) : VS_OK;
    if (!error && contacts)
        error = read_rows(e, range);
    if (!error)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_POSE), frame, 1, e->state.pose);
    if (!error)
        error = vs_dataset_rows_read(column(e, VS_COLUMN_VELOCITY), frame, 1, e->state.velocity);
    const vs_region_frame all = {.info = &e->reader->info,
                                 .volume = e->volume,
                                 .pose = e->state.pose,
                                 .velocity = e->state.velocity,
                                 .contacts = range[1] - range[0],
                                 .body = e->body,
                                 .point = e->point,
                                 .impulse = e->impulse,
                                 .normal = e->normal};
    if (!error)
        *value = vs_region_mean(e->history.quantity, &e->history.region, &all);
    return error;
}

// ---- factories and sinks ----------------------------------------------------------------------------------

static vs_error read_gate_mass(evaluation *e, int64_t frame, double *mass) {
    const vs_error error = vs_dataset_rows_read(column(e, VS_COLUMN_GATE_MASS), frame, 1, e->gate_mass);
    *mass = e->gate_mass[e->history.gate];
    return error;
}

// Before the second frame the rate is unknown.
static vs_error read_mass_rate(evaluation *e, int64_t frame, vs_vec3 *value) {
    double mass[2] = {0, 0}, time[2] = {0, 0};
    *value = NOT_A_VECTOR;
    if (frame == 0)
        return VS_OK;
    vs_error error = vs_dataset_rows_read(column(e, VS_COLUMN_TIME), frame - 1, 2, time);
    for (int k = 0; k < 2 && !error; k++)
        error = read_gate_mass(e, frame - 1 + k, &mass[k]);
    value->x = (mass[1] - mass[0]) / (time[1] - time[0]);
    return error;
}

static vs_error read_gate(evaluation *e, int64_t frame, vs_vec3 *value) {
    const vs_history_quantity q = e->history.quantity;
    if (q == VS_HISTORY_MASS_RATE)
        return read_mass_rate(e, frame, value);
    if (q == VS_HISTORY_PASSED_MASS)
        return read_gate_mass(e, frame, &value->x);
    const vs_column which = q == VS_HISTORY_WAITING ? VS_COLUMN_GATE_WAITING : VS_COLUMN_GATE_BODIES;
    const vs_error error = vs_dataset_rows_read(column(e, which), frame, 1, e->gate_count);
    value->x = (double)e->gate_count[e->history.gate];
    return error;
}

// ---- all frames -------------------------------------------------------------------------------------------

static vs_error read_frame(evaluation *e, int64_t frame, vs_vec3 *value) {
    if (vs_history_is_of_region(e->history.quantity))
        return read_region(e, frame, value);
    if (vs_history_is_of_gate(e->history.quantity))
        return read_gate(e, frame, value);
    switch (e->history.quantity) {
    case VS_HISTORY_POSITION:
    case VS_HISTORY_DISPLACEMENT:
    case VS_HISTORY_ROTATION:
        return read_body(e, frame, value);
    case VS_HISTORY_VELOCITY:
    case VS_HISTORY_SPEED:
    case VS_HISTORY_ANGULAR_VELOCITY:
        return read_motion(e, frame, value);
    case VS_HISTORY_FORCE:
    case VS_HISTORY_POINT:
    case VS_HISTORY_MOMENT:
        return read_wrench(e, frame, value);
    case VS_HISTORY_REACTION:
    case VS_HISTORY_TORQUE:
        return read_reaction(e, frame, value);
    case VS_HISTORY_ANGLE:
    case VS_HISTORY_TRAVEL:
    case VS_HISTORY_POWER:
    case VS_HISTORY_TENSION:
    case VS_HISTORY_END_TENSION:
        return read_drive(e, frame, value);
    case VS_HISTORY_WEAR:
        return read_wear(e, frame, value);
    case VS_HISTORY_VON_MISES:
    case VS_HISTORY_PRESSURE:
        return read_nodes(e, frame, value);
    default:
        break;
    }
    return VS_ERROR_ARGUMENT;
}

// Unknown before the first step?
static bool is_of_step(vs_history_quantity q) {
    return q >= VS_HISTORY_FORCE && q != VS_HISTORY_VON_MISES && !vs_history_is_of_bodies(q) &&
           !vs_history_is_of_gate(q) && q != VS_HISTORY_ANGLE && q != VS_HISTORY_TRAVEL;
}

static void put(const vs_history *h, vs_vec3 v, double *value) {
    const bool scalar = vs_history_columns(h) == 1 && h->component < 0;
    if (scalar && h->quantity != VS_HISTORY_SPEED)
        *value = v.x;
    else if (h->quantity == VS_HISTORY_SPEED || h->component == VS_HISTORY_MAGNITUDE)
        *value = vs_length(v);
    else if (h->component >= 0)
        *value = vs_component(v, h->component);
    else
        value[0] = v.x, value[1] = v.y, value[2] = v.z;
}

static vs_error read_solids(evaluation *e) {
    int64_t ends = e->reader->file.solids + 1;
    void *offset = NULL;
    const vs_error error =
        vs_h5_read_table(&e->reader->file.root, "flexible/node_offset", VS_NUMBER_INT64, 1, &e->arena, &ends, &offset);
    const int64_t *first = e->node_offset = offset;
    for (int64_t k = 0; !error && k + 1 < ends; k++)
        if (first[k] < 0 || first[k + 1] < first[k] || first[k + 1] > e->reader->file.nodes)
            return vs_fail(e->reader->context, VS_ERROR_DATA, "flexible/node_offset is invalid");
    return error;
}

static vs_error prepare(evaluation *e) {
    const vs_trajectory_reader *r = e->reader;
    int64_t largest = 0;
    vs_error error = vs_frame_state_prepare(&e->state, r, &e->arena);
    if (!error && r->file.solids > 0)
        error = read_solids(e);
    for (int64_t k = 0; !error && k < r->info.frames; k++) {
        int64_t range[2] = {0};
        error = vs_columns_contacts(&r->file, k, range);
        largest = range[1] - range[0] > largest ? range[1] - range[0] : largest;
    }
    e->volume = VS_NEW_ZERO(&e->arena, double, r->info.bodies);
    if (!error && !e->volume)
        error = VS_ERROR_MEMORY;
    if (!error && e->history.quantity == VS_HISTORY_SOLID_FRACTION)
        error = vs_region_means_volumes(r, &e->arena, e->volume);
    if (error)
        return error;
    e->nodes = VS_NEW(&e->arena, double, r->file.nodes);
    e->gate_mass = VS_NEW_ZERO(&e->arena, double, r->file.gates);
    e->gate_count = VS_NEW_ZERO(&e->arena, int64_t, r->file.gates);
    e->body = VS_NEW(&e->arena, int, 2 * largest);
    e->point = VS_NEW(&e->arena, double, 3 * largest);
    e->normal = VS_NEW(&e->arena, double, 3 * largest);
    e->impulse = VS_NEW(&e->arena, double, 3 * largest);
    const bool room = e->nodes && e->body && e->point && e->normal && e->impulse;
    return room && e->gate_mass && e->gate_count ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error read_frames(evaluation *e, double *value) {
    const int columns = vs_history_columns(&e->history);
    int64_t *step = e->reader->ints;
    vs_error error = prepare(e);
    if (!error)
        error = vs_dataset_rows_read(&e->reader->file.column[vs_column_of(offsetof(vs_step_report, step))], 0,
                                     e->reader->info.frames, step);
    for (int64_t k = 0; !error && k < e->reader->info.frames; k++) {
        vs_vec3 v = NOT_A_VECTOR;
        if (step[k] > 0 || !is_of_step(e->history.quantity))
            error = read_frame(e, k, &v);
        put(&e->history, v, value + k * columns);
    }
    return error;
}

// ---- the interface ----------------------------------------------------------------------------------------

vs_error vs_trajectory_reader_find_history(vs_trajectory_reader *reader, const char *name, vs_history_info *info) {
    vs_history h;
    if (!reader || !name || !info)
        return vs_fail(reader ? reader->context : NULL, VS_ERROR_ARGUMENT,
                       "vs_trajectory_reader_find_history: an argument is null");
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    const vs_error error = vs_history_read_name(reader, name, &h);
    vs_h5_silence_end(&silence);
    if (error)
        return error == VS_ERROR_DATA ? vs_file_blame(reader->context, error, reader->path) : error;
    *info = (vs_history_info){.columns = vs_history_columns(&h)};
    info->unit = h.column >= 0 ? reader->file.column[h.column].def.unit : vs_history_kind_at((int)h.quantity)->unit;
    for (int k = 0; k < 3; k++)
        info->label[k] = info->columns == 1 ? "" : vs_history_components(h.quantity)[k];
    return VS_OK;
}

vs_error vs_trajectory_reader_read_history(vs_trajectory_reader *reader, const char *name, double *value) {
    vs_history_info info;
    vs_error error = vs_trajectory_reader_find_history(reader, name, &info);
    if (error)
        return error;
    if (!value)
        return vs_fail(reader->context, VS_ERROR_ARGUMENT, "vs_trajectory_reader_read_history: value is null");
    evaluation e = {.reader = reader};
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    error = vs_history_read_name(reader, name, &e.history);
    if (!error && e.history.column >= 0)
        error = vs_trajectory_reader_read_series(reader, name, value);
    else if (!error) {
        vs_arena_init(&e.arena, reader->context);
        error = vs_file_blame(reader->context, read_frames(&e, value), reader->path);
        vs_arena_release(&e.arena);
    }
    vs_h5_silence_end(&silence);
    return error;
}
