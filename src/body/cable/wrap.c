// Shortest ways around spheres and cylinders: straight to the surface, a great circle or a helix on it, straight on.
//
// In the plane of a circle of radius r (of a sphere through both points and its centre, of a cylinder across its axis), from
// a point at (d, phi) in polar coordinates, the tangent points of a way that turns by s = 1 counter-clockwise and s = -1
// clockwise are
//
//     enter  phi + s acos(r/d)        leave  phi - s acos(r/d)        angle  s (leave - enter)
//
// and along the axis of a cylinder the way advances in proportion to its length in the plane, which makes it a helix.
//
// A pulley is always passed, in its sense. A sphere or a cylinder is passed where it is in the way of the straight line, on the
// side that is shorter, or where the line is not on the prescribed side; through a ring (the side is inside) the cable touches
// it in the point of the shortest way. These are the rules of MJCF's spatial tendons.
#include "body/cable/wrap.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/vec.h"

static const double PI = 3.14159265358979323846;
// rad: a pulley's angle is at least minus that much, where the cable would leave the pulley, and less than a turn more.
static const double PULLEY_LEAST = -1;

typedef struct point2 {
    double x, y;
} point2;

// The plane of the circle in the frame of the drum.
typedef struct plane {
    vs_vec3 e[2];
} plane;

static point2 project(const plane *p, vs_vec3 v) {
    return (point2){vs_dot(p->e[0], v), vs_dot(p->e[1], v)};
}

static vs_vec3 lift(const plane *p, point2 v) {
    return vs_add(vs_scale(v.x, p->e[0]), vs_scale(v.y, p->e[1]));
}

static double cross2(point2 a, point2 b) {
    return a.x * b.y - a.y * b.x;
}

static double dot2(point2 a, point2 b) {
    return a.x * b.x + a.y * b.y;
}

static point2 minus2(point2 a, point2 b) {
    return (point2){a.x - b.x, a.y - b.y};
}

static point2 at_angle(double r, double angle) {
    double s, c;
    vs_sincos(angle, &s, &c);
    return (point2){r * c, r * s};
}

// Through both points and the centre; any such plane if all are on a line.
static plane find_plane(const vs_cable_point *drum, vs_vec3 before, vs_vec3 after) {
    if (drum->kind != VS_CABLE_SPHERE)
        return (plane){{{1, 0, 0}, {0, 1, 0}}};
    const vs_vec3 first = vs_normalize(before);
    vs_vec3 normal = vs_cross(first, vs_normalize(after));
    if (!(vs_length(normal) > 1e-12))
        normal = vs_cross(first, fabs(first.x) < .5 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0});
    return (plane){{first, vs_normalize(vs_cross(normal, first))}};
}

// ---- in the plane ----------------------------------------------------------------------------------

// A way around the circle.
typedef struct way {
    bool touches;
    point2 enter, leave;
    double angle;
} way;

// rad, of the tangent point as seen from p; 0 from within the circle
static double tangent_angle(point2 p, double r) {
    const double d = vs_hypot(p.x, p.y);
    return d > r ? vs_acos(r / d) : 0;
}

static way wind(point2 a, point2 b, double r, int sense, double least) {
    const double enter = vs_atan2(a.y, a.x) + sense * tangent_angle(a, r);
    const double leave = vs_atan2(b.y, b.x) - sense * tangent_angle(b, r);
    double angle = sense * (leave - enter);
    angle -= 2 * PI * floor((angle - least) / (2 * PI));
    return (way){true, at_angle(r, enter), at_angle(r, leave), angle};
}

static bool crosses(point2 a, point2 b, point2 c, point2 d) {
    const point2 ab = minus2(b, a), cd = minus2(d, c), ac = minus2(c, a);
    const double det = cross2(ab, cd);
    if (det == 0)
        return false;
    const double s = cross2(ac, cd) / det, t = cross2(ac, ab) / det;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

// Point of the straight line that is nearest to the centre.
static point2 nearest(point2 a, point2 b) {
    const point2 ab = minus2(b, a);
    const double length = dot2(ab, ab), t = length > 0 ? fmin(fmax(-dot2(a, ab) / length, 0), 1) : 0;
    return (point2){a.x + t * ab.x, a.y + t * ab.y};
}

// How well a way suits: the shorter one, or the one on the side; the worst if its straight parts cross each other.
static double suits(const way *w, point2 a, point2 b, const point2 *side) {
    const point2 sum = {w->enter.x + w->leave.x, w->enter.y + w->leave.y}, chord = minus2(w->enter, w->leave);
    const double size = vs_hypot(sum.x, sum.y);
    if (crosses(a, w->enter, b, w->leave))
        return -INFINITY;
    return side ? (size > 0 ? dot2(sum, *side) / size : 0) : -dot2(chord, chord);
}

static way pass_outside(point2 a, point2 b, double r, const point2 *side) {
    const point2 near = nearest(a, b);
    if (vs_hypot(a.x, a.y) < r || vs_hypot(b.x, b.y) < r ||
        (vs_hypot(near.x, near.y) > r && (!side || dot2(near, *side) >= 0)))
        return (way){.touches = false};
    const way left = wind(a, b, r, 1, 0), right = wind(a, b, r, -1, 0);
    const double suits_left = suits(&left, a, b, side), suits_right = suits(&right, a, b, side);
    const way best = suits_left > suits_right ? left : right;
    return fmax(suits_left, suits_right) > -INFINITY ? best : (way){.touches = false};
}

// d/dpsi of the distance from (d, phi) to (r, psi), and its derivative.
static double stretch(double d, double r, double psi, double *slope) {
    double s, c;
    vs_sincos(psi, &s, &c);
    const double length = sqrt(d * d + r * r - 2 * d * r * c), rate = d * r * s / length;
    *slope += (d * r * c - rate * rate) / length;
    return rate;
}

// The point of the ring with the shortest way through it: Newton's method between the two directions.
static way pass_inside(point2 a, point2 b, double r) {
    const double d_a = vs_hypot(a.x, a.y), d_b = vs_hypot(b.x, b.y);
    const point2 near = nearest(a, b);
    if (d_a <= r || d_b <= r || vs_hypot(near.x, near.y) <= r)
        return (way){.touches = false};
    const double phi = vs_atan2(a.y, a.x), between = vs_atan2(cross2(a, b), dot2(a, b));
    double low = fmin(0, between), high = fmax(0, between), psi = .5 * between;
    for (int k = 0; k < 100 && high - low > 1e-16; k++) {
        double slope = 0;
        const double f = stretch(d_a, r, psi, &slope) + stretch(d_b, r, psi - between, &slope);
        if (f > 0)
            high = psi;
        else
            low = psi;
        const double next = slope > 0 ? psi - f / slope : low;
        const double taken = next > low && next < high ? next : .5 * (low + high);
        if (fabs(taken - psi) < 1e-16)
            break;
        psi = taken;
    }
    const point2 touch = at_angle(r, phi + psi);
    return (way){true, touch, touch, 0};
}

// ---- in space --------------------------------------------------------------------------------------

static way find_way(const vs_cable_point *drum, const plane *p, point2 a, point2 b) {
    if (drum->kind == VS_CABLE_PULLEY) {
        way w = wind(a, b, drum->radius, drum->turns > 0 ? 1 : -1, PULLEY_LEAST);
        w.angle += 2 * PI * (abs(drum->turns) - 1);
        return w;
    }
    if (!drum->sided)
        return pass_outside(a, b, drum->radius, NULL);
    const point2 side = project(p, drum->side);
    return vs_length(drum->side) < drum->radius ? pass_inside(a, b, drum->radius)
                                                : pass_outside(a, b, drum->radius, &side);
}

// rad, between the directions before and after a point
static double bend(vs_vec3 before, vs_vec3 at, vs_vec3 after) {
    const vs_vec3 in = vs_subtract(at, before), out = vs_subtract(after, at);
    return vs_atan2(vs_length(vs_cross(in, out)), vs_dot(in, out));
}

vs_wrap vs_wrap_find(const vs_cable_point *drum, vs_vec3 before, vs_vec3 after) {
    const plane p = find_plane(drum, before, after);
    const point2 a = project(&p, before), b = project(&p, after);
    const way w = find_way(drum, &p, a, b);
    if (!w.touches)
        return (vs_wrap){.touches = false};
    vs_wrap wrap = {true, lift(&p, w.enter), lift(&p, w.leave), drum->radius * w.angle, fabs(w.angle)};
    if (drum->kind != VS_CABLE_SPHERE) {
        const point2 in = minus2(w.enter, a), out = minus2(b, w.leave);
        const double flat = wrap.length, first = vs_hypot(in.x, in.y), last = vs_hypot(out.x, out.y);
        const double rise = (after.z - before.z) / (first + flat + last);
        wrap.enter.z = before.z + rise * first;
        wrap.leave.z = before.z + rise * (first + flat);
        wrap.length = flat * sqrt(1 + rise * rise);
        wrap.angle /= sqrt(1 + rise * rise);
    }
    if (w.angle == 0)
        wrap.angle = bend(before, wrap.enter, after);
    return wrap;
}
