// Impulses carried from step to step by the keys of contacts and joint rows, for warm starts.
#ifndef VS_STEP_IMPULSE_MEMORY_H
#define VS_STEP_IMPULSE_MEMORY_H

#include "step/contact_rows.h"

// The last impulse of a contact or of a row of a joint. Checkpoints keep it as bytes.
typedef struct vs_impulse {
    uint64_t key;
    vs_vec3 impulse; // contact: N s, world axes; row: x
} vs_impulse;

typedef struct vs_impulse_memory {
    VS_ARRAY(vs_impulse) impulse;           // ascending keys
    VS_ARRAY(double) start_lambda, start_g; // work
} vs_impulse_memory;

void vs_impulse_memory_release(vs_context *context, vs_impulse_memory *memory);
// Into the order of the keys.
void vs_impulse_memory_sort(vs_impulse_memory *memory);
// Impulses to start from, those not known zero: start_lambda (m), start_g (m_e).
vs_error vs_impulse_memory_recall(vs_impulse_memory *memory, const vs_row_groups *groups,
                                  const vs_contact_rows *contacts, vs_context *context);
// Remembers the impulses of a solution, and only these.
vs_error vs_impulse_memory_store(vs_impulse_memory *memory, const vs_row_groups *groups,
                                 const vs_contact_rows *contacts, const vs_result *result, vs_context *context);

#endif
