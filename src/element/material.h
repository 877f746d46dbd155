// Materials of flexible bodies: checks, moduli, damping. The library of materials is public (elastic.h).
#ifndef VS_ELEMENT_MATERIAL_H
#define VS_ELEMENT_MATERIAL_H

#include "base/context.h"
#include "voussoir/elastic.h"

// VS_ERROR_DATA with the name of the field that is out of range.
vs_error vs_elastic_material_validate(vs_context *context, const vs_elastic_material *m);

static inline double vs_shear_modulus(const vs_elastic_material *m) { // mu, Pa
    return m->young / (2 * (1 + m->poisson));
}
static inline double vs_lame_lambda(const vs_elastic_material *m) { // Pa
    return m->young * m->poisson / ((1 + m->poisson) * (1 - 2 * m->poisson));
}

// alpha and beta that damp two angular frequencies (rad/s, different) by these ratios of critical damping:
//     ratio = (alpha/w + beta w)/2
// Either may be negative if the ratios differ much; validate.
static inline void vs_rayleigh_damping(const double frequency[2], const double ratio[2], vs_elastic_material *m) {
    double a = frequency[0], b = frequency[1];
    m->beta = 2 * (ratio[1] * b - ratio[0] * a) / (b * b - a * a);
    m->alpha = 2 * ratio[0] * a - m->beta * a * a;
}

#endif
