// Contacts at the seams of colliders that lie flush with each other: tiles of a floor, parts of a compound body.
//
// The narrow phase considers two colliders alone. A box that slides over two tiles, one nanometre below their surface,
// approaches the side of the second one, and a ball its edge, although the first tile hides both. With m the outward
// normal of a collider Q at the contact point s, the points of Q that have m as a normal are its support set along m: a
// face, an edge or a vertex. A neighbour R hides a point x of it if x lies on or in R and R rises along m,
//
//     m . (v - x) > 0   for a point v of R,
//
// because R is then closer to the other shape than Q is. If the support set is hidden as far as the other shape may come
// during the step, m is no normal of the union of Q and its neighbours there, and the contact is
//
//     moved     to the plane of a face of Q through s, if this face is not hidden and rises from the neighbours,
//     dropped   else, unless a face rises there all the same, or the shapes overlap and no neighbour carries.
//
// A wall on a floor, a ramp, a step and the head joints of masonry are not hidden near their foot: the support set
// extends above the floor. Steps lower than the tolerance are hidden.
// Shapes without flat faces lie flush with nothing and are left as they are.
#include "collide/seam.h"

#include "base/elementary.h"
#include "collide/convex/closest.h"
#include "collide/convex/convex.h"

// Relative to the smaller shape:
static const double FLUSH = 1e-5; // distance up to which surfaces are flush
static const double REACH = 1e-3; // neighbourhood of a contact
static const double SUNK = .25;   // share of the thinner extent: farther behind a plane, no contact with it
// Angles up to which two directions are the same, rad.
static const double TILT = 1e-6;
enum { DIRECTIONS = 8 };

double vs_seam_reach(const vs_shape *a, const vs_shape *b) {
    return REACH * fmin(a->size, b->size);
}

// ---- neighbours ------------------------------------------------------------------------------------

// Lengths of a pair of shapes.
typedef struct lengths {
    double tolerance; // m: surfaces this close are flush
    double reach;     // m: neighbourhood in which the directions of a support set are compared
    double way;       // m: the other shape may come this far during the step
} lengths;

// A point of a surface and its outward normal, in the world.
typedef struct spot {
    vs_vec3 at, out;
    const lengths *pair;
} spot;

// How a neighbour lies about a spot: apart, flush, hiding it by its surface, hiding it deep inside.
typedef enum cover { APART, FLUSH_WITH, HIDDEN, INSIDE } cover;

static bool rises(const spot *s, vs_vec3 v) {
    vs_vec3 r = vs_subtract(v, s->at);
    return vs_dot(s->out, r) > TILT * vs_length(r) + s->pair->tolerance;
}

// Height of a point over a convex shape with flat faces, in the shape's axes: at most its distance, negative inside. Above
// `most` any larger value.
static double height_over(const vs_shape *shape, vs_vec3 x, double most) {
    if (!vs_shape_is_polytope(shape))
        return vs_class_of(shape)->height(shape, x);
    const vs_polytope *p = &shape->polytope;
    double height = -INFINITY;
    for (int f = 0; f < p->faces && !(height > most); f++) {
        const double over = vs_dot(p->normal[f], x) - p->offset[f];
        height = over > height ? over : height;
    }
    return height;
}

static cover judge(double height, bool hidden, double tolerance) {
    if (height > tolerance)
        return APART;
    return !hidden ? FLUSH_WITH : height > -tolerance ? HIDDEN : INSIDE;
}

static void place_triangle(const vs_seam_solid *mesh, int triangle, vs_vec3 v[3]) {
    const vs_triangles *t = &mesh->shape->triangles;
    for (int k = 0; k < 3; k++)
        v[k] = vs_pose_apply(mesh->pose, t->vertex[t->index[3 * triangle + k]]);
}

static vs_vec3 triangle_normal(const vs_vec3 v[3]) {
    return vs_normalize(vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0])));
}

// Visits the triangles of a mesh near a point.
static void query_about(const vs_seam_solid *mesh, vs_vec3 x, double width, bool (*visit)(void *user, int triangle),
                        void *user) {
    vs_vec3 local = vs_pose_apply_back(mesh->pose, x), around = {width, width, width};
    vs_box3 box = {vs_subtract(local, around), vs_add(local, around)};
    vs_triangles_query(&mesh->shape->triangles, box, visit, user);
}

typedef struct surface_search {
    const spot *spot;
    const vs_seam_solid *mesh;
    cover found;
} surface_search;

// The solid is behind its surface, which counts as thick as the neighbourhood of a contact is wide. It rises where a
// triangle does, or where one faces the spot.
static bool visit_triangle(void *user, int triangle) {
    surface_search *search = user;
    const spot *s = search->spot;
    const double tolerance = s->pair->tolerance;
    vs_vec3 v[3];
    place_triangle(search->mesh, triangle, v);
    vs_vec3 n = triangle_normal(v), way = vs_subtract(s->at, vs_closest_on_triangle(v, s->at));
    double depth = -vs_dot(n, way);
    bool touches = vs_length(way) <= tolerance;
    bool behind = depth >= 0 && depth <= 2 * s->pair->reach && vs_length(vs_add_scaled(way, depth, n)) <= tolerance;
    if (!touches && !behind)
        return true;
    bool hidden = touches && vs_dot(n, s->out) < -TILT;
    for (int k = 0; k < 3; k++)
        hidden = hidden || rises(s, v[k]);
    cover found = judge(-depth, hidden, tolerance);
    search->found = found > search->found ? found : search->found;
    return search->found != INSIDE;
}

static cover cover_by(const vs_seam_solid *neighbour, const spot *s) {
    const vs_shape *shape = neighbour->shape;
    vs_vec3 local = vs_pose_apply_back(neighbour->pose, s->at);
    if (vs_shape_is_convex(shape)) {
        double height = height_over(shape, local, s->pair->tolerance);
        if (height > s->pair->tolerance)
            return APART;
        const vs_vec3 out = vs_rotate_back(neighbour->pose.rotation, s->out);
        return judge(height, rises(s, vs_pose_apply(neighbour->pose, vs_shape_support(shape, out))),
                     s->pair->tolerance);
    }
    if (vs_shape_is_plane(shape)) {
        if (local.z > s->pair->tolerance)
            return APART;
        const vs_vec3 out = vs_rotate_back(neighbour->pose.rotation, s->out);
        return judge(local.z, vs_hypot(out.x, out.y) > TILT, s->pair->tolerance);
    }
    surface_search search = {s, neighbour, APART};
    query_about(neighbour, s->at, 2 * s->pair->reach, visit_triangle, &search);
    return search.found;
}

static cover cover_of(const vs_seam_side *side, const spot *s) {
    cover most = APART;
    for (int k = 0; k < side->neighbours && most != INSIDE; k++) {
        cover found = cover_by(&side->neighbour[k], s);
        most = found > most ? found : most;
    }
    return most;
}

// ---- the support set -------------------------------------------------------------------------------

// A contact as one side sees it.
typedef struct seam_point {
    spot spot;  // on this side's surface
    double gap; // m
} seam_point;

// Triangles of a mesh at a point.
enum { FAN = 24 };
typedef struct fan {
    const vs_seam_solid *mesh;
    const spot *spot;
    int count;
    int triangle[FAN]; // more are ignored
} fan;

static bool visit_fan(void *user, int triangle) {
    fan *f = user;
    vs_vec3 v[3];
    place_triangle(f->mesh, triangle, v);
    if (vs_length(vs_subtract(vs_closest_on_triangle(v, f->spot->at), f->spot->at)) <= f->spot->pair->tolerance)
        f->triangle[f->count++] = triangle;
    return f->count < FAN;
}

static fan find_fan(const vs_seam_solid *mesh, const spot *s) {
    fan f = {.mesh = mesh, .spot = s};
    query_about(mesh, s->at, s->pair->tolerance, visit_fan, &f);
    return f;
}

// Points of the support set: the farthest ones along directions close to that of the contact.
static int sample_support(const vs_seam_solid *solid, const spot *s, vs_vec3 sample[3 * FAN]) {
    static const double r = .7071067811865476,
                        around[DIRECTIONS][2] = {{1, 0}, {r, r}, {0, 1}, {-r, r}, {-1, 0}, {-r, -r}, {0, -1}, {r, -r}};
    vs_vec3 u = vs_normalize(vs_cross(s->out, fabs(s->out.x) < .6 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0}));
    vs_vec3 w = vs_cross(s->out, u);
    for (int k = 0; k < DIRECTIONS; k++) {
        vs_vec3 tilted = vs_add_scaled(vs_add_scaled(s->out, TILT * around[k][0], u), TILT * around[k][1], w);
        vs_vec3 local = vs_shape_support(solid->shape, vs_rotate_back(solid->pose.rotation, tilted));
        sample[k] = vs_pose_apply(solid->pose, local);
    }
    return DIRECTIONS;
}

// The same of a mesh: corners of the triangles at the spot that lie as high.
static int sample_mesh(const vs_seam_solid *mesh, const spot *s, vs_vec3 sample[3 * FAN]) {
    const fan f = find_fan(mesh, s);
    int count = 0;
    for (int i = 0; i < f.count; i++) {
        vs_vec3 v[3];
        place_triangle(mesh, f.triangle[i], v);
        for (int k = 0; k < 3; k++)
            if (fabs(vs_dot(s->out, vs_subtract(v[k], s->at))) <= TILT * mesh->shape->size + s->pair->tolerance)
                sample[count++] = v[k];
    }
    return count;
}

// Is the support set hidden from the spot to `target`? If it leads into a neighbour, the rest does not matter; along a
// neighbour's surface it is followed as far as the other shape may come.
static bool way_is_hidden(const vs_seam_side *side, const spot *s, vs_vec3 target) {
    vs_vec3 way = vs_subtract(target, s->at);
    double length = vs_length(way), reach[2] = {s->pair->reach, s->pair->way};
    for (int k = 0; k < 2; k++) {
        spot x = *s;
        x.at = length > reach[k] ? vs_add_scaled(s->at, reach[k] / length, way) : target;
        cover found = cover_of(side, &x);
        if (found < HIDDEN)
            return false;
        if (found == INSIDE || length <= reach[k])
            break;
    }
    return true;
}

// Is the point at k among those before it? Eight directions find the same few corners.
static bool is_known(const vs_vec3 *point, int k) {
    for (int i = 0; i < k; i++)
        if (point[i].x == point[k].x && point[i].y == point[k].y && point[i].z == point[k].z)
            return true;
    return false;
}

static bool support_is_hidden(const vs_seam_side *side, const spot *s) {
    if (cover_of(side, s) < HIDDEN)
        return false;
    vs_vec3 sample[3 * FAN];
    bool mesh = !vs_shape_is_convex(side->solid.shape);
    int count = mesh ? sample_mesh(&side->solid, s, sample) : sample_support(&side->solid, s, sample);
    for (int k = 0; k < count; k++)
        if (!is_known(sample, k) && !way_is_hidden(side, s, sample[k]))
            return false;
    return true;
}

// ---- contacts --------------------------------------------------------------------------------------

// What a face says about a contact that neighbours hide: nothing; a neighbour carries; the face rises from the
// neighbours, but its plane is no substitute; it is one. The highest one counts.
typedef enum verdict { UNKNOWN, DROP, KEEP, MOVE } verdict;

// A plane to which a contact is moved, and the other shape's point.
typedef struct plane_contact {
    vs_vec3 low, normal; // normal outward from this side
    double gap;          // m
    double deepest;      // m: a shape that is deeper behind a plane is sunk, and not in contact with it
} plane_contact;

static bool is_sunk(const plane_contact *to) {
    return -to->gap > to->deepest;
}

// Farthest point of the other shape along -n: the contact's own one, if it is as far; of a mesh always.
static vs_vec3 deepest(const vs_seam_solid *other, const seam_point *s, vs_vec3 n) {
    vs_vec3 own = vs_add_scaled(s->spot.at, s->gap, s->spot.out);
    if (!vs_shape_is_convex(other->shape))
        return own;
    vs_vec3 down = vs_rotate_back(other->pose.rotation, vs_scale(-1, n));
    vs_vec3 low = vs_pose_apply(other->pose, vs_shape_support(other->shape, down)), way = vs_subtract(own, low);
    return vs_dot(n, way) <= TILT * vs_length(way) ? own : low;
}

// Extent of a shape along n; of a mesh unknown.
static double extent_along(const vs_seam_solid *solid, vs_vec3 n) {
    if (!vs_shape_is_convex(solid->shape))
        return INFINITY;
    vs_vec3 local = vs_rotate_back(solid->pose.rotation, n);
    return vs_dot(
        local, vs_subtract(vs_shape_support(solid->shape, local), vs_shape_support(solid->shape, vs_scale(-1, local))));
}

static bool lies_on(const vs_seam_solid *solid, const spot *s) {
    if (!vs_shape_is_convex(solid->shape))
        return find_fan(solid, s).count > 0;
    return height_over(solid->shape, vs_pose_apply_back(solid->pose, s->at), s->pair->tolerance) <= s->pair->tolerance;
}

// Is a point on or in a solid? A mesh is as thick as for its neighbours.
static bool is_within(const vs_seam_solid *solid, const spot *s) {
    return cover_by(solid, s) != APART;
}

// The best of several faces so far.
typedef struct choice {
    verdict found;
    double flattest; // cosine
    plane_contact to;
} choice;

// Is there a neighbour at the foot of the contact that carries the other shape along the normal? Not one in which it is sunk. Of
// surfaces that are not convex nobody knows.
static bool is_carried(const vs_seam_side *side, const spot *foot, const plane_contact *to) {
    for (int k = 0; k < side->neighbours; k++) {
        const vs_seam_solid *neighbour = &side->neighbour[k];
        if (cover_by(neighbour, foot) == APART)
            continue;
        if (!vs_shape_is_convex(neighbour->shape))
            return true;
        const vs_vec3 local = vs_rotate_back(neighbour->pose.rotation, to->normal);
        const vs_vec3 top = vs_pose_apply(neighbour->pose, vs_shape_support(neighbour->shape, local));
        if (vs_dot(to->normal, vs_subtract(top, to->low)) <= to->deepest)
            return true;
    }
    return false;
}

// May the contact be with the plane of the face with outward normal n through `corner` instead?
static verdict examine_face(const vs_seam_side *side, const seam_point *s, const plane_contact *to, vs_vec3 corner) {
    const double tolerance = s->spot.pair->tolerance;
    spot foot = s->spot, root = s->spot, low = s->spot; // below the other shape; the contact's own place; the other's
    foot.at = vs_add_scaled(to->low, -to->gap, to->normal);
    low.at = to->low;
    foot.out = root.out = low.out = to->normal;
    bool on_face = vs_dot(to->normal, vs_subtract(corner, s->spot.at)) <= tolerance;
    bool rises_here = on_face && cover_of(side, &root) >= HIDDEN && !support_is_hidden(side, &root);
    // A point below the whole solid is not on this face.
    bool through = is_sunk(to) || (to->gap < -tolerance && !is_within(&side->solid, &low));
    if (lies_on(&side->solid, &foot))
        return support_is_hidden(side, &foot) ? UNKNOWN : !through ? MOVE : rises_here ? KEEP : UNKNOWN;
    cover found = cover_of(side, &foot);
    if (found == APART)
        return rises_here ? KEEP : UNKNOWN;
    // If the neighbour is above the face's plane there, the plane continues below the neighbour's surface.
    if (found == FLUSH_WITH || !rises_here)
        return is_carried(side, &foot, to) ? DROP : UNKNOWN;
    return through ? KEEP : MOVE;
}

static void consider_face(const vs_seam_side *side, const vs_seam_solid *other, const seam_point *s, vs_vec3 n,
                          vs_vec3 corner, choice *best) {
    double cosine = vs_dot(n, s->spot.out);
    if (cosine <= TILT || cosine <= best->flattest)
        return;
    vs_vec3 low = deepest(other, s, n);
    const double gap = vs_dot(n, vs_subtract(low, corner));
    const plane_contact to = {low, n, gap, SUNK * fmin(extent_along(other, n), extent_along(&side->solid, n))};
    verdict found = examine_face(side, s, &to, corner);
    if (found == MOVE) {
        best->flattest = cosine;
        best->to = to;
    }
    best->found = found > best->found ? found : best->found;
}

static verdict examine(const vs_seam_side *side, const vs_seam_solid *other, const seam_point *s, plane_contact *to) {
    const vs_seam_solid *solid = &side->solid;
    if (side->neighbours == 0 || !support_is_hidden(side, &s->spot))
        return KEEP;
    // A half-space has no other normal, and the neighbour that hides the point is deeper in it.
    if (vs_shape_is_plane(other->shape))
        return DROP;
    // Apart, the neighbour that hides the contact is closer. Overlapping, something has to carry.
    choice best = {.found = s->gap >= -s->spot.pair->tolerance ? DROP : UNKNOWN};
    if (vs_shape_is_convex(solid->shape)) {
        const vs_convex convex = vs_convex_from_shape(solid->shape, solid->pose);
        for (int f = 0; f < vs_convex_faces(&convex); f++) {
            vs_vec3 n = vs_convex_face_normal(&convex, f);
            consider_face(side, other, s, n, vs_convex_support(&convex, n, 0), &best);
        }
    } else {
        const fan f = find_fan(solid, &s->spot);
        for (int k = 0; k < f.count; k++) {
            vs_vec3 v[3];
            place_triangle(solid, f.triangle[k], v);
            consider_face(side, other, s, triangle_normal(v), v[0], &best);
        }
    }
    *to = best.to;
    return best.found;
}

bool vs_seam_correct(const vs_seam_side side[2], double envelope, vs_mesh_point *at) {
    const vs_shape *a = side[0].solid.shape, *b = side[1].solid.shape;
    const double size = fmin(a->size, b->size);
    const lengths pair = {FLUSH * size, REACH * size, fmax(envelope, REACH * size)};
    for (int k = 1; k >= 0; k--) {
        double sign = k == 1 ? 1 : -1; // from the midpoint to this side's surface along the normal
        const seam_point s = {
            {vs_add_scaled(at->point, sign * .5 * at->gap, at->normal), vs_scale(-sign, at->normal), &pair}, at->gap};
        plane_contact to;
        verdict found = examine(&side[k], &side[1 - k].solid, &s, &to);
        if (found == KEEP || found == UNKNOWN)
            continue;
        if (found == DROP || !(to.gap <= envelope))
            return false;
        at->normal = vs_scale(-sign, to.normal);
        at->gap = to.gap;
        at->point = vs_add_scaled(to.low, -.5 * to.gap, to.normal);
        return true;
    }
    return true;
}
