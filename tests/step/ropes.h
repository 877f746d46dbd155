// Worlds with ropes for the tests of the stepper.
#ifndef VS_TESTS_STEP_ROPES_H
#define VS_TESTS_STEP_ROPES_H

#include "worlds.h"

static const vs_quat along_y = {.70710678118654757, -.70710678118654757, 0, 0}; // takes z to y
enum { POINTS_MOST = 16 };

static inline vs_body_id add_mass(rig *s, vs_vec3 at, double mass, vs_vec3 velocity) {
    vs_body_def def = vs_body_def_default();
    vs_body_id id;
    def.pose.position = at, def.mass = mass, def.velocity = velocity;
    must(vs_world_add_body(s->world, &def, &id), s->context);
    return id;
}

// A mass that moves along z only.
static inline vs_body_id add_guided(rig *s, vs_vec3 at, double mass) {
    const vs_body_id id = add_mass(s, at, mass, VS_ZERO3);
    vs_joint_def guide = vs_joint_def_default();
    guide.kind = VS_JOINT_PRISMATIC, guide.b = id, guide.frame_a.position = at;
    must(vs_world_add_joint(s->world, &guide, NULL), s->context);
    return id;
}

static inline vs_cable_point point_at(vs_body_id body, vs_vec3 at) {
    vs_cable_point p = vs_cable_point_default();
    p.body = body, p.pose.position = at;
    return p;
}

// A drum about y that the rope passes from -x over the top (turns 1) or from below (-1).
static inline vs_cable_point drum_at(vs_body_id body, vs_vec3 at, double radius, int turns, double mu) {
    vs_cable_point p = point_at(body, at);
    p.kind = VS_CABLE_PULLEY, p.pose.rotation = along_y, p.radius = radius, p.turns = turns, p.mu = mu;
    return p;
}

// A rope, as much longer than its path at present as the slack.
static inline vs_joint_id add_rope(rig *s, const vs_cable_point *point, int points, double slack, double compliance) {
    vs_cable_point smooth[POINTS_MOST];
    vs_joint_def def = vs_joint_def_default();
    vs_joint_id id;
    double length;
    for (int k = 0; k < points; k++)
        smooth[k] = point[k], smooth[k].mu = 0;
    def.kind = VS_JOINT_CABLE, def.point = smooth, def.points = points;
    must(vs_world_add_joint(s->world, &def, &id), s->context);
    must(vs_world_get_joint_coordinate(s->world, id, &length, NULL), s->context);
    must(vs_world_remove_joint(s->world, id), s->context);
    def.point = point, def.length = length + slack, def.compliance = compliance;
    must(vs_world_add_joint(s->world, &def, &id), s->context);
    return id;
}

// Tensions at the first and the last point of a rope, N.
static inline void get_tensions(const rig *s, vs_joint_id rope, double T[2]) {
    vs_vec3 force, torque;
    must(vs_world_get_joint_reaction(s->world, rope, &force, &torque), s->context);
    T[0] = force.x, T[1] = force.y;
}

#endif
