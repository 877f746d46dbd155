// What a trajectory tells about a run.
#ifndef VS_APP_REPORT_RESULTS_H
#define VS_APP_REPORT_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "voussoir/trajectory.h"

// A body over all frames.
typedef struct app_way {
    int body;
    double most, last; // m, displacement of the centre of mass: the largest, that of the last frame
    double turned;     // rad, largest
    double speed;      // m/s, in the last frame
    bool removed;      // before the last frame
} app_way;

enum { APP_ENERGY_TERMS = 16 };

typedef struct app_results {
    const vs_trajectory_info *info;
    double begin, end;         // s
    int dynamic;               //
    double mass;               // kg, of dynamic bodies
    int ground;                // a kinematic body whose way is subtracted: all kinematic ones move alike; -1: none does
    double ground_most;        // m, its largest displacement
    app_way *way;              // (ways) dynamic bodies, the farthest first
    int ways;                  //
    int64_t unsolved;          // frames whose step missed the tolerance
    double error, natural;     // relative, largest of the recorded steps
    double penetration, drift; // m, likewise
    double contacts;           // most
    double kinetic, potential; // J, change
    double energy[APP_ENERGY_TERMS]; // J, of vs_energy_term_at(k), up to the end
    double share;                    // of the discretization in the largest energy exchanged; NaN: unknown
} app_results;

// Release in any case.
vs_error app_results_read(vs_trajectory_reader *reader, app_results *r);
void app_results_release(app_results *r);
const char *app_results_name(const app_results *r, int body, char name[64]); // `name`

#endif
