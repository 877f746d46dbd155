// Hands a specimen to the library.
#ifndef FORGE_BUILD_H
#define FORGE_BUILD_H

#include "specimen.h"

// Destroy the problem with vs_problem_destroy().
vs_error build_problem(const specimen *s, vs_context *context, vs_problem **problem);

#endif
