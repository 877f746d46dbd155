// Velocities of islands and the shares of their contacts and joints: see own_scale.h.
//
// Rows of contacts are velocities of points, m/s. A joint may have rows of lengths and of angles: the least a of its rows
// makes a velocity of its energy, which errs to the lenient side. Rows of boxes may have any unit: their energy counts as
// that of the lightest contact or joint of the island, and they have no share of their own.
#include "measure/own_scale.h"

#include <math.h>
#include <string.h>

// Shares below are no numbers that a sum of roundings could be compared with.
static const double LEAST_SHARE = 1e-280;

// Largest values of an island: velocity of contacts and joints, 1/a and a of these, root of the energy of boxes.
enum { VELOCITY, MASS, INVERSE_MASS, BOX, PARTS };

vs_error vs_own_scale_create(vs_own_scale *own, const vs_problem *problem, int islands, vs_arena *arena) {
    *own = (vs_own_scale){.contact = VS_NEW(arena, double, problem->contacts),
                          .joint = VS_NEW(arena, double, problem->joints),
                          .contact_floor = VS_NEW(arena, double, problem->contacts),
                          .joint_floor = VS_NEW(arena, double, problem->joints),
                          .extreme = VS_NEW(arena, double, PARTS *(int64_t)islands)};
    bool complete = own->contact && own->joint && own->contact_floor && own->joint_floor && own->extreme;
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

static void enlarge(double *most, double x) {
    *most = fmax(*most, x);
}

// a of a joint whose rows may have several units.
static double joint_inverse_mass(const vs_mass_model *mass, int j) {
    const vs_problem *p = mass->problem;
    int first = p->joint_row[j], rows = p->joint_row[j + 1] - first;
    const double *S = mass->scale.joint_size.x + mass->scale.joint_size.first[j];
    double least = mass->scale.joint_row[first];
    for (int k = 0; k < rows; k++)
        if (S[(int64_t)k * (rows + 1)] > 0.0)
            least = fmin(least, S[(int64_t)k * (rows + 1)]);
    return least;
}

static void raise_masses(double *extreme, double a) {
    enlarge(&extreme[MASS], 1.0 / a);
    enlarge(&extreme[INVERSE_MASS], a);
}

static void add_contact(const vs_mass_model *mass, int i, double *extreme) {
    const vs_problem *p = mass->problem;
    int first = p->row[i], end = vs_mass_model_rows_end(mass, i);
    if (p->kind[i] == VS_CONE_BOX) {
        for (int k = first; k < end; k++) {
            double root = sqrt(mass->scale.row[k]);
            enlarge(&extreme[BOX], fmax(fabs(mass->free.y[k]) / root, vs_mass_model_demand(mass, i, k) * root));
        }
        return;
    }
    raise_masses(extreme, mass->scale.contact[i]);
    for (int k = first; k < end && k < first + 3; k++)
        enlarge(&extreme[VELOCITY], fabs(mass->free.y[k]));
}

static void add_joint(const vs_mass_model *mass, int j, double *extreme) {
    const vs_problem *p = mass->problem;
    double a = joint_inverse_mass(mass, j);
    raise_masses(extreme, a);
    for (int k = p->joint_row[j]; k < p->joint_row[j + 1]; k++)
        enlarge(&extreme[VELOCITY], fabs(mass->free.r_e[k]) * sqrt(a / mass->scale.joint_row[k]));
}

// Share of a contact or joint with the inverse mass a in an island.
static double share_of(const double *extreme, double reference, double a) {
    if (!(reference > 0.0))
        return INFINITY;
    double root = sqrt(reference), velocity = extreme[VELOCITY] / sqrt(a) / root;
    double box = extreme[BOX] / root * sqrt(extreme[INVERSE_MASS] / a);
    double share = fmax(0.5 * fmax(velocity * velocity, box * box), 1.0 / (extreme[MASS] * a));
    return fmax(share, LEAST_SHARE);
}

void vs_own_scale_update(vs_own_scale *own, const vs_mass_model *mass, const double *reference) {
    const vs_problem *p = mass->problem;
    const vs_island_map *islands = &mass->islands;
    memset(own->extreme, 0, sizeof(double) * PARTS * (size_t)islands->count);
    for (int i = 0; i < p->contacts; i++)
        add_contact(mass, i, own->extreme + PARTS * (int64_t)islands->contact[i]);
    for (int j = 0; j < p->joints; j++)
        add_joint(mass, j, own->extreme + PARTS * (int64_t)islands->joint[j]);
    if (islands->shared > 0)
        vs_space_maxima(p->space, PARTS * islands->shared, own->extreme);
    for (int i = 0; i < p->contacts; i++) {
        int island = islands->contact[i];
        bool box = p->kind[i] == VS_CONE_BOX;
        own->contact[i] =
            box ? INFINITY
                : share_of(own->extreme + PARTS * (int64_t)island, reference[island], mass->scale.contact[i]);
    }
    for (int j = 0; j < p->joints; j++) {
        int island = islands->joint[j];
        own->joint[j] =
            share_of(own->extreme + PARTS * (int64_t)island, reference[island], joint_inverse_mass(mass, j));
    }
}
