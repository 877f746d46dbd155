// Materials of flexible bodies: checks and moduli. The library of materials is public (elastic.h).
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

#endif
