// Sums over the contacts and joints of each island: see island_errors.h. With the unit u = sqrt(reference) of its island a
// contact enters with
//
//     l sqrt(a) / u     ybar / (sqrt(a) u)
//
// whose natural map is the energy error over the reference, and whose product is the work error over it.
#include "measure/island_errors.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"

// Energies that are certified, J: below, errors of 1e-12 relative would have no digits left; above, they overflow.
static const double LEAST_ENERGY = 1e-280, LARGEST_ENERGY = 1e300;
// An island that hardly needs impulses, because its bodies separate, is compared with this part of its largest free
// velocity: a tolerance of 1e-8 asks for ten digits of it, one of 1e-12 for fourteen, which double precision has.
static const double LEAST_SHARE = 1e-2;
// References that the caller gives count up to so many times e0, one digit of velocity: beside very heavy bodies light
// ones are to be moved right, too.
static const double MOST_REFERENCE = 100;
// Part of the work of c below which e0 may be rounding of a factored H, which is then looked at.
static const double SUSPICIOUS = 1e-16;

// Roundings of the work of impulses, in epsilons of their energy l^2 a: less is no work error.
static const double ROUNDINGS = 10;

vs_error vs_island_errors_create(vs_island_errors *errors, const vs_mass_model *mass, vs_arena *arena) {
    int64_t count = mass->islands.count;
    *errors = (vs_island_errors){.mass = mass,
                                 .e0 = VS_NEW(arena, double, count),
                                 .floor = VS_NEW(arena, double, count),
                                 .reference = VS_NEW(arena, double, count),
                                 .unit = VS_NEW(arena, double, count),
                                 .size = VS_NEW(arena, double, count),
                                 .sum = VS_NEW(arena, double, VS_SUM_PARTS *count)};
    bool complete = errors->e0 && errors->floor && errors->reference && errors->unit && errors->size && errors->sum;
    return complete ? vs_own_scale_create(&errors->own, mass->problem, mass->islands.count, arena) : VS_ERROR_MEMORY;
}

// ---- sums --------------------------------------------------------------------------------------------

// The contact or joint whose own error is largest, and the largest work of rounding.
typedef struct worst_own {
    double error, work;              // relative
    double strict;                   // the former without granular islands
    double energy, reference, floor; // J, of the first
} worst_own;

// A contact or joint with the share of its island's reference (own_scale.h). floor: J.
static void raise_own(const vs_island_errors *errors, int island, vs_row_errors own, double share, double floor,
                      worst_own *worst) {
    double joule = errors->reference[island], part = vs_own_reference(share);
    double seen = fmax(own.energy, own.rounding), error = sqrt(seen / part);
    bool counts = part < 1.0 && seen > floor / joule;
    worst->work = fmax(worst->work, own.work / share);
    if (counts && !errors->mass->islands.granular[island])
        worst->strict = fmax(worst->strict, error);
    if (counts && error > worst->error) {
        worst->error = error;
        worst->energy = own.energy * joule;
        worst->reference = part * joule;
        worst->floor = floor;
    }
}

// Sums up the island of contact i; returns its own part. Boxes have none.
static vs_row_errors add_contact(const vs_island_errors *errors, int i, const vs_evaluated *e, double norm) {
    const vs_mass_model *mass = errors->mass;
    const vs_problem *p = mass->problem;
    int island = mass->islands.contact[i];
    double u = errors->unit[island], *sum = errors->sum + VS_SUM_PARTS * island;
    vs_row_errors own = {0};
    if (p->kind[i] == VS_CONE_SECOND_ORDER)
        return vs_row_errors_friction(mass, i, e, u, norm, sum);
    if (vs_problem_rolls(p, i))
        return vs_row_errors_rolling(mass, i, e, u, norm, sum);
    for (int k = p->row[i]; k < p->row[i + 1]; k++)
        own = vs_row_errors_row(mass, i, k, e, u, norm, sum);
    if (p->kind[i] == VS_CONE_BOX)
        own = (vs_row_errors){0};
    return own;
}

// worst: null where the references are not known yet.
static void sum_islands(const vs_island_errors *errors, const vs_evaluated *e, double norm, worst_own *worst) {
    const vs_mass_model *mass = errors->mass;
    const vs_island_map *islands = &mass->islands;
    const vs_problem *p = mass->problem;
    const vs_own_scale *own = &errors->own;
    memset(errors->sum, 0, sizeof(double) * VS_SUM_PARTS * (size_t)islands->count);
    for (int j = 0; j < p->joints; j++) {
        int k = islands->joint[j];
        vs_row_errors part = vs_row_errors_joint(mass, j, e, errors->unit[k], norm, errors->sum + VS_SUM_PARTS * k);
        if (worst)
            raise_own(errors, k, part, own->joint[j], own->joint_floor[j], worst);
    }
    for (int i = 0; i < p->contacts; i++) {
        vs_row_errors part = add_contact(errors, i, e, norm);
        if (worst)
            raise_own(errors, islands->contact[i], part, own->contact[i], own->contact_floor[i], worst);
    }
    vs_island_map_sum(islands, p->space, VS_SUM_PARTS, errors->sum);
}

// ---- references ----------------------------------------------------------------------------------------

// Units for the errors of rest: the largest velocity of an island, and impulse that its bounds demand, in roots of energy.
static void find_sizes(vs_island_errors *errors) {
    const vs_mass_model *mass = errors->mass;
    const vs_island_map *islands = &mass->islands;
    const vs_problem *p = mass->problem;
    memset(errors->size, 0, sizeof(double) * (size_t)islands->count);
    for (int i = 0; i < p->contacts; i++)
        for (int k = p->row[i]; k < vs_mass_model_rows_end(mass, i); k++) {
            double root = sqrt(mass->scale.row[k]), *size = &errors->size[islands->contact[i]];
            *size = fmax(*size, fmax(fabs(mass->free.y[k]) / root, vs_mass_model_demand(mass, i, k) * root));
        }
    for (int j = 0; j < p->joints; j++)
        for (int k = p->joint_row[j]; k < p->joint_row[j + 1]; k++) {
            double *size = &errors->size[islands->joint[j]];
            *size = fmax(*size, fabs(mass->free.r_e[k]) / sqrt(mass->scale.joint_row[k]));
        }
    if (islands->shared > 0)
        vs_space_maxima(p->space, islands->shared, errors->size);
    for (int k = 0; k < islands->count; k++)
        errors->unit[k] = errors->size[k] > 0.0 ? errors->size[k] : 1.0;
}

// Adds the reference energies of velocities.
static void add_references(const vs_island_errors *errors) {
    const vs_problem *p = errors->mass->problem;
    const vs_island_map *islands = &errors->mass->islands;
    memset(errors->reference, 0, sizeof(double) * (size_t)islands->count);
    for (int j = 0; p->reference && j < vs_space_owned(p->space, p->n); j++)
        if (islands->entry[j] != VS_NO_ISLAND)
            errors->reference[islands->entry[j]] += p->reference[j];
    vs_island_map_sum(islands, p->space, 1, errors->reference);
}

// May e0 of an island be the rounding of a factored H?
static bool is_suspicious(const vs_island_errors *errors) {
    const vs_problem *p = errors->mass->problem;
    if (p->local || !errors->mass->factor->solver)
        return false;
    double work = fabs(vs_space_dot(p->space, p->n, p->c, errors->mass->free.v));
    bool tiny = false;
    for (int k = 0; k < errors->mass->islands.count; k++)
        tiny = tiny || (errors->e0[k] > 0.0 && errors->e0[k] < SUSPICIOUS * work);
    return vs_space_any(p->space, tiny);
}

static vs_error find_floors(vs_island_errors *errors, double *r, double *z) {
    const vs_mass_model *mass = errors->mass;
    const vs_roundings to = {errors->floor, errors->own.contact_floor, errors->own.joint_floor};
    memset(to.island, 0, sizeof(double) * (size_t)mass->islands.count);
    memset(to.contact, 0, sizeof(double) * (size_t)mass->problem->contacts);
    memset(to.joint, 0, sizeof(double) * (size_t)mass->problem->joints);
    vs_mass_model_add_rounding(mass, &to);
    vs_error error = is_suspicious(errors) ? vs_mass_model_add_factor_rounding(mass, r, z, &to) : VS_OK;
    vs_island_map_sum(&mass->islands, mass->problem->space, 1, errors->floor);
    return error;
}

// Are the energies of an island that needs impulses out of range? relative: e0 over the square of its unit.
static bool is_out_of_range(const vs_island_errors *errors, int k, double relative) {
    double reference = errors->reference[k];
    bool needs = !(relative == 0.0 || errors->e0[k] < errors->floor[k]);
    return !(reference <= LARGEST_ENERGY) || (needs && reference < LEAST_ENERGY);
}

vs_error vs_island_errors_update(vs_island_errors *errors, double *r, double *z) {
    const vs_mass_model *mass = errors->mass;
    const vs_evaluated rest = {.y = mass->free.y, .r_e = mass->free.r_e};
    find_sizes(errors);
    sum_islands(errors, &rest, 1.0, NULL);
    for (int k = 0; k < mass->islands.count; k++)
        errors->e0[k] = errors->sum[VS_SUM_PARTS * k + VS_SUM_ENERGY] * errors->unit[k] * errors->unit[k];
    vs_error error = find_floors(errors, r, z);
    if (error)
        return error;
    add_references(errors);
    bool overflow = false;
    for (int k = 0; k < mass->islands.count; k++) {
        double relative = errors->sum[VS_SUM_PARTS * k + VS_SUM_ENERGY], least = LEAST_SHARE * errors->size[k];
        double given = fmin(errors->reference[k], MOST_REFERENCE * errors->e0[k]);
        errors->reference[k] = fmax(fmax(given, least * least), fmax(errors->e0[k], errors->floor[k]));
        overflow = overflow || is_out_of_range(errors, k, relative);
        if (errors->e0[k] <= errors->floor[k])
            errors->e0[k] = 0.0;
        errors->unit[k] = errors->reference[k] > 0.0 ? sqrt(errors->reference[k]) : 1.0;
    }
    errors->overflow = vs_space_any(mass->problem->space, overflow);
    vs_own_scale_update(&errors->own, mass, errors->reference);
    return VS_OK;
}

// ---- the errors of impulses ------------------------------------------------------------------------------

// Relative error and relative work of island k. Velocities are sums of the impulses' parts, each rounded: where impulses
// are so large that smaller velocities vanish in the sum, an error that was not seen may be as large as that rounding.
static void find_relative(const vs_island_errors *errors, int k, double *error, double *work) {
    const double *sum = errors->sum + VS_SUM_PARTS * k, reference = errors->reference[k];
    double seen = fmax(sum[VS_SUM_ENERGY], sum[VS_SUM_ROUNDING]);
    *error = *work = 0.0;
    if (!isfinite(seen + sum[VS_SUM_ENERGY] + sum[VS_SUM_WORK]) || (reference == 0.0 && sum[VS_SUM_ENERGY] > 0.0)) {
        *error = *work = INFINITY;
    } else if (reference > 0.0 && seen > errors->floor[k] / reference) {
        *error = sqrt(seen);
        *work = fmax(0.0, fabs(sum[VS_SUM_WORK]) - ROUNDINGS * DBL_EPSILON * sum[VS_SUM_IMPULSES]);
    }
}

void vs_island_errors_compare(const vs_island_errors *errors, double tolerance, double granular, bool *island) {
    for (int k = 0; k < errors->mass->islands.count; k++) {
        double error, work;
        find_relative(errors, k, &error, &work);
        island[k] = error > (errors->mass->islands.granular[k] ? granular : tolerance);
    }
}

// The island of the largest relative error (of equals that of the largest energy error), and that of the largest work.
typedef struct worst_islands {
    int by_error, by_work;            // -1: there is none
    double error, work;               // relative
    double strict_error, strict_work; // the same without granular islands
} worst_islands;

static worst_islands find_worst(const vs_island_errors *errors) {
    worst_islands worst = {.by_error = -1, .by_work = -1};
    for (int k = 0; k < errors->mass->islands.count; k++) {
        double error, work, energy = errors->sum[VS_SUM_PARTS * k + VS_SUM_ENERGY];
        find_relative(errors, k, &error, &work);
        if (worst.by_error < 0 || error > worst.error ||
            (error == worst.error && energy > errors->sum[VS_SUM_PARTS * worst.by_error + VS_SUM_ENERGY])) {
            worst.by_error = k;
            worst.error = error;
        }
        if (worst.by_work < 0 || work > worst.work) {
            worst.by_work = k;
            worst.work = work;
        }
        if (!errors->mass->islands.granular[k]) {
            worst.strict_error = fmax(worst.strict_error, error);
            worst.strict_work = fmax(worst.strict_work, work);
        }
    }
    return worst;
}

// J; a sum of island k.
static double joules(const vs_island_errors *errors, int k, int part) {
    return fabs(errors->sum[VS_SUM_PARTS * k + part]) * errors->unit[k] * errors->unit[k];
}

// The worst islands, or contacts and joints by their own references, of all processes.
static void report_worst(const vs_island_errors *errors, const worst_own *own, vs_measures *q) {
    const vs_space *space = errors->mass->problem->space;
    worst_islands worst = find_worst(errors);
    double most[5] = {fmax(worst.error, own->error), worst.work, own->work, fmax(worst.strict_error, own->strict),
                      worst.strict_work},
           of[4] = {0.0};
    vs_space_maxima(space, 5, most);
    if (own->error > worst.error && own->error == most[0]) {
        of[0] = own->energy, of[1] = own->reference, of[2] = own->floor;
    } else if (worst.by_error >= 0 && worst.error == most[0]) {
        of[0] = joules(errors, worst.by_error, VS_SUM_ENERGY);
        of[1] = errors->reference[worst.by_error];
        of[2] = errors->floor[worst.by_error];
    }
    if (worst.by_work >= 0 && worst.work == most[1])
        of[3] = joules(errors, worst.by_work, VS_SUM_WORK);
    vs_space_maxima(space, 4, of);
    q->relative_error = most[0], q->relative_work = most[1], q->rounding_work = most[2];
    q->strict_error = most[3], q->strict_work = most[4];
    q->island_error = of[0], q->island_reference = of[1], q->island_floor = of[2], q->work_error = of[3];
}

void vs_island_errors_evaluate(vs_island_errors *errors, const vs_evaluated *e, double norm, vs_measures *q,
                               double map[2]) {
    const vs_island_map *islands = &errors->mass->islands;
    const vs_space *space = errors->mass->problem->space;
    worst_own own = {0};
    sum_islands(errors, e, norm, &own);
    report_worst(errors, &own, q);
    double total[4] = {0.0};
    for (int k = 0; k < islands->count; k++) {
        const double *sum = errors->sum + VS_SUM_PARTS * k,
                     energy = sum[VS_SUM_ENERGY] * errors->unit[k] * errors->unit[k];
        if (!vs_island_map_counts(islands, space, k))
            continue;
        total[0] += energy;
        total[1] += errors->e0[k];
        total[2] += energy <= errors->floor[k] ? 0.0 : sum[VS_SUM_MAP];
        total[3] += energy <= errors->floor[k] || islands->granular[k] ? 0.0 : sum[VS_SUM_MAP];
    }
    vs_space_sums(space, 4, total);
    q->energy_error = total[0];
    q->energy_scale = total[1];
    q->islands = (int64_t)islands->total;
    q->granular_islands = (int64_t)islands->granular_islands;
    q->granular_contacts = (int64_t)islands->granular_contacts;
    map[0] = total[2], map[1] = total[3];
}
