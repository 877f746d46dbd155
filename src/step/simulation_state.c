// State of a simulation as bytes: see simulation_state.h.
//
//     counters, remembered impulses, sums of energy; before version 0.2 without the sums
#include "step/simulation_state.h"

#include <math.h>
#include <string.h>

#include "step/simulation_data.h"

typedef struct head {
    int64_t steps, inaccurate, impulses;
} head;

vs_error vs_simulation_save(const vs_simulation *s, vs_arena *arena, void **bytes, size_t *count) {
    const head first = {s->steps, s->inaccurate, s->memory.impulse.count};
    size_t impulses = (size_t)first.impulses * sizeof(vs_impulse);
    *count = sizeof first + impulses + sizeof s->flow;
    char *out = VS_NEW(arena, char, (int64_t)*count);
    if (!out)
        return VS_ERROR_MEMORY;
    memcpy(out, &first, sizeof first);
    if (impulses > 0)
        memcpy(out + sizeof first, s->memory.impulse.data, impulses);
    memcpy(out + sizeof first + impulses, &s->flow, sizeof s->flow);
    *bytes = out;
    return VS_OK;
}

// Ascending keys and impulses that are numbers; squares must not exceed their range. The bytes may not be aligned.
static vs_error check_impulses(vs_context *context, const char *bytes, int64_t count) {
    vs_impulse last = {0};
    for (int64_t k = 0; k < count; k++) {
        vs_impulse one;
        memcpy(&one, bytes + sizeof one * (size_t)k, sizeof one);
        const vs_vec3 x = one.impulse;
        if (!(fabs(x.x) <= 1e150 && fabs(x.y) <= 1e150 && fabs(x.z) <= 1e150))
            return vs_fail(context, VS_ERROR_DATA, "checkpoint: impulse %lld is (%g, %g, %g)", (long long)k, x.x, x.y,
                           x.z);
        if (one.key < last.key)
            return vs_fail(context, VS_ERROR_DATA, "checkpoint: impulse %lld is out of order", (long long)k);
        last = one;
    }
    return VS_OK;
}

static bool is_flow(size_t bytes) {
    return bytes == 0 || bytes == sizeof(vs_energy_flow);
}

vs_error vs_simulation_load(vs_simulation *s, const void *bytes, size_t count) {
    head first;
    if (count < sizeof first)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the simulation's part is too short");
    memcpy(&first, bytes, sizeof first);
    size_t rest = count - sizeof first;
    if (first.impulses < 0 || first.steps < 0 || (uint64_t)first.impulses > rest / sizeof(vs_impulse) ||
        !is_flow(rest - (size_t)first.impulses * sizeof(vs_impulse)))
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the simulation's part has the wrong size");
    if (first.inaccurate < 0 || first.inaccurate > first.steps)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: %lld of %lld steps are inaccurate",
                       (long long)first.inaccurate, (long long)first.steps);
    vs_error error = check_impulses(s->context, (const char *)bytes + sizeof first, first.impulses);
    if (!error)
        error = VS_RESERVE(s->context, &s->memory.impulse, first.impulses);
    if (error)
        return error;
    size_t impulses = (size_t)first.impulses * sizeof(vs_impulse);
    if (impulses > 0)
        memcpy(s->memory.impulse.data, (const char *)bytes + sizeof first, impulses);
    s->flow = (vs_energy_flow){0};
    if (rest > impulses)
        memcpy(&s->flow, (const char *)bytes + sizeof first + impulses, sizeof s->flow);
    s->memory.impulse.count = first.impulses;
    s->steps = first.steps;
    s->inaccurate = first.inaccurate;
    return VS_OK;
}
