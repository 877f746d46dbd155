// Estimate of the error of a controlled step: see time_error.h.
#include "step/controlled/time_error.h"

#include <math.h>

#include "base/elementary.h"

// ---- sizes -----------------------------------------------------------------------------------------

static void enlarge(double *size, double length) {
    if (isfinite(length)) // a plane has no size
        *size = fmax(*size, length);
}

static double largest_radius_of_gyration(const vs_body *body) {
    const double *I = body->inertia.a;
    return sqrt(fmax(I[0], fmax(I[4], I[8])) / body->mass);
}

vs_error vs_time_error_prepare(vs_simulation *s) {
    const vs_world *world = s->world;
    vs_time_control *c = &s->control;
    if (c->size.count == world->bodies && c->topology == world->topology)
        return VS_OK;
    const vs_error error = VS_RESERVE(s->context, &c->size, world->bodies);
    if (error)
        return error;
    for (int k = 0; k < world->bodies; k++)
        c->size.data[k] = 0;
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *one = &world->collider[k];
        if (one->alive)
            enlarge(&c->size.data[one->body], vs_shape_arm(one->shape, one->pose));
    }
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        if (!joint->alive || vs_joint_kind_couples(joint->def.kind) || joint->cable)
            continue;
        enlarge(&c->size.data[joint->a], vs_length(joint->def.frame_a.position));
        enlarge(&c->size.data[joint->b], vs_length(joint->def.frame_b.position));
    }
    for (int k = 0; k < world->bodies; k++)
        if (world->body[k].motion == VS_MOTION_DYNAMIC && !(c->size.data[k] > 0))
            c->size.data[k] = largest_radius_of_gyration(&world->body[k]);
    c->size.count = world->bodies;
    c->topology = world->topology;
    return VS_OK;
}

// ---- estimate --------------------------------------------------------------------------------------

// The shortest rotation from one to the other as a vector in world axes.
static vs_vec3 rotation_between(vs_quat from, vs_quat to) {
    vs_quat q = vs_quat_multiply(to, vs_quat_conjugate(from));
    const double sign = q.w < 0 ? -1 : 1;
    const vs_vec3 axis = vs_scale(sign, (vs_vec3){q.x, q.y, q.z});
    const double sine = vs_length(axis), angle = 2 * vs_atan2(sine, fabs(q.w));
    return vs_scale(sine > 0 ? angle / sine : 2, axis);
}

static vs_vec3 trapezoid(vs_vec3 way, vs_vec3 v0, vs_vec3 v1, double h) {
    return vs_add_scaled(way, -.5 * h, vs_add(v0, v1));
}

vs_time_error vs_time_error_estimate(const vs_simulation *s, double h) {
    const vs_world *world = s->world;
    const double g = vs_length(world->gravity), a = s->options.accuracy;
    vs_time_error e = {0};
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        const vs_saved_body *from = &s->saved.body.data[k];
        if (!vs_body_takes_part(body) || body->motion != VS_MOTION_DYNAMIC)
            continue;
        const double L = s->control.size.data[k], V = g > 0 ? sqrt(g * L) : L;
        const vs_vec3 w0 = vs_rotate(from->pose.rotation, from->spin), w1 = vs_rotate(body->pose.rotation, body->spin);
        const vs_vec3 way = vs_subtract(body->pose.position, from->pose.position);
        const vs_vec3 turn = rotation_between(from->pose.rotation, body->pose.rotation);
        const double d =
            vs_length(trapezoid(way, from->velocity, body->velocity, h)) + L * vs_length(trapezoid(turn, w0, w1, h));
        const double jump = vs_length(vs_subtract(body->velocity, from->velocity)) + L * vs_length(vs_subtract(w1, w0));
        e.position = fmax(e.position, d);
        e.speed = fmax(e.speed, 2 * d / h);
        e.position_share = fmax(e.position_share, d / (a * L));
        e.speed_share = fmax(e.speed_share, 2 * d / (h * a * V));
        e.jump_share = fmax(e.jump_share, jump / (a * V));
    }
    return e;
}
