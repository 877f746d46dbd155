// Which blocks are static bodies: see cad_data.h.
#include "cad/cad_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of bodies that reach down to the lowest point, relative to the height of all.
static const double LOWEST = 1e-3;

void vs_cad_find_extents(const vs_cad_block *block, int64_t blocks, vs_cad_report *report) {
    report->low = report->high = block[0].vertex[0];
    for (int64_t k = 0; k < blocks; k++)
        for (int i = 0; i < block[k].vertices; i++) {
            const vs_vec3 v = block[k].vertex[i], low = report->low, high = report->high;
            report->low = (vs_vec3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
            report->high = (vs_vec3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
        }
}

static bool reaches_down(const vs_cad_block *b, const vs_cad_report *report) {
    const double level = report->low.z + LOWEST * (report->high.z - report->low.z);
    bool down = false;
    for (int i = 0; i < b->vertices && !down; i++)
        down = b->vertex[i].z <= level;
    return down;
}

// The names that the options fix, cleaned as those of objects are.
static vs_error list_names(const vs_cad_supports *s, vs_name_table *names) {
    vs_error error = VS_OK;
    for (int k = 0; k < s->options->fixed_count && !error; k++) {
        const char *text = s->options->fixed[k];
        bool added;
        int number;
        if (!text)
            return vs_fail(s->context, VS_ERROR_ARGUMENT, "cad: fixed[%d] is null", k);
        char *name = VS_NEW(s->arena, char, (int64_t)strlen(text) + 1);
        if (!name)
            return VS_ERROR_MEMORY;
        vs_name_clean(text, strlen(text), name, strlen(text));
        error = vs_name_table_add(s->arena, names, name, &number, &added);
    }
    return error;
}

static vs_error refuse_unknown(const vs_cad_supports *s, const char *name) {
    char list[400] = "";
    size_t used = 0;
    for (int64_t k = 0; k < s->blocks && used + VS_CAD_NAME_MOST + 40 < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", s->block[k].name);
    return vs_fail(s->context, VS_ERROR_ARGUMENT, "%s: there is no object '%s' to fix; use one of %s%s",
                   s->drawing->file, name, list, used + VS_CAD_NAME_MOST + 40 >= sizeof list ? ", …" : "");
}

// used (names): is there such a block or object?
static void fix(const vs_cad_supports *s, const vs_name_table *names, bool *used, vs_cad_report *report) {
    for (int64_t k = 0; k < s->blocks; k++) {
        vs_cad_block *b = &s->block[k];
        const vs_cad_object *object = &s->drawing->object.data[b->object];
        const int whole = vs_name_table_find(names, object->name), one = vs_name_table_find(names, b->name);
        const bool lowest = reaches_down(b, report);
        report->lowest += lowest;
        b->fixed = object->fixed || (whole >= 0 && object->name[0]) || one >= 0 || (lowest && s->options->fix_lowest);
        if (whole >= 0 && object->name[0])
            used[whole] = true;
        if (one >= 0)
            used[one] = true;
        report->fixed += b->fixed;
    }
}

vs_error vs_cad_fix_blocks(const vs_cad_supports *s, vs_cad_report *report) {
    vs_name_table names = {0};
    vs_cad_find_extents(s->block, s->blocks, report);
    vs_error error = list_names(s, &names);
    bool *used = error ? NULL : VS_NEW_ZERO(s->arena, bool, names.name.count + 1);
    if (used)
        fix(s, &names, used, report);
    else if (!error)
        error = VS_ERROR_MEMORY;
    for (int64_t k = 0; k < names.name.count && !error; k++)
        if (!used[k])
            error = refuse_unknown(s, names.name.data[k]);
    vs_name_table_release(s->context, &names);
    return error;
}
