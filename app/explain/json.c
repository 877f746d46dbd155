// The explanation of a scene as JSON.
#include "cli/json.h"

#include "cli/body_name.h"
#include "explain/explanation.h"

static json_t *bodies_object(const app_bodies *b) {
    json_t *list = json_array();
    char name[APP_BODY_NAME];
    for (int k = 0; k < b->count; k++) {
        const app_body *one = &b->body[k];
        json_t *o = json_object(), *sides = json_array();
        app_json_put(o, "name", app_json_text(app_bodies_name(b, k, name)));
        app_json_put(o, "dynamic", json_boolean(one->dynamic));
        app_json_put(o, "mass_kg", app_json_number(one->mass));
        for (int i = 0; i < 3; i++)
            (void)json_array_append_new(sides, app_json_number(one->side[i]));
        app_json_put(o, "box_m", sides);
        app_json_put(o, "density_kg_m3", app_json_number(one->density));
        (void)json_array_append_new(list, o);
    }
    return list;
}

static json_t *freedom_object(const app_explanation *e) {
    const app_freedom *f = &e->freedom;
    json_t *o = json_object(), *list = json_array();
    app_json_put(o, "joints", app_json_count(f->joints));
    app_json_put(o, "counted", json_boolean(f->counted));
    app_json_put(o, "velocities", app_json_count(f->velocities));
    app_json_put(o, "constraints", app_json_count(f->rows));
    app_json_put(o, "independent", app_json_count(f->rank));
    app_json_put(o, "degrees_of_freedom", f->counted ? app_json_count(f->velocities - f->rank) : json_null());
    app_json_put(o, "prescribed", app_json_count(f->prescribed));
    for (int k = 0; k < f->redundant && k < APP_REDUNDANT; k++) {
        json_t *one = json_object();
        app_json_put(one, "joint", app_json_text(vs_world_get_joint_name(e->scene->world, f->list[k].joint)));
        app_json_put(one, "redundant", app_json_count(f->list[k].rows));
        app_json_put(one, "of", app_json_count(f->list[k].of));
        (void)json_array_append_new(list, one);
    }
    app_json_put(o, "redundant", list);
    return o;
}

static json_t *first_object(const app_explanation *e) {
    const app_first_step *s = &e->first;
    json_t *o = json_object();
    app_json_put(o, "step_s", app_json_number(e->scene->options.step));
    app_json_put(o, "contacts", app_json_count(s->report.contacts));
    app_json_put(o, "active", app_json_count(s->report.active));
    app_json_put(o, "touching_pairs", app_json_count(s->pairs));
    app_json_put(o, "overlapping_pairs", app_json_count(s->overlaps));
    app_json_put(o, "without_support", app_json_count(s->floating));
    app_json_put(o, "resting", app_json_count(s->resting));
    app_json_put(o, "falling", app_json_count(s->falling));
    app_json_put(o, "moving", app_json_count(s->moving));
    app_json_put(o, "statics", e->decided ? app_json_text(vs_verdict_name(e->verdict)) : json_null());
    return o;
}

bool app_explanation_print_json(const app_explanation *e) {
    json_t *o = json_object(), *findings = json_array();
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "scene", app_json_text(e->path));
    app_json_put(o, "bodies", bodies_object(&e->bodies));
    app_json_put(o, "freedom", freedom_object(e));
    app_json_put(o, "first_step", first_object(e));
    for (int k = 0; k < e->findings.count; k++) {
        json_t *one = json_object();
        app_json_put(one, "kind", app_json_text(e->findings.finding[k].kind));
        app_json_put(one, "text", app_json_text(e->findings.finding[k].text));
        (void)json_array_append_new(findings, one);
    }
    app_json_put(o, "suspicions", findings);
    return app_json_print(o, false);
}
