// Spectral decomposition of a vector in the algebra of its cone, and back: functions of a vector are functions of its
// spectral values (clamping into the cone, inverse, centrality).
#include <math.h>

#include "cone/cone.h"

void vs_cone_decompose(vs_cone_kind kind, const double *x, vs_spectrum *spectrum) {
    *spectrum = (vs_spectrum){.count = kind == VS_CONE_NONNEG ? 1 : 2, .value = {x[0]}, .frame = {1, 0}};
    if (kind == VS_CONE_BOX)
        spectrum->value[1] = x[1];
    if (kind != VS_CONE_SECOND_ORDER)
        return;
    double length = sqrt(x[1] * x[1] + x[2] * x[2]);
    spectrum->value[0] = x[0] + length;
    spectrum->value[1] = x[0] - length;
    if (length > 0) {
        spectrum->frame[0] = x[1] / length;
        spectrum->frame[1] = x[2] / length;
    }
}

void vs_cone_compose(vs_cone_kind kind, const vs_spectrum *spectrum, double *x) {
    if (kind != VS_CONE_SECOND_ORDER) {
        for (int k = 0; k < spectrum->count; k++)
            x[k] = spectrum->value[k];
        return;
    }
    double half = (spectrum->value[0] - spectrum->value[1]) / 2;
    x[0] = (spectrum->value[0] + spectrum->value[1]) / 2;
    x[1] = half * spectrum->frame[0];
    x[2] = half * spectrum->frame[1];
}
