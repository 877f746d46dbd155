// Friction from step to step: see friction_memory.h.
#include "step/rows/friction_memory.h"

#include <stdlib.h>

#include "base/sort.h"

void vs_friction_memory_release(vs_context *context, vs_friction_memory *memory) {
    VS_ARRAY_RELEASE(context, &memory->contact);
    VS_ARRAY_RELEASE(context, &memory->next);
}

static int compare(const void *a, const void *b) {
    const vs_remembered_friction *p = a, *q = b;
    if (p->bodies != q->bodies)
        return p->bodies < q->bodies ? -1 : 1;
    return (p->key > q->key) - (p->key < q->key);
}

vs_friction_past vs_friction_memory_find(const vs_friction_memory *memory, uint64_t bodies, uint64_t key) {
    vs_friction_past others = vs_friction_past_new();
    const vs_remembered_friction *contact = memory->contact.data;
    for (int64_t k = vs_find_first(contact, memory->contact.count, sizeof *contact, bodies);
         k < memory->contact.count && contact[k].bodies == bodies; k++) {
        if (contact[k].key == key)
            return contact[k].past;
        others = vs_friction_past_join(others, contact[k].past);
    }
    return others;
}

void vs_friction_memory_begin(vs_friction_memory *memory) {
    memory->next.count = 0;
}

vs_error vs_friction_memory_add(vs_friction_memory *memory, vs_context *context, vs_remembered_friction contact) {
    vs_error error = VS_RESERVE(context, &memory->next, memory->next.count + 1);
    if (!error)
        error = VS_RESERVE(context, &memory->contact, memory->next.count + 1);
    if (!error)
        memory->next.data[memory->next.count++] = contact;
    return error;
}

void vs_friction_memory_end(vs_friction_memory *memory) {
    for (int64_t k = 0; k < memory->next.count; k++)
        memory->contact.data[k] = memory->next.data[k];
    memory->contact.count = memory->next.count;
    if (memory->contact.count > 0)
        qsort(memory->contact.data, (size_t)memory->contact.count, sizeof *memory->contact.data, compare);
}
