// Bonds from the contacts of a step: closed contacts of two bodies that mortar joins. The points of a face share its area, that of
// their convex polygon.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "step/bond/bonds.h"
#include "step/rows/point_jacobian.h"

static const double CLOSED = 1e-4;    // of the smaller shape's size: wider gaps are not bonded
static const double PARALLEL = .9998; // cosine of one degree: normals of one face
static const double OPENS = 1e-6;     // of the smaller shape's size: a brittle bond that moved farther is lost
static const double DEGREE = .017453292519943295; // rad
enum { FACE = 3, POINTS_MOST = 64 };

// Closed contacts of two colliders with one normal.
typedef struct face {
    const vs_contact *contact[POINTS_MOST];
    int count;
} face;

static double size_of(const vs_world *world, const vs_contact *c) {
    return fmin(world->collider[c->collider_a].shape->size, world->collider[c->collider_b].shape->size);
}

static bool is_closed(const vs_world *world, const vs_contact *c) {
    const double size = size_of(world, c);
    return c->gap <= (isfinite(size) ? CLOSED * size : 0);
}

static bool is_same_face(const vs_contact *p, const vs_contact *q) {
    return p->collider_a == q->collider_a && p->collider_b == q->collider_b && vs_dot(p->normal, q->normal) > PARALLEL;
}

// The face of contact k; none if an earlier contact has listed it. Contacts are sorted by bodies.
static face find_face(const vs_world *world, const vs_contacts *contacts, int k) {
    const vs_contact *all = contacts->contact, *first = &all[k];
    face found = {.count = 0};
    for (int j = k - 1; j >= 0 && all[j].a == first->a && all[j].b == first->b; j--)
        if (is_same_face(&all[j], first) && is_closed(world, &all[j]))
            return found;
    for (int j = k; j < contacts->count && all[j].a == first->a && all[j].b == first->b; j++)
        if (is_same_face(&all[j], first) && is_closed(world, &all[j]) && found.count < POINTS_MOST)
            found.contact[found.count++] = &all[j];
    return found;
}

typedef struct corner {
    double angle, x, y;
} corner;

static int compare_angles(const void *a, const void *b) {
    const corner *p = a, *q = b;
    return (p->angle > q->angle) - (p->angle < q->angle);
}

static double area_of(const face *f) {
    const vs_vec3 n = f->contact[0]->normal;
    const vs_vec3 u = vs_normalize(vs_cross(n, fabs(n.x) < .6 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0}));
    const vs_vec3 w = vs_cross(n, u);
    vs_vec3 middle = VS_ZERO3;
    corner polygon[POINTS_MOST] = {{0}};
    for (int k = 0; k < f->count; k++)
        middle = vs_add_scaled(middle, 1. / f->count, f->contact[k]->point);
    for (int k = 0; k < f->count; k++) {
        const vs_vec3 d = vs_subtract(f->contact[k]->point, middle);
        polygon[k] = (corner){.x = vs_dot(d, u), .y = vs_dot(d, w)};
        polygon[k].angle = vs_atan2(polygon[k].y, polygon[k].x);
    }
    qsort(polygon, (size_t)f->count, sizeof *polygon, compare_angles);
    double twice = 0;
    for (int k = 0; k < f->count; k++) {
        const corner *p = &polygon[k], *q = &polygon[(k + 1) % f->count];
        twice += p->x * q->y - p->y * q->x;
    }
    return .5 * twice;
}

static bool has(const vs_world *world, const vs_mortar *mortar, int body) {
    bool found = mortar->def.bodies == 0;
    for (int k = 0; k < mortar->def.bodies && !found; k++)
        found = vs_world_body_index(world, mortar->body[k]) == body;
    return found;
}

// Strengths of a bond of an area.
static void set_strength(const vs_mortar_def *def, double mu, double area, vs_bond *bond) {
    const double cohesion = def->cohesion < 0 ? mu * def->tension : def->cohesion;
    const double tension = mu > 0 ? fmin(def->tension, cohesion / mu) : def->tension;
    // Where there is no tension the cohesion softens alone, with k = 1.
    const double peak = tension > 0 ? tension : cohesion;
    const double energy =
        tension > 0 || !(def->shear_fracture_energy > 0) ? def->fracture_energy : def->shear_fracture_energy;
    bond->area = area;
    bond->pull = area * tension;
    bond->cohesion = area * fmax(cohesion - mu * tension, 0);
    bond->critical = peak > 0 ? 2 * energy / peak : 0;
    bond->compression = area * def->compression;
    bond->dilatancy = def->dilatancy > 0 ? vs_tan(def->dilatancy * DEGREE) : 0;
    bond->dilates = def->dilatancy_slip;
    bond->shear = 1;
    if (tension > 0 && def->shear_fracture_energy > 0 && energy > 0)
        bond->shear = cohesion * energy / (tension * def->shear_fracture_energy);
}

// Growth of d with the present velocities.
static double find_rate(const vs_world *world, const vs_contact *c, double shear) {
    const int bodies[2] = {c->a, c->b};
    vs_vec3 frame[3];
    double speed[3] = {0};
    vs_contact_frame(c->normal, frame);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++) {
            double row[6], v[6];
            vs_point_jacobian(&world->body[bodies[side]], c->point, frame[i], side ? 1 : -1, row);
            vs_body_get_velocities(&world->body[bodies[side]], v);
            speed[i] += vs_jacobian_times(row, v);
        }
    return vs_hypot(fmax(speed[0], 0), shear * vs_hypot(speed[1], speed[2]));
}

static vs_error add_bonds(vs_bonds *bonds, const vs_world *world, int mortar, const face *f) {
    const vs_contact *c = f->contact[0];
    const vs_body *a = &world->body[c->a], *b = &world->body[c->b];
    const vs_mortar_def *def = &world->mortar[mortar].def;
    vs_material room;
    const double mu = vs_world_material_of(world, c->collider_a, c->collider_b, &room)->mu;
    const double area = f->count >= FACE ? area_of(f) / f->count : def->area;
    if (!(area > 0))
        return VS_OK;
    vs_error error = VS_RESERVE(world->context, &bonds->bond, bonds->bond.count + f->count);
    for (int k = 0; k < f->count && !error; k++, bonds->holds++) {
        vs_bond *bond = &bonds->bond.data[bonds->bond.count++];
        c = f->contact[k];
        const double size = size_of(world, c);
        *bond = (vs_bond){.a = c->a,
                          .b = c->b,
                          .generation = {a->generation, b->generation},
                          .mortar = mortar,
                          .softening = def->softening,
                          .anchor = {vs_pose_apply_back(a->pose, c->point), vs_pose_apply_back(b->pose, c->point)},
                          .normal = vs_rotate_back(a->pose.rotation, c->normal),
                          .opens = OPENS * (isfinite(size) ? size : 1),
                          .broken = -1};
        set_strength(def, mu, area, bond);
        bond->rate = find_rate(world, c, bond->shear);
    }
    return error;
}

vs_error vs_bonds_make(vs_bonds *bonds, const vs_world *world, const vs_contacts *contacts) {
    vs_error error = VS_OK;
    for (; bonds->mortars < world->mortars && !error; bonds->mortars++) {
        const vs_mortar *mortar = &world->mortar[bonds->mortars];
        for (int k = 0; k < contacts->count && !error; k++) {
            const vs_contact *c = &contacts->contact[k];
            if (!is_closed(world, c) || !has(world, mortar, c->a) || !has(world, mortar, c->b))
                continue;
            const face found = find_face(world, contacts, k);
            if (found.count > 0)
                error = add_bonds(bonds, world, bonds->mortars, &found);
        }
    }
    return error;
}
