// The first step of a scene: what touches, what floats, what begins to move.
#ifndef VS_APP_EXPLAIN_FIRST_STEP_H
#define VS_APP_EXPLAIN_FIRST_STEP_H

#include <stdbool.h>

#include "check/bodies.h"
#include "check/findings.h"
#include "voussoir/scene.h"

typedef struct app_first_step {
    vs_step_report report;
    int pairs;                    // bodies that touch
    int overlaps;                 // pairs that overlap
    int floating;                 // dynamic bodies without a way to anything fixed, over contacts and joints
    int resting, falling, moving; // dynamic bodies: hardly faster than before, as fast as in free fall, others
    int example[3];               // the first body of each; -1: none
} app_first_step;

// Takes one step, looks at it, and puts the bodies back. `output`: a trajectory of it to write; null: none.
vs_error app_first_step_take(vs_scene *scene, const app_bodies *b, const char *output, app_first_step *first,
                             app_findings *f);

#endif
