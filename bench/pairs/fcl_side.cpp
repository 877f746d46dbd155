// Collision and distance of two bodies by fcl: see fcl_side.h. Iterations of its solver for convex shapes end at 1e-9.
#include "fcl_side.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

Geometry triangles_of(const fcl_body &body) {
    std::vector<fcl::Vector3d> vertex;
    std::vector<fcl::Triangle> triangle;
    for (int k = 0; k < body.vertices; k++)
        vertex.emplace_back(body.vertex[3 * k], body.vertex[3 * k + 1], body.vertex[3 * k + 2]);
    for (int k = 0; k < body.triangles; k++)
        triangle.emplace_back(std::size_t(body.triangle[3 * k]), std::size_t(body.triangle[3 * k + 1]),
                              std::size_t(body.triangle[3 * k + 2]));
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    model->beginModel(body.triangles, body.vertices);
    model->addSubModel(vertex, triangle);
    model->endModel();
    return model;
}

Geometry geometry_of(const fcl_body &body) {
    const double *s = body.size;
    switch (body.kind) {
    case FCL_SPHERE:
        return std::make_shared<fcl::Sphered>(s[0]);
    case FCL_BOX:
        return std::make_shared<fcl::Boxd>(2 * s[0], 2 * s[1], 2 * s[2]);
    case FCL_CAPSULE:
        return std::make_shared<fcl::Capsuled>(s[0], 2 * s[1]);
    case FCL_CYLINDER:
        return std::make_shared<fcl::Cylinderd>(s[0], 2 * s[1]);
    case FCL_ELLIPSOID:
        return std::make_shared<fcl::Ellipsoidd>(s[0], s[1], s[2]);
    default:
        return triangles_of(body);
    }
}

fcl::CollisionObjectd object_of(const fcl_body &body) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.linear() =
        fcl::Quaterniond(body.rotation[0], body.rotation[1], body.rotation[2], body.rotation[3]).toRotationMatrix();
    pose.translation() = fcl::Vector3d(body.place[0], body.place[1], body.place[2]);
    return fcl::CollisionObjectd(geometry_of(body), pose);
}

} // namespace

extern "C" fcl_answer fcl_ask(const fcl_body *a, const fcl_body *b) {
    const fcl::CollisionObjectd first = object_of(*a), second = object_of(*b);
    fcl::CollisionRequestd touch;
    fcl::CollisionResultd found;
    touch.gjk_solver_type = fcl::GST_LIBCCD;
    fcl_answer answer = {fcl::collide(&first, &second, touch, found) > 0, 0};
    if (answer.touch)
        return answer;
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    request.gjk_solver_type = fcl::GST_LIBCCD;
    request.distance_tolerance = 1e-9;
    answer.distance = fcl::distance(&first, &second, request, result);
    return answer;
}
