// The bodies of a world with the sizes that their inertia tells: a box with the sides a, b, c has the principal moments
//
//     I_a = m (b^2 + c^2)/12, …      so that      a^2 = 6 (I_b + I_c - I_a)/m
#include "check/bodies.h"

#include <math.h>
#include <stdlib.h>

#include "cli/body_name.h"
#include "voussoir/flexible.h"

double app_length(vs_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

double app_distance(vs_vec3 a, vs_vec3 b) {
    return app_length((vs_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

// One rotation of Jacobi's method, which makes a[p][q] zero.
static void rotate(double a[3][3], int p, int q) {
    if (a[p][q] == 0)
        return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        const double u = a[k][p], v = a[k][q];
        a[k][p] = c * u - s * v;
        a[k][q] = s * u + c * v;
    }
    for (int k = 0; k < 3; k++) {
        const double u = a[p][k], v = a[q][k];
        a[p][k] = c * u - s * v;
        a[q][k] = s * u + c * v;
    }
}

static void sort(double x[3]) {
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (x[k] > x[k + 1]) {
                const double swapped = x[k];
                x[k] = x[k + 1];
                x[k + 1] = swapped;
            }
}

static void find_sides(app_body *b, const vs_mat3 *inertia) {
    enum { SWEEPS = 8 }; // converges quadratically: 4 are enough for doubles
    double a[3][3];
    for (int k = 0; k < 9; k++)
        a[k / 3][k % 3] = inertia->a[k];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate(a, 0, 1);
        rotate(a, 0, 2);
        rotate(a, 1, 2);
    }
    const double sum = a[0][0] + a[1][1] + a[2][2];
    for (int k = 0; k < 3; k++)
        b->side[k] = sqrt(fmax(6 * (sum - 2 * a[k][k]) / b->mass, 0));
    sort(b->side);
    const double volume = b->side[0] * b->side[1] * b->side[2];
    b->density = volume > 0 ? b->mass / volume : INFINITY;
}

// Nodes of beams are bodies, with the inertia of a piece of their line.
static void mark_nodes(app_bodies *b) {
    for (int k = 0; k < vs_world_get_flexible_count(b->world); k++) {
        vs_flexible_view v;
        if (vs_world_get_flexible_view(b->world, vs_world_get_flexible_at(b->world, k), &v) != VS_OK || !v.beam)
            continue;
        for (int i = 0; i < v.nodes; i++) {
            const int one = app_bodies_find(b, v.body[i]);
            if (one >= 0)
                b->body[one].joined = true;
        }
    }
}

static void mark_joined(app_bodies *b) {
    for (int k = 0; k < vs_world_get_joint_count(b->world); k++) {
        vs_joint_def def;
        if (vs_world_get_joint_def(b->world, vs_world_get_joint_at(b->world, k), &def) != VS_OK)
            continue;
        const int pair[2] = {app_bodies_find(b, def.a), app_bodies_find(b, def.b)};
        for (int i = 0; i < 2; i++)
            if (pair[i] >= 0)
                b->body[pair[i]].joined = true;
        for (int i = 0; i < def.points; i++) {
            const int one = app_bodies_find(b, def.point[i].body);
            if (one >= 0)
                b->body[one].joined = true;
        }
    }
}

bool app_bodies_read(const vs_world *world, app_bodies *b) {
    *b = (app_bodies){.world = world, .count = vs_world_get_body_count(world)};
    b->body = calloc((size_t)b->count + 1, sizeof *b->body);
    if (!b->body)
        return false;
    for (int k = 0; k < b->count; k++) {
        app_body *one = &b->body[k];
        vs_mat3 inertia;
        one->id = vs_world_get_body_at(world, k);
        (void)vs_world_get_body_state(world, one->id, &one->state);
        one->dynamic = vs_world_get_body_mass(world, one->id, &one->mass, &inertia) == VS_OK && one->mass > 0;
        b->dynamic += one->dynamic;
        if (one->dynamic)
            find_sides(one, &inertia);
    }
    mark_joined(b);
    mark_nodes(b);
    return true;
}

void app_bodies_release(app_bodies *b) {
    free(b->body);
    *b = (app_bodies){0};
}

const char *app_bodies_name(const app_bodies *b, int k, char name[APP_BODY_NAME]) {
    app_body_name(b->world, k >= 0 ? b->body[k].id : (vs_body_id){0, 0}, name);
    return name;
}

// Bodies are in the order of their indices.
int app_bodies_find(const app_bodies *b, vs_body_id id) {
    int low = 0, high = b->count - 1;
    while (low <= high) {
        const int middle = (low + high) / 2;
        const uint32_t index = b->body[middle].id.index;
        if (index == id.index)
            return middle;
        if (index < id.index)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}
