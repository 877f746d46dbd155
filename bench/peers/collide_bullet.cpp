// Collision detection of Bullet in double precision: a dynamic tree and persistent manifolds of up to 4 points.
// Hulls have a margin of 1e-3 of their size instead of 4 cm; meshes are those of GImpact, which may move, with a margin of 1e-5.
#include "collide_side.h"

#include <algorithm>
#include <vector>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <btBulletCollisionCommon.h>

namespace {

struct bullet_state {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
    std::vector<btCollisionShape *> shapes;
    std::vector<btTriangleMesh *> meshes;
    std::vector<btCollisionObject *> bodies;
    std::vector<bool> fixed;
};

btVector3 vector(vs_vec3 v) {
    return btVector3(v.x, v.y, v.z);
}

btTransform transform(const vs_pose &p) {
    return btTransform(btQuaternion(p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w), vector(p.position));
}

btCollisionShape *make_mesh(bullet_state *s, const side_body &b) {
    btTriangleMesh *mesh = new btTriangleMesh;
    for (int k = 0; k < 3 * b.triangles; k += 3)
        mesh->addTriangle(vector(b.point[b.triangle[k]]), vector(b.point[b.triangle[k + 1]]),
                          vector(b.point[b.triangle[k + 2]]));
    s->meshes.push_back(mesh);
    btGImpactMeshShape *shape = new btGImpactMeshShape(mesh);
    shape->setMargin(1e-5 * b.size);
    shape->updateBound();
    return shape;
}

btCollisionShape *make_shape(bullet_state *s, const side_body &b, const vs_pose &pose) {
    switch (b.shape) {
    case SIDE_SPHERE:
        return new btSphereShape(b.radius);
    case SIDE_BOX:
        return new btBoxShape(vector(b.half));
    case SIDE_CAPSULE:
        return new btCapsuleShapeZ(b.radius, 2 * b.half_length);
    case SIDE_CYLINDER:
        return new btCylinderShapeZ(btVector3(b.radius, b.radius, b.half_length));
    case SIDE_HULL: {
        btConvexHullShape *hull = new btConvexHullShape;
        for (int k = 0; k < b.points; k++)
            hull->addPoint(vector(b.point[k]), false);
        hull->recalcLocalAabb();
        hull->setMargin(1e-3 * b.size);
        return hull;
    }
    case SIDE_MESH:
        return make_mesh(s, b);
    default: {
        const btVector3 n = transform(pose).getBasis().getColumn(2);
        return new btStaticPlaneShape(n, n.dot(vector(pose.position)));
    }
    }
}

void place(void *state, const vs_pose *pose) {
    bullet_state *s = static_cast<bullet_state *>(state);
    for (size_t k = 0; k < s->bodies.size(); k++)
        if (!s->fixed[k])
            s->bodies[k]->setWorldTransform(transform(pose[k]));
}

void *create(const side_body *body, int bodies, const vs_pose *pose) {
    bullet_state *s = new bullet_state;
    btGImpactCollisionAlgorithm::registerAlgorithm(&s->dispatcher);
    for (int k = 0; k < bodies; k++) {
        const bool fixed = body[k].shape == SIDE_PLANE;
        btCollisionObject *object = new btCollisionObject;
        s->shapes.push_back(make_shape(s, body[k], pose[k]));
        // A margin of a box or cylinder lies inside of it; 4 cm is more than some of these bodies have.
        if (body[k].shape == SIDE_BOX || body[k].shape == SIDE_CYLINDER)
            s->shapes.back()->setMargin(std::min(.04, .1 * body[k].size));
        object->setCollisionShape(s->shapes.back());
        object->setUserIndex(k);
        if (fixed)
            object->setCollisionFlags(object->getCollisionFlags() | btCollisionObject::CF_STATIC_OBJECT);
        else
            object->setWorldTransform(transform(pose[k]));
        s->bodies.push_back(object);
        s->fixed.push_back(fixed);
        s->world.addCollisionObject(object, fixed ? 2 : 1, fixed ? 1 : 3);
    }
    return s;
}

void find(void *state) {
    static_cast<bullet_state *>(state)->world.performDiscreteCollisionDetection();
}

int get(void *state, side_pair *pair, int most) {
    bullet_state *s = static_cast<bullet_state *>(state);
    int count = 0;
    for (int k = 0; k < s->dispatcher.getNumManifolds(); k++) {
        const btPersistentManifold *m = s->dispatcher.getManifoldByIndexInternal(k);
        const int i = m->getBody0()->getUserIndex(), j = m->getBody1()->getUserIndex();
        if (m->getNumContacts() == 0)
            continue;
        side_pair found = {std::min(i, j), std::max(i, j), m->getNumContacts(), 1e300};
        for (int p = 0; p < m->getNumContacts(); p++)
            found.deepest = std::min(found.deepest, double(m->getContactPoint(p).getDistance()));
        if (count < most)
            pair[count] = found;
        count++;
    }
    return count;
}

void destroy(void *state) {
    bullet_state *s = static_cast<bullet_state *>(state);
    for (btCollisionObject *object : s->bodies) {
        s->world.removeCollisionObject(object);
        delete object;
    }
    for (btCollisionShape *shape : s->shapes)
        delete shape;
    for (btTriangleMesh *mesh : s->meshes)
        delete mesh;
    delete s;
}

const collide_side side = {"Bullet", create, place, find, get, destroy};

} // namespace

const collide_side *collide_bullet_get() {
    return &side;
}
