// Readers of COMPAS files: what they share.
#ifndef VS_CAD_COMPAS_DATA_H
#define VS_CAD_COMPAS_DATA_H

#include "cad/cad_data.h"

typedef struct vs_compas {
    vs_drawing *drawing;
    vs_context *context;
    json_t *number;  // of the vertices of a block, by their keys
    json_t *support; // keys of blocks that a problem holds; null: there is none
} vs_compas;

// Coordinates of an element in those above it: x -> M x + t, rows [M t].
typedef struct vs_compas_frame {
    double row[3][4];
} vs_compas_frame;

typedef struct vs_compas_block {
    const char *key;              // of its node: the name becomes block-KEY
    const json_t *mesh;           // unwrapped
    const vs_compas_frame *frame; // null: none
    bool support;
    const char *material; // name; null: none
    double density;       // kg/m^3; 0: not stated
} vs_compas_block;

// Members of an object, sorted by their keys as numbers, then as texts: files list nodes in any order.
typedef struct vs_compas_entry {
    const char *key;
    const json_t *value;
} vs_compas_entry;
vs_error vs_compas_sort(vs_compas *r, const json_t *object, vs_compas_entry **list, size_t *count);

// Through {"dtype": …, "data": …}.
const json_t *vs_compas_unwrap(const json_t *value);
// "dtype" or, in older files, "datatype"; "" without one.
const char *vs_compas_type(const json_t *value);
bool vs_compas_is_true(const json_t *object, const char *key);
bool vs_compas_is_mesh(const json_t *value); // unwrapped
vs_error vs_compas_add_block(vs_compas *r, const vs_compas_block *block);

// {"elements": …, "tree": …, "graph": …, "materials": …} and {"model": …, "boundary_conditions": …} (compas_model.c).
vs_error vs_compas_read_model(vs_compas *r, const json_t *data);
vs_error vs_compas_read_problem(vs_compas *r, const json_t *problem);

#endif
