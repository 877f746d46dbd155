// Assembly and factorization: see factorization.h.
#include "solver/kkt/factorization.h"

#include <math.h>

#include "base/clock.h"
#include "solver/kkt/sparsified.h"

enum { MOST_RAISES = 6 }; // of delta

void vs_newton_assemble(vs_newton *newton) {
    double begin = vs_clock();
    newton->reduction->assemble(newton);
    newton->counts.assemble += vs_clock() - begin;
}

vs_error vs_newton_factor_assembled(vs_newton *newton) {
    double began = vs_clock();
    vs_error error = vs_newton_choose_matrix(newton);
    newton->counts.factor += vs_clock() - began;
    if (error)
        return error;
    error = VS_ERROR_NUMERICAL;
    for (int raise = 0; raise < MOST_RAISES && error == VS_ERROR_NUMERICAL; raise++) {
        if (raise > 0) {
            newton->delta *= 100;
            vs_newton_assemble(newton);
        }
        double begin = vs_clock();
        error = vs_newton_factor_matrix(newton);
        newton->counts.factor += vs_clock() - begin;
        newton->counts.factorizations++;
        newton->counts.regularization = fmax(newton->counts.regularization, newton->delta);
    }
    return error;
}
