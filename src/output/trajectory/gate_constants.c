// Constant data of factories and sinks: /gates, only if there are any.
#include "output/trajectory/trajectory_data.h"
#include "voussoir/gate.h"

vs_error vs_gate_constants_write(const vs_h5_group *root, const vs_world *world, const vs_recorded *r,
                                 vs_arena *arena) {
    if (r->gates == 0)
        return VS_OK;
    int *sink = VS_NEW(arena, int, r->gates);
    vs_error error = sink ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; k < r->gates && !error; k++) {
        vs_gate_view view;
        error = vs_world_get_gate_at(world, k, &view);
        sink[k] = view.sink;
    }
    if (!error)
        error = vs_h5_group_make_timeless(root, "gates");
    if (!error)
        error = vs_h5_write_names(root, "gates/name", r->gates, r->gate_room, r->gate_name);
    return error ? error : vs_h5_write_table(root, "gates/sink", VS_NUMBER_INT, r->gates, 1, sink);
}
