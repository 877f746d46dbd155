// Constant data of flexible solids: /flexible, only if there are any. Nodes of all solids are numbered consecutively;
// elements and triangles refer to nodes of their own solid. Nodes of beams are bodies and stored as such.
#include "output/trajectory/trajectory_data.h"

#include <string.h>

typedef struct tables {
    int64_t *node_offset, *element_offset, *triangle_offset; // (solids + 1)
    int *element_nodes;                                      // (solids)
    double *rest;                                            // (3 nodes)
    int *element, *triangle;
} tables;

static vs_error measure(const vs_world *world, const vs_recorded *r, vs_arena *arena, tables *t) {
    t->node_offset = VS_NEW_ZERO(arena, int64_t, r->solids + 1);
    t->element_offset = VS_NEW_ZERO(arena, int64_t, r->solids + 1);
    t->triangle_offset = VS_NEW_ZERO(arena, int64_t, r->solids + 1);
    t->element_nodes = VS_NEW(arena, int, r->solids);
    if (!t->node_offset || !t->element_offset || !t->triangle_offset || !t->element_nodes)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < r->solids; k++) {
        const vs_flexible *f = &world->flexible[r->solid[k]];
        t->element_nodes[k] = f->element_nodes;
        t->node_offset[k + 1] = t->node_offset[k] + f->nodes;
        t->element_offset[k + 1] = t->element_offset[k] + (int64_t)f->element_nodes * f->elements;
        t->triangle_offset[k + 1] = t->triangle_offset[k] + f->faces;
    }
    t->rest = VS_NEW(arena, double, 3 * t->node_offset[r->solids]);
    t->element = VS_NEW(arena, int, t->element_offset[r->solids]);
    t->triangle = VS_NEW(arena, int, 3 * t->triangle_offset[r->solids]);
    return t->rest && t->element && t->triangle ? VS_OK : VS_ERROR_MEMORY;
}

static void fill(const vs_world *world, const vs_recorded *r, tables *t) {
    for (int k = 0; k < r->solids; k++) {
        const vs_flexible *f = &world->flexible[r->solid[k]];
        for (int i = 0; i < f->nodes; i++) {
            double *to = t->rest + 3 * (t->node_offset[k] + i);
            to[0] = f->rest[i].x, to[1] = f->rest[i].y, to[2] = f->rest[i].z;
        }
        (void)memcpy(t->element + t->element_offset[k], f->element,
                     sizeof(int) * (size_t)f->element_nodes * (size_t)f->elements);
        (void)memcpy(t->triangle + 3 * t->triangle_offset[k], f->face, sizeof(int) * 3 * (size_t)f->faces);
    }
}

vs_error vs_flexible_constants_write(const vs_h5_group *root, const vs_world *world, const vs_recorded *r,
                                     vs_arena *arena) {
    if (r->solids == 0)
        return VS_OK;
    tables t;
    vs_error error = measure(world, r, arena, &t);
    if (error)
        return error;
    fill(world, r, &t);
    const int64_t n = r->solids, ends = n + 1;
    error = vs_h5_group_make_timeless(root, "flexible");
    if (!error)
        error = vs_h5_write_names(root, "flexible/name", n, r->solid_room, r->solid_name);
    if (!error)
        error = vs_h5_write_table(root, "flexible/element_nodes", VS_NUMBER_INT, n, 1, t.element_nodes);
    if (!error)
        error = vs_h5_write_table(root, "flexible/node_offset", VS_NUMBER_INT64, ends, 1, t.node_offset);
    if (!error)
        error = vs_h5_write_table(root, "flexible/rest", VS_NUMBER_DOUBLE, t.node_offset[n], 3, t.rest);
    if (!error)
        error = vs_h5_write_table(root, "flexible/element_offset", VS_NUMBER_INT64, ends, 1, t.element_offset);
    if (!error)
        error = vs_h5_write_table(root, "flexible/element", VS_NUMBER_INT, t.element_offset[n], 1, t.element);
    if (!error)
        error = vs_h5_write_table(root, "flexible/triangle_offset", VS_NUMBER_INT64, ends, 1, t.triangle_offset);
    if (!error)
        error = vs_h5_write_table(root, "flexible/triangle", VS_NUMBER_INT, t.triangle_offset[n], 3, t.triangle);
    return error;
}
