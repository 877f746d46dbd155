// Towers: blocks and drums one on the other, all joints in parallel planes. The resultant in each joint is known, so that
// stands and falls, and the largest factor of a live load, have a closed form:
//
//     a tower stands if in each joint the load above it acts within the friction cone, and its line meets the plane of the
//     joint within the face above and that below.
#include "family.h"

#include <math.h>

enum { MOST_LEVELS = 7 };
static const double TURN = 6.283185307179586;

typedef struct level {
    bool round;
    double x, y, z; // centre
    double half[3]; // of a drum: radius, radius, half length
    double mass;    //
} level;

typedef struct tower {
    int count; // blocks; the support is one more, the last
    level level[MOST_LEVELS + 1];
    double mu;
} tower;

// ---- the closed form -------------------------------------------------------------------------------------

// Distance of a point from the edge of a block's face; negative outside.
static long double depth_in(const level *b, long double x, long double y) {
    x -= b->x;
    y -= b->y;
    return b->round ? b->half[0] - sqrtl(x * x + y * y) : fminl(b->half[0] - fabsl(x), b->half[1] - fabsl(y));
}

// Least distance of the line of load from an edge, for loads along f; sliding: how far the load is outside its cone counts.
static long double find_margin(const tower *t, const long double f[3], long double *sliding) {
    long double mass = 0, x = 0, y = 0, z = 0, margin = INFINITY;
    *sliding = f[2] < 0 ? t->mu - sqrtl(f[0] * f[0] + f[1] * f[1]) / -f[2] : -1;
    for (int k = 0; k < t->count; k++) {
        const level *b = &t->level[k];
        mass += b->mass;
        x += b->mass * (long double)b->x;
        y += b->mass * (long double)b->y;
        z += b->mass * (long double)b->z;
        const long double height = z / mass - (b->z - (long double)b->half[2]);
        const long double px = x / mass - height * f[0] / f[2], py = y / mass - height * f[1] / f[2];
        margin = fminl(margin, fminl(depth_in(b, px, py), depth_in(&t->level[k + 1], px, py)));
    }
    return margin;
}

// Dead load along g (unit), live load along d: the last factor that stands.
static double find_factor(const tower *t, const long double g[3], const long double d[3]) {
    long double low = 0, high = 1e6, sliding;
    for (int round = 0; round < 200; round++) {
        const long double middle = round == 0 ? high : (low + high) / 2;
        const long double f[3] = {g[0] + middle * d[0], g[1] + middle * d[1], g[2] + middle * d[2]};
        const bool stands = find_margin(t, f, &sliding) >= 0 && sliding >= 0;
        if (stands && round == 0)
            return NAN; // perhaps unbounded
        if (stands)
            low = middle;
        else
            high = middle;
    }
    return (double)low;
}

// Do all blocks share more than a line with the next one?
static bool is_broad(const tower *t) {
    bool broad = true;
    for (int k = 0; k < t->count; k++) {
        const level *a = &t->level[k], *b = &t->level[k + 1];
        const double x = fabs(a->x - b->x), y = fabs(a->y - b->y);
        for (int i = 0; i < 2; i++)
            broad = broad && a->half[i] + b->half[i] - (i ? y : x) > 1e-5 * fmin(a->half[i], b->half[i]);
    }
    return broad;
}

static double least_height(const tower *t) {
    double least = INFINITY;
    for (int k = 0; k < t->count; k++)
        least = fmin(least, t->level[k].half[2]);
    return least;
}

static void judge(draft *d, const tower *t) {
    static const double down[3] = {0, 0, -1};
    long double g[3], live[3], sliding;
    turn_back(d->rotation, down, g);
    turn_back(d->rotation, d->assembly->direction, live);
    const long double margin = find_margin(t, g, &sliding);
    const double guard = find_guard(d);
    settle(d, margin, guard);
    const long double slope = t->mu - sliding; // tan of the angle
    if (fabsl(sliding) <= 1e-10 && slope > 0)
        d->truth = TRUTH_UNKNOWN;
    else if (sliding < 0)
        d->truth = TRUTH_FALLS;
    if (!is_broad(t))
        d->truth = TRUTH_UNKNOWN;
    d->factor = d->truth == TRUTH_STANDS ? find_factor(t, g, live) : NAN;
    d->factor_guard = guard / least_height(t);
}

// ---- towers ----------------------------------------------------------------------------------------------

static void draw_level(const draft *d, level *b, bool drums, bool sheets) {
    stream *random = d->random;
    b->round = drums && draw_chance(random, .7);
    for (int i = 0; i < 3; i++)
        b->half[i] = draw_decades(random, -.4, .2);
    if (draw_chance(random, .06) && d->alone) // a needle
        b->half[2] *= draw_decades(random, 1, 4.5);
    if (draw_chance(random, .06)) // a blade
        b->half[draw_below(random, 2)] *= draw_decades(random, -4, -1);
    if (draw_chance(random, .06) || sheets) // a sliver
        b->half[2] *= draw_decades(random, -5, -1);
    if (b->round)
        b->half[1] = b->half[0];
    b->mass = draw_mass(random);
}

// Puts the next block under a line of load through (x, y): inside, or a little inside or outside of its edge.
static void put_under(stream *random, level *b, double x, double y, bool critical) {
    const double angle = draw_uniform(random, 0, TURN);
    const double edge = 1 + (draw_chance(random, .5) ? 1 : -1) * draw_small(random);
    const int side = draw_below(random, 4);
    double u = draw_uniform(random, -.7, .7), w = draw_uniform(random, -.7, .7);
    if (b->round) {
        const double r = critical ? edge : draw_uniform(random, 0, .7);
        u = r * cos(angle);
        w = r * sin(angle);
    } else if (critical) {
        u = side < 2 ? (side ? edge : -edge) : u;
        w = side >= 2 ? (side == 3 ? edge : -edge) : w;
    }
    b->x = x - u * b->half[0];
    b->y = y - w * b->half[1];
}

static void add_levels(draft *d, const tower *t) {
    for (int k = t->count; k >= 0; k--) {
        const level *b = &t->level[k];
        const double at[3] = {b->x, b->y, b->z};
        solid *s = b->round ? add_cylinder(d, at, b->half[0], b->half[2], b->mass) : add_box(d, at, b->half, b->mass);
        if (k == t->count)
            fix(s);
    }
}

static void stack(draft *d, tower *t) {
    static const double down[3] = {0, 0, -1};
    stream *random = d->random;
    long double g[3], mass = 0, x = 0, y = 0, z = 0;
    turn_back(d->rotation, down, g);
    const int critical = draw_chance(random, .6) ? draw_below(random, t->count) : -1;
    for (int k = 0; k <= t->count; k++) {
        level *b = &t->level[k];
        if (k == t->count) { // the support: a ledge, or wide
            const bool ledge = k == critical + 1 || draw_chance(random, .3);
            *b = (level){.half = {ledge ? 1 : 6, ledge ? 1 : 6, 1}};
        }
        if (k > 0) {
            const level *above = &t->level[k - 1];
            b->z = above->z - above->half[2] - b->half[2];
            const long double height = z / mass - (above->z - above->half[2]);
            put_under(random, b, (double)(x / mass - height * g[0] / g[2]), (double)(y / mass - height * g[1] / g[2]),
                      k == critical + 1);
        }
        mass += b->mass;
        x += b->mass * (long double)b->x;
        y += b->mass * (long double)b->y;
        z += b->mass * (long double)b->z;
    }
    add_levels(d, t);
    judge(d, t);
}

static void draw_any(draft *d, bool drums) {
    tower t = {.count = 1 + draw_below(d->random, draw_chance(d->random, .2) ? MOST_LEVELS : 3),
               .mu = d->assembly->mu[d->material]};
    const bool sheets = draw_chance(d->random, .07); // all of them
    for (int k = 0; k < t.count; k++)
        draw_level(d, &t.level[k], drums, sheets);
    stack(d, &t);
}

void draw_tower(draft *d) {
    draw_any(d, false);
}

void draw_drums(draft *d) {
    if (draw_chance(d->random, .5)) {
        const double axis[3] = {draw_normal(d->random), draw_normal(d->random), 0};
        double tilt[4];
        set_rotation(tilt, axis, draw_uniform(d->random, 0, .6));
        multiply_rotations(tilt, d->rotation, d->rotation);
    }
    draw_any(d, true);
}

// One or a few blocks on a slope at the angle at which they slide, or at which the upper one tips.
void draw_slope(draft *d) {
    stream *random = d->random;
    tower t = {.count = 1 + draw_below(random, 3), .mu = d->assembly->mu[d->material]};
    const bool sheets = draw_chance(d->random, .07); // all of them
    for (int k = 0; k < t.count; k++)
        draw_level(d, &t.level[k], false, sheets);
    const level *top = &t.level[0];
    const double side = (draw_chance(random, .5) ? 1 : -1) * draw_small(random);
    const bool slides = draw_chance(random, .6);
    const double tangent = slides ? t.mu * (1 + side) : top->half[0] / top->half[2] * (1 + side);
    // About y: the load leans along x of the frame, which is turned about z before.
    const double y[3] = {0, 1, 0}, axis[3] = {0, 0, 1};
    double tilt[4], yaw[4];
    set_rotation(tilt, y, atan(tangent));
    set_rotation(yaw, axis, slides ? draw_uniform(random, 0, TURN) : 0);
    multiply_rotations(d->rotation, tilt, d->rotation);
    multiply_rotations(d->rotation, yaw, d->rotation);
    stack(d, &t);
}
