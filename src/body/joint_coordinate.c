// The frames of a joint, its coordinate and rate, the energy of its spring.
//
// With p_A, p_B the frames' origins and R_A, R_B their rotations, everything is expressed in frame A:
//
//     d = R_A'(p_B - p_A)          q = the quaternion of R_A'R_B
//     d' = R_A'(u_B - u_A)         q' = 1/2 (0, w) q        w = R_A'(omega_B - omega_A)
//
// where u_A is the velocity of A's material at p_B. A linear form f.d' + t.w is therefore the power of the force f and
// the torque t on B at p_B (and their opposites on A): rows are made from forces, and J follows from
//
//     J_b = [F', (R_b'(r_b x F + T))'],   J_a = -[F', (R_a'(r_a x F + T))'],   F = R_A f,  T = R_A t,  r = p_B - x
//
// The angle of a revolute joint is the twist of q about z, 2 atan2(q_z, q_w), in the turn nearest to the angle
// remembered from the last step. It cannot follow half a turn or more within a step.
#include <math.h>

#include "base/elementary.h"
#include "base/vec.h"
#include "body/cable/cable.h"
#include "body/cable/path.h"
#include "body/joint_coordinate.h"

static const double PI = 3.14159265358979323846;

// ---- frames and rows -------------------------------------------------------------------------------

bool vs_joint_kind_turns(vs_joint_kind kind) {
    return kind == VS_JOINT_REVOLUTE || kind == VS_JOINT_CYLINDRICAL || kind == VS_JOINT_PLANAR;
}

// Is q_w cos a + q_z sin a negative? For |a| <= 2 the series below are wrong by at most 3e-4, which decides but for angles far from
// the remembered one: the sum is the cosine of half of what B has turned since.
static bool is_opposite(vs_quat q, double a) {
    const double square = a * a, clear = 1e-3;
    const double cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)));
    const double sine = a * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))));
    const double sum = q.w * cosine + q.z * sine;
    if (fabs(a) <= 2 && fabs(sum) > clear)
        return sum < 0;
    double exact_sine, exact_cosine;
    vs_sincos(a, &exact_sine, &exact_cosine);
    return q.w * exact_cosine + q.z * exact_sine < 0;
}

vs_joint_frame vs_joint_frame_get(const vs_world *world, const vs_joint *joint) {
    vs_joint_frame f;
    f.a = vs_pose_multiply(world->body[joint->a].pose, joint->def.frame_a);
    f.b = vs_pose_multiply(world->body[joint->b].pose, joint->def.frame_b);
    f.d = vs_pose_apply_back(f.a, f.b.position);
    f.q = vs_quat_normalize(vs_quat_multiply(vs_quat_conjugate(f.a.rotation), f.b.rotation));
    // If B turns without limit, the remembered angle selects the sign of q.
    if (is_opposite(f.q, vs_joint_kind_turns(joint->def.kind) ? .5 * joint->angle : 0))
        f.q = (vs_quat){-f.q.w, -f.q.x, -f.q.y, -f.q.z};
    return f;
}

// J of one body for force F and torque T (world axes) at the point.
static void set_columns(const vs_body *body, vs_vec3 point, vs_vec3 F, vs_vec3 T, double sign, double J[6]) {
    vs_vec3 arm = vs_subtract(point, body->pose.position);
    vs_vec3 t = vs_rotate_back(body->pose.rotation, vs_add(vs_cross(arm, F), T));
    J[0] = sign * F.x, J[1] = sign * F.y, J[2] = sign * F.z;
    J[3] = sign * t.x, J[4] = sign * t.y, J[5] = sign * t.z;
}

void vs_joint_row_set(const vs_world *world, const vs_joint *joint, const vs_joint_frame *frame, vs_vec3 force,
                      vs_vec3 torque, vs_joint_row *row) {
    const double direction[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    vs_joint_row_clear(row);
    row->bodies = 2;
    row->body[0] = joint->a, row->body[1] = joint->b;
    memcpy(row->direction, direction, sizeof direction);
    vs_vec3 F = vs_rotate(frame->a.rotation, force), T = vs_rotate(frame->a.rotation, torque);
    set_columns(&world->body[joint->a], frame->b.position, F, T, -1, row->J[0]);
    set_columns(&world->body[joint->b], frame->b.position, F, T, 1, row->J[1]);
}

static double apply(const vs_body *body, const double J[6]) {
    return J[0] * body->velocity.x + J[1] * body->velocity.y + J[2] * body->velocity.z + J[3] * body->spin.x +
           J[4] * body->spin.y + J[5] * body->spin.z;
}

double vs_joint_row_rate(const vs_world *world, const vs_joint_row *row) {
    if (row->bodies == 0) // a cable on what does not move
        return 0;
    double rate = apply(&world->body[row->body[0]], row->J[0]);
    for (int k = 1; k < row->bodies; k++)
        rate += apply(&world->body[row->body[k]], row->J[k]);
    return rate;
}

double vs_joint_row_mobility(const vs_world *world, const vs_joint_row *row) {
    double sum = 0;
    for (int k = 0; k < row->bodies; k++) {
        const double *J = row->J[k];
        const vs_body *body = &world->body[row->body[k]];
        const vs_vec3 f = {J[0], J[1], J[2]}, t = {J[3], J[4], J[5]};
        if (body->motion == VS_MOTION_DYNAMIC)
            sum += vs_dot(f, f) / body->mass + vs_dot(t, vs_mat3_apply(&body->inverse_inertia, t));
    }
    return sum;
}

// ---- the coordinate --------------------------------------------------------------------------------

// The angle about z in the turn nearest to the remembered one.
static double count_turns(const vs_joint *joint, vs_quat q) {
    double angle = 2 * vs_atan2(q.z, q.w);
    return angle + 2 * PI * round((joint->angle - angle) / (2 * PI));
}

// Derivative of the twist angle by w: (0, 0, 1) where z of A and B agree, exact elsewhere. From q' above,
//     angle' = 2 (q_w q_z' - q_z q_w')/(q_w^2 + q_z^2)
static vs_vec3 differentiate_angle(vs_quat q) {
    double size = fmax(q.w * q.w + q.z * q.z, 1e-12); // z of B opposite to z of A: the angle is undefined
    return (vs_vec3){(q.w * q.y + q.z * q.x) / size, (q.z * q.y - q.w * q.x) / size, 1};
}

// Along the line between the origins; where they coincide every direction is one of steepest ascent: z.
static double measure_distance(vs_vec3 d, vs_vec3 *direction) {
    double length = vs_length(d);
    *direction = length > 0 ? vs_scale(1 / length, d) : (vs_vec3){0, 0, 1};
    return length;
}

// Of every kind but cables. coordinate: null if it is not wanted; an angle costs more than its derivative.
static bool set_coordinate(const vs_world *world, const vs_joint *joint, const vs_joint_frame *frame,
                           double *coordinate, vs_joint_row *row) {
    vs_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
    double x = 0;
    bool has = true;
    switch (joint->def.kind) {
    case VS_JOINT_REVOLUTE:
        x = coordinate ? count_turns(joint, frame->q) : 0;
        torque = differentiate_angle(frame->q);
        break;
    case VS_JOINT_PRISMATIC:
    case VS_JOINT_CYLINDRICAL:
        x = frame->d.z;
        force.z = 1;
        break;
    case VS_JOINT_DISTANCE:
    case VS_JOINT_SPRING:
        x = measure_distance(frame->d, &force);
        break;
    default:
        has = false;
    }
    if (coordinate)
        *coordinate = x;
    if (row && has)
        vs_joint_row_set(world, joint, frame, force, torque, row);
    return has;
}

double vs_joint_term_add(const vs_world *world, const vs_joint_term *term, double factor, vs_joint_row *row) {
    const vs_joint *joint = &world->joint[term->joint.index];
    const vs_joint_frame frame = vs_joint_frame_get(world, joint);
    vs_joint_row part;
    double x = 0;
    vs_joint_row_clear(&part);
    (void)set_coordinate(world, joint, &frame, &x, row ? &part : NULL);
    for (int k = 0; k < part.bodies; k++)
        vs_cable_add_part(part.body[k], factor * term->factor, part.J[k], row);
    return factor * term->factor * x;
}

// x = length of the path + sum factor_k x_k. A positive impulse along x pushes: a tension of -1.
static double set_cable(const vs_world *world, const vs_joint *joint, vs_joint_row *row) {
    const vs_joint_def *def = &joint->def;
    double x = 0;
    if (def->points > 0)
        x = vs_cable_length(world, def, joint->cable, row);
    else if (row)
        vs_joint_row_clear(row), row->direction[0] = -1;
    for (int k = 0; k < def->terms; k++)
        x += vs_joint_term_add(world, &def->term[k], 1, row);
    return x;
}

bool vs_joint_coordinate_row(const vs_world *world, const vs_joint *joint, const vs_joint_frame *frame,
                             double *coordinate, vs_joint_row *row) {
    if (joint->def.kind != VS_JOINT_CABLE)
        return set_coordinate(world, joint, frame, coordinate, row);
    *coordinate = set_cable(world, joint, row);
    return true;
}

bool vs_joint_direction_row(const vs_world *world, const vs_joint *joint, const vs_joint_frame *frame,
                            vs_joint_row *row) {
    return set_coordinate(world, joint, frame, NULL, row);
}

void vs_joint_coordinate(const vs_world *world, const vs_joint *joint, double *coordinate, double *rate) {
    vs_joint_frame frame = vs_joint_frame_get(world, joint);
    vs_joint_row row;
    bool has = vs_joint_coordinate_row(world, joint, &frame, coordinate, &row);
    *rate = has ? vs_joint_row_rate(world, &row) : 0;
}

static vs_vec3 rotation_vector(vs_quat q) {
    const vs_vec3 axis = {q.x, q.y, q.z};
    const double sine = vs_length(axis);
    return sine > 0 ? vs_scale(2 * vs_atan2(sine, q.w) / sine, axis) : vs_scale(2, axis);
}

static int set_angles(const vs_joint *joint, vs_quat q, vs_free_motion *out) {
    out[0] = (vs_free_motion){.coordinate = count_turns(joint, q), .torque = differentiate_angle(q)};
    return 1;
}

// The rotation is one about z and then one about the new x, by half the angles a, b: q_w = cos a cos b, q_x = cos a sin b,
// q_z = sin a cos b.
static int set_universal(vs_quat q, vs_free_motion *out) {
    const double angle = 2 * vs_atan2(q.z, q.w);
    out[0] = (vs_free_motion){.coordinate = angle, .torque = {0, 0, 1}};
    out[1] = (vs_free_motion){.coordinate = 2 * vs_atan2(q.x, q.w), .torque = {vs_cos(angle), vs_sin(angle), 0}};
    return 2;
}

static int set_spherical(vs_quat q, vs_free_motion *out) {
    const vs_vec3 x = rotation_vector(q);
    out[0] = (vs_free_motion){.coordinate = x.x, .torque = {1, 0, 0}};
    out[1] = (vs_free_motion){.coordinate = x.y, .torque = {0, 1, 0}};
    out[2] = (vs_free_motion){.coordinate = x.z, .torque = {0, 0, 1}};
    return 3;
}

int vs_joint_free_motions(const vs_joint *joint, const vs_joint_frame *frame,
                          vs_free_motion out[VS_JOINT_COORDINATES_MOST]) {
    switch (joint->def.kind) {
    case VS_JOINT_REVOLUTE:
        return set_angles(joint, frame->q, out);
    case VS_JOINT_PRISMATIC:
        out[0] = (vs_free_motion){.coordinate = frame->d.z, .force = {0, 0, 1}};
        return 1;
    case VS_JOINT_CYLINDRICAL:
        out[0] = (vs_free_motion){.coordinate = frame->d.z, .force = {0, 0, 1}};
        return 1 + set_angles(joint, frame->q, out + 1);
    case VS_JOINT_UNIVERSAL:
        return set_universal(frame->q, out);
    case VS_JOINT_PLANAR:
        out[0] = (vs_free_motion){.coordinate = frame->d.x, .force = {1, 0, 0}};
        out[1] = (vs_free_motion){.coordinate = frame->d.y, .force = {0, 1, 0}};
        return 2 + set_angles(joint, frame->q, out + 2);
    case VS_JOINT_SPHERICAL:
        return set_spherical(frame->q, out);
    case VS_JOINT_DISTANCE:
    case VS_JOINT_SPRING:
        out[0] = (vs_free_motion){0};
        out[0].coordinate = measure_distance(frame->d, &out[0].force);
        return 1;
    default:
        return 0;
    }
}

int vs_joint_coordinates(const vs_world *world, const vs_joint *joint, double coordinate[VS_JOINT_COORDINATES_MOST],
                         double rate[VS_JOINT_COORDINATES_MOST]) {
    const vs_joint_frame frame = vs_joint_frame_get(world, joint);
    vs_free_motion motion[VS_JOINT_COORDINATES_MOST];
    if (joint->def.kind == VS_JOINT_CABLE) {
        vs_joint_coordinate(world, joint, coordinate, rate);
        return 1;
    }
    const int count = vs_joint_free_motions(joint, &frame, motion);
    for (int k = 0; k < count; k++) {
        vs_joint_row row;
        vs_joint_row_set(world, joint, &frame, motion[k].force, motion[k].torque, &row);
        coordinate[k] = motion[k].coordinate;
        rate[k] = vs_joint_row_rate(world, &row);
    }
    return count;
}

void vs_joints_remember(vs_world *world) {
    for (int k = 0; k < world->joints; k++) {
        vs_joint *joint = &world->joint[k];
        if (!joint->alive || !vs_joint_kind_turns(joint->def.kind) || !vs_world_joint_is_here(world, joint))
            continue;
        vs_joint_frame frame = vs_joint_frame_get(world, joint);
        joint->angle = count_turns(joint, frame.q);
    }
}

// The angle from which turns are counted at the beginning: zero, unless only another turn is near the limits.
static double first_angle(const vs_world *world, const vs_joint *joint) {
    const vs_joint_def *def = &joint->def;
    const double middle = .5 * (def->low + def->high);
    double angle, rate;
    if (def->kind != VS_JOINT_REVOLUTE || !def->limited || !isfinite(middle))
        return 0;
    vs_joint_coordinate(world, joint, &angle, &rate);
    return (angle < def->low || angle > def->high) && fabs(angle - middle) > PI ? middle : 0;
}

void vs_joints_forget(vs_world *world) {
    for (int k = 0; k < world->joints; k++) {
        vs_joint *joint = &world->joint[k];
        if (!joint->alive)
            continue;
        joint->force = joint->torque = VS_ZERO3;
        joint->effort = joint->angle = 0;
        joint->angle = first_angle(world, joint);
    }
}
