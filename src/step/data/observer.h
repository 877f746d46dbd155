// Observers take each step of a simulation when it is done, before the callback `after`: the trajectories that record it.
#ifndef VS_STEP_OBSERVER_H
#define VS_STEP_OBSERVER_H

#include "voussoir/simulation.h"

typedef struct vs_observers vs_observers;

typedef struct vs_observer {
    vs_error (*take)(struct vs_observer *observer, const vs_step_report *report);
    vs_observers *list; // null: observes nothing, or its simulation was destroyed
    struct vs_observer *next;
} vs_observer;

// Those of a simulation, linked through the observers, in the order in which they are called.
struct vs_observers {
    vs_observer *first;
};

void vs_observer_attach(vs_observer *observer, vs_observers *list); // to one that observes nothing
void vs_observer_detach(vs_observer *observer);                     // also one that observes nothing
vs_error vs_observers_take(const vs_observers *list, const vs_step_report *report);
void vs_observers_detach(vs_observers *list); // all of them

#endif
