// The report of a step: see report.h.
#include "step/account/report.h"

#include <math.h>

#include "body/flexible_data.h"
#include "solver/tolerance.h"
#include "step/rows/island_tolerance.h"

// m/s, with which the gap of a contact changes within the step.
static double opening_speed(const vs_simulation *s, int contact) {
    const vs_row_group *group = &s->groups.group.data[contact];
    if (s->moved.active && s->moved.moved.data[group->block[0]])
        return vs_row_groups_velocity(&s->groups, &s->blocks, group, 0, s->moved.v.data) +
               vs_row_groups_values(&s->groups, group).prescribed[0];
    return s->problem.result.y[group->row] + s->contact_rows.offset.data[3 * (int64_t)contact]; // y = u - offset
}

void vs_report_contacts(const vs_simulation *s, vs_step_report *report) {
    const vs_result *result = &s->problem.result;
    const double h = s->kick.level ? 0 : s->kick.h; // the gaps are those before the step, or already those after it
    for (int k = 0; k < vs_step_contacts_count(&s->contacts); k++) {
        int row = s->groups.group.data[k].row;
        const double u = opening_speed(s, k);
        report->active += result->lambda[row] > 0;
        report->penetration = fmax(report->penetration, -(vs_step_contacts_gap(&s->contacts, k) + h * u));
    }
}

// Sizes of the terms of the contact's normal velocity, before and after the impulses, and one step of gravity: m/s.
static double size_of_velocity(const vs_simulation *s, const vs_row_group *group) {
    const vs_blocks *blocks = &s->blocks;
    const double *free = blocks->free.data, *v = s->problem.result.v;
    const vs_row_values values = vs_row_groups_values(&s->groups, group);
    double sum = fabs(values.b[0]) + s->kick.h * vs_length(s->world->gravity);
    for (int k = 0; k < group->blocks; k++) {
        int width = vs_blocks_width(blocks, group->block[k]), first = vs_blocks_column(blocks, group->block[k]);
        const double *J = values.J + 6 * (int64_t)k * group->rows;
        for (int j = 0; j < width; j++)
            sum += fabs(J[j]) * (fabs(free[first + j]) + fabs(v[first + j]));
    }
    return sum;
}

// Does a contact close? The energies of an island do not show it beside bodies that are very much heavier or faster: by
// its own velocities a contact must hold to half the digits of the tolerance. Not where it closes by less than what counts as
// closed: in very short steps the velocities that gravity makes are less than what the energy of a sliding body resolves.
vs_closing vs_report_closing(const vs_simulation *s) {
    const vs_result *result = &s->problem.result;
    const vs_solver_options *options = &s->options.solver;
    const vs_island_map *islands = vs_step_problem_islands(&s->problem);
    bool found[2] = {false, false}; // strict, loose
    for (int k = 0; k < vs_step_contacts_count(&s->contacts) && !(found[0] && found[1]); k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const bool loose = vs_block_is_loose(options, islands, &s->blocks, group->block[0]);
        if (found[loose])
            continue;
        const double share = sqrt(loose ? options->granular_tolerance : options->tolerance);
        double closing = -result->y[group->row], slop = vs_contact_rows_slop(s->contact_rows.size.data[k]);
        found[loose] = !(closing * s->kick.h <= slop) && !(closing <= share * size_of_velocity(s, group));
    }
    const vs_space *space = vs_division_space(s->division);
    return (vs_closing){vs_space_any(space, found[0]), vs_space_any(space, found[1])};
}

// Is a light body so loaded that the rounding of impulses does more work on it than half the digits of the tolerance leave
// of its own energy? Whatever the solver does, it then leaves its place: impulses are the load times a direction, and
// directions are rounded, too.
static bool is_overloaded(const vs_simulation *s) {
    return s->problem.result.measures.rounding_work > sqrt(s->options.solver.tolerance);
}

static bool is_tightened(const vs_simulation *s) {
    return s->revision.tolerance < s->options.solver.tolerance ||
           s->revision.granular < s->options.solver.granular_tolerance;
}

// Of islands that have the tolerance of granular ones; without them 0.
static void add_loose_islands(const vs_simulation *s, vs_step_report *report) {
    const vs_measures *measures = &s->problem.result.measures;
    const vs_solver_options *options = &s->options.solver;
    if (!vs_tolerance_differs(options) || measures->granular_islands == 0)
        return;
    report->loose_tolerance = options->granular_tolerance;
    report->loose_islands = (int)measures->granular_islands;
    report->loose_contacts = (int)measures->granular_contacts;
    report->strict_error = measures->strict_error;
}

void vs_report_certificate(const vs_simulation *s, vs_step_report *report) {
    const vs_result *result = &s->problem.result;
    report->status = result->status;
    report->status_text = result->status_text;
    // Where a revision asked for more, what the step asks for suffices.
    if (is_tightened(s) && vs_measures_meet_options(&result->measures, &s->options.solver))
        report->status = VS_STATUS_CONVERGED, report->status_text = "";
    const vs_closing closing = vs_report_closing(s);
    if ((closing.strict || closing.loose) && report->status == VS_STATUS_CONVERGED) {
        report->status = VS_STATUS_INACCURATE;
        report->status_text = "a contact closes, which the energies of its island do not show: see penetration";
    }
    if (s->moved.active && s->moved.unsolved && report->status == VS_STATUS_CONVERGED) {
        report->status = VS_STATUS_INACCURATE;
        report->status_text = "the motion that removes overlaps was not solved to the tolerance";
    }
    if (is_overloaded(s) && report->status == VS_STATUS_CONVERGED) {
        report->status = VS_STATUS_INACCURATE;
        report->status_text =
            "a light body carries so much that rounding of its impulses moves it: masses differ too much";
    }
    if (s->crushing.unsettled && report->status == VS_STATUS_CONVERGED) {
        report->status = VS_STATUS_INACCURATE;
        report->status_text =
            "a joint carries more than its compressive strength: which ones are crushed did not settle";
    }
    if (s->revision.slips_apart && report->status == VS_STATUS_CONVERGED) {
        report->status = VS_STATUS_INACCURATE;
        report->status_text = "a rope with several rough points: its tensions between them did not settle";
    }
    report->islands = result->islands;
    report->relative_error = result->measures.relative_error;
    report->energy_error = result->measures.relative_error > 0 ? result->measures.island_error : 0;
    report->energy_scale = result->measures.island_reference;
    report->work_error = result->measures.work_error;
    report->natural_map = result->measures.natural_map_relative;
    add_loose_islands(s, report);
}

// Part of the energy of the motion that the time discretization may create in one step of flexible solids. It also takes and
// returns some of it: positions are half a step ahead of velocities.
static const double MOST_CREATED = .5;
static const double STEPS_OF_GRAVITY = 10; // energies of one step of gravity, which are no motion of their own
static const double ROUNDING = 1e-12;      // of the energies that the balance is made of

void vs_report_created(const vs_simulation *s, const vs_energy *before, vs_step_report *report) {
    const vs_world *world = s->world;
    bool solids = false;
    for (int k = 0; k < world->flexibles; k++)
        solids = solids || (world->flexible[k].alive && !world->flexible[k].beam);
    for (int k = 1; k < world->bodies; k++) // what kinematic bodies do to solids is not accounted as work
        solids = solids && !(world->body[k].alive && world->body[k].motion == VS_MOTION_KINEMATIC);
    // In the first step velocities get their place half a step behind positions.
    if (!solids || s->steps <= 1 || report->status != VS_STATUS_CONVERGED)
        return;
    const vs_energy *after = &report->energy;
    double gravity = after->potential - after->elastic - (before->potential - before->elastic), fall = 0;
    for (int j = 0; j < vs_blocks_size(&s->blocks); j++)
        fall += s->blocks.moved.data[j];
    double scale = before->kinetic + fabs(before->elastic) + fabs(gravity) + fabs(report->work) +
                   fabs(report->dissipation) + STEPS_OF_GRAVITY * fall;
    if (report->flow.discretization > MOST_CREATED * scale + ROUNDING * fabs(after->potential)) {
        report->status = VS_STATUS_INACCURATE;
        report->status_text =
            "the step created energy in flexible solids: use a smaller step, more elastic iterations or "
            "numerical damping";
    }
}
