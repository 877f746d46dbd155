// Velocities from impulses: see velocities.h for the equations.
#include "mass/velocities.h"

#include <string.h>

vs_error vs_velocities_create(vs_velocities *motion, const vs_problem *problem, bool keep_momentum, vs_arena *arena) {
    const vs_problem *p = problem;
    motion->v = VS_NEW(arena, double, p->n);
    motion->y = VS_NEW(arena, double, p->m);
    motion->r_e = VS_NEW(arena, double, p->m_e);
    motion->p = keep_momentum ? VS_NEW(arena, double, p->n) : NULL;
    motion->extended = VS_NEW(arena, double, p->local && p->space ? p->N.cols : 0);
    bool complete = motion->v && motion->y && motion->r_e && motion->extended && (motion->p || !keep_momentum);
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

// y = N l + r
static void compute_local(vs_velocities *motion, const vs_problem *p, const double *l) {
    memcpy(motion->y, p->r, (size_t)p->m * sizeof *motion->y);
    if (!l)
        return;
    if (p->space) {
        memcpy(motion->extended, l, (size_t)p->m * sizeof *l);
        vs_space_extend(p->space, p->N.cols, motion->extended);
    }
    vs_sparse_multiply(&p->N, 1.0, p->space ? motion->extended : l, 1.0, motion->y);
}

// v = H^-1 (C'g + D'l - c)
static vs_error compute_velocities(vs_velocities *motion, const vs_problem *p, vs_mass *factor, const double *g,
                                   const double *l) {
    double *v = motion->v;
    for (int j = 0; j < p->n; j++)
        v[j] = -p->c[j];
    vs_space_assemble_begin(p->space, p->n, v);
    if (g && p->m_e > 0)
        vs_rows_multiply_t_add(&p->C, 1.0, g, v);
    if (l && p->m > 0)
        vs_rows_multiply_t_add(&p->D, 1.0, l, v);
    vs_space_assemble_end(p->space, v);
    if (motion->p)
        memcpy(motion->p, v, (size_t)p->n * sizeof *v);
    return vs_mass_solve(factor, v);
}

vs_error vs_velocities_compute(vs_velocities *motion, const vs_problem *problem, vs_mass *factor, const double *g,
                               const double *lambda) {
    const vs_problem *p = problem;
    const double *l = lambda;
    if (p->local) {
        compute_local(motion, p, l);
        return VS_OK;
    }
    vs_error error = compute_velocities(motion, p, factor, g, l);
    if (error)
        return error;
    if (p->m > 0)
        vs_rows_multiply(&p->D, 1.0, motion->v, 0.0, motion->y, p->context);
    for (int k = 0; k < p->m; k++)
        motion->y[k] += (l && p->E ? p->E[k] * l[k] : 0.0) - p->b[k];
    if (p->m_e > 0)
        vs_rows_multiply(&p->C, 1.0, motion->v, 0.0, motion->r_e, p->context);
    for (int k = 0; k < p->m_e; k++)
        motion->r_e[k] += (g && p->E_e ? p->E_e[k] * g[k] : 0.0) - p->b_e[k];
    return VS_OK;
}
