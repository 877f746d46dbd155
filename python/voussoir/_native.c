// What the Python bindings need beside the public API; becomes the head of the extension module.
#include <stdlib.h>
#include <time.h>

#include "voussoir/voussoir.h"

// In a library of its own (VS_PY_LIBRARY), which Python loads without a compiled module, these functions are exported.
#ifdef VS_PY_LIBRARY
#define VS_PY VS_API
#else
#define VS_PY static
#endif

// ---- ownership -------------------------------------------------------------------------------------

// A C object and what it rests on (solver, problem, context): it is destroyed when nobody holds it any more, and before
// its parent, in whatever order Python's collector lets go of them.
typedef enum vs_py_kind {
    VS_PY_CONTEXT,
    VS_PY_BUILDER,
    VS_PY_PROBLEM,
    VS_PY_SOLVER,
    VS_PY_MEASURER,
    VS_PY_SHAPE,
    VS_PY_WORLD,
    VS_PY_SCENE,
    VS_PY_SIMULATION,
    VS_PY_WRITER,
    VS_PY_STATICS,
    VS_PY_BATCH,
    VS_PY_TREE,
    VS_PY_DERIVATIVE,
    VS_PY_RUN_DERIVATIVE
} vs_py_kind;

typedef struct vs_py_handle {
    void *object; // null: was given away
    vs_py_kind kind;
    int holders;
    struct vs_py_handle *parent;
} vs_py_handle;

static void destroy(vs_py_kind kind, void *object) {
    switch (kind) {
    case VS_PY_CONTEXT:
        vs_context_destroy(object);
        break;
    case VS_PY_BUILDER:
        vs_problem_builder_destroy(object);
        break;
    case VS_PY_PROBLEM:
        vs_problem_destroy(object);
        break;
    case VS_PY_SOLVER:
        vs_solver_destroy(object);
        break;
    case VS_PY_MEASURER:
        vs_measurer_destroy(object);
        break;
    case VS_PY_SHAPE:
        vs_shape_release(object);
        break;
    case VS_PY_WORLD:
        vs_world_destroy(object);
        break;
    case VS_PY_SCENE:
        vs_scene_destroy(object);
        break;
    case VS_PY_SIMULATION:
        vs_simulation_destroy(object);
        break;
    case VS_PY_WRITER:
        (void)vs_trajectory_writer_close(object);
        break;
    case VS_PY_STATICS:
        vs_statics_destroy(object);
        break;
    case VS_PY_BATCH:
        vs_batch_destroy(object);
        break;
    case VS_PY_TREE:
        vs_tree_destroy(object);
        break;
    case VS_PY_DERIVATIVE:
        vs_derivative_destroy(object);
        break;
    case VS_PY_RUN_DERIVATIVE:
        vs_run_derivative_destroy(object);
        break;
    }
}

VS_PY void vs_py_release(vs_py_handle *handle) {
    while (handle && __atomic_sub_fetch(&handle->holders, 1, __ATOMIC_ACQ_REL) == 0) {
        vs_py_handle *parent = handle->parent;
        if (handle->object)
            destroy(handle->kind, handle->object);
        free(handle);
        handle = parent;
    }
}

// Takes the object in every case; null: out of memory.
VS_PY vs_py_handle *vs_py_own(void *object, vs_py_kind kind, vs_py_handle *parent) {
    vs_py_handle *handle = malloc(sizeof *handle);
    if (!handle) {
        destroy(kind, object);
        return NULL;
    }
    *handle = (vs_py_handle){object, kind, 1, parent};
    if (parent)
        (void)__atomic_add_fetch(&parent->holders, 1, __ATOMIC_RELAXED);
    return handle;
}

// Another parent: a solver that was given another problem.
VS_PY void vs_py_rest_on(vs_py_handle *handle, vs_py_handle *parent) {
    vs_py_handle *before = handle->parent;
    (void)__atomic_add_fetch(&parent->holders, 1, __ATOMIC_RELAXED);
    handle->parent = parent;
    vs_py_release(before);
}

// ---- callbacks -------------------------------------------------------------------------------------

#ifdef VS_PY_LIBRARY
static bool (*vs_py_progress)(void *user, const vs_iteration *iteration);
static void (*vs_py_log)(void *user, vs_log_level level, const char *text);

// What Python made of its functions; before any other call.
VS_PY void vs_py_set_callbacks(bool (*progress)(void *user, const vs_iteration *iteration),
                               void (*log)(void *user, vs_log_level level, const char *text)) {
    vs_py_progress = progress;
    vs_py_log = log;
}
#else
static bool vs_py_progress(void *user, const vs_iteration *iteration);
static void vs_py_log(void *user, vs_log_level level, const char *text);
#endif

// Lets Python see its signals (Ctrl-C) twenty times a second: a solve that is shorter never takes Python's lock.
typedef struct vs_py_watch {
    double last; // s, when it did
} vs_py_watch;

VS_PY bool vs_py_watched(void *user, const vs_iteration *iteration) {
    vs_py_watch *watch = user;
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    const double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    if (watch->last == 0)
        watch->last = now;
    if (now - watch->last < 0.05)
        return true;
    watch->last = now;
    return vs_py_progress(NULL, iteration);
}

// Errors become exceptions and need no log.
VS_PY void vs_py_warn(void *user, vs_log_level level, const char *text) {
    if (level == VS_LOG_WARNING)
        vs_py_log(user, level, text);
}

// ---- many at once ----------------------------------------------------------------------------------

VS_PY vs_error vs_py_get_states(const vs_world *world, int count, vs_body_state *states) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++)
        error = vs_world_get_body_state(world, vs_world_get_body_at(world, k), states + k);
    return error;
}

VS_PY vs_error vs_py_set_states(vs_world *world, int count, const vs_body_state *states) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++)
        error = vs_world_set_body_state(world, vs_world_get_body_at(world, k), states + k);
    return error;
}

VS_PY void vs_py_get_bodies(const vs_world *world, int count, vs_body_id *ids) {
    for (int k = 0; k < count; k++)
        ids[k] = vs_world_get_body_at(world, k);
}

// Coordinate and rate of each joint.
VS_PY vs_error vs_py_get_joints(const vs_world *world, int count, double *motion) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++, motion += 2)
        error = vs_world_get_joint_coordinate(world, vs_world_get_joint_at(world, k), motion, motion + 1);
    return error;
}

// NaN leaves a joint as it is.
VS_PY vs_error vs_py_set_efforts(vs_world *world, int count, const double *effort) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++)
        if (effort[k] == effort[k])
            error = vs_world_set_joint_effort(world, vs_world_get_joint_at(world, k), effort[k]);
    return error;
}

VS_PY vs_error vs_py_set_joints(vs_world *world, int count, const double *motion) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++, motion += 2)
        if (motion[0] == motion[0] && motion[1] == motion[1])
            error = vs_world_set_joint_coordinate(world, vs_world_get_joint_at(world, k), motion[0], motion[1]);
    return error;
}

VS_PY vs_error vs_py_get_efforts(const vs_world *world, int count, double *effort) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++)
        error = vs_world_get_joint_effort(world, vs_world_get_joint_at(world, k), effort + k);
    return error;
}

VS_PY vs_error vs_py_get_controls(const vs_world *world, int count, double *value) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++)
        error = vs_world_get_control(world, k, value + k);
    return error;
}

VS_PY vs_error vs_py_set_controls(vs_world *world, int count, const double *value) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++)
        error = vs_world_set_control(world, k, value[k]);
    return error;
}

VS_PY vs_error vs_py_get_bonds(const vs_simulation *simulation, int count, vs_bond_view *bonds) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++)
        error = vs_simulation_get_bond_at(simulation, k, bonds + k);
    return error;
}

VS_PY vs_error vs_py_get_contacts(const vs_simulation *simulation, int count, vs_contact_view *contacts) {
    vs_error error = VS_OK;
    for (int k = 0; k < count && error == VS_OK; k++)
        error = vs_simulation_get_contact_at(simulation, k, contacts + k);
    return error;
}
