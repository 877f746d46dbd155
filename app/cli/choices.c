// Values of options that several commands have.
#include "cli/choices.h"

#include <stddef.h>

const char *const app_models[] = {"relaxed", "frictionless", "exact", NULL};
const char *const app_methods[] = {"auto", "ipm",  "cascade", "gauss-seidel", "jacobi", "apgd",
                                   "spg",  "admm", "barrier", "pivoting",     "lemke",  NULL};
