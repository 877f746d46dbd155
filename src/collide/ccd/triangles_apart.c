// Planes between two triangles that move: see triangles_apart.h.
#include "collide/ccd/triangles_apart.h"

// Of the gap, for rounding.
static const double WIDER = 1e-9;

static vs_apart_side side_of(const vs_swept_collider *c, vs_pose frame, double from, double to) {
    vs_apart_side side = {.t = &c->shape->triangles,
                          .centre = vs_pose_apply_back(frame, vs_path_at(c->path, from).position),
                          .last = {.triangle = -1}};
    for (int k = 0; k < 2; k++) {
        const vs_pose pose = vs_pose_multiply(vs_path_at(c->path, k ? to : from), c->pose);
        const vs_pose own = vs_pose_relative(pose, frame);
        side.rotation[k] = vs_quat_matrix(own.rotation);
        side.position[k] = own.position;
    }
    if (from < c->path->stop) {
        const vs_vec3 w = vs_scale(to - from, c->path->turn);
        side.turn = vs_rotate_back(frame.rotation, vs_rotate(c->path->begin.rotation, w));
    }
    return side;
}

vs_apart vs_apart_between(const vs_swept_collider side[2], double from, double to) {
    const vs_pose frame = vs_pose_multiply(vs_path_at(side[1].path, from), side[1].pose);
    return (vs_apart){.side = {side_of(&side[0], frame, from, to), side_of(&side[1], frame, from, to)},
                      .rests = !(to > from)};
}

// Pairs come in runs with the same first triangle.
static const vs_apart_triangle *place(vs_apart_side *side, int triangle) {
    vs_apart_triangle *p = &side->last;
    if (p->triangle == triangle)
        return p;
    double arm = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        const vs_vec3 v = side->t->vertex[side->t->index[3 * (int64_t)triangle + k]];
        for (int i = 0; i < 2; i++)
            p->corner[i][k] = vs_add(side->position[i], vs_mat3_apply(&side->rotation[i], v));
        const vs_vec3 r = vs_subtract(p->corner[0][k], side->centre);
        arm = vs_dot(r, r) > arm ? vs_dot(r, r) : arm;
    }
    for (int k = 0; k < 3; k++) {
        const vs_vec3 r = vs_subtract(p->corner[0][k], p->corner[0][(k + 1) % 3]);
        size = vs_dot(r, r) > size ? vs_dot(r, r) : size;
    }
    p->triangle = triangle;
    p->normal = vs_mat3_apply(&side->rotation[0], side->t->surface.normal[triangle]);
    p->arm = sqrt(arm);
    p->size = sqrt(size);
    return p;
}

typedef struct extent {
    double low, high;
} extent;

static inline extent extent_along(const vs_vec3 corner[3], vs_vec3 n) {
    const double x = vs_dot(n, corner[0]), y = vs_dot(n, corner[1]), z = vs_dot(n, corner[2]);
    const double low = x < y ? x : y, high = x < y ? y : x;
    return (extent){z < low ? z : low, z > high ? z : high};
}

// Between triangles at the beginning or the end, along n or, backwards, along -n.
static inline double gap_along(const vs_apart_triangle *const at[2], int end, vs_vec3 n, bool backwards) {
    const extent a = extent_along(at[0]->corner[end], n), b = extent_along(at[1]->corner[end], n);
    return backwards ? a.low - b.high : b.low - a.high;
}

static bool keeps_apart(const vs_apart *p, const vs_apart_triangle *const at[2], vs_vec3 n, double gap) {
    const bool backwards = gap_along(at, 0, n, true) > gap;
    if (!backwards && !(gap_along(at, 0, n, false) > gap))
        return false;
    double curved = 0;
    for (int k = 0; k < 2 && !p->rests; k++)
        curved += vs_length(vs_cross(n, p->side[k].turn)) * vs_length(p->side[k].turn) * at[k]->arm;
    return p->rests || (gap_along(at, 0, n, backwards) > gap + .125 * curved &&
                        gap_along(at, 1, n, backwards) > gap + .125 * curved);
}

// In the planes of the triangles, across their sides: flat faces of both may lie in one plane.
static bool keeps_beside(const vs_apart *p, const vs_apart_triangle *const at[2], double gap, vs_vec3 *n) {
    for (int k = 0; k < 6; k++) {
        const vs_vec3 *corner = at[k / 3]->corner[0];
        const vs_vec3 along = vs_subtract(corner[(k + 1) % 3], corner[k % 3]);
        *n = vs_normalize(vs_cross(along, at[k / 3]->normal));
        if (keeps_apart(p, at, *n, gap))
            return true;
    }
    return false;
}

bool vs_apart_stay(vs_apart *p, const int triangle[2], double gap, double share) {
    const vs_apart_triangle *const at[2] = {place(&p->side[0], triangle[0]), place(&p->side[1], triangle[1])};
    const double least = (1 + WIDER) * gap + share * (at[0]->size < at[1]->size ? at[0]->size : at[1]->size);
    if (keeps_apart(p, at, p->across, least))
        return true;
    for (int k = 0; k < 2; k++)
        if (keeps_apart(p, at, at[k]->normal, least)) {
            p->across = at[k]->normal;
            return true;
        }
    vs_vec3 n;
    if (!keeps_beside(p, at, least, &n))
        return false;
    p->across = n;
    return true;
}
