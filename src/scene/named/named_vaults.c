// Named scenes of historic masonry: vaults, domes, columns, a wall with a window, a tower. All
// joints are dry, and neighbouring stones share whole faces or parts of them, as voussoir statics needs it.
#include "base/elementary.h"
#include "scene/named/named.h"

#include <math.h>

static double pi(void) {
    return vs_acos(-1.0);
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

// Two barrel vaults of one radius that cross: four webs, which meet in mitred joints on the diagonals. A web runs along x;
// its courses are numbered from the crown to both sides. It springs from fixed abutments at the angle `springing` above
// the horizontal, rad, and ends at a free arch.
static const vs_scene_parameter groin_parameters[] = {
    {"courses", 5}, {"rings", 3}, {"radius", 2}, {"thickness", .3}, {"springing", .4}, {"mu", .7}, {"density", 2400}};

typedef struct web {
    double radius[2]; // inner, outer
    double end;       // m, of the web along x
} web;

// A stone of a course between two angles from the crown, from the diagonal (first) or from x = `from` to x = `to`.
static vs_shape *make_web_stone(vs_builder *b, const web *w, const double angle[2], bool first, double from,
                                double to) {
    vs_vec3 point[10];
    int points = 0;
    for (int k = 0; k < 4; k++) {
        const double r = w->radius[k / 2], y = r * vs_sin(angle[k % 2]), z = r * vs_cos(angle[k % 2]);
        point[points++] = (vs_vec3){first ? fabs(y) : from, y, z};
        point[points++] = (vs_vec3){to, y, z};
    }
    const bool crown = first && angle[0] < 0 && angle[1] > 0; // its end is pointed
    for (int k = 0; k < 2 && crown; k++)
        point[points++] = (vs_vec3){0, 0, w->radius[k] * vs_cos(angle[1])};
    return vs_make_hull(b, point, points);
}

static void put_in_all_webs(vs_builder *b, vs_shape *stone, double density) {
    for (int side = 0; side < 4; side++) {
        const vs_pose pose = vs_at_turned(0, 0, 0, (vs_vec3){0, 0, .5 * pi() * side});
        if (density > 0)
            vs_put_body(b, stone, density, pose);
        else
            vs_put_fixed(b, stone, pose);
    }
}

// One course of all webs; joints across it are shifted by half a ring in every second one.
static void put_web_course(vs_builder *b, const web *w, const double angle[2], int course, int rings, double density) {
    const double ring = w->end / rings, widest = w->radius[1] * vs_sin(fmax(fabs(angle[0]), fabs(angle[1])));
    double from = 0;
    bool first = true;
    for (int k = 0; k <= rings && !b->error; k++) {
        const double cut = ring * (k + (course % 2 ? .5 : 1));
        const bool last = cut > w->end - .25 * ring;
        if (!last && first && cut < widest + .25 * ring)
            continue;
        put_in_all_webs(b, make_web_stone(b, w, angle, first, from, last ? w->end : cut), density);
        if (last)
            break;
        from = cut;
        first = false;
    }
}

static void build_groin_vault(vs_builder *b) {
    const int courses = vs_take_count(b, "courses", 1, 20), rings = vs_take_count(b, "rings", 1, 6);
    const double inner = vs_take_positive(b, "radius"), outer = inner + vs_take_positive(b, "thickness");
    const double springing = vs_take_positive(b, "springing"), density = vs_take_positive(b, "density");
    if (!(springing < 1))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter springing must be less than 1 rad, is %g", springing);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    const double half = .5 * pi() - springing, step = half / (courses + .5); // rad, of the web and of a course
    const web w = {{inner, outer}, outer};
    put_web_course(b, &w, (double[]){-.5 * step, .5 * step}, 0, rings, density);
    for (int course = 1; course <= courses && !b->error; course++) {
        const double low = (course - .5) * step, high = (course + .5) * step;
        put_web_course(b, &w, (double[]){low, high}, course, rings, density);
        put_web_course(b, &w, (double[]){-high, -low}, course, rings, density);
    }
    const double foot = half + fmin(step, springing);
    put_in_all_webs(b, make_web_stone(b, &w, (double[]){half, foot}, true, 0, w.end), 0);
    put_in_all_webs(b, make_web_stone(b, &w, (double[]){-foot, -half}, true, 0, w.end), 0);
}

// Half arches from the floor to a boss, a prism with a side for each of them. radius is that of their intrados, span the
// distance of opposite springings.
static const vs_scene_parameter rib_parameters[] = {{"ribs", 8},        {"stones", 6},  {"span", 4}, {"radius", 2.6},
                                                    {"thickness", .25}, {"width", .25}, {"mu", .7},  {"density", 2400}};
static void build_rib_vault(vs_builder *b) {
    const int ribs = vs_take_count(b, "ribs", 3, 24), stones = vs_take_count(b, "stones", 2, 1000);
    const double span = vs_take_positive(b, "span"), inner = vs_take_positive(b, "radius");
    const double radius[2] = {inner, inner + vs_take_positive(b, "thickness")}, width = vs_take_positive(b, "width");
    const double density = vs_take_positive(b, "density"), aside = inner - .5 * span, sector = 2 * pi() / ribs;
    const double boss = 1.2 * .5 * width / vs_tan(.5 * sector); // m, from its axis to a side
    if (!(aside >= 0 && boss < .4 * span))
        vs_put_fail(
            b, VS_ERROR_ARGUMENT,
            "radius (%g m) must be at least half of the span (%g m), and the ribs (%d, %g m wide) must find room "
            "around the boss",
            inner, span, ribs, width);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    for (int rib = 0; rib < ribs && !b->error; rib++)
        vs_put_half_arch(b, &(vs_half_arch){aside, radius[0], radius[1], boss, stones, .5 * width}, density,
                         vs_at_turned(0, 0, 0, (vs_vec3){0, 0, rib * sector}));
    vs_vec3 point[48];
    for (int k = 0; k < 2 * ribs && !b->error; k++) {
        const int side = k / 2;
        const double corner = boss / vs_cos(.5 * sector), at = (side + .5) * sector, r = radius[k % 2];
        point[k] = (vs_vec3){corner * vs_cos(at), corner * vs_sin(at), sqrt(r * r - (aside + boss) * (aside + boss))};
    }
    if (!b->error)
        vs_put_body(b, vs_make_hull(b, point, 2 * ribs), density, vs_at(0, 0, 0));
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
    VS_NAMED("barrel-vault", "round arches side by side, in bond", vault_parameters, build_vault),
    VS_NAMED("groin-vault", "two crossing barrel vaults on four abutments", groin_parameters, build_groin_vault),
    VS_NAMED("rib-vault", "half arches that meet in a boss", rib_parameters, build_rib_vault),
    VS_NAMED("dome", "rings of stones around an opening", dome_parameters, build_dome),
    VS_NAMED("colonnade", "columns of drums that carry beams", colonnade_parameters, build_colonnade),
    VS_NAMED("window-wall", "a brick wall with an opening and its lintel", window_parameters, build_window_wall),
    VS_NAMED("brick-tower", "a hollow square tower of bricks", tower_parameters, build_tower),
    {{0}, 0},
};
