// Named scenes of dry masonry and of structures of planks and cards, which stand by friction alone.
#include "base/elementary.h"
#include "scene/named/named.h"

#include <math.h>

// A wall in running bond: rows of `columns` and `columns` - 1 bricks in turn.
static const vs_scene_parameter wall_parameters[] = {{"rows", 5}, {"columns", 5}, {"mu", .5}, {"density", 1800}};
static void build_wall(vs_builder *b) {
    int rows = vs_take_count(b, "rows", 1, 1000), columns = vs_take_count(b, "columns", 2, 1000);
    double x = .12, y = .05, z = .035, density = vs_take_positive(b, "density"); // half sides
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *brick = vs_make_box(b, x, y, z);
    for (int row = 0; row < rows; row++)
        for (int k = 0; k < columns - row % 2 && !b->error; k++) {
            double at = 2 * x * k + (row % 2 ? x : 0) - x * (columns - 1);
            vs_put_body(b, brick, density, vs_at(at, 0, z * (2 * row + 1)));
        }
}

// A half circle of equal wedges on the floor.
static const vs_scene_parameter arch_parameters[] = {{"stones", 11}, {"radius", 1}, {"thickness", .3},
                                                     {"depth", .4},  {"mu", .7},    {"density", 2400}};
static void build_arch(vs_builder *b) {
    int stones = vs_take_count(b, "stones", 3, 1000);
    double inner = vs_take_positive(b, "radius"), outer = inner + vs_take_positive(b, "thickness");
    double depth = .5 * vs_take_positive(b, "depth"), density = vs_take_positive(b, "density");
    double angle = vs_acos(-1.0) / stones; // of a stone
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *stone = vs_make_wedge(b, inner, outer, depth, angle);
    for (int k = 0; k < stones && !b->error; k++)
        vs_put_body(b, stone, density, vs_at_turned(0, 0, 0, (vs_vec3){0, (k - .5 * (stones - 1)) * angle, 0}));
}

// A half circle of equal wedges between two free-standing piers, whose faces below the arch are flush with it. radius
// is that of the middle line, as usual for the ratio thickness/radius; height and width are those of a pier, which widens
// downwards on its outer side by `batter` times its height: a buttress.
static const vs_scene_parameter stone_bridge_parameters[] = {{"stones", 15}, {"radius", 1},  {"thickness", .2},
                                                             {"depth", .4},  {"height", .5}, {"width", 1},
                                                             {"batter", 0},  {"mu", .7},     {"density", 2400}};
static void build_stone_bridge(vs_builder *b) {
    int stones = vs_take_count(b, "stones", 3, 1000);
    double radius = vs_take_positive(b, "radius"), thickness = vs_take_positive(b, "thickness");
    double inner = radius - .5 * thickness, depth = .5 * vs_take_positive(b, "depth");
    double height = vs_take_positive(b, "height"), width = vs_take_positive(b, "width");
    double batter = vs_take_not_negative(b, "batter");
    double density = vs_take_positive(b, "density"), angle = vs_acos(-1.0) / stones; // of a stone
    if (!(inner > 0 && width >= thickness))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "thickness (%g m) must be less than twice the radius and at most the width",
                    thickness);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    if (batter > 0) {
        double corner[4][2] = {
            {inner, 0}, {inner, height}, {inner + width, height}, {inner + width + batter * height, 0}};
        vs_shape *pier = vs_make_prism(b, corner, 4, depth);
        for (int side = 0; side < 2; side++)
            vs_put_body(b, pier, density, vs_at_turned(0, 0, 0, (vs_vec3){0, 0, (1 - side) * vs_acos(-1.0)}));
    } else {
        vs_shape *pier = vs_make_box(b, .5 * width, depth, .5 * height);
        for (int side = -1; side <= 1; side += 2)
            vs_put_body(b, pier, density, vs_at(side * (inner + .5 * width), 0, .5 * height));
    }
    vs_shape *stone = vs_make_wedge(b, inner, inner + thickness, depth, angle);
    for (int k = 0; k < stones && !b->error; k++)
        vs_put_body(b, stone, density, vs_at_turned(0, 0, height, (vs_vec3){0, (k - .5 * (stones - 1)) * angle, 0}));
}

// Planks of 8 x 24 x 120 mm, two per level, crosswise.
static const vs_scene_parameter kapla_parameters[] = {{"levels", 10}, {"mu", .4}, {"density", 600}};
static void build_kapla(vs_builder *b) {
    int levels = vs_take_count(b, "levels", 1, 10000);
    double x = .06, y = .012, z = .004, density = vs_take_positive(b, "density"), quarter = .5 * vs_acos(-1.0);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *along = vs_make_box(b, x, y, z);
    for (int level = 0; level < levels; level++)
        for (int side = -1; side <= 1 && !b->error; side += 2) {
            double aside = side * (x - y), up = z * (2 * level + 1);
            if (level % 2)
                vs_put_body(b, along, density, vs_at_turned(aside, 0, up, (vs_vec3){0, 0, quarter}));
            else
                vs_put_body(b, along, density, vs_at(0, aside, up));
        }
}

// Pairs of leaning cards with level cards on top, one pair fewer per storey.
static const vs_scene_parameter card_parameters[] = {{"levels", 3}, {"lean", .35}, {"mu", .8}};
static void build_cards(vs_builder *b) {
    int levels = vs_take_count(b, "levels", 1, 200);
    double a = .045, y = .03, t = .0005, lean = vs_take_positive(b, "lean"); // half length, width, thickness
    if (lean > .5)
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter lean must be at most 0.5 rad, is %g", lean);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *card = vs_make_box(b, t, y, a), *level_card = vs_make_box(b, a, y, t);
    // Leaning cards touch in one edge at the top; level cards end above it, next to each other.
    double height = a * vs_cos(lean) + t * vs_sin(lean), aside = a * vs_sin(lean) + t * vs_cos(lean), pitch = 2 * a + t;
    for (int level = 0; level < levels; level++) {
        double base = level * (2 * height + 2 * t);
        int pairs = levels - level;
        for (int k = 0; k < pairs && !b->error; k++) {
            double x = (k - .5 * (pairs - 1)) * pitch;
            vs_put_body(b, card, 900, vs_at_turned(x - aside, 0, base + height, (vs_vec3){0, lean, 0}));
            vs_put_body(b, card, 900, vs_at_turned(x + aside, 0, base + height, (vs_vec3){0, -lean, 0}));
            if (k + 1 < pairs)
                vs_put_body(b, level_card, 900, vs_at(x + .5 * pitch, 0, base + 2 * height + t));
        }
    }
}

const vs_named vs_named_masonry[] = {
    VS_NAMED("brick-wall", "bricks in running bond", wall_parameters, build_wall),
    VS_NAMED("arch", "a half circle of wedge stones", arch_parameters, build_arch),
    VS_NAMED("stone-bridge", "an arch on two free piers", stone_bridge_parameters, build_stone_bridge),
    VS_NAMED("kapla-tower", "planks in pairs, crosswise", kapla_parameters, build_kapla),
    VS_NAMED("card-house", "leaning and level cards", card_parameters, build_cards),
    {{0}, 0},
};
