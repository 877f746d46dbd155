// Shapes: geometry without a pose. Constant once created; any number of bodies may share one (reference counted).
#ifndef VOUSSOIR_SHAPE_H
#define VOUSSOIR_SHAPE_H

#include <stdbool.h>

#include "voussoir/context.h"
#include "voussoir/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_shape vs_shape;

typedef enum vs_shape_kind {
    VS_SHAPE_SPHERE,
    VS_SHAPE_BOX,
    VS_SHAPE_CAPSULE,     // axis z
    VS_SHAPE_CYLINDER,    // axis z
    VS_SHAPE_ELLIPSOID,   //
    VS_SHAPE_HULL,        // convex
    VS_SHAPE_PLANE,       // the half space z <= 0; not on dynamic bodies
    VS_SHAPE_MESH,        // triangles, counter-clockwise seen from outside
    VS_SHAPE_HEIGHT_FIELD // z over a grid of x, y; not on dynamic bodies
} vs_shape_kind;          // files hold these numbers: new kinds follow at the end
enum { VS_SHAPE_KINDS = VS_SHAPE_HEIGHT_FIELD + 1 };

// Creating shapes: release each with vs_shape_release(). All sizes in m, positive and finite. VS_ERROR_ARGUMENT for
// null arguments and invalid sizes, named in the error text.
VS_API vs_error vs_shape_sphere(vs_context *context, double radius, vs_shape **shape);
VS_API vs_error vs_shape_box(vs_context *context, vs_vec3 half, vs_shape **shape); // half edge lengths
VS_API vs_error vs_shape_capsule(vs_context *context, double radius, double half_length,
                                 vs_shape **shape); // half length of the axis
VS_API vs_error vs_shape_cylinder(vs_context *context, double radius, double half_length, vs_shape **shape);
VS_API vs_error vs_shape_ellipsoid(vs_context *context, vs_vec3 semi_axes, vs_shape **shape);
VS_API vs_error vs_shape_plane(vs_context *context, vs_shape **shape);
// Convex hull of the points (count >= 4, not coplanar); interior points are dropped.
VS_API vs_error vs_shape_hull(vs_context *context, const vs_vec3 *point, int count, vs_shape **shape);
// Triangle mesh; triangle (3 triangles): indices of vertices, counter-clockwise seen from outside. A closed mesh is a
// solid. An open one is a shell: with two sides for other meshes, with its front only for all other shapes.
VS_API vs_error vs_shape_mesh(vs_context *context, const vs_vec3 *vertex, int vertices, const int *triangle,
                              int triangles, vs_shape **shape);
// Height field; height (nx ny): z at (x, y) = (i dx, j dy), entry j nx + i; nx, ny >= 2.
VS_API vs_error vs_shape_height_field(vs_context *context, int nx, int ny, double dx, double dy, const double *height,
                                      vs_shape **shape);
// Convex hull or triangle mesh of an STL (text or binary) or OBJ file, by its extension, scaled by `scale`.
// VS_ERROR_IO, or VS_ERROR_DATA with file and line.
VS_API vs_error vs_shape_from_file(vs_context *context, const char *path, double scale, bool hull, vs_shape **shape);

typedef struct vs_decompose_options {
    double error; // volume of the hulls beyond that of the mesh, relative to it, >= 0; default 0.01
    int parts;    // most hulls, 1 to 4096; default 32
} vs_decompose_options;

VS_API vs_decompose_options vs_decompose_options_default(void);
// Convex hulls without common volume that cover a closed mesh, as few as the cuts allow: until the error or the number of
// parts is reached, or a bound of work, with a warning in the log. part (options->parts): *parts of them, release each.
// error (may be null): the one reached. Null options: the defaults. Add the hulls as colliders of one body with the mass of the mesh; faces between them have no
// contacts. VS_ERROR_UNSUPPORTED for an open mesh, VS_ERROR_DATA for one inside out.
VS_API vs_error vs_shape_decompose(const vs_shape *mesh, const vs_decompose_options *options, vs_shape **part,
                                   int *parts, double *error);

VS_API void vs_shape_retain(vs_shape *shape);
VS_API void vs_shape_release(vs_shape *shape); // the last release destroys it; null is allowed

VS_API vs_shape_kind vs_shape_get_kind(const vs_shape *shape);

// Triangles of a surface. Counts are results; arrays are the caller's, and null ones are not filled.
typedef struct vs_shape_surface {
    int vertices, triangles;
    bool smooth;     // round: vertices have normals; else triangles are flat
    vs_vec3 *vertex; // (vertices) m, in the shape's axes
    vs_vec3 *normal; // (vertices) unit, outward; of smooth surfaces only
    int *triangle;   // (3 triangles) vertices, counter-clockwise seen from outside
} vs_shape_surface;

// The surface of a shape, for drawing: its own triangles, or some dozens to a turn about the axis of a round one. Planes
// have none. Called twice: with null arrays for the counts, then with arrays of these sizes.
VS_API vs_error vs_shape_get_surface(const vs_shape *shape, vs_shape_surface *surface);

typedef struct vs_mass_properties {
    double mass;     // kg
    vs_vec3 centre;  // m, in the shape's axes
    vs_mat3 inertia; // kg m^2, about the centre, in the shape's axes; symmetric
} vs_mass_properties;

// Mass properties of a homogeneous shape; density > 0, kg/m^3. VS_ERROR_UNSUPPORTED for planes, open meshes and height
// fields.
VS_API vs_error vs_shape_get_mass(const vs_shape *shape, double density, vs_mass_properties *mass);
// Mass properties of two rigidly connected bodies: `b` has the pose `pose` in the axes of `a`.
VS_API vs_mass_properties vs_mass_properties_add(const vs_mass_properties *a, const vs_mass_properties *b,
                                                 vs_pose pose);

#ifdef __cplusplus
}
#endif

#endif
