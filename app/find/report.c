// The result of a search.
#include "find/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/json.h"
#include "cli/report.h"
#include "find/options.h"
#include "find/search.h"
#include "run/totals.h"
#include "sweep/child.h"
#include "sweep/space.h"
#include "voussoir/voussoir.h"

static double value_of(const app_sweep *s, int64_t run) {
    return app_space_value(&s->options->space, 0, run);
}

static int64_t count_results(const app_sweep *s) {
    int64_t count = 0;
    for (int64_t m = 0; m < s->runs; m++)
        count += s->run[m].result != NULL;
    return count;
}

static void show_end(const app_sweep *s, const char *label, int64_t run) {
    const app_sweep_result *r = s->run[run].result;
    app_report_name(label);
    printf("%s = %.10g: %s", s->options->space.axis[0].name, value_of(s, run), r->outcome);
    if (r->stop[0])
        printf(" (%s at %.4g s)", r->stop, r->time);
    printf("; moved at most %.3g m", r->displacement);
    if (r->farthest[0])
        printf(" (%s)", r->farthest);
    if (r->inaccurate > 0)
        printf("; %" PRId64 " steps missed the tolerance", r->inaccurate);
    if (r->discretization_share > APP_RUN_COARSE)
        printf("; the time discretization changed the energy by %.2g %% of what was exchanged: use a smaller --step",
               100 * r->discretization_share);
    if (r->unbalanced > 0)
        printf("; %" PRId64 " steps created more than 1 %% of their energy", r->unbalanced);
    printf("\n");
}

void app_find_report(const app_find_options *o, const app_sweep *s, const app_bracket *b, int64_t done,
                     double seconds) {
    static const char *const before[] = {"stands", "falls", "runs"};
    const char *until = app_until_name(o->until), *name = s->options->space.axis[0].name;
    char path[2][APP_SWEEP_PATH];
    printf("%s: %s between %s = %.10g and %.10g\n", s->title, until, name, value_of(s, b->no), value_of(s, b->yes));
    show_end(s, before[o->until], b->no);
    show_end(s, until, b->yes);
    app_report_name("searched");
    printf("%.10g to %.10g in steps of %.4g: %" PRId64 " runs, %" PRId64 " of them now in %.3g s\n", value_of(s, 0),
           value_of(s, s->runs - 1), fabs(value_of(s, s->runs - 1) - value_of(s, 0)) / (double)(s->runs - 1),
           count_results(s), done, seconds);
    app_report_name("written to");
    printf("%s/runs.csv\n", s->options->out);
    if (!s->options->trajectories)
        return;
    app_sweep_trajectory_path(s->options, b->no, path[0], sizeof path[0]);
    app_sweep_trajectory_path(s->options, b->yes, path[1], sizeof path[1]);
    app_report_name("trajectories");
    printf("%s, %s\n", path[0], path[1]);
}

static json_t *end_object(const app_sweep *s, int64_t run) {
    const app_sweep_result *r = s->run[run].result;
    json_t *o = json_object();
    char path[APP_SWEEP_PATH];
    app_sweep_trajectory_path(s->options, run, path, sizeof path);
    app_json_put(o, "value", app_json_number(value_of(s, run)));
    app_json_put(o, "run", json_integer(run));
    app_json_put(o, "status", app_json_text(r->status));
    app_json_put(o, "stop", app_json_text(r->stop[0] ? r->stop : NULL));
    app_json_put(o, "outcome", app_json_text(r->outcome));
    app_json_put(o, "time_s", app_json_number(r->time));
    app_json_put(o, "displacement_max_m", app_json_number(r->displacement));
    app_json_put(o, "displacement_max_body", app_json_text(r->farthest[0] ? r->farthest : NULL));
    app_json_put(o, "steps", json_integer(r->steps));
    app_json_put(o, "inaccurate_steps", json_integer(r->inaccurate));
    app_json_put(o, "unbalanced_steps", json_integer(r->unbalanced));
    app_json_put(o, "discretization_share", app_json_number(r->discretization_share));
    app_json_put(o, "energy_error_max_J", app_json_number(r->energy_error));
    app_json_put(o, "trajectory", app_json_text(s->options->trajectories ? path : NULL));
    return o;
}

bool app_find_json(const app_find_options *options, const app_sweep *s, const app_bracket *b, int exit_code) {
    json_t *o = json_object();
    const bool found = b->no >= 0 && b->yes == b->no + 1;
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "scene", app_json_text(s->title));
    app_json_put(o, "parameter", app_json_text(s->options->space.axis[0].name));
    app_json_put(o, "until", app_json_text(app_until_name(options->until)));
    app_json_put(o, "found", json_boolean(found));
    app_json_put(o, "before", b->no >= 0 ? end_object(s, b->no) : json_null());
    app_json_put(o, "after", b->yes >= 0 ? end_object(s, b->yes) : json_null());
    app_json_put(o, "several_changes", json_boolean(b->mixed));
    app_json_put(o, "runs", json_integer(count_results(s)));
    app_json_put(o, "exit_code", json_integer(exit_code));
    return app_json_print(o, false);
}
