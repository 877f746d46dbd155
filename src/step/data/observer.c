// Observers of a simulation as a linked list.
#include "step/data/observer.h"

#include <stddef.h>

void vs_observer_attach(vs_observer *observer, vs_observers *list) {
    vs_observer **end = &list->first;
    while (*end)
        end = &(*end)->next;
    *end = observer;
    observer->list = list;
    observer->next = NULL;
}

void vs_observer_detach(vs_observer *observer) {
    if (!observer->list)
        return;
    vs_observer **at = &observer->list->first;
    while (*at != observer)
        at = &(*at)->next;
    *at = observer->next;
    observer->list = NULL;
}

vs_error vs_observers_take(const vs_observers *list, const vs_step_report *report) {
    vs_error error = VS_OK;
    for (vs_observer *o = list->first; o && !error; o = o->next)
        error = o->take(o, report);
    return error;
}

void vs_observers_detach(vs_observers *list) {
    while (list->first)
        vs_observer_detach(list->first);
}
