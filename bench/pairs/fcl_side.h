// fcl, which is C++, for pairs.c.
#ifndef PAIRS_FCL_SIDE_H
#define PAIRS_FCL_SIDE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fcl_kind { FCL_SPHERE, FCL_BOX, FCL_CAPSULE, FCL_CYLINDER, FCL_ELLIPSOID, FCL_TRIANGLES } fcl_kind;

typedef struct fcl_body {
    fcl_kind kind;
    double size[3];       // m: radius; half sides or semi axes; radius and half length
    double place[3];      // m
    double rotation[4];   // w, x, y, z
    const double *vertex; // (3 vertices)
    const int *triangle;  // (3 triangles)
    int vertices, triangles;
} fcl_body;

typedef struct fcl_answer {
    bool touch;
    double distance; // m, of those that do not touch
} fcl_answer;

fcl_answer fcl_ask(const fcl_body *a, const fcl_body *b);

#ifdef __cplusplus
}
#endif

#endif
