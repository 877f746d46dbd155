// The search: with k processes k runs divide the bracket into k + 1 parts, of which the first with a change remains.
//
// It knows nothing but the results so far, so that a continued search goes on where the last one ended.
#include "find/search.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "find/options.h"
#include "sweep/state.h"
#include "voussoir/outcome.h"

app_answer app_find_answer(const app_sweep *s, int until, int64_t run) {
    const app_sweep_run *r = &s->run[run];
    if (r->state == APP_SWEEP_MISSING)
        return APP_ANSWER_UNKNOWN;
    if (r->state == APP_SWEEP_FAILED)
        return s->options->retry ? APP_ANSWER_UNKNOWN : APP_ANSWER_FAILED;
    const bool stands = strcmp(r->result->outcome, vs_outcome_state_name(VS_OUTCOME_STANDS)) == 0;
    const bool yes =
        until == APP_UNTIL_STOPS ? strcmp(r->result->status, "stopped") == 0 : stands == (until == APP_UNTIL_STANDS);
    return yes ? APP_ANSWER_YES : APP_ANSWER_NO;
}

app_bracket app_find_bracket(const app_sweep *s, int until) {
    app_bracket b = {.no = -1, .yes = -1, .failed = -1};
    for (int64_t m = 0; m < s->runs; m++) {
        const app_answer answer = app_find_answer(s, until, m);
        if (answer == APP_ANSWER_YES && b.yes < 0)
            b.yes = m;
        else if (answer == APP_ANSWER_NO && b.yes < 0)
            b.no = m;
        else if (answer == APP_ANSWER_NO)
            b.mixed = true;
        else if (answer == APP_ANSWER_FAILED && b.failed < 0)
            b.failed = m;
    }
    return b;
}

int app_find_next(const app_sweep *s, int until, int64_t *run, int most) {
    const int64_t ends[] = {0, s->runs - 1};
    int count = 0;
    for (int k = 0; k < 2 && count < most; k++)
        if (app_find_answer(s, until, ends[k]) == APP_ANSWER_UNKNOWN)
            run[count++] = ends[k];
    if (count > 0)
        return count;
    const app_bracket b = app_find_bracket(s, until);
    if (b.no < 0 || b.yes < 0 || b.failed >= 0)
        return 0;
    const int64_t inside = b.yes - b.no - 1, parts = (inside < most ? inside : most) + 1;
    for (int64_t k = 1; k < parts; k++)
        run[count++] = b.no + k * (b.yes - b.no) / parts;
    return count;
}
