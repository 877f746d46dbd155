// Models drawn by other programs as scenes of blocks: one body per object or connected solid of an OBJ, STL, PLY, DXF, MSH, OFF
// or COMPAS file, where it was drawn.
//
//     model file -> objects -> solids -> hulls or meshes -> text of a scene (JSON), for vs_scene_parse() or to be edited
//
// Scenes of Rigid IPC (JSON) name the meshes of their bodies, and have motion, loads and fixed degrees of freedom.
#ifndef VOUSSOIR_CAD_H
#define VOUSSOIR_CAD_H

#include <stdbool.h>

#include "voussoir/context.h"
#include "voussoir/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_cad vs_cad;

// How a file becomes a scene; start from vs_cad_options_default().
typedef struct vs_cad_options {
    double unit;              // m, of one unit of the file; default 0: as the file states, else 1
    bool y_up;                // y points up in the file, not z; default false
    double density;           // kg/m^3; default 0: as the file states, else 2200
    double mu;                // friction coefficient of all materials, >= 0; default NaN: as the file states, else 0.6
    bool ground;              // adds a static plane at the lowest point; default false
    const char *const *fixed; // (fixed_count) names of objects that become static bodies
    int fixed_count;          //
    bool fix_lowest;          // bodies that reach down to the lowest point become static; default false
    double snap;              // m, >= 0: corners so near to a face of a neighbour are moved onto it; default 0: none
    const char *meshes; // folder of the meshes that a scene of Rigid IPC names; default null: beside it, or in a folder
                        // `meshes` there or around it
    double thickness;   // m, > 0, of its bodies that are flat; default 0.01
} vs_cad_options;
VS_API vs_cad_options vs_cad_options_default(void);

typedef struct vs_cad_report {
    int bodies;        // without the ground
    int fixed;         // of them are static
    int hulls, meshes; // convex bodies; others, which are cut into hulls when the scene is read
    int objects,
        split;        // objects of the file with a name; of them have several solids, which became bodies of their own
    int open;         // bodies whose surface is not closed and whose hull is used
    int omitted;      // solids without volume
    double unit;      // m, that was used
    bool unit_stated; // by the file or by the options
    double volume;    // m^3, of all bodies
    double mass;      // kg, of those that are not static
    double density_least, density_most; // kg/m^3
    double mu;                          // of all materials
    bool density_stated, mu_stated;     // by the file, and not replaced by options
    int lowest;                         // bodies that reach down to the lowest point
    vs_vec3 low, high;                  // m, extents
    int snapped;                        // corners that were moved
    double snap_most;                   // m, largest move
    bool simulation;  // a scene of Rigid IPC, with motion, loads and joints; the rest is 0 for drawings
    int flat;         // bodies without volume, which became as thick as the options say
    double thickness; // m, of them; 0: there are none
    int joints;       // for fixed degrees of freedom
    int auxiliary;    // bodies of a millionth of the mass between them, which `bodies` does not count
} vs_cad_report;

// Reads a model by the extension of its name: obj, stl, ply, dxf, msh (MSH 2.2, one object per physical surface), off, json
// (COMPAS, Rigid IPC). Null options: the defaults. Objects that need attention are warnings in the context's log. VS_ERROR_IO,
// VS_ERROR_DATA with file and line, VS_ERROR_UNSUPPORTED for another extension, VS_ERROR_ARGUMENT for a fixed name that does
// not occur.
VS_API vs_error vs_cad_read(vs_context *context, const char *path, const vs_cad_options *options, vs_cad **cad);
// The same from memory; extension: "obj", …; name: of the file, in messages and as name of the scene.
VS_API vs_error vs_cad_parse(vs_context *context, const char *bytes, size_t length, const char *name,
                             const char *extension, const vs_cad_options *options, vs_cad **cad);
VS_API void vs_cad_destroy(vs_cad *cad); // null is allowed

// The scene, ends with a zero byte; valid until the model is destroyed.
VS_API const char *vs_cad_get_scene(const vs_cad *cad, size_t *length);
VS_API vs_cad_report vs_cad_get_report(const vs_cad *cad);
// Whether a file of this name is read by vs_cad_read(). Files that end with .json are not: most of them are scenes.
VS_API bool vs_cad_is_readable(const char *path);

#ifdef __cplusplus
}
#endif

#endif
