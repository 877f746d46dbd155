// Copies of shapes of another size.
#ifndef VS_SHAPE_SCALED_H
#define VS_SHAPE_SCALED_H

#include "shape/shape_data.h"

// All lengths times a factor > 0. VS_ERROR_UNSUPPORTED for planes and height fields.
vs_error vs_shape_scaled(vs_context *context, const vs_shape *shape, double factor, vs_shape **scaled);

#endif
