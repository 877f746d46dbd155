// Means over the bodies and contacts in a box R of volume V (Goldhirsch 2010, with the indicator of R as weight).
//
//     stress          S = 1/V sum f l'     compression positive; sum over contacts, f force on b, and l the part within R of
//                                          the way that the force takes: from the centre of a to the contact to that of b
//     solid fraction  1/V sum volume of the bodies whose centres are in R
//     coordination    neighbours in touch (with an impulse) per body whose centre is in R
//     fabric          mean of n n' over the contacts in R that bear an impulse; its trace is 1
//     flow            mean velocity v of the bodies whose centres are in R, by mass
//     temperature     mean of |v_i - v|^2/3 by mass
//
// Where space repeats itself, R is its part in the cell, and ways are those to the nearest images.
// Only dynamic bodies count; a way ends at the surface of a body that is not. S is that of the contacts, without the flux
// of momentum by the motion of the bodies, and without forces within them that their accelerations need.
#include "output/trajectory/region_means.h"
#include "body/period.h"
#include "output/trajectory/recorded_shapes.h"

#include <math.h>
#include <string.h>

static const vs_vec3 UNKNOWN = {(double)NAN, (double)NAN, (double)NAN};

static vs_vec3 get3(const double *from) {
    return (vs_vec3){from[0], from[1], from[2]};
}

// ---- volumes of bodies ------------------------------------------------------------------------------------

vs_error vs_region_means_volumes(const vs_trajectory_reader *r, vs_arena *arena, double *volume) {
    const vs_h5_group *root = &r->file.root;
    vs_recorded_shapes shapes;
    int64_t count = -1;
    void *body = NULL, *shape = NULL;
    (void)memset(volume, 0, (size_t)r->info.bodies * sizeof *volume);
    vs_error error = vs_recorded_shapes_read(root, arena, &shapes);
    if (!error)
        error = vs_h5_read_table(root, "bodies/collider/body", VS_NUMBER_INT, 1, arena, &count, &body);
    if (!error)
        error = vs_h5_read_table(root, "bodies/collider/shape", VS_NUMBER_INT, 1, arena, &count, &shape);
    double *each = error ? NULL : VS_NEW(arena, double, shapes.count);
    if (!error && !each)
        error = VS_ERROR_MEMORY;
    for (int64_t k = 0; !error && k < shapes.count; k++) {
        const vs_recorded_shape one = vs_recorded_shapes_at(&shapes, k);
        error = vs_recorded_shape_check(r->context, &one);
        each[k] = error ? 0 : vs_recorded_shape_volume(&one);
    }
    const int *of_body = body, *of_shape = shape;
    for (int64_t k = 0; !error && k < count; k++) {
        if (of_body[k] >= r->info.bodies || of_shape[k] < 0 || of_shape[k] >= shapes.count)
            return vs_fail(r->context, VS_ERROR_DATA, "bodies/collider is invalid at %lld", (long long)k);
        if (of_body[k] >= 0)
            volume[of_body[k]] += each[of_shape[k]];
    }
    return error;
}

// ---- bodies -----------------------------------------------------------------------------------------------

static bool is_dynamic(const vs_region_frame *f, int row) {
    return row >= 0 && row < f->info->bodies && f->info->motion[row] == 0;
}

static vs_vec3 centre_of(const vs_region_frame *f, int row) {
    return get3(f->pose + 7 * (int64_t)row);
}

// Removed bodies have no position, and are nowhere.
static bool counts(const vs_region_frame *f, const vs_region *r, int row) {
    return is_dynamic(f, row) && vs_region_contains(r, centre_of(f, row));
}

static double solid_fraction(const vs_region_frame *f, const vs_region *r) {
    double sum = 0;
    for (int k = 0; k < f->info->bodies; k++)
        if (counts(f, r, k))
            sum += f->volume[k];
    return sum / vs_region_volume(r);
}

static vs_vec3 flow(const vs_region_frame *f, const vs_region *r) {
    vs_vec3 momentum = VS_ZERO3;
    double mass = 0;
    for (int k = 0; k < f->info->bodies; k++)
        if (counts(f, r, k)) {
            momentum = vs_add_scaled(momentum, f->info->mass[k], get3(f->velocity + 6 * (int64_t)k));
            mass += f->info->mass[k];
        }
    return mass > 0 ? vs_scale(1 / mass, momentum) : UNKNOWN;
}

static double temperature(const vs_region_frame *f, const vs_region *r) {
    const vs_vec3 mean = flow(f, r);
    double sum = 0, mass = 0;
    for (int k = 0; k < f->info->bodies; k++)
        if (counts(f, r, k)) {
            const vs_vec3 v = vs_subtract(get3(f->velocity + 6 * (int64_t)k), mean);
            sum += f->info->mass[k] * vs_dot(v, v) / 3;
            mass += f->info->mass[k];
        }
    return mass > 0 ? sum / mass : (double)NAN;
}

// ---- contacts ---------------------------------------------------------------------------------------------

static bool bears(const vs_region_frame *f, int64_t k) {
    const vs_vec3 l = get3(f->impulse + 3 * k);
    return vs_dot(l, l) > 0;
}

// Neighbours per body: the contacts of a pair of bodies follow each other.
static double coordination(const vs_region_frame *f, const vs_region *r) {
    int64_t bodies = 0, sides = 0;
    const int *last = NULL;
    for (int k = 0; k < f->info->bodies; k++)
        bodies += counts(f, r, k);
    for (int64_t k = 0; k < f->contacts; k++) {
        const int *pair = f->body + 2 * k;
        if (!bears(f, k) || (last && last[0] == pair[0] && last[1] == pair[1]))
            continue;
        last = pair;
        sides += counts(f, r, pair[0]) + counts(f, r, pair[1]);
    }
    return bodies > 0 ? (double)sides / (double)bodies : (double)NAN;
}

static vs_vec3 fabric(const vs_region_frame *f, const vs_region *r) {
    vs_vec3 sum = VS_ZERO3;
    int64_t count = 0;
    for (int64_t k = 0; k < f->contacts; k++) {
        const vs_vec3 n = get3(f->normal + 3 * k);
        if (!bears(f, k) || !vs_region_contains(r, get3(f->point + 3 * k)))
            continue;
        sum = vs_add(sum, (vs_vec3){n.x * n.x, n.y * n.y, n.z * n.z});
        count++;
    }
    return count > 0 ? vs_scale(1 / (double)count, sum) : UNKNOWN;
}

// From the contact to the nearest image of a centre.
static vs_vec3 arm_of(const vs_region_frame *f, vs_vec3 point, int row) {
    const vs_vec3 arm = vs_subtract(centre_of(f, row), point);
    return vs_add(arm, vs_period_shift(f->info->period, arm));
}

// The part within the region of the way of the force of contact k.
static vs_vec3 way_of(const vs_region_frame *f, const vs_region *r, int64_t k) {
    const int a = f->body[2 * k], b = f->body[2 * k + 1];
    const vs_vec3 point = get3(f->point + 3 * k);
    vs_vec3 way = VS_ZERO3;
    if (is_dynamic(f, a)) {
        const vs_vec3 arm = arm_of(f, point, a);
        way = vs_add_scaled(way, -vs_region_share_of_images(r, f->info->period, point, vs_add(point, arm)), arm);
    }
    if (is_dynamic(f, b)) {
        const vs_vec3 arm = arm_of(f, point, b);
        way = vs_add_scaled(way, vs_region_share_of_images(r, f->info->period, point, vs_add(point, arm)), arm);
    }
    return way;
}

static vs_vec3 stress(const vs_region_frame *f, const vs_region *r, bool shear) {
    vs_vec3 sum = VS_ZERO3;
    for (int64_t k = 0; k < f->contacts; k++) {
        const vs_vec3 p = get3(f->impulse + 3 * k), l = way_of(f, r, k);
        const vs_vec3 normal = {p.x * l.x, p.y * l.y, p.z * l.z};
        const vs_vec3 mixed = {.5 * (p.y * l.z + p.z * l.y), .5 * (p.x * l.z + p.z * l.x),
                               .5 * (p.x * l.y + p.y * l.x)};
        sum = vs_add(sum, shear ? mixed : normal);
    }
    return vs_scale(1 / (vs_region_volume(r) * f->info->step), sum);
}

vs_vec3 vs_region_mean(vs_history_quantity quantity, const vs_region *whole, const vs_region_frame *f) {
    const vs_region clipped = vs_region_clip(whole, f->info->period), *r = &clipped;
    switch (quantity) {
    case VS_HISTORY_NORMAL_STRESS:
        return stress(f, r, false);
    case VS_HISTORY_SHEAR_STRESS:
        return stress(f, r, true);
    case VS_HISTORY_SOLID_FRACTION:
        return (vs_vec3){solid_fraction(f, r), 0, 0};
    case VS_HISTORY_COORDINATION:
        return (vs_vec3){coordination(f, r), 0, 0};
    case VS_HISTORY_FABRIC:
        return fabric(f, r);
    case VS_HISTORY_FLOW:
        return flow(f, r);
    case VS_HISTORY_TEMPERATURE:
        return (vs_vec3){temperature(f, r), 0, 0};
    default:
        return UNKNOWN;
    }
}
