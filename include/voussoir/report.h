// The report of a step as a table: what each of its fields is, its unit, and what becomes of it over processes and over the
// steps of a run. Sums, trajectories, reports of runs, the viewer's charts and the Python package follow from it.
#ifndef VOUSSOIR_REPORT_H
#define VOUSSOIR_REPORT_H

#include <stddef.h>

#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

// Type of a field: double; int or an enumeration; int64_t; const char *.
typedef enum vs_report_kind { VS_REPORT_REAL, VS_REPORT_INT, VS_REPORT_INT64, VS_REPORT_TEXT } vs_report_kind;

// How the values of several processes, or of several steps, become one: not at all, the last one, their sum, the largest, or
// the least, of factors that are at most 1.
typedef enum vs_report_rule {
    VS_REPORT_SINGLE,
    VS_REPORT_LAST,
    VS_REPORT_SUM,
    VS_REPORT_LARGEST,
    VS_REPORT_LEAST
} vs_report_rule;

// A field of vs_step_report.
typedef struct vs_report_field {
    const char *name;   // as in C: "penetration", "energy.kinetic", "flow.friction"
    const char *unit;   // "J", "m/s"; of counts what is counted ("bonds") if the name does not say it; else "1"
    const char *text;   // what it is
    const char *column; // its dataset in trajectories (docs/formats.md); null: none
    bool later; // the column, or the field if it has none, was added later: files of older versions do not have it
    vs_report_kind kind;
    vs_report_rule ranks; // over processes; single: the same on all of them
    vs_report_rule steps; // over steps
    size_t offset;        // in vs_step_report
} vs_report_field;

enum { VS_REPORT_FIELDS_MOST = 96 }; // fields are not more than these

VS_API int vs_report_field_count(void);
VS_API vs_report_field vs_report_field_at(int k); // k = 0 … count - 1
// The field at offsetof(vs_step_report, …); -1: none.
VS_API int vs_report_field_find(size_t offset);
// The value of a field that is no text.
VS_API double vs_report_field_value(int k, const vs_step_report *report);

// Where a term of the energy balance belongs: to work or dissipation, or it is the rest of the balance.
typedef enum vs_energy_side { VS_ENERGY_WORK, VS_ENERGY_DISSIPATION, VS_ENERGY_DISCRETIZATION } vs_energy_side;

// A field of vs_energy_flow.
typedef struct vs_energy_term {
    const char *name;  // as in C: "prescribed"
    const char *label; // for people: "prescribed motion"
    const char *text;  // what it is
    vs_energy_side side;
} vs_energy_term;

VS_API int vs_energy_term_count(void);
VS_API vs_energy_term vs_energy_term_at(int k); // k = 0 … count - 1, in the order of vs_energy_flow
VS_API double vs_energy_term_value(int k, const vs_energy_flow *flow);

// A field over the steps of a run.
typedef struct vs_report_total {
    double value;  // by the field's rule
    double sum;    // of all steps, whatever the rule
    int64_t steps; // in which it was not 0; of a least value: below 1
    int64_t first; // the first of these; 0: none
    int64_t worst; // the step with the largest or least value; 0: none
} vs_report_total;

// All fields over the steps of a run. Begin with zeros.
typedef struct vs_report_totals {
    int64_t steps;
    int64_t inaccurate; // of these
    vs_report_total field[VS_REPORT_FIELDS_MOST];
} vs_report_totals;

VS_API void vs_report_totals_add(vs_report_totals *totals, const vs_step_report *report);
// By the field's rule: 0, or 1 of a least value, before the first step.
VS_API double vs_report_totals_get(const vs_report_totals *totals, int k);
// Of the terms of the energy balance.
VS_API vs_energy_flow vs_report_totals_get_flow(const vs_report_totals *totals);

#ifdef __cplusplus
}
#endif

#endif
