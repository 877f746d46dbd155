// Derivatives of kick and drift: see motion_derivative.h. The drift is differentiated part by part. With the differentials of the mean
// spin m, of the rotation T (dT = [t] T) and of the spin w at the end, for those of w0, the spin at the beginning, and a,
//
//     (dF/dm) dm = 2 I (dw + da) + h s m x (I da)      F of motion.c
//     t += T J(h m) h dm                               J: left Jacobian of the exponential
//     I w = T'I w0,  I dw = T'(I dw0 + I w0 x t)
//
// The prediction a = share J/2 is smooth in w and the reaction J where it is a part of J strictly between nothing and all. Where the
// spin is steady, and for shares of 0 and 1, the derivative is that of this share: an element of the generalized one.
#include "body/motion_derivative.h"

#include <string.h>

#include "base/elementary.h"
#include "body/drift.h"

enum { COLUMNS = 6 }; // spin and reaction, body axes

static const vs_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void put(double *matrix, int columns, int row, int column, vs_vec3 x) {
    matrix[row * columns + column] = x.x;
    matrix[(row + 1) * columns + column] = x.y;
    matrix[(row + 2) * columns + column] = x.z;
}

// ---- kick ------------------------------------------------------------------------------------------

// Directions of the force and torque of the loads as the body turns by r; world axes.
static void turn_loads(const vs_world *world, int index, double time, vs_vec3 r, vs_vec3 *force, vs_vec3 *torque) {
    const vs_body *body = &world->body[index];
    vs_vec3 f = VS_ZERO3, m = VS_ZERO3; // of what turns with it
    *torque = VS_ZERO3;
    vs_control_push(world, index, &f, &m);
    for (const vs_load *load = body->loads; load; load = load->next) {
        vs_vec3 push = vs_signals_at(load->force, time);
        const vs_vec3 turn = vs_signals_at(load->torque, time), arm = vs_rotate(body->pose.rotation, load->point);
        if (!load->follows) {
            *torque = vs_add(*torque, vs_cross(vs_cross(r, arm), push));
            continue;
        }
        push = vs_rotate(body->pose.rotation, push);
        f = vs_add(f, push);
        m = vs_add(m, vs_add(vs_rotate(body->pose.rotation, turn), vs_cross(arm, push)));
    }
    *force = vs_cross(r, f);
    *torque = vs_add(*torque, vs_cross(r, m));
}

typedef struct kick_column {
    vs_vec3 momentum; // of c: linear, world axes
    vs_vec3 spin;     // free, body axes
} kick_column;

static void put_kick(vs_motion_derivative *d, const vs_body *body, int column, kick_column x) {
    put(d->kick, VS_KICK_IN, 0, column, x.momentum);
    put(d->kick, VS_KICK_IN, 3, column, vs_scale(-1, vs_mat3_apply(&body->inertia, x.spin)));
    put(d->kick, VS_KICK_IN, 6, column, x.spin);
}

// h I^-1 R'torque
static vs_vec3 spin_of(const vs_body *body, double h, vs_vec3 torque) {
    return vs_scale(h, vs_mat3_apply(&body->inverse_inertia, vs_rotate_back(body->pose.rotation, torque)));
}

void vs_motion_derivative_kick(vs_motion_derivative *d, const vs_world *world, int index, double h, double time,
                               bool predicts) {
    const vs_body *body = &world->body[index];
    const vs_quat R = body->pose.rotation;
    const vs_vec3 spin = vs_rotate(R, body->spin);
    vs_vec3 force, torque;
    vs_body_push(world, index, time, &force, &torque);
    memset(d->kick, 0, sizeof d->kick);
    for (int k = 0; k < 3; k++) {
        vs_vec3 f, m;
        turn_loads(world, index, time, unit[k], &f, &m);
        // R'w and R'torque, as R turns by the unit
        const vs_vec3 turned = vs_rotate_back(R, vs_cross(spin, unit[k]));
        const vs_vec3 pushed = spin_of(body, h, vs_subtract(m, vs_cross(unit[k], torque)));
        put_kick(d, body, 3 + k, (kick_column){vs_scale(-h, f), vs_add(turned, pushed)});
        put_kick(d, body, 6 + k, (kick_column){.momentum = vs_scale(-body->mass, unit[k])});
        put_kick(d, body, 9 + k, (kick_column){.spin = vs_rotate_back(R, unit[k])});
        put_kick(d, body, 12 + k, (kick_column){.spin = vs_scale(predicts ? -1 : 0, unit[k])});
        put_kick(d, body, 15 + k, (kick_column){.momentum = vs_scale(-h, unit[k])});
        put_kick(d, body, 18 + k, (kick_column){.spin = spin_of(body, h, unit[k])});
    }
    // c = -m (v + h g) - h f, and -I (w - held) - h R'torque: only the first terms have the mass
    const vs_vec3 kept = vs_subtract(body->spin, body->held);
    put(d->kick, VS_KICK_IN, 0, 21, vs_scale(-1, vs_add_scaled(body->velocity, h, world->gravity)));
    put(d->kick, VS_KICK_IN, 3, 21, vs_scale(-1 / body->mass, vs_mat3_apply(&body->inertia, kept)));
    put(d->kick, VS_KICK_IN, 6, 21, vs_scale(-1 / body->mass, spin_of(body, h, torque)));
}

// ---- drift -----------------------------------------------------------------------------------------

typedef struct drift_column {
    vs_vec3 spin, reaction, held; // at the beginning
    vs_vec3 turn, end;            // turn: in the axes of the beginning
} drift_column;

vs_vec3 vs_exp_left(vs_vec3 r, vs_vec3 x) {
    const double angle2 = vs_dot(r, r), angle = sqrt(angle2);
    double sine, cosine, first = .5 - angle2 / 24,
                         second = 1. / 6 - angle2 / 120; // series: the next terms are roundoff
    vs_sincos(.5 * angle, &sine, &cosine);
    if (angle > 1e-3) {
        first = 2 * sine * sine / angle2;
        second = (angle - 2 * sine * cosine) / (angle2 * angle);
    }
    const vs_vec3 once = vs_cross(r, x);
    return vs_add(x, vs_add_scaled(vs_scale(first, once), second, vs_cross(r, once)));
}

// Differentials of the prediction, share J with share = -J'c/(J'I J) and c = exp(-h w) I w - I w.
static void differentiate_forecast(const vs_body *body, const vs_drift *drift, double h, drift_column column[COLUMNS]) {
    const vs_vec3 w = body->spin, J = vs_subtract(w, body->free_spin), p = vs_mat3_apply(&body->inertia, w);
    const bool smooth = drift->share > 0 && drift->share < 1 && !vs_spin_is_steady(body, w);
    const vs_quat turn = vs_quat_exp(vs_scale(h, w));
    const vs_vec3 change = vs_subtract(vs_rotate_back(turn, p), p), IJ = vs_mat3_apply(&body->inertia, J);
    for (int k = 0; k < COLUMNS; k++) {
        drift_column *x = &column[k];
        const bool kept = drift->share == 1 && !vs_spin_is_steady(body, w);
        x->held = kept ? x->reaction : VS_ZERO3;
        if (!smooth)
            continue;
        const vs_vec3 dp = vs_mat3_apply(&body->inertia, x->spin),
                      t = vs_scale(h, vs_exp_left(vs_scale(h, w), x->spin));
        const vs_vec3 dc = vs_subtract(vs_rotate_back(turn, vs_add(dp, vs_cross(p, t))), dp);
        const double up = -vs_dot(x->reaction, change) - vs_dot(J, dc);
        const double share = (up - 2 * drift->share * vs_dot(IJ, x->reaction)) / vs_dot(J, IJ);
        x->held = vs_add_scaled(vs_scale(drift->share, x->reaction), share, J);
    }
}

static void differentiate_part(const vs_drift_part *part, double progress, vs_quat before, vs_vec3 momentum,
                               const vs_body *body, drift_column column[COLUMNS], vs_quat *turn) {
    vs_vec3 m, F;
    vs_mat3 dF;
    if (!vs_mean_spin_find(part, &m) || !vs_mean_spin_equation(part, m, &F, &dF))
        return; // not where the drift has converged in these parts
    const double x = .5 * part->h * vs_length(m), s = x > 1e-4 ? vs_tan(x) / x : 1 + x * x / 3;
    *turn = vs_quat_multiply(before, vs_quat_exp(vs_scale(part->h, m)));
    for (int k = 0; k < COLUMNS; k++) {
        drift_column *c = &column[k];
        const vs_vec3 a = vs_scale(progress, c->held), Ia = vs_mat3_apply(part->inertia, a);
        const vs_vec3 right =
            vs_add_scaled(vs_scale(2, vs_add(vs_mat3_apply(part->inertia, c->end), Ia)), part->h * s, vs_cross(m, Ia));
        const vs_vec3 dm = vs_mat3_solve(&dF, right);
        const vs_vec3 t = vs_exp_left(vs_scale(part->h, m), vs_scale(part->h, dm));
        c->turn = vs_add(c->turn, vs_rotate(before, t));
        const vs_vec3 p = vs_add(vs_mat3_apply(&body->inertia, c->spin), vs_cross(momentum, c->turn));
        c->end = vs_mat3_apply(&body->inverse_inertia, vs_rotate_back(*turn, p));
    }
}

static void differentiate_drift(const vs_body *body, const vs_drift *drift, double h, drift_column column[COLUMNS]) {
    const vs_vec3 w = body->spin, a = vs_scale(.5, drift->held), momentum = vs_mat3_apply(&body->inertia, w);
    int count = drift->parts;
    if (count == 0 && vs_spin_is_steady(body, w))
        count = vs_drift_least_parts(w, VS_ZERO3, h);
    if (count == 0 || count > VS_DRIFT_PARTS_MOST) { // the spin stays
        for (int k = 0; k < COLUMNS; k++)
            column[k].turn = vs_scale(h, vs_exp_left(vs_scale(h, w), column[k].spin));
        return;
    }
    vs_quat turn = {1, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        const double progress = .5 * (2. * i + 1) / count;
        const vs_vec3 now = vs_mat3_apply(&body->inverse_inertia, vs_rotate_back(turn, momentum));
        const vs_drift_part part = {&body->inertia, i ? now : w, vs_scale(2 * progress, a), h / count};
        vs_quat next = turn;
        differentiate_part(&part, progress, turn, momentum, body, column, &next);
        turn = next;
    }
}

void vs_motion_derivative_drift(vs_motion_derivative *d, const vs_body *body, double h, bool reacts) {
    const vs_quat R = body->pose.rotation;
    vs_body before = *body;
    if (!reacts)
        before.free_spin = before.spin;
    const vs_drift drift = vs_drift_find(&before, h);
    drift_column column[COLUMNS] = {0};
    for (int k = 0; k < 3; k++) {
        column[k].spin = column[k].end = unit[k];
        column[3 + k].reaction = unit[k];
    }
    differentiate_forecast(&before, &drift, h, column);
    differentiate_drift(&before, &drift, h, column);
    const vs_quat end = vs_quat_multiply(R, drift.turn);
    const vs_vec3 spin = vs_rotate(end, vs_add(drift.spin, drift.held));
    memset(d->drift, 0, sizeof d->drift);
    for (int k = 0; k < 3; k++) {
        put(d->drift, VS_DRIFT_IN, 0, k, unit[k]);
        put(d->drift, VS_DRIFT_IN, 0, 6 + k, vs_scale(h, unit[k]));
        put(d->drift, VS_DRIFT_IN, 3, 3 + k, unit[k]);
        put(d->drift, VS_DRIFT_IN, 6, 6 + k, unit[k]);
        put(d->drift, VS_DRIFT_IN, 9, 3 + k, vs_cross(unit[k], spin));
    }
    for (int k = 0; k < COLUMNS; k++) { // by v: spin, and with it the reaction; by the free spin: less of this
        drift_column x = column[k];
        if (k < 3 && reacts) {
            const drift_column *y = &column[3 + k];
            x.turn = vs_add(x.turn, y->turn), x.end = vs_add(x.end, y->end), x.held = vs_add(x.held, y->held);
        }
        const double sign = k < 3 ? 1 : reacts ? -1 : 0;
        const vs_vec3 turn = vs_scale(sign, vs_rotate(R, x.turn)), held = vs_scale(sign, x.held);
        const vs_vec3 shown = vs_rotate(end, vs_add(vs_scale(sign, x.end), held));
        put(d->drift, VS_DRIFT_IN, 3, 9 + k, turn);
        put(d->drift, VS_DRIFT_IN, 9, 9 + k, vs_add(shown, vs_cross(turn, spin)));
        put(d->drift, VS_DRIFT_IN, 12, 9 + k, held);
    }
}
