// Interfaces, independent of the collision envelope. Two colliders near each other are searched for faces that are
// antiparallel within an angle and apart by at most a distance; their overlap is an interface of as many contacts as the
// polygon has corners. Two colliders without such a pair of faces (a ball, an edge on a face) meet in the points of the narrow
// phase. Stones that only share an edge or a corner make no interface if faces of both meet others there (bricks that meet at
// a corner, a spandrel beside the next stone of its arch): the direction of a force would be arbitrary, and any joint has
// chamfers. Two cards that lean on each other, edge to edge, do.
//
// Faces: of boxes and hulls; the caps of cylinders, as polygons inside or around them; planes. Meshes and height fields have none, and no interfaces.
#include "statics/interfaces.h"

#include "collide/broad/broad.h"
#include "collide/narrow/narrow.h"
#include "statics/bridges.h"
#include "statics/overlap.h"

enum { CAP_CORNERS = 64, CORNERS_MOST = VS_OVERLAP_MOST / 2 };
static const double SAME_PLACE = 1e-9; // of the smaller stone's size: lengths below it make no difference
static const double LEAST_AREA = 1e-8; // of the smaller face: less is an edge

typedef struct face {
    vs_face face; // its corners are numbers until all are known
    int64_t first;
    bool matched;
} face;

// A collider with its faces.
typedef struct stone {
    int collider, body;
    bool dynamic;
    double size;    // m
    vs_vec3 inside; // a point within it; of those with corners
    int first, faces;
    bool touches;
} stone;

typedef struct finder {
    const vs_world *world;
    vs_interface_options options;
    vs_round_faces round;
    vs_interfaces *found;
    VS_ARRAY(stone) stone;
    VS_ARRAY(face) face;
    VS_ARRAY(vs_vec3) corner;
    VS_ARRAY(vs_box3) box;
    vs_broad broad;
    VS_ARRAY(vs_box_pair) left; // without faces that meet
    vs_interface_index index;   // by interfaces with an area
    vs_overlap_polygon overlap;
} finder;

// ---- faces -------------------------------------------------------------------------------------------

static vs_error add_face(finder *f, vs_pose pose, vs_vec3 normal, const vs_vec3 *corner, int corners) {
    vs_context *context = f->world->context;
    vs_error error = VS_RESERVE(context, &f->face, f->face.count + 1);
    if (!error)
        error = VS_RESERVE(context, &f->corner, f->corner.count + corners);
    if (error)
        return error;
    face *it = &f->face.data[f->face.count++];
    *it = (face){.first = f->corner.count, .face = {.corners = corners, .normal = vs_rotate(pose.rotation, normal)}};
    double offset = 0;
    for (int k = 0; k < corners; k++) {
        const vs_vec3 at = vs_pose_apply(pose, corner[k]);
        f->corner.data[f->corner.count++] = at;
        offset += vs_dot(it->face.normal, at) / corners;
    }
    it->face.offset = corners > 0 ? offset : vs_dot(it->face.normal, pose.position);
    return VS_OK;
}

static vs_error add_polytope(finder *f, vs_pose pose, const vs_polytope *p, const char *name) {
    vs_vec3 corner[CORNERS_MOST];
    vs_error error = VS_OK;
    for (int k = 0; k < p->faces && !error; k++) {
        const int count = p->face_start[k + 1] - p->face_start[k];
        if (count > CORNERS_MOST)
            return vs_fail(f->world->context, VS_ERROR_UNSUPPORTED,
                           "statics: a face of body '%s' has %d corners, at most %d are possible", name, count,
                           CORNERS_MOST);
        for (int i = 0; i < count; i++)
            corner[i] = p->vertex[p->face_vertex[p->face_start[k] + i]];
        error = add_face(f, pose, p->normal[k], corner, count);
    }
    return error;
}

// Corners inside the circle are on it, one of them in the direction `toward`; the edges around it touch it there.
static vs_error add_discs(finder *f, vs_pose pose, const vs_shape *shape) {
    const vs_shape_class *kind = vs_class_of(shape);
    const bool around = f->round.outline == VS_OUTLINE_AROUND;
    const double turn = 2 * vs_acos(-1.0) / CAP_CORNERS;
    const vs_vec3 toward = vs_rotate_back(pose.rotation, f->round.toward);
    const double first =
        vs_hypot(toward.x, toward.y) > SAME_PLACE * vs_length(toward) ? vs_atan2(toward.y, toward.x) : 0;
    vs_vec3 corner[CAP_CORNERS];
    vs_error error = VS_OK;
    for (int i = kind->discs - 1; i >= 0 && !error; i--) {
        const vs_disc disc = kind->disc(shape, i);
        const double radius = around ? disc.radius / vs_cos(.5 * turn) : disc.radius;
        for (int k = 0; k < CAP_CORNERS; k++) {
            double sine, cosine;
            vs_sincos(first + disc.side * turn * (k + (around ? .5 : 0)), &sine, &cosine);
            corner[k] = (vs_vec3){radius * cosine, radius * sine, disc.side * disc.offset};
        }
        error = add_face(f, pose, (vs_vec3){0, 0, disc.side}, corner, CAP_CORNERS);
    }
    return error;
}

static vs_error add_stone(finder *f, int k) {
    const vs_world *world = f->world;
    const vs_collider *c = &world->collider[k];
    const vs_pose pose = vs_collider_pose(world, c);
    const char *name = world->body[c->body].name ? world->body[c->body].name : "";
    const int64_t corner = f->corner.count;
    vs_error error = VS_RESERVE(world->context, &f->stone, f->stone.count + 1);
    if (error)
        return error;
    stone *s = &f->stone.data[f->stone.count++];
    *s = (stone){.collider = k,
                 .body = c->body,
                 .dynamic = world->body[c->body].motion == VS_MOTION_DYNAMIC,
                 .size = c->shape->size,
                 .first = (int)f->face.count};
    if (vs_shape_is_polytope(c->shape))
        error = add_polytope(f, pose, &c->shape->polytope, name);
    else if (vs_shape_is_convex(c->shape))
        error = add_discs(f, pose, c->shape);
    else if (vs_shape_is_plane(c->shape))
        error = add_face(f, pose, (vs_vec3){0, 0, 1}, NULL, 0);
    s->faces = (int)f->face.count - s->first;
    for (int64_t i = corner; i < f->corner.count; i++)
        s->inside = vs_add_scaled(s->inside, 1. / (double)(f->corner.count - corner), f->corner.data[i]);
    return error;
}

static vs_error list_stones(finder *f) {
    const vs_world *world = f->world;
    vs_error error = VS_OK;
    for (int k = 0; k < world->colliders && !error; k++)
        if (world->collider[k].alive && vs_shape_has_triangles(world->collider[k].shape))
            f->found->mesh = world->collider[k].body;
        else if (world->collider[k].alive)
            error = add_stone(f, k);
    for (int64_t k = 0; k < f->face.count; k++)
        f->face.data[k].face.corner = f->corner.data + f->face.data[k].first;
    return error;
}

// ---- a pair of stones --------------------------------------------------------------------------------

static vs_body_id id_of(const vs_world *world, int body) {
    return (vs_body_id){(uint32_t)body, body ? world->body[body].generation : 0};
}

static vs_error begin_interface(finder *f, const stone *a, const stone *b, vs_vec3 normal) {
    const vs_world *world = f->world;
    vs_interfaces *out = f->found;
    vs_material room;
    const vs_material *material = vs_world_material_of(world, a->collider, b->collider, &room);
    out->beyond_coulomb = out->beyond_coulomb || material->adhesion > 0 || material->rolling > 0 ||
                          material->spinning > 0 || material->across > 0;
    const stone *both[] = {a, b};
    for (int k = 0; k < 2; k++)
        if (vs_length(world->collider[both[k]->collider].surface_velocity) > 0)
            out->belt = both[k]->body;
    vs_error error = VS_RESERVE(world->context, &out->list, out->list.count + 1);
    if (!error)
        out->list.data[out->list.count++] = (vs_interface){.a = id_of(world, a->body),
                                                           .b = id_of(world, b->body),
                                                           .normal = normal,
                                                           .gap_least = (double)INFINITY,
                                                           .gap_most = -(double)INFINITY,
                                                           // nothing slides yet: friction at rest
                                                           .mu = fmax(material->mu, material->static_mu),
                                                           .first = (int)out->point.count};
    return error;
}

// Adds a contact to the last interface.
static vs_error add_contact(finder *f, vs_vec3 at, double gap) {
    vs_interfaces *out = f->found;
    vs_error error = VS_RESERVE(f->world->context, &out->point, out->point.count + 1);
    if (error)
        return error;
    vs_interface *it = &out->list.data[out->list.count - 1];
    out->point.data[out->point.count++] = at;
    it->corners++;
    it->gap_least = fmin(it->gap_least, gap);
    it->gap_most = fmax(it->gap_most, gap);
    return VS_OK;
}

static bool has_discs(const finder *f, const stone *s) {
    return vs_class_of(f->world->collider[s->collider].shape)->discs > 0;
}

static vs_error add_polygon(finder *f, stone *a, stone *b, const vs_overlap_polygon *p) {
    f->found->round = f->found->round || has_discs(f, a) || has_discs(f, b);
    vs_error error = begin_interface(f, a, b, p->normal);
    for (int k = 0; k < p->corners && !error; k++)
        error = add_contact(f, p->corner[k], p->gap[k]);
    if (!error) {
        f->found->list.data[f->found->list.count - 1].area = p->area;
        f->found->list.data[f->found->list.count - 1].centre = p->centre;
        a->touches = b->touches = true;
    }
    return error;
}

// Largest distance of the corners of either face from the plane of the other one, where they may overlap: a rough filter.
static bool lie_apart(const vs_face *a, const vs_face *b, double reach) {
    const vs_vec3 at = b->corners > 0 ? b->corner[0] : vs_scale(b->offset, b->normal);
    return a->corners > 0 && b->corners > 0 && fabs(vs_dot(a->normal, at) - a->offset) > reach;
}

// Is a stone on the outer side of a face? Of two sheets that are thinner than the tolerance, the lower face of the lower one and
// the upper face of the upper one are close enough, but look away from each other.
static bool lies_before(const stone *s, const vs_face *a, const vs_face *own) {
    return own->corners == 0 || vs_dot(a->normal, s->inside) > a->offset;
}

static bool is_part(const finder *f, const stone *s) {
    return f->world->collider[f->world->body[s->body].first_collider].next >= 0;
}

// Bodies that are not convex are cut into parts. Where the cuts of two bodies lie in one plane and their joint crosses it, rounded
// corners make the parts on either side overlap in a strip. It is no place for a force, which could wedge a body against itself.
static bool is_strip(const finder *f, const stone *a, const stone *b, const vs_overlap_polygon *o, double distance) {
    double around = 0;
    for (int k = 0; k < o->corners; k++)
        around += vs_length(vs_subtract(o->corner[k], o->corner[k + 1 < o->corners ? k + 1 : 0]));
    return (is_part(f, a) || is_part(f, b)) && 2 * o->area < distance * around;
}

// Do two faces meet? Adds their interface. facing: they are antiparallel and in one plane.
static vs_error match(finder *f, stone *a, stone *b, face *p, face *q, bool *facing) {
    const double size = fmin(a->size, b->size), distance = f->options.distance * size;
    const double largest = fmax(isfinite(a->size) ? a->size : 0, isfinite(b->size) ? b->size : 0);
    const double sine = vs_length(vs_cross(p->face.normal, q->face.normal));
    if (!(vs_dot(p->face.normal, q->face.normal) < 0) || !(sine <= f->options.angle) ||
        lie_apart(&p->face, &q->face, distance + 2 * largest * (f->options.angle + SAME_PLACE)))
        return VS_OK;
    vs_overlap_polygon *o = &f->overlap;
    vs_overlap_find(&p->face, &q->face, SAME_PLACE * size, o);
    double gap = 0;
    for (int k = 0; k < o->corners; k++)
        gap += o->gap[k] / o->corners;
    if (o->corners > 0 &&
        (!(fabs(gap) <= distance) || !lies_before(b, &p->face, &q->face) || !lies_before(a, &q->face, &p->face)))
        return VS_OK;
    *facing = *facing || o->corners > 0 || !lie_apart(&p->face, &q->face, distance);
    if (!(o->area > LEAST_AREA * fmin(vs_face_area(&p->face), vs_face_area(&q->face))) ||
        is_strip(f, a, b, o, distance))
        return VS_OK;
    p->matched = q->matched = true;
    return add_polygon(f, a, b, o);
}

// ---- points ------------------------------------------------------------------------------------------

// Is a point inside of a face whose outward normal is n, farther from its edges than the margin?
static bool lies_in_face(const finder *f, const stone *s, vs_vec3 at, vs_vec3 n, double margin) {
    for (int k = s->first; k < s->first + s->faces; k++) {
        const vs_face *it = &f->face.data[k].face;
        bool inside = vs_dot(it->normal, n) > 0 && vs_length(vs_cross(it->normal, n)) <= f->options.angle &&
                      fabs(vs_dot(it->normal, at) - it->offset) <= 2 * margin;
        for (int i = 0; i < it->corners && inside; i++) {
            const vs_vec3 from = it->corner[i], to = it->corner[i + 1 < it->corners ? i + 1 : 0];
            const vs_vec3 inward = vs_normalize(vs_cross(it->normal, vs_subtract(to, from)));
            inside = vs_dot(inward, vs_subtract(at, from)) > margin;
        }
        if (inside)
            return true;
    }
    return false;
}

// The next edge that a point is on, away from its ends, from the place *k of a face's corner onwards; false: none is left.
static bool next_edge(const finder *f, const stone *s, vs_vec3 at, double margin, int *number, int *k, vs_vec3 *edge) {
    for (; *number < s->faces; ++*number, *k = 0) {
        const vs_face *it = &f->face.data[s->first + *number].face;
        while (*k < it->corners) {
            const vs_vec3 from = it->corner[*k], to = it->corner[*k + 1 < it->corners ? *k + 1 : 0];
            const double length = vs_length(vs_subtract(to, from));
            *edge = vs_normalize(vs_subtract(to, from));
            const vs_vec3 away = vs_subtract(at, from);
            const double along = vs_dot(*edge, away);
            ++*k;
            if (along > margin && along < length - margin &&
                vs_length(vs_add_scaled(away, -along, *edge)) <= 2 * margin)
                return true;
        }
    }
    return false;
}

// Do edges of both stones cross at a point, at right angles to n?
static bool edges_cross(const finder *f, const stone *a, const stone *b, vs_vec3 at, vs_vec3 n, double margin) {
    vs_vec3 p, q;
    for (int i = 0, k = 0; next_edge(f, a, at, margin, &i, &k, &p);)
        for (int j = 0, l = 0; next_edge(f, b, at, margin, &j, &l, &q);) {
            const vs_vec3 across = vs_cross(p, q);
            if (vs_length(across) > f->options.angle &&
                vs_length(vs_cross(vs_normalize(across), n)) <= f->options.angle)
                return true;
        }
    return false;
}

static bool is_flat(const finder *f, const stone *s) {
    const vs_shape *shape = f->world->collider[s->collider].shape;
    return vs_shape_is_polytope(shape) || vs_shape_is_plane(shape);
}

// Whether the geometry determines the normal n, from a to b, of contacts about a point: it is that of a face within which the
// other stone touches, or of two edges that cross. Round stones always have one.
static bool is_definite(const finder *f, const stone *a, const stone *b, vs_vec3 at, vs_vec3 n, double margin) {
    return !is_flat(f, a) || !is_flat(f, b) || lies_in_face(f, a, at, n, margin) ||
           lies_in_face(f, b, at, vs_scale(-1, n), margin) || edges_cross(f, a, b, at, n, margin);
}

static double distance_to_edge(vs_vec3 at, vs_vec3 from, vs_vec3 to) {
    const vs_vec3 edge = vs_subtract(to, from), away = vs_subtract(at, from);
    const double share = vs_dot(edge, away) / fmax(vs_dot(edge, edge), 1e-300);
    return vs_length(vs_add_scaled(away, -fmin(fmax(share, 0), 1), edge));
}

// Does a face of this body meet that of another along an edge through a point?
static bool meets_at(const finder *f, int body, vs_vec3 at, double margin) {
    for (int k = f->index.begin.data[body]; k < f->index.begin.data[body + 1]; k++) {
        const vs_interface *it = &f->found->list.data[f->index.of.data[k]];
        const vs_vec3 *corner = f->found->point.data + it->first;
        for (int i = 0; i < it->corners; i++)
            if (distance_to_edge(at, corner[i], corner[i + 1 < it->corners ? i + 1 : 0]) <= 2 * margin)
                return true;
    }
    return false;
}

// Keeps the pair that overlaps most, relative to what is allowed.
static void note_depth(finder *f, const stone *a, const stone *b, double depth, double allowed) {
    vs_interfaces *out = f->found;
    if (!(depth > allowed) || (out->deep[0] >= 0 && !(depth * out->allowed > out->depth * allowed)))
        return;
    out->deep[0] = a->body;
    out->deep[1] = b->body;
    out->depth = depth;
    out->allowed = allowed;
}

// Points of the narrow phase, where no faces meet. Those with one normal make one interface.
static vs_error add_points(finder *f, stone *a, stone *b) {
    const vs_world *world = f->world;
    const double margin = f->options.distance * fmin(a->size, b->size);
    const vs_collider *p = &world->collider[a->collider], *q = &world->collider[b->collider];
    vs_manifold m;
    vs_narrow(p->shape, vs_collider_pose(world, p), q->shape, vs_collider_pose(world, q), margin, &m);
    vs_error error = VS_OK;
    for (int k = 0; k < m.count; k++)
        note_depth(f, a, b, -m.at[k].gap, margin);
    for (int first = 0, end; first < m.count && !error; first = end) {
        vs_vec3 middle = VS_ZERO3;
        for (end = first; end < m.count && vs_dot(m.at[end].normal, m.at[first].normal) >= 1 - 1e-12; end++)
            middle = vs_add(middle, m.at[end].point);
        middle = vs_scale(1. / (end - first), middle);
        if (!is_definite(f, a, b, middle, m.at[first].normal, margin) && meets_at(f, a->body, middle, margin) &&
            meets_at(f, b->body, middle, margin))
            continue;
        error = begin_interface(f, a, b, m.at[first].normal);
        for (int k = first; k < end && !error; k++)
            error = add_contact(f, m.at[k].point, m.at[k].gap);
        if (!error)
            f->found->list.data[f->found->list.count - 1].centre = middle;
        a->touches = b->touches = true;
    }
    return error;
}

// Pairs without faces that meet are left for later.
static vs_error meet(finder *f, int first, int second) {
    stone *a = &f->stone.data[first], *b = &f->stone.data[second];
    bool facing = false;
    vs_error error = VS_OK;
    for (int i = 0; i < a->faces; i++)
        for (int j = 0; j < b->faces && !error; j++)
            error = match(f, a, b, &f->face.data[a->first + i], &f->face.data[b->first + j], &facing);
    if (error || facing)
        return error;
    error = VS_RESERVE(f->world->context, &f->left, f->left.count + 1);
    if (!error)
        f->left.data[f->left.count++] = (vs_box_pair){first, second};
    return error;
}

// ---- all pairs ---------------------------------------------------------------------------------------

static bool may_meet(const vs_world *world, const stone *a, const stone *b) {
    return (a->dynamic || b->dynamic) &&
           vs_world_may_collide(world, &world->collider[a->collider], &world->collider[b->collider]);
}

static bool is_plane(const finder *f, int64_t k) {
    return vs_shape_is_plane(f->world->collider[f->stone.data[k].collider].shape);
}

static bool accept(void *user, int first, int second) {
    const finder *f = user;
    return !is_plane(f, first) && !is_plane(f, second) &&
           may_meet(f->world, &f->stone.data[first], &f->stone.data[second]);
}

// Planes have no box and are tried with every block.
static vs_error meet_planes(finder *f) {
    vs_error error = VS_OK;
    for (int64_t i = 0; i < f->stone.count; i++) {
        if (!is_plane(f, i))
            continue;
        for (int64_t k = 0; k < f->stone.count && !error; k++)
            if (f->stone.data[k].dynamic && may_meet(f->world, &f->stone.data[k], &f->stone.data[i]))
                error = meet(f, (int)i, (int)k);
    }
    return error;
}

// A stone may be thinner than the gap that a joint may have.
static vs_error drop_bridges(finder *f) {
    vs_interfaces *out = f->found;
    const int64_t kept = vs_interfaces_drop_bridges(f->world->context, f->world->bodies, out->list.data,
                                                    out->list.count, out->point.data);
    if (kept < 0)
        return VS_ERROR_MEMORY;
    out->list.count = kept;
    out->point.count = kept > 0 ? out->list.data[kept - 1].first + out->list.data[kept - 1].corners : 0;
    return VS_OK;
}

static vs_error meet_all(finder *f) {
    const vs_world *world = f->world;
    vs_error error = VS_RESERVE(world->context, &f->box, f->stone.count + 1);
    if (error)
        return error;
    for (int64_t k = 0; k < f->stone.count; k++) {
        const stone *s = &f->stone.data[k];
        const vs_collider *c = &world->collider[s->collider];
        f->box.data[k] = is_plane(f, k)
                             ? (vs_box3){VS_ZERO3, VS_ZERO3}
                             : vs_shape_bounds(c->shape, vs_collider_pose(world, c), f->options.distance * s->size);
    }
    error = meet_planes(f);
    if (!error)
        error = vs_broad_find(&f->broad, f->box.data, (int)f->stone.count, accept, f);
    for (int k = 0; k < f->broad.pairs && !error; k++)
        error = meet(f, f->broad.pair[k].first, f->broad.pair[k].second);
    if (!error)
        error = vs_interface_index_fill(world->context, f->found->list.data, f->found->list.count, world->bodies,
                                        &f->index);
    for (int64_t k = 0; k < f->left.count && !error; k++)
        error = add_points(f, &f->stone.data[f->left.data[k].first], &f->stone.data[f->left.data[k].second]);
    return error ? error : drop_bridges(f);
}

// ---- report ------------------------------------------------------------------------------------------

static void count_faces(const finder *f, vs_interface_report *r) {
    for (int64_t k = 0; k < f->stone.count; k++) {
        const stone *s = &f->stone.data[k];
        for (int i = 0; i < s->faces && s->dynamic; i++) {
            r->faces++;
            r->unmatched += !f->face.data[s->first + i].matched;
        }
    }
}

// Blocks of which no collider touches.
static int count_isolated(const finder *f, const bool *touches) {
    int isolated = 0;
    for (int b = 1; b < f->world->bodies; b++)
        isolated += f->world->body[b].alive && f->world->body[b].motion == VS_MOTION_DYNAMIC && !touches[b];
    return isolated;
}

static void sum_up(const finder *f, bool *touches) {
    vs_interface_report *r = &f->found->report;
    r->interfaces = (int)f->found->list.count;
    r->contacts = (int)f->found->point.count;
    for (int64_t k = 0; k < f->found->list.count; k++) {
        const vs_interface *it = &f->found->list.data[k];
        r->points += !(it->area > 0);
        r->area += it->area;
        if (it->gap_most > r->gap) {
            r->gap = it->gap_most;
            r->gap_at[0] = it->a;
            r->gap_at[1] = it->b;
        }
        if (-it->gap_least > r->overlap) {
            r->overlap = -it->gap_least;
            r->overlap_at[0] = it->a;
            r->overlap_at[1] = it->b;
        }
    }
    count_faces(f, r);
    for (int64_t k = 0; k < f->stone.count; k++)
        touches[f->stone.data[k].body] = touches[f->stone.data[k].body] || f->stone.data[k].touches;
    r->isolated = count_isolated(f, touches);
}

void vs_interfaces_release(vs_context *context, vs_interfaces *interfaces) {
    VS_ARRAY_RELEASE(context, &interfaces->list);
    VS_ARRAY_RELEASE(context, &interfaces->point);
}

vs_error vs_interfaces_find(const vs_world *world, const vs_interface_options *options, const vs_round_faces *round,
                            vs_interfaces *found) {
    vs_context *context = world->context;
    finder *f = vs_allocate(context, sizeof *f);
    if (!f)
        return vs_fail_memory(context);
    *f = (finder){.world = world,
                  .options = *options,
                  .round = round ? *round : (vs_round_faces){VS_OUTLINE_INSIDE, VS_ZERO3},
                  .found = found,
                  .broad = {.context = context}};
    VS_ARRAY(bool) touches = {0};
    *found = (vs_interfaces){.mesh = -1, .belt = -1, .deep = {-1, -1}};
    vs_error error = VS_RESERVE(context, &touches, world->bodies);
    if (!error)
        error = list_stones(f);
    if (!error)
        error = meet_all(f);
    if (!error)
        sum_up(f, touches.data);
    vs_broad_release(&f->broad);
    VS_ARRAY_RELEASE(context, &f->stone);
    VS_ARRAY_RELEASE(context, &f->face);
    VS_ARRAY_RELEASE(context, &f->corner);
    VS_ARRAY_RELEASE(context, &f->box);
    VS_ARRAY_RELEASE(context, &f->left);
    vs_interface_index_release(context, &f->index);
    VS_ARRAY_RELEASE(context, &touches);
    vs_release(context, f);
    if (error)
        vs_interfaces_release(context, found);
    return error;
}
