// Results of statics as JSON.
#include "statics/json.h"

#include "cli/body_name.h"
#include "cli/json.h"

static json_t *body_name(const app_assembly *a, vs_body_id id) {
    char name[APP_BODY_NAME];
    app_body_name(a->scene->world, id, name);
    return app_json_text(name);
}

static json_t *interface_object(const app_assembly *a, const vs_interface *i, const vs_vec3 *force) {
    json_t *o = json_object(), *points = json_array(), *forces = json_array();
    app_json_put(o, "a", body_name(a, i->a));
    app_json_put(o, "b", body_name(a, i->b));
    app_json_put(o, "normal", app_json_vector(i->normal));
    app_json_put(o, "area_m2", app_json_number(i->area));
    app_json_put(o, "gap_least_m", app_json_number(i->gap_least));
    app_json_put(o, "gap_most_m", app_json_number(i->gap_most));
    app_json_put(o, "mu", app_json_number(i->mu));
    for (int k = i->first; k < i->first + i->corners; k++) {
        (void)json_array_append_new(points, app_json_vector(vs_statics_get_point(a->statics, k)));
        if (force)
            (void)json_array_append_new(forces, app_json_vector(force[k]));
    }
    app_json_put(o, "corners_m", points);
    app_json_put(o, "forces_N", forces);
    return o;
}

json_t *app_statics_json(const app_assembly *a, const char *scene, const vs_vec3 *force) {
    const vs_interface_report r = vs_statics_get_report(a->statics);
    json_t *o = json_object(), *list = json_array();
    app_json_put(o, "voussoir", json_string(vs_version()));
    app_json_put(o, "scene", app_json_text(scene));
    app_json_put(o, "blocks", app_json_count(vs_statics_get_block_count(a->statics)));
    app_json_put(o, "weight_N", app_json_number(vs_statics_get_weight(a->statics)));
    app_json_put(o, "contacts", app_json_count(r.contacts));
    app_json_put(o, "area_m2", app_json_number(r.area));
    app_json_put(o, "faces", app_json_count(r.faces));
    app_json_put(o, "faces_unmatched", app_json_count(r.unmatched));
    app_json_put(o, "blocks_isolated", app_json_count(r.isolated));
    app_json_put(o, "gap_max_m", app_json_number(r.gap));
    app_json_put(o, "overlap_max_m", app_json_number(r.overlap));
    for (int k = 0; k < r.interfaces; k++) {
        vs_interface i;
        if (vs_statics_get_interface(a->statics, k, &i) == VS_OK)
            (void)json_array_append_new(list, interface_object(a, &i, force));
    }
    app_json_put(o, "interfaces", list);
    return o;
}

static json_t *joint_list(const app_assembly *a, const vs_joint_force *joint) {
    json_t *list = json_array();
    for (int k = 0; k < vs_statics_get_joint_count(a->statics) && joint; k++) {
        json_t *o = json_object();
        app_json_put(o, "joint", app_json_text(vs_world_get_joint_name(a->scene->world, joint[k].id)));
        app_json_put(o, "force_N", app_json_vector(joint[k].force));
        app_json_put(o, "torque_Nm", app_json_vector(joint[k].torque));
        app_json_put(o, "tension_N", app_json_number(joint[k].tension));
        app_json_put(o, "slack", json_boolean(joint[k].slack));
        (void)json_array_append_new(list, o);
    }
    return list;
}

json_t *app_statics_json_forces(const app_assembly *a, const vs_force_certificate *forces) {
    json_t *o = json_object();
    app_json_put(o, "holds", json_boolean(forces->holds));
    app_json_put(o, "residual", app_json_number(forces->residual));
    app_json_put(o, "margin_N", app_json_number(forces->margin));
    app_json_put(o, "joints", joint_list(a, forces->joint));
    return o;
}

json_t *app_statics_json_mechanism(const app_assembly *a, const vs_mechanism *m) {
    json_t *o = json_object(), *bodies = json_array();
    app_json_put(o, "holds", json_boolean(m->holds));
    app_json_put(o, "exact", json_boolean(m->exact));
    app_json_put(o, "power_W", app_json_number(m->power));
    app_json_put(o, "violation_m_s", app_json_number(m->violation));
    app_json_put(o, "reach_weights", app_json_number(m->reach));
    for (int k = 0; k < vs_statics_get_block_count(a->statics) && m->velocity; k++) {
        json_t *body = json_object();
        app_json_put(body, "body", body_name(a, vs_statics_get_block(a->statics, k)));
        app_json_put(body, "velocity_m_s", app_json_vector(m->velocity[k]));
        app_json_put(body, "spin_rad_s", app_json_vector(m->spin[k]));
        (void)json_array_append_new(bodies, body);
    }
    app_json_put(o, "bodies", bodies);
    return o;
}
