// Overlap of two faces: both are projected along the mean normal, clipped (Sutherland and Hodgman), and each corner is put
// midway between the two planes.
#include "statics/overlap.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

typedef struct point2 {
    double x, y;
} point2;

typedef struct polygon {
    int count;
    point2 at[VS_OVERLAP_MOST];
} polygon;

typedef struct frame {
    vs_vec3 origin, u, w, n;
} frame;

static point2 subtract(point2 a, point2 b) {
    return (point2){a.x - b.x, a.y - b.y};
}
static double cross(point2 a, point2 b) {
    return a.x * b.y - a.y * b.x;
}

static frame make_frame(const vs_face *a, const vs_face *b) {
    frame f = {.n = vs_normalize(vs_subtract(a->normal, b->normal)),
               .origin = a->corners > 0 ? a->corner[0] : b->corner[0]};
    f.u = vs_normalize(vs_cross(f.n, fabs(f.n.x) < .7 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0}));
    f.w = vs_cross(f.n, f.u);
    return f;
}

static polygon flatten(const frame *f, const vs_face *face) {
    polygon p = {.count = face->corners};
    assert(face->corners <= VS_OVERLAP_MOST / 2);
    for (int k = 0; k < face->corners; k++) {
        const vs_vec3 arm = vs_subtract(face->corner[k], f->origin);
        p.at[k] = (point2){vs_dot(arm, f->u), vs_dot(arm, f->w)};
    }
    return p;
}

// Face b looks the other way: its corners run clockwise.
static void reverse(polygon *p) {
    for (int k = 0; k < p->count / 2; k++) {
        const point2 first = p->at[k];
        p->at[k] = p->at[p->count - 1 - k];
        p->at[p->count - 1 - k] = first;
    }
}

// Keeps the part of p on the left of the edge from a to b, and no corner beyond it: a force there would act outside of a stone.
static void cut(polygon *p, point2 a, point2 b) {
    polygon kept = {0};
    const point2 along = subtract(b, a);
    const double length = sqrt(along.x * along.x + along.y * along.y);
    if (!(length > 0))
        return;
    for (int k = 0; k < p->count && kept.count + 2 <= VS_OVERLAP_MOST; k++) {
        const point2 q = p->at[k], next = p->at[(k + 1) % p->count];
        const double side = cross(along, subtract(q, a)) / length, beyond = cross(along, subtract(next, a)) / length;
        if (side >= 0)
            kept.at[kept.count++] = q;
        if ((side < 0 && beyond > 0) || (side > 0 && beyond < 0)) {
            const double s = side / (side - beyond);
            kept.at[kept.count++] = (point2){q.x + s * (next.x - q.x), q.y + s * (next.y - q.y)};
        }
    }
    *p = kept;
}

// Drops corners that coincide with the last one or lie on a straight line.
static void simplify(polygon *p, double tolerance) {
    for (int k = 0; k < p->count && p->count > 2;) {
        const point2 before = p->at[(k + p->count - 1) % p->count], at = p->at[k], after = p->at[(k + 1) % p->count];
        const point2 there = subtract(at, before), chord = subtract(after, before);
        const double length = sqrt(chord.x * chord.x + chord.y * chord.y);
        const bool same = fabs(there.x) <= tolerance && fabs(there.y) <= tolerance;
        if (!same && fabs(cross(there, chord)) > tolerance * length) {
            k++;
            continue;
        }
        memmove(&p->at[k], &p->at[k + 1], (size_t)(p->count - 1 - k) * sizeof p->at[0]);
        p->count--;
        k = k > 0 ? k - 1 : 0;
    }
}

// Area, and its centroid.
static double measure(const polygon *p, point2 *centre) {
    double area = 0;
    point2 sum = {0, 0};
    for (int k = 1; k + 1 < p->count; k++) {
        const double part = .5 * cross(subtract(p->at[k], p->at[0]), subtract(p->at[k + 1], p->at[0]));
        sum.x += part * (p->at[0].x + p->at[k].x + p->at[k + 1].x) / 3;
        sum.y += part * (p->at[0].y + p->at[k].y + p->at[k + 1].y) / 3;
        area += part;
    }
    *centre = area > 0 ? (point2){sum.x / area, sum.y / area} : (point2){0, 0};
    return area;
}

double vs_face_area(const vs_face *face) {
    vs_vec3 sum = VS_ZERO3;
    for (int k = 1; k + 1 < face->corners; k++)
        sum = vs_add(sum, vs_cross(vs_subtract(face->corner[k], face->corner[0]),
                                   vs_subtract(face->corner[k + 1], face->corner[0])));
    return face->corners > 0 ? .5 * vs_length(sum) : (double)INFINITY;
}

// The point of a face's plane on the line through p along n, as a height above the origin.
static double height(const frame *f, const vs_face *face, point2 p) {
    const vs_vec3 at = vs_add_scaled(vs_add_scaled(f->origin, p.x, f->u), p.y, f->w);
    return (face->offset - vs_dot(face->normal, at)) / vs_dot(face->normal, f->n);
}

static vs_vec3 lift(const frame *f, const vs_face *a, const vs_face *b, point2 p, double *gap) {
    const double on_a = height(f, a, p), on_b = height(f, b, p);
    *gap = on_b - on_a;
    const vs_vec3 at = vs_add_scaled(vs_add_scaled(f->origin, p.x, f->u), p.y, f->w);
    return vs_add_scaled(at, .5 * (on_a + on_b), f->n);
}

void vs_overlap_find(const vs_face *a, const vs_face *b, double tolerance, vs_overlap_polygon *overlap) {
    const frame f = make_frame(a, b);
    polygon p = flatten(&f, a->corners > 0 ? a : b);
    point2 centre = {0, 0};
    double gap;
    if (a->corners == 0)
        reverse(&p);
    if (a->corners > 0 && b->corners > 0) {
        polygon other = flatten(&f, b);
        reverse(&other);
        for (int k = 0; k < other.count && p.count > 0; k++)
            cut(&p, other.at[k], other.at[(k + 1) % other.count]);
    }
    simplify(&p, tolerance);
    overlap->normal = f.n;
    overlap->area = p.count > 2 ? measure(&p, &centre) : 0;
    overlap->corners = 0;
    if (!(overlap->area > tolerance * tolerance))
        return;
    overlap->corners = p.count;
    overlap->centre = lift(&f, a, b, centre, &gap);
    for (int k = 0; k < p.count; k++)
        overlap->corner[k] = lift(&f, a, b, p.at[k], &overlap->gap[k]);
}
