// Sweeps over packs of contacts, and over the groups that stand alone: see packed_sweep.h.
#include "solver/splitting/packed_sweep.h"

#include <string.h>

#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"
#include "solver/splitting/carried.h"
#include "solver/splitting/momentum.h"
#include "solver/splitting/packed_sweep_data.h"

enum {
    GRAIN = 64,    // packs; about 10 us of work
    IDLE_EVERY = 8 // sweeps between two visits of packs that are idle
};

// ---- impulses in and out -----------------------------------------------------------------------------

static void carry(vs_packed *s, const double *l) {
    vs_impulse_carry(s->problem, l, s->v);
    s->lanes->carry(s);
}

void vs_packed_begin(vs_packed *s, const double *l) {
    const vs_impulse_problem *p = s->problem;
    s->lanes->begin(s, l);
    for (int k = 0; k < s->singles; k++) {
        const int g = s->single[k];
        s->age[g] = 0;
        for (int row = p->row[g]; row < p->row[g + 1]; row++) {
            s->x[row] = l[row];
            s->f[row] = s->p[row] = 0;
        }
    }
    s->sweeps = 0;
    carry(s, l);
}

const double *vs_packed_read(vs_packed *s, double *l) {
    const vs_impulse_problem *p = s->problem;
    for (int k = 0; k < s->singles; k++)
        for (int row = p->row[s->single[k]]; row < p->row[s->single[k] + 1]; row++)
            l[row] = s->x[row];
    s->lanes->read(s, l);
    carry(s, l);
    return s->v;
}

// ---- visits of packs ---------------------------------------------------------------------------------

// All packs, colour by colour.
static void work_on_packs(vs_packed *s, vs_pack_work work) {
    vs_pack_function *run = s->lanes->choose();
    work.packed = s;
    for (int k = 0; k < s->colours; k++) {
        work.first = s->first[k];
        vs_parallel_for(s->problem->context, s->first[k + 1] - s->first[k], GRAIN, run, &work);
    }
}

// ---- visits one by one -------------------------------------------------------------------------------

// x of group g becomes `next`, projected.
static void move_single(vs_packed *s, int g, double *next) {
    const vs_impulse_problem *p = s->problem;
    int first = p->row[g], rows = p->row[g + 1] - first;
    vs_law_project(p, g, next);
    vs_carried_change(p, g, rows, s->x + first, next, s->v);
    for (int row = first; row < first + rows; row++)
        s->x[row] += next[row - first] - s->x[row]; // as v has it
}

// The solution of group g alone.
static void solve_single(const vs_packed *s, int g, double *next) {
    const vs_impulse_problem *p = s->problem;
    int first = p->row[g], rows = p->row[g + 1] - first;
    double y[VS_DISCS_ROWS] = {0}, A[VS_DISCS_ROWS * VS_DISCS_ROWS];
    memcpy(A, p->A + vs_impulse_block(p, g), sizeof(double) * (size_t)(p->ld * p->ld));
    for (int i = 0; i < rows; i++) {
        y[i] = vs_carried_velocity(p, g, i, s->x, s->v);
        y[i] += s->alpha > 0 ? s->alpha * (s->x[first + i] - s->centre[first + i]) : 0;
        A[(p->ld + 1) * i] += s->alpha;
        next[i] = s->x[first + i];
    }
    vs_law_solve(p, g, A, y, next);
}

static void visit_single(vs_packed *s, int g, double most) {
    const vs_impulse_problem *p = s->problem;
    int first = p->row[g], rows = p->row[g + 1] - first;
    double next[VS_DISCS_ROWS] = {0}, along = 0;
    solve_single(s, g, next);
    for (int i = 0; i < rows; i++) {
        double f = next[i] - s->x[first + i];
        along += f * s->f[first + i];
        s->f[first + i] = f;
    }
    s->age[g] = along < 0 ? 0 : s->age[g] + (most > 0);
    for (int i = 0; i < rows; i++)
        next[i] += most * (s->age[g] / (s->age[g] + 2)) * s->f[first + i];
    move_single(s, g, next);
}

static void extrapolate_single(vs_packed *s, int g) {
    const vs_impulse_problem *p = s->problem;
    double next[VS_DISCS_ROWS] = {0}, along = 0;
    for (int row = p->row[g]; row < p->row[g + 1]; row++)
        along += s->f[row] * s->p[row];
    double beta = vs_momentum_factor(along, &s->age[g]);
    for (int row = p->row[g]; row < p->row[g + 1]; row++) {
        double more = beta * s->p[row];
        s->p[row] = more + s->f[row];
        next[row - p->row[g]] = s->x[row] + more;
    }
    move_single(s, g, next);
}

void vs_packed_sweep(vs_packed *s, double most, bool all) {
    work_on_packs(s, (vs_pack_work){.most = most, .all = all || s->sweeps % IDLE_EVERY == 0});
    s->sweeps++;
    for (int k = 0; k < s->singles; k++)
        visit_single(s, s->single[k], most);
}

void vs_packed_extrapolate(vs_packed *s) {
    work_on_packs(s, (vs_pack_work){.extrapolate = true});
    for (int k = 0; k < s->singles; k++)
        extrapolate_single(s, s->single[k]);
}
