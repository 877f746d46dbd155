// Contacts of the last step as users see them: see contact_view.h.
#include "step/account/contact_view.h"

#include "problem/problem_data.h"

static vs_body_id id_of(const vs_world *world, int body) {
    return (vs_body_id){(uint32_t)body, world->body[body].generation};
}

// n x + u y + w z
static vs_vec3 from_frame(const vs_vec3 *frame, const double *x, int rows) {
    vs_vec3 sum = vs_scale(x[0], frame[0]);
    if (rows >= 3)
        sum = vs_add_scaled(vs_add_scaled(sum, x[1], frame[1]), x[2], frame[2]);
    return sum;
}

// Of rolling (rows about u, w) and spinning (about n) friction.
static vs_vec3 moment_of(const vs_row_group *group, const vs_vec3 *frame, const double *x) {
    vs_vec3 sum = VS_ZERO3;
    int row = 3;
    const vs_vec3 axis[2] = {frame[1], vs_cross(frame[0], frame[1])};
    for (int i = 0; i < 2 && group->rolling > 0; i++)
        sum = vs_add_scaled(sum, x[row++], axis[i]);
    return group->spinning > 0 ? vs_add_scaled(sum, x[row], frame[0]) : sum;
}

static void view_rigid(const vs_world *world, const vs_contact *contact, vs_contact_view *view) {
    view->a = id_of(world, contact->a), view->b = id_of(world, contact->b);
    view->key = contact->key;
    view->point = contact->point, view->normal = contact->normal;
    view->gap = contact->gap;
}

static void view_flexible(const vs_world *world, const vs_node_contact *contact, vs_contact_view *view) {
    vs_body_id body[2] = {{0, 0}, {0, 0}};
    vs_flexible_id flexible[2] = {{0, 0}, {0, 0}};
    for (int k = 0; k < 2; k++) {
        int index = contact->side[k].flexible;
        if (index < 0)
            body[k] = id_of(world, contact->side[k].body);
        else
            flexible[k] = (vs_flexible_id){(uint32_t)index, world->flexible[index].generation};
    }
    view->a = body[0], view->b = body[1];
    view->flexible_a = flexible[0], view->flexible_b = flexible[1];
    view->key = contact->key;
    view->point = contact->point, view->normal = contact->normal;
    view->gap = contact->gap;
}

void vs_contact_view_fill(const vs_simulation *s, int k, vs_contact_view *view) {
    const vs_vec3 *frame = s->contact_rows.frame.data + 3 * (int64_t)k;
    const vs_problem *problem = s->problem.problem;
    const vs_result *result = &s->problem.result;
    int row = problem->row[k], rows = problem->row[k + 1] - row;
    *view = (vs_contact_view){.mu = problem->mu[k], .impulse = from_frame(frame, result->lambda + row, rows)};
    if (s->contact_rows.adhesion.data[k] > 0)
        view->impulse = vs_add_scaled(view->impulse, -s->contact_rows.adhesion.data[k], frame[0]);
    if (rows > 3)
        view->moment = moment_of(&s->groups.group.data[k], frame, result->lambda + row);
    if (k < s->contacts.rigid->count)
        view_rigid(s->world, &s->contacts.rigid->contact[k], view);
    else
        view_flexible(s->world, &s->contacts.nodes->contact[k - s->contacts.rigid->count], view);
    for (int i = 1; i < rows; i++)
        view->dissipation -= result->lambda[row + i] * result->y[row + i];
    double u[3] = {0}; // y = u - offset
    for (int i = 0; i < rows && i < 3; i++)
        u[i] = result->y[row + i] + s->contact_rows.offset.data[3 * (int64_t)k + i];
    const vs_crushing_contact *crushing = vs_crushing_find(&s->crushing, k);
    if (crushing && crushing->crushed) // y = 0
        u[0] -= crushing->speed;
    if (s->contact_rows.stretch.data[k] != 1)
        u[2] /= s->contact_rows.stretch.data[k] * s->contact_rows.stretch.data[k];
    view->velocity = from_frame(frame, u, rows);
    if (s->kick.level) // of the last kick, as long as the step
        view->impulse = vs_scale(s->options.step / s->kick.length, view->impulse);
    if (s->kick.level) {
        view->moment = vs_scale(s->options.step / s->kick.length, view->moment);
        view->dissipation *= s->options.step / s->kick.length;
    }
}

vs_vec3 vs_contact_view_shift(const vs_simulation *s, int k) {
    return !s->division && k < s->contacts.rigid->count ? s->contacts.rigid->contact[k].shift : VS_ZERO3;
}

int vs_simulation_get_contact_count(const vs_simulation *s) {
    if (!s || s->contacts_unknown)
        return 0;
    if (s->division)
        return (int)s->gathered.count;
    return s->contacts.rigid && s->contacts.nodes && s->steps > 0 ? vs_step_contacts_count(&s->contacts) : 0;
}

vs_error vs_simulation_get_contact_at(const vs_simulation *s, int k, vs_contact_view *view) {
    if (!s || !view)
        return VS_ERROR_ARGUMENT;
    int count = vs_simulation_get_contact_count(s);
    if (k < 0 || k >= count)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "contact %d: there are %d", k, count);
    if (s->division)
        *view = s->gathered.data[k];
    else
        vs_contact_view_fill(s, k, view);
    return VS_OK;
}
