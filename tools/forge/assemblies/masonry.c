// Walls, rows between walls, and arches: their proofs are checked.
#include "family.h"

#include <math.h>

static const double TURN = 6.283185307179586;

static void add_floor(draft *d) {
    static const double origin[3] = {0, 0, 0};
    solid *s = fix(add_box(d, origin, origin, 0));
    s->kind = SOLID_PLANE;
    s->half[0] = s->half[1] = s->half[2] = 1000;
}

static void tilt(draft *d, double most) {
    const double axis[3] = {draw_normal(d->random), draw_normal(d->random), 0};
    double turn[4];
    if (draw_chance(d->random, .3))
        return;
    set_rotation(turn, axis, draw_uniform(d->random, 0, most));
    multiply_rotations(turn, d->rotation, d->rotation);
}

// Courses of stones of random lengths; some are missing, some are fixed.
void draw_courses(draft *d) {
    stream *random = d->random;
    const int courses = 1 + draw_below(random, 5);
    add_floor(d);
    tilt(d, .5);
    for (int row = 0; row < courses; row++) {
        double x = draw_uniform(random, -.5, .5);
        for (int k = 1 + draw_below(random, 4); k > 0; k--) {
            const double length = draw_uniform(random, .3, 1.5), y = row % 2 ? draw_uniform(random, -.1, .1) : 0;
            const double at[3] = {x + length / 2, y, .25 + .5 * row}, half[3] = {length / 2, .4, .25};
            if (draw_chance(random, .88)) {
                solid *s = add_box(d, at, half, draw_mass(random));
                if (draw_chance(random, .05))
                    fix(s);
            }
            x += length + (draw_chance(random, .3) ? draw_uniform(random, .02, .4) : 0);
        }
    }
}

// A row of stones between fixed walls, sometimes without a floor: it may be jammed.
void draw_jam(draft *d) {
    stream *random = d->random;
    const double half[3] = {.5, .5, .5};
    double x = 0;
    if (draw_chance(random, .3))
        add_floor(d);
    else
        tilt(d, .6);
    for (int k = 1 + draw_below(random, 6); k > 0; k--) {
        const double length = draw_uniform(random, .2, 1),
                     size[3] = {length / 2, .5, draw_chance(random, .5) ? .5 : draw_uniform(random, .2, .45)};
        const double at[3] = {x + length / 2, 0, .5};
        add_box(d, at, size, draw_mass(random));
        x += length;
    }
    const double left[3] = {-.5, 0, .5}, right[3] = {x + .5, 0, .5};
    fix(add_box(d, left, half, 0));
    fix(add_box(d, right, half, 0));
}

// Stones between radial joints; the first and the last are fixed.
void draw_arch(draft *d) {
    stream *random = d->random;
    const int stones = 3 + draw_below(random, 14);
    const double inner = 1, outer = 1 + draw_uniform(random, .06, .35), half_depth = draw_uniform(random, .05, .5);
    const double opening = draw_uniform(random, .3, .5) * TURN, step = opening / stones, mass = draw_mass(random);
    if (draw_chance(random, .4))
        tilt(d, .3);
    for (int k = -1; k <= stones; k++) {
        const double from = (TURN / 2 - opening) / 2 + k * step, to = from + step;
        const double section[4][2] = {{inner * cos(from), inner * sin(from)},
                                      {outer * cos(from), outer * sin(from)},
                                      {outer * cos(to), outer * sin(to)},
                                      {inner * cos(to), inner * sin(to)}};
        solid *s = add_prism(d, section, 4, half_depth, draw_chance(random, .1) ? draw_mass(random) : mass);
        if (k < 0 || k == stones)
            fix(s);
    }
}
