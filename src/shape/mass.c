// Mass, centre and inertia of solids of constant density.
//
// Round shapes and boxes by closed forms. Polytopes and closed meshes by signed tetrahedra from an apex o near them to
// each triangle (a, b, c) (coordinates relative to o, s = a + b + c, d = a . (b x c)):
//
//     V = sum d / 6,   V x_c = sum d s / 24,   C = int x x' = sum d (a a' + b b' + c c' + s s') / 120
//
// Then C about the centre is C - V x_c x_c', and the inertia is density (tr(C) 1 - C).
#include "shape/mass.h"

#include "base/elementary.h"

#include <math.h>

static vs_mat3 diagonal(double x, double y, double z) {
    return (vs_mat3){{x, 0, 0, 0, y, 0, 0, 0, z}};
}

// tr(C) 1 - C, exactly symmetric.
static vs_mat3 inertia_of(const double C[6], double factor) { // C: xx, yy, zz, xy, xz, yz
    const double xy = -factor * C[3], xz = -factor * C[4], yz = -factor * C[5];
    return (vs_mat3){{factor * (C[1] + C[2]), xy, xz, xy, factor * (C[0] + C[2]), yz, xz, yz, factor * (C[0] + C[1])}};
}

// ---- closed forms ----------------------------------------------------------------------------------

vs_mass_properties vs_mass_of_cylinder(double radius, double half_length, double density) {
    const double r2 = radius * radius, l2 = half_length * half_length;
    const double mass = density * 2 * VS_PI * r2 * half_length, across = mass * (r2 / 4 + l2 / 3);
    return (vs_mass_properties){mass, VS_ZERO3, diagonal(across, across, mass * r2 / 2)};
}

vs_mass_properties vs_mass_of_box(vs_vec3 h, double density) {
    const double mass = density * 8 * h.x * h.y * h.z, xx = h.x * h.x, yy = h.y * h.y, zz = h.z * h.z;
    return (vs_mass_properties){mass, VS_ZERO3,
                                diagonal(mass / 3 * (yy + zz), mass / 3 * (xx + zz), mass / 3 * (xx + yy))};
}

vs_mass_properties vs_mass_of_ellipsoid(vs_vec3 a, double density) {
    const double mass = density * 4 / 3 * VS_PI * a.x * a.y * a.z, xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z;
    return (vs_mass_properties){mass, VS_ZERO3,
                                diagonal(mass / 5 * (yy + zz), mass / 5 * (xx + zz), mass / 5 * (xx + yy))};
}

// ---- signed tetrahedra -----------------------------------------------------------------------------

vs_moments vs_moments_about(const vs_box3 *box) {
    return (vs_moments){.tip = vs_scale(.5, vs_add(box->low, box->high))};
}

static void add_products(vs_vec3 v, double out[6]) {
    out[0] += v.x * v.x, out[1] += v.y * v.y, out[2] += v.z * v.z;
    out[3] += v.x * v.y, out[4] += v.x * v.z, out[5] += v.y * v.z;
}

void vs_moments_add(vs_moments *m, vs_vec3 a, vs_vec3 b, vs_vec3 c) {
    a = vs_subtract(a, m->tip), b = vs_subtract(b, m->tip), c = vs_subtract(c, m->tip);
    const vs_vec3 s = vs_add(a, vs_add(b, c));
    const double d = vs_dot(a, vs_cross(b, c));
    double products[6] = {0};
    add_products(a, products), add_products(b, products), add_products(c, products), add_products(s, products);
    m->volume += d;
    m->first = vs_add_scaled(m->first, d, s);
    for (int k = 0; k < 6; k++)
        m->C[k] += d * products[k];
}

vs_mass_properties vs_mass_of_moments(const vs_moments *m, double density) {
    const double volume = m->volume / 6;
    const vs_vec3 centre = vs_scale(1 / (4 * m->volume), m->first);
    double shift[6] = {0}, C[6];
    add_products(centre, shift);
    for (int k = 0; k < 6; k++)
        C[k] = m->C[k] / 120 - volume * shift[k];
    return (vs_mass_properties){density * volume, vs_add(m->tip, centre), inertia_of(C, density)};
}

// ---- public ----------------------------------------------------------------------------------------

vs_error vs_shape_get_mass(const vs_shape *shape, double density, vs_mass_properties *mass) {
    if (!shape || !mass)
        return vs_fail(shape ? shape->arena.context : NULL, VS_ERROR_ARGUMENT, "shape or mass is null");
    vs_context *context = shape->arena.context;
    if (!(density > 0 && isfinite(density)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "density must be positive and finite (is %g)", density);
    vs_mass_properties out = {0};
    vs_error error = vs_class_of(shape)->mass(shape, density, &out);
    if (error)
        return error;
    const double inertia = out.inertia.a[0] + out.inertia.a[4] + out.inertia.a[8];
    if (!isnormal(out.mass) || !isnormal(inertia))
        return vs_fail(context, VS_ERROR_ARGUMENT, "mass (%g kg) or inertia (%g kg m^2) exceeds the range of numbers",
                       out.mass, inertia);
    *mass = out;
    return VS_OK;
}

// inertia += that of a point mass at r.
static void add_point(vs_mat3 *inertia, double mass, vs_vec3 r) {
    double products[6] = {0};
    add_products(r, products);
    const vs_mat3 point = inertia_of(products, mass);
    for (int k = 0; k < 9; k++)
        inertia->a[k] += point.a[k];
}

vs_mass_properties vs_mass_properties_add(const vs_mass_properties *a, const vs_mass_properties *b, vs_pose pose) {
    if (!a || !b)
        return (vs_mass_properties){0};
    const vs_vec3 centre_b = vs_pose_apply(pose, b->centre);
    const vs_mat3 R = vs_quat_matrix(pose.rotation), Rt = vs_mat3_transpose(&R);
    const vs_mat3 half = vs_mat3_multiply(&R, &b->inertia), turned = vs_mat3_multiply(&half, &Rt);
    vs_mass_properties sum = {.mass = a->mass + b->mass, .centre = a->centre, .inertia = a->inertia};
    // Two massless parts: no 0/0.
    const double share = sum.mass > 0 ? b->mass / sum.mass : 0;
    const vs_vec3 apart = vs_subtract(centre_b, a->centre);
    sum.centre = vs_add_scaled(a->centre, share, apart);
    // The mean of the rotated tensor and its transpose: rounding makes them differ.
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum.inertia.a[3 * i + j] += .5 * (turned.a[3 * i + j] + turned.a[3 * j + i]);
    // Both shifts together: m_a m_b / (m_a + m_b) at the distance between the centres.
    add_point(&sum.inertia, a->mass * share, apart);
    return sum;
}
