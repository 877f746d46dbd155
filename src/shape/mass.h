// Mass properties of parts that kinds of shapes compose theirs of; density in kg/m^3.
#ifndef VS_SHAPE_MASS_H
#define VS_SHAPE_MASS_H

#include "shape/shape_data.h"

vs_mass_properties vs_mass_of_cylinder(double radius, double half_length, double density); // about z
vs_mass_properties vs_mass_of_box(vs_vec3 h, double density);                              // half edges
vs_mass_properties vs_mass_of_ellipsoid(vs_vec3 a, double density);                        // half axes

// A solid as the sum of signed tetrahedra from an apex to the triangles of its surface.
typedef struct vs_moments {
    vs_vec3 tip;
    double volume; // 6 V
    vs_vec3 first; // 24 V x_c, relative to the apex
    double C[6];   // 120 C: xx, yy, zz, xy, xz, yz
} vs_moments;

vs_moments vs_moments_about(const vs_box3 *box); // the apex is its middle
void vs_moments_add(vs_moments *m, vs_vec3 a, vs_vec3 b, vs_vec3 c);
vs_mass_properties vs_mass_of_moments(const vs_moments *m, double density);

#endif
