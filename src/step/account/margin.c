// Margins of the interfaces between rigid bodies. An interface is all contacts of two bodies with one normal, its force the
// resultant of theirs, N along the normal and T across it, at the centre of pressure c.
//
//     sliding    1 - T/(mu N)
//     tipping    d(c)/d(m)     d: distance to the nearest edge of the convex hull of the closed contacts,
//                              m: the middle (centroid) of this hull
//
// For a rectangle of width b and an eccentricity e across it the latter is 1 - 2 e/b. Resultants do not depend on how a
// solver divides a force among the contacts of an interface, but in a structure with more interfaces than equilibrium
// determines they are one of many solutions. Twisting friction is not considered.
#include "step/account/margin.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/vec.h"
#include "step/data/simulation_data.h"

static const double PARALLEL = .9998; // cosine of one degree: normals of one interface
static const double CLOSED = 1e-3;    // of the size of an interface, m: wider gaps are open
static const double LOADED = 1e-4;    // of the largest force: less is noise
static const double FLAT_AREA = 1e-6; // of the size squared: less is an edge

typedef struct point2 {
    double x, y;
} point2;

typedef VS_ARRAY(vs_contact_view) views;

// Contacts begin … end - 1 of the list.
typedef struct interface {
    const vs_contact_view *contact;
    int64_t count;
    vs_vec3 normal, u, w; // axes
    double N, T;          // N s
    double mu;            //
    vs_vec3 centre;       // of pressure
} interface;

static int compare_bodies(const void *a, const void *b) {
    const vs_contact_view *p = a, *q = b;
    if (p->a.index != q->a.index)
        return p->a.index < q->a.index ? -1 : 1;
    if (p->b.index != q->b.index)
        return p->b.index < q->b.index ? -1 : 1;
    return (p->key > q->key) - (p->key < q->key);
}

// Contacts of rigid bodies, in the order of their pairs.
static vs_error list_contacts(const vs_simulation *s, views *list) {
    const int count = vs_simulation_get_contact_count(s);
    vs_error error = VS_RESERVE(s->context, list, count);
    for (int k = 0; k < count && !error; k++) {
        vs_contact_view view;
        error = vs_simulation_get_contact_at(s, k, &view);
        if (!error && !view.flexible_a.generation && !view.flexible_b.generation)
            list->data[list->count++] = view;
    }
    if (!error)
        qsort(list->data, (size_t)list->count, sizeof *list->data, compare_bodies);
    return error;
}

// The next interface from `begin`: contacts of its pair with its normal are moved together. Returns its end.
static int64_t gather(views *list, int64_t begin) {
    vs_contact_view *c = list->data;
    int64_t end = begin + 1;
    for (int64_t k = end; k < list->count && c[k].a.index == c[begin].a.index && c[k].b.index == c[begin].b.index; k++)
        if (vs_dot(c[k].normal, c[begin].normal) > PARALLEL) {
            const vs_contact_view moved = c[k];
            c[k] = c[end];
            c[end++] = moved;
        }
    return end;
}

static interface sum_up(const vs_contact_view *contact, int64_t count) {
    interface i = {.contact = contact, .count = count, .normal = contact->normal, .mu = contact->mu};
    const vs_vec3 other = fabs(i.normal.x) < .7 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0};
    vs_vec3 force = VS_ZERO3, moment = VS_ZERO3;
    for (int64_t k = 0; k < count; k++) {
        const double n = vs_dot(contact[k].impulse, i.normal);
        force = vs_add(force, contact[k].impulse);
        moment = vs_add_scaled(moment, n, contact[k].point);
        i.mu = fmin(i.mu, contact[k].mu);
    }
    i.N = vs_dot(force, i.normal);
    i.T = vs_length(vs_add_scaled(force, -i.N, i.normal));
    i.centre = i.N > 0 ? vs_scale(1 / i.N, moment) : VS_ZERO3;
    i.u = vs_cross(i.normal, other);
    i.u = vs_scale(1 / vs_length(i.u), i.u);
    i.w = vs_cross(i.normal, i.u);
    return i;
}

// ---- the hull of the support -------------------------------------------------------------------------

static int compare_points(const void *a, const void *b) {
    const point2 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static double turn(point2 a, point2 b, point2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Andrew's monotone chain: counter-clockwise corners in hull (2 count), from sorted points. Returns their number.
static int64_t find_hull(const point2 *p, int64_t count, point2 *hull) {
    int64_t m = 0;
    for (int64_t k = 0; k < count; k++) {
        while (m >= 2 && turn(hull[m - 2], hull[m - 1], p[k]) <= 0)
            m--;
        hull[m++] = p[k];
    }
    const int64_t lower = m + 1;
    for (int64_t k = count - 2; k >= 0; k--) {
        while (m >= lower && turn(hull[m - 2], hull[m - 1], p[k]) <= 0)
            m--;
        hull[m++] = p[k];
    }
    return m - 1; // the last corner is the first one
}

// From the inside: the distance to the nearest edge, negative outside.
static double edge_distance(const point2 *hull, int64_t count, point2 x) {
    double least = INFINITY;
    for (int64_t k = 0; k < count; k++) {
        const point2 a = hull[k], b = hull[(k + 1) % count];
        least = fmin(least, turn(a, b, x) / vs_hypot(b.x - a.x, b.y - a.y));
    }
    return least;
}

static point2 find_middle(const point2 *hull, int64_t count, double *area) {
    point2 sum = {0, 0};
    *area = 0;
    for (int64_t k = 1; k + 1 < count; k++) {
        const double twice = turn(hull[0], hull[k], hull[k + 1]);
        sum.x += twice * (hull[0].x + hull[k].x + hull[k + 1].x) / 3;
        sum.y += twice * (hull[0].y + hull[k].y + hull[k + 1].y) / 3;
        *area += .5 * twice;
    }
    return *area > 0 ? (point2){.5 * sum.x / *area, .5 * sum.y / *area} : hull[0];
}

static point2 flatten(const interface *i, vs_vec3 x) {
    const vs_vec3 arm = vs_subtract(x, i->contact->point);
    return (point2){vs_dot(arm, i->u), vs_dot(arm, i->w)};
}

// NaN for an interface without area. room: (3 count)
static double measure_tipping(const interface *i, point2 *room) {
    double size = 0, area = 0;
    int64_t count = 0;
    for (int64_t k = 0; k < i->count; k++)
        size = fmax(size, vs_length(vs_subtract(i->contact[k].point, i->contact->point)));
    for (int64_t k = 0; k < i->count; k++)
        if (i->contact[k].gap <= CLOSED * size)
            room[count++] = flatten(i, i->contact[k].point);
    if (count < 3)
        return (double)NAN;
    point2 *hull = room + count;
    qsort(room, (size_t)count, sizeof *room, compare_points);
    const int64_t corners = find_hull(room, count, hull);
    const point2 middle = find_middle(hull, corners, &area);
    if (corners < 3 || !(area > FLAT_AREA * size * size))
        return (double)NAN;
    const double share = edge_distance(hull, corners, flatten(i, i->centre)) / edge_distance(hull, corners, middle);
    return fmax(0, fmin(1, share));
}

// ---- all interfaces ----------------------------------------------------------------------------------

static void keep_least(double value, const vs_contact_view *of, double *least, vs_body_id between[2]) {
    if (!(value < *least) && !(isnan(*least) && !isnan(value)))
        return;
    *least = value;
    between[0] = of->a;
    between[1] = of->b;
}

static double largest_force(views *list) {
    double largest = 0;
    for (int64_t begin = 0, end; begin < list->count; begin = end) {
        end = gather(list, begin);
        largest = fmax(largest, sum_up(list->data + begin, end - begin).N);
    }
    return largest;
}

vs_error vs_margin_measure(const vs_simulation *s, vs_margin *margin) {
    views list = {0};
    VS_ARRAY(point2) room = {0};
    *margin = (vs_margin){.sliding = (double)NAN, .tipping = (double)NAN};
    vs_error error = list_contacts(s, &list);
    if (!error)
        error = VS_RESERVE(s->context, &room, 3 * list.count + 1);
    const double least = error ? 0 : LOADED * largest_force(&list);
    for (int64_t begin = 0, end; !error && begin < list.count; begin = end) {
        end = gather(&list, begin);
        const interface i = sum_up(list.data + begin, end - begin);
        if (!(i.N > least))
            continue;
        if (i.mu > 0)
            keep_least(fmax(0, 1 - i.T / (i.mu * i.N)), i.contact, &margin->sliding, margin->sliding_between);
        keep_least(measure_tipping(&i, room.data), i.contact, &margin->tipping, margin->tipping_between);
    }
    VS_ARRAY_RELEASE(s->context, &list);
    VS_ARRAY_RELEASE(s->context, &room);
    return error;
}
