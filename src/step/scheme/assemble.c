// The contact problem of a step: see assemble.h.
#include "step/scheme/assemble.h"

#include "step/bond/bond_contacts.h"
#include "step/bond/bond_rows.h"
#include "step/rows/joint_rows.h"
#include "step/rows/node_rows.h"
#include "step/rows/rope_cuts.h"
#include "step/scheme/shake.h"

// ---- collide ---------------------------------------------------------------------------------------

static vs_error make_bonds(vs_simulation *s) {
    if (s->division)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "mortar: a distributed simulation cannot have it");
    return vs_bonds_make(&s->bonds, s->world, s->contacts.rigid);
}

vs_error vs_step_collide(vs_simulation *s) {
    const bool bonded = vs_bond_contacts_needed(s->world);
    s->crushing.contact.count = 0, s->crushing.unsettled = false;
    vs_error error = s->division ? s->division->arrange(s->division->user) : VS_OK;
    if (!error)
        error = vs_impulse_memory_list_contacts(&s->memory, &s->contacts, s->context);
    if (!error && bonded)
        error = vs_bond_contacts_widen(&s->bonds, s->world, &s->contacts);
    if (!error)
        error = vs_step_contacts_find(&s->contacts, s->kick.h, s->options.envelope);
    if (!error && s->bonds.mortars < s->world->mortars)
        error = make_bonds(s);
    if (!error && bonded)
        error = vs_bond_contacts_set(&s->bonds, s->world, s->kick.h, &s->contacts);
    return vs_division_agree(s->division, error);
}

// ---- assemble --------------------------------------------------------------------------------------

vs_step_view vs_step_view_of(vs_simulation *s) {
    return (vs_step_view){.world = s->world,
                          .options = &s->options,
                          .division = s->division,
                          .kick = &s->kick,
                          .contacts = &s->contacts,
                          .collision = s->division ? NULL : s->contacts.collision,
                          .moved = s->contacts.moved.data,
                          .blocks = &s->blocks,
                          .groups = &s->groups,
                          .rows = &s->contact_rows,
                          .friction = &s->friction,
                          .bonds = &s->bonds,
                          .crushing = &s->crushing,
                          .elastic = &s->elastic,
                          .restitution_factor = s->guard.active ? s->guard.factor.data : NULL,
                          .calm = s->recovery.active ? s->recovery.calm.data : NULL,
                          .latest_impact = s->shake.limited ? s->shake.shift.data : NULL,
                          .result = &s->problem.result,
                          .solution = s->solutions,
                          .islands = vs_step_problem_islands(&s->problem)};
}

// Contacts first, then limits and boxes, bonds, joints: the order of the problem.
static vs_error add_rows(vs_simulation *s) {
    const vs_step_view view = vs_step_view_of(s);
    const vs_step_contacts *contacts = &s->contacts;
    vs_row_groups_clear(&s->groups);
    vs_error error = vs_contact_rows_reserve(&s->contact_rows, s->context, vs_step_contacts_count(contacts));
    if (!error)
        error = vs_contact_rows_add(&s->contact_rows, &view, contacts->rigid);
    if (!error)
        error = vs_node_rows_add(&s->contact_rows, &view, contacts->nodes, contacts->rigid->count);
    if (!error)
        error = vs_joint_rows_add(&view);
    if (!error)
        error = vs_bond_rows_add(&s->bonds, &view);
    if (!error)
        error = vs_row_groups_append_last(&s->groups, s->context);
    if (!error)
        vs_joint_rows_ignore_rounding(&view);
    if (!error && s->blocks.flexible)
        error = vs_glue_rows_add(&view);
    return error;
}

vs_error vs_step_assemble(vs_simulation *s) {
    const vs_step_view view = vs_step_view_of(s);
    s->elastic.expanded = false;
    s->elastic.damping = s->options.numerical_damping;
    vs_error error = vs_blocks_number(&s->blocks, s->world, s->division, s->contacts.rigid);
    if (!error)
        error = vs_rope_cuts_number(&s->blocks, s->world);
    if (!error)
        error = vs_blocks_read_velocities(&s->blocks, s->world, &s->kick);
    if (!error)
        vs_rope_cuts_read(&s->blocks, s->world);
    if (!error)
        error = vs_step_problem_set_momentum(&s->problem, &view);
    if (!error)
        error = add_rows(s);
    if (!error)
        vs_step_problem_add_pulls(&s->problem, &view);
    if (!error && s->kick.centred && !s->kick.level)
        error = vs_shake_predict(s);
    error = vs_division_agree(s->division, error);
    return error ? error : vs_step_problem_update(&s->problem, &view);
}
