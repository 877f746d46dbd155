// Random bodies and the gap of two of them; see item.h.
#include "item.h"

#include <string.h>

#include "shape/shape_data.h"

const char *const item_name[ITEM_KINDS] = {"sphere", "box",  "capsule", "cylinder", "ellipsoid", "hull",
                                           "plane",  "mesh", "concave", "shell",    "field",     "compound"};

// ---- parts -------------------------------------------------------------------------------------------

static part hull_of(const vs_vec3 *point, int count, double radius) {
    part p = {.kind = PART_HULL, .points = count, .radius = radius};
    for (int k = 0; k < count; k++)
        p.point[k] = vec_of(point[k]);
    part_close(&p);
    return p;
}

static part box_of(vs_vec3 low, vs_vec3 high) {
    vs_vec3 corner[8];
    for (int k = 0; k < 8; k++)
        corner[k] = (vs_vec3){k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
    return hull_of(corner, 8, 0);
}

static double draw(uint64_t *seed, double size, double low) {
    return size * random_in(seed, low, 1);
}

// ---- convex shapes -----------------------------------------------------------------------------------

static vs_error make_box(vs_context *c, double size, uint64_t *seed, item *out) {
    const vs_vec3 half = {draw(seed, size, .1), draw(seed, size, .1), draw(seed, size, .1)};
    out->part[0] = box_of(vs_scale(-1, half), half);
    return vs_shape_box(c, half, &out->shape[0]);
}

static vs_error make_round(vs_context *c, double size, uint64_t *seed, item *out) {
    const double radius = draw(seed, size, .1), half = draw(seed, size, .02);
    const vs_vec3 end[2] = {{0, 0, -half}, {0, 0, half}}, axes = {radius, half, draw(seed, size, .15)};
    switch (out->kind) {
    case ITEM_SPHERE:
        out->part[0] = hull_of(&(vs_vec3){0, 0, 0}, 1, radius);
        return vs_shape_sphere(c, radius, &out->shape[0]);
    case ITEM_CAPSULE:
        out->part[0] = hull_of(end, 2, radius);
        return vs_shape_capsule(c, radius, half, &out->shape[0]);
    case ITEM_CYLINDER:
        out->part[0] = (part){.kind = PART_CYLINDER, .radius = radius, .half = half};
        return vs_shape_cylinder(c, radius, half, &out->shape[0]);
    default:
        out->part[0] = (part){.kind = PART_ELLIPSOID, .axes = vec_of(axes)};
        return vs_shape_ellipsoid(c, axes, &out->shape[0]);
    }
}

// Points on an ellipsoid, or a prism: parallel faces and edges.
static int draw_points(double size, uint64_t *seed, vs_vec3 *point) {
    const vs_vec3 axes = {draw(seed, size, .2), draw(seed, size, .2), draw(seed, size, .2)};
    const bool prism = random_unit(seed) < .5;
    const int sides = 3 + random_below(seed, 4), count = prism ? 2 * sides : 6 + random_below(seed, 9);
    for (int k = 0; k < count; k++) {
        const double turn = 6.283185307179586 * (k % sides) / sides;
        const vs_vec3 u = prism ? (vs_vec3){cos(turn), sin(turn), k < sides ? -1 : 1} //
                                : vs_normalize(random_vec(seed, 1));
        point[k] = (vs_vec3){axes.x * u.x, axes.y * u.y, axes.z * u.z};
    }
    return count;
}

static vs_error make_hull(vs_context *c, double size, uint64_t *seed, item *out) {
    vs_vec3 point[PART_POINTS];
    const int count = draw_points(size, seed, point);
    out->part[0] = hull_of(point, count, 0);
    if (out->kind == ITEM_HULL)
        return vs_shape_hull(c, point, count, &out->shape[0]);
    // The mesh has the triangles of the library's own hull: fans of its faces.
    vs_shape *hull;
    vs_error error = vs_shape_hull(c, point, count, &hull);
    if (error)
        return error;
    int triangle[3 * PART_TRIANGLES];
    vs_shape_surface surface = {.vertex = point, .triangle = triangle};
    error = vs_shape_get_surface(hull, &surface);
    if (!error)
        error = vs_shape_mesh(c, point, surface.vertices, triangle, surface.triangles, &out->shape[0]);
    vs_shape_release(hull);
    return error;
}

// ---- an L --------------------------------------------------------------------------------------------

static vs_error make_angle(vs_context *c, double size, uint64_t *seed, item *out) {
    const double x = draw(seed, size, .4), y = draw(seed, size, .4), z = draw(seed, size, .1);
    const double u = x * random_in(seed, .2, .7), v = y * random_in(seed, .2, .7);
    // The foot (0 … x, 0 … v) and the upright part (0 … u, v … y).
    const vs_vec3 low[2] = {{0, 0, -z}, {0, v, -z}}, high[2] = {{x, v, z}, {u, y, z}};
    out->parts = 2;
    for (int k = 0; k < 2; k++)
        out->part[k] = box_of(low[k], high[k]);
    if (out->kind == ITEM_COMPOUND) {
        out->colliders = 2;
        vs_error error = VS_OK;
        for (int k = 0; k < 2 && !error; k++) {
            out->local[k].position = vs_scale(.5, vs_add(low[k], high[k]));
            error = vs_shape_box(c, vs_scale(.5, vs_subtract(high[k], low[k])), &out->shape[k]);
            const vs_vec3 half = vs_scale(.5, vs_subtract(high[k], low[k])), centre = out->local[k].position;
            out->part[k] = box_of(vs_subtract(centre, half), vs_add(centre, half));
        }
        return error;
    }
    // The foot is cut at x = u, so that neighbouring triangles have common corners.
    const double outline[7][2] = {{0, 0}, {u, 0}, {x, 0}, {x, v}, {u, v}, {u, y}, {0, y}};
    const int cap[5][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {0, 4, 6}, {4, 5, 6}};
    vs_vec3 vertex[14];
    int triangle[24][3], count = 0;
    for (int k = 0; k < 14; k++)
        vertex[k] = (vs_vec3){outline[k % 7][0], outline[k % 7][1], k < 7 ? -z : z};
    for (int k = 0; k < 5; k++, count += 2)
        for (int i = 0; i < 3; i++) {
            triangle[count][i] = cap[k][2 - i];
            triangle[count + 1][i] = 7 + cap[k][i];
        }
    for (int k = 0; k < 7; k++, count += 2) {
        const int next = (k + 1) % 7, side[6] = {k, next, 7 + next, k, 7 + next, 7 + k};
        memcpy(triangle[count], side, sizeof side);
    }
    return vs_shape_mesh(c, vertex, 14, triangle[0], count, &out->shape[0]);
}

// ---- surfaces ----------------------------------------------------------------------------------------

enum { GRID = 4 };

static vs_error make_surface(vs_context *c, double size, uint64_t *seed, item *out) {
    const double step = size / GRID, rough = random_unit(seed) < .3 ? 0 : .3 * step;
    double height[GRID * GRID];
    vs_vec3 vertex[GRID * GRID];
    for (int k = 0; k < GRID * GRID; k++) {
        height[k] = rough * random_in(seed, -1, 1);
        vertex[k] = (vs_vec3){step * (k % GRID), step * (k / GRID), height[k]};
    }
    int triangle[2 * (GRID - 1) * (GRID - 1)][3], count = 0;
    for (int j = 0; j + 1 < GRID; j++)
        for (int i = 0; i + 1 < GRID; i++, count += 2) {
            const int p = j * GRID + i, cell[6] = {p, p + 1, p + 1 + GRID, p, p + 1 + GRID, p + GRID};
            memcpy(triangle[count], cell, sizeof cell);
        }
    vs_error error = out->kind == ITEM_FIELD
                         ? vs_shape_height_field(c, GRID, GRID, step, step, height, &out->shape[0])
                         : vs_shape_mesh(c, vertex, GRID * GRID, triangle[0], count, &out->shape[0]);
    if (error)
        return error;
    // How cells are cut is the library's choice.
    const vs_triangles *t = &out->shape[0]->triangles;
    out->parts = t->triangles;
    for (int k = 0; k < t->triangles && k < ITEM_PARTS; k++) {
        vs_vec3 corner[3];
        for (int i = 0; i < 3; i++)
            corner[i] = t->vertex[t->index[3 * k + i]];
        out->part[k] = hull_of(corner, 3, 0);
    }
    return VS_OK;
}

// ---- any ---------------------------------------------------------------------------------------------

bool item_make(vs_context *context, item_kind kind, double size, uint64_t *seed, item *out) {
    static vs_error (*const make[ITEM_KINDS])(vs_context *, double, uint64_t *, item *) = {
        make_round, make_box,  make_round, make_round,   make_round,   make_hull,
        NULL,       make_hull, make_angle, make_surface, make_surface, make_angle};
    out->kind = kind;
    out->colliders = out->parts = 1;
    out->size = INFINITY;
    for (int k = 0; k < ITEM_COLLIDERS; k++) {
        out->shape[k] = NULL;
        out->local[k] = (vs_pose){{0, 0, 0}, {1, 0, 0, 0}};
    }
    if (kind == ITEM_PLANE) {
        out->parts = 0;
        return !vs_shape_plane(context, &out->shape[0]);
    }
    if (make[kind](context, size, seed, out))
        return false;
    out->size = 0;
    for (int k = 0; k < out->colliders; k++)
        out->size = fmax(out->size, vs_shape_arm(out->shape[k], out->local[k]));
    return true;
}

void item_release(item *i) {
    for (int k = 0; k < ITEM_COLLIDERS; k++) {
        vs_shape_release(i->shape[k]);
        i->shape[k] = NULL;
    }
}

bool item_is_mesh(const item *i) {
    return i->kind == ITEM_MESH || i->kind == ITEM_CONCAVE || i->kind == ITEM_SHELL || i->kind == ITEM_FIELD;
}

bool item_has_depth(const item *a, const item *b) {
    const item *both[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        const item_kind other = both[1 - k]->kind;
        if ((both[k]->kind == ITEM_SHELL || both[k]->kind == ITEM_FIELD || both[k]->kind == ITEM_CONCAVE) &&
            other != ITEM_PLANE)
            return false;
    }
    return true;
}

static gap_bounds plane_gap(vs_pose plane, const item *other, vs_pose pose) {
    const frame ground = frame_of(plane), f = frame_of(pose);
    const vec n = rotate(&ground, (vec){0, 0, 1});
    gap_bounds g = {INFINITY, INFINITY, n};
    for (int k = 0; k < other->parts; k++) {
        const vec low = part_support(&other->part[k], &f, scale(-1, n));
        g.low = fminl(g.low, dot(n, subtract(low, ground.origin)) - part_layer(&other->part[k]));
    }
    g.high = g.low;
    return g;
}

gap_bounds item_gap(const item *a, vs_pose pose_a, const item *b, vs_pose pose_b, bool *behind) {
    *behind = false;
    if (a->kind == ITEM_PLANE)
        return plane_gap(pose_a, b, pose_b);
    if (b->kind == ITEM_PLANE) {
        gap_bounds g = plane_gap(pose_b, a, pose_a);
        g.normal = scale(-1, g.normal);
        return g;
    }
    const frame fa = frame_of(pose_a), fb = frame_of(pose_b);
    gap_bounds least = {INFINITY, INFINITY, {0, 0, 0}};
    for (int i = 0; i < a->parts; i++)
        for (int j = 0; j < b->parts; j++) {
            const gap_bounds g = part_gap(&a->part[i], &fa, &b->part[j], &fb);
            if (g.low < least.low) {
                least.low = g.low;
                least.normal = g.normal;
                const item *sheet[2] = {a, b};
                for (int k = 0; k < 2; k++) {
                    if (sheet[k]->kind != ITEM_SHELL && sheet[k]->kind != ITEM_FIELD)
                        continue;
                    const part *t = &sheet[k]->part[k == 0 ? i : j];
                    const vec up = rotate(k == 0 ? &fa : &fb, cross(subtract(t->point[1], t->point[0]),
                                                                    subtract(t->point[2], t->point[0])));
                    *behind = *behind || dot(up, scale(k == 0 ? 1 : -1, g.normal)) < 0;
                }
            }
            least.high = fminl(least.high, g.high);
        }
    return least;
}
