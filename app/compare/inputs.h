// The problems of a comparison.
#ifndef VS_APP_COMPARE_INPUTS_H
#define VS_APP_COMPARE_INPUTS_H

#include <stdbool.h>

#include "compare/comparison.h"

// Files, directories and scenes to a list of problem files. false: complained, see exit_code.
bool app_compare_gather(app_comparison *c, char **operand);

#endif
