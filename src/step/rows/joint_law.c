// Rows of a joint for one step of h: constraints, springs, motors, limits, friction.
//
// A row of a constraint Psi (body/joint_rows.c) is J v + E g = b with b = -Psi/h and E = compliance/h^2:
//
//     Psi + h J v = -compliance g/h        at the end of the step
//
// With the coordinate x (J v = x'), the rows in addition to the constraints are
//
//     spring, damper  g = -h (k (x + h x' - rest) + c x')  <=>  x' + E g = b,
//                     E = 1/(h (h k + c)),  b = -k (x - rest)/(h k + c)
//     armature        g = -a (x' - x0')  <=>  x' + g/a = x0', the rate at the beginning
//     motor           x' = target(t + h)  or  x' = (target(t + h) - x)/h; bilateral, or |g| <= motor_limit h
//     with gains      g = h (k (target - x - h x') - c x')  or  g = h c (target - x'), as a spring, within the same bounds
//     friction        x' = 0, |g| <= friction h
//     limits          x' >= (low - x)/h,  -x' >= (x - high)/h
//     rope            -x' + E g >= (x - length)/h,  E = compliance/h^2: a cable with a free length, and tension g/h >= 0
//                     at a rough station: g the mean of both tensions, and a second row of the slip, (x1' - x2')/2 of the
//                     lengths on both sides, with the friction |g2| <= 2 tanh(mu angle/2) g (body/cable/cable.h)
//     winch           the rows of a motor with g <= 0; without a limit of force, with the friction of a rope
//
// That is Moreau's scheme, implicit Euler. The kick of shake is centred at x, between the rates x0' and x' of two half
// steps; springs and compliances take the mean of three positions (Newmark's average acceleration), which is of second
// order, stable for any stiffness, and does not damp:
//
//     spring, damper  g = -h (k (x + h (x' - x0')/4 - rest) + c ((1 - w) x0' + w x'))
//     compliance      g = -h (Psi + h (x' - x0')/4)/compliance
//     motor           x' = mean of the target
//
// with w = 1/2, but for a strong damper w = 1 - 1/z, z = h c J M^-1 J' > 2, which ends the motion within the step instead
// of reversing it. The two half kicks of rattle take h/2 instead of h/4 and are otherwise the same; at the end of the step
// rows are those of velocities: constraints x' = 0, motors x' = target'(t), limits where they are reached x' >= 0. In an
// impact, of no length, only constraints, motors without a limit of force, and limits act.
//
// A distance joint that has limits or a motor is a rope or an actuator: these replace its constraint.
// A rope that becomes taut does so without restitution.
// Not included: the coupling of a spring's direction to rotations (geometric stiffness), restitution at limits.
#include "step/rows/joint_law.h"

#include <math.h>

#include "base/vec.h"
#include "body/cable/cable.h"
#include "body/joint_command.h"
#include "body/joint_coordinate.h"
#include "body/joint_rows.h"

// m/s or rad/s: margin for rates that contacts and other joints add within a step, for the choice of active limits.
static const double REACH_RATE = 10;
// m/s or rad/s: the fastest return from beyond a limit, as v_rec for contacts.
static const double RETURN_RATE = 1;
// m or rad: a limit this close is reached. The steps of rattle end at a limit up to the error of their corrections, less than
// a thousandth of this.
static const double REACHED = 1e-6;

// ---- along the coordinate --------------------------------------------------------------------------

// Common data of the rows along the coordinate.
typedef struct axis {
    const vs_world *world;
    const vs_joint *joint;
    const vs_joint_def *def;
    const vs_kick *kick;
    double x, rate;   // coordinate, its rate now
    double target;    // target rate of the motor
    double goal;      // target position of a motor with gains
    double mobility;  // J M^-1 J'
    vs_joint_row row; // derivative of x
} axis;

// k and c about `rest`, in the row's impulse: -length (k (x - rest) + `now` x' - `then` x0')
static void soften(const axis *s, double k, double c, double rest, vs_joint_row *row) {
    double h = s->kick->h, now = h * k + c, then = 0;
    if (s->kick->centred) {
        double z = s->kick->push * c * s->mobility, w = z > 2 ? 1 - 1 / z : .5;
        now = s->kick->mean * k + w * c;
        then = s->kick->mean * k - (1 - w) * c;
    }
    row->compliance = 1 / (s->kick->length * now);
    row->b = (then * s->rate - k * (s->x - rest)) / now;
}

// A motor of speed with damping: the damper of soften() about the target.
static void follow(const axis *s, vs_joint_row *row) {
    soften(s, 0, s->def->motor_damping, 0, row);
    // now x' - then x0' = c (target - ...): at x0' = x' = target there is no force.
    row->b += s->target * s->kick->length * row->compliance * s->def->motor_damping;
}

static int add_spring(const axis *s, vs_joint_row *row) {
    double k = s->def->stiffness, c = s->def->damping;
    if (!(s->kick->h * k + c > 0) || s->kick->length == 0)
        return 0;
    vs_joint_row_copy(&s->row, row);
    row->spring = true;
    row->damping = c;
    soften(s, k, c, s->def->rest, row);
    return 1;
}

static int add_armature(const axis *s, vs_joint_row *row) {
    if (!(s->def->armature > 0))
        return 0;
    vs_joint_row_copy(&s->row, row);
    row->spring = true;
    row->compliance = 1 / s->def->armature;
    row->b = s->rate;
    return 1;
}

// The row with the opposite impulse.
static void reverse(vs_joint_row *row) {
    row->sense = -row->sense;
    row->b = -row->b;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < row->bodies; k++)
            row->J[k][i] = -row->J[k][i];
        row->direction[i] = -row->direction[i];
    }
}

// m or rad, by which a winch is from pulling
static double slack_of(const axis *s) {
    return s->def->pulls && s->def->motor == VS_MOTOR_POSITION ? s->goal - s->x : 0;
}

// Bounds of the effort: a limit, and that it does not push.
static void bound_motor(const axis *s, vs_joint_row *row) {
    const vs_joint_def *def = s->def;
    if (def->motor_limit == 0) {
        row->kind = VS_ROW_UNILATERAL;
        reverse(row);
        return;
    }
    row->kind = VS_ROW_BOX;
    row->lo = -def->motor_limit * s->kick->length;
    row->hi = def->pulls ? 0 : -row->lo;
}

// The friction of a rope at a rough station: the rope's row then has the mean of the two tensions as its impulse, and the
// row behind it their difference. The terms are at the end of the rope.
static int add_slip(const axis *s, vs_joint_row *row) {
    row[0].mu = vs_cable_friction(s->world, s->joint, &row[1]);
    if (s->joint->cable && s->joint->cable->rough)
        row[0].direction[1] = row[0].direction[0];
    row[0].parts = vs_rope_stations(s->world, s->joint);
    if (row[0].mu == 0)
        return 0;
    for (int k = 0; k < s->def->terms; k++)
        (void)vs_joint_term_add(s->world, &s->def->term[k], -.5, &row[1]);
    return 1;
}

static int add_motor(const axis *s, bool bounded, vs_joint_row *row) {
    const vs_joint_def *def = s->def;
    if (def->motor == VS_MOTOR_NONE || def->motor == VS_MOTOR_EFFORT || bounded != (def->motor_limit > 0 || def->pulls))
        return 0;
    if (s->kick->length == 0 && (def->motor_limit > 0 || vs_joint_has_gains(def)))
        return 0;
    if ((s->kick->length == 0 || s->kick->level) && slack_of(s) > REACHED)
        return 0;
    vs_joint_row_copy(&s->row, row);
    row->drives = true;
    row->b = s->target;
    if (vs_joint_has_gains(def) && def->motor == VS_MOTOR_POSITION)
        soften(s, def->motor_stiffness, def->motor_damping, s->goal, row);
    else if (vs_joint_has_gains(def) && s->kick->half)
        follow(s, row);
    else if (vs_joint_has_gains(def))
        row->compliance = 1 / (s->kick->length * def->motor_damping);
    if (bounded)
        bound_motor(s, row);
    return row->kind == VS_ROW_UNILATERAL ? 1 + add_slip(s, row) : 1;
}

static int add_friction(const axis *s, vs_joint_row *row) {
    if (!(s->def->friction > 0) || s->kick->length == 0)
        return 0;
    vs_joint_row_copy(&s->row, row);
    row->kind = VS_ROW_BOX;
    row->hi = s->def->friction * s->kick->length;
    row->lo = -row->hi;
    return 1;
}

// A limit at distance `gap` in the direction -sign, unless it is out of reach within the step.
static int add_limit(const axis *s, double gap, double sign, vs_joint_row *row) {
    if (gap > (s->kick->level ? REACHED : s->kick->h * (2 * fabs(s->rate) + REACH_RATE)))
        return 0;
    vs_joint_row_copy(&s->row, row);
    row->kind = VS_ROW_UNILATERAL;
    if (sign < 0)
        reverse(row);
    row->b = s->kick->level ? 0 : fmin(-gap / s->kick->h, RETURN_RATE);
    return 1;
}

// The tension of an elastic one follows the stretch at the end of the step, or the mean as a spring's.
static int add_rope(const axis *s, vs_joint_row *row) {
    const double c = s->def->compliance, time = s->kick->centred ? s->kick->mean : s->kick->h;
    if (s->def->kind != VS_JOINT_CABLE || s->def->length == 0 || (c > 0 && s->kick->length == 0))
        return 0;
    if (!add_limit(s, s->def->length - s->x, -1, row))
        return 0;
    if (c > 0) {
        row->spring = true;
        row->b = (s->x - s->def->length) / time - (s->kick->centred ? s->rate : 0);
        row->compliance = c / (time * s->kick->length);
    }
    return 1 + add_slip(s, row);
}

static double find_target(const vs_world *world, const vs_joint *joint, double x, const vs_kick *kick) {
    const vs_signal_copy *target = &joint->target;
    if (joint->def.motor == VS_MOTOR_NONE || joint->def.motor == VS_MOTOR_EFFORT)
        return 0;
    if (kick->level)
        return joint->def.motor == VS_MOTOR_SPEED ? vs_signal_at(target, world->time)
                                                  : vs_signal_rate(target, world->time);
    if (joint->def.motor == VS_MOTOR_SPEED && kick->centred)
        return vs_signal_mean(target, world->time, kick->h);
    double value = vs_signal_at(target, world->time + kick->h);
    return joint->def.motor == VS_MOTOR_SPEED ? value : (value - x) / kick->h;
}

// Right-hand side and compliance of a constraint with the violation psi.
static void set_constraint(const vs_world *world, const vs_joint_def *def, const vs_kick *kick, double psi,
                           vs_joint_row *row) {
    bool mean = kick->centred && def->compliance > 0;
    double time = mean ? kick->mean : kick->h;
    row->b = (mean ? vs_joint_row_rate(world, row) : 0) - (kick->level && !mean ? 0 : psi / time);
    row->compliance = kick->level && !mean ? 0 : def->compliance / (time * kick->length);
}

int vs_joint_rows(const vs_world *world, const vs_joint *joint, const vs_kick *kick, vs_joint_row *row) {
    const vs_joint_def *def = &joint->def;
    double psi[VS_JOINT_BILATERAL_MOST];
    vs_joint_frame frame = vs_joint_frame_get(world, joint);
    int count = kick->length == 0 && def->compliance > 0 ? 0 : vs_joint_violation(world, joint, psi, row);
    for (int k = 0; k < count; k++)
        set_constraint(world, def, kick, psi[k], &row[k]);
    axis s;
    s.world = world, s.joint = joint, s.def = def, s.kick = kick;
    if (!vs_joint_coordinate_row(world, joint, &frame, &s.x, &s.row))
        return count;
    s.rate = vs_joint_row_rate(world, &s.row);
    s.target = find_target(world, joint, s.x, kick);
    s.goal = kick->half ? vs_signal_at(&joint->target, kick->time) : s.x + kick->h * s.target;
    s.mobility = vs_joint_row_mobility(world, &s.row);
    s.row.sense = 1;

    count += add_spring(&s, &row[count]);
    count += add_armature(&s, &row[count]);
    count += add_motor(&s, false, &row[count]);
    count += add_motor(&s, true, &row[count]);
    count += add_friction(&s, &row[count]);
    if (def->limited) {
        count += add_limit(&s, s.x - def->low, 1, &row[count]);
        count += add_limit(&s, def->high - s.x, -1, &row[count]);
    }
    count += add_rope(&s, &row[count]);
    return count;
}
