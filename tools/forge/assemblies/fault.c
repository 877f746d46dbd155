// Scenes with a fault that a verdict must not overlook: solids within each other or in the air, moving supports, loads that
// change.
#include "family.h"

#include <math.h>
#include <string.h>

// A stack of cubes on a wide support; the height of cube `moved` and of those above is changed by `rise`.
static void stack_cubes(draft *d, int count, int moved, double rise) {
    const double base_at[3] = {0, 0, -1}, base_half[3] = {4, 4, 1}, half[3] = {.5, .5, .5};
    fix(add_box(d, base_at, base_half, 0));
    for (int k = 0; k < count; k++) {
        const double at[3] = {draw_uniform(d->random, -.1, .1), draw_uniform(d->random, -.1, .1),
                              .5 + k + (k >= moved ? rise : 0)};
        add_box(d, at, half, draw_mass(d->random));
    }
}

// A block sunk into another one or into the support, or twice the same block.
void draw_buried(draft *d) {
    stream *random = d->random;
    const int count = 1 + draw_below(random, 4), moved = draw_below(random, count);
    const bool twice = draw_chance(random, .3);
    const double depth =
        fmin(draw_decades(random, -1.5, draw_chance(random, .3) ? 1 : 0), moved + 1.5); // not through all
    stack_cubes(d, count, moved, twice ? 0 : -depth);
    if (twice) {
        const solid *s = &d->assembly->solid[d->first + 1 + moved];
        double at[3];
        memcpy(at, s->position, sizeof at);
        at[2] += draw_chance(random, .5) ? 0 : draw_uniform(random, -.3, .3);
        add_box(d, at, s->half, draw_mass(random));
    }
    d->truth = TRUTH_NONE;
}

void draw_floating(draft *d) {
    const int count = 1 + draw_below(d->random, 4), moved = draw_below(d->random, count);
    stack_cubes(d, count, moved, draw_decades(d->random, -1.5, 2));
    d->truth = TRUTH_FALLS;
}

// A belt or a moving support takes along what lies on it.
void draw_driven(draft *d) {
    const int count = 1 + draw_below(d->random, 2);
    assembly *a = d->assembly;
    a->mu[d->material] = fmax(a->mu[d->material], .05);
    stack_cubes(d, count, 0, 0);
    solid *support = &a->solid[d->first];
    double *moves = draw_chance(d->random, .6) ? support->belt : support->velocity;
    moves[draw_below(d->random, 2)] = (draw_chance(d->random, .5) ? 1 : -1) * draw_decades(d->random, -3, 1);
    d->truth = TRUTH_MOVES;
}

// A cube pushed across: at once, or with a force that grows. It slides at mu, and tips at 1 times its weight.
void draw_loaded(draft *d) {
    stream *random = d->random;
    assembly *a = d->assembly;
    const double mu = a->mu[d->material], most = fmin(mu, 1),
                 share = 1 + (draw_chance(random, .5) ? 1 : -1) * draw_small(random);
    const double base_at[3] = {0, 0, -1}, base_half[3] = {4, 4, 1}, half[3] = {.5, .5, .5}, at[3] = {0, 0, .5};
    fix(add_box(d, base_at, base_half, 0));
    solid *s = add_box(d, at, half, 1);
    d->rotation[0] = 1; // the force is along the sides of the cube
    d->rotation[1] = d->rotation[2] = d->rotation[3] = 0;
    s->ramped = draw_chance(random, .5);
    s->force[draw_below(random, 2)] = share * most * d->mass * a->gravity;
    settle(d, most > 0 ? 1 - share : -1, 1e-12 + 1e4 * find_guard(d));
    if (!(most > 0))
        d->truth = TRUTH_UNKNOWN;
    else if (s->ramped && d->truth == TRUTH_FALLS)
        d->truth = TRUTH_MOVES;
}
