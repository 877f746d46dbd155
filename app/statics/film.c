// A mechanism as a trajectory: blocks move along screws from their position, slowly at first. Forces at the corners of
// interfaces are the contacts of the first frame.
#include "statics/film.h"

#include <math.h>
#include <stdlib.h>

#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/system/message.h"

enum { FRAMES = 60 };
static const double SECONDS = 2;
static const double STEP = 1;   // s of the file: impulses are then forces
static const double PART = .12; // of the assembly's size: way of the fastest block

static double size_of(const app_assembly *a) {
    const int contacts = vs_statics_get_report(a->statics).contacts;
    const vs_vec3 first = vs_statics_get_point(a->statics, 0);
    double size = 0;
    for (int k = 1; k < contacts; k++) {
        const vs_vec3 p = vs_statics_get_point(a->statics, k);
        size = fmax(size, fmax(fmax(fabs(p.x - first.x), fabs(p.y - first.y)), fabs(p.z - first.z)));
    }
    return size > 0 ? size : 1;
}

// The rotation by |r| about r before q.
static vs_quat turn(vs_vec3 r, vs_quat q) {
    const double angle = sqrt(r.x * r.x + r.y * r.y + r.z * r.z), s = angle > 0 ? sin(angle / 2) / angle : .5;
    const vs_quat p = {cos(angle / 2), s * r.x, s * r.y, s * r.z};
    return (vs_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                     p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

static vs_error place(app_assembly *a, const vs_mechanism *m, const vs_body_state *rest, double way) {
    vs_error error = VS_OK;
    for (int k = 0; k < vs_statics_get_block_count(a->statics) && !error; k++) {
        const vs_vec3 v = m->velocity[k], w = m->spin[k];
        vs_body_state state = rest[k];
        state.pose.position.x += way * v.x;
        state.pose.position.y += way * v.y;
        state.pose.position.z += way * v.z;
        state.pose.rotation = turn((vs_vec3){way * w.x, way * w.y, way * w.z}, state.pose.rotation);
        state.velocity = v;
        state.spin = w;
        error = vs_world_set_body_state(a->scene->world, vs_statics_get_block(a->statics, k), &state);
    }
    return error;
}

// Corners of interfaces with their forces.
static void list_contacts(const app_assembly *a, const vs_vec3 *force, vs_contact_view *contact) {
    const int interfaces = vs_statics_get_report(a->statics).interfaces;
    for (int k = 0; k < interfaces; k++) {
        vs_interface i;
        if (vs_statics_get_interface(a->statics, k, &i) != VS_OK)
            return;
        for (int c = i.first; c < i.first + i.corners; c++)
            contact[c] = (vs_contact_view){.a = i.a,
                                           .b = i.b,
                                           .point = vs_statics_get_point(a->statics, c),
                                           .normal = i.normal,
                                           .impulse = {STEP * force[c].x, STEP * force[c].y, STEP * force[c].z},
                                           .mu = i.mu};
    }
}

static vs_error write_rest(const app_assembly *a, const vs_vec3 *force, vs_trajectory_writer *writer) {
    const int contacts = force ? vs_statics_get_report(a->statics).contacts : 0;
    const vs_step_report report = {.step = 1, .contacts = contacts, .active = contacts, .status_text = ""};
    vs_contact_view *contact = calloc((size_t)contacts + 1, sizeof *contact);
    if (!contact)
        return VS_ERROR_MEMORY;
    if (force)
        list_contacts(a, force, contact);
    const vs_error error = vs_trajectory_writer_write_contacts(writer, a->scene->world, contacts, contact, &report);
    free(contact);
    return error;
}

static vs_error open_writer(const app_assembly *a, const char *title, const char *path, vs_trajectory_writer **writer) {
    if (!app_writes(path))
        return VS_ERROR_ARGUMENT;
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    options.title = title;
    options.step = STEP;
    return vs_trajectory_writer_create(path, a->scene->world, &options, writer);
}

static vs_error write_frames(app_assembly *a, const vs_mechanism *m, const vs_vec3 *force, const vs_body_state *rest,
                             const char *path) {
    const double way = PART * size_of(a);
    vs_trajectory_writer *writer = NULL;
    vs_error error = open_writer(a, "mechanism", path, &writer);
    if (!error)
        error = place(a, m, rest, 0);
    if (!error)
        error = write_rest(a, force, writer);
    for (int k = 1; k <= FRAMES && !error; k++) {
        const double part = (double)k / FRAMES;
        const vs_step_report report = {.step = k + 1, .time = SECONDS * part, .status_text = ""};
        error = place(a, m, rest, way * part * part);
        if (!error)
            error = vs_trajectory_writer_write(writer, a->scene->world, NULL, &report);
    }
    const vs_error closed = vs_trajectory_writer_close(writer);
    return error ? error : closed;
}

static bool check(app_assembly *a, vs_error error, const char *path) {
    if (error && !app_files_refused()) {
        char text[512];
        app_explain_output(path, error, a->context, text, sizeof text);
        app_complain("%s: %s", path, text);
    }
    if (error)
        a->code = app_exit_code(error);
    return error == VS_OK;
}

bool app_film_write_forces(app_assembly *a, const vs_vec3 *force, const char *path) {
    vs_trajectory_writer *writer = NULL;
    vs_error error = open_writer(a, "equilibrium", path, &writer);
    if (!error)
        error = write_rest(a, force, writer);
    const vs_error closed = vs_trajectory_writer_close(writer);
    return check(a, error ? error : closed, path);
}

bool app_film_write(app_assembly *a, const vs_mechanism *m, const vs_vec3 *force, const char *path) {
    const int count = vs_statics_get_block_count(a->statics);
    vs_body_state *rest = calloc((size_t)count, sizeof *rest);
    vs_error error = rest ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; k < count && !error; k++)
        error = vs_world_get_body_state(a->scene->world, vs_statics_get_block(a->statics, k), &rest[k]);
    if (!error)
        error = write_frames(a, m, force, rest, path);
    for (int k = 0; k < count && rest; k++)
        (void)vs_world_set_body_state(a->scene->world, vs_statics_get_block(a->statics, k), &rest[k]);
    free(rest);
    return check(a, error, path);
}
