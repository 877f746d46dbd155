// Corotational tetrahedra.
#ifndef VS_ELEMENT_TET_COROTATIONAL_H
#define VS_ELEMENT_TET_COROTATIONAL_H

#include "element/tet_rest.h"

// The part of vs_tet_evaluate() for VS_ELASTIC_COROTATIONAL.
void vs_tet_corotational(int nodes, const double *rest, const double *x, const vs_elastic *elastic,
                         vs_tangent_kind kind, const vs_element_output *out);

#endif
