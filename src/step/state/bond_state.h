// Bonds as bytes, for checkpoints. A world without mortar has none.
#ifndef VS_STEP_BOND_STATE_H
#define VS_STEP_BOND_STATE_H

#include "step/data/simulation_data.h"

size_t vs_bond_state_bytes(const vs_simulation *s);
void vs_bond_state_save(const vs_simulation *s, char *out);
// How many of the last `rest` bytes of a state are bonds; checks them. They begin `before` bytes later.
vs_error vs_bond_state_check(const vs_simulation *s, const char *bytes, size_t rest, size_t before, size_t *count);
// After a check, with memory for them (VS_RESERVE).
void vs_bond_state_load(vs_simulation *s, const char *bytes);
// The number of bonds in checked bytes.
int64_t vs_bond_state_count(const vs_simulation *s, const char *bytes);

#endif
