// Quality of the elements of a mesh, topology of its surface, and number of its parts.
//
//     radius ratio   3 r / R, 1 for a regular tetrahedron
//                    r = 3 V / A of the inscribed sphere, A the area of the four sides
//                    R = |a^2 (b x c) + b^2 (c x a) + c^2 (a x b)| / 12 V of the circumscribed sphere,
//                    a, b, c the edges from corner 0
//     dihedral       the angle between two sides, pi minus that between their outward normals
//     Jacobian       det J at the ten nodes over 6 V of the straight element; 1 where edges are straight and halved
//     Euler          corners - edges + faces = 2 (pieces of the surface - handles), if the surface does not touch
//                    itself
#include "base/elementary.h"
#include "shape/mesh_data.h"

#include <math.h>

#include "base/disjoint_sets.h"

static void note_radius_ratio(const vs_vec3 x[4], double volume, int at, vs_mesh_quality *q) {
    const vs_vec3 a = vs_subtract(x[1], x[0]), b = vs_subtract(x[2], x[0]), c = vs_subtract(x[3], x[0]);
    const vs_vec3 ab = vs_cross(a, b), bc = vs_cross(b, c), ca = vs_cross(c, a);
    const vs_vec3 far = vs_add(ab, vs_add(bc, ca)); // (x2 - x1) x (x3 - x1)
    const double area = .5 * (vs_length(ab) + vs_length(bc) + vs_length(ca) + vs_length(far));
    const vs_vec3 centre =
        vs_add(vs_scale(vs_dot(a, a), bc), vs_add(vs_scale(vs_dot(b, b), ca), vs_scale(vs_dot(c, c), ab)));
    const double ratio = 3 * (3 * volume / area) / (vs_length(centre) / (12 * volume));
    q->radius_ratio_mean += ratio;
    if (ratio < q->radius_ratio) {
        q->radius_ratio = ratio;
        q->radius_ratio_at = at;
    }
}

static void note_angles(const vs_vec3 x[4], int at, vs_mesh_quality *q) {
    const double pi = 3.14159265358979323846;
    vs_vec3 normal[4];
    for (int s = 0; s < 4; s++) {
        const int *corner = VS_MESH_SIDE[s];
        normal[s] =
            vs_normalize(vs_cross(vs_subtract(x[corner[1]], x[corner[0]]), vs_subtract(x[corner[2]], x[corner[0]])));
    }
    for (int k = 0; k < 6; k++) {
        const int i = VS_MESH_EDGE[k][0], j = VS_MESH_EDGE[k][1];
        const double length = vs_length(vs_subtract(x[i], x[j]));
        q->edge_least = fmin(q->edge_least, length);
        q->edge_most = fmax(q->edge_most, length);
        // By sine and cosine: acos alone loses half the digits of flat elements.
        const double angle = pi - vs_atan2(vs_length(vs_cross(normal[i], normal[j])), vs_dot(normal[i], normal[j]));
        if (angle < q->dihedral_least) {
            q->dihedral_least = angle;
            q->dihedral_least_at = at;
        }
        if (angle > q->dihedral_most) {
            q->dihedral_most = angle;
            q->dihedral_most_at = at;
        }
    }
}

static void note_jacobian(const vs_mesh *mesh, int at, double straight, vs_mesh_quality *q) {
    for (int node = 0; mesh->nodes == 10 && node < 10; node++) {
        double place[4] = {0};
        if (node < 4)
            place[node] = 1;
        else
            place[VS_MESH_EDGE[node - 4][0]] = place[VS_MESH_EDGE[node - 4][1]] = .5;
        const double ratio =
            vs_mesh_tet_jacobian(mesh->vertex, mesh->element + 10 * (int64_t)at, place) / (6 * straight);
        if (ratio < q->jacobian) {
            q->jacobian = ratio;
            q->jacobian_at = at;
        }
    }
}

// ---- parts and surface -----------------------------------------------------------------------------

static vs_error count_parts(const vs_mesh *mesh, int *parts) {
    vs_arena scratch;
    vs_arena_init(&scratch, mesh->arena.context);
    int *parent = VS_NEW(&scratch, int, mesh->vertices);
    *parts = mesh->vertices;
    for (int k = 0; parent && k < mesh->vertices; k++)
        parent[k] = k;
    for (int k = 0; parent && k < mesh->elements; k++) {
        const int *element = mesh->element + mesh->nodes * (int64_t)k;
        for (int c = 1; c < mesh->nodes; c++)
            *parts -= vs_sets_join(parent, element[0], element[c]);
    }
    vs_arena_release(&scratch);
    return parent ? VS_OK : VS_ERROR_MEMORY;
}

// One middle node per edge of the surface.
static int euler_number(const vs_mesh *mesh) {
    const int corners = mesh->surface_vertices - (mesh->nodes == 10 ? mesh->surface_edges : 0);
    return corners - mesh->surface_edges + mesh->faces;
}

vs_error vs_mesh_get_quality(const vs_mesh *mesh, vs_mesh_quality *quality) {
    if (quality)
        *quality = (vs_mesh_quality){0};
    if (!mesh || !quality)
        return vs_fail(mesh ? mesh->arena.context : NULL, VS_ERROR_ARGUMENT, "mesh or quality is null");
    vs_mesh_quality q = {.volume = mesh->volume,
                         .volume_least = INFINITY,
                         .edge_least = INFINITY,
                         .radius_ratio = INFINITY,
                         .dihedral_least = INFINITY,
                         .jacobian = mesh->nodes == 10 ? INFINITY : 1,
                         .euler = euler_number(mesh)};
    for (int k = 0; k < mesh->elements; k++) {
        const int *element = mesh->element + mesh->nodes * (int64_t)k;
        const vs_vec3 x[4] = {mesh->vertex[element[0]], mesh->vertex[element[1]], mesh->vertex[element[2]],
                              mesh->vertex[element[3]]};
        const double volume = vs_mesh_tet_volume(mesh->vertex, element, mesh->nodes),
                     straight = vs_mesh_tet_determinant(mesh->vertex, element) / 6;
        q.volume_least = fmin(q.volume_least, volume);
        q.volume_most = fmax(q.volume_most, volume);
        note_radius_ratio(x, straight, k, &q);
        note_angles(x, k, &q);
        note_jacobian(mesh, k, straight, &q);
    }
    q.radius_ratio_mean /= mesh->elements;
    vs_error error = count_parts(mesh, &q.parts);
    if (!error)
        *quality = q;
    return error;
}
