// The problems of a comparison.
#ifndef VS_APP_COMPARE_INPUTS_H
#define VS_APP_COMPARE_INPUTS_H

#include <stdbool.h>

#include "compare/comparison.h"

enum { APP_CAPTURED = 4096 };

// The result of simulating a scene: plain data.
typedef struct app_captured {
    char error[512];
    int exit_code, count;
    int step[APP_CAPTURED];
} app_captured;

void app_compare_capture(const app_compare_options *o, const app_compare_task *t, app_captured *result);
// Files, directories and scenes to a list of problem files. false: complained, see exit_code.
bool app_compare_gather(app_comparison *c, char **operand);

#endif
