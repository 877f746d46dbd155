// Steps of controlled accuracy within a step of the simulation: trials (rattle.h) whose estimated error (time_error.h) is at most
// the accuracy are accepted, others are repeated with a shorter step; the state is restored exactly. Lengths follow a
// proportional-integral controller (Gustafsson 1991)
//
//     accepted   h <- h clip(0.9 e^(-0.7/(p+1)) e_old^(0.4/(p+1)), 0.3, 3)
//     rejected   h <- h clip(0.9 e^(-1/(p+1)), 0.1, 0.7)
//
// with the order p: 2, 1 where contacts change between sticking, sliding and apart, 0 where they close. A step is never longer
// than that of the simulation, at whose end one ends.
//
// Where a contact closes, or a change of velocity does not decrease with the step (an impact through contacts that are
// closed, a joint's limit), only the error of positions counts.
//
// If trials are too many (impacts without number in a finite time, more collisions than can be located), the rest of the
// simulation's step is taken in fixed steps of Moreau's scheme, which are counted as forced, with the reason.
#ifndef VS_STEP_TIME_CONTROL_H
#define VS_STEP_TIME_CONTROL_H

#include "step/data/simulation_data.h"

// Fails if the world has parts that have no controlled steps.
vs_error vs_time_control_check(const vs_simulation *s);
// Advances the world by a step of the simulation.
vs_error vs_time_control_step(vs_simulation *s, vs_step_report *report);

#endif
