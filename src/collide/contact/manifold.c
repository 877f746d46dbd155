// Reduction of many contact points to few: the lowest and the outermost ones.
//
// The corners of its outline support a flat contact as well as all of its points. Taking the farthest points in fixed
// directions costs one pass, needs no memory, and picks the same ones again after a small motion. It does not maximize
// the area of the outline: of a regular polygon with many corners eight are kept.
#include "collide/contact/manifold.h"

// A unit vector across n; based on x, y or z, with hysteresis in the choice.
static vs_vec3 across(vs_vec3 n) {
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    vs_vec3 lead = x <= y + 1e-6 && x <= z + 1e-6 ? (vs_vec3){1, 0, 0}
                   : y <= z + 1e-6                ? (vs_vec3){0, 1, 0}
                                                  : (vs_vec3){0, 0, 1};
    return vs_normalize(vs_add_scaled(lead, -vs_dot(lead, n), n));
}

void vs_extremes_begin(vs_extremes *extremes, vs_vec3 normal, double tolerance) {
    // opposite directions are adjacent in the list: there may be no room for the last ones
    static const double turn[VS_EXTREMES - 1][2] = {{1, 0}, {-1, 0},  {0, 1},  {0, -1},
                                                    {1, 1}, {-1, -1}, {-1, 1}, {1, -1}};
    vs_vec3 u = across(normal), w = vs_cross(normal, u);
    for (int k = 0; k < VS_EXTREMES - 1; k++)
        extremes->direction[k] = vs_normalize(vs_add_scaled(vs_scale(turn[k][0], u), turn[k][1], w));
    extremes->tolerance = tolerance;
    extremes->offered = 0;
}

void vs_extremes_offer(vs_extremes *extremes, int index, vs_vec3 point, double gap) {
    for (int k = 0; k < VS_EXTREMES; k++) {
        double value = k == 0 ? -gap : vs_dot(extremes->direction[k - 1], point);
        if (extremes->offered == 0 || value > extremes->best[k] + extremes->tolerance) {
            extremes->best[k] = value;
            extremes->gap[k] = gap;
            extremes->at[k] = index;
        }
    }
    if (extremes->offered < VS_MANIFOLD_MOST)
        extremes->first[extremes->offered] = index;
    extremes->offered++;
}

int vs_extremes_end(const vs_extremes *extremes, int chosen[VS_MANIFOLD_MOST]) {
    bool all = extremes->offered <= VS_MANIFOLD_MOST;
    int candidates = all ? extremes->offered : VS_EXTREMES, count = 0;
    double least = INFINITY;
    for (int k = 1; k < VS_EXTREMES && !all; k++)
        least = fmin(least, extremes->gap[k]);
    bool lower = all || extremes->gap[0] < least - extremes->tolerance;
    for (int k = lower ? 0 : 1; k < candidates && count < VS_MANIFOLD_MOST; k++) {
        int index = all ? extremes->first[k] : extremes->at[k], place = count;
        bool known = false;
        for (int i = 0; i < count; i++)
            known = known || chosen[i] == index;
        if (known)
            continue;
        for (; place > 0 && chosen[place - 1] > index; place--)
            chosen[place] = chosen[place - 1];
        chosen[place] = index;
        count++;
    }
    return count;
}
