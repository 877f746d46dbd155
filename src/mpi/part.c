// The problem of a rank's part, from the arrays of cut.h.
#include "mpi/cut.h"

static vs_error make_global(const vs_cut *cut, const vs_cone_kind *kind, vs_context *context, vs_problem **problem) {
    const vs_cut *t = cut;
    const int n = (int)t->n;
    const vs_problem_parts parts = {
        .H = {n, n, t->H_p, t->H_i, t->H_x},
        .Dt = {n, (int)t->m, t->Dt_p, t->Dt_i, t->Dt_x},
        .Ct = {n, (int)t->m_e, t->Ct_p, t->Ct_i, t->Ct_x},
        .c = t->c,
        .contacts = (int)t->contacts,
        .row = t->row,
        .kind = kind,
        .mu = t->mu,
        .b = t->b,
        .E = t->E,
        .lo = t->boxes ? t->lo : NULL,
        .hi = t->boxes ? t->hi : NULL,
        .key = t->key,
        .joints = (int)t->joints,
        .joint_row = t->joint_row,
        .joint_key = t->joint_key,
        .b_e = t->b_e,
        .E_e = t->E_e,
        .partial = t->general != 0,
        .symmetric = t->symmetric != 0,
        .asymmetry = t->asymmetry[0],
    };
    return vs_problem_from_parts(context, &parts, problem);
}

static vs_error fill_local(const vs_cut *cut, const vs_cone_kind *kind, vs_problem *made) {
    vs_arena *arena = &made->arena;
    const int contacts = made->contacts = (int)cut->contacts, m = made->m = (int)cut->m;
    made->local = true;
    made->symmetric = cut->symmetric != 0;
    made->asymmetry = cut->asymmetry[0];
    made->row = VS_COPY(arena, int, cut->row, (int64_t)contacts + 1);
    made->kind = VS_COPY(arena, vs_cone_kind, kind, contacts);
    made->mu = VS_COPY(arena, double, cut->mu, contacts);
    made->key = VS_COPY(arena, uint64_t, cut->key, contacts);
    made->r = VS_COPY(arena, double, cut->b, m);
    made->E = VS_COPY(arena, double, cut->E, m);
    made->joint_row = VS_NEW_ZERO(arena, int, 1);
    made->joint_key = VS_NEW_ZERO(arena, uint64_t, 0);
    made->block = VS_NEW_ZERO(arena, int, 1);
    if (cut->boxes) {
        made->lo = VS_COPY(arena, double, cut->lo, m);
        made->hi = VS_COPY(arena, double, cut->hi, m);
    }
    if (!made->row || !made->kind || !made->mu || !made->key || !made->r || !made->E || !made->joint_row ||
        !made->joint_key || !made->block || (cut->boxes && (!made->lo || !made->hi)))
        return VS_ERROR_MEMORY;
    const vs_sparse N = {m, (int)cut->n, cut->H_p, cut->H_i, cut->H_x};
    return vs_sparse_copy(&N, arena, &made->N);
}

static vs_error make_local(const vs_cut *cut, const vs_cone_kind *kind, vs_context *context, vs_problem **problem) {
    vs_problem *made = NULL;
    vs_error error = vs_problem_create(context, &made);
    if (!error)
        error = fill_local(cut, kind, made);
    if (error) {
        vs_problem_destroy(made);
        made = NULL;
    }
    *problem = made;
    return error;
}

vs_error vs_cut_problem(const vs_cut *cut, vs_context *context, vs_problem **problem) {
    vs_cone_kind *kind = vs_allocate(context, sizeof *kind * (size_t)cut->contacts);
    if (!kind)
        return vs_fail_memory(context);
    for (int64_t i = 0; i < cut->contacts; i++)
        kind[i] = (vs_cone_kind)cut->kind[i];
    vs_error error = (cut->local ? make_local : make_global)(cut, kind, context, problem);
    vs_release(context, kind);
    return error;
}
