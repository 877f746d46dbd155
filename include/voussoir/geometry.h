// Vectors, rotations and poses, as plain values. SI units, radians, z up.
#ifndef VOUSSOIR_GEOMETRY_H
#define VOUSSOIR_GEOMETRY_H

typedef struct vs_vec3 {
    double x, y, z;
} vs_vec3;

typedef struct vs_quat {
    double w, x, y, z;
} vs_quat; // Hamilton, body to world; unit length

typedef struct vs_mat3 {
    double a[9];
} vs_mat3; // row-major

// Position and orientation: x_world = position + rotation * x_local.
typedef struct vs_pose {
    vs_vec3 position; // m
    vs_quat rotation;
} vs_pose;

#endif
