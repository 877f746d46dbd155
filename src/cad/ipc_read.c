// Rigid IPC scenes (Ferguson et al. 2021) as JSON: what they say, checked.
//
//     {"timestep": 0.01, "max_time": 2, "rigid_body_problem": {"gravity": [0, -9.8, 0], "coefficient_friction": 0.5,
//      "coefficient_restitution": -1, "rigid_bodies": [{"mesh": "cube.obj", "position": [0, 1, 0], …}, …]}}
//
// Keys that begin with '#' are disabled, as in the original. Options of its solver are not read; unknown keys are ignored with
// a warning. Angles, angular velocities and torques are in degrees there: a torque of 180 is pi N m.
#include "cad/ipc_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIXED = 6, STEPS = 1000, BODIES_MOST = 1000000, GROUPED_MOST = 1000 };
static const double LARGE = 1e15, STEP = .01, DENSITY = 1000, RADIAN = 3.14159265358979323846 / 180;

typedef struct reader {
    vs_ipc_scene *scene;
    const vs_ipc_body *body; // null: the scene itself
    vs_error error;          // the first
} reader;

bool vs_ipc_is_scene(const json_t *root) {
    return json_is_object(json_object_get(root, "rigid_body_problem"));
}

vs_error vs_ipc_fail(const vs_ipc_scene *scene, const vs_ipc_body *body, const char *what) {
    char mesh[VS_CAD_NAME_MOST + 1];
    vs_name_clean(body->mesh, strlen(body->mesh), mesh, VS_CAD_NAME_MOST);
    return vs_fail(scene->arena->context, VS_ERROR_DATA, "%s: rigid_bodies[%d]%s%s%s %s", scene->file, body->number,
                   mesh[0] ? " (" : "", mesh, mesh[0] ? ")" : "", what);
}

static void fail(reader *r, const char *key, const char *expected) {
    char where[32] = "";
    if (r->body)
        (void)snprintf(where, sizeof where, "rigid_bodies[%d].", r->body->number);
    if (!r->error)
        r->error = vs_fail(r->scene->arena->context, VS_ERROR_DATA, "%s: %s%s: expected %s", r->scene->file, where, key,
                           expected);
}

// ---- values ----------------------------------------------------------------------------------------

static bool is_number(const json_t *value) {
    return json_is_number(value) && fabs(json_number_value(value)) <= LARGE;
}

static double number(reader *r, const json_t *object, const char *key, double otherwise) {
    const json_t *value = json_object_get(object, key);
    if (value && !is_number(value))
        fail(r, key, "a number up to 1e15");
    return value && is_number(value) ? json_number_value(value) : otherwise;
}

static double positive(reader *r, const json_t *object, const char *key, double otherwise) {
    const double x = number(r, object, key, otherwise);
    if (!(x > 0))
        fail(r, key, "a positive number");
    return x;
}

static bool is_vector(const json_t *value) {
    bool good = json_is_array(value) && json_array_size(value) == 3;
    for (size_t k = 0; k < 3 && good; k++)
        good = is_number(json_array_get(value, k));
    return good;
}

static vs_vec3 to_vector(const json_t *value) {
    return (vs_vec3){json_number_value(json_array_get(value, 0)), json_number_value(json_array_get(value, 1)),
                     json_number_value(json_array_get(value, 2))};
}

static vs_vec3 vector(reader *r, const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (value && !is_vector(value))
        fail(r, key, "3 numbers up to 1e15 (scenes of 2 dimensions are not read)");
    return value && is_vector(value) ? to_vector(value) : (vs_vec3){0, 0, 0};
}

static bool flag(reader *r, const json_t *object, const char *key, bool otherwise) {
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        fail(r, key, "true or false");
    return value ? json_is_true(value) : otherwise;
}

// Warns of keys that are not known.
static void check_keys(reader *r, const json_t *object, const char *known) {
    for (void *i = json_object_iter((json_t *)object); i; i = json_object_iter_next((json_t *)object, i)) {
        char padded[40], name[24];
        const char *key = json_object_iter_key(i);
        vs_name_clean(key, strlen(key), name, sizeof name - 1);
        (void)snprintf(padded, sizeof padded, " %s ", name);
        if (name[0] != '#' && !strstr(known, padded))
            vs_log(r->scene->arena->context, VS_LOG_WARNING, "%s: '%s' is not known and ignored", r->scene->file, name);
    }
}

// ---- a body ----------------------------------------------------------------------------------------

static void read_scale(reader *r, const json_t *object, vs_ipc_body *b) {
    const json_t *scale = json_object_get(object, "scale");
    b->dimensions = json_object_get(object, "dimensions") != NULL;
    b->scale = (vs_vec3){1, 1, 1};
    if (b->dimensions)
        b->scale = vector(r, object, "dimensions");
    else if (json_is_number(scale))
        b->scale = vs_scale(number(r, object, "scale", 1), b->scale);
    else if (scale)
        b->scale = vector(r, object, "scale");
}

// Euler angles about the fixed axes x, y, z, one after the other.
static vs_quat read_rotation(reader *r, const json_t *object) {
    const vs_vec3 angle = vs_scale(RADIAN, vector(r, object, "rotation"));
    const vs_quat x = vs_quat_exp((vs_vec3){angle.x, 0, 0}), y = vs_quat_exp((vs_vec3){0, angle.y, 0}),
                  z = vs_quat_exp((vs_vec3){0, 0, angle.z});
    return vs_quat_normalize(vs_quat_multiply(z, vs_quat_multiply(y, x)));
}

static void read_fixed(reader *r, const json_t *object, vs_ipc_body *b) {
    const json_t *value = json_object_get(object, "is_dof_fixed");
    bool good = !value || json_is_boolean(value) || json_array_size(value) == FIXED;
    for (size_t k = 0; k < FIXED; k++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, k) : value;
        good = good && (!one || json_is_boolean(one));
        b->fixed[k] = json_is_true(one);
    }
    if (!good)
        fail(r, "is_dof_fixed", "true, false, or 6 of them");
}

static void read_motion(reader *r, const json_t *object, vs_ipc_body *b) {
    static const char *const types[] = {"dynamic", "kinematic", "static"};
    const json_t *type = json_object_get(object, "type");
    int found = type ? 3 : 0;
    for (int k = 0; k < 3 && json_is_string(type); k++)
        if (strcmp(json_string_value(type), types[k]) == 0)
            found = k;
    if (found == 3)
        fail(r, "type", "dynamic, kinematic or static");
    else
        b->motion = vs_ipc_all_fixed(b) ? VS_IPC_STATIC : (vs_ipc_motion)found;
}

// Velocities and loads along fixed degrees of freedom are none.
static void clear_fixed(vs_ipc_body *b) {
    double *const axis[] = {&b->velocity.x, &b->velocity.y, &b->velocity.z, &b->spin.x,   &b->spin.y,   &b->spin.z,
                            &b->force.x,    &b->force.y,    &b->force.z,    &b->torque.x, &b->torque.y, &b->torque.z};
    for (int k = 0; k < 2 * FIXED; k++)
        if (b->fixed[k % FIXED])
            *axis[k] = 0;
}

static void read_places(reader *r, const json_t *object, vs_ipc_body *b) {
    const json_t *list = json_object_get(object, "kinematic_poses");
    const size_t count = json_array_size(list);
    if (list && !json_is_array(list))
        fail(r, "kinematic_poses", "a list");
    vs_vec3 *place = count > 0 ? VS_NEW(r->scene->arena, vs_vec3, (int64_t)count) : NULL;
    if (count > 0 && !place)
        r->error = r->error ? r->error : VS_ERROR_MEMORY;
    for (size_t k = 0; k < count && !r->error; k++) {
        const json_t *pose = json_array_get(list, k);
        if (!json_is_object(pose) || json_object_get(pose, "rotation"))
            fail(r, "kinematic_poses", "positions only: rotations of poses are not read");
        place[k] = vector(r, pose, "position");
    }
    b->places = (int)count;
    b->place = place;
}

static void read_mesh(reader *r, const json_t *object, vs_ipc_body *b) {
    const json_t *mesh = json_object_get(object, "mesh");
    b->mesh = json_is_string(mesh) ? json_string_value(mesh) : "";
    b->vertices = json_object_get(object, "vertices");
    b->faces = json_object_get(object, "faces");
    if (mesh && !json_is_string(mesh))
        fail(r, "mesh", "the name of a file");
    else if (!b->mesh[0] && !json_is_array(b->vertices))
        fail(r, "mesh", "the name of a file, or \"vertices\" and \"faces\"");
}

static void check_freedom(reader *r, const vs_ipc_body *b) {
    const int turns = !b->fixed[3] + !b->fixed[4] + !b->fixed[5];
    if (b->motion == VS_IPC_DYNAMIC && turns == 2)
        fail(r, "is_dof_fixed", "0, 2 or 3 fixed rotations: a single one is not read");
}

static void read_body(reader *r, const json_t *object, vs_ipc_body *b) {
    check_keys(r, object,
               " mesh vertices edges faces density is_dof_fixed oriented group_id position rotation scale dimensions "
               "linear_velocity angular_velocity force torque enabled type kinematic_max_time kinematic_poses "
               "split_components ipc_comparison_enabled ");
    read_mesh(r, object, b);
    read_scale(r, object, b);
    read_fixed(r, object, b);
    read_motion(r, object, b);
    check_freedom(r, b);
    read_places(r, object, b);
    b->split = flag(r, object, "split_components", false);
    b->pose = (vs_pose){vector(r, object, "position"), read_rotation(r, object)};
    b->density = number(r, object, "density", DENSITY);
    if (b->motion == VS_IPC_DYNAMIC && !(b->density > 0))
        fail(r, "density", "a positive number");
    b->velocity = vector(r, object, "linear_velocity");
    b->spin = vs_scale(RADIAN, vector(r, object, "angular_velocity"));
    b->force = vector(r, object, "force");
    b->torque = vs_scale(RADIAN, vector(r, object, "torque"));
    clear_fixed(b);
    const double group = number(r, object, "group_id", -1), until = number(r, object, "kinematic_max_time", -1);
    if (!(group >= -1 && group <= 1e9 && group == floor(group)))
        fail(r, "group_id", "a whole number from -1 to 1e9");
    b->group = r->error ? -1 : (int)group;
    b->until = until < 0 ? INFINITY : until;
}

static void read_bodies(reader *r, const json_t *list) {
    const size_t count = json_array_size(list);
    if (!json_is_array(list) || count == 0 || count > BODIES_MOST)
        fail(r, "rigid_bodies", "a list of 1 to 1000000 bodies");
    if (!r->error)
        r->error = VS_RESERVE(r->scene->arena->context, &r->scene->body, (int64_t)count);
    int grouped = 0;
    for (size_t k = 0; k < count && !r->error; k++) {
        const json_t *object = json_array_get(list, k);
        vs_ipc_body *b = &r->scene->body.data[r->scene->body.count];
        *b = (vs_ipc_body){.number = (int)k, .mesh = ""};
        r->body = b;
        if (!json_is_object(object))
            fail(r, "", "an object");
        else if (flag(r, object, "enabled", true)) {
            read_body(r, object, b);
            r->scene->body.count++;
            grouped += b->group >= 0;
            if (grouped > GROUPED_MOST)
                fail(r, "group_id", "at most 1000 bodies with groups");
        }
    }
    r->body = NULL;
    if (!r->error && r->scene->body.count == 0)
        fail(r, "rigid_bodies", "a body that is enabled");
}

// ---- the scene -------------------------------------------------------------------------------------

vs_error vs_ipc_read(vs_ipc_scene *scene, const json_t *root) {
    reader r = {.scene = scene};
    const json_t *problem = json_object_get(root, "rigid_body_problem");
    check_keys(&r, problem, " rigid_bodies gravity coefficient_friction coefficient_restitution ");
    scene->gravity = vector(&r, problem, "gravity");
    scene->mu = number(&r, problem, "coefficient_friction", 0);
    if (!(scene->mu >= 0))
        fail(&r, "coefficient_friction", "a number that is not negative");
    scene->restitution = fmax(number(&r, problem, "coefficient_restitution", -1), 0); // -1: none
    if (!(scene->restitution <= 1))
        fail(&r, "coefficient_restitution", "a number up to 1");
    scene->step = positive(&r, root, "timestep", STEP);
    scene->duration = json_object_get(root, "max_time") ? positive(&r, root, "max_time", 1)
                                                        : scene->step * positive(&r, root, "max_iterations", STEPS);
    read_bodies(&r, json_object_get(problem, "rigid_bodies"));
    return r.error;
}
