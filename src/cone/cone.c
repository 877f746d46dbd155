// The table of cones: kind -> operations.
#include "cone/cone.h"

#include <stddef.h>

const vs_cone *vs_cone_of(vs_cone_kind kind) {
    switch (kind) {
    case VS_CONE_NONNEG:
        return &vs_cone_nonneg;
    case VS_CONE_BOX:
        return &vs_cone_box;
    case VS_CONE_SECOND_ORDER:
        return &vs_cone_second_order;
    case VS_CONE_ROLLING:
    case VS_CONE_ELLIPTIC:
        break;
    }
    return NULL;
}
