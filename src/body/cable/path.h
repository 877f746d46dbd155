// The path of a cable: its straight parts, the angles between them, and rows of their lengths.
#ifndef VS_BODY_CABLE_PATH_H
#define VS_BODY_CABLE_PATH_H

#include "body/joint_row.h"

enum { VS_CABLE_POINTS_MOST = 64 };

// A straight part, from one body to another.
typedef struct vs_cable_leg {
    int body[2];
    vs_vec3 end[2]; // m, in the world
    vs_vec3 along;  // unit, from the first end to the second; 0 for a part without length
} vs_cable_leg;

typedef struct vs_cable_path {
    double length; // m
    int legs;
    vs_cable_leg leg[VS_CABLE_POINTS_MOST];
    int station[VS_CABLE_POINTS_MOST];  // (legs - 1) point of the definition between a leg and the next
    double angle[VS_CABLE_POINTS_MOST]; // (legs - 1) rad, by which the cable turns there
} vs_cable_path;

// The path of a cable with at least two points, at present.
void vs_cable_trace(const vs_world *world, const vs_joint_def *def, vs_cable_path *path);
// Adds the derivative of the length of legs first … last - 1 to a row.
void vs_cable_add_legs(const vs_world *world, const vs_cable_path *path, int first, int last, vs_joint_row *row);
// 2 tanh(mu angle/2) of the station behind leg k: the friction is at most so much times the mean of both tensions.
double vs_cable_coefficient(const vs_joint_def *def, const vs_cable_path *path, int k);
// Adds factor J to the part of a body in a row. Nothing of the world, which does not move.
void vs_cable_add_part(int body, double factor, const double J[6], vs_joint_row *row);

#endif
