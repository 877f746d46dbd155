// From a problem to its measured solution: see forest.h.
//
// The impulses start from zero, where the velocities of the free motion are known; further passes correct what rounding left.
#include "solver/forest/forest.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "solver/forest/forest_bounds.h"
#include "solver/forest/forest_factor.h"
#include "solver/forest/forest_pattern.h"

enum { PASSES = 3 };

// ---- rows --------------------------------------------------------------------------------------------

// Bounds, compliance and the first set of every row: that of the warm start, or between.
static void begin_rows(vs_forest *s) {
    const vs_method_run *run = s->run;
    const vs_problem *p = run->problem;
    const bool warm = run->warm_lambda && run->options.warm_start == VS_WARM_START_FULL;
    for (int k = 0; k < s->rows; k++) {
        vs_forest_row *row = &s->row[k];
        row->impulse = row->change = 0;
        row->compliance = row->joint ? p->E_e[row->row] : p->E[row->row];
        row->set = 0;
        if (row->joint)
            continue;
        const bool box = p->kind[row->group] == VS_CONE_BOX;
        row->lo = box ? p->lo[row->row] : 0, row->hi = box ? p->hi[row->row] : INFINITY;
        if (!(row->lo < row->hi) || (warm && run->start_lambda[row->row] <= row->lo) || (!warm && !box))
            row->set = -1;
        else if (warm && run->start_lambda[row->row] >= row->hi)
            row->set = 1;
    }
}

// w of the rows if x vanished; y, r_e: velocities of the impulses so far.
static void set_velocities(vs_forest *s, const double *y, const double *r_e) {
    for (int k = 0; k < s->rows; k++) {
        const vs_forest_row *row = &s->row[k];
        s->q[k] = (row->joint ? r_e[row->row] : y[row->row]) + vs_forest_row_velocity(s, row);
    }
    for (int k = 0; k < s->rows; k++)
        for (int j = 0; j < s->rows && s->row[k].impulse != 0; j++)
            s->q[j] -= s->A[(int64_t)k * s->rows + j] * s->row[k].impulse;
}

// The impulses of the rows to those of the run.
static void take_rows(vs_forest *s) {
    for (int k = 0; k < s->rows; k++) {
        vs_forest_row *row = &s->row[k];
        row->change = s->x[k] - row->impulse;
        row->impulse = s->x[k];
        if (row->joint)
            s->g[row->row] = row->impulse;
        else
            s->run->lambda[row->row] = row->impulse;
    }
}

// ---- passes ------------------------------------------------------------------------------------------

// One more pass from the velocities y and r_e of the impulses so far. Returns the exchanges, -1: it failed.
static int improve(vs_forest *s, const double *y, const double *r_e) {
    const vs_problem *p = s->run->problem;
    for (int k = 0; k < p->m_e; k++)
        s->r_e[k] = -r_e[k];
    int exchanges = 0;
    if (s->rows > 0) {
        vs_forest_lift(s, s->r_e);
        set_velocities(s, y, r_e);
        exchanges = vs_forest_exchange(s);
        if (exchanges < 0)
            return -1;
        take_rows(s);
    }
    vs_forest_drop(s, s->r_e, s->g);
    memcpy(s->run->g, s->g, sizeof *s->g * (size_t)p->m_e);
    return exchanges;
}

// Joint velocities of the iterate measured last, into run->g, which is no longer needed.
static const double *find_joint_velocities(const vs_forest *s) {
    const vs_method_run *run = s->run;
    const vs_problem *p = run->problem;
    double *r_e = run->g;
    vs_rows_multiply(&p->C, 1, run->v, 0, r_e, p->context);
    for (int k = 0; k < p->m_e; k++)
        r_e[k] += p->E_e[k] * s->g[k] - p->b_e[k];
    return r_e;
}

// Does the warm start have a contact with friction that pushes? Such a contact rarely opens by itself.
static bool is_pushed(const vs_method_run *run) {
    const vs_problem *p = run->problem;
    for (int k = 0; k < p->contacts && run->warm_lambda; k++)
        if (vs_problem_has_friction(p, k) && run->start_lambda[p->row[k]] > 0)
            return true;
    return false;
}

vs_error vs_forest_create(vs_method_run *run, vs_arena *arena, vs_forest **forest) {
    vs_forest *made = VS_NEW_ZERO(arena, vs_forest, 1);
    bool suits = false;
    *forest = NULL;
    if (!made)
        return VS_ERROR_MEMORY;
    made->run = run;
    const vs_error error = vs_forest_pattern_make(made, arena, &suits);
    if (!error && suits)
        *forest = made;
    return error;
}

vs_error vs_forest_solve(vs_forest *s, bool *solved) {
    vs_method_run *run = s->run;
    *solved = false;
    s->stage = (vs_stage){.name = "trees", .tried = run->mass.islands.count, .stopped = ""};
    if (vs_measurer_overflows(run->measurer) || is_pushed(run))
        return VS_OK;
    const double begin = vs_clock();
    begin_rows(s);
    if (!vs_forest_factor(s))
        return VS_OK;
    vs_forest_reduce(s);
    s->stage.factorizations = 1;
    memset(s->g, 0, sizeof *s->g * (size_t)run->problem->m_e);
    memset(run->lambda, 0, sizeof *run->lambda * (size_t)run->problem->m);
    const double *y = run->mass.free.y, *r_e = run->mass.free.r_e;
    vs_error error = VS_OK;
    for (int pass = 0; pass < PASSES && !*solved && !error; pass++) {
        const int exchanges = improve(s, y, r_e);
        if (exchanges < 0)
            break;
        s->stage.iterations += exchanges > 1 ? exchanges : 1;
        error = vs_method_run_measure(run);
        *solved = !error && vs_method_run_converged(run, &run->measures);
        y = run->y, r_e = *solved || error ? NULL : find_joint_velocities(s);
    }
    s->stage.seconds = vs_clock() - begin;
    if (!*solved)
        return error;
    s->stage.solved = s->stage.tried;
    run->stage = s->stage.name;
    run->iterations = s->stage.iterations;
    vs_iteration line = {0};
    (void)vs_method_run_check(run, &line);
    return VS_OK;
}
