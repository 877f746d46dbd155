// robot_mujoco MODEL.xml SECONDS [EVERY]: steps a model of MuJoCo from its keyframe `home`, or from its reference pose, with the
// controls of that keyframe, and prints a line of JSON for bench/robots.py: processor time per step and, of every EVERY-th step
// with contacts, the errors of its contact impulses as voussoir measures its own.
//
// The problem of a step, in the coordinates of the model:
//
//     H = M + h B,  H v + c = D'l,  c = -(H v_old + h (f_smooth + f_constraint - D'f))
//
// B: the damping that MuJoCo's Euler scheme treats implicitly. Only contacts and their friction are evaluated: forces of limits,
// joints and torsional friction are taken as they were found, and a contact that has sunk in need not rise (b_n = -max(gap, 0)/h).
// A step whose end velocity does not follow from this equation is left out, but counted.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef struct evaluations {
    int steps, skipped; // evaluated; not explained by the equation
    double *relative;   // (steps) relative error, which tolerances bound
    double *dual;       // (steps) m/s; largest velocity that violates the law
} evaluations;

static const double EXPLAINED = 1e-6; // largest difference of the end velocity, over the velocity change of the step

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts, too.
static double median(double *x, int count) {
    qsort(x, (size_t)count, sizeof *x, compare);
    return count ? x[count / 2] : 0;
}

// H (nv x nv), with the damping that is treated implicitly.
static void fill_mass(const mjModel *model, const mjData *data, double *H) {
    mj_fullM(model, H, data->qM);
    for (int i = 0; i < model->nv; i++)
        H[i * (model->nv + 1)] += model->opt.timestep * model->dof_damping[i];
}

// Rows of D of a contact (3 x nv): the velocity of its second body relative to the first, in its frame.
static void fill_rows(const mjModel *model, const mjData *data, const mjContact *contact, double *D) {
    const int nv = model->nv;
    double *J = malloc(sizeof *J * (size_t)(6 * nv));
    if (!J)
        abort();
    mj_jac(model, data, J, NULL, contact->pos, model->geom_bodyid[contact->geom1]);
    mj_jac(model, data, J + 3 * nv, NULL, contact->pos, model->geom_bodyid[contact->geom2]);
    mju_sub(J, J + 3 * nv, J, 3 * nv);
    mju_mulMatMat(D, contact->frame, J, 3, 3, nv);
    free(J);
}

// Adds the contacts to the problem; l: their impulses; force (nv): what they do, D'f.
static int add_contacts(const mjModel *model, const mjData *data, vs_problem_builder *builder, double *l,
                        double *force) {
    const int nv = model->nv, block = 0;
    double *D = malloc(sizeof *D * (size_t)(3 * nv)), f[6];
    int rows = 0;
    mju_zero(force, nv);
    for (int k = 0; k < data->ncon && D; k++) {
        const mjContact *contact = &data->contact[k];
        if (contact->efc_address < 0)
            continue;
        fill_rows(model, data, contact, D);
        mj_contactForce(model, data, k, f);
        const double *jacobian = D;
        vs_problem_contact_def def = vs_problem_contact_def_default();
        def.blocks = 1;
        def.block = &block;
        def.jacobian = &jacobian;
        def.frictionless = contact->dim == 1;
        def.mu = contact->friction[0];
        def.b[0] = -fmax(contact->dist, 0) / model->opt.timestep;
        const int count = def.frictionless ? 1 : 3;
        for (int r = 0; r < count; r++) {
            mju_addToScl(force, D + r * nv, f[r], nv);
            l[rows++] = f[r] * model->opt.timestep;
        }
        if (builder)
            (void)vs_problem_builder_add_contact(builder, &def, NULL);
    }
    free(D);
    return rows;
}

static bool measure(const vs_problem *problem, const double *l, const double *end, int nv, double change,
                    vs_measures *measures) {
    vs_measurer *measurer = NULL;
    double *v = malloc(sizeof *v * (size_t)nv);
    bool done = v && !vs_measurer_create(problem, VS_MODEL_EXACT, &measurer) &&
                !vs_measure(measurer, NULL, l, v, NULL, measures);
    for (int i = 0; done && i < nv; i++)
        done = fabs(v[i] - end[i]) <= EXPLAINED * change;
    vs_measurer_destroy(measurer);
    free(v);
    return done;
}

// The step from `old` (nv) that MuJoCo has just made.
static void evaluate(const mjModel *model, const mjData *data, const double *old, vs_context *context,
                     evaluations *all) {
    const int nv = model->nv;
    const double h = model->opt.timestep;
    double *memory = calloc((size_t)(nv * nv + 2 * nv + 3 * data->ncon), sizeof(double));
    double *H = memory, *force = H + nv * nv, *c = force + nv, *l = c + nv, change = 0;
    if (!memory)
        abort();
    fill_mass(model, data, H);
    if (add_contacts(model, data, NULL, l, force) == 0) {
        free(memory);
        return;
    }
    mju_mulMatVec(c, H, old, nv, nv);
    for (int i = 0; i < nv; i++) {
        c[i] = -(c[i] + h * (data->qfrc_smooth[i] + data->qfrc_constraint[i] - force[i]));
        change = fmax(change, fabs(data->qvel[i] - old[i]) + h * fabs(data->qacc_smooth[i]));
    }
    vs_problem_builder *builder = NULL;
    vs_problem *problem = NULL;
    vs_measures measures;
    bool done = !vs_problem_builder_create(context, &builder) && !vs_problem_builder_add_block(builder, nv, H, c, NULL);
    done = done && add_contacts(model, data, builder, l, force) > 0 && !vs_problem_builder_finish(builder, &problem);
    if (done && measure(problem, l, data->qvel, nv, change, &measures)) {
        all->relative[all->steps] = measures.relative_error;
        all->dual[all->steps++] = measures.dual_violation;
    } else {
        all->skipped++;
    }
    vs_problem_destroy(problem);
    free(memory);
}

// Steps, with the processor time of each (count).
static void run(const mjModel *model, mjData *data, int count, int every, double *time, evaluations *all) {
    vs_context *context = NULL;
    double *old = malloc(sizeof *old * (size_t)(model->nv + 1));
    if (!old || vs_context_create(NULL, &context))
        abort();
    for (int k = 0; k < count; k++) {
        mju_copy(old, data->qvel, model->nv);
        const bench_time begin = bench_now();
        mj_step(model, data);
        time[k] = bench_since(begin).processor;
        if (every > 0 && k % every == 0)
            evaluate(model, data, old, context, all);
    }
    vs_context_destroy(context);
    free(old);
}

int main(int argc, char **argv) {
    char error[1000] = "";
    mjModel *model = argc >= 3 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
    mjData *data = model ? mj_makeData(model) : NULL;
    if (!data) {
        (void)fprintf(stderr, "robot_mujoco: %s\n", argc >= 3 ? error : "MODEL.xml SECONDS [EVERY]");
        return 1;
    }
    const int count = (int)ceil(atof(argv[2]) / model->opt.timestep), every = argc > 3 ? atoi(argv[3]) : 0;
    const int home = mj_name2id(model, mjOBJ_KEY, "home");
    if (home >= 0)
        mj_resetDataKeyframe(model, data, home);
    double *time = malloc(sizeof *time * (size_t)count);
    evaluations all = {.relative = calloc((size_t)count, sizeof(double)),
                       .dual = calloc((size_t)count, sizeof(double))};
    if (!time || !all.relative || !all.dual)
        return 1;
    run(model, data, count, every, time, &all);
    int warnings = 0;
    for (int k = 0; k < mjNWARNING; k++)
        warnings += data->warning[k].number;
    const double middle = median(time, count), middle_error = median(all.relative, all.steps),
                 middle_dual = median(all.dual, all.steps);
    printf("{\"steps\": %d, \"median\": %.9g, \"worst\": %.9g, \"evaluated\": %d, \"skipped\": %d, \"warnings\": %d",
           count, middle, time[count - 1], all.steps, all.skipped, warnings);
    if (all.steps)
        printf(", \"error_median\": %.3g, \"error_worst\": %.3g, \"velocity_median\": %.3g, \"velocity_worst\": %.3g",
               middle_error, all.relative[all.steps - 1], middle_dual, all.dual[all.steps - 1]);
    printf("}\n");
    free(time);
    free(all.relative);
    free(all.dual);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
