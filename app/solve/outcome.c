// The outcome of a solve.
#include "solve/outcome.h"

vs_model app_solve_model(const app_solve_outcome *s) {
    const vs_model asked = s->options->solver.model;
    return asked == VS_MODEL_EXACT ? s->result->model : asked;
}
