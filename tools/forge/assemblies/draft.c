#include "draft.h"

#include <math.h>
#include <string.h>

static solid *add(draft *d, solid_kind kind, const double at[3], double mass) {
    static solid spare; // where an assembly is full
    assembly *a = d->assembly;
    solid *s = a->solids < MOST_SOLIDS ? &a->solid[a->solids++] : &spare;
    *s = (solid){.kind = kind, .rotation = {1, 0, 0, 0}, .mass = mass, .material = d->material};
    memcpy(s->position, at, sizeof s->position);
    return s;
}

solid *add_box(draft *d, const double at[3], const double half[3], double mass) {
    solid *s = add(d, SOLID_BOX, at, mass);
    memcpy(s->half, half, sizeof s->half);
    return s;
}

solid *add_cylinder(draft *d, const double at[3], double radius, double half_length, double mass) {
    solid *s = add(d, SOLID_CYLINDER, at, mass);
    s->half[0] = s->half[1] = radius;
    s->half[2] = half_length;
    return s;
}

solid *add_sphere(draft *d, const double at[3], double radius, double mass) {
    solid *s = add(d, SOLID_SPHERE, at, mass);
    s->half[0] = s->half[1] = s->half[2] = radius;
    return s;
}

static void add_side(solid *s, int count, int a, int b, int c, int e) {
    const int corner[MOST_SIDES] = {a, b, c, e};
    memcpy(s->face[s->faces], corner, sizeof corner);
    s->sides[s->faces++] = count;
}

solid *add_prism(draft *d, const double section[][2], int corners, double half_depth, double mass) {
    double middle[3] = {0, 0, 0};
    for (int k = 0; k < corners; k++) {
        middle[0] += section[k][0] / corners;
        middle[2] += section[k][1] / corners;
    }
    solid *s = add(d, SOLID_HULL, middle, mass);
    s->corners = 2 * corners;
    for (int k = 0; k < 2 * corners; k++) {
        s->corner[k][0] = section[k % corners][0] - middle[0];
        s->corner[k][1] = k < corners ? -half_depth : half_depth;
        s->corner[k][2] = section[k % corners][1] - middle[2];
    }
    // Counter-clockwise in (x, z) is clockwise about y.
    const int n = corners;
    add_side(s, n, 0, 1, 2, n > 3 ? 3 : 0);
    add_side(s, n, 2 * n - 1, 2 * n - 2, 2 * n - 3, n > 3 ? n : 0);
    for (int k = 0; k < n; k++)
        add_side(s, 4, k, k + n, (k + 1) % n + n, (k + 1) % n);
    return s;
}

solid *add_tip(draft *d, const double at[3], double width, double height) {
    solid *s = add(d, SOLID_HULL, at, 1);
    s->corners = 5;
    for (int k = 0; k < 4; k++) {
        s->corner[k][0] = k == 0 || k == 3 ? -width : width;
        s->corner[k][1] = k < 2 ? -width : width;
        s->corner[k][2] = -height;
        add_side(s, 3, k, (k + 1) % 4, 4, 0);
    }
    add_side(s, 4, 3, 2, 1, 0);
    return s;
}

solid *fix(solid *s) {
    s->fixed = true;
    s->mass = 0;
    return s;
}

// ---- rotations -------------------------------------------------------------------------------------------

void set_rotation(double rotation[4], const double axis[3], double angle) {
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    rotation[0] = cos(angle / 2);
    for (int k = 0; k < 3; k++)
        rotation[k + 1] = sin(angle / 2) * axis[k] / length;
}

void multiply_rotations(const double a[4], const double b[4], double product[4]) {
    const double p[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(product, p, sizeof p);
}

// v + 2 w u x v + 2 u x (u x v)
static void turn(const double q[4], long double sign, const long double v[3], long double result[3]) {
    const long double w = q[0], u[3] = {sign * q[1], sign * q[2], sign * q[3]};
    const long double norm = w * w + u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    const long double t[3] = {2 / norm * (u[1] * v[2] - u[2] * v[1]), 2 / norm * (u[2] * v[0] - u[0] * v[2]),
                              2 / norm * (u[0] * v[1] - u[1] * v[0])};
    result[0] = v[0] + w * t[0] + u[1] * t[2] - u[2] * t[1];
    result[1] = v[1] + w * t[1] + u[2] * t[0] - u[0] * t[2];
    result[2] = v[2] + w * t[2] + u[0] * t[1] - u[1] * t[0];
}

void turn_back(const double rotation[4], const double v[3], long double result[3]) {
    const long double x[3] = {v[0], v[1], v[2]};
    turn(rotation, -1, x, result);
}

// ---- the whole -------------------------------------------------------------------------------------------

double find_guard(const draft *d) {
    double extent = 0, largest = 0;
    for (int k = d->first; k < d->assembly->solids; k++) {
        const solid *s = &d->assembly->solid[k];
        for (int i = 0; i < 3; i++)
            extent = fmax(extent, fabs(s->position[i]));
        if (!s->fixed)
            largest = fmax(largest, sqrt(s->half[0] * s->half[0] + s->half[1] * s->half[1] + s->half[2] * s->half[2]));
    }
    const double away = fabs(d->position[0]) + fabs(d->position[1]) + fabs(d->position[2]);
    return 64 * 0x1p-52 * (away / d->scale + 2 * extent + 1) + 1e-10 * largest;
}

void settle(draft *d, long double margin, double guard) {
    d->truth = margin > guard ? TRUTH_STANDS : margin < -guard ? TRUTH_FALLS : TRUTH_UNKNOWN;
}

void place(draft *d) {
    for (int k = d->first; k < d->assembly->solids; k++) {
        solid *s = &d->assembly->solid[k];
        long double at[3] = {s->position[0], s->position[1], s->position[2]};
        turn(d->rotation, 1, at, at);
        for (int i = 0; i < 3; i++) {
            s->position[i] = (double)(d->position[i] + d->scale * at[i]);
            s->half[i] *= d->scale;
            for (int c = 0; c < s->corners; c++)
                s->corner[c][i] *= d->scale;
        }
        multiply_rotations(d->rotation, s->rotation, s->rotation);
        s->mass *= d->mass;
    }
}

double draw_mass(stream *random) {
    return draw_chance(random, .7) ? draw_decades(random, -1, 1) : draw_decades(random, -6, 6);
}

double draw_small(stream *random) {
    return draw_chance(random, .4) ? draw_decades(random, -9, -8.7) : draw_decades(random, -9, -.5);
}
