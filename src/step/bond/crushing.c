// Crushing of bonds within a step: see crushing.h.
#include "step/bond/crushing.h"

#include <math.h>
#include <string.h>

#include "step/rows/island_tolerance.h"

enum { CHANGES_MOST = 4 };
// Relative error of impulses and of the velocities that they make, in multiples of the solver's tolerance for velocities.
static const double MARGIN = 10;

void vs_crushing_release(vs_context *context, vs_crushing *crushing) {
    VS_ARRAY_RELEASE(context, &crushing->contact);
    VS_ARRAY_RELEASE(context, &crushing->load);
}

const vs_crushing_contact *vs_crushing_find(const vs_crushing *crushing, int contact) {
    int64_t low = 0, high = crushing->contact.count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (crushing->contact.data[middle].contact < contact)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < crushing->contact.count && crushing->contact.data[low].contact == contact;
    return found ? &crushing->contact.data[low] : NULL;
}

static const vs_row_group *group_of(const vs_step_view *s, const vs_crushing_contact *c) {
    return &s->groups->group.data[c->contact]; // contacts come first
}

// ---- rows ------------------------------------------------------------------------------------------

static void keep_row(const vs_step_view *s, vs_crushing_contact *c) {
    const vs_row_group *group = group_of(s, c);
    const vs_row_values values = vs_row_groups_values(s->groups, group);
    for (int part = 0; part < group->blocks; part++)
        memcpy(c->J + (ptrdiff_t)6 * part, values.J + 6 * (int64_t)part * group->rows, 6 * sizeof(double));
    c->E = values.E[0], c->b = values.b[0];
}

static double inverse_mass(const vs_step_view *s, const vs_row_group *group) {
    double sum = 0;
    for (int part = 0; part < group->blocks; part++)
        sum += 1 / s->world->body[s->blocks->body.data[group->block[part]]].mass;
    return sum;
}

// Rows of crushed contacts without columns, or all as they were.
static void set_rows(vs_crushing *crushing, const vs_step_view *s, bool apply) {
    for (int64_t k = 0; k < crushing->contact.count; k++) {
        const vs_crushing_contact *c = &crushing->contact.data[k];
        const vs_row_group *group = group_of(s, c);
        const vs_row_values values = vs_row_groups_values(s->groups, group);
        const bool clear = apply && c->crushed;
        for (int part = 0; part < group->blocks; part++)
            for (int j = 0; j < 6; j++)
                values.J[6 * (int64_t)part * group->rows + j] = clear ? 0 : c->J[6 * part + j];
        values.E[0] = clear ? inverse_mass(s, group) : c->E;
        values.b[0] = clear ? values.E[0] * c->known : c->b;
    }
    crushing->applied = apply;
}

// D_n v of the row as it was.
static double velocity_of(const vs_step_view *s, const vs_crushing_contact *c, const double *v) {
    const vs_row_group *group = group_of(s, c);
    double sum = 0;
    for (int part = 0; part < group->blocks; part++)
        for (int j = 0; j < 6; j++)
            sum += c->J[6 * part + j] * v[vs_blocks_column(s->blocks, group->block[part]) + j];
    return sum;
}

void vs_crushing_add_push(const vs_crushing *crushing, const vs_row_groups *groups, const vs_blocks *blocks,
                          double *c) {
    for (int64_t k = 0; k < crushing->contact.count && crushing->applied; k++) {
        const vs_crushing_contact *contact = &crushing->contact.data[k];
        const vs_row_group *group = &groups->group.data[contact->contact];
        for (int part = 0; part < group->blocks && contact->crushed; part++)
            for (int j = 0; j < 6; j++)
                c[vs_blocks_column(blocks, group->block[part]) + j] -= contact->known * contact->J[6 * part + j];
    }
}

// ---- which are crushed -----------------------------------------------------------------------------

// N s, the most that the contacts of a bond press, without their adhesion.
static double most_of(const vs_step_view *s, int64_t bond) {
    const vs_bond *b = &s->bonds->bond.data[bond];
    return s->kick->length * b->compression + s->kick->push * vs_bond_next_strength(b, s->kick->h) * b->pull;
}

// Contacts of bonds that were crushed in the last step share their strength evenly.
static bool resume(vs_crushing *crushing, const vs_step_view *s) {
    double *count = crushing->load.data;
    bool any = false;
    for (int64_t k = 0; k < s->bonds->bond.count; k++)
        count[k] = 0;
    for (int64_t k = 0; k < crushing->contact.count; k++)
        count[crushing->contact.data[k].bond]++;
    for (int64_t k = 0; k < crushing->contact.count; k++) {
        vs_crushing_contact *c = &crushing->contact.data[k];
        c->crushed = s->bonds->bond.data[c->bond].crushing > 0;
        c->known = c->crushed ? s->rows->adhesion.data[c->contact] + most_of(s, c->bond) / count[c->bond] : 0;
        any = any || c->crushed;
    }
    return any;
}

vs_error vs_crushing_begin(vs_crushing *crushing, const vs_step_view *s, bool *any) {
    const vs_contacts *contacts = s->contacts->rigid;
    crushing->contact.count = 0;
    crushing->applied = crushing->unsettled = *any = false;
    vs_error error = VS_RESERVE(s->world->context, &crushing->contact, contacts->count);
    if (!error)
        error = VS_RESERVE(s->world->context, &crushing->load, s->bonds->bond.count);
    if (error)
        return error;
    for (int k = 0; k < contacts->count; k++) {
        const int64_t bond = contacts->contact[k].bond - 1;
        if (bond < 0 || !(s->bonds->bond.data[bond].compression > 0))
            continue;
        vs_crushing_contact *c = &crushing->contact.data[crushing->contact.count++];
        *c = (vs_crushing_contact){.contact = k, .bond = bond};
        keep_row(s, c);
    }
    *any = resume(crushing, s);
    if (*any)
        set_rows(crushing, s, true);
    return VS_OK;
}

static double pressure_of(const vs_step_view *s, const vs_crushing_contact *c) {
    const double x = vs_row_group_impulses(group_of(s, c), s->result)[0];
    return fmax(x - s->rows->adhesion.data[c->contact], 0);
}

static void add_up_loads(vs_crushing *crushing, const vs_step_view *s) {
    double *load = crushing->load.data;
    for (int64_t k = 0; k < s->bonds->bond.count; k++)
        load[k] = 0;
    for (int64_t k = 0; k < crushing->contact.count; k++)
        load[crushing->contact.data[k].bond] += pressure_of(s, &crushing->contact.data[k]);
}

static double tolerance_of(const vs_step_view *s, const vs_crushing_contact *c) {
    return vs_root_tolerance(s, group_of(s, c)->block[0]);
}

static bool has_opened(const vs_step_view *s, const vs_crushing_contact *c) {
    return -c->speed > MARGIN * tolerance_of(s, c) * inverse_mass(s, group_of(s, c)) * c->known &&
           s->kick->h * -c->speed > vs_contact_rows_slop(s->rows->size.data[c->contact]);
}

bool vs_crushing_check(vs_crushing *crushing, const vs_step_view *s) {
    bool changed = false;
    add_up_loads(crushing, s);
    for (int64_t k = 0; k < crushing->contact.count; k++) {
        vs_crushing_contact *c = &crushing->contact.data[k];
        const double most = most_of(s, c->bond), load = crushing->load.data[c->bond], own = pressure_of(s, c);
        const bool was = c->crushed;
        c->speed = c->b - c->E * c->known - velocity_of(s, c, s->result->v);
        if (was && has_opened(s, c)) {
            c->crushed = false;
        } else if (load > most * (1 + MARGIN * tolerance_of(s, c)) && own > 0) {
            c->crushed = true;
            c->known = s->rows->adhesion.data[c->contact] + most * (own / load);
            changed = changed || was;
        }
        if (c->crushed != was && c->changes++ >= CHANGES_MOST)
            c->crushed = was, crushing->unsettled = true;
        changed = changed || c->crushed != was;
    }
    if (changed)
        set_rows(crushing, s, true);
    return changed;
}

void vs_crushing_end(vs_crushing *crushing, const vs_step_view *s) {
    if (crushing->applied)
        set_rows(crushing, s, false);
}

// ---- after the step --------------------------------------------------------------------------------

// Work of the normal impulse of a contact, J. Without that of a penetration that opens, unless it is crushed.
static double work_of(const vs_step_view *s, const vs_crushing_contact *c) {
    const vs_row_values values = vs_row_groups_values(s->groups, group_of(s, c));
    const double now = values.prescribed[0], before = 2 * values.prescribed_mean[0] - now;
    double u1 = velocity_of(s, c, s->result->v) + now;
    double u0 = velocity_of(s, c, s->blocks->before.data) + before;
    if (s->options->scheme == VS_SCHEME_QUASI_STATIC)
        u0 = u1;
    if (!c->crushed && values.recovery[0] > 0)
        u0 = fmin(u0, 0), u1 -= values.recovery[0];
    const double x = vs_row_group_impulses(group_of(s, c), s->result)[0];
    return -.5 * (x - s->rows->adhesion.data[c->contact]) * (u0 + u1);
}

void vs_crushing_account(const vs_crushing *crushing, const vs_step_view *s, vs_energy_flow *flow) {
    for (int64_t k = 0; k < crushing->contact.count; k++) {
        const vs_crushing_contact *c = &crushing->contact.data[k];
        const double work = work_of(s, c);
        s->bonds->bond.data[c->bond].work += work;
        flow->fracture += work;
    }
}

void vs_crushing_deepen(const vs_crushing *crushing, const vs_step_view *s) {
    if (s->bonds->of_pair.count == 0)
        return;
    for (int64_t k = 0; k < s->bonds->bond.count; k++)
        s->bonds->bond.data[k].crushing = 0;
    double *speed = crushing->load.data; // (bonds)
    for (int64_t k = 0; k < s->bonds->bond.count && crushing->contact.count > 0; k++)
        speed[k] = 0;
    for (int64_t k = 0; k < crushing->contact.count; k++) {
        const vs_crushing_contact *c = &crushing->contact.data[k];
        if (!c->crushed)
            continue;
        s->bonds->bond.data[c->bond].crushing = 1;
        speed[c->bond] = fmax(speed[c->bond], c->speed);
    }
    for (int64_t k = 0; k < s->bonds->bond.count && crushing->contact.count > 0; k++)
        s->bonds->bond.data[k].crushed += s->kick->h * speed[k];
}
