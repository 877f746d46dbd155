// Load cases of finite elements: the forces and moments on every dynamic body in every frame, in the body's own axes about its centre
// of mass, so that they fit a mesh that does not move. Forces are means over the last step before the frame.
//
//     contact    its force and moment on the body, at the point of contact
//     joint      its force and moment on the body, at the origin of the joint's second frame
//     gravity    m g at the centre of mass
//     balance    minus the sum of all these at the centre of mass: forces of inertia, and loads that the file does not have. An
//                acceleration field has it, or the inertia relief of the program
//
// They act where the bodies are at the beginning of that step, to which their poses go back by their velocities.
//
// The rows of a body in a frame are in equilibrium. Refused are joints whose forces on bodies are not those of two frames: gears, cams
// and cables.
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/output_file.h"
#include "base/path.h"
#include "output/trajectory/frame_state.h"
#include "voussoir/world.h"

typedef struct load_cases {
    vs_trajectory_reader *reader;
    vs_arena *arena;
    FILE *file;
    vs_frame_state state;   // its poses at the beginning of the step
    int64_t contacts, room; // of the frame; contacts that fit
    int *body;              // (2 room)
    double *point, *impulse, *moment;
} load_cases;

typedef struct wrench {
    vs_vec3 force, moment;
} wrench;

// ---- rows ------------------------------------------------------------------------------------------

static void put_name(const load_cases *l, const char *name, int row) {
    if (row < 0 || *name == 0) {
        (void)fprintf(l->file, row < 0 ? "world" : "#%d", row);
        return;
    }
    (void)fputc('"', l->file);
    for (; *name; name++)
        (void)fputs(*name == '"' ? "\"\"" : (char[2]){*name, 0}, l->file);
    (void)fputc('"', l->file);
}

// World axes; `with` is the row of a body or joint. Adds to the sum about the centre of mass.
static void put_row(load_cases *l, const char *head, const char *kind, const char *name, int with, int body, vs_vec3 at,
                    wrench w, wrench *sum) {
    const vs_pose pose = vs_frame_body(&l->state, body);
    const vs_vec3 arm = vs_subtract(at, pose.position), x = vs_rotate_back(pose.rotation, arm);
    const vs_vec3 f = vs_rotate_back(pose.rotation, w.force), m = vs_rotate_back(pose.rotation, w.moment);
    const double number[9] = {x.x, x.y, x.z, f.x, f.y, f.z, m.x, m.y, m.z};
    (void)fprintf(l->file, "%s,", head);
    put_name(l, l->reader->info.body_name[body], body);
    (void)fprintf(l->file, ",%s,", kind);
    if (name)
        put_name(l, name, with);
    for (int k = 0; k < 9; k++)
        (void)fprintf(l->file, ",%.17g", number[k]);
    (void)fputc('\n', l->file);
    sum->force = vs_add(sum->force, w.force);
    sum->moment = vs_add(sum->moment, vs_add(w.moment, vs_cross(arm, w.force)));
}

static void put_contacts(load_cases *l, const char *head, int body, wrench *sum) {
    const vs_trajectory_info *info = &l->reader->info;
    for (int64_t k = 0; k < l->contacts; k++)
        for (int side = 0; side < 2; side++) {
            const int other = l->body[2 * k + 1 - side];
            const double sign = (side ? 1 : -1) / info->step;
            if (l->body[2 * k + side] != body || other == body)
                continue;
            const wrench w = {vs_scale(sign, vs_get3(l->impulse + 3 * k)), vs_scale(sign, vs_get3(l->moment + 3 * k))};
            put_row(l, head, "contact", other >= 0 ? info->body_name[other] : "", other, body,
                    vs_get3(l->point + 3 * k), w, sum);
        }
}

static void put_joints(load_cases *l, const char *head, int body, wrench *sum) {
    const vs_trajectory_info *info = &l->reader->info;
    for (int j = 0; j < info->joints; j++)
        for (int side = 0; side < 2; side++) {
            if (l->state.joint_body[2 * j + side] != body)
                continue;
            const vs_pose a = vs_frame_joint(&l->state, j, 0), b = vs_frame_joint(&l->state, j, 1);
            const double *reaction = l->state.reaction + 6 * (size_t)j, sign = side ? 1 : -1;
            const wrench w = {vs_scale(sign, vs_rotate(a.rotation, vs_get3(reaction))),
                              vs_scale(sign, vs_rotate(a.rotation, vs_get3(reaction + 3)))};
            put_row(l, head, "joint", info->joint_name[j], j, body, b.position, w, sum);
        }
}

static void put_body(load_cases *l, const char *head, int body) {
    const vs_trajectory_info *info = &l->reader->info;
    const vs_vec3 centre = vs_frame_body(&l->state, body).position;
    wrench sum = {VS_ZERO3, VS_ZERO3};
    if (info->motion[body] != VS_MOTION_DYNAMIC || !isfinite(centre.x))
        return;
    put_contacts(l, head, body, &sum);
    put_joints(l, head, body, &sum);
    put_row(l, head, "gravity", NULL, -1, body, centre, (wrench){vs_scale(info->mass[body], info->gravity), VS_ZERO3},
            &sum);
    const wrench balance = {vs_scale(-1, sum.force), vs_scale(-1, sum.moment)};
    put_row(l, head, "balance", NULL, -1, body, centre, balance, &sum);
}

// ---- frames ----------------------------------------------------------------------------------------

static const vs_dataset_rows *column(const load_cases *l, vs_column which) {
    return &l->reader->file.column[which];
}

static vs_error make_room(load_cases *l, int64_t contacts) {
    l->contacts = contacts;
    if (contacts <= l->room)
        return VS_OK;
    l->room = 2 * contacts;
    l->body = VS_NEW(l->arena, int, 2 * l->room);
    l->point = VS_NEW(l->arena, double, 3 * l->room);
    l->impulse = VS_NEW(l->arena, double, 3 * l->room);
    l->moment = VS_NEW_ZERO(l->arena, double, 3 * l->room);
    return l->body && l->point && l->impulse && l->moment ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error read_contacts(load_cases *l, int64_t frame) {
    int64_t range[2] = {0};
    vs_error error = vs_columns_contacts(&l->reader->file, frame, range);
    if (!error)
        error = make_room(l, range[1] - range[0]);
    if (!error)
        error = vs_dataset_rows_read(column(l, VS_COLUMN_CONTACT_BODY), range[0], l->contacts, l->body);
    if (!error)
        error = vs_dataset_rows_read(column(l, VS_COLUMN_CONTACT_POINT), range[0], l->contacts, l->point);
    if (!error)
        error = vs_dataset_rows_read(column(l, VS_COLUMN_CONTACT_IMPULSE), range[0], l->contacts, l->impulse);
    if (!error && vs_column_exists(&l->reader->file, VS_COLUMN_CONTACT_MOMENT))
        error = vs_dataset_rows_read(column(l, VS_COLUMN_CONTACT_MOMENT), range[0], l->contacts, l->moment);
    return error;
}

static vs_error read_poses(load_cases *l, int64_t frame) {
    vs_error error = vs_dataset_rows_read(column(l, VS_COLUMN_POSE), frame, 1, l->state.pose);
    if (!error)
        error = vs_dataset_rows_read(column(l, VS_COLUMN_VELOCITY), frame, 1, l->state.velocity);
    for (int k = 0; k < l->reader->info.bodies && !error; k++) {
        double *pose = l->state.pose + 7 * (size_t)k;
        const double *v = l->state.velocity + 6 * (size_t)k, h = l->reader->info.step;
        const vs_quat back = vs_quat_exp(vs_scale(-h, vs_get3(v + 3)));
        const vs_quat q = vs_quat_normalize(vs_quat_multiply(back, vs_get_pose(pose).rotation));
        for (int i = 0; i < 3; i++)
            pose[i] -= h * v[i];
        pose[3] = q.w, pose[4] = q.x, pose[5] = q.y, pose[6] = q.z;
    }
    return error;
}

static vs_error put_frame(load_cases *l, int64_t frame, double time) {
    char head[64];
    vs_error error = read_contacts(l, frame);
    if (!error)
        error = read_poses(l, frame);
    if (!error)
        error = vs_dataset_rows_read(column(l, VS_COLUMN_REACTION), frame, 1, l->state.reaction);
    if (error)
        return error;
    (void)snprintf(head, sizeof head, "%lld,%.17g", (long long)frame, time);
    for (int k = 0; k < l->reader->info.bodies; k++)
        put_body(l, head, k);
    return VS_OK;
}

static vs_error put_frames(load_cases *l, int64_t every) {
    const int64_t frames = l->reader->info.frames;
    double *time = VS_NEW(l->arena, double, frames), *step = VS_NEW(l->arena, double, frames);
    vs_error error = time && step ? vs_trajectory_reader_read_series(l->reader, "time", time) : VS_ERROR_MEMORY;
    if (!error)
        error = vs_trajectory_reader_read_series(l->reader, "step", step);
    (void)fputs("frame,time (s),body,load,with,x (m),y (m),z (m),Fx (N),Fy (N),Fz (N),Mx (N m),My (N m),Mz (N m)\n",
                l->file);
    for (int64_t k = 0; k < frames && !error; k++)
        if (step[k] > 0 && (k % every == 0 || k == frames - 1))
            error = put_frame(l, k, time[k]);
    return error;
}

// ---- the file --------------------------------------------------------------------------------------

static vs_error check_joints(const load_cases *l) {
    for (int j = 0; j < l->reader->info.joints; j++) {
        const int kind = l->state.joint_kind[j];
        if (kind == VS_JOINT_GEAR || kind == VS_JOINT_CAM || kind == VS_JOINT_CABLE)
            return vs_fail(l->reader->context, VS_ERROR_UNSUPPORTED,
                           "load cases: joint %d%s%s is a %s, whose forces on its bodies the file does not have", j,
                           *l->reader->info.joint_name[j] ? ", " : "", l->reader->info.joint_name[j],
                           kind == VS_JOINT_CABLE ? "cable"
                           : kind == VS_JOINT_CAM ? "cam"
                                                  : "gear");
    }
    return VS_OK;
}

static vs_error prepare(load_cases *l) {
    vs_error error = vs_frame_state_prepare(&l->state, l->reader, l->arena);
    if (!error && !(l->reader->info.step > 0))
        error = vs_fail(l->reader->context, VS_ERROR_DATA, "load cases: the file does not have the time step");
    return error ? error : check_joints(l);
}

static vs_error write_loads(load_cases *l, const char *out, int64_t every) {
    vs_output_file *output = NULL;
    vs_error error = vs_output_file_create(l->reader->context, out, &output);
    if (!error) {
        l->file = vs_path_stream(vs_output_file_get_path(output), "w");
        error = l->file ? put_frames(l, every) : vs_fail(l->reader->context, VS_ERROR_IO, "%s: cannot be written", out);
        const bool bad = l->file && (ferror(l->file) != 0);
        if (l->file && (fclose(l->file) != 0 || bad) && !error)
            error = vs_fail(l->reader->context, VS_ERROR_IO, "%s: cannot be written", out);
    }
    if (!error)
        error = vs_output_file_commit(output);
    vs_output_file_destroy(output);
    return error;
}

vs_error vs_trajectory_export_loads(vs_context *context, const char *path, const char *out, int64_t every) {
    vs_trajectory_reader *reader = NULL;
    if (!path || !out || every < 1)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "vs_trajectory_export_loads: an argument is null, or every is below 1");
    vs_error error = vs_trajectory_reader_open(context, path, &reader);
    if (error)
        return error;
    vs_arena arena;
    vs_arena_init(&arena, context);
    load_cases l = {.reader = reader, .arena = &arena};
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    error = vs_file_blame(context, prepare(&l), path);
    if (!error)
        error = write_loads(&l, out, every);
    vs_h5_silence_end(&silence);
    vs_arena_release(&arena);
    vs_trajectory_reader_close(reader);
    return error;
}
