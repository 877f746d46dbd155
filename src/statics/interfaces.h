// Finder of the interfaces between the blocks of a world: faces that meet face to face, and single points elsewhere.
#ifndef VS_STATICS_INTERFACES_H
#define VS_STATICS_INTERFACES_H

#include "base/array.h"
#include "body/world_data.h"
#include "voussoir/statics.h"

typedef struct vs_interfaces {
    VS_ARRAY(vs_interface) list;
    VS_ARRAY(vs_vec3) point; // the contacts of all interfaces, one after the other
    vs_interface_report report;
    bool beyond_coulomb; // a material of an interface has adhesion, rolling or spinning friction, or a grain
    int mesh;            // a body with a mesh or height field, whose interfaces are not found; -1: none
    bool round;          // a face of an interface is round
    int belt;            // a body with a moving surface that touches; -1: none
    int deep[2];         // the bodies that overlap most beyond the distance of the options; -1: none do
    double depth;        // m, by which
    double allowed;      // m, of this pair
} vs_interfaces;

// How round faces become polygons: inside of them, so that an equilibrium of the polygons is one of the faces; or around them,
// so that a mechanism of the polygons is one of the faces.
typedef enum vs_outline { VS_OUTLINE_INSIDE, VS_OUTLINE_AROUND } vs_outline;
// toward: a direction in which polygons touch the circle; that of loads makes their bounds tight
typedef struct vs_round_faces {
    vs_outline outline;
    vs_vec3 toward;
} vs_round_faces;

// Null `round`: polygons inside of round faces.
vs_error vs_interfaces_find(const vs_world *world, const vs_interface_options *options, const vs_round_faces *round,
                            vs_interfaces *found);
void vs_interfaces_release(vs_context *context, vs_interfaces *interfaces);

#endif
