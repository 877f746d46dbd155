// The table of the fields of reports, and everything that is done to all of them alike. A new field is a member of
// vs_step_report and a row here; a new term of the energy balance a member of vs_energy_flow and a row here.
#include "step/account/report_fields.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- terms of the energy balance --------------------------------------------------------------------

// In the order of vs_energy_flow: member, side, label, text.
#define TERMS(ROW)                                                                                                     \
    ROW(loads, WORK, "loads", "work done by loads; not gravity, which has a potential")                                \
    ROW(motors, WORK, "motors", "work done by motors of joints; negative if they brake")                               \
    ROW(prescribed, WORK, "prescribed motion", "work done by kinematic bodies, moving surfaces and prescribed nodes")  \
    ROW(friction, DISSIPATION, "friction", "dissipated by friction of contacts and joints")                            \
    ROW(impacts, DISSIPATION, "impacts",                                                                               \
        "dissipated by impacts of rigid bodies and at limits of joints, absorbed by compliant contacts")               \
    ROW(dampers, DISSIPATION, "dampers",                                                                               \
        "dissipated by dampers of joints and damped elements, removed by the scheme quasi-static")                     \
    ROW(discretization, DISCRETIZATION, "discretization",                                                              \
        "created (> 0) or removed (< 0) by the time discretization: the rest of the balance")                          \
    ROW(fracture, DISSIPATION, "fracture", "taken by bonds of mortar that open and slide")

#define TERM(member, where, called, what) {#member, called, what, VS_ENERGY_##where},
static const vs_energy_term terms[] = {TERMS(TERM)};
enum { TERM_COUNT = sizeof terms / sizeof *terms };
static_assert(TERM_COUNT * sizeof(double) == sizeof(vs_energy_flow), "a member of vs_energy_flow has no row");

// ---- fields -----------------------------------------------------------------------------------------

#define AT(member) .name = #member, .offset = offsetof(vs_step_report, member)
#define REAL(member, u) AT(member), .kind = VS_REPORT_REAL, .unit = u
#define COUNT(member, u) AT(member), .kind = VS_REPORT_INT, .unit = u
#define TEXT(member) AT(member), .kind = VS_REPORT_TEXT, .unit = "1"
#define OVER_STEPS(rule) .steps = VS_REPORT_##rule
#define OVER_RANKS(rule) .ranks = VS_REPORT_##rule
#define COLUMN(path) .column = (path)
#define LATER(path) .column = (path), .later = true
#define FLOW(member, where, called, what) {REAL(flow.member, "J"), OVER_STEPS(SUM), OVER_RANKS(SUM), .text = (what)},
#define TOTAL(member, where, called, what) {REAL(total.member, "J"), LATER("energy/" #member), .text = (what)},

static const vs_report_field fields[] = {
    {AT(step), .kind = VS_REPORT_INT64, .unit = "1", COLUMN("solver/step"), .text = "number of the step: 1, 2, …"},
    {REAL(time, "s"), .text = "at the end of the step"},
    {COUNT(contacts, "1"), OVER_STEPS(LARGEST), OVER_RANKS(SUM), COLUMN("solver/contacts"),
     .text = "detected (within the envelope)"},
    {COUNT(active, "1"), OVER_STEPS(LARGEST), OVER_RANKS(SUM), COLUMN("solver/active"),
     .text = "contacts with a positive impulse"},
    {COUNT(islands, "1"), OVER_STEPS(LARGEST), COLUMN("solver/islands"), .text = "contacts that act on each other"},
    {COUNT(status, "1"), COLUMN("solver/status"), .text = "of the contact problem, a vs_status"},
    {TEXT(status_text), .text = "of the contact problem"},
    {COUNT(iterations, "1"), OVER_STEPS(SUM), COLUMN("solver/iterations"), .text = "of the solver"},
    {COUNT(factorizations, "1"), OVER_STEPS(SUM), COLUMN("solver/factorizations"), .text = "of the solver"},
    {REAL(relative_error, "1"), OVER_STEPS(LARGEST), .text = "of the worst island, measured on the unscaled problem"},
    {REAL(energy_error, "J"), OVER_STEPS(LARGEST), COLUMN("solver/energy_error"),
     .text = "of that island; 0 if it is only rounding"},
    {REAL(energy_scale, "J"), OVER_STEPS(LARGEST), COLUMN("solver/energy_scale"),
     .text = "the reference of that island"},
    {REAL(work_error, "J"), OVER_STEPS(LARGEST),
     .text = "energy that contacts and joints of an island created or destroyed against their laws"},
    {REAL(natural_map, "1"), OVER_STEPS(LARGEST), COLUMN("solver/natural_map"), .text = "relative, as FCLIB has it"},
    {REAL(energy.kinetic, "J"), OVER_RANKS(SUM), COLUMN("solver/kinetic"), .text = "after the step"},
    {REAL(energy.potential, "J"), OVER_RANKS(SUM), COLUMN("solver/potential"),
     .text = "after the step: gravity (zero height at z = 0) and the elastic energy"},
    {REAL(energy.elastic, "J"), OVER_RANKS(SUM), LATER("energy/elastic"),
     .text = "after the step, part of the potential energy: springs, compliant joints, strain of flexible bodies"},
    {REAL(energy.momentum.x, "N s"), OVER_RANKS(SUM), .text = "after the step"},
    {REAL(energy.momentum.y, "N s"), OVER_RANKS(SUM), .text = "after the step"},
    {REAL(energy.momentum.z, "N s"), OVER_RANKS(SUM), .text = "after the step"},
    {REAL(energy.angular_momentum.x, "N m s"), OVER_RANKS(SUM), .text = "after the step, about the origin"},
    {REAL(energy.angular_momentum.y, "N m s"), OVER_RANKS(SUM), .text = "after the step, about the origin"},
    {REAL(energy.angular_momentum.z, "N m s"), OVER_RANKS(SUM), .text = "after the step, about the origin"},
    {REAL(work, "J"), OVER_STEPS(SUM), OVER_RANKS(SUM), COLUMN("solver/work"),
     .text = "sum of the terms that are work"},
    {REAL(dissipation, "J"), OVER_STEPS(SUM), OVER_RANKS(SUM), COLUMN("solver/dissipation"),
     .text = "sum of the terms that are dissipation"},
    // clang-format off
    TERMS(FLOW)
    TERMS(TOTAL)
    // clang-format on
    {REAL(restitution_factor, "1"), OVER_STEPS(LEAST),
     .text = "least factor on restitution; < 1: impacts of an island would have created energy"},
    {REAL(penetration, "m"), OVER_STEPS(LARGEST), OVER_RANKS(LARGEST), COLUMN("solver/penetration"),
     .text = "largest after the step (extrapolated from the gaps of its contacts)"},
    {REAL(joint_drift, "m"), OVER_STEPS(LARGEST), OVER_RANKS(LARGEST), COLUMN("solver/joint_drift"),
     .text = "largest violation of a joint after the step"},
    {COUNT(elastic_iterations, "1"), OVER_STEPS(LARGEST), .text = "number of problems solved"},
    {COUNT(problems, "1"), OVER_STEPS(SUM),
     .text = "the same, with those of late contacts, impacts and rejected steps"},
    {REAL(time_error, "m"), OVER_STEPS(LARGEST),
     .text = "with accuracy > 0, largest estimated error of a controlled step: of positions, rotations times a body's "
             "size"},
    {REAL(time_error_speed, "m/s"), OVER_STEPS(LARGEST), .text = "the same of velocities, except where contacts close"},
    {REAL(time_error_share, "1"), OVER_STEPS(LARGEST),
     .text = "the larger of both relative to the accuracy, at most 1"},
    {COUNT(controlled, "steps"), OVER_STEPS(SUM), .text = "number of controlled steps"},
    {COUNT(events, "1"), OVER_STEPS(SUM), .text = "impacts, and steps in which contacts closed"},
    {COUNT(rejected, "steps"), OVER_STEPS(SUM), .text = "trials of steps that were repeated"},
    {COUNT(forced, "steps"), OVER_STEPS(SUM), .text = "fixed steps where controlled ones were too many"},
    {TEXT(forced_text), .text = "the reason, or null"},
    {COUNT(inverted, "elements"), OVER_STEPS(LARGEST),
     .text = "inverted elements of flexible solids after the step; if any, the result is not reliable"},
    {REAL(seconds_collide, "s"), OVER_STEPS(SUM), .text = "wall time"},
    {REAL(seconds_assemble, "s"), OVER_STEPS(SUM), .text = "wall time"},
    {REAL(seconds_solve, "s"), OVER_STEPS(SUM), .text = "wall time"},
    {REAL(seconds_total, "s"), OVER_STEPS(SUM), COLUMN("solver/seconds"), .text = "wall time"},
    {COUNT(bonds, "1"), OVER_STEPS(LAST), LATER("solver/bonds"), .text = "of mortar, that hold after the step"},
    {COUNT(broken, "bonds"), OVER_STEPS(SUM), .text = "bonds that broke in the step"},
    {REAL(bond_step, "1"), OVER_STEPS(LARGEST),
     .text = "largest growth of d within the step, over d_c; above 0.05 it is too long for fracture energies"},
    {COUNT(swept, "contacts"), OVER_STEPS(SUM),
     .text = "contacts added because bodies would have passed through each other within the step"},
    {COUNT(held, "bodies"), OVER_STEPS(SUM), .text = "bodies that stopped in the step because they still would have"},
    {REAL(discretization_share, "1"), OVER_STEPS(LAST),
     .text = "size of total.discretization relative to the energies exchanged so far; above 0.01 steps are too long"},
    {COUNT(unbalanced, "steps"), OVER_STEPS(SUM),
     .text = "1: the time discretization created more than 0.01 of the energies of the step"},
    {REAL(loose_tolerance, "1"), OVER_STEPS(LARGEST), LATER(NULL),
     .text = "of large granular islands, where they have another one than the others; else 0"},
    {COUNT(loose_islands, "1"), OVER_STEPS(LARGEST), LATER(NULL), .text = "islands that have it"},
    {COUNT(loose_contacts, "1"), OVER_STEPS(LARGEST), LATER(NULL), .text = "contacts of these islands"},
    {REAL(strict_error, "1"), OVER_STEPS(LARGEST), LATER(NULL),
     .text = "relative error of the worst of the other islands, where some have a loose tolerance; else 0"},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };
static_assert((int)FIELD_COUNT <= (int)VS_REPORT_FIELDS_MOST, "arrays of totals need more room");
static_assert(sizeof(vs_status) == sizeof(int), "a status is read as an int");

int vs_report_field_count(void) {
    return FIELD_COUNT;
}

vs_report_field vs_report_field_at(int k) {
    return k >= 0 && k < FIELD_COUNT ? fields[k] : (vs_report_field){.name = ""};
}

int vs_report_field_find(size_t offset) {
    for (int k = 0; k < FIELD_COUNT; k++)
        if (fields[k].offset == offset)
            return k;
    return -1;
}

static double read_value(const vs_report_field *f, const vs_step_report *report) {
    const char *at = (const char *)report + f->offset;
    double real = 0;
    int count;
    int64_t wide;
    if (f->kind == VS_REPORT_REAL) {
        memcpy(&real, at, sizeof real);
    } else if (f->kind == VS_REPORT_INT) {
        memcpy(&count, at, sizeof count);
        real = count;
    } else if (f->kind == VS_REPORT_INT64) {
        memcpy(&wide, at, sizeof wide);
        real = (double)wide;
    }
    return real;
}

double vs_report_field_value(int k, const vs_step_report *report) {
    return report && k >= 0 && k < FIELD_COUNT ? read_value(&fields[k], report) : 0;
}

void vs_report_field_set(int k, double value, vs_step_report *report) {
    char *at = (char *)report + fields[k].offset;
    const int count = (int)value;
    const int64_t wide = (int64_t)value;
    if (fields[k].kind == VS_REPORT_REAL)
        memcpy(at, &value, sizeof value);
    else if (fields[k].kind == VS_REPORT_INT)
        memcpy(at, &count, sizeof count);
    else if (fields[k].kind == VS_REPORT_INT64)
        memcpy(at, &wide, sizeof wide);
}

// ---- over processes ---------------------------------------------------------------------------------

static void combine(const vs_space *space, vs_report_rule rule, vs_step_report *report) {
    double value[FIELD_COUNT];
    int field[FIELD_COUNT], count = 0;
    for (int k = 0; k < FIELD_COUNT; k++)
        if (fields[k].ranks == rule) {
            value[count] = read_value(&fields[k], report);
            field[count++] = k;
        }
    if (rule == VS_REPORT_SUM)
        vs_space_sums(space, count, value);
    else
        vs_space_maxima(space, count, value);
    for (int k = 0; k < count; k++)
        vs_report_field_set(field[k], value[k], report);
}

void vs_report_combine(const vs_space *space, vs_step_report *report) {
    combine(space, VS_REPORT_SUM, report);
    combine(space, VS_REPORT_LARGEST, report);
}

// ---- over steps -------------------------------------------------------------------------------------

static void add_value(const vs_report_field *f, double x, int64_t step, vs_report_total *t) {
    const bool least = f->steps == VS_REPORT_LEAST, counts = least ? x < 1 : x != 0;
    t->sum += x;
    if (f->steps == VS_REPORT_SUM)
        t->value += x;
    else if (f->steps == VS_REPORT_LAST)
        t->value = x;
    else if (least ? counts && (t->steps == 0 || x < t->value) : x > t->value)
        t->value = x, t->worst = step;
    if (counts && t->steps++ == 0)
        t->first = step;
}

void vs_report_totals_add(vs_report_totals *totals, const vs_step_report *report) {
    if (!totals || !report)
        return;
    totals->steps++;
    totals->inaccurate += report->status != VS_STATUS_CONVERGED;
    for (int k = 0; k < FIELD_COUNT; k++)
        if (fields[k].steps != VS_REPORT_SINGLE)
            add_value(&fields[k], read_value(&fields[k], report), report->step, &totals->field[k]);
}

double vs_report_totals_get(const vs_report_totals *totals, int k) {
    if (!totals || k < 0 || k >= FIELD_COUNT)
        return 0;
    return fields[k].steps == VS_REPORT_LEAST && totals->field[k].steps == 0 ? 1 : totals->field[k].value;
}

// ---- energy -----------------------------------------------------------------------------------------

int vs_energy_term_count(void) {
    return TERM_COUNT;
}

vs_energy_term vs_energy_term_at(int k) {
    return k >= 0 && k < TERM_COUNT ? terms[k] : (vs_energy_term){.name = ""};
}

// The terms as an array: vs_energy_flow has nothing else.
static const double *term_values(const vs_energy_flow *flow) {
    return (const double *)flow;
}

double vs_energy_term_value(int k, const vs_energy_flow *flow) {
    return flow && k >= 0 && k < TERM_COUNT ? term_values(flow)[k] : 0;
}

vs_energy_flow vs_report_totals_get_flow(const vs_report_totals *totals) {
    vs_energy_flow flow = {0};
    const int first = vs_report_field_find(offsetof(vs_step_report, flow));
    for (int k = 0; k < TERM_COUNT; k++)
        ((double *)&flow)[k] = vs_report_totals_get(totals, first + k);
    return flow;
}

double vs_energy_flow_sum(const vs_energy_flow *flow, vs_energy_side side) {
    double sum = -0.; // which adds no sign to zeros
    for (int k = 0; k < TERM_COUNT; k++)
        if (terms[k].side == side)
            sum += term_values(flow)[k];
    return sum;
}

double vs_energy_flow_exchanged(const vs_energy_flow *flow) {
    double sum = 0;
    for (int k = 0; k < TERM_COUNT; k++)
        if (terms[k].side != VS_ENERGY_DISCRETIZATION)
            sum += fabs(term_values(flow)[k]);
    return sum;
}

void vs_energy_flow_add(vs_energy_flow *total, const vs_energy_flow *flow) {
    double *to = (double *)total;
    for (int k = 0; k < TERM_COUNT; k++)
        to[k] += term_values(flow)[k];
}
