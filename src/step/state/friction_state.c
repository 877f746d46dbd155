// The memory of static friction as bytes: see friction_state.h.
#include "step/state/friction_state.h"

#include <string.h>

enum { EACH = sizeof(vs_remembered_friction) };

size_t vs_friction_state_bytes(const vs_simulation *s) {
    return vs_world_remembers_friction(s->world) ? EACH * (size_t)s->friction.contact.count + sizeof(int64_t) : 0;
}

void vs_friction_state_save(const vs_simulation *s, char *out) {
    const int64_t count = s->friction.contact.count;
    if (!vs_world_remembers_friction(s->world))
        return;
    if (count > 0)
        memcpy(out, s->friction.contact.data, EACH * (size_t)count);
    memcpy(out + EACH * (size_t)count, &count, sizeof count);
}

vs_error vs_friction_state_check(const vs_simulation *s, const char *bytes, size_t count, size_t *found) {
    int64_t contacts = -1;
    *found = 0;
    if (!vs_world_remembers_friction(s->world))
        return VS_OK;
    if (count >= sizeof contacts)
        memcpy(&contacts, bytes + count - sizeof contacts, sizeof contacts);
    if (contacts < 0 || (uint64_t)contacts > (count - sizeof contacts) / EACH)
        return vs_fail(s->context, VS_ERROR_DATA,
                       "checkpoint: a material has static_mu, and the friction that was remembered has the wrong size");
    const size_t begin = count - sizeof contacts - EACH * (size_t)contacts;
    for (int64_t k = 0; k < contacts; k++) {
        vs_remembered_friction one;
        memcpy(&one, bytes + begin + EACH * (size_t)k, EACH);
        if (!vs_friction_past_is_valid(one.past))
            return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: remembered friction %lld is out of range",
                           (long long)k);
    }
    *found = count - begin;
    return VS_OK;
}

int64_t vs_friction_state_count(size_t found) {
    return found > 0 ? (int64_t)((found - sizeof(int64_t)) / EACH) : 0;
}

void vs_friction_state_load(vs_simulation *s, const char *bytes, size_t found) {
    const int64_t count = vs_friction_state_count(found);
    if (count > 0)
        memcpy(s->friction.contact.data, bytes, EACH * (size_t)count);
    s->friction.contact.count = count;
}
