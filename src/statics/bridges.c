// Gaps up to a tolerance count as joints. A stone c that is thinner than the tolerance and lies between a and b makes such a
// gap, through which a and b must not push each other:
//
//     a | c | b    interfaces a-c and c-b with the normal of a-b, both in planes within the gap of a-b
#include "statics/bridges.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

static const double ALIGNED = .999; // cosine of the angle between normals

vs_error vs_interface_index_fill(vs_context *context, const vs_interface *list, int64_t count, int bodies,
                                 vs_interface_index *index) {
    vs_error error = VS_RESERVE(context, &index->begin, bodies + 1);
    if (!error)
        error = VS_RESERVE(context, &index->of, 2 * count + 1);
    if (error)
        return error;
    int *begin = index->begin.data;
    memset(begin, 0, (size_t)(bodies + 1) * sizeof *begin);
    for (int64_t k = 0; k < count; k++) {
        begin[list[k].a.index]++;
        begin[list[k].b.index]++;
    }
    for (int k = 0, sum = 0; k <= bodies; k++) {
        sum += begin[k];
        begin[k] = sum; // ends: they become beginnings
    }
    for (int64_t k = count - 1; k >= 0; k--) {
        index->of.data[--begin[list[k].a.index]] = (int)k;
        index->of.data[--begin[list[k].b.index]] = (int)k;
    }
    return VS_OK;
}

void vs_interface_index_release(vs_context *context, vs_interface_index *index) {
    VS_ARRAY_RELEASE(context, &index->begin);
    VS_ARRAY_RELEASE(context, &index->of);
}

// ---- bridges -----------------------------------------------------------------------------------------

static uint32_t other_body(const vs_interface *it, uint32_t body) {
    return it->a.index == body ? it->b.index : it->a.index;
}

// Is this the interface from one body to another along n, in a plane within the gap of `bridge`?
static bool leads(const vs_interface *it, uint32_t from, const vs_interface *bridge, double sign) {
    const vs_vec3 n = vs_scale(sign, bridge->normal);
    const double along = (it->a.index == from ? 1 : -1) * vs_dot(it->normal, n);
    return along > ALIGNED && it->gap_most < bridge->gap_most &&
           fabs(vs_dot(n, vs_subtract(it->centre, bridge->centre))) <= bridge->gap_most;
}

// Is there a stone between the bodies of interface k? The search starts at the body with fewer interfaces.
static bool is_bridge(const vs_interface *list, const vs_interface_index *of, int64_t k) {
    const vs_interface *bridge = &list[k];
    const int *begin = of->begin.data;
    const uint32_t a = bridge->a.index, b = bridge->b.index;
    const bool forward = begin[a + 1] - begin[a] <= begin[b + 1] - begin[b];
    const uint32_t first = forward ? a : b, last = forward ? b : a;
    const double sign = forward ? 1 : -1;
    if (!(bridge->gap_most > 0))
        return false;
    for (int i = begin[first]; i < begin[first + 1]; i++) {
        const vs_interface *near = &list[of->of.data[i]];
        const uint32_t c = other_body(near, first);
        if (c == last || !leads(near, first, bridge, sign))
            continue;
        for (int j = begin[c]; j < begin[c + 1]; j++) {
            const vs_interface *far = &list[of->of.data[j]];
            if (other_body(far, c) == last && leads(far, c, bridge, sign))
                return true;
        }
    }
    return false;
}

// Closes up the lists after those that are dropped.
static int64_t compact(vs_interface *list, int64_t count, vs_vec3 *point, const bool *dropped) {
    int64_t kept = 0;
    int points = 0;
    for (int64_t k = 0; k < count; k++) {
        vs_interface it = list[k];
        if (dropped[k])
            continue;
        memmove(point + points, point + it.first, (size_t)it.corners * sizeof *point);
        it.first = points;
        points += it.corners;
        list[kept++] = it;
    }
    return kept;
}

int64_t vs_interfaces_drop_bridges(vs_context *context, int bodies, vs_interface *list, int64_t count, vs_vec3 *point) {
    vs_interface_index index = {0};
    VS_ARRAY(bool) dropped = {0};
    int64_t kept = -1;
    if (!vs_interface_index_fill(context, list, count, bodies, &index) && !VS_RESERVE(context, &dropped, count + 1)) {
        for (int64_t k = 0; k < count; k++)
            dropped.data[k] = is_bridge(list, &index, k);
        kept = compact(list, count, point, dropped.data);
    }
    VS_ARRAY_RELEASE(context, &dropped);
    vs_interface_index_release(context, &index);
    return kept;
}
