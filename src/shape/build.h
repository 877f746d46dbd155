// Functions that the files of this folder share while a shape is made.
#ifndef VS_SHAPE_BUILD_H
#define VS_SHAPE_BUILD_H

#include "shape/shape_data.h"

// ---- shapes (shape.c) ------------------------------------------------------------------------------

// Checks for null pointers; *shape becomes null, so that a failure leaves nothing to release.
vs_error vs_shape_check_call(vs_context *context, vs_shape **shape);
vs_error vs_shape_check_size(vs_context *context, const char *name, double size);
vs_error vs_shape_check_sizes(vs_context *context, const char *const name[3], vs_vec3 size);
// Null, and the text of the error set, if there is no memory.
vs_shape *vs_shape_begin(vs_context *context, vs_shape_kind kind);
// Returns the shape, or destroys it after an error.
vs_error vs_shape_finish(vs_error error, vs_shape *made, vs_shape **shape);
// The same for solids about the segment of the axis z from -half_length to half_length: checks and begins.
vs_error vs_shape_begin_axial(vs_context *context, vs_shape_kind kind, double radius, double half_length,
                              vs_shape **shape);
void vs_shape_end_axial(vs_shape *shape, double size, double end); // radius of the bounding sphere; extent along z
// Centre of the bounding sphere: CAD programs export parts in the coordinates of the building, and tolerances must not
// grow with these.
vs_vec3 vs_bounds_centre(const vs_box3 *b);
// By the reach along the three world axes, of kinds that are symmetric about their origin.
vs_box3 vs_bounds_symmetric(const vs_shape *shape, vs_pose pose);
// A box, turned: of triangles exact without rotation, the usual case for ground.
vs_box3 vs_bounds_box(vs_box3 local, vs_pose pose);
// Unit vector of any finite direction, however long or short; z for zero.
vs_vec3 vs_direction(vs_vec3 d);

// ---- surfaces (shape_surface.c) --------------------------------------------------------------------

// One point of a profile that is turned about z; z ascending.
typedef struct vs_profile {
    double radius, z;        // m
    double normal, normal_z; // outwards, unit
} vs_profile;
// The surface of revolution of a profile, by rings of vertices with normals; joined[k]: k with k + 1.
void vs_surface_turn(const vs_profile *profile, int count, const bool *joined, vs_shape_surface *surface);
void vs_surface_ball(vs_vec3 half, vs_shape_surface *surface); // an ellipsoid
void vs_surface_polytope(const vs_shape *shape, vs_shape_surface *surface);
void vs_surface_triangles(const vs_shape *shape, vs_shape_surface *surface);

// ---- convex polytopes ------------------------------------------------------------------------------

// Faces as loops of vertices, before edges are known.
typedef struct vs_loops {
    int faces;
    int *start;  // (faces + 1)
    int *vertex; // counter-clockwise seen from outside
} vs_loops;

vs_error vs_polytope_box(vs_context *context, vs_vec3 half, vs_polytope *polytope);
// VS_ERROR_DATA: the points are not finite, or lie in one plane. VS_ERROR_NUMERICAL: qhull failed.
vs_error vs_polytope_hull(vs_context *context, const vs_vec3 *point, int count, vs_polytope *polytope);
void vs_polytope_release(vs_context *context, vs_polytope *polytope); // zero-filled is legal
// Its surface: a face with k vertices is a fan of k - 2 triangles. index (3 times their number, which is returned): vertices,
// counter-clockwise seen from outside; null: only the number.
int vs_polytope_triangles(const vs_polytope *polytope, int *index);

// The faces of the hull of points within [-1, 1]^3 (3 count), by qhull; facets that lie in one plane to within
// `tolerance` are one. Loops are in scratch memory. VS_ERROR_NUMERICAL: qhull failed.
vs_error vs_hull_faces(vs_arena *scratch, double *coordinates, int count, double tolerance, vs_loops *loops);

// ---- triangles -------------------------------------------------------------------------------------

// The result of a decomposition, with a bound of its work as a multiple of the normal one (decompose.c).
typedef struct vs_decomposed {
    int parts;
    double error; // of the volume
} vs_decomposed;
vs_error vs_decompose(const vs_shape *mesh, const vs_decompose_options *options, double work, vs_shape **part,
                      vs_decomposed *result);

enum { VS_TRIANGLES_MOST = 1 << 28 }; // indices of corners and of tree nodes fit an int

// Copies, validates (VS_ERROR_DATA) and builds the tree.
vs_error vs_triangles_mesh(vs_arena *arena, const vs_vec3 *vertex, int vertices, const int *triangle, int triangles,
                           vs_triangles *out);
vs_error vs_triangles_height_field(vs_arena *arena, int nx, int ny, double dx, double dy, const double *height,
                                   vs_triangles *out);
vs_box3 vs_triangles_bounds(const vs_triangles *triangles);
double vs_triangles_size(const vs_triangles *triangles, vs_vec3 from); // m; of the farthest corner from there
// Is the normal of the triangle defined? Not if its corners are on one line to rounding.
bool vs_triangle_has_area(vs_vec3 a, vs_vec3 b, vs_vec3 c);

// first[k]: the lowest vertex with the same coordinates as k.
vs_error vs_vertices_match(vs_context *context, const vs_vec3 *vertex, int vertices, int *first);
// Finds edges, neighbours and normals, and whether the triangles bound a solid (surface.c).
vs_error vs_surface_connect(vs_arena *arena, vs_triangles *triangles);
// Of closed surfaces, after that and the tree (exposure.c).
vs_error vs_exposures_find(vs_arena *arena, vs_triangles *t);

// ---- files -----------------------------------------------------------------------------------------

// Vertices and triangles as stored in a file.
typedef struct vs_soup {
    int vertices, triangles;
    vs_vec3 *vertex;
    int *index; // (3 triangles)
} vs_soup;

// Text that is read from the beginning; it ends with a zero byte.
typedef struct vs_scan {
    const char *at;
    const char *end; // where the zero byte is
    int64_t line;    // of `at`, from 1
} vs_scan;

void vs_scan_blanks(vs_scan *scan, bool lines);         // skips blanks, with `lines` also ends of lines
void vs_scan_line(vs_scan *scan);                       // skips to the end of the line
size_t vs_scan_word(const vs_scan *scan);               // length of the word here; 0 at the end
bool vs_scan_is(const vs_scan *scan, const char *word); // is it the word here, ignoring case?
bool vs_scan_number(vs_scan *scan, double *number);     // reads a number, inf or nan
// VS_ERROR_DATA: "name, line 12: expected …, found '…'".
vs_error vs_scan_fail(vs_context *context, const char *name, const vs_scan *scan, const char *expected);

// Names inside a file: take() is called before the first triangle to which the name applies, `triangle` of them were read.
typedef enum vs_mark { VS_MARK_OBJECT, VS_MARK_GROUP, VS_MARK_MATERIAL } vs_mark;
typedef struct vs_marks {
    vs_error (*take)(void *user, vs_mark mark, const char *text, size_t length, int triangle);
    void *user;
} vs_marks;
// Reports the rest of the line after the word here, without blanks around it.
vs_error vs_marks_report(const vs_marks *marks, vs_mark mark, const vs_scan *scan, int triangle);

enum { VS_POLYGON_MOST = 512 }; // corners of a face
// Divides a face with 3 to VS_POLYGON_MOST corners into count - 2 triangles; index (3 (count - 2)).
void vs_polygon_cut(const vs_vec3 *vertex, const int *corner, int count, int *index);

// bytes[length] must be 0. VS_ERROR_DATA with line or byte offset; `name` is the file's name in messages. Null marks: names
// are skipped.
vs_error vs_stl_read(vs_arena *arena, const char *name, const char *bytes, size_t length, const vs_marks *marks,
                     vs_soup *soup);
vs_error vs_obj_read(vs_arena *arena, const char *name, const char *bytes, size_t length, const vs_marks *marks,
                     vs_soup *soup);
// The file's contents as a shape: scaled, equal vertices of STL merged, triangles without area omitted.
typedef enum vs_mesh_format { VS_MESH_STL, VS_MESH_OBJ } vs_mesh_format;
vs_error vs_shape_from_bytes(vs_context *context, const char *name, vs_mesh_format format, const char *bytes,
                             size_t length, double scale, bool hull, vs_shape **shape);

#endif
