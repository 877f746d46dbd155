// The times of a kick: what the schemes of time have in common, as rows and loads see it.
#ifndef VS_STEP_KICK_H
#define VS_STEP_KICK_H

#include "body/world_data.h"

// The times of a step. A kick of Moreau's scheme covers the step; one of shake the half steps before and after its
// beginning; rattle has two, one over the first half of the step and one over the second.
typedef struct vs_kick {
    double h;      // s, of the drift
    double push;   // s, of the kick by gravity and loads
    double length; // s, over which springs, friction and motors act: push, in the first step of shake h/2; 0: an impact
    double time;   // s, of loads: the middle of the kick
    double mean;   // s, springs take their position x + mean (x' - x0'); if centred
    bool centred;  // shake, rattle: at the present positions
    bool half;     // rattle (step/controlled/rattle.h)
    bool level;    // rattle: at the end of the step, rows are those of velocities
} vs_kick;

// Moreau's kick of a step of h from now.
static inline vs_kick vs_kick_over(const vs_world *world, double h) {
    return (vs_kick){.h = h, .push = h, .length = h, .time = world->time + .5 * h};
}

// Sets gravity to its mean over the kick, if it is a signal.
static inline void vs_kick_update_gravity(const vs_kick *kick, vs_world *world) {
    vs_world_update_gravity(world, kick->time - .5 * kick->h, kick->h);
}

#endif
