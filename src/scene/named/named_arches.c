// Named scenes of arches of other shapes and of a bridge with its fill. All joints are dry, and neighbouring stones share
// whole faces or parts of them, as voussoir statics needs it.
#include "base/elementary.h"
#include "scene/named/named.h"

#include <math.h>

static double pi(void) {
    return vs_acos(-1.0);
}

// Two arcs of circles that meet in a vertical joint at the crown. radius is that of the intrados; half the span would be
// a round arch, the span itself an equilateral one.
static const vs_scene_parameter pointed_parameters[] = {{"stones", 7}, {"span", 2}, {"radius", 2},    {"thickness", .3},
                                                        {"depth", .4}, {"mu", .7},  {"density", 2400}};

static void build_pointed_arch(vs_builder *b) {
    int stones = vs_take_count(b, "stones", 2, 1000); // of a half
    double span = vs_take_positive(b, "span"), inner = vs_take_positive(b, "radius");
    double outer = inner + vs_take_positive(b, "thickness");
    double depth = .5 * vs_take_positive(b, "depth"), density = vs_take_positive(b, "density");
    double aside = inner - .5 * span;
    if (!(aside > 0))
        vs_put_fail(b, VS_ERROR_ARGUMENT,
                    "radius (%g m) must be more than half of the span (%g m); scene arch is round", inner, span);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    for (int half = 0; half < 2; half++)
        vs_put_half_arch(b, &(vs_half_arch){aside, inner, outer, 0, stones, depth}, density,
                         vs_at_turned(0, 0, 0, (vs_vec3){0, 0, half * pi()}));
}

// A level arch between two fixed abutments. Its joints point to one centre below; `skew` is the angle of the outermost
// ones from the vertical, rad.
static const vs_scene_parameter flat_parameters[] = {{"stones", 9}, {"span", 1.5}, {"height", .4}, {"skew", .4},
                                                     {"depth", .4}, {"clear", 1},  {"mu", .7},     {"density", 2400}};
static void build_flat_arch(vs_builder *b) {
    int stones = vs_take_count(b, "stones", 1, 30);
    double span = vs_take_positive(b, "span"), height = vs_take_positive(b, "height"),
           skew = vs_take_positive(b, "skew");
    double depth = .5 * vs_take_positive(b, "depth"), clear = vs_take_positive(b, "clear");
    double density = vs_take_positive(b, "density");
    if (!(skew < 1.4))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter skew must be less than 1.4 rad, is %g", skew);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    double wider = b->error ? 1 : 1 + 2 * height * vs_tan(skew) / span; // the upper side over the lower one
    for (int k = 0; k < stones && !b->error; k++) {
        double left = span * ((double)k / stones - .5), right = span * ((double)(k + 1) / stones - .5);
        double corner[4][2] = {{left, 0}, {right, 0}, {wider * right, height}, {wider * left, height}};
        vs_put_body(b, vs_make_prism(b, corner, 4, depth), density, vs_at(0, 0, clear));
    }
    double end = .5 * span * wider + height, top = clear + height;
    double corner[5][2] = {{.5 * span, 0}, {.5 * span, clear}, {.5 * span * wider, top}, {end, top}, {end, 0}};
    vs_shape *abutment = vs_make_prism(b, corner, 5, depth);
    for (int half = 0; half < 2; half++)
        vs_put_fixed(b, abutment, vs_at_turned(0, 0, 0, (vs_vec3){0, 0, half * pi()}));
}

// A round arch on the floor between fixed walls, under a level road. On each of its stones stand three blocks side by
// side: the fill between two spandrel walls. `cover` is the height of the fill above the crown, `fill` its density.
static const vs_scene_parameter filled_parameters[] = {{"stones", 15}, {"radius", 1.5},   {"thickness", .3},
                                                       {"depth", 1.2}, {"wall", .25},     {"cover", .3},
                                                       {"mu", .6},     {"density", 2400}, {"fill", 1800}};

// Blocks above an arc of the extrados: side by side along y, the walls at both ends.
static void put_spandrel(vs_builder *b, double (*corner)[2], double depth, double wall, const double density[2]) {
    vs_shape *side = vs_make_prism(b, corner, 4, .5 * wall), *fill = vs_make_prism(b, corner, 4, depth - wall);
    vs_put_body(b, side, density[0], vs_at(0, .5 * wall - depth, 0));
    vs_put_body(b, fill, density[1], vs_at(0, 0, 0));
    vs_put_body(b, side, density[0], vs_at(0, depth - .5 * wall, 0));
}

static void build_filled_bridge(vs_builder *b) {
    const int stones = vs_take_count(b, "stones", 3, 200);
    const double inner = vs_take_positive(b, "radius"), outer = inner + vs_take_positive(b, "thickness");
    const double depth = .5 * vs_take_positive(b, "depth"), wall = vs_take_positive(b, "wall");
    const double road = outer + vs_take_positive(b, "cover"), angle = pi() / stones;
    const double density[2] = {vs_take_positive(b, "density"), vs_take_positive(b, "fill")};
    if (!(wall < depth))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "wall (%g m) must be less than half of the depth (%g m)", wall, 2 * depth);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *stone = vs_make_wedge(b, inner, outer, depth, angle);
    for (int k = 0; k < stones && !b->error; k++)
        vs_put_body(b, stone, density[0], vs_at_turned(0, 0, 0, (vs_vec3){0, (k - .5 * (stones - 1)) * angle, 0}));
    for (int k = 0; k < stones && !b->error; k++) {
        const double from = k * angle, to = (k + 1) * angle, right = k > 0 ? outer * vs_cos(from) : outer;
        const double left = k + 1 < stones ? outer * vs_cos(to) : -outer;
        double corner[4][2] = {{right, k > 0 ? outer * vs_sin(from) : 0},
                               {right, road},
                               {left, road},
                               {left, k + 1 < stones ? outer * vs_sin(to) : 0}};
        put_spandrel(b, corner, depth, wall, density);
    }
    vs_shape *abutment = vs_make_box(b, .25, depth, .5 * road);
    for (int side = -1; side <= 1; side += 2)
        vs_put_fixed(b, abutment, vs_at(side * (outer + .25), 0, .5 * road));
}

const vs_named vs_named_arches[] = {
    VS_NAMED("pointed-arch", "two arcs of stones that meet at the crown", pointed_parameters, build_pointed_arch),
    VS_NAMED("flat-arch", "a level arch between fixed abutments", flat_parameters, build_flat_arch),
    VS_NAMED("filled-bridge", "an arch with spandrels and fill under a road", filled_parameters, build_filled_bridge),
    {{0}, 0},
};
