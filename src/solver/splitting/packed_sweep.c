// Packs of four contacts, and sweeps over them: see packed_sweep.h.
#include "solver/splitting/packed_sweep.h"

#include <string.h>

#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"
#include "solver/splitting/carried.h"
#include "solver/splitting/lane_contact.h"
#include "solver/splitting/momentum.h"
#include "solver/splitting/packed_sweep_data.h"

enum {
    GRAIN = 64,    // packs; about 10 us of work
    IDLE_EVERY = 8 // sweeps between two visits of packs that are idle
};

// ---- impulses in and out -----------------------------------------------------------------------------

void vs_packed_begin(vs_packed *s, const double *l) {
    const vs_impulse_problem *p = s->problem;
    size_t bytes = sizeof(double) * (size_t)p->rows;
    for (int k = 0; k < s->packs; k++) {
        vs_pack *here = &s->pack[k];
        here->age = vs_lane_of(0);
        here->idle = false;
        for (int i = 0; i < 3; i++) {
            here->f[i] = here->p[i] = vs_lane_of(0);
            for (int lane = 0; lane < VS_LANES; lane++)
                here->x[i][lane] = here->group[lane] < 0 ? 0 : l[p->row[here->group[lane]] + i];
        }
    }
    memcpy(s->x, l, bytes);
    memset(s->f, 0, bytes);
    memset(s->p, 0, bytes);
    memset(s->age, 0, sizeof(double) * (size_t)p->groups);
    s->sweeps = 0;
    vs_impulse_carry(p, l, s->v);
}

const double *vs_packed_read(vs_packed *s, double *l) {
    const vs_impulse_problem *p = s->problem;
    for (int k = 0; k < s->singles; k++)
        for (int row = p->row[s->single[k]]; row < p->row[s->single[k] + 1]; row++)
            l[row] = s->x[row];
    for (int k = 0; k < s->packs; k++) {
        const vs_pack *here = &s->pack[k];
        for (int lane = 0; lane < VS_LANES; lane++)
            for (int i = 0; i < 3 && here->group[lane] >= 0; i++)
                l[p->row[here->group[lane]] + i] = here->x[i][lane];
    }
    vs_impulse_carry(p, l, s->v);
    return s->v;
}

// ---- visits of packs ---------------------------------------------------------------------------------

VS_LANE_INLINE void load_pack_velocities(const vs_pack *k, const double *v, vs_lane *u) {
    static const double none[VS_PACK_BODY] = {0};
    for (int b = 0; b < 2; b++) {
        const double *from[VS_LANES];
        for (int lane = 0; lane < VS_LANES; lane++)
            from[lane] = k->velocity[b][lane] < 0 ? none : v + k->velocity[b][lane];
        for (int j = 0; j < VS_PACK_BODY; j++)
            u[b * VS_PACK_BODY + j] = (vs_lane){from[0][j], from[1][j], from[2][j], from[3][j]};
    }
}

VS_LANE_INLINE void store_pack_velocities(const vs_pack *k, const vs_lane *u, double *v) {
    for (int b = 0; b < 2; b++)
        for (int lane = 0; lane < VS_LANES; lane++) {
            double *to = v + k->velocity[b][lane];
            for (int j = 0; j < VS_PACK_BODY && k->velocity[b][lane] >= 0; j++)
                to[j] = u[b * VS_PACK_BODY + j][lane];
        }
}

VS_LANE_INLINE void add_pack_velocities(const vs_pack *k, const vs_lane *change, vs_lane *u) {
    for (int j = 0; j < VS_PACK_COLUMNS; j++)
        u[j] += (k->J[0][j] * change[0] + k->J[1][j] * change[1]) + k->J[2][j] * change[2];
}

// The four contacts alone, at the velocities u.
VS_LANE_INLINE void solve_pack(const vs_pack *k, const vs_lane *u, vs_lane *solution) {
    vs_lane_contact c = {.mu = k->mu};
    for (int i = 0; i < 3; i++) {
        vs_lane even = vs_lane_of(0), odd = even;
        for (int j = 0; j < VS_PACK_COLUMNS; j += 2) {
            even += k->J[i][j] * u[j];
            odd += k->J[i][j + 1] * u[j + 1];
        }
        const vs_lane *A = &k->A[3 * i];
        c.q[i] = (k->r[i] + (even + odd)) - ((A[0] * k->x[0] + A[1] * k->x[1]) + A[2] * k->x[2]);
        for (int j = 0; j < 3; j++)
            c.A[3 * i + j] = i == j ? A[j] + k->E[i] : A[j];
    }
    vs_lane_contact_solve(&c, k->x, solution);
}

// x becomes `next`. change: of it
VS_LANE_INLINE void move_pack(vs_pack *k, const vs_lane *next, vs_lane *change) {
    for (int i = 0; i < 3; i++) {
        change[i] = next[i] - k->x[i];
        k->x[i] = next[i];
    }
}

// x <- P( x + (1 + beta) f ), beta at most `most`. change: of x
VS_LANE_INLINE void relax_pack(vs_pack *k, double most, vs_lane *solution, vs_lane *change) {
    vs_lane along = vs_lane_of(0);
    for (int i = 0; i < 3; i++) {
        vs_lane f = solution[i] - k->x[i];
        along += f * k->f[i];
        k->f[i] = f;
    }
    if (most > 0) {
        k->age = vs_lane_select(along < 0, vs_lane_of(0), k->age + 1);
        vs_lane beta = most * (k->age / (k->age + 2));
        for (int i = 0; i < 3; i++)
            solution[i] += beta * k->f[i];
        vs_lane_contact_project(k->mu, solution);
    }
    move_pack(k, solution, change);
}

VS_LANE_INLINE void visit_pack(vs_pack *k, double most, double *v) {
    vs_lane u[VS_PACK_COLUMNS], solution[3], change[3], before = k->x[0];
    load_pack_velocities(k, v, u);
    solve_pack(k, u, solution);
    relax_pack(k, most, solution, change);
    k->idle = !vs_lane_any((before > 0) | (k->x[0] > 0));
    if (k->idle) {
        k->p[0] = k->p[1] = k->p[2] = vs_lane_of(0);
        return;
    }
    add_pack_velocities(k, change, u);
    store_pack_velocities(k, u, v);
}

// x <- P( x + beta p ),  p <- beta p + f
VS_LANE_INLINE void extrapolate_pack(vs_pack *k, double *v) {
    vs_lane u[VS_PACK_COLUMNS], next[3], change[3], along = vs_lane_of(0);
    for (int i = 0; i < 3; i++)
        along += k->f[i] * k->p[i];
    k->age = vs_lane_select(along < 0, vs_lane_of(0), k->age + 1);
    vs_lane beta = vs_lane_min(vs_lane_of(VS_MOMENTUM_MOST), k->age / (k->age + 2));
    for (int i = 0; i < 3; i++) {
        vs_lane more = beta * k->p[i];
        k->p[i] = more + k->f[i];
        next[i] = k->x[i] + more;
    }
    vs_lane_contact_project(k->mu, next);
    move_pack(k, next, change);
    load_pack_velocities(k, v, u);
    add_pack_velocities(k, change, u);
    store_pack_velocities(k, u, v);
}

// What is done with the packs of a colour.
typedef struct crew {
    vs_pack *pack;
    double *v;
    double most;      // over-relaxation
    bool extrapolate; // instead of a visit
    bool all;         // visits of idle packs, too
} crew;

VS_LANE_INLINE void work_on_some(const crew *c, int64_t begin, int64_t end) {
    if (c->extrapolate)
        for (int64_t k = begin; k < end; k++) {
            if (!c->pack[k].idle)
                extrapolate_pack(c->pack + k, c->v);
        }
    else
        for (int64_t k = begin; k < end; k++)
            if (c->all || !c->pack[k].idle)
                visit_pack(c->pack + k, c->most, c->v);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void work_avx2(void *user, int64_t begin, int64_t end) {
    work_on_some(user, begin, end);
}
#endif

static void work_any(void *user, int64_t begin, int64_t end) {
    work_on_some(user, begin, end);
}

typedef void work_function(void *user, int64_t begin, int64_t end);

static work_function *choose_work(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return work_avx2;
#endif
    return work_any;
}

// All packs, colour by colour.
static void work_on_packs(vs_packed *s, crew c) {
    work_function *run = choose_work();
    c.v = s->v;
    for (int k = 0; k < s->colours; k++) {
        c.pack = s->pack + s->start[k];
        vs_parallel_for(s->problem->context, s->start[k + 1] - s->start[k], GRAIN, run, &c);
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
    work_on_packs(s, (crew){.most = most, .all = all || s->sweeps % IDLE_EVERY == 0});
    s->sweeps++;
    for (int k = 0; k < s->singles; k++)
        visit_single(s, s->single[k], most);
}

void vs_packed_extrapolate(vs_packed *s) {
    work_on_packs(s, (crew){.extrapolate = true});
    for (int k = 0; k < s->singles; k++)
        extrapolate_single(s, s->single[k]);
}
