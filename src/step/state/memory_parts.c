// Parts of a state: what a simulation remembers of its steps beyond the world, for the next one.
#include <float.h>
#include <math.h>

#include "step/state/parts.h"

// A new field of these is to be visited here, with a new version of its part.
_Static_assert(sizeof(vs_impulse) == 10 * VS_FIELD_BYTES, "vs_visit_impulses() visits all fields");
_Static_assert(sizeof(vs_remembered_friction) == 2 * VS_FIELD_BYTES + sizeof(vs_friction_past),
               "vs_visit_friction() visits all fields");
_Static_assert(sizeof(vs_bond) == 30 * VS_FIELD_BYTES, "vs_visit_bonds() visits all fields");

// ---- scheme ----------------------------------------------------------------------------------------

// What velocities mean: shake's are half a step apart from those of the others.
typedef enum kind { KIND_STEPS, KIND_SHAKE, KIND_CONTROLLED, KINDS } kind;
static const char *const kind_names[KINDS] = {"the scheme moreau", "the scheme shake", "controlled accuracy"};

static kind kind_of(const vs_simulation *s) {
    return s->options.accuracy > 0 ? KIND_CONTROLLED : s->options.scheme == VS_SCHEME_SHAKE ? KIND_SHAKE : KIND_STEPS;
}

void vs_visit_scheme(vs_archive *a, const vs_state *s) {
    vs_time_control *control = &s->simulation->control;
    const kind here = kind_of(s->simulation);
    int there = (int)here;
    double h = control->h, last_error = control->last_error;
    vs_archive_begin_item(a, "the scheme", -1, NULL);
    vs_archive_int(a, &there, 0, KINDS - 1, "kind");
    vs_archive_real(a, &h, 0, VS_MOTION_MOST, "next step");
    vs_archive_real(a, &last_error, DBL_MIN, VS_MOTION_MOST, "last error");
    if (!a->error && there != (int)here)
        a->error = vs_fail(a->context, VS_ERROR_DATA, "was written with %s, which %s cannot continue",
                           kind_names[there], kind_names[here]);
    if (vs_archive_loads(a))
        control->h = fmin(h, s->simulation->options.step), control->last_error = last_error;
}

static void visit_lead(vs_archive *a, vs_lead *to) {
    vs_lead lead = *to;
    vs_archive_flag(a, &lead.known, "whether its lead is known");
    vs_archive_vector(a, &lead.velocity, VS_MOTION_MOST, "lead");
    vs_archive_vector(a, &lead.spin, VS_MOTION_MOST, "lead of its spin");
    vs_archive_vector(a, &lead.reaction, VS_MOTION_MOST, "reaction");
    vs_archive_vector(a, &lead.reaction_spin, VS_MOTION_MOST, "reaction of its spin");
    if (vs_archive_loads(a))
        *to = lead;
}

// After vs_visit_scheme() in the list: the bytes are of the same scheme.
void vs_visit_leads(vs_archive *a, const vs_state *s) {
    for (int k = 0; k < s->world->bodies && kind_of(s->simulation) == KIND_SHAKE && !a->error; k++) {
        vs_archive_begin_item(a, "body", k, s->world->body[k].name);
        visit_lead(a, &s->world->body[k].lead);
    }
}

// ---- steps -----------------------------------------------------------------------------------------

void vs_visit_counters(vs_archive *a, const vs_state *s) {
    int64_t steps = s->simulation->steps, inaccurate = s->simulation->inaccurate;
    vs_archive_begin_item(a, "the simulation", -1, NULL);
    vs_archive_integer(a, &steps, 0, INT64_MAX, "number of steps");
    vs_archive_integer(a, &inaccurate, 0, vs_archive_saves(a) ? INT64_MAX : steps, "number of inaccurate steps");
    if (vs_archive_loads(a))
        s->simulation->steps = steps, s->simulation->inaccurate = inaccurate;
}

// ---- contacts --------------------------------------------------------------------------------------

static void visit_impulse(vs_archive *a, vs_impulse *one) {
    vs_archive_word(a, &one->key);
    vs_archive_vector(a, &one->impulse, VS_MOTION_MOST, "impulse");
    vs_archive_word(a, &one->mark.bodies);
    vs_archive_word(a, &one->mark.pair);
    vs_archive_word(a, &one->mark.feature);
    vs_archive_vector(a, &one->mark.point, VS_MOTION_MOST, "point");
}

void vs_visit_impulses(vs_archive *a, const vs_state *s) {
    vs_impulse_memory *memory = &s->simulation->memory;
    vs_archive_begin_item(a, "impulses", -1, NULL);
    const int64_t count = vs_archive_length(a, memory->impulse.count, sizeof(vs_impulse));
    if (vs_archive_checks(a))
        a->error = VS_RESERVE(a->context, &memory->impulse, count);
    vs_impulse last = {0};
    for (int64_t k = 0; k < count && !a->error; k++) {
        vs_impulse one = vs_archive_saves(a) ? memory->impulse.data[k] : (vs_impulse){0};
        vs_archive_begin_item(a, "impulse", k, NULL);
        visit_impulse(a, &one);
        if (vs_archive_checks(a) && vs_impulse_compare(&one, &last) < 0)
            a->error = vs_fail(a->context, VS_ERROR_DATA, "is damaged: impulse %lld is out of order", (long long)k);
        if (vs_archive_loads(a))
            memory->impulse.data[k] = one;
        last = one;
    }
    if (vs_archive_loads(a))
        memory->impulse.count = count;
}

// The past of a contact is only numbers. Those that a newer law has added are as new in an older state.
void vs_visit_friction(vs_archive *a, const vs_state *s) {
    enum { NUMBERS = sizeof(vs_friction_past) / sizeof(double) };
    vs_friction_memory *memory = &s->simulation->friction;
    int numbers = NUMBERS;
    vs_archive_begin_item(a, "remembered friction", -1, NULL);
    vs_archive_int(a, &numbers, 0, NUMBERS, "the number of numbers of a contact");
    const int64_t count = vs_archive_length(a, memory->contact.count, (2 + (size_t)numbers) * VS_FIELD_BYTES);
    if (vs_archive_checks(a))
        a->error = VS_RESERVE(a->context, &memory->contact, count);
    for (int64_t k = 0; k < count && !a->error; k++) {
        vs_remembered_friction one = {.past = vs_friction_past_new()};
        if (vs_archive_saves(a))
            one = memory->contact.data[k];
        vs_archive_begin_item(a, "remembered friction", k, NULL);
        vs_archive_word(a, &one.bodies);
        vs_archive_word(a, &one.key);
        for (int i = 0; i < numbers; i++)
            vs_archive_number(a, (double *)&one.past + i);
        if (vs_archive_checks(a) && !vs_friction_past_is_valid(one.past))
            a->error = vs_fail(a->context, VS_ERROR_DATA, "is damaged: remembered friction %lld is out of range",
                               (long long)k);
        if (vs_archive_loads(a))
            memory->contact.data[k] = one;
    }
    if (vs_archive_loads(a))
        memory->contact.count = count;
}

// ---- bonds -----------------------------------------------------------------------------------------

static void visit_bond(vs_archive *a, const vs_world *world, vs_bond *bond) {
    const double most = VS_MOTION_MOST;
    vs_archive_integer(a, &bond->a, 0, world->bodies - 1, "first body");
    vs_archive_integer(a, &bond->b, 0, world->bodies - 1, "second body");
    vs_archive_integer(a, &bond->generation[0], 0, UINT32_MAX, "generation of the first body");
    vs_archive_integer(a, &bond->generation[1], 0, UINT32_MAX, "generation of the second body");
    vs_archive_integer(a, &bond->mortar, 0, world->mortars - 1, "mortar");
    vs_archive_integer(a, &bond->softening, VS_SOFTENING_LINEAR, VS_SOFTENING_EXPONENTIAL, "softening");
    vs_archive_vector(a, &bond->anchor[0], most, "point on the first body");
    vs_archive_vector(a, &bond->anchor[1], most, "point on the second body");
    vs_archive_vector(a, &bond->normal, most, "normal");
    vs_archive_real(a, &bond->area, -most, most, "area");
    vs_archive_real(a, &bond->pull, 0, most, "tension");
    vs_archive_real(a, &bond->cohesion, 0, most, "cohesion");
    vs_archive_real(a, &bond->critical, -most, most, "critical opening");
    vs_archive_real(a, &bond->shear, -most, most, "factor on slip");
    vs_archive_real(a, &bond->opens, -most, most, "brittle opening");
    vs_archive_real(a, &bond->reached, 0, most, "opening reached");
    vs_archive_real(a, &bond->rate, 0, most, "rate of opening");
    vs_archive_real(a, &bond->work, -most, most, "work");
    vs_archive_real(a, &bond->broken, -most, most, "time at which it broke");
    vs_archive_real(a, &bond->compression, 0, most, "compressive strength");
    vs_archive_real(a, &bond->crushed, 0, most, "depth of crushing");
    vs_archive_real(a, &bond->crushing, 0, 1, "whether it was crushed");
    vs_archive_real(a, &bond->dilatancy, 0, most, "dilatancy");
    vs_archive_real(a, &bond->dilates, 0, most, "slip of dilatancy");
}

void vs_visit_bonds(vs_archive *a, const vs_state *s) {
    vs_bonds *bonds = &s->simulation->bonds;
    int mortars = bonds->mortars;
    vs_archive_begin_item(a, "bonds", -1, NULL);
    vs_archive_int(a, &mortars, 0, s->world->mortars, "number of mortars");
    const int64_t count = vs_archive_length(a, bonds->bond.count, sizeof(vs_bond));
    if (vs_archive_checks(a))
        a->error = VS_RESERVE(a->context, &bonds->bond, count);
    for (int64_t k = 0; k < count && !a->error; k++) {
        vs_bond one = vs_archive_saves(a) ? bonds->bond.data[k] : (vs_bond){0};
        vs_archive_begin_item(a, "bond", k, NULL);
        visit_bond(a, s->world, &one);
        if (vs_archive_loads(a))
            bonds->bond.data[k] = one;
    }
    if (vs_archive_loads(a))
        bonds->bond.count = count, bonds->mortars = mortars, bonds->listed = 0;
}
