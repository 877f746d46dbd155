// State while a gmsh file is read.
#ifndef VS_SHAPE_MSH_DATA_H
#define VS_SHAPE_MSH_DATA_H

#include "shape/build.h"
#include "shape/mesh_data.h"

// Elements of one dimension as stored in the file.
typedef struct vs_msh_cells {
    int64_t count;
    int width;       // nodes stored per element: 1, 3, 6 and, for tetrahedra, 4 or 10
    int *node;       // (width count) indices of nodes, in gmsh's order; -1: has fewer
    int64_t *number; // (count) in the file
    int *group;      // (count) 2.2: the physical tag; 4.1: the entity + 1; 0: in no group
} vs_msh_cells;

typedef struct vs_msh_entity {
    int dimension, tag;
    int first, count; // of physical
} vs_msh_entity;

typedef struct vs_msh_name {
    int dimension, tag;
    const char *text;
} vs_msh_name;

typedef struct vs_msh_number {
    int64_t number;
    int index;
} vs_msh_number;

typedef struct vs_msh {
    vs_arena *arena;
    const char *name;  // of the file
    const char *begin; // of its bytes
    vs_scan scan;
    int version;       // 2 or 4; 0: not known yet
    bool binary, swap; // swap: written with the other byte order
    bool filling;      // the file is read twice: to count, and to fill

    int64_t nodes;
    vs_vec3 *vertex;          // (nodes)
    vs_msh_number *by_number; // (nodes) ascending
    int64_t *number;          // (nodes)
    vs_msh_cells cell[4];     // by dimension
    int64_t tets[2];          // with 4 and with 10 nodes
    int64_t names;
    vs_msh_name *named; // (names) ascending once all are read
    int64_t entities, physicals;
    vs_msh_entity *entity; // (entities) ascending once all are read
    int *physical;         // (physicals)
} vs_msh;

// ---- reading numbers (msh_scan.c) ------------------------------------------------------------------

// VS_ERROR_DATA: "file.msh, line 12: expected …, found …"; in binary files the byte.
vs_error vs_msh_fail(const vs_msh *msh, const char *expected);
vs_error vs_msh_fail_at(const vs_msh *msh, vs_scan at, const char *expected);
// A number of the kinds of the format: int (4 bytes), size_t (8), double (8). In text, from the current line.
vs_error vs_msh_int(vs_msh *msh, const char *expected, int *x);
vs_error vs_msh_size(vs_msh *msh, const char *expected, int64_t *x); // >= 0
vs_error vs_msh_double(vs_msh *msh, const char *expected, double *x);
// Text: to the next line that is not empty; binary: nothing.
void vs_msh_begin_line(vs_msh *msh);
vs_error vs_msh_end_line(vs_msh *msh);
// Can the rest of the file hold `count` items of at least this many bytes each?
vs_error vs_msh_check_room(const vs_msh *msh, int64_t count, int text, int binary, const char *what);
// A number on a line of its own, which is text even in binary files.
vs_error vs_msh_count_line(vs_msh *msh, const char *what, int64_t *count);

// ---- sections (msh_elements.c) ---------------------------------------------------------------------

vs_error vs_msh_read_nodes(vs_msh *msh);
vs_error vs_msh_read_elements(vs_msh *msh);

// ---- groups (msh_groups.c) -------------------------------------------------------------------------

int vs_msh_compare_named(const void *a, const void *b);    // vs_msh_name, by dimension and tag
int vs_msh_compare_entities(const void *a, const void *b); // vs_msh_entity, by dimension and tag

// Makes the mesh.
vs_error vs_msh_build(vs_msh *msh, double scale, vs_mesh **mesh);

#endif
