// Impulses carried from step to step by the keys of contacts and joint rows, for warm starts.
#ifndef VS_STEP_IMPULSE_MEMORY_H
#define VS_STEP_IMPULSE_MEMORY_H

#include "step/rows/contact_rows.h"
#include "step/contacts/contacts.h"

// An impulse or a group of rows of two bodies.
typedef struct vs_impulse_place {
    uint64_t bodies;
    int64_t index;
} vs_impulse_place;

// The last impulse of a contact or of a row of a joint. The moment of rolling and spinning friction has an entry of its own
// with the inverted key of its contact.
typedef struct vs_impulse {
    uint64_t key;
    vs_vec3 impulse;      // contact: N s, world axes, or its moment, N m s; row: x
    vs_contact_mark mark; // contact; moment: the pair alone; row: zero
} vs_impulse;

typedef struct vs_impulse_memory {
    VS_ARRAY(vs_impulse) impulse;           // by pair, then by key
    VS_ARRAY(vs_impulse) spare;             // work
    VS_ARRAY(double) start_lambda, start_g; // work
    VS_ARRAY(bool) taken;                   // (impulses) work: their contact is there again
    VS_ARRAY(vs_impulse_place) lost, fresh; // work: impulses without a contact, contacts without an impulse
} vs_impulse_memory;

void vs_impulse_memory_release(vs_context *context, vs_impulse_memory *memory);
// The order of two impulses: by pair, then by key.
int vs_impulse_compare(const vs_impulse *a, const vs_impulse *b);
void vs_impulse_memory_sort(vs_impulse_memory *memory);
// The contacts of the last step, for the search for the next ones.
vs_error vs_impulse_memory_list_contacts(const vs_impulse_memory *memory, vs_step_contacts *contacts,
                                         vs_context *context);
// Impulses to start from: start_lambda (m), start_g (m_e). They are found by their keys. One whose contact is gone goes to
// the nearest new contact of the same two bodies, if that is within a tenth of the smaller one's size. All others are
// zero.
vs_error vs_impulse_memory_recall(vs_impulse_memory *memory, const vs_row_groups *groups,
                                  const vs_contact_rows *contacts, vs_context *context);
// That of a contact; null: there is none.
const vs_impulse *vs_impulse_memory_find(const vs_impulse_memory *memory, uint64_t pair, uint64_t key);
// Multiplies them by a factor: the next kick is longer.
void vs_impulse_memory_scale(vs_impulse_memory *memory, double factor);
// Remembers the impulses of a solution, and only these.
vs_error vs_impulse_memory_store(vs_impulse_memory *memory, const vs_row_groups *groups,
                                 const vs_contact_rows *contacts, const vs_result *result, vs_context *context);

#endif
