// Sums over the steps of a run.
#ifndef VS_APP_RUN_TOTALS_H
#define VS_APP_RUN_TOTALS_H

#include <stdint.h>

#include "voussoir/voussoir.h"

enum { APP_RUN_LISTED = 8 };
// Share of the discretization from which a report speaks of it: vs_step_report.
#define APP_RUN_COARSE .01

typedef struct app_run_totals {
    int64_t first;                  // steps of a previous run
    int64_t steps;                  // done now
    int64_t summed;                 // that the sums cover: these and, if its checkpoint has them, those before
    int64_t inaccurate;             // of these and of those before
    int64_t listed[APP_RUN_LISTED]; // the first inaccurate ones; 0: not known
    int64_t iterations, factorizations;
    int64_t contacts;                     // sum
    int contacts_most;                    //
    double energy_error;                  // J, largest
    double relative_error;                // largest
    int64_t worst;                        // its step
    double work_error;                    // J, largest
    double penetration, drift;            // m, largest
    double work, dissipation;             // J, sums
    double discretization_share;          // of the last step: vs_step_report
    int64_t unbalanced, unbalanced_first; // steps whose balance does not close; the first one, 0: none
    double momentum;                      // N s, largest of a rigid body and of the whole
    int64_t momentum_step;                // its step
    vs_energy_flow flow;                  // sums
    int64_t reduced;                      // steps with reduced restitution
    double restitution_factor;            // the least one
    int64_t problems;                     // contact problems
    double time_error, time_error_share;  // largest, m and relative: vs_step_report
    double time_error_speed;              // m/s
    int64_t controlled, events, rejected, forced;
    const char *forced_text;                // the first reason, or null
    char forced_before[160];                // the reason of a previous run
    int64_t forced_first;                   // its step
    int64_t broken;                         // bonds of mortar
    int64_t broken_first;                   // the first step in which some broke; 0: none
    int bonds;                              // that hold at the end
    double bond_step;                       // largest, vs_step_report
    int64_t swept, held;                    // contacts, and bodies that stopped within a step; sums: vs_step_report
    int64_t held_first;                     // the first step with some that stopped; 0: none
    int inverted;                           // inverted elements, maximum
    int64_t inverted_first;                 // the first step with some; 0: none
    double collide, assemble, solve, total; // s, of the steps done now
    vs_energy begin, end;
    vs_step_report last;
} app_run_totals;

void app_run_add(app_run_totals *t, const vs_step_report *r);
// The momenta after a step.
void app_run_add_momenta(app_run_totals *t, const vs_step_report *r, const vs_world *world);

#endif
