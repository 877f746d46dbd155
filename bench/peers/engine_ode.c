// ODE (double precision): dWorldStep, a pivoting solver, and dWorldQuickStep, 20 sweeps of SOR.
// Friction is the pyramid of dContactApprox1 with bounds from the normal force; up to 8 points a pair.
#include "scenes.h"

#include <stdlib.h>
#include <string.h>

#include <ode/ode.h>

enum { POINTS_MOST = 8 };

typedef struct ode_state {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID *body;
    double mu, h;
    bool quick;
} ode_state;

static const char *version(void) {
    return PEER_ODE_VERSION;
}

static void add_body(ode_state *s, const engine_body *from, dBodyID *out) {
    const vs_body_state *at = &from->state;
    dBodyID body = *out = dBodyCreate(s->world);
    dMass mass;
    dMassSetParameters(&mass, from->mass, 0, 0, 0, from->inertia.x, from->inertia.y, from->inertia.z, 0, 0, 0);
    dBodySetMass(body, &mass);
    const dQuaternion q = {at->pose.rotation.w, at->pose.rotation.x, at->pose.rotation.y, at->pose.rotation.z};
    dBodySetPosition(body, at->pose.position.x, at->pose.position.y, at->pose.position.z);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, at->velocity.x, at->velocity.y, at->velocity.z);
    dBodySetAngularVel(body, at->spin.x, at->spin.y, at->spin.z);
    dGeomID geom = from->shape == ENGINE_SPHERE
                       ? dCreateSphere(s->space, from->radius)
                       : dCreateBox(s->space, 2 * from->half.x, 2 * from->half.y, 2 * from->half.z);
    dGeomSetBody(geom, body);
    if (from->guided) {
        dJointID slider = dJointCreateSlider(s->world, 0);
        dJointAttach(slider, body, 0);
        dJointSetSliderAxis(slider, 0, 0, 1);
    }
}

static void add_plane(ode_state *s, const vs_pose *pose) {
    const dQuaternion q = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    dMatrix3 R;
    dQtoR(q, R);
    const double n[3] = {R[2], R[6], R[10]};
    (void)dCreatePlane(s->space, n[0], n[1], n[2],
                       n[0] * pose->position.x + n[1] * pose->position.y + n[2] * pose->position.z);
}

static void *create(const engine_scene *scene, const char *name) {
    ode_state *s = calloc(1, sizeof *s);
    dBodyID *body = calloc((size_t)scene->bodies, sizeof(dBodyID));
    if (!s || !body || !dInitODE2(0)) {
        free(s);
        free(body);
        return NULL;
    }
    *s = (ode_state){.world = dWorldCreate(),
                     .space = dHashSpaceCreate(0),
                     .contacts = dJointGroupCreate(0),
                     .body = body,
                     .mu = scene->mu,
                     .h = scene->step,
                     .quick = strcmp(name, "ode-quick") == 0};
    dWorldSetGravity(s->world, scene->gravity.x, scene->gravity.y, scene->gravity.z);
    for (int k = 0; k < scene->planes; k++)
        add_plane(s, &scene->plane[k]);
    for (int k = 0; k < scene->bodies; k++)
        add_body(s, &scene->body[k], &body[k]);
    return s;
}

static void meet(void *data, dGeomID a, dGeomID b) {
    ode_state *s = data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    dContact contact[POINTS_MOST];
    if (!body_a && !body_b)
        return;
    int count = dCollide(a, b, POINTS_MOST, &contact[0].geom, sizeof(dContact));
    for (int k = 0; k < count; k++) {
        memset(&contact[k].surface, 0, sizeof contact[k].surface);
        contact[k].surface.mode = dContactApprox1;
        contact[k].surface.mu = s->mu;
        dJointAttach(dJointCreateContact(s->world, s->contacts, &contact[k]), body_a, body_b);
    }
}

static bool step(void *state) {
    ode_state *s = state;
    dSpaceCollide(s->space, s, meet);
    int good = s->quick ? dWorldQuickStep(s->world, s->h) : dWorldStep(s->world, s->h);
    dJointGroupEmpty(s->contacts);
    return good != 0;
}

static void get(void *state, int k, vs_body_state *out) {
    dBodyID body = ((ode_state *)state)->body[k];
    const double *x = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    const double *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    *out = (vs_body_state){.pose = {{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}},
                           .velocity = {v[0], v[1], v[2]},
                           .spin = {w[0], w[1], w[2]}};
}

static void destroy(void *state) {
    ode_state *s = state;
    dJointGroupDestroy(s->contacts);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
    dCloseODE();
    free(s->body);
    free(s);
}

const engine *engine_ode_get(int index) {
    static const engine engines[] = {
        {"ode", "dWorldStep, friction pyramid (Approx1)", version, create, step, get, destroy},
        {"ode-quick", "dWorldQuickStep, 20 sweeps, friction pyramid (Approx1)", version, create, step, get, destroy},
    };
    return index >= 0 && index < 2 ? &engines[index] : NULL;
}
