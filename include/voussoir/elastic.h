// Materials of flexible bodies and their constitutive laws.
#ifndef VOUSSOIR_ELASTIC_H
#define VOUSSOIR_ELASTIC_H

#include "voussoir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// Isotropic, linear at small strains, Rayleigh damping R = alpha M + beta K. SI units.
typedef struct vs_elastic_material {
    const char *name; // null: none
    double density;   // kg/m^3, > 0
    double young;     // Young's modulus, Pa, > 0
    double poisson;   // Poisson's ratio, in (-1, 0.5)
    double alpha;     // damping: 1/s, >= 0
    double beta;      // s, >= 0
} vs_elastic_material;

// Material of this name ("steel", "rubber", …), or null; static storage. Nominal values of a class of materials at room
// temperature, not of a specimen, without damping.
VS_API const vs_elastic_material *vs_elastic_material_find(const char *name);
// All named materials: index 0 to count - 1. An index out of range gives a material of zeros.
VS_API int vs_elastic_material_count(void);
VS_API vs_elastic_material vs_elastic_material_at(int index);

// Corotational: linear in the strains, arbitrary rotations. St. Venant-Kirchhoff: large tension and bending, too soft
// in strong compression. Neo-Hookean: rubber; an inverted element is pushed back.
typedef enum vs_elastic_law { VS_ELASTIC_COROTATIONAL, VS_ELASTIC_ST_VENANT, VS_ELASTIC_NEO_HOOKEAN } vs_elastic_law;

#ifdef __cplusplus
}
#endif

#endif
