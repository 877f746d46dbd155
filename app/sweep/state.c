// The state of a sweep.
#include "sweep/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "sweep/child.h"
#include "sweep/space.h"

void app_sweep_path(const app_sweep *s, const char *name, char path[APP_SWEEP_PATH]) {
    if (snprintf(path, APP_SWEEP_PATH, "%s/%s", s->options->out, name) >= APP_SWEEP_PATH)
        path[0] = '\0';
}

bool app_sweep_spares_inputs(const app_sweep *s) {
    static const char *const outputs[] = {"sweep.json", "sweep.sbatch", "runs.csv", "runs.h5"};
    bool good = true;
    for (size_t k = 0; good && k < sizeof outputs / sizeof *outputs; k++) {
        char path[APP_SWEEP_PATH];
        app_sweep_path(s, outputs[k], path);
        good = app_writes(path);
    }
    return good;
}

bool app_sweep_allocate(app_sweep *s) {
    s->runs = app_space_count(&s->options->space);
    s->run = calloc((size_t)s->runs, sizeof *s->run);
    if (!s->run)
        app_complain("%s: out of memory; use several smaller sweeps", s->options->command);
    return s->run != NULL;
}

void app_sweep_release(app_sweep *s) {
    for (int64_t m = 0; s && s->run && m < s->runs; m++)
        free(s->run[m].result);
    if (s)
        free(s->run);
}

bool app_sweep_keep(app_sweep *s, int64_t run, bool done, const app_sweep_result *result) {
    app_sweep_run *m = &s->run[run];
    const size_t size = offsetof(app_sweep_result, quantity) + (size_t)s->options->quantities.numbers * sizeof(double);
    if (!m->result)
        m->result = malloc(size);
    if (!m->result) {
        app_complain("sweep: out of memory; use several smaller sweeps");
        return false;
    }
    memcpy(m->result, result, size);
    m->state = done ? APP_SWEEP_DONE : APP_SWEEP_FAILED;
    return true;
}
