// An assembly of solids as plain data: drawn by family.h, handed to the library as the text of a scene, evaluated by
// geometry.h and proof.h. The doubles here are the assembly; nothing is known better.
#ifndef FORGE_ASSEMBLY_H
#define FORGE_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_SOLIDS = 48, MOST_CORNERS = 8, MOST_FACES = 6, MOST_SIDES = 4, MOST_MATERIALS = 4 };

typedef enum solid_kind { SOLID_BOX, SOLID_HULL, SOLID_CYLINDER, SOLID_SPHERE, SOLID_PLANE } solid_kind;

typedef struct solid {
    solid_kind kind;
    bool fixed;
    double half[3]; // m: box; cylinder: radius, -, half length; sphere: radius; plane: of the part that is evaluated
    // Of a hull: corners in its frame, faces counter-clockwise seen from outside
    int corners, faces;
    double corner[MOST_CORNERS][3];
    int sides[MOST_FACES], face[MOST_FACES][MOST_SIDES];
    double position[3], rotation[4];
    double mass; // kg
    int material;
    double force[3];    // N, at the centre of mass
    bool ramped;        // the force grows from zero within a second
    double belt[3];     // m/s, velocity of the surface
    double velocity[3]; // m/s; not zero: a kinematic body
} solid;

// What is known without any solver.
typedef enum forge_truth {
    TRUTH_UNKNOWN, // proofs are checked
    TRUTH_STANDS,
    TRUTH_FALLS,
    TRUTH_MOVES, // it does not stay as it is: "stands" would be wrong
    TRUTH_NONE   // solids penetrate each other: no verdict is right
} forge_truth;

typedef struct assembly {
    const char *family;
    int solids, materials;
    solid solid[MOST_SOLIDS];
    double mu[MOST_MATERIALS];
    double gravity; // m/s^2, along -z
    forge_truth truth;
    bool limited;        // its limit load is asked for: the weights along `direction`
    double direction[3]; // unit
    double factor;       // the largest one; NaN: not known
    double factor_guard; // by how much it may be off
} assembly;

// As a scene in JSON; false if the text is too long.
bool write_scene(const assembly *a, char *text, size_t size);

#endif
