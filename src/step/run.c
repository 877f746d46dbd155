// The loop over the steps of a run.
#include "voussoir/run.h"

#include <math.h>

#include "step/data/simulation_data.h"

// Half a step of margin: rounding neither repeats nor omits the last one.
static bool is_reached(const vs_run *run) {
    const vs_simulation *s = run->simulation;
    return !(s->world->time < run->time - .5 * s->options.step);
}

vs_run vs_simulation_begin_run(vs_simulation *s, double time) {
    vs_run run = {.simulation = s, .time = time, .error = VS_ERROR_ARGUMENT};
    if (s)
        run.error = vs_simulation_check_idle(s, "vs_simulation_run");
    if (!run.error && isnan(time))
        run.error = vs_fail(s->context, VS_ERROR_ARGUMENT, "vs_simulation_run: the time is not a number");
    run.end = run.error ? VS_RUN_FAILED : is_reached(&run) ? VS_RUN_REACHED : VS_RUN_CONTINUES;
    return run;
}

bool vs_run_next(vs_run *run, vs_step_report *report) {
    if (!run || run->end != VS_RUN_CONTINUES)
        return false;
    vs_simulation *s = run->simulation;
    const int64_t steps = s->steps;
    s->end = VS_RUN_CONTINUES;
    run->error = vs_simulation_step(s, report);
    run->end = run->error ? VS_RUN_FAILED : s->end;
    if (run->end == VS_RUN_CONTINUES && is_reached(run))
        run->end = VS_RUN_REACHED;
    return !run->error && s->steps > steps; // a callback may have refused the step
}

vs_error vs_simulation_run(vs_simulation *s, double time) {
    vs_run run = vs_simulation_begin_run(s, time);
    while (vs_run_next(&run, NULL))
        ;
    return run.error;
}
