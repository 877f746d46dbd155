// The state of a simulation in memory of the caller's.
#include "base/file.h"
#include "step/data/simulation_data.h"
#include "step/state/simulation_state.h"

static vs_error check(const vs_simulation *s, const char *function) {
    if (s->division)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "%s: the simulation is distributed; write a checkpoint of what is gathered", function);
    return vs_simulation_check_idle(s, function);
}

vs_error vs_simulation_save(const vs_simulation *s, void *buffer, size_t capacity, size_t *count) {
    if (!s || !count)
        return vs_fail(s ? s->context : NULL, VS_ERROR_ARGUMENT, "vs_simulation_save: an argument is null");
    const vs_error error = check(s, "vs_simulation_save");
    if (error)
        return error;
    const vs_state state = vs_state_to_save(s->world, s);
    vs_state_save(&state, buffer, capacity, count);
    if (!buffer || *count <= capacity)
        return VS_OK;
    return vs_fail(s->context, VS_ERROR_ARGUMENT, "vs_simulation_save: the state has %zu bytes, the buffer %zu", *count,
                   capacity);
}

vs_error vs_simulation_restore(vs_simulation *s, const void *bytes, size_t count) {
    if (!s || !bytes)
        return vs_fail(s ? s->context : NULL, VS_ERROR_ARGUMENT, "vs_simulation_restore: an argument is null");
    vs_error error = check(s, "vs_simulation_restore");
    if (error)
        return error;
    const vs_state state = {.world = s->world, .simulation = s, .name = "snapshot"};
    error = vs_state_load(&state, bytes, count);
    return vs_file_blame(s->context, error, "snapshot");
}
