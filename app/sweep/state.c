// The state of a sweep.
#define _GNU_SOURCE
#include "sweep/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/message.h"
#include "sweep/child.h"

void app_sweep_path(const app_sweep *s, const char *name, char path[APP_SWEEP_PATH]) {
    if (snprintf(path, APP_SWEEP_PATH, "%s/%s", s->options->out, name) >= APP_SWEEP_PATH)
        path[0] = '\0';
}

int app_sweep_lock_folder(const app_sweep *s) {
    const int lock = open(s->options->out, O_RDONLY | O_CLOEXEC);
    while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return lock;
}

void app_sweep_unlock_folder(int lock) {
    if (lock >= 0)
        (void)close(lock);
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
