// Bodies that overlap at the start of a run are named in one line, the deepest ones first.
#include "run/overlap.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/system/message.h"

enum { LISTED = 4, LINE = 1024 };

typedef struct line {
    char text[LINE];
    size_t length;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int written = vsnprintf(l->text + l->length, sizeof l->text - l->length, format, list);
    va_end(list);
    if (written > 0)
        l->length += (size_t)written < sizeof l->text - l->length ? (size_t)written : sizeof l->text - 1 - l->length;
}

static void add_body(line *l, const vs_world *world, vs_body_id id) {
    const char *name = vs_world_get_body_name(world, id);
    if (name[0])
        add(l, "'%.60s'", name);
    else if (id.index == 0)
        add(l, "the world");
    else
        add(l, "body %u", (unsigned)id.index);
}

static line describe(const vs_world *world, const vs_overlap *overlap, int count) {
    line l = {.length = 0};
    for (int k = 0; k < count && k < LISTED; k++) {
        add(&l, k > 0 ? ", " : "");
        add_body(&l, world, overlap[k].a);
        add(&l, " and ");
        add_body(&l, world, overlap[k].b);
        add(&l, " by %.3g m", overlap[k].depth);
    }
    if (count > LISTED)
        add(&l, ", and %d more pairs", count - LISTED);
    return l;
}

vs_error app_run_overlaps(vs_simulation *simulation, const vs_world *world, app_on_overlap action, bool *stop) {
    vs_overlap overlap[LISTED];
    int count = 0, left = 0;
    vs_error error = vs_simulation_find_overlaps(simulation, 0, overlap, LISTED, &count);
    *stop = error != VS_OK || (count > 0 && action == APP_OVERLAP_STOP);
    if (error != VS_OK || count == 0)
        return error;
    line l = describe(world, overlap, count);
    if (action == APP_OVERLAP_SEPARATE)
        error = vs_simulation_separate(simulation, &left);
    if (error != VS_OK)
        return error;
    if (action == APP_OVERLAP_WARN)
        add(&l,
            "; they are pushed apart slowly: what lifts them counts as discretization energy; move them apart, or use "
            "--on-overlap separate");
    else if (action == APP_OVERLAP_STOP)
        add(&l, "; stopped: move them apart, or use --on-overlap separate");
    else if (left > 0)
        add(&l, "; moved apart, but %d pairs still overlap: move them apart in the scene", left);
    else
        add(&l, "; moved apart");
    app_complain("bodies overlap at the start: %s", l.text);
    return VS_OK;
}
