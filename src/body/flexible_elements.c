// Sums over the elements of flexible bodies: stiffness, forces, energy, stress.
#include "body/flexible_data.h"

#include <string.h>

// Elements at positions q + time velocity.
typedef struct view {
    const vs_world *world;
    const vs_flexible *f;
    double time;             // s
    const vs_vec3 *velocity; // (blocks) null: 0
} view;

static void gather(const vs_flexible *f, int e, const vs_vec3 *from, double *x) {
    for (int k = 0; k < f->element_nodes; k++) {
        vs_vec3 p = from[f->element[f->element_nodes * e + k]];
        x[3 * k] = p.x, x[3 * k + 1] = p.y, x[3 * k + 2] = p.z;
    }
}

vs_pose vs_beam_node_pose(const vs_world *world, const vs_flexible *f, int node) {
    return world->body[f->body[node].index].pose;
}

static vs_pose moved_pose(const view *v, int node) {
    const vs_pose pose = vs_beam_node_pose(v->world, v->f, node);
    if (!v->velocity)
        return pose;
    return (vs_pose){vs_add_scaled(pose.position, v->time, v->velocity[2 * node]),
                     vs_quat_multiply(pose.rotation, vs_quat_exp(vs_scale(v->time, v->velocity[2 * node + 1])))};
}

static void gather_moved(const view *v, int e, double *x) {
    double u[3 * VS_TET_NODES_MOST];
    gather(v->f, e, v->f->position, x);
    if (!v->velocity)
        return;
    gather(v->f, e, v->velocity, u);
    for (int k = 0; k < 3 * v->f->element_nodes; k++)
        x[k] += v->time * u[k];
}

static void evaluate(void *user, int e, double *energy, double *force, double *matrix) {
    const view *v = user;
    const vs_flexible *f = v->f;
    vs_element_output out = {energy, force, matrix};
    if (f->beam) {
        const vs_pose pose[2] = {moved_pose(v, f->element[2 * e]), moved_pose(v, f->element[2 * e + 1])};
        vs_beam_evaluate(&f->beam_rest[e], &f->stiffness, pose, VS_TANGENT_SEMIDEFINITE, &out);
        return;
    }
    double x[3 * VS_TET_NODES_MOST];
    gather_moved(v, e, x);
    vs_tet_evaluate(f->element_nodes, f->tet + (int64_t)VS_TET_REST(f->element_nodes) * e, x, &f->elastic,
                    VS_TANGENT_SEMIDEFINITE, &out);
}

void vs_flexible_evaluate(const vs_world *world, vs_flexible *f) {
    view v = {world, f, 0, NULL};
    vs_linear_pattern pattern = vs_assembly_pattern(f->assembly);
    memset(f->K, 0, sizeof(double) * (size_t)f->nonzeros);
    memset(f->f, 0, sizeof(double) * (size_t)pattern.n);
    vs_assembly_add(f->assembly, evaluate, &v, NULL, f->f, f->K);
}

double vs_flexible_strain_energy(const vs_world *world, const vs_flexible *f, double time, const vs_vec3 *velocity) {
    view v = {world, f, time, velocity};
    double energy = 0;
    vs_assembly_add(f->assembly, evaluate, &v, &energy, NULL, NULL);
    return energy;
}

void vs_flexible_multiply_mass(const vs_flexible *f, const vs_vec3 *x, vs_vec3 *y) {
    for (int k = 0; k < f->nodes && !f->M; k++)
        y[k] = vs_scale(f->mass[k], x[k]);
    if (f->M)
        vs_assembly_multiply(f->assembly, f->M, 1, &x->x, 0, &y->x);
}

// ---- stress and strain output ----------------------------------------------------------------------

// Null, with an error text (VS_ERROR_ARGUMENT), if there is no such solid.
static const vs_flexible *find_solid(const vs_world *world, vs_flexible_id id, const char *what) {
    int index = world ? vs_world_flexible_index(world, id) : -1;
    if (index >= 0 && !world->flexible[index].beam)
        return &world->flexible[index];
    (void)vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "%s: the id is not that of a flexible solid", what);
    return NULL;
}

vs_error vs_world_get_flexible_stress(const vs_world *world, vs_flexible_id id, double *von_mises) {
    const vs_flexible *f = find_solid(world, id, "stress");
    if (!f)
        return VS_ERROR_ARGUMENT;
    if (!von_mises)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "stress: the result is null");
    double *weight = vs_allocate(world->context, sizeof *weight * (size_t)f->nodes);
    if (!weight)
        return vs_fail_memory(world->context);
    memset(weight, 0, sizeof *weight * (size_t)f->nodes);
    memset(von_mises, 0, sizeof *von_mises * (size_t)f->nodes);
    static const double centre[4] = {.25, .25, .25, .25};
    for (int e = 0; e < f->elements; e++) {
        double X[3 * VS_TET_NODES_MOST], x[3 * VS_TET_NODES_MOST], strain[6], stress[6];
        gather(f, e, f->rest, X);
        gather(f, e, f->position, x);
        (void)vs_tet_stress(f->element_nodes, X, x, &f->elastic, centre, strain, stress);
        double volume = f->tet[(int64_t)VS_TET_REST(f->element_nodes) * e], value = vs_von_mises(stress);
        for (int k = 0; k < f->element_nodes; k++) {
            von_mises[f->element[f->element_nodes * e + k]] += volume * value;
            weight[f->element[f->element_nodes * e + k]] += volume;
        }
    }
    for (int k = 0; k < f->nodes; k++)
        von_mises[k] = weight[k] > 0 ? von_mises[k] / weight[k] : 0;
    vs_release(world->context, weight);
    return VS_OK;
}

int vs_flexible_inverted(const vs_flexible *f, double *least) {
    int count = 0;
    double lowest = INFINITY;
    for (int e = 0; e < f->elements; e++) {
        double x[3 * VS_TET_NODES_MOST], worst = INFINITY;
        gather(f, e, f->position, x);
        for (int q = 0; q < VS_TET_POINTS(f->element_nodes); q++) {
            double weight;
            const double *g =
                vs_tet_point(f->element_nodes, f->tet + (int64_t)VS_TET_REST(f->element_nodes) * e, q, &weight);
            vs_mat3 F = vs_tet_deformation(f->element_nodes, g, x);
            worst = fmin(worst, vs_mat3_determinant(&F));
        }
        count += !(worst > 0);
        lowest = fmin(lowest, worst);
    }
    if (least)
        *least = lowest;
    return count;
}

vs_error vs_world_get_flexible_inverted(const vs_world *world, vs_flexible_id id, int *inverted, double *least) {
    const vs_flexible *f = find_solid(world, id, "inverted elements");
    if (!f)
        return VS_ERROR_ARGUMENT;
    int count = vs_flexible_inverted(f, least);
    if (inverted)
        *inverted = count;
    return VS_OK;
}
