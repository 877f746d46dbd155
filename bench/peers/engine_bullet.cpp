// Bullet in double precision: sequential impulses (10 sweeps) and its MLCP solver with Dantzig's method.
// Its friction of a pair is the product of the bodies' coefficients. Bodies never sleep. C++, since it has no C
// interface.
#include "scenes.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

namespace {

struct bullet_state {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDantzigSolver dantzig;
    btConstraintSolver *solver = nullptr;
    btDiscreteDynamicsWorld *world = nullptr;
    std::vector<btCollisionShape *> shapes;
    std::vector<btRigidBody *> bodies, fixed;
    double h = 0;
};

btVector3 vector(vs_vec3 v) {
    return btVector3(v.x, v.y, v.z);
}

btTransform transform(const vs_pose &p) {
    return btTransform(btQuaternion(p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w), vector(p.position));
}

btRigidBody *add(bullet_state *s, double mass, btCollisionShape *shape, btVector3 inertia, double mu) {
    s->shapes.push_back(shape);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_friction = std::sqrt(mu);
    return new btRigidBody(info);
}

void add_body(bullet_state *s, const engine_body &from, double mu) {
    btCollisionShape *shape;
    if (from.shape == ENGINE_SPHERE)
        shape = new btSphereShape(from.radius);
    else
        shape = new btBoxShape(vector(from.half));
    btRigidBody *body = add(s, from.mass, shape, vector(from.inertia), mu);
    body->setCenterOfMassTransform(transform(from.state.pose));
    body->setLinearVelocity(vector(from.state.velocity));
    body->setAngularVelocity(vector(from.state.spin));
    body->setActivationState(DISABLE_DEACTIVATION);
    if (from.guided) {
        body->setLinearFactor(btVector3(0, 0, 1));
        body->setAngularFactor(btVector3(0, 0, 0));
    }
    s->world->addRigidBody(body);
    s->bodies.push_back(body);
}

void add_plane(bullet_state *s, const vs_pose &pose, double mu) {
    btVector3 normal = transform(pose).getBasis().getColumn(2);
    btRigidBody *body =
        add(s, 0, new btStaticPlaneShape(normal, normal.dot(vector(pose.position))), btVector3(0, 0, 0), mu);
    s->world->addRigidBody(body);
    s->fixed.push_back(body);
}

const char *version() {
    static char text[32];
    std::snprintf(text, sizeof text, "%d.%02d", btGetVersion() / 100, btGetVersion() % 100);
    return text;
}

void *create(const engine_scene *scene, const char *name) {
    bullet_state *s = new bullet_state;
    if (std::strcmp(name, "bullet-dantzig") == 0)
        s->solver = new btMLCPSolver(&s->dantzig);
    else
        s->solver = new btSequentialImpulseConstraintSolver;
    s->world = new btDiscreteDynamicsWorld(&s->dispatcher, &s->broadphase, s->solver, &s->configuration);
    s->world->setGravity(vector(scene->gravity));
    // As Bullet's examples do: small matrices, one for each island.
    if (std::strcmp(name, "bullet-dantzig") == 0)
        s->world->getSolverInfo().m_minimumSolverBatchSize = 1;
    s->h = scene->step;
    for (int k = 0; k < scene->planes; k++)
        add_plane(s, scene->plane[k], scene->mu);
    for (int k = 0; k < scene->bodies; k++)
        add_body(s, scene->body[k], scene->mu);
    return s;
}

bool step(void *state) {
    bullet_state *s = static_cast<bullet_state *>(state);
    s->world->stepSimulation(s->h, 0); // 0 substeps: exactly one step of h
    return true;
}

void get(void *state, int k, vs_body_state *out) {
    const btRigidBody *body = static_cast<bullet_state *>(state)->bodies[static_cast<size_t>(k)];
    const btTransform &t = body->getCenterOfMassTransform();
    const btQuaternion q = t.getRotation();
    const btVector3 &x = t.getOrigin(), &v = body->getLinearVelocity(), &w = body->getAngularVelocity();
    out->pose.position = {x.x(), x.y(), x.z()};
    out->pose.rotation = {q.w(), q.x(), q.y(), q.z()};
    out->velocity = {v.x(), v.y(), v.z()};
    out->spin = {w.x(), w.y(), w.z()};
}

void destroy(void *state) {
    bullet_state *s = static_cast<bullet_state *>(state);
    for (std::vector<btRigidBody *> *list : {&s->bodies, &s->fixed})
        for (btRigidBody *body : *list) {
            s->world->removeRigidBody(body);
            delete body;
        }
    for (btCollisionShape *shape : s->shapes)
        delete shape;
    delete s->world;
    delete s->solver;
    delete s;
}

const engine engines[] = {
    {"bullet-si", "sequential impulses, 10 sweeps", version, create, step, get, destroy},
    {"bullet-dantzig", "btMLCPSolver, Dantzig", version, create, step, get, destroy},
};

} // namespace

const engine *engine_bullet_get(int index) {
    return index >= 0 && index < 2 ? &engines[index] : nullptr;
}
