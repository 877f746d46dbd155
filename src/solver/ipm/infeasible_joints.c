// Inconsistent joints: see infeasible_joints.h.
#include "solver/ipm/infeasible_joints.h"

#include <string.h>

// s (n) = C'r
static void multiply_joints_t(const vs_ipm *ipm, const double *r, double *s) {
    memset(s, 0, sizeof(double) * (size_t)ipm->problem->n);
    vs_rows_multiply_t_add(&ipm->problem->C, 1, r, s);
    vs_space_assemble_end(ipm->space, s);
}

// Are the joints inconsistent? Least squares min |C v - b_e| by conjugate gradients: a residual r != 0 with C'r = 0
// proves it, because then r'b_e = r'r while r'C v = 0 for every v. Compliant joints never are.
static bool joints_contradict(vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    double *r = ipm->r_e, *q = ipm->rhs_e, *s = ipm->r_d, *p = ipm->dv;
    bool compliant = false;
    for (int k = 0; k < problem->m_e; k++) {
        compliant |= problem->E_e[k] > 0;
        r[k] = problem->b_e[k];
    }
    if (vs_space_any(ipm->space, compliant))
        return false;
    multiply_joints_t(ipm, r, s);
    memcpy(p, s, sizeof(double) * (size_t)problem->n);
    const double rows = vs_space_sum(ipm->space, problem->m_e),
                 size = vs_space_dot_rows(ipm->space, problem->m_e, r, r);
    double gamma = vs_space_dot(ipm->space, problem->n, s, s), left = size;
    for (int round = 0; round < 2 * rows + 20 && gamma > 1e-20 * left; round++) {
        vs_rows_multiply(&problem->C, 1, p, 0, q, ipm->run->context);
        double alpha = gamma / vs_space_dot_rows(ipm->space, problem->m_e, q, q), before = gamma;
        for (int k = 0; k < problem->m_e; k++)
            r[k] -= alpha * q[k];
        multiply_joints_t(ipm, r, s);
        gamma = vs_space_dot(ipm->space, problem->n, s, s);
        left = vs_space_dot_rows(ipm->space, problem->m_e, r, r);
        for (int k = 0; k < problem->n; k++)
            p[k] = s[k] + gamma / before * p[k];
    }
    return left > 1e-12 * size && gamma <= 1e-12 * left;
}

bool vs_ipm_blame_joints(vs_ipm *ipm) {
    vs_status status = ipm->run->status;
    bool open = status != VS_STATUS_CONVERGED && status != VS_STATUS_TIME_LIMIT;
    bool blamed = ipm->newton.joints && open && joints_contradict(ipm);
    if (blamed)
        vs_method_run_end(
            ipm->run, VS_STATUS_INFEASIBLE_JOINTS,
            "the joints are inconsistent: no velocity satisfies C v = b_e; returned is the best iterate (least energy "
            "error)");
    return blamed;
}
