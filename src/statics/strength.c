// Joints between bodies and mortar as parts of the cone program.
//
// Joints. Each direction in which a joint transmits a force or a moment is a cone of one row: a tie that pulls has one, a rod or
// a bearing two, one for either sign. They have no friction and no limit of strength.
//
// Mortar. With the share A of the interface's area and friction mu, a corner of an interface carries
//
//     |l_T| <= A cohesion + mu l_n,   l_n >= -A tension,   l_n <= A compression
//
// The first is the friction cone with its apex at l_n = -A cohesion/mu: z = l + apex e_n is in K, and the loads change by
// -D'(apex e_n). Where the tension is less, the normal force is l_n = z_2 - A tension instead, a row of its own, which the
// loads change by; z_n bounds friction alone. Both bounds have columns of their own,
//
//     z_n - z_2 = apex - A tension,   z_n + z_3 = apex + A compression,   z_2, z_3 >= 0
//
// Tension above cohesion/mu is none. The strength is that of the first moment, everywhere at once.
#include "statics/strength.h"

#include <math.h>

#include "statics/scope.h"

static const double TAUT = 1e-6; // relative: a tie that is shorter by less is taut
static const double FITS = 1e-3; // relative: a tie or rod whose length differs by more was not meant so

// ---- joints ------------------------------------------------------------------------------------------

typedef struct joint_rows {
    vs_statics *s;
    vs_link link; // the next one
} joint_rows;

static void add_link(joint_rows *j, vs_vec3 direction, bool moment) {
    j->link.direction = direction;
    j->link.moment = moment;
    j->s->link[j->s->links++] = j->link;
}

static void add_both(joint_rows *j, vs_vec3 direction, bool moment) {
    j->link.both = true;
    add_link(j, direction, moment);
    add_link(j, vs_scale(-1, direction), moment);
    j->link.both = false;
}

// A rod, a tie that pulls at its full length, or a prop that pushes at its least one. False: it is slack.
static bool add_distance(joint_rows *j, const vs_joint_def *def) {
    const vs_vec3 along = vs_subtract(j->link.point[1], j->link.point[0]), n = vs_normalize(along);
    const double length = vs_length(along);
    if (!def->limited) {
        add_both(j, n, false);
        return true;
    }
    const bool taut = length >= def->high * (1 - TAUT), pressed = def->low > 0 && length <= def->low * (1 + TAUT);
    if (taut)
        add_link(j, vs_scale(-1, n), false);
    if (pressed)
        add_link(j, n, false);
    return taut || pressed;
}

// Forces and moments of the other kinds, in the axes of frame A; the universal joint's cross has z of A and x of B.
static void add_bearing(joint_rows *j, vs_joint_kind kind, vs_quat a, vs_quat b) {
    static const struct {
        bool force[3], moment[3];
    } rows[] = {
        [VS_JOINT_FIXED] = {{true, true, true}, {true, true, true}},
        [VS_JOINT_SPHERICAL] = {{true, true, true}, {false, false, false}},
        [VS_JOINT_REVOLUTE] = {{true, true, true}, {true, true, false}},
        [VS_JOINT_PRISMATIC] = {{true, true, false}, {true, true, true}},
        [VS_JOINT_CYLINDRICAL] = {{true, true, false}, {true, true, false}},
        [VS_JOINT_UNIVERSAL] = {{true, true, true}, {false, false, false}},
        [VS_JOINT_PLANAR] = {{false, false, true}, {true, true, false}},
        [VS_JOINT_CONSTANT_VELOCITY] = {{true, true, true}, {false, false, false}},
    };
    for (int k = 0; k < 3; k++) {
        const vs_vec3 axis = vs_rotate(a, (vs_vec3){k == 0, k == 1, k == 2});
        if (rows[kind].force[k])
            add_both(j, axis, false);
        if (rows[kind].moment[k])
            add_both(j, axis, true);
    }
    const vs_vec3 z = {0, 0, 1};
    if (kind == VS_JOINT_CONSTANT_VELOCITY)
        add_both(j, vs_normalize(vs_add(vs_rotate(a, z), vs_rotate(b, z))), true);
    if (kind == VS_JOINT_UNIVERSAL)
        add_both(j, vs_normalize(vs_cross(vs_rotate(a, (vs_vec3){0, 0, 1}), vs_rotate(b, (vs_vec3){1, 0, 0}))), true);
}

// A rod of another length than the distance of its ends, or a tie that is too short, is under a stress that nobody meant.
static vs_error check_length(const vs_statics *s, const vs_joint *it, double length) {
    const double low = it->def.limited ? it->def.low : it->def.length,
                 high = it->def.limited ? it->def.high : it->def.length;
    if (length >= low - FITS * high && length <= high * (1 + FITS))
        return VS_OK;
    return vs_fail(
        s->context, VS_ERROR_DATA,
        "statics: joint '%s' has the length %.6g m, but its ends are %.6g m apart; frame_a and frame_b are in "
        "the frames of their bodies",
        it->name ? it->name : "", length > high ? high : low, length);
}

static vs_error add_joint(vs_statics *s, const vs_world *world, int index) {
    const vs_joint *it = &world->joint[index];
    const int bodies[] = {it->a, it->b};
    const vs_pose frame[] = {vs_pose_multiply(world->body[it->a].pose, it->def.frame_a),
                             vs_pose_multiply(world->body[it->b].pose, it->def.frame_b)};
    joint_rows j = {.s = s, .link = {.joint = s->joints}};
    for (int k = 0; k < 2; k++) {
        const vs_body_id id = {(uint32_t)bodies[k], world->body[bodies[k]].generation};
        j.link.block[k] = bodies[k] > 0 ? vs_statics_find_block(s, id) : -1;
        j.link.point[k] = frame[k].position;
    }
    vs_joint_force *out = &s->joint[s->joints++];
    *out = (vs_joint_force){.id = {(uint32_t)index, it->generation}};
    if (it->def.kind == VS_JOINT_DISTANCE) {
        out->slack = !add_distance(&j, &it->def);
        return check_length(s, it, vs_length(vs_subtract(j.link.point[1], j.link.point[0])));
    }
    j.link.point[0] = j.link.point[1]; // one point: a force and its reaction make no moment
    add_bearing(&j, it->def.kind, frame[0].rotation, frame[1].rotation);
    return VS_OK;
}

vs_error vs_statics_take_joints(vs_statics *s, const vs_world *world) {
    const int count = vs_world_get_joint_count(world);
    enum { MOST_ROWS = 12 };
    s->link = VS_NEW_ZERO(&s->arena, vs_link, (int64_t)MOST_ROWS * count + 1);
    s->joint = VS_NEW_ZERO(&s->arena, vs_joint_force, count + 1);
    if (!s->link || !s->joint)
        return VS_ERROR_MEMORY;
    vs_error error = VS_OK;
    for (int k = 0; k < world->joints && !error; k++)
        if (world->joint[k].alive)
            error = add_joint(s, world, k);
    // A joint of two supports carries nothing.
    int kept = 0;
    for (int k = 0; k < s->links; k++)
        if (s->link[k].block[0] >= 0 || s->link[k].block[1] >= 0)
            s->link[kept++] = s->link[k];
    s->links = kept;
    return error;
}

// ---- mortar ------------------------------------------------------------------------------------------

static bool lists(const vs_mortar *mortar, vs_body_id id) {
    for (int k = 0; k < mortar->def.bodies; k++)
        if (mortar->body[k].index == id.index)
            return true;
    return mortar->def.bodies == 0;
}

// The mortar between two bodies; the last one counts, as in a simulation. Null: none.
static const vs_mortar_def *mortar_of(const vs_world *world, const vs_interface *it) {
    for (int k = world->mortars - 1; k >= 0; k--)
        if (lists(&world->mortar[k], it->a) && lists(&world->mortar[k], it->b))
            return &world->mortar[k].def;
    return NULL;
}

// A strength of zero is exact to a part of the cohesion.
static void add_bound(vs_statics *s, int contact, double sign, double apex, double strength) {
    const double value = apex - sign * strength;
    s->bound[s->bounds++] = (vs_bound){contact, sign, value, strength > 0 ? strength : value};
}

static vs_error bond(vs_statics *s, const vs_world *world, const vs_interface *it, const vs_mortar_def *def) {
    const double area = it->area > 0 ? it->area / it->corners : def->area, mu = it->mu;
    const double cohesion = def->cohesion < 0 ? mu * def->tension : def->cohesion;
    if (!(area > 0))
        return VS_OK;
    if (!(mu > 0) && cohesion > 0) {
        char name[2][VS_STATICS_NAME];
        vs_statics_name_body(world, (int)it->a.index, name[0]);
        vs_statics_name_body(world, (int)it->b.index, name[1]);
        return vs_fail(
            s->context, VS_ERROR_UNSUPPORTED,
            "statics: the mortar between '%s' and '%s' has cohesion, but no friction; give their materials a "
            "friction coefficient",
            name[0], name[1]);
    }
    const double apex = mu > 0 ? cohesion / mu : def->tension;
    for (int c = it->first; c < it->first + it->corners; c++) {
        s->pull[c] = area * fmin(apex, def->tension);
        if (def->tension < apex)
            add_bound(s, c, 1, area * apex, area * def->tension);
        if (def->compression > 0)
            add_bound(s, c, -1, area * apex, area * def->compression);
    }
    return VS_OK;
}

vs_error vs_statics_take_mortar(vs_statics *s, const vs_world *world) {
    const int contacts = s->interfaces.report.contacts;
    s->pull = VS_NEW_ZERO(&s->arena, double, contacts + 1);
    s->bound = VS_NEW_ZERO(&s->arena, vs_bound, 2 * (int64_t)contacts + 1);
    vs_error error = s->pull && s->bound ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; k < s->interfaces.report.interfaces && !error; k++) {
        const vs_mortar_def *def = mortar_of(world, &s->interfaces.list.data[k]);
        if (def)
            error = bond(s, world, &s->interfaces.list.data[k], def);
    }
    s->bonded = world->mortars > 0;
    s->columns += s->bounds;
    return error;
}
