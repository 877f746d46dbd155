// Collision detection of fcl: a dynamic tree, trees of turned boxes about the triangles, up to 64 contacts per pair. Meshes only.
#include "collide_side.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fcl/fcl.h>

namespace {

struct fcl_state {
    fcl::DynamicAABBTreeCollisionManagerd manager;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> bodies;
    std::vector<side_pair> pairs;
};

fcl::Vector3d vector(vs_vec3 v) {
    return fcl::Vector3d(v.x, v.y, v.z);
}

std::shared_ptr<fcl::CollisionGeometryd> make_mesh(const side_body &b) {
    std::vector<fcl::Vector3d> vertex;
    std::vector<fcl::Triangle> triangle;
    for (int k = 0; k < b.points; k++)
        vertex.push_back(vector(b.point[k]));
    for (int k = 0; k < 3 * b.triangles; k += 3)
        triangle.emplace_back(std::size_t(b.triangle[k]), std::size_t(b.triangle[k + 1]),
                              std::size_t(b.triangle[k + 2]));
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    model->beginModel(b.triangles, b.points);
    model->addSubModel(vertex, triangle);
    model->endModel();
    return model;
}

void place(void *state, const vs_pose *pose) {
    fcl_state *s = static_cast<fcl_state *>(state);
    for (size_t k = 0; k < s->bodies.size(); k++) {
        const vs_quat q = pose[k].rotation;
        s->bodies[k]->setTransform(fcl::Quaterniond(q.w, q.x, q.y, q.z), vector(pose[k].position));
        s->bodies[k]->computeAABB();
    }
}

void *create(const side_body *body, int bodies, const vs_pose *pose) {
    fcl_state *s = new fcl_state;
    for (int k = 0; k < bodies; k++) {
        s->bodies.push_back(std::make_unique<fcl::CollisionObjectd>(make_mesh(body[k])));
        s->bodies.back()->setUserData(reinterpret_cast<void *>(std::intptr_t(k)));
    }
    place(s, pose);
    for (auto &object : s->bodies)
        s->manager.registerObject(object.get());
    s->manager.setup();
    return s;
}

bool meet(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *data) {
    fcl_state *s = static_cast<fcl_state *>(data);
    fcl::CollisionRequestd request(64, true);
    fcl::CollisionResultd result;
    if (fcl::collide(a, b, request, result) == 0)
        return false;
    const int i = int(reinterpret_cast<std::intptr_t>(a->getUserData())),
              j = int(reinterpret_cast<std::intptr_t>(b->getUserData()));
    side_pair pair = {std::min(i, j), std::max(i, j), int(result.numContacts()), 1e300};
    for (size_t k = 0; k < result.numContacts(); k++)
        pair.deepest = std::min(pair.deepest, -result.getContact(k).penetration_depth);
    s->pairs.push_back(pair);
    return false;
}

void find(void *state) {
    fcl_state *s = static_cast<fcl_state *>(state);
    s->pairs.clear();
    s->manager.update();
    s->manager.collide(s, meet);
}

int get(void *state, side_pair *pair, int most) {
    fcl_state *s = static_cast<fcl_state *>(state);
    std::copy_n(s->pairs.begin(), std::min(size_t(most), s->pairs.size()), pair);
    return int(s->pairs.size());
}

void destroy(void *state) {
    delete static_cast<fcl_state *>(state);
}

const collide_side side = {"fcl", create, place, find, get, destroy};

} // namespace

const collide_side *collide_fcl_get() {
    return &side;
}
