// State of a simulation as bytes: see simulation_state.h.
//
//     counters, remembered impulses, sums of energy; with the scheme shake leads of all bodies; with controlled accuracy the
//     length of the next step and the last error; of each flexible body whether it was stepped, its lag and its earlier
//     velocities; bonds (bond_state.h); remembered friction (friction_state.h)
//     in the first release impulses without marks, and nothing else
#include "step/state/simulation_state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "body/flexible_data.h"
#include "step/state/bond_state.h"
#include "step/state/friction_state.h"

// Sums of energy without that of bonds, which is kept with them.
enum { FLOW_BYTES = offsetof(vs_energy_flow, fracture) };

typedef struct head {
    int64_t steps, inaccurate, impulses;
} head;

// vs_lead without padding.
typedef struct lead_record {
    double known; // 1 or 0
    vs_vec3 velocity, spin, reaction, reaction_spin;
} lead_record;

// Of the controlled steps.
typedef struct control_record {
    double h, last_error;
} control_record;

// What a scheme has in addition. The sizes tell them apart.
typedef enum scheme_part { PART_NONE, PART_LEADS, PART_CONTROL, PARTS } scheme_part;

static const char *const part_names[PARTS] = {"the scheme moreau", "the scheme shake", "controlled accuracy"};

static scheme_part part_of(const vs_simulation *s) {
    return s->options.accuracy > 0 ? PART_CONTROL : s->options.scheme == VS_SCHEME_SHAKE ? PART_LEADS : PART_NONE;
}

static size_t part_bytes(const vs_simulation *s, scheme_part part) {
    const size_t bytes[PARTS] = {0, (size_t)s->world->bodies * sizeof(lead_record), sizeof(control_record)};
    return bytes[part];
}

static size_t lead_bytes(const vs_simulation *s) {
    return part_of(s) == PART_LEADS ? part_bytes(s, PART_LEADS) : 0;
}

// Of a flexible body, before its earlier velocities.
typedef struct flexible_record {
    double stepped, lag; // 1 or 0; s
} flexible_record;

static size_t earlier_bytes(const vs_flexible *f) {
    return sizeof(vs_vec3) * (size_t)(f->beam ? 2 * f->nodes : f->nodes);
}

static size_t flexible_bytes(const vs_simulation *s) {
    size_t bytes = 0;
    for (int k = 0; k < s->world->flexibles; k++)
        if (s->world->flexible[k].alive)
            bytes += sizeof(flexible_record) + earlier_bytes(&s->world->flexible[k]);
    return bytes;
}

static void save_flexibles(const vs_simulation *s, char *out) {
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        const flexible_record record = {f->stepped, f->lag};
        if (!f->alive)
            continue;
        memcpy(out, &record, sizeof record);
        memcpy(out + sizeof record, f->earlier, earlier_bytes(f));
        out += sizeof record + earlier_bytes(f);
    }
}

static void save_leads(const vs_simulation *s, char *out) {
    for (int k = 0; k < s->world->bodies; k++, out += sizeof(lead_record)) {
        const vs_lead *lead = &s->world->body[k].lead;
        const lead_record record = {lead->known, lead->velocity, lead->spin, lead->reaction, lead->reaction_spin};
        memcpy(out, &record, sizeof record);
    }
}

vs_error vs_simulation_save(const vs_simulation *s, vs_arena *arena, void **bytes, size_t *count) {
    const head first = {s->steps, s->inaccurate, s->memory.impulse.count};
    size_t impulses = (size_t)first.impulses * sizeof(vs_impulse);
    *count = sizeof first + impulses + FLOW_BYTES + part_bytes(s, part_of(s)) + flexible_bytes(s) +
             vs_bond_state_bytes(s) + vs_friction_state_bytes(s);
    char *out = VS_NEW(arena, char, (int64_t)*count);
    if (!out)
        return VS_ERROR_MEMORY;
    memcpy(out, &first, sizeof first);
    if (impulses > 0)
        memcpy(out + sizeof first, s->memory.impulse.data, impulses);
    memcpy(out + sizeof first + impulses, &s->flow, FLOW_BYTES);
    if (lead_bytes(s) > 0)
        save_leads(s, out + sizeof first + impulses + FLOW_BYTES);
    const control_record control = {s->control.h, s->control.last_error};
    if (part_of(s) == PART_CONTROL)
        memcpy(out + sizeof first + impulses + FLOW_BYTES, &control, sizeof control);
    char *tail = out + *count - vs_friction_state_bytes(s);
    vs_friction_state_save(s, tail);
    vs_bond_state_save(s, tail - vs_bond_state_bytes(s));
    save_flexibles(s, tail - vs_bond_state_bytes(s) - flexible_bytes(s));
    *bytes = out;
    return VS_OK;
}

// The first release's impulses.
typedef struct unmarked_impulse {
    uint64_t key;
    vs_vec3 impulse;
} unmarked_impulse;

static size_t impulse_bytes(vs_state_format format) {
    return format == VS_STATE_PRESENT ? sizeof(vs_impulse) : sizeof(unmarked_impulse);
}

static size_t flow_bytes(vs_state_format format) {
    return format == VS_STATE_PRESENT ? FLOW_BYTES : 0;
}

// The bytes may not be aligned.
static vs_impulse read_impulse(const char *bytes, int64_t k, vs_state_format format) {
    vs_impulse one = {.mark.feature = VS_FEATURE_NONE};
    unmarked_impulse old;
    if (format == VS_STATE_PRESENT) {
        memcpy(&one, bytes + sizeof one * (size_t)k, sizeof one);
        return one;
    }
    memcpy(&old, bytes + sizeof old * (size_t)k, sizeof old);
    one.key = old.key;
    one.impulse = old.impulse;
    return one;
}

// Squares must not exceed their range; false for NaN.
static bool is_number(vs_vec3 x) {
    return fabs(x.x) <= 1e150 && fabs(x.y) <= 1e150 && fabs(x.z) <= 1e150;
}

static vs_error check_impulses(vs_context *context, const char *bytes, int64_t count, vs_state_format format) {
    vs_impulse last = {0};
    for (int64_t k = 0; k < count; k++) {
        vs_impulse one = read_impulse(bytes, k, format);
        const vs_vec3 x = one.impulse, p = one.mark.point;
        if (!is_number(x))
            return vs_fail(context, VS_ERROR_DATA, "checkpoint: impulse %lld is (%g, %g, %g)", (long long)k, x.x, x.y,
                           x.z);
        if (!is_number(p))
            return vs_fail(context, VS_ERROR_DATA, "checkpoint: the point of impulse %lld is (%g, %g, %g)",
                           (long long)k, p.x, p.y, p.z);
        if (vs_impulse_compare(&one, &last) < 0)
            return vs_fail(context, VS_ERROR_DATA, "checkpoint: impulse %lld is out of order", (long long)k);
        last = one;
    }
    return VS_OK;
}

// `rest`: bytes behind the sums of energy.
static vs_error check_scheme(const vs_simulation *s, size_t rest) {
    if (rest == part_bytes(s, part_of(s)))
        return VS_OK;
    for (scheme_part part = PART_NONE; part < PARTS; part++)
        if (rest == part_bytes(s, part))
            return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: was written with %s, which %s cannot continue",
                           part_names[part], part_names[part_of(s)]);
    return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the simulation's part has the wrong size");
}

static vs_error check_control(const vs_simulation *s, const char *bytes) {
    control_record record = {0, 1};
    if (part_of(s) == PART_CONTROL)
        memcpy(&record, bytes, sizeof record);
    if (record.h >= 0 && record.h <= 1e150 && record.last_error > 0 && record.last_error <= 1e150)
        return VS_OK;
    return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the next step is %g s after an error of %g", record.h,
                   record.last_error);
}

static void load_control(vs_simulation *s, const char *bytes) {
    control_record record = {0, 1};
    if (part_of(s) == PART_CONTROL)
        memcpy(&record, bytes, sizeof record);
    s->control.h = fmin(record.h, s->options.step);
    s->control.last_error = record.last_error;
}

static vs_error check_leads(const vs_simulation *s, const char *bytes) {
    for (size_t k = 0; k < lead_bytes(s) / sizeof(lead_record); k++) {
        lead_record record;
        memcpy(&record, bytes + k * sizeof record, sizeof record);
        if (!is_number(record.velocity) || !is_number(record.spin) || !is_number(record.reaction) ||
            !is_number(record.reaction_spin))
            return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the lead of body %zu is not a number", k);
    }
    return VS_OK;
}

static void load_leads(vs_simulation *s, const char *bytes) {
    for (size_t k = 0; k < lead_bytes(s) / sizeof(lead_record); k++) {
        lead_record record;
        memcpy(&record, bytes + k * sizeof record, sizeof record);
        s->world->body[k].lead = (vs_lead){.known = record.known > 0,
                                           .velocity = record.velocity,
                                           .spin = record.spin,
                                           .reaction = record.reaction,
                                           .reaction_spin = record.reaction_spin};
    }
}

// `count`: their bytes, or 0.
static vs_error check_flexibles(const vs_simulation *s, const char *bytes, size_t count) {
    for (int k = 0; k < s->world->flexibles && count > 0; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        flexible_record record;
        if (!f->alive)
            continue;
        memcpy(&record, bytes, sizeof record);
        bool valid = record.lag >= 0 && record.lag <= s->options.step;
        for (size_t at = sizeof record; at < sizeof record + earlier_bytes(f); at += sizeof(vs_vec3)) {
            vs_vec3 earlier;
            memcpy(&earlier, bytes + at, sizeof earlier);
            valid = valid && is_number(earlier);
        }
        if (!valid)
            return vs_fail(s->context, VS_ERROR_DATA,
                           "checkpoint: the earlier velocities of flexible body %d, or their lag, are not numbers", k);
        bytes += sizeof record + earlier_bytes(f);
    }
    return VS_OK;
}

static void load_flexibles(vs_simulation *s, const char *bytes, size_t count) {
    for (int k = 0; k < s->world->flexibles && count > 0; k++) {
        vs_flexible *f = &s->world->flexible[k];
        flexible_record record;
        if (!f->alive)
            continue;
        memcpy(&record, bytes, sizeof record);
        f->stepped = record.stepped > 0, f->lag = record.lag;
        memcpy(f->earlier, bytes + sizeof record, earlier_bytes(f));
        bytes += sizeof record + earlier_bytes(f);
    }
}

vs_error vs_simulation_load(vs_simulation *s, const void *bytes, size_t count, vs_state_format format) {
    head first;
    if (count < sizeof first)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the simulation's part is too short");
    memcpy(&first, bytes, sizeof first);
    const char *impulses = (const char *)bytes + sizeof first;
    size_t rest = count - sizeof first, each = impulse_bytes(format), flow = flow_bytes(format);
    if (first.impulses < 0 || first.steps < 0 || (uint64_t)first.impulses > rest / each ||
        rest - (size_t)first.impulses * each < flow)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the simulation's part has the wrong size");
    if (first.inaccurate < 0 || first.inaccurate > first.steps)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: %lld of %lld steps are inaccurate",
                       (long long)first.inaccurate, (long long)first.steps);
    const char *leads = impulses + (size_t)first.impulses * each + flow;
    rest -= (size_t)first.impulses * each + flow;
    size_t bonds = 0, friction = 0;
    vs_error error = VS_OK;
    if (format == VS_STATE_PRESENT)
        error = vs_friction_state_check(s, leads, rest, &friction);
    rest -= friction;
    if (!error && format == VS_STATE_PRESENT)
        error = vs_bond_state_check(s, leads, rest, part_bytes(s, part_of(s)) + flexible_bytes(s), &bonds);
    rest -= bonds;
    const size_t flexible = format == VS_STATE_PRESENT && rest >= flexible_bytes(s) ? flexible_bytes(s) : 0;
    if (!error)
        error = check_scheme(s, rest - flexible);
    if (!error)
        error = check_impulses(s->context, impulses, first.impulses, format);
    if (!error)
        error = check_leads(s, leads);
    if (!error)
        error = check_control(s, leads);
    if (!error)
        error = check_flexibles(s, leads + rest - flexible, flexible);
    if (!error)
        error = VS_RESERVE(s->context, &s->memory.impulse, first.impulses);
    if (!error)
        error = VS_RESERVE(s->context, &s->bonds.bond, bonds > 0 ? vs_bond_state_count(s, leads + rest) : 0);
    if (!error)
        error = VS_RESERVE(s->context, &s->friction.contact, vs_friction_state_count(friction));
    if (error)
        return error;
    for (int64_t k = 0; k < first.impulses; k++)
        s->memory.impulse.data[k] = read_impulse(impulses, k, format);
    s->flow = (vs_energy_flow){0};
    memcpy(&s->flow, impulses + (size_t)first.impulses * each, flow);
    load_leads(s, leads);
    load_control(s, leads);
    load_flexibles(s, leads + rest - flexible, flexible);
    if (bonds > 0)
        vs_bond_state_load(s, leads + rest);
    vs_friction_state_load(s, leads + rest + bonds, friction);
    s->memory.impulse.count = first.impulses;
    s->steps = first.steps;
    s->inaccurate = first.inaccurate;
    return VS_OK;
}
