// A structure while it is drawn: in a frame of its own, about 1 m large, with weights of about 1 kg, until it is placed in
// its assembly with a scale, a pose and a unit of mass.
#ifndef FORGE_DRAFT_H
#define FORGE_DRAFT_H

#include "../random.h"
#include "assembly.h"

typedef struct draft {
    assembly *assembly;
    stream *random;
    int first, material; // of its solids
    bool alone;          // nothing stands beside it
    double scale, mass;  // m, kg
    double position[3];  // m
    double rotation[4];  // of its frame
    forge_truth truth;   // of this structure
    double factor;       // largest factor of the live load; NaN: not known
    double factor_guard; // by how much it may be off
} draft;

// Solids with their centre in a point of the frame.
solid *add_box(draft *d, const double at[3], const double half[3], double mass);
solid *add_cylinder(draft *d, const double at[3], double radius, double half_length, double mass);
solid *add_sphere(draft *d, const double at[3], double radius, double mass);
// A prism along y: its cross-section has 3 or 4 corners {x, z}, counter-clockwise in axes x and z.
solid *add_prism(draft *d, const double section[][2], int corners, double half_depth, double mass);
// A pyramid whose tip is a point; it grows downwards.
solid *add_tip(draft *d, const double at[3], double width, double height);
solid *fix(solid *s);
void set_rotation(double rotation[4], const double axis[3], double angle);
// a after b
void multiply_rotations(const double a[4], const double b[4], double product[4]);
// A vector of the world in the axes of the frame.
void turn_back(const double rotation[4], const double v[3], long double result[3]);

// Length in the frame that cannot be decided: rounding in the world may change it, or it is less than 1e-10 of the largest
// block, as the library states residuals up to 1e-11 of the loads.
double find_guard(const draft *d);
// Stands if the margin (m of the frame, or relative) is positive, falls if it is negative; unknown near zero.
void settle(draft *d, long double margin, double guard);
// Moves the structure to its place.
void place(draft *d);

// Masses of blocks: mostly alike, sometimes 12 decades apart.
double draw_mass(stream *random);
// A small number, often the smallest, 1e-9.
double draw_small(stream *random);

#endif
