// The interfaces of each body, and those that a thin stone makes impossible.
#ifndef VS_STATICS_BRIDGES_H
#define VS_STATICS_BRIDGES_H

#include "base/array.h"
#include "voussoir/statics.h"

typedef struct vs_interface_index {
    VS_ARRAY(int) begin; // (bodies + 1) first place of a body in `of`
    VS_ARRAY(int) of;    // interfaces
} vs_interface_index;

vs_error vs_interface_index_fill(vs_context *context, const vs_interface *list, int64_t count, int bodies,
                                 vs_interface_index *index);
void vs_interface_index_release(vs_context *context, vs_interface_index *index);

// Finds interfaces of two bodies that a thin stone keeps apart, whose thickness is not a gap that a joint may have: list is
// closed up without them, and so are their points. The number that is left; -1: no memory.
int64_t vs_interfaces_drop_bridges(vs_context *context, int bodies, vs_interface *list, int64_t count, vs_vec3 *point);

#endif
