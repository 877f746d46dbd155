// Named scenes of historic masonry: arches of other shapes, vaults, domes, columns, a wall with a window, a tower. All
// joints are dry, and neighbouring stones share whole faces or parts of them, as voussoir statics needs it.
#include "base/elementary.h"
#include "scene/named.h"

#include <math.h>

static double pi(void) {
    return vs_acos(-1.0);
}

// A prism along y between -depth and depth over a convex polygon in the plane of x and z.
static vs_shape *make_prism(vs_builder *b, double (*corner)[2], int corners, double depth) {
    vs_vec3 point[16];
    for (int k = 0; k < 2 * corners; k++)
        point[k] = (vs_vec3){corner[k / 2][0], k % 2 ? depth : -depth, corner[k / 2][1]};
    return vs_make_hull(b, point, 2 * corners);
}

// ---- arches ----------------------------------------------------------------------------------------

// Two arcs of circles that meet in a vertical joint at the crown. radius is that of the intrados; half the span would be
// a round arch, the span itself an equilateral one.
static const vs_scene_parameter pointed_parameters[] = {{"stones", 7}, {"span", 2}, {"radius", 2},    {"thickness", .3},
                                                        {"depth", .4}, {"mu", .7},  {"density", 2400}};

// The stone between two angles above the springing of the right half, whose arc is about (-aside, 0). The last one ends
// in the crown.
static vs_shape *make_pointed_stone(vs_builder *b, double aside, const double radius[2], const double angle[2],
                                    bool last, double depth) {
    double corner[4][2];
    for (int k = 0; k < 4; k++) {
        double r = radius[k == 1 || k == 2], at = angle[k >= 2];
        corner[k][0] = r * vs_cos(at) - aside;
        corner[k][1] = r * vs_sin(at);
        if (last && k >= 2) {
            corner[k][0] = 0;
            corner[k][1] = sqrt(r * r - aside * aside);
        }
    }
    return make_prism(b, corner, 4, depth);
}

static void build_pointed_arch(vs_builder *b) {
    int stones = vs_take_count(b, "stones", 2, 1000); // of a half
    double span = vs_take_positive(b, "span"), inner = vs_take_positive(b, "radius");
    double radius[2] = {inner, inner + vs_take_positive(b, "thickness")};
    double depth = .5 * vs_take_positive(b, "depth"), density = vs_take_positive(b, "density");
    double aside = inner - .5 * span;
    if (!(aside > 0))
        vs_put_fail(b, VS_ERROR_ARGUMENT,
                    "radius (%g m) must be more than half of the span (%g m); scene arch is round", inner, span);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    double angle = b->error ? 0 : vs_acos(aside / inner) / stones; // of a stone
    vs_shape *stone = make_pointed_stone(b, aside, radius, (double[]){0, angle}, false, depth);
    vs_shape *last =
        make_pointed_stone(b, aside, radius, (double[]){(stones - 1) * angle, stones * angle}, true, depth);
    for (int half = 0; half < 2; half++) {
        vs_pose side = vs_at_turned(0, 0, 0, (vs_vec3){0, 0, half * pi()});
        for (int k = 0; k + 1 < stones && !b->error; k++) {
            // The first stone, turned about the centre of the arc.
            vs_pose turned = vs_at_turned(0, 0, 0, (vs_vec3){0, -k * angle, 0});
            vs_vec3 centre = {-aside, 0, 0};
            turned.position = vs_subtract(centre, vs_pose_apply(turned, centre));
            vs_put_body(b, stone, density, vs_pose_multiply(side, turned));
        }
        vs_put_body(b, last, density, side);
    }
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
        vs_put_body(b, make_prism(b, corner, 4, depth), density, vs_at(0, 0, clear));
    }
    double end = .5 * span * wider + height, top = clear + height;
    double corner[5][2] = {{.5 * span, 0}, {.5 * span, clear}, {.5 * span * wider, top}, {end, top}, {end, 0}};
    vs_shape *abutment = make_prism(b, corner, 5, depth);
    for (int half = 0; half < 2; half++)
        vs_put_fixed(b, abutment, vs_at_turned(0, 0, 0, (vs_vec3){0, 0, half * pi()}));
}

// ---- vaults and domes ------------------------------------------------------------------------------

// Round arches side by side, every second one shifted by half a stone: its first and last stones are halves.
static const vs_scene_parameter vault_parameters[] = {{"stones", 9}, {"rings", 4}, {"radius", 1},    {"thickness", .25},
                                                      {"length", 2}, {"mu", .7},   {"density", 2400}};

static void build_vault(vs_builder *b) {
    int stones = vs_take_count(b, "stones", 3, 1000), rings = vs_take_count(b, "rings", 1, 1000);
    double inner = vs_take_positive(b, "radius"), outer = inner + vs_take_positive(b, "thickness");
    double depth = .5 * vs_take_positive(b, "length") / rings, density = vs_take_positive(b, "density");
    double angle = pi() / stones; // of a stone
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *whole = vs_make_wedge(b, inner, outer, depth, angle),
             *half = vs_make_wedge(b, inner, outer, depth, .5 * angle);
    for (int ring = 0; ring < rings; ring++) {
        bool shifted = ring % 2;
        for (int k = 0; k < stones + shifted && !b->error; k++) {
            bool first = shifted && k == 0, last = shifted && k == stones;
            double at = (k - .5 * (stones - 1) - .5 * shifted) * angle + (first ? .25 : last ? -.25 : 0) * angle;
            vs_put_body(b, first || last ? half : whole, density,
                        vs_at_turned(0, (2 * ring + 1 - rings) * depth, 0, (vs_vec3){0, at, 0}));
        }
    }
}

// Rings of equal stones of a half sphere around an opening at the top; `opening` is its half angle, rad. Joints lie on
// cones and meridians. radius is that of the middle surface.
static const vs_scene_parameter dome_parameters[] = {
    {"rings", 6}, {"stones", 12}, {"radius", 2}, {"thickness", .3}, {"opening", .2}, {"mu", .7}, {"density", 2400}};
static void build_dome(vs_builder *b) {
    int rings = vs_take_count(b, "rings", 1, 32), stones = vs_take_count(b, "stones", 4, 1000);
    double radius = vs_take_positive(b, "radius"), thickness = vs_take_positive(b, "thickness");
    double opening = vs_take_positive(b, "opening"), density = vs_take_positive(b, "density");
    if (!(opening < 1.5 && thickness < 2 * radius))
        vs_put_fail(b, VS_ERROR_ARGUMENT,
                    "opening (%g rad) must be less than 1.5 and thickness (%g m) than twice the radius", opening,
                    thickness);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    double sector = 2 * pi() / stones, high = (.5 * pi() - opening) / rings;
    for (int ring = 0; ring < rings && !b->error; ring++) {
        vs_vec3 point[8];
        for (int k = 0; k < 8; k++) {
            double r = radius + (k & 1 ? .5 : -.5) * thickness, side = (k & 2 ? .5 : -.5) * sector;
            double polar = opening + (ring + (k & 4 ? 1 : 0)) * high;
            bool base = ring + 1 == rings && k & 4; // on the floor
            point[k] = (vs_vec3){r * vs_sin(polar) * vs_cos(side), r * vs_sin(polar) * vs_sin(side),
                                 base ? 0 : r * vs_cos(polar)};
        }
        vs_shape *stone = vs_make_hull(b, point, 8);
        for (int k = 0; k < stones && !b->error; k++)
            vs_put_body(b, stone, density, vs_at_turned(0, 0, 0, (vs_vec3){0, 0, k * sector}));
    }
}

// ---- columns ---------------------------------------------------------------------------------------

enum { COLUMN_SIDES = 12 };

// A drum of a column: a prism along z with polygons of other radii below and above.
static vs_shape *make_drum(vs_builder *b, double below, double above, double height) {
    vs_vec3 point[2 * COLUMN_SIDES];
    for (int k = 0; k < 2 * COLUMN_SIDES; k++) {
        int side = k / 2;
        double r = k % 2 ? above : below, angle = (side + .5) * 2 * pi() / COLUMN_SIDES;
        point[k] = (vs_vec3){r * vs_cos(angle), r * vs_sin(angle), k % 2 ? height : 0};
    }
    return vs_make_hull(b, point, 2 * COLUMN_SIDES);
}

// Columns of tapering drums in a row, with beams from axis to axis. One column stands alone and free.
static const vs_scene_parameter colonnade_parameters[] = {{"columns", 3}, {"drums", 7},     {"radius", .5},
                                                          {"taper", .8},  {"height", 5},    {"span", 2.5},
                                                          {"mu", .7},     {"density", 2400}};
static void build_colonnade(vs_builder *b) {
    int columns = vs_take_count(b, "columns", 1, 1000), drums = vs_take_count(b, "drums", 1, 30);
    double radius = vs_take_positive(b, "radius"), taper = vs_take_positive(b, "taper");
    double height = vs_take_positive(b, "height"), span = vs_take_positive(b, "span");
    double density = vs_take_positive(b, "density"), top = radius * taper; // radius there
    if (!(span > 2 * radius && taper <= 1))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "span (%g m) must be more than a diameter (%g m), and taper (%g) at most 1",
                    span, 2 * radius, taper);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    for (int drum = 0; drum < drums && !b->error; drum++) {
        double below = radius + (top - radius) * drum / drums, above = radius + (top - radius) * (drum + 1) / drums;
        vs_shape *shape = make_drum(b, below, above, height / drums);
        for (int k = 0; k < columns; k++)
            vs_put_body(b, shape, density, vs_at(span * (k - .5 * (columns - 1)), 0, height * drum / drums));
    }
    vs_shape *beam = vs_make_box(b, .5 * span, .7 * top, .5 * top);
    for (int k = 0; k + 1 < columns; k++)
        vs_put_body(b, beam, density, vs_at(span * (k + 1 - .5 * columns), 0, height + .5 * top));
}

// ---- walls of bricks -------------------------------------------------------------------------------

// Half sides of a brick, m.
static const double BRICK_X = .12, BRICK_Y = .05, BRICK_Z = .035;

// One course of a wall from one end to another in half bricks; joints of every second course are shifted by one.
typedef struct course {
    vs_builder *b;
    vs_shape *whole, *half;
    double density, centre; // m, of the wall
} course;

static void put_brick(const course *c, vs_shape *shape, double middle, int row) {
    vs_put_body(c->b, shape, c->density, vs_at(BRICK_X * middle - c->centre, 0, BRICK_Z * (2 * row + 1)));
}

static void put_course(const course *c, int from, int to, int row) {
    if (from < to && (from + row) % 2)
        put_brick(c, c->half, from++ + .5, row);
    for (; from + 2 <= to; from += 2)
        put_brick(c, c->whole, from + 1, row);
    if (from < to)
        put_brick(c, c->half, from + .5, row);
}

// A wall in running bond with an opening in its middle and a lintel that rests on half a brick at both ends.
static const vs_scene_parameter window_parameters[] = {{"rows", 9},    {"columns", 7}, {"sill", 2},      {"clear", 4},
                                                       {"opening", 3}, {"mu", .6},     {"density", 1800}};
static void build_window_wall(vs_builder *b) {
    int rows = vs_take_count(b, "rows", 1, 1000), columns = vs_take_count(b, "columns", 3, 1000);
    int sill = vs_take_count(b, "sill", 0, 1000), clear = vs_take_count(b, "clear", 1, 1000); // courses
    int opening = vs_take_count(b, "opening", 1, 1000);                                       // bricks
    if (!(opening + 2 <= columns && sill + clear < rows))
        vs_put_fail(
            b, VS_ERROR_ARGUMENT,
            "the opening (%d bricks, courses %d to %d) and its lintel must lie in the wall (%d bricks, %d courses), "
            "with one brick beside them",
            opening, sill + 1, sill + clear, columns, rows);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    course c = {.b = b, .density = vs_take_positive(b, "density"), .centre = BRICK_X * columns};
    c.whole = vs_make_box(b, BRICK_X, BRICK_Y, BRICK_Z);
    c.half = vs_make_box(b, .5 * BRICK_X, BRICK_Y, BRICK_Z);
    vs_shape *lintel = vs_make_box(b, BRICK_X * (opening + 1), BRICK_Y, BRICK_Z);
    int left = columns - opening, right = columns + opening; // of the opening
    for (int row = 0; row < rows && !b->error; row++) {
        bool open = row >= sill && row < sill + clear, above = row == sill + clear;
        if (above)
            put_brick(&c, lintel, columns, row);
        if (open || above) {
            put_course(&c, 0, left - above, row);
            put_course(&c, right + above, 2 * columns, row);
        } else {
            put_course(&c, 0, 2 * columns, row);
        }
    }
}

// A square tower, hollow: in each course four walls of bricks run from their corner to the next wall, in every second
// course the other way round.
static const vs_scene_parameter tower_parameters[] = {{"courses", 12}, {"bricks", 2}, {"mu", .6}, {"density", 1800}};
static void build_tower(vs_builder *b) {
    int courses = vs_take_count(b, "courses", 1, 10000), bricks = vs_take_count(b, "bricks", 1, 1000);
    double density = vs_take_positive(b, "density"), quarter = .5 * pi();
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *brick = vs_make_box(b, BRICK_X, BRICK_Y, BRICK_Z);
    double half = BRICK_X * bricks + BRICK_Y; // of an outer side
    for (int row = 0; row < courses; row++)
        for (int k = 0; k < 4 * bricks && !b->error; k++) {
            double along = (2 * (k % bricks) + 1) * BRICK_X - half, way = row % 2 ? -1 : 1;
            int side = k / bricks;
            vs_pose turned = vs_at_turned(0, 0, 0, (vs_vec3){0, 0, side * quarter});
            vs_put_body(b, brick, density,
                        vs_pose_multiply(turned, vs_at(way * along, BRICK_Y - half, BRICK_Z * (2 * row + 1))));
        }
}

const vs_named vs_named_vaults[] = {
    VS_NAMED("pointed-arch", "two arcs of stones that meet at the crown", pointed_parameters, build_pointed_arch),
    VS_NAMED("flat-arch", "a level arch between fixed abutments", flat_parameters, build_flat_arch),
    VS_NAMED("barrel-vault", "round arches side by side, in bond", vault_parameters, build_vault),
    VS_NAMED("dome", "rings of stones around an opening", dome_parameters, build_dome),
    VS_NAMED("colonnade", "columns of drums that carry beams", colonnade_parameters, build_colonnade),
    VS_NAMED("window-wall", "a brick wall with an opening and its lintel", window_parameters, build_window_wall),
    VS_NAMED("brick-tower", "a hollow square tower of bricks", tower_parameters, build_tower),
    {{0}, 0},
};
