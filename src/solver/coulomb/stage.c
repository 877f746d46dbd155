// The rows of the table of stages: see stage.h.
#include "solver/coulomb/stage.h"

#include <limits.h>

#define ROW(index, title, function, ...) [VS_STAGE_##index] = {.name = title, .run = vs_stage_##function, __VA_ARGS__},
const vs_stage_def vs_stages[VS_STAGE_COUNT] = {VS_STAGE_TABLE(ROW)};
