// Single blocks on points, edges, slopes and walls, whose equilibrium has a closed form.
#include "family.h"

#include <math.h>
#include <stdlib.h>

static const double TURN = 6.283185307179586;

// ---- a plate on tips, ridges and posts -------------------------------------------------------------------

enum { MOST_FEET = 5 };

typedef struct point2 {
    long double x, y;
} point2;

typedef struct feet {
    int count; // points in which the plate is supported
    point2 at[4 * MOST_FEET];
} feet;

static long double cross(point2 a, point2 b, point2 p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Distance of a point from the edge of the convex hull; negative outside. The hull's edges are pairs of points with all others
// on one side.
static long double depth_in_hull(const feet *f, point2 p) {
    long double least = INFINITY;
    bool any = false;
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->count; k++) {
            const long double length = hypotl(f->at[k].x - f->at[i].x, f->at[k].y - f->at[i].y);
            bool edge = length > 0;
            for (int j = 0; j < f->count && edge; j++)
                edge = cross(f->at[i], f->at[k], f->at[j]) >= -1e-15L;
            if (edge) {
                least = fminl(least, cross(f->at[i], f->at[k], p) / length);
                any = true;
            }
        }
    return any ? least : -1;
}

static void add_foot(draft *d, feet *f, double x, double y) {
    stream *random = d->random;
    const double at[3] = {x, y, 0}, r = draw_decades(random, -4, -1.5);
    const int kind = draw_below(random, 3);
    if (kind == 0) { // a tip
        fix(add_tip(d, at, .05, .3));
        f->at[f->count++] = (point2){x, y};
    } else if (kind == 1) { // a ridge along y
        const double section[3][2] = {{x - .05, -.3}, {x + .05, -.3}, {x, 0}};
        solid *s = fix(add_prism(d, section, 3, r, 0));
        s->position[1] = y;
        f->at[f->count++] = (point2){x, y - r};
        f->at[f->count++] = (point2){x, y + r};
    } else { // a post
        const double middle[3] = {x, y, -.2}, half[3] = {r, r, .2};
        fix(add_box(d, middle, half, 0));
        for (int k = 0; k < 4; k++)
            f->at[f->count++] = (point2){x + (k & 1 ? r : -r), y + (k & 2 ? r : -r)};
    }
}

// The middle of the weight is moved to the edge between the first two feet, or a little beyond.
void draw_plate(draft *d) {
    stream *random = d->random;
    feet f = {0};
    const int count = 2 + draw_below(random, MOST_FEET - 1);
    const double start = draw_uniform(random, 0, TURN);
    double foot[MOST_FEET][2];
    for (int k = 0; k < count; k++) {
        const double angle = start + TURN * (k + draw_uniform(random, -.3, .3)) / count;
        foot[k][0] = .6 * cos(angle);
        foot[k][1] = .6 * sin(angle);
        add_foot(d, &f, foot[k][0], foot[k][1]);
    }
    double x = draw_uniform(random, -.2, .2), y = draw_uniform(random, -.2, .2);
    if (draw_chance(random, .6)) { // inside a tip: its own point is the corner of the hull
        const double share = draw_uniform(random, .3, .7),
                     out = (draw_chance(random, .5) ? 1 : -1) * draw_small(random);
        x = (1 + out) * (share * foot[0][0] + (1 - share) * foot[1][0]);
        y = (1 + out) * (share * foot[0][1] + (1 - share) * foot[1][1]);
    }
    const double thickness = draw_decades(random, -2.5, 0), at[3] = {x, y, thickness}, half[3] = {1.5, 1.5, thickness};
    add_box(d, at, half, draw_mass(random));
    for (int k = draw_below(random, 3); k > 0; k--) { // weights in the middle of the plate: it does not move
        const double high = .1, above[3] = {x, y, 2 * thickness + high + 2 * high * (k - 1)},
                     small[3] = {high, high, high};
        add_box(d, above, small, draw_mass(random));
    }
    settle(d, depth_in_hull(&f, (point2){x, y}), find_guard(d) + 1e-12);
}

// ---- a plank against a wall ------------------------------------------------------------------------------

// Forces (T_a, N_a) on the floor at a and (-N_b, T_b) on the wall at b, T_b = s:
//     N_a = 1 - s,   N_b = T_a = (x_c - s x_b) / z_b,   |s| <= mu N_b,  N_b <= mu N_a      (weight 1, a at the origin)
// Length of the interval of s, or how much it misses.
static long double find_interval(long double mu, long double x_c, long double x_b, long double z_b) {
    // c0 + c1 s >= 0
    const long double row[5][2] = {{x_c / z_b, -x_b / z_b},
                                   {mu * x_c / z_b, -mu * x_b / z_b - 1},
                                   {mu * x_c / z_b, -mu * x_b / z_b + 1},
                                   {mu - x_c / z_b, x_b / z_b - mu},
                                   {1, -1}};
    long double low = -INFINITY, high = INFINITY;
    for (int k = 0; k < 5; k++) {
        if (row[k][1] > 0)
            low = fmaxl(low, -row[k][0] / row[k][1]);
        else if (row[k][1] < 0)
            high = fminl(high, -row[k][0] / row[k][1]);
        else if (row[k][0] < 0)
            return -1;
    }
    return high - low;
}

void draw_lean(draft *d) {
    stream *random = d->random;
    const double mu = d->assembly->mu[d->material];
    const double t = draw_uniform(random, .05, .3), length = 1; // half thickness, half length
    double angle = draw_uniform(random, .2, 1.3);
    if (draw_chance(random, .5)) // near the limit of a thin plank
        angle = atan(fmax(.05, (1 - mu * mu) / (2 * fmax(mu, .01)))) + draw_uniform(random, -.02, .02);
    angle = fmin(fmax(angle, .1), 1.45); // flatter or steeper, a face would be nearly in contact
    const double c = cos(angle), s = sin(angle);
    // The plank's corner (-length, -t) is on the floor at the origin, its corner (length, t)... leans on the wall: the one
    // that is farthest along x.
    const double x_c = length * c - t * s, z_c = length * s + t * c, x_b = x_c + length * c + t * s,
                 z_b = z_c + length * s - t * c;
    const double y[3] = {0, 1, 0}, at[3] = {x_c, 0, z_c}, half[3] = {length, draw_decades(random, -1, 0), t};
    set_rotation(add_box(d, at, half, draw_mass(random))->rotation, y, -angle);
    const double floor_at[3] = {0, 0, -1}, floor_half[3] = {10, 10, 1};
    fix(add_box(d, floor_at, floor_half, 0));
    const double wall_at[3] = {x_b + 1, 0, 2}, wall_half[3] = {1, 10, 2};
    fix(add_box(d, wall_at, wall_half, 0));
    settle(d, find_interval(mu, x_c, x_b, z_b), 1e-7 + 1e4 * find_guard(d));
    if (z_b < .1 || x_c < .01)
        d->truth = TRUTH_UNKNOWN;
}

// ---- in a groove, on a slope -----------------------------------------------------------------------------

// Two slopes of the same angle meet in a line; a wedge, a roller or a ball between them stands without any friction.
void draw_groove(draft *d) {
    stream *random = d->random;
    const double angle = draw_uniform(random, .15, 1.3), c = cos(angle), s = sin(angle);
    const double left[4][2] = {{0, 0}, {-3 * c, 3 * s}, {-3 * c - s, 3 * s - c}, {-s, -c}};
    const double right[4][2] = {{0, 0}, {s, -c}, {3 * c + s, 3 * s - c}, {3 * c, 3 * s}};
    fix(add_prism(d, left, 4, 2, 0));
    fix(add_prism(d, right, 4, 2, 0));
    const int kind = draw_below(random, 3);
    const double x[3] = {1, 0, 0}, at[3] = {0, 0, .5 / c}, section[3][2] = {{0, 0}, {2 * c, 2 * s}, {-2 * c, 2 * s}};
    if (kind == 0)
        add_prism(d, section, 3, draw_decades(random, -1, 0), draw_mass(random));
    else if (kind == 1)
        set_rotation(add_cylinder(d, at, .5, draw_decades(random, -1, 0), draw_mass(random))->rotation, x, TURN / 4);
    else
        add_sphere(d, at, .5, draw_mass(random));
    d->truth = TRUTH_STANDS;
}

// A roller or a ball on a slope rolls; a roller along the slope slides or stays.
void draw_roll(draft *d) {
    stream *random = d->random;
    const double mu = d->assembly->mu[d->material];
    const bool level = draw_chance(random, .2), ball = draw_chance(random, .4), across = draw_chance(random, .5);
    const double half_length = draw_decades(random, -1, 0);
    const double angle = level                     ? 0
                         : draw_chance(random, .5) ? draw_small(random)
                                                   : atan(mu * (1 + draw_uniform(random, -.2, .2)));
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, at[3] = {0, 0, .5}, floor_at[3] = {0, 0, -1},
                 floor_half[3] = {5, 5, 1};
    fix(add_box(d, floor_at, floor_half, 0));
    if (ball)
        add_sphere(d, at, .5, draw_mass(random));
    else // its axis along y: across the slope
        set_rotation(add_cylinder(d, at, .5, half_length, draw_mass(random))->rotation, across ? x : y, TURN / 4);
    double tilt[4];
    set_rotation(tilt, y, angle);
    multiply_rotations(d->rotation, tilt, d->rotation);
    if (level)
        d->truth = TRUTH_STANDS;
    else if (ball || across)
        d->truth = angle > 10 * find_guard(d) ? TRUTH_FALLS : TRUTH_UNKNOWN;
    else // slides, or tips over its end
        settle(d, fmin(mu, half_length / .5) - tan(angle), 100 * find_guard(d));
    // The middle is exactly above the line of contact near the origin alone.
    if (d->truth == TRUTH_STANDS && find_guard(d) > 1e-9)
        d->truth = TRUTH_UNKNOWN;
}
