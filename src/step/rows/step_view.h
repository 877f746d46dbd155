// What the parts of a step see of it: one view for all of them, made from the simulation (step/data/simulation_data.h).
// A room names in its headers what it reads and what it changes.
#ifndef VS_STEP_STEP_VIEW_H
#define VS_STEP_STEP_VIEW_H

#include "collide/collision.h"
#include "step/rows/row_groups.h"

typedef struct vs_step_view {
    const vs_world *world;
    const vs_simulation_options *options;
    const vs_division *division; // null in one process
    const vs_kick *kick;
    // contacts
    const struct vs_step_contacts *contacts;
    vs_collision *collision; // of the contacts; null: impacts at the step's beginning (impact_shift.h)
    const vs_pose *moved;    // of vs_contact.moved
    // unknowns and rows
    const vs_blocks *blocks;
    vs_row_groups *groups;
    const struct vs_contact_rows *rows;
    const struct vs_friction_memory *friction; // of static friction
    struct vs_bonds *bonds;
    const struct vs_crushing *crushing;
    struct vs_elastic_terms *elastic;
    // what revisions limit, by blocks of bodies
    const double *restitution_factor;    // impact_guard.h; null: 1
    const bool *calm;                    // recoveries are off: recovery_guard.h; null: none
    const double *latest_impact;         // s, impact_shift.h; null: no limit
    const vs_result *result;             // of the last solution
    int64_t solution;                    // its number
    const struct vs_island_map *islands; // of its problem; null: there is nothing to solve
} vs_step_view;

#endif
