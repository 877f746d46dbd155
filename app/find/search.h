// A search along the runs of a sweep for the first change of an answer.
#ifndef VS_APP_FIND_SEARCH_H
#define VS_APP_FIND_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep/state.h"

typedef enum app_answer { APP_ANSWER_UNKNOWN, APP_ANSWER_NO, APP_ANSWER_YES, APP_ANSWER_FAILED } app_answer;

// The first run that is known to answer yes, and the last one before it that is known to answer no; -1: none.
typedef struct app_bracket {
    int64_t no, yes;
    bool mixed;     // a run beyond `yes` answers no
    int64_t failed; // a run without an answer; -1: none
} app_bracket;

app_answer app_find_answer(const app_sweep *s, int until, int64_t run);
app_bracket app_find_bracket(const app_sweep *s, int until);
// The next runs, at most `most` of them: both ends first, then equally spaced ones inside the bracket. 0: nothing is
// left to do.
int app_find_next(const app_sweep *s, int until, int64_t *run, int most);

#endif
