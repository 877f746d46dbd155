// Rigid IPC scenes as scenes: reads, makes geometry, writes, reports.
#include "cad/ipc_data.h"

#include <math.h>

#include "base/plain_locale.h"

static const char *check_options(const vs_cad_options *o) {
    if (o->unit > 0 || o->y_up)
        return "is in metres with y up";
    if (o->ground || o->fixed_count > 0)
        return "says itself what is fixed";
    return o->snap > 0 ? "is not snapped: its bodies may begin apart" : NULL;
}

static void include(vs_cad_report *r, vs_vec3 v, bool first) {
    r->low = first ? v : (vs_vec3){fmin(r->low.x, v.x), fmin(r->low.y, v.y), fmin(r->low.z, v.z)};
    r->high = first ? v : (vs_vec3){fmax(r->high.x, v.x), fmax(r->high.y, v.y), fmax(r->high.z, v.z)};
}

static void sum_up(const vs_ipc_model *m, vs_cad_report *r) {
    bool first = true;
    *r = (vs_cad_report){.simulation = true, .unit = 1, .unit_stated = true, .open = m->open};
    for (int64_t k = 0; k < m->item.count; k++) {
        const vs_ipc_item *i = &m->item.data[k];
        const vs_ipc_solid *s = i->solid;
        r->bodies++;
        r->fixed += i->body->motion == VS_IPC_STATIC;
        r->hulls += s->block[0].convex;
        r->meshes += !s->block[0].convex;
        r->flat += s->flat;
        r->volume += s->volume;
        r->mass += i->body->motion == VS_IPC_DYNAMIC ? i->body->density * s->volume : 0;
        for (int j = 0; j < s->blocks; j++)
            for (int v = 0; v < s->block[j].vertices; v++, first = false)
                include(r, vs_ipc_turn(vs_add(i->centre, vs_rotate(i->body->pose.rotation, s->block[j].vertex[v]))),
                        first);
    }
    r->thickness = r->flat > 0 ? m->options->thickness : 0;
}

vs_error vs_ipc_convert(vs_arena *arena, const char *file, const json_t *root, const char *name,
                        const vs_cad_options *options, vs_cad_report *report, vs_text *text) {
    vs_context *context = arena->context;
    vs_ipc_model m = {.scene = {.arena = arena, .file = file}, .options = options};
    vs_plain_locale plain;
    const char *wrong = check_options(options);
    if (wrong)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s: a scene of Rigid IPC %s; omit that option", file, wrong);
    vs_error error = vs_ipc_read(&m.scene, root);
    if (!error)
        error = vs_ipc_make(&m);
    if (!error) {
        sum_up(&m, report);
        error = vs_plain_locale_enter(&plain) ? VS_OK : vs_fail_memory(context);
    }
    if (!error) {
        error = vs_ipc_write(&m, name, report, text);
        vs_plain_locale_leave(&plain);
    }
    VS_ARRAY_RELEASE(context, &m.scene.body);
    VS_ARRAY_RELEASE(context, &m.solid);
    VS_ARRAY_RELEASE(context, &m.item);
    VS_ARRAY_RELEASE(context, &m.first);
    vs_name_table_release(context, &m.meshes);
    return error;
}
