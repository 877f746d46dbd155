// The problem of a rank's part, from the arrays of cut.h.
#include "mpi/cut.h"

static vs_error make(const vs_cut *cut, const vs_cone_kind *kind, vs_context *context, vs_problem **problem) {
    const vs_cut *t = cut;
    const int n = (int)t->n;
    const vs_problem_parts parts = {
        .N = {(int)t->m, n, t->H_p, t->H_i, t->H_x},
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
        .rolling = t->rolls ? t->rolling : NULL,
        .spinning = t->rolls ? t->spinning : NULL,
        .key = t->key,
        .joints = (int)t->joints,
        .joint_row = t->joint_row,
        .joint_key = t->joint_key,
        .b_e = t->b_e,
        .E_e = t->E_e,
        .partial = t->local || t->general,
        .symmetric = t->symmetric != 0,
        .asymmetry = t->asymmetry[0],
    };
    return (t->local ? vs_problem_local_from_parts : vs_problem_from_parts)(context, &parts, problem);
}

vs_error vs_cut_problem(const vs_cut *cut, vs_context *context, vs_problem **problem) {
    vs_cone_kind *kind = vs_allocate(context, sizeof *kind * (size_t)cut->contacts);
    if (!kind)
        return vs_fail_memory(context);
    for (int64_t i = 0; i < cut->contacts; i++)
        kind[i] = (vs_cone_kind)cut->kind[i];
    vs_error error = make(cut, kind, context, problem);
    vs_release(context, kind);
    return error;
}
