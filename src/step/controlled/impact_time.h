// The time of an impact within a rejected step: the first root of the gaps of the located contacts along
//
//     q(t) = q (+) (t v + t^2/2 a),    a = 2 (v_h - v)/h
//
// with the mean velocities v_h of a step without these contacts, up to the time at which a pair would pass through another one
// (passing.h): it need not overlap at the end of the step. Only contacts that close fast count, so that others of the
// same two bodies, which touch already, are no roots.
#ifndef VS_STEP_IMPACT_TIME_H
#define VS_STEP_IMPACT_TIME_H

#include "step/data/simulation_data.h"

// From the saved state, which is restored; `time` in (0, h]: h if there is no root.
vs_error vs_impact_time_find(vs_simulation *s, double h, double *time, vs_step_report *report);

#endif
