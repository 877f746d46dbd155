// A model on its way from a file to a scene: the drawing as read, its solids, the blocks that they become.
#ifndef VS_CAD_CAD_DATA_H
#define VS_CAD_CAD_DATA_H

#include <jansson.h>

#include "base/array.h"
#include "shape/build.h"
#include "voussoir/cad.h"

enum { VS_CAD_NAME_MOST = 60 }; // bytes of a body's name without its number, and of a material's

// ---- names (names.c) -------------------------------------------------------------------------------

// Different names, numbered in the order in which they were added. Zero-initialized: none.
typedef struct vs_name_table {
    VS_ARRAY(const char *) name; // in an arena
    VS_ARRAY(int) slot;          // by their hash: number + 1, 0: empty
} vs_name_table;

// The number of a name; *added: it was not there before, and was copied.
vs_error vs_name_table_add(vs_arena *arena, vs_name_table *names, const char *name, int *number, bool *added);
int vs_name_table_find(const vs_name_table *names, const char *name); // -1: not there
void vs_name_table_release(vs_context *context, vs_name_table *names);
// A text of a file as a name: at most `most` bytes of valid UTF-8 without control characters, and a zero. No name is longer
// than its text.
void vs_name_clean(const char *text, size_t length, char *name, size_t most);

// ---- the drawing (drawing.c) -----------------------------------------------------------------------

// A named part of the file.
typedef struct vs_cad_object {
    const char *name;     // "": none; as long as in the file
    const char *material; // null: none
    bool fixed;           // marked as a support in the file
    double density;       // kg/m^3; 0: the file does not state it
} vs_cad_object;

// Triangles from `first` on, up to the next run, belong to an object.
typedef struct vs_cad_run {
    int first, object;
} vs_cad_run;

typedef struct vs_drawing {
    vs_arena *arena;
    const char *file;         // name in messages
    vs_soup soup;             // as a whole, by readers that know sizes; or
    VS_ARRAY(vs_vec3) vertex; // one by one, soup is then set at the end
    VS_ARRAY(int) index;      //
    double unit;              // m; 0: the file does not state it
    double mu;                // NaN: the file does not state it
    VS_ARRAY(vs_cad_object) object;
    VS_ARRAY(vs_cad_run) run;
    vs_name_table names;  // of the objects
    VS_ARRAY(char) text;  // scratch
    int current;          // object of the next triangles; -1: none yet
    const char *material; // of the next triangles
    int begin;            // first triangle that no run covers
} vs_drawing;

void vs_drawing_init(vs_drawing *d, vs_arena *arena, const char *file);
void vs_drawing_release(vs_drawing *d);
// The next triangles, from number `triangle` on, belong to the object of this name, or have this material.
vs_error vs_drawing_begin(vs_drawing *d, const char *name, size_t length, int triangle);
vs_error vs_drawing_set_material(vs_drawing *d, const char *name, size_t length, int triangle);
// Adds a vertex, or a face of 3 to VS_POLYGON_MOST corners that exist.
vs_error vs_drawing_add_vertex(vs_drawing *d, vs_vec3 vertex);
vs_error vs_drawing_add_face(vs_drawing *d, const int *corner, int count);
int vs_drawing_count(const vs_drawing *d); // triangles added so far
// After the last triangle; at least one run covers them.
vs_error vs_drawing_finish(vs_drawing *d);
// "FILE, line 7: expected WHAT, found …".
vs_error vs_drawing_expected(const vs_drawing *d, const vs_scan *scan, const char *what);

// ---- the formats -----------------------------------------------------------------------------------

// All: bytes[length] is 0. Vertices and triangles in the units of the file.
vs_error vs_cad_read_obj(vs_drawing *d, const char *bytes, size_t length);
vs_error vs_cad_read_stl(vs_drawing *d, const char *bytes, size_t length);
vs_error vs_cad_read_ply(vs_drawing *d, const char *bytes, size_t length);
vs_error vs_cad_read_msh(vs_drawing *d, const char *bytes, size_t length);
vs_error vs_cad_read_dxf(vs_drawing *d, const char *bytes, size_t length);
vs_error vs_cad_read_off(vs_drawing *d, const char *bytes, size_t length);
vs_error vs_cad_read_compas(vs_drawing *d, const json_t *root);

// ---- solids (solids.c, pairing.c) ----------------------------------------------------------------

// One side of a triangle: number 3 triangle + side, from corner `side` to the next one.
typedef struct vs_half_edge {
    int object;
    int low, high; // vertices
    int number;    //
    bool back;     // runs from high to low
} vs_half_edge;

// partner[number]: the side of the other triangle at the same edge of the same solid, or -1. No triangle has a corner twice.
// owner (triangles): objects.
vs_error vs_edges_pair(vs_arena *arena, const vs_soup *soup, const int *owner, int **partner);
// The other direction: corners 1 and 2 are exchanged, and sides 0 and 2 with them.
void vs_triangle_turn_over(vs_soup *soup, int *partner, int triangle);

// Triangles that hang together by their edges, with normals outward.
typedef struct vs_solids {
    int solids;
    int *start;    // (solids + 1) into triangle
    int *triangle; // triangles of each solid, ascending
    int *object;   // (solids)
    int *partner;  // (3 triangles)
    int *cavities; // (solids) closed surfaces inside each, with normals into them
} vs_solids;

// Merges equal vertices of the drawing, drops triangles that have one twice, finds the solids in the order of their first
// triangles, and turns triangles that are inside out.
vs_error vs_solids_find(vs_drawing *d, vs_solids *solids);
// Gives triangles of solids within another one of their object to that one (cavities.c).
vs_error vs_cavities_find(vs_drawing *d, vs_solids *solids);

// ---- blocks (block.c) ---------------------------------------------------------------------------------

typedef struct vs_cad_block {
    int object;
    const char *name; // unique
    bool fixed;
    bool convex, open;       // open: the surface was not closed
    int cavities;            // closed surfaces inside
    bool warped;             // convex but for the way in which faces are divided
    bool notched;            // not convex, and a few flat cuts give its convex parts exactly
    int vertices, triangles; // triangles: 0 if it is convex
    vs_vec3 *vertex;         // m; convex: the corners
    int *index;              // (3 triangles)
    double volume;           // m^3
    double density;          // kg/m^3
} vs_cad_block;

// Turns a solid into a block; vertices 0: it has no volume.
double vs_hull_volume(const vs_polytope *p); // m^3
vs_error vs_cad_block_make(const vs_drawing *d, const vs_solids *solids, int solid, vs_arena *arena,
                           vs_cad_block *block);

// ---- static bodies (supports.c) ------------------------------------------------------------------------

typedef struct vs_cad_supports {
    vs_context *context;
    vs_arena *arena;
    const vs_drawing *drawing;
    const vs_cad_options *options;
    vs_cad_block *block; // (blocks), at least one
    int64_t blocks;
} vs_cad_supports;

// The lowest and the highest coordinates of the report.
void vs_cad_find_extents(const vs_cad_block *block, int64_t blocks, vs_cad_report *report);
// Those that the file marks, those that the options name, and those that reach down to the lowest point, if asked for.
vs_error vs_cad_fix_blocks(const vs_cad_supports *s, vs_cad_report *report);

// ---- the rest ------------------------------------------------------------------------------------------

// Corners of convex blocks that are at most `distance` from a face of an earlier (or fixed) block, onto it (snap.c).
vs_error vs_blocks_snap(const vs_drawing *d, vs_cad_block *block, int blocks, double distance, int *moved,
                        double *most);

typedef struct vs_scene_text {
    const char *name; // of the scene
    const vs_cad_block *block;
    int blocks;
    const vs_cad_object *object;
    double mu;
    bool ground;
    double ground_z; // m
} vs_scene_text;

typedef VS_ARRAY(char) vs_text;
// JSON, one line per point (scene_text.c).
vs_error vs_scene_text_write(vs_context *context, const vs_scene_text *scene, vs_text *text);

#endif
