// Packs of contacts of one width, and sweeps over them (packed_sweep.h): the code of packed_by_four.c, packed_by_eight.c and
// their counterparts for rolling friction, each of which includes it once.
#ifndef VS_SOLVER_SPLITTING_PACKED_LANES_H
#define VS_SOLVER_SPLITTING_PACKED_LANES_H

#include <string.h>

#include "solver/impulse/group_law.h"
#include "solver/splitting/lane_contact.h"
#include "solver/splitting/lane_rolling.h"
#include "solver/splitting/momentum.h"
#include "solver/splitting/packed_sweep_data.h"

#ifdef VS_PACK_ROLLING
enum { ROWS = VS_LANE_ROLLING_ROWS, DISCS = VS_DISC_COUNT };
#else
enum { ROWS = 3, DISCS = 1 };
#endif

typedef struct vs_pack {
    vs_lane J[ROWS][VS_PACK_COLUMNS];
    vs_lane A[ROWS * ROWS]; // J J'
    vs_lane E[ROWS];        // compliance
    vs_lane r[ROWS], mu[DISCS];
    vs_lane x[ROWS], f[ROWS], p[ROWS]; // impulse, its last change by a solution, momentum
    vs_lane age;                       // visits, or extrapolations, since it last turned back
    int velocity[2][VS_LANES];         // first of each body in the velocities of this width; -1: it has none, J is zero
    int group[VS_LANES];               // -1: empty lane
    bool idle;                         // none of them had an impulse before or after its last visit
} vs_pack;

static vs_pack *packs_of(const struct vs_packed *s) {
    return s->pack;
}

// ---- velocities: six in each lane --------------------------------------------------------------------

#if VS_LANES == 8
// Bodies lie eight numbers apart: a row of eight is loaded at once, and eight of them are transposed.
static vs_real *velocities_of(const struct vs_packed *s) {
    return s->wide;
}

static int place_of(int velocity) {
    return velocity < 0 ? -1 : velocity / VS_PACK_BODY * VS_PACK_WIDE;
}

static void carry(struct vs_packed *s) {
    for (int k = 0; k < s->problem->n; k++)
        s->wide[k / VS_PACK_BODY * VS_PACK_WIDE + k % VS_PACK_BODY] = (float)s->v[k];
}

// Eight numbers of an array, loaded as one: memcpy() would go through the stack in halves.
typedef vs_real vs_lane_row __attribute__((vector_size(32), aligned(4), may_alias));

static VS_LANE_INLINE void transpose(vs_lane *a) {
    vs_lane b[8], c[8];
    for (int k = 0; k < 4; k++) {
        b[2 * k] = __builtin_shufflevector(a[2 * k], a[2 * k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        b[2 * k + 1] = __builtin_shufflevector(a[2 * k], a[2 * k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++) {
            c[4 * k + 2 * j] = __builtin_shufflevector(b[4 * k + j], b[4 * k + 2 + j], 0, 1, 8, 9, 4, 5, 12, 13);
            c[4 * k + 2 * j + 1] = __builtin_shufflevector(b[4 * k + j], b[4 * k + 2 + j], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int k = 0; k < 4; k++) {
        a[k] = __builtin_shufflevector(c[k], c[4 + k], 0, 1, 2, 3, 8, 9, 10, 11);
        a[4 + k] = __builtin_shufflevector(c[k], c[4 + k], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

static VS_LANE_INLINE void load_velocities(const int *velocity, const vs_real *v, vs_lane *u) {
    static const vs_real none[VS_PACK_WIDE] = {0};
    vs_lane row[VS_LANES];
    for (int lane = 0; lane < VS_LANES; lane++)
        row[lane] = *(const vs_lane_row *)(velocity[lane] < 0 ? none : v + velocity[lane]);
    transpose(row);
    for (int j = 0; j < VS_PACK_BODY; j++)
        u[j] = row[j];
}

static VS_LANE_INLINE void store_velocities(const int *velocity, const vs_lane *u, vs_real *v) {
    vs_lane row[VS_LANES] = {u[0], u[1], u[2], u[3], u[4], u[5]};
    transpose(row);
    for (int lane = 0; lane < VS_LANES; lane++)
        if (velocity[lane] >= 0)
            *(vs_lane_row *)(v + velocity[lane]) = row[lane];
}
#else
static vs_real *velocities_of(const struct vs_packed *s) {
    return s->v;
}

static int place_of(int velocity) {
    return velocity;
}

static void carry(struct vs_packed *s) {
    (void)s;
}

static VS_LANE_INLINE void load_velocities(const int *velocity, const vs_real *v, vs_lane *u) {
    static const vs_real none[VS_PACK_BODY] = {0};
    const vs_real *from[VS_LANES];
    for (int lane = 0; lane < VS_LANES; lane++)
        from[lane] = velocity[lane] < 0 ? none : v + velocity[lane];
    for (int j = 0; j < VS_PACK_BODY; j++)
        u[j] = (vs_lane){from[0][j], from[1][j], from[2][j], from[3][j]};
}

static VS_LANE_INLINE void store_velocities(const int *velocity, const vs_lane *u, vs_real *v) {
    for (int lane = 0; lane < VS_LANES; lane++) {
        vs_real *to = v + velocity[lane];
        for (int j = 0; j < VS_PACK_BODY && velocity[lane] >= 0; j++)
            to[j] = u[j][lane];
    }
}
#endif

static VS_LANE_INLINE void load_pack_velocities(const vs_pack *k, const vs_real *v, vs_lane *u) {
    for (int b = 0; b < 2; b++)
        load_velocities(k->velocity[b], v, u + b * VS_PACK_BODY);
}

static VS_LANE_INLINE void store_pack_velocities(const vs_pack *k, const vs_lane *u, vs_real *v) {
    for (int b = 0; b < 2; b++)
        store_velocities(k->velocity[b], u + b * VS_PACK_BODY, v);
}

static VS_LANE_INLINE void add_pack_velocities(const vs_pack *k, const vs_lane *change, vs_lane *u) {
    for (int j = 0; j < VS_PACK_COLUMNS; j++) {
        vs_lane sum = k->J[0][j] * change[0];
        for (int i = 1; i < ROWS; i++)
            sum += k->J[i][j] * change[i];
        u[j] += sum;
    }
}

// ---- values in and out -------------------------------------------------------------------------------

// Where row i of group g stands in a pack.
static int slot_of(const vs_impulse_problem *p, int g, int i) {
#ifdef VS_PACK_ROLLING
    static const int first[VS_DISC_COUNT] = {1, 3, 5};
    for (int k = 0; p->law[g] == VS_LAW_ROLLING && k < VS_DISC_COUNT; k++)
        if (i >= p->discs[g].begin[k] && i < p->discs[g].begin[k + 1])
            return first[k] + i - p->discs[g].begin[k];
#endif
    (void)p, (void)g;
    return i;
}

static int rows_of(const vs_impulse_problem *p, int g) {
    return p->row[g + 1] - p->row[g];
}

// Empty lanes: contacts that stay open.
static void clear_pack(vs_pack *k) {
    *k = (vs_pack){.mu[0] = vs_lane_of(1)};
    for (int i = 0; i < ROWS; i++)
        k->A[(ROWS + 1) * i] = vs_lane_of(1);
    k->r[0] = vs_lane_of(1);
    for (int lane = 0; lane < VS_LANES; lane++)
        k->velocity[0][lane] = k->velocity[1][lane] = k->group[lane] = -1;
}

// Of an entry of J or A, whose diagonal is about 1. In single precision without what is left of sums that vanish, as all of a
// sphere's A off the diagonal is: products of these underflow, which takes a processor a hundred times as long.
static vs_real narrow(double x) {
    const double least = VS_LANES == 8 ? 1e-10 : 0;
    return fabs(x) < least ? 0 : (vs_real)x;
}

static void load_lane(const vs_impulse_problem *p, int g, vs_pack *k, int lane) {
    int width = (int)(p->J.start[g + 1] - p->J.start[g]), row = p->row[g], velocity[2];
    const double *J = p->J.x + p->J.value[g], *A = p->A + vs_impulse_block(p, g);
    (void)vs_pack_find_bodies(p, g, velocity);
    k->group[lane] = g;
    k->velocity[0][lane] = place_of(velocity[0]);
    k->velocity[1][lane] = place_of(velocity[1]);
    for (int i = 0; i < rows_of(p, g); i++) {
        const int slot = slot_of(p, g, i);
        for (int j = 0; j < width; j++)
            k->J[slot][j][lane] = narrow(J[i * width + j]);
        for (int j = 0; j < rows_of(p, g); j++)
            k->A[ROWS * slot + slot_of(p, g, j)][lane] = narrow(A[p->ld * i + j] - (i == j ? p->E[row + i] : 0));
        k->E[slot][lane] = (vs_real)p->E[row + i];
        k->r[slot][lane] = (vs_real)p->r[row + i];
    }
    const bool rolling = p->law[g] == VS_LAW_ROLLING;
    for (int i = 0; i < DISCS; i++)
        k->mu[i][lane] = (vs_real)(rolling ? p->discs[g].mu[i] : i == 0 ? p->mu[g] : 0);
}

static void load(struct vs_packed *s, int pack, const int *group, int count) {
    vs_pack *here = packs_of(s) + pack;
    clear_pack(here);
    for (int lane = 0; lane < count; lane++)
        load_lane(s->problem, group[lane], here, lane);
}

static void pull(struct vs_packed *s) {
    const vs_impulse_problem *p = s->problem;
    vs_pack *pack = packs_of(s);
    for (int k = 0; k < s->first[s->colours]; k++)
        for (int lane = 0; lane < VS_LANES; lane++) {
            const int g = pack[k].group[lane];
            for (int i = 0; g >= 0 && i < rows_of(p, g); i++) {
                const int slot = slot_of(p, g, i), row = p->row[g] + i;
                pack[k].E[slot][lane] = (vs_real)(p->E[row] + s->alpha);
                pack[k].r[slot][lane] = (vs_real)(p->r[row] - s->alpha * s->centre[row]);
            }
        }
}

static void begin(struct vs_packed *s, const double *l) {
    const vs_impulse_problem *p = s->problem;
    vs_pack *pack = packs_of(s);
    for (int k = 0; k < s->first[s->colours]; k++) {
        vs_pack *here = &pack[k];
        here->age = vs_lane_of(0);
        here->idle = false;
        for (int i = 0; i < ROWS; i++)
            here->x[i] = here->f[i] = here->p[i] = vs_lane_of(0);
        for (int lane = 0; lane < VS_LANES; lane++) {
            const int g = here->group[lane];
            for (int i = 0; g >= 0 && i < rows_of(p, g); i++)
                here->x[slot_of(p, g, i)][lane] = (vs_real)l[p->row[g] + i];
        }
    }
}

static void read(const struct vs_packed *s, double *l) {
    const vs_impulse_problem *p = s->problem;
    const vs_pack *pack = packs_of(s);
    for (int k = 0; k < s->first[s->colours]; k++)
        for (int lane = 0; lane < VS_LANES; lane++) {
            const int g = pack[k].group[lane];
            for (int i = 0; g >= 0 && i < rows_of(p, g); i++)
                l[p->row[g] + i] = pack[k].x[slot_of(p, g, i)][lane];
        }
}

// ---- visits ------------------------------------------------------------------------------------------

#ifdef VS_PACK_ROLLING
typedef vs_lane_rolling pack_contact;

static VS_LANE_INLINE void solve_contact(pack_contact *c, const vs_pack *k, vs_lane *solution) {
    for (int i = 0; i < DISCS; i++)
        c->mu[i] = k->mu[i];
    vs_lane_rolling_solve(c, k->x, solution);
}

static VS_LANE_INLINE void project(const vs_pack *k, vs_lane *z) {
    vs_lane_rolling_project(k->mu, z);
}
#else
typedef vs_lane_contact pack_contact;

static VS_LANE_INLINE void solve_contact(pack_contact *c, const vs_pack *k, vs_lane *solution) {
    c->mu = k->mu[0];
    vs_lane_contact_solve(c, k->x, solution);
}

static VS_LANE_INLINE void project(const vs_pack *k, vs_lane *z) {
    vs_lane_contact_project(k->mu[0], z);
}
#endif

// The contacts alone, at the velocities u.
static VS_LANE_INLINE void solve_pack(const vs_pack *k, const vs_lane *u, vs_lane *solution) {
    pack_contact c;
    for (int i = 0; i < ROWS; i++) {
        vs_lane even = vs_lane_of(0), odd = even;
        for (int j = 0; j < VS_PACK_COLUMNS; j += 2) {
            even += k->J[i][j] * u[j];
            odd += k->J[i][j + 1] * u[j + 1];
        }
        const vs_lane *A = &k->A[ROWS * i];
        vs_lane own = A[0] * k->x[0];
        for (int j = 1; j < ROWS; j++)
            own += A[j] * k->x[j];
        c.q[i] = (k->r[i] + (even + odd)) - own;
        for (int j = 0; j < ROWS; j++)
            c.A[ROWS * i + j] = i == j ? A[j] + k->E[i] : A[j];
    }
    solve_contact(&c, k, solution);
}

// x becomes `next`. change: of it
static VS_LANE_INLINE void move_pack(vs_pack *k, const vs_lane *next, vs_lane *change) {
    for (int i = 0; i < ROWS; i++) {
        change[i] = next[i] - k->x[i];
        k->x[i] = next[i];
    }
}

// x <- P( x + (1 + beta) f ), beta at most `most`. change: of x
static VS_LANE_INLINE void relax_pack(vs_pack *k, double most, vs_lane *solution, vs_lane *change) {
    vs_lane along = vs_lane_of(0);
    for (int i = 0; i < ROWS; i++) {
        vs_lane f = solution[i] - k->x[i];
        along += f * k->f[i];
        k->f[i] = f;
    }
    if (most > 0) {
        k->age = vs_lane_select(along < 0, vs_lane_of(0), k->age + 1);
        vs_lane beta = (vs_real)most * (k->age / (k->age + 2));
        for (int i = 0; i < ROWS; i++)
            solution[i] += beta * k->f[i];
        project(k, solution);
    }
    move_pack(k, solution, change);
}

static VS_LANE_INLINE void visit_pack(vs_pack *k, double most, vs_real *v) {
    vs_lane u[VS_PACK_COLUMNS], solution[ROWS], change[ROWS], before = k->x[0];
    load_pack_velocities(k, v, u);
    solve_pack(k, u, solution);
    relax_pack(k, most, solution, change);
    k->idle = !vs_lane_any((before > 0) | (k->x[0] > 0));
    if (k->idle) {
        for (int i = 0; i < ROWS; i++)
            k->p[i] = vs_lane_of(0);
        return;
    }
    add_pack_velocities(k, change, u);
    store_pack_velocities(k, u, v);
}

// x <- P( x + beta p ),  p <- beta p + f
static VS_LANE_INLINE void extrapolate_pack(vs_pack *k, vs_real *v) {
    vs_lane u[VS_PACK_COLUMNS], next[ROWS], change[ROWS], along = vs_lane_of(0);
    for (int i = 0; i < ROWS; i++)
        along += k->f[i] * k->p[i];
    k->age = vs_lane_select(along < 0, vs_lane_of(0), k->age + 1);
    vs_lane beta = vs_lane_min(vs_lane_of(VS_MOMENTUM_MOST), k->age / (k->age + 2));
    for (int i = 0; i < ROWS; i++) {
        vs_lane more = beta * k->p[i];
        k->p[i] = more + k->f[i];
        next[i] = k->x[i] + more;
    }
    project(k, next);
    move_pack(k, next, change);
    load_pack_velocities(k, v, u);
    add_pack_velocities(k, change, u);
    store_pack_velocities(k, u, v);
}

static VS_LANE_INLINE void work_on_some(const vs_pack_work *work, int64_t begin, int64_t end) {
    vs_pack *pack = packs_of(work->packed) + work->first;
    vs_real *v = velocities_of(work->packed);
    if (work->extrapolate)
        for (int64_t k = begin; k < end; k++) {
            if (!pack[k].idle)
                extrapolate_pack(pack + k, v);
        }
    else
        for (int64_t k = begin; k < end; k++)
            if (work->all || !pack[k].idle)
                visit_pack(pack + k, work->most, v);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void work_avx2(void *user, int64_t begin, int64_t end) {
    work_on_some(user, begin, end);
}
#endif

static void work_any(void *user, int64_t begin, int64_t end) {
    work_on_some(user, begin, end);
}

static vs_pack_function *choose(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return work_avx2;
#endif
    return work_any;
}

const vs_pack_lanes VS_PACK_LANES = {.lanes = VS_LANES,
                                     .bytes = sizeof(vs_pack),
                                     .load = load,
                                     .pull = pull,
                                     .begin = begin,
                                     .read = read,
                                     .carry = carry,
                                     .choose = choose};

#endif
