// The recipes of voussoir collect, and how a problem is drawn from one. All its numbers follow from the seed, the
// family, the number of the problem and of the attempt: no problem changes if others are added or left out.
#include "collect/recipe.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/texts.h"

// clang-format off
#define MU(low, high) {"mu", APP_RANGE_MU, low, high}
#define COUNT(name, low, high) {name, APP_RANGE_COUNT, low, high}
#define FROM(name, low, high) {name, APP_RANGE_UNIFORM, low, high}
#define OVER(name, low, high) {name, APP_RANGE_LOG, low, high}

const app_recipe app_recipes[] = {
    // masonry, cards and planks: many more impulses than motion determines
    {"arch", "arch", NULL, {COUNT("stones", 5, 31), FROM("thickness", .12, .4), MU(.3, 10)}, 60, .2, 0, 0, "arches, standing and falling"},
    {"pointed-arch", "pointed-arch", NULL, {COUNT("stones", 3, 9), FROM("thickness", .15, .4), MU(.3, 10)}, 60, .2, 0, 0, "pointed arches"},
    {"flat-arch", "flat-arch", NULL, {COUNT("stones", 3, 15), FROM("skew", .2, .6), MU(.3, 10)}, 60, .1, 0, 0, "flat arches between abutments"},
    {"bridge-stone", "stone-bridge", NULL, {COUNT("stones", 5, 19), FROM("thickness", .15, .3), FROM("width", .5, 1.2), MU(.4, 10)}, 60, .1, 0, 0, "arches on piers"},
    {"bridge-filled", "filled-bridge", NULL, {COUNT("stones", 7, 11), MU(.3, 3)}, 20, .1, 0, 0, "a bridge with its fill"},
    {"vault", "barrel-vault", NULL, {COUNT("stones", 5, 9), COUNT("rings", 2, 3), MU(.4, 10)}, 30, .15, 0, 0, "barrel vaults"},
    {"rib-vault", "rib-vault", NULL, {COUNT("ribs", 4, 8), COUNT("stones", 3, 5), MU(.4, 10)}, 30, .1, 0, 0, "ribs that meet in a boss"},
    {"dome", "dome", NULL, {COUNT("rings", 2, 3), COUNT("stones", 6, 10), MU(.3, 10)}, 20, .1, 0, 0, "domes"},
    {"colonnade", "colonnade", NULL, {COUNT("columns", 1, 2), COUNT("drums", 3, 6), MU(.2, 10)}, 60, .2, 0, 0, "columns of drums"},
    {"wall", "brick-wall", NULL, {COUNT("rows", 3, 6), COUNT("columns", 3, 5), MU(.1, 10)}, 100, .8, 0, 0, "walls, standing and at collapse"},
    {"window", "window-wall", NULL, {COUNT("rows", 6, 7), COUNT("columns", 5, 5), COUNT("sill", 1, 1), COUNT("clear", 3, 3), COUNT("opening", 2, 2), MU(.2, 3)}, 60, .5, 0, 0, "walls with an opening, at collapse"},
    {"tower", "brick-tower", NULL, {COUNT("courses", 3, 6), MU(.1, 10)}, 60, .6, 0, 0, "towers, standing and at collapse"},
    {"kapla", "kapla-tower", NULL, {COUNT("levels", 3, 16), MU(.1, 10)}, 60, .3, 0, 0, "planks crosswise"},
    {"cards", "card-house", NULL, {COUNT("levels", 1, 4), FROM("lean", .2, .45), MU(.3, 10)}, 60, .02, 0, 0, "card houses"},
    {"domino", "domino", NULL, {COUNT("count", 5, 30), OVER("spin", 1, 20), MU(.1, 10)}, 120, 0, 0, 0, "falling dominoes"},
    // grains
    {"balls", "balls-in-box", NULL, {COUNT("count", 8, 60), FROM("radius", .06, .09), MU(.05, 10)}, 240, 0, 0, 0, "balls that fall into a box"},
    {"pile", "sphere-pile", NULL, {COUNT("levels", 2, 5), MU(.1, 10)}, 30, .3, 0, 0, "pyramids of spheres"},
    {"hopper", "hopper", NULL, {COUNT("count", 20, 70), FROM("angle", .5, 1.1), MU(.1, 3)}, 120, 0, 0, 0, "flow through a slot"},
    {"drum", "rotating-drum", NULL, {COUNT("count", 20, 60), OVER("spin", .3, 12), MU(.1, 3)}, 120, 0, 0, 0, "rotating drums"},
    {"chute", "chute", NULL, {COUNT("count", 20, 50), FROM("angle", .2, .8), MU(.1, 3)}, 120, 0, 0, 0, "flow down a channel"},
    {"soup", "primitive-soup", NULL, {COUNT("count", 12, 36), MU(.05, 10)}, 200, 0, 0, 0, "convex shapes of all kinds in a pit"},
    {"rolling-pile", "sphere-pile", NULL, {COUNT("levels", 2, 4), MU(.1, 3)}, 60, .3, 0, .02, "pyramids with rolling friction"},
    {"rolling-heap", "balls-in-box", NULL, {COUNT("count", 8, 40), FROM("radius", .06, .09), MU(.1, 3)}, 240, 0, 0, .02, "heaps with rolling friction"},
    {"rolling-drum", "rotating-drum", NULL, {COUNT("count", 20, 40), OVER("spin", .3, 8), MU(.1, 3)}, 100, 0, 0, .005, "drums with rolling friction"},
    // few bodies, extreme numbers
    {"stack", "stacked-spheres", NULL, {COUNT("count", 2, 2), OVER("ratio", 1, 1e9), MU(.01, 10)}, 30, 0, 0, 0, "two spheres, the upper one up to 1e9 times heavier"},
    {"stack-tall", "stacked-spheres", NULL, {COUNT("count", 3, 8), OVER("ratio", 1, 18), MU(.01, 10)}, 30, 0, 0, 0, "stacks, heavier above"},
    {"masses", NULL, app_write_masses, {COUNT("count", 4, 16), OVER("ratio", 1, 1e9), FROM("jitter", 0, .03), MU(.01, 10)}, 120, 0, 0, 0, "blocks with mass ratios up to 1e9"},
    {"block", "incline", NULL, {FROM("angle", 0, 1.2), OVER("size", .01, 10), MU(.01, 10)}, 60, .3, 1, 0, "a block on a slope"},
    {"kicked", "brick-wall", NULL, {COUNT("rows", 2, 4), COUNT("columns", 2, 4), MU(.1, 10)}, 30, 0, 3, 0, "bricks thrown apart: impacts"},
    // mechanisms
    {"gears", NULL, app_write_gears, {COUNT("teeth", 8, 24), OVER("speed", .5, 20), FROM("brake", 0, 20), MU(.01, 3)}, 60, 0, 0, 0, "wheels with pins for teeth"},
    {"thread", NULL, app_write_thread, {FROM("pitch", .02, .15), COUNT("turns", 2, 4), COUNT("feet", 3, 6), MU(.01, 2)}, 60, 0, 0, 0, "a nut on a thread"},
    {"platform", NULL, app_write_platform, {COUNT("links", 3, 8), COUNT("boxes", 1, 6), FROM("lean", -.5, .5), MU(.05, 10)}, 60, 0, 0, 0, "a platform on more parallel links than needed"},
    {"door", NULL, app_write_door, {COUNT("hinges", 2, 6), OVER("speed", .2, 5), MU(.05, 10)}, 100, 0, 0, 0, "a door on many hinges that pushes a box"},
    {"bridge-planks", "bridge", NULL, {COUNT("planks", 4, 16), COUNT("balls", 1, 6), FROM("sag", .2, .8), MU(.05, 3)}, 240, 0, 0, 0, "hinged planks, closed in space: redundant joints"},
    {"gripper", "gripper", NULL, {OVER("force", 1, 100), OVER("mass", .05, 5), MU(.05, 3)}, 240, 0, 0, 0, "two fingers with limited motors"},
    // finite elements
    {"soft-ring", "rolling-ring", NULL, {COUNT("cells", 10, 16), OVER("young", 1e5, 1e8), MU(.1, 3)}, 60, 0, 0, 0, "a rolling ring of finite elements"},
    {"soft-ground", "elastic-foundation", NULL, {COUNT("blocks", 1, 4), COUNT("cells", 2, 4), OVER("young", 1e5, 1e8), MU(.1, 3)}, 60, 0, 0, 0, "blocks on an elastic ground"},
    {"soft-strip", "folded-strip", NULL, {COUNT("cells", 8, 16), OVER("young", 1e4, 1e6), MU(.1, 3)}, 60, 0, 0, 0, "a strip that folds onto itself"},
    {"rope", "rope-on-drum", NULL, {COUNT("nodes", 20, 50), FROM("heavy", 10, 40), MU(.05, 1)}, 120, 0, 0, 0, "a rope around a drum"},
    {NULL, NULL, NULL, {{NULL, APP_RANGE_NONE, 0, 0}}, 0, 0, 0, 0, NULL},
};
// clang-format on

// ---- drawing ----------------------------------------------------------------------------------------------------

// SplitMix64 (Steele, Lea and Flood 2014)
static uint64_t next(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

double app_draw_uniform(app_draw *draw, double low, double high) {
    return low + (high - low) * (double)(next(&draw->state) >> 11) * 0x1p-53;
}

static double digits(double x) {
    char text[32];
    (void)snprintf(text, sizeof text, "%.3g", x);
    return strtod(text, NULL);
}

static double draw_log(app_draw *draw, double low, double high) {
    return digits(exp(app_draw_uniform(draw, log(low), log(high))));
}

static double draw_range(app_draw *draw, const app_range *range) {
    switch (range->kind) {
    case APP_RANGE_UNIFORM:
        return digits(app_draw_uniform(draw, range->low, range->high));
    case APP_RANGE_LOG:
        return draw_log(draw, range->low, range->high);
    case APP_RANGE_COUNT:
        return floor(app_draw_uniform(draw, range->low, range->high + 1));
    case APP_RANGE_MU:
        return app_draw_uniform(draw, 0, 1) < .1 ? 0 : draw_log(draw, range->low, range->high);
    case APP_RANGE_NONE:
        break;
    }
    return 0;
}

// Half of the problems have none of a change that the recipe allows.
static double draw_change(app_draw *draw, double most) {
    return most > 0 && app_draw_uniform(draw, 0, 1) < .5 ? digits(app_draw_uniform(draw, 0, most)) : 0;
}

app_draw app_recipe_draw(const app_recipe *recipe, uint64_t seed, int number, int attempt) {
    app_draw draw = {.state = seed};
    for (const char *c = recipe->family; *c; c++)
        draw.state = next(&draw.state) ^ (unsigned char)*c;
    draw.state = next(&draw.state) ^ (uint64_t)number;
    draw.state = next(&draw.state) ^ (uint64_t)attempt;
    for (int k = 0; k < APP_RECIPE_RANGES && recipe->range[k].parameter; k++)
        draw.parameter[draw.parameters++] =
            (vs_scene_parameter){recipe->range[k].parameter, draw_range(&draw, &recipe->range[k])};
    draw.step = (int)draw_log(&draw, 1, recipe->steps);
    draw.tilt = draw_change(&draw, recipe->tilt);
    draw.heading = digits(app_draw_uniform(&draw, 0, 6.28));
    draw.kick = draw_change(&draw, recipe->kick);
    draw.rolling = recipe->rolling > 0 ? draw_log(&draw, .01 * recipe->rolling, recipe->rolling) : 0;
    return draw;
}

void app_draw_describe(const app_recipe *recipe, const app_draw *draw, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "%s", recipe->scene ? recipe->scene : recipe->family);
    for (int k = 0; k < draw->parameters && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, " %s=%g", draw->parameter[k].name, draw->parameter[k].value);
    if (draw->tilt > 0 && used < size)
        used += (size_t)snprintf(text + used, size - used, "; gravity tilted by %g rad towards %g rad", draw->tilt,
                                 draw->heading);
    if (draw->kick > 0 && used < size)
        used += (size_t)snprintf(text + used, size - used, "; velocities changed by up to %g m/s", draw->kick);
    if (draw->rolling > 0 && used < size)
        used += (size_t)snprintf(text + used, size - used, "; rolling friction %g m", draw->rolling);
    if (used < size)
        (void)snprintf(text + used, size - used, "; step %d", draw->step);
}
