// Parts of a rope with several rough stations: it is cut in the straight part behind each of them but the last one.
//
// With the lengths x and y of part k before its station and behind it, which end where the part is cut, and the tensions T and U
// there, its law is that of a rope with one rough station (theory.md): the impulses (T + U)/2 and U - T belong to the velocities
// -(x + y)' and (x - y)'/2. A cut moves along the line at the speed w, in the sense of the path, which is an unknown of the step
// (step/rows/rope_beads.c): the rows here are those for w = 0. The terms of the cable are at its end.
#include "body/cable/rope_part.h"

#include "base/elementary.h"
#include "base/vec.h"
#include "body/cable/path.h"
#include "body/joint_coordinate.h"

// The derivative of the length from the second end of leg `first`, if it is cut there, to that of leg `last`.
static void add_side(const vs_world *world, const vs_cable_path *path, int first, int last, double factor,
                     vs_joint_row *row) {
    vs_joint_row side = {.bodies = 0};
    vs_cable_add_legs(world, path, first, last, &side);
    for (int k = 0; k < side.bodies; k++)
        vs_cable_add_part(side.body[k], factor, side.J[k], row);
}

// Adds the rate of the cut leg as one of its ends, 0 or 1, makes it, the cut at rest.
static void add_cut(const vs_world *world, const vs_cable_leg *leg, int side, double factor, vs_joint_row *row) {
    const vs_body *body = &world->body[leg->body[side]];
    const vs_vec3 arm = vs_subtract(leg->end[side], body->pose.position), u = leg->along;
    const vs_vec3 t = vs_rotate_back(body->pose.rotation, vs_cross(arm, u));
    vs_cable_add_part(leg->body[side], side ? factor : -factor, (double[6]){u.x, u.y, u.z, t.x, t.y, t.z}, row);
}

static double length_of(const vs_cable_path *path, int first, int last) {
    double length = 0;
    for (int k = first; k < last; k++)
        length += vs_length(vs_subtract(path->leg[k].end[1], path->leg[k].end[0]));
    return length;
}

// The part with its station behind leg `at`, from leg `begin`, cut if it is not the first one, to the cut in leg at + 1, or to the
// end.
static void set_part(const vs_world *world, const vs_cable_path *path, int begin, int at, bool last,
                     vs_rope_part *part) {
    const double before[2] = {-1, .5}, behind[2] = {-1, -.5};
    vs_joint_row *row[2] = {&part->along, &part->slip};
    vs_joint_row_clear(&part->along);
    vs_joint_row_clear(&part->slip);
    part->along.kind = VS_ROW_UNILATERAL, part->slip.kind = VS_ROW_SLIP;
    // cppcheck-suppress pointerOutOfBoundsCond ; begin < legs
    const vs_cable_leg *cut = begin > 0 ? path->leg + begin : NULL;
    const int whole = cut ? begin + 1 : 0; // first leg that is not cut
    for (int i = 0; i < 2; i++) {
        if (cut)
            add_cut(world, cut, 1, before[i], row[i]);
        add_side(world, path, whole, at + 1, before[i], row[i]);
        if (last)
            add_side(world, path, at + 1, path->legs, behind[i], row[i]);
        else
            add_cut(world, &path->leg[at + 1], 0, behind[i], row[i]);
    }
    part->share = length_of(path, whole, at + 1) + (cut ? .5 * length_of(path, begin, whole) : 0);
    part->share += last ? length_of(path, at + 1, path->legs) : .5 * length_of(path, at + 1, at + 2);
}

static void add_terms(const vs_world *world, const vs_joint_def *def, vs_rope_part *last) {
    for (int k = 0; k < def->terms; k++) {
        (void)vs_joint_term_add(world, &def->term[k], -1, &last->along);
        (void)vs_joint_term_add(world, &def->term[k], -.5, &last->slip);
    }
}

int vs_rope_parts(const vs_world *world, const vs_joint *joint, vs_rope_part part[VS_ROPE_PARTS_MOST]) {
    const vs_joint_def *def = &joint->def;
    const int count = vs_rope_stations(world, joint);
    vs_cable_path path;
    int found = 0, begin = 0;
    double all = 0;
    if (count == 0)
        return 0;
    vs_cable_trace(world, def, &path);
    for (int k = 0; k + 1 < path.legs && found < count; k++) {
        const double mu = vs_cable_coefficient(def, &path, k);
        if (!(mu > 0))
            continue;
        set_part(world, &path, begin, k, found + 1 == count, &part[found]);
        part[found].mu = mu;
        all += part[found++].share;
        begin = k + 1;
    }
    for (int k = 0; k < found; k++)
        part[k].share = all > 0 ? part[k].share / all : 1. / found;
    part[0].along.direction[0] = 1, part[0].slip.direction[0] = -.5;
    part[found - 1].along.direction[1] = 1, part[found - 1].slip.direction[1] = .5;
    add_terms(world, def, &part[found - 1]);
    return found;
}
