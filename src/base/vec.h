// Arithmetic of vectors, matrices, quaternions and poses: small inline functions.
#ifndef VS_BASE_VEC_H
#define VS_BASE_VEC_H

#include <math.h>

#include "base/elementary.h"
#include "voussoir/geometry.h"

static const vs_vec3 VS_ZERO3 = {0, 0, 0};
static const vs_pose VS_IDENTITY_POSE = {{0, 0, 0}, {1, 0, 0, 0}};

static inline vs_vec3 vs_add(vs_vec3 a, vs_vec3 b) {
    return (vs_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vs_vec3 vs_subtract(vs_vec3 a, vs_vec3 b) {
    return (vs_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vs_vec3 vs_scale(double s, vs_vec3 a) {
    return (vs_vec3){s * a.x, s * a.y, s * a.z};
}
// a + s b
static inline vs_vec3 vs_add_scaled(vs_vec3 a, double s, vs_vec3 b) {
    return (vs_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline double vs_dot(vs_vec3 a, vs_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vs_vec3 vs_cross(vs_vec3 a, vs_vec3 b) {
    return (vs_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vs_length(vs_vec3 a) {
    return sqrt(vs_dot(a, a));
}
// a / |a|; a itself if it is zero
static inline vs_vec3 vs_normalize(vs_vec3 a) {
    double length = vs_length(a);
    return length > 0 ? vs_scale(1 / length, a) : a;
}
static inline double vs_component(vs_vec3 a, int k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

// ---- matrices --------------------------------------------------------------------------------------

static inline vs_vec3 vs_mat3_apply(const vs_mat3 *m, vs_vec3 v) {
    const double *a = m->a;
    return (vs_vec3){a[0] * v.x + a[1] * v.y + a[2] * v.z, a[3] * v.x + a[4] * v.y + a[5] * v.z,
                     a[6] * v.x + a[7] * v.y + a[8] * v.z};
}
static inline vs_vec3 vs_mat3_apply_t(const vs_mat3 *m, vs_vec3 v) {
    const double *a = m->a;
    return (vs_vec3){a[0] * v.x + a[3] * v.y + a[6] * v.z, a[1] * v.x + a[4] * v.y + a[7] * v.z,
                     a[2] * v.x + a[5] * v.y + a[8] * v.z};
}
static inline vs_mat3 vs_mat3_multiply(const vs_mat3 *m, const vs_mat3 *n) {
    vs_mat3 out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.a[3 * i + j] = m->a[3 * i] * n->a[j] + m->a[3 * i + 1] * n->a[3 + j] + m->a[3 * i + 2] * n->a[6 + j];
    return out;
}
static inline vs_mat3 vs_mat3_transpose(const vs_mat3 *m) {
    const double *a = m->a;
    return (vs_mat3){{a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]}};
}
// Row k is the cross product of the other two rows, in cyclic order.
static inline vs_mat3 vs_mat3_cofactors(const vs_mat3 *m) {
    const double *a = m->a;
    return (vs_mat3){{a[4] * a[8] - a[5] * a[7], a[5] * a[6] - a[3] * a[8], a[3] * a[7] - a[4] * a[6],
                      a[2] * a[7] - a[1] * a[8], a[0] * a[8] - a[2] * a[6], a[1] * a[6] - a[0] * a[7],
                      a[1] * a[5] - a[2] * a[4], a[2] * a[3] - a[0] * a[5], a[0] * a[4] - a[1] * a[3]}};
}
static inline double vs_mat3_determinant(const vs_mat3 *m) {
    const double *a = m->a;
    const vs_mat3 c = vs_mat3_cofactors(m);
    return a[0] * c.a[0] + a[1] * c.a[1] + a[2] * c.a[2];
}
// m^-1 = cof(m)'/det(m), as accurate as the condition allows if m is symmetric positive definite.
static inline vs_mat3 vs_mat3_inverse(const vs_mat3 *m) {
    const vs_mat3 c = vs_mat3_cofactors(m);
    const double d = 1 / vs_mat3_determinant(m);
    vs_mat3 inverse = vs_mat3_transpose(&c);
    for (int k = 0; k < 9; k++)
        inverse.a[k] *= d;
    return inverse;
}
// m^-1 r by Cramer's rule
static inline vs_vec3 vs_mat3_solve(const vs_mat3 *m, vs_vec3 r) {
    const vs_mat3 c = vs_mat3_cofactors(m);
    return vs_scale(1 / vs_mat3_determinant(m), vs_mat3_apply_t(&c, r));
}

// ---- quaternions -----------------------------------------------------------------------------------

static inline vs_quat vs_quat_multiply(vs_quat p, vs_quat q) {
    return (vs_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                     p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}
static inline vs_quat vs_quat_conjugate(vs_quat q) {
    return (vs_quat){q.w, -q.x, -q.y, -q.z};
}
static inline vs_quat vs_quat_normalize(vs_quat q) {
    double s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (vs_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}
static inline vs_vec3 vs_rotate(vs_quat q, vs_vec3 v) {
    vs_vec3 u = {q.x, q.y, q.z}, t = vs_scale(2, vs_cross(u, v));
    return vs_add(vs_add_scaled(v, q.w, t), vs_cross(u, t));
}
static inline vs_vec3 vs_rotate_back(vs_quat q, vs_vec3 v) {
    return vs_rotate(vs_quat_conjugate(q), v);
}
static inline vs_mat3 vs_quat_matrix(vs_quat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (vs_mat3){{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx),
                      2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}
// exp of a rotation vector (angle times axis): the rotation by |r| about r
static inline vs_quat vs_quat_exp(vs_vec3 r) {
    double angle2 = vs_dot(r, r), angle = sqrt(angle2);
    // sin(angle/2)/angle without cancellation near zero
    double sine, cosine;
    vs_sincos(.5 * angle, &sine, &cosine);
    double s = angle > 1e-4 ? sine / angle : .5 - angle2 / 48;
    return (vs_quat){cosine, s * r.x, s * r.y, s * r.z};
}
// log of a rotation: angle times axis, by the shorter way
static inline vs_vec3 vs_quat_log(vs_quat q) {
    vs_vec3 v = vs_scale(q.w < 0 ? -1 : 1, (vs_vec3){q.x, q.y, q.z});
    double sine = vs_length(v), cosine = fabs(q.w);
    // angle / sin(angle/2), series without cancellation near zero
    double factor =
        sine > 1e-4 ? 2 * vs_atan2(sine, cosine) / sine : (2 + sine * sine / 3) / sqrt(cosine * cosine + sine * sine);
    return vs_scale(factor, v);
}

// ---- poses -----------------------------------------------------------------------------------------

static inline vs_vec3 vs_pose_apply(vs_pose p, vs_vec3 v) {
    return vs_add(p.position, vs_rotate(p.rotation, v));
}
static inline vs_vec3 vs_pose_apply_back(vs_pose p, vs_vec3 v) {
    return vs_rotate_back(p.rotation, vs_subtract(v, p.position));
}
// The pose `of` in the axes of `to`.
static inline vs_pose vs_pose_relative(vs_pose of, vs_pose to) {
    return (vs_pose){vs_pose_apply_back(to, of.position),
                     vs_quat_multiply(vs_quat_conjugate(to.rotation), of.rotation)};
}
// The pose of c in a's parent when c is expressed in a.
static inline vs_pose vs_pose_multiply(vs_pose a, vs_pose c) {
    return (vs_pose){vs_pose_apply(a, c.position), vs_quat_multiply(a.rotation, c.rotation)};
}

// The shortest rotation that takes z to the axis (of any length but zero).
static inline vs_quat vs_quat_from_z_to(vs_vec3 axis) {
    vs_vec3 half = vs_add((vs_vec3){0, 0, 1}, vs_normalize(axis));
    // Opposite to z: any half turn about an axis across.
    if (vs_length(half) < 1e-9)
        return (vs_quat){0, 1, 0, 0};
    half = vs_normalize(half);
    return vs_quat_normalize((vs_quat){half.z, -half.y, half.x, 0});
}

#endif
