// External programs in a comparison, through one executable, `voussoir-peer`.
#ifndef VS_APP_COMPARE_PEER_H
#define VS_APP_COMPARE_PEER_H

#include <stdbool.h>

#include "compare/comparison.h"
#include "voussoir/voussoir.h"

// Finds the program and the names of its solvers. false: complained.
bool app_peer_find(app_comparison *c, char name[][APP_COMPARE_NAME], int most, int *count);
// What it says of its solvers, one name per line.
enum { APP_PEER_LIST = 4096 };
void app_peer_list(const app_compare_task *t, char text[APP_PEER_LIST]);
// One solve. Fills all of the row but the measures. lambda, g: (m), (m_e) of the problem. false: nothing to measure.
bool app_peer_solve(const app_compare_options *options, const app_compare_task *task, const vs_problem *problem,
                    double *g, double *lambda, app_compare_row *row);
void app_peer_tidy(const app_comparison *c, int number); // removes the files of a task

#endif
