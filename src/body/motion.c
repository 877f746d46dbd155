// Motion of bodies over a step: kick and drift.
//
// Kick, before the contact problem:
//
//     v += h (f/m + g),   w += h I^-1 R'torque
//
// Drift, after it, from w to w1 (body axes):
//
//     I w1 = exp(-h m) I w,   m = (w + w1)/2,   q <- q exp(h m)
//
// The first equation conserves R I w, the momentum in space, whatever m is. By Cayley's formula it reads
//
//     I (w1 - w) = -h s m x I (w1 + w)/2        s = tan(x)/x,  x = h|m|/2
//
// and its product with m shows that the kinetic energy is conserved as well (Simo and Wong 1991; here with the
// exponential, which is exact for steady spin).
//
// Alternating kicks and drifts are a splitting: a heavy top neither rises nor falls. But a bearing that supports a
// shaft against the gyroscopic change g of a drift does so one kick later, and each time dissipates the energy g'I g/2.
// So the part of its last reaction that opposed g (at most all of g) is predicted again: a = half of it is added to the
// mean m, and all of it to the spin shown between steps. It is zero for bodies without contacts and joints.
//
// Not here: impulses (src/step), joints' positions (joint_projection.c), error control.
#include "base/elementary.h"
#include "body/drift.h"
#include "body/joint_effort.h"
#include "body/flexible_data.h"
#include "body/gate/gate.h"
#include "body/joint_coordinate.h"
#include "body/servo/servo.h"

#include <float.h>

enum { NEWTON_MOST = 20 };
static const double GAIN = .01; // of the energy of a forecast: more is not one of a reaction that changes smoothly
static const double SLIGHT_TURN = 1e-4; // rad, in a step: a forecast is less than the square of it of the energy
static const double SUBSTEP_TURN = .5;  // rad; Newton's method converges in 3 or 4 steps for less

// ---- kick ------------------------------------------------------------------------------------------

static void add_load(const vs_load *load, vs_quat rotation, double time, vs_vec3 *force, vs_vec3 *torque) {
    vs_vec3 f = vs_signals_at(load->force, time), m = vs_signals_at(load->torque, time);
    if (load->follows)
        f = vs_rotate(rotation, f), m = vs_rotate(rotation, m);
    *force = vs_add(*force, f);
    *torque = vs_add(*torque, vs_add(m, vs_cross(vs_rotate(rotation, load->point), f)));
}

void vs_body_loads(const vs_world *world, int body, double time, vs_vec3 *force, vs_vec3 *torque) {
    const vs_body *it = &world->body[body];
    *force = it->force;
    *torque = it->torque;
    for (const vs_load *load = it->loads; load; load = load->next)
        add_load(load, it->pose.rotation, time, force, torque);
}

void vs_body_push(const vs_world *world, int body, double time, vs_vec3 *force, vs_vec3 *torque) {
    vs_body_loads(world, body, time, force, torque);
    vs_motor_efforts_add(world, body, time, force, torque);
}

void vs_body_free(const vs_world *world, int body, double h, double time, vs_vec3 *velocity, vs_vec3 *spin) {
    vs_body *it = &world->body[body];
    vs_vec3 force, torque;
    vs_body_push(world, body, time, &force, &torque);
    vs_vec3 turn = vs_mat3_apply(&it->inverse_inertia, vs_rotate_back(it->pose.rotation, torque));
    *velocity = vs_add_scaled(it->velocity, h, vs_add_scaled(world->gravity, 1 / it->mass, force));
    *spin = vs_add_scaled(vs_subtract(it->spin, it->held), h, turn);
    it->free_spin = *spin;
}

// ---- drift -----------------------------------------------------------------------------------------

// tan(x)/x and its derivative, by x, over x; 0 <= x < pi/2
static void tangent_ratio(double x, double *s, double *slope) {
    double x2 = x * x;
    if (x < 1e-2) {
        *s = 1 + x2 * (1. / 3 + x2 * (2. / 15 + x2 * (17. / 315)));
        *slope = 2. / 3 + x2 * (8. / 15 + x2 * (34. / 105));
        return;
    }
    double t = vs_tan(x);
    *s = t / x;
    *slope = (1 + t * t - *s) / x2;
}

// F(m) = 2 I (m - a - w) + h s m x I (m - a), and dF/dm.
bool vs_mean_spin_equation(const vs_drift_part *part, vs_vec3 m, vs_vec3 *F, vs_mat3 *dF) {
    const vs_mat3 *I = part->inertia;
    const double h = part->h;
    vs_vec3 n = vs_subtract(m, part->forecast), p = vs_mat3_apply(I, n), c = vs_cross(m, p);
    double x = .5 * h * vs_length(m), s, slope;
    if (!(x < 1.5))
        return false;
    tangent_ratio(x, &s, &slope);
    *F = vs_add_scaled(vs_scale(2, vs_mat3_apply(I, vs_subtract(n, part->spin))), h * s, c);
    // Rows of dF/dm = 2 I + h s ([m] I - [p]) + h c (ds/dm)', ds/dm = slope h^2/4 m
    vs_vec3 ds = vs_scale(.25 * h * h * slope, m), row[3];
    const double *b = I->a;
    const vs_vec3 I0 = {b[0], b[1], b[2]}, I1 = {b[3], b[4], b[5]}, I2 = {b[6], b[7], b[8]};
    const vs_vec3 m_I[3] = {vs_subtract(vs_scale(m.y, I2), vs_scale(m.z, I1)),
                            vs_subtract(vs_scale(m.z, I0), vs_scale(m.x, I2)),
                            vs_subtract(vs_scale(m.x, I1), vs_scale(m.y, I0))};
    const vs_vec3 p_hat[3] = {{0, -p.z, p.y}, {p.z, 0, -p.x}, {-p.y, p.x, 0}}, I_row[3] = {I0, I1, I2};
    for (int i = 0; i < 3; i++) {
        row[i] = vs_add_scaled(vs_scale(2, I_row[i]), h * s, vs_subtract(m_I[i], p_hat[i]));
        row[i] = vs_add_scaled(row[i], h * vs_component(c, i), ds);
    }
    *dF = (vs_mat3){{row[0].x, row[0].y, row[0].z, row[1].x, row[1].y, row[1].z, row[2].x, row[2].y, row[2].z}};
    return true;
}

bool vs_mean_spin_find(const vs_drift_part *part, vs_vec3 *mean) {
    vs_vec3 m = vs_add(part->spin, part->forecast);
    double last = INFINITY;
    for (int k = 0; k < NEWTON_MOST; k++) {
        vs_vec3 F;
        vs_mat3 dF;
        if (!vs_mean_spin_equation(part, m, &F, &dF))
            return false;
        vs_vec3 step = vs_mat3_solve(&dF, F);
        m = vs_subtract(m, step);
        // Two more digits than double has, or the level of roundoff.
        double size = vs_length(step), whole = vs_length(m);
        if (size <= DBL_EPSILON * whole || (size <= 1e-12 * whole && size >= .5 * last)) {
            *mean = m;
            return true;
        }
        last = size;
    }
    return false;
}

// Drift by h in `count` parts: spin at the end and the rotation as a unit quaternion; the forecast grows evenly to 2 a.
// False: did not converge.
static bool drift_parts(const vs_body *body, vs_vec3 *spin, vs_vec3 a, double h, int count, vs_quat *turn) {
    vs_vec3 momentum = vs_mat3_apply(&body->inertia, *spin), w = *spin;
    *turn = (vs_quat){1, 0, 0, 0};
    for (int k = 0; k < count; k++) {
        const vs_drift_part part = {&body->inertia, w, vs_scale((2. * k + 1) / count, a), h / count};
        vs_vec3 mean;
        if (!vs_mean_spin_find(&part, &mean))
            return false;
        *turn = vs_quat_multiply(*turn, vs_quat_exp(vs_scale(h / count, mean)));
        w = vs_mat3_apply(&body->inverse_inertia, vs_rotate_back(*turn, momentum));
    }
    *spin = w;
    return true;
}

bool vs_spin_is_steady(const vs_body *body, vs_vec3 spin) {
    const vs_vec3 p = vs_mat3_apply(&body->inertia, spin);
    return vs_length(vs_cross(spin, p)) <= 2 * DBL_EPSILON * vs_length(spin) * vs_length(p);
}

int vs_drift_least_parts(vs_vec3 spin, vs_vec3 forecast, double h) {
    const double parts = ceil(h * (vs_length(spin) + 2 * vs_length(forecast)) / SUBSTEP_TURN);
    return !(parts <= VS_DRIFT_PARTS_MOST) ? VS_DRIFT_PARTS_MOST + 1 : parts < 1 ? 1 : (int)parts;
}

// Fast bodies drift in parts of half a radian. If that are too many, or nothing converges, the spin stays: the rotation
// within a step is then meaningless anyway.
static void drift(const vs_body *body, vs_vec3 w, double h, vs_drift *out) {
    const vs_vec3 a = vs_scale(.5, out->held);
    out->spin = w, out->parts = 0;
    out->turn = vs_quat_exp(vs_scale(h, w));
    if (vs_spin_is_steady(body, w)) // nothing to solve
        return;
    for (int count = vs_drift_least_parts(w, a, h); count <= VS_DRIFT_PARTS_MOST; count *= 2) {
        vs_vec3 end = w;
        vs_quat whole;
        if (drift_parts(body, &end, a, h, count, &whole)) {
            out->spin = end, out->turn = whole, out->parts = count;
            return;
        }
    }
}

// The part of the reaction J (rad/s) that opposes the gyroscopic change g, at most all of g. I g = exp(-h w) I w - I w
// is that of a drift with m = w: so a bearing's reaction, which is -g once m = w, stays unchanged.
static double find_share(const vs_body *body, vs_vec3 w, vs_vec3 J, double h) {
    double size = vs_dot(J, vs_mat3_apply(&body->inertia, J));
    if (!(size > 0))
        return 0;
    vs_vec3 p = vs_mat3_apply(&body->inertia, w);
    vs_vec3 change = vs_subtract(vs_rotate_back(vs_quat_exp(vs_scale(h, w)), p), p);
    return fmin(1, fmax(0, -vs_dot(J, change) / size));
}

static double rotation_energy(const vs_body *body, vs_vec3 spin) {
    return .5 * vs_dot(spin, vs_mat3_apply(&body->inertia, spin));
}

// Would the spin with its forecast have more energy than before? Bearings give no reason for it, but other reactions of a body
// without joints need not continue as those of a bearing.
static bool is_gain(const vs_body *body, vs_vec3 before, const vs_drift *after, double h) {
    return body->joints == 0 && h * vs_length(before) > SLIGHT_TURN &&
           rotation_energy(body, vs_add(after->spin, after->held)) >
               rotation_energy(body, before) + GAIN * rotation_energy(body, after->held);
}

vs_drift vs_drift_find(const vs_body *body, double h) {
    const vs_vec3 w = body->spin, J = vs_subtract(w, body->free_spin);
    vs_drift out = {.share = find_share(body, w, J, h)};
    out.held = vs_scale(out.share, J);
    drift(body, w, h, &out);
    if (!is_gain(body, w, &out, h))
        return out;
    out.share = 0, out.held = VS_ZERO3;
    drift(body, w, h, &out);
    return out;
}

void vs_body_advance(vs_body *body, double h) {
    vs_quat turn;
    if (body->motion == VS_MOTION_DYNAMIC) {
        const vs_drift drift = vs_drift_find(body, h);
        turn = drift.turn;
        body->held = drift.held;
        body->spin = vs_add(drift.spin, body->held);
        body->free_spin = body->spin;
    } else {
        turn = vs_quat_exp(vs_scale(h, body->spin));
    }
    body->pose.position = vs_add_scaled(body->pose.position, h, body->velocity);
    body->pose.rotation = vs_quat_normalize(vs_quat_multiply(body->pose.rotation, turn));
}

vs_vec3 vs_body_point_velocity(const vs_body *body, vs_vec3 point) {
    vs_vec3 spin = vs_rotate(body->pose.rotation, body->spin);
    return vs_add(body->velocity, vs_cross(spin, vs_subtract(point, body->pose.position)));
}

void vs_body_drift(vs_body *body, double h) {
    body->free_spin = body->spin; // no reaction: nothing to predict
    vs_body_advance(body, h);
}

// ---- the whole world -------------------------------------------------------------------------------

void vs_world_update_gravity(vs_world *world, double begin, double h) {
    if (world->gravity_changes)
        world->gravity = vs_signals_mean(world->gravity_signal, begin, h);
}

void vs_world_drive(vs_world *world, double h) {
    for (int k = 1; k < world->bodies; k++) {
        vs_body *body = &world->body[k];
        if (vs_world_place(world, k) != VS_PLACE_HERE)
            continue;
        body->old_velocity = body->velocity;
        body->old_spin = body->spin;
        if (!body->alive)
            continue;
        if (body->driven) {
            // The mean, so that positions are the integral of the velocity for any h.
            body->velocity = vs_signals_mean(body->drive, world->time, h);
            body->spin = vs_rotate_back(body->pose.rotation, vs_signals_mean(body->drive + 3, world->time, h));
        }
        if (body->servo)
            vs_servo_drive(world, k, h);
    }
}

static void clear_forces(vs_world *world) {
    for (int k = 0; k < world->bodies; k++)
        if (vs_world_place(world, k) != VS_PLACE_ABSENT)
            world->body[k].force = world->body[k].torque = VS_ZERO3;
    for (int k = 0; k < world->flexibles; k++)
        for (int i = 0; i < world->flexible[k].nodes && !world->flexible[k].beam; i++)
            world->flexible[k].force[i] = VS_ZERO3;
}

void vs_world_finish_step(vs_world *world, double h) {
    clear_forces(world);
    vs_joints_remember(world);
    vs_controls_advance(world, h);
    world->time += h;
}

void vs_world_forget_steps(vs_world *world, double time) {
    clear_forces(world);
    for (int k = 1; k < world->bodies; k++) {
        vs_body *body = &world->body[k];
        body->free_spin = body->spin;
        body->held = VS_ZERO3;
        body->lead = (vs_lead){0};
        if (body->servo)
            body->servo->force = 0;
    }
    for (int k = 0; k < world->flexibles; k++)
        world->flexible[k].stepped = false, world->flexible[k].lag = 0;
    for (int k = 0; k < world->sensors; k++) {
        vs_sensor *sensor = &world->sensor[k];
        sensor->acceleration = sensor->spin_rate = VS_ZERO3, sensor->touch = 0;
    }
    vs_gates_forget(world);
    world->time = time;
    vs_world_update_gravity(world, time, 0);
    vs_world_drive(world, 0);
    vs_joints_forget(world);
}
