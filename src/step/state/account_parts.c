// Parts of a state: what a simulation tells about its steps. They decide no motion, but when a run stops, which contacts begin,
// and the sums of reports.
#include <math.h>

#include "step/account/watch.h"
#include "step/state/parts.h"
#include "voussoir/report.h"

// ---- energy ----------------------------------------------------------------------------------------

// A term that is newer than a state is 0 in it.
void vs_visit_totals(vs_archive *a, const vs_state *s) {
    vs_energy_flow flow = s->simulation->flow;
    vs_energy_scale scale = s->simulation->energy_scale;
    int terms = vs_energy_term_count();
    vs_archive_begin_item(a, "energy", -1, NULL);
    vs_archive_int(a, &terms, 0, terms, "number of terms");
    flow = vs_archive_saves(a) ? flow : (vs_energy_flow){0};
    for (int k = 0; k < terms; k++)
        vs_archive_number(a, (double *)&flow + k);
    vs_archive_number(a, &scale.kinetic);
    vs_archive_number(a, &scale.most);
    vs_archive_number(a, &scale.scale);
    if (vs_archive_loads(a))
        s->simulation->flow = flow, s->simulation->energy_scale = scale;
}

// ---- events ----------------------------------------------------------------------------------------

static void visit_id(vs_archive *a, const vs_world *world, vs_body_id *id, const char *field) {
    int64_t index = id->index, generation = id->generation;
    vs_archive_integer(a, &index, 0, world->bodies - 1, field);
    vs_archive_integer(a, &generation, 0, UINT32_MAX, field);
    *id = (vs_body_id){(uint32_t)index, (uint32_t)generation};
}

static void visit_event(vs_archive *a, const vs_world *world, vs_contact_event *event) {
    int kind = (int)event->kind;
    vs_archive_int(a, &kind, VS_EVENT_BEGIN, VS_EVENT_END, "kind");
    visit_id(a, world, &event->a, "first body");
    visit_id(a, world, &event->b, "second body");
    vs_archive_flag(a, &event->sensor, "whether it is of a sensor");
    vs_archive_vector(a, &event->impulse, VS_MOTION_MOST, "impulse");
    vs_archive_vector(a, &event->point, VS_MOTION_MOST, "point");
    event->kind = (vs_event_kind)kind;
}

// Pairs that touch now are the events that are no END.
void vs_visit_events(vs_archive *a, const vs_state *s) {
    vs_events *events = &s->simulation->events;
    vs_archive_begin_item(a, "events", -1, NULL);
    const int64_t count = vs_archive_length(a, events->event.count, 12 * VS_FIELD_BYTES);
    if (vs_archive_checks(a)) {
        a->error = VS_RESERVE(a->context, &events->event, count);
        vs_archive_keep_error(a, a->error ? a->error : VS_RESERVE(a->context, &events->now, count));
    }
    if (vs_archive_loads(a))
        events->now.count = 0;
    for (int64_t k = 0; k < count && !a->error; k++) {
        vs_contact_event one = vs_archive_saves(a) ? events->event.data[k] : (vs_contact_event){0};
        vs_archive_begin_item(a, "event", k, NULL);
        visit_event(a, s->world, &one);
        if (!vs_archive_loads(a))
            continue;
        events->event.data[k] = one;
        if (one.kind != VS_EVENT_END)
            events->now.data[events->now.count++] = one;
    }
    if (vs_archive_loads(a))
        events->event.count = count;
}

// ---- outcome ---------------------------------------------------------------------------------------

static void visit_start(vs_archive *a, const vs_world *world, vs_watch *w, int k) {
    vs_watched_start start = vs_archive_saves(a) && k < w->start.capacity ? w->start.data[k] : (vs_watched_start){0};
    int carrier = vs_archive_saves(a) && k < w->carriers.of.capacity ? w->carriers.of.data[k] : 0;
    int64_t generation = start.generation;
    if (generation == 0)
        start.pose.rotation.w = 1;
    vs_archive_integer(a, &generation, 0, UINT32_MAX, "generation");
    vs_archive_pose(a, &start.pose);
    vs_archive_real(a, &start.time, -VS_MOTION_MOST, VS_MOTION_MOST, "time at which it began");
    vs_archive_flag(a, &start.carried, "whether its support is known");
    vs_archive_int(a, &carrier, VS_CARRIER_UNKNOWN, world->bodies - 1, "its support");
    start.generation = (uint32_t)generation;
    if (vs_archive_loads(a))
        w->start.data[k] = start, w->carriers.of.data[k] = carrier;
}

static void visit_results(vs_archive *a, const vs_world *world, vs_outcome *o) {
    int state = (int)o->state;
    vs_archive_int(a, &state, VS_OUTCOME_STANDS, VS_OUTCOME_DISPLACED, "state");
    vs_archive_flag(a, &o->at_rest, "whether it rests");
    vs_archive_number(a, &o->met_value);
    vs_archive_number(a, &o->speed);
    vs_archive_number(a, &o->displacement);
    vs_archive_number(a, &o->residual);
    vs_archive_number(a, &o->rotation);
    enum { IDS = 7 };
    vs_body_id *const id[IDS] = {&o->met_by,    &o->farthest,    &o->residual_of, &o->most_turned,
                                 &o->displaced, &o->farthest_on, &o->residual_on};
    for (int k = 0; k < IDS; k++)
        visit_id(a, world, id[k], "a body of the outcome");
    o->state = (vs_outcome_state)state;
}

// Conditions are options, and may be others now: then all of them begin anew, and none was met.
static void visit_conditions(vs_archive *a, vs_watch *w, vs_outcome *outcome) {
    const int64_t count = vs_archive_length(a, w->conditions, 2 * VS_FIELD_BYTES);
    bool same = count == w->conditions;
    for (int64_t k = 0; k < count && !a->error; k++) {
        int when = vs_archive_saves(a) ? (int)w->condition[k].when : 0;
        double calm = vs_archive_saves(a) ? w->calm[k] : (double)NAN;
        vs_archive_int(a, &when, 0, VS_STOP_FALL, "a stop condition");
        vs_archive_number(a, &calm);
        same = same && when == (int)w->condition[k].when;
        if (vs_archive_loads(a) && k < w->conditions)
            w->calm[k] = calm;
    }
    vs_archive_int(a, &outcome->condition, -1, vs_archive_saves(a) ? INT32_MAX : (int)(count - 1), "the condition met");
    for (int k = 0; vs_archive_loads(a) && !same && k < w->conditions; k++)
        w->calm[k] = (double)NAN;
    if (!same)
        outcome->condition = -1;
}

void vs_visit_outcome(vs_archive *a, const vs_state *s) {
    vs_watch *w = s->simulation->watch;
    vs_outcome outcome = w->outcome;
    double begin = w->begin, rest_since = w->rest_since;
    bool uncarried = w->uncarried;
    if (vs_archive_checks(a))
        a->error = vs_watch_reserve(w, s->world);
    for (int k = 0; k < s->world->bodies && !a->error; k++) {
        vs_archive_begin_item(a, "the beginning of body", k, s->world->body[k].name);
        visit_start(a, s->world, w, k);
    }
    vs_archive_begin_item(a, "the outcome", -1, NULL);
    vs_archive_flag(a, &uncarried, "whether a support is not known");
    vs_archive_real(a, &begin, -VS_MOTION_MOST, VS_MOTION_MOST, "the first time");
    vs_archive_number(a, &rest_since);
    visit_results(a, s->world, &outcome);
    visit_conditions(a, w, &outcome);
    if (!vs_archive_loads(a))
        return;
    w->outcome = outcome, w->begin = begin, w->rest_since = rest_since, w->uncarried = uncarried;
    vs_watch_measure_radii(w, s->world);
}

// ---- note ------------------------------------------------------------------------------------------

void vs_visit_note(vs_archive *a, const vs_state *s) {
    vs_simulation *to = s->simulation;
    vs_archive_begin_item(a, "the note", -1, NULL);
    // Without the zero at its end; rounded up to fields of eight bytes, of which one holds the length.
    const int64_t length = vs_archive_length(a, to->note.count > 0 ? to->note.count - 1 : 0, 1);
    if (vs_archive_checks(a))
        a->error = VS_RESERVE(a->context, &to->note, length + 1);
    vs_archive_bytes(a, a->mode == VS_ARCHIVE_CHECK ? NULL : to->note.data, (size_t)length);
    if (vs_archive_loads(a))
        to->note.data[length] = '\0', to->note.count = length > 0 ? length + 1 : 0;
}
