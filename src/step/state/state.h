// A world and its simulation, from which a state is taken, or into which it is put.
#ifndef VS_STEP_STATE_H
#define VS_STEP_STATE_H

#include "voussoir/simulation.h"

enum { VS_STATE_TEXT = 512 };

typedef struct vs_state {
    vs_world *world;
    vs_simulation *simulation; // null: of the world alone
    const char *name;          // in warnings: of the file
    char *software;            // (VS_STATE_TEXT) that wrote it, or null: "". Loading sets it, as it is in the bytes
} vs_state;

// For vs_state_save(), which changes neither: the same functions visit fields to save and to load them.
static inline vs_state vs_state_to_save(const vs_world *world, const vs_simulation *simulation) {
    return (vs_state){.world = (vs_world *)world, .simulation = (vs_simulation *)simulation};
}

#endif
