// JSON output. Keys are part of the interface: they may be added, never renamed. Units are part of the keys; an
// undefined number (no objective, no factor) is null.
#include "cli/json.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/system/message.h"
#include "voussoir/voussoir.h"

// JSON has no infinities and no NaN.
json_t *app_json_number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *app_json_count(int64_t x) {
    return json_integer((json_int_t)x);
}

json_t *app_json_vector(vs_vec3 v) {
    json_t *list = json_array();
    (void)json_array_append_new(list, app_json_number(v.x));
    (void)json_array_append_new(list, app_json_number(v.y));
    (void)json_array_append_new(list, app_json_number(v.z));
    return list;
}

// JSON cannot hold text that is not UTF-8, which a path may be: those bytes become '?'.
json_t *app_json_text(const char *s) {
    if (!s)
        return json_null();
    json_t *value = json_string(s);
    if (value)
        return value;
    char copy[1024];
    (void)snprintf(copy, sizeof copy, "%s", s);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    return json_string(copy);
}

void app_json_put(json_t *object, const char *key, json_t *value) {
    (void)json_object_set_new(object, key, value);
}

json_t *app_json_problem(const vs_problem_info *i) {
    json_t *o = json_object();
    app_json_put(o, "form", json_string(i->local ? "local" : "global"));
    app_json_put(o, "contacts", app_json_count(i->contacts));
    app_json_put(o, "contact_rows", app_json_count(i->m));
    app_json_put(o, "joints", app_json_count(i->joints));
    app_json_put(o, "joint_rows", app_json_count(i->m_e));
    app_json_put(o, "velocities", app_json_count(i->n));
    app_json_put(o, "blocks", app_json_count(i->blocks));
    app_json_put(o, "nonzeros_H", app_json_count(i->nnz_H));
    app_json_put(o, "nonzeros_D", app_json_count(i->nnz_D));
    app_json_put(o, "nonzeros_C", app_json_count(i->nnz_C));
    app_json_put(o, "nonzeros_N", app_json_count(i->nnz_N));
    app_json_put(o, "mu_min", app_json_number(i->mu_min));
    app_json_put(o, "mu_max", app_json_number(i->mu_max));
    app_json_put(o, "mass_min_kg", app_json_number(i->mass_min));
    app_json_put(o, "mass_max_kg", app_json_number(i->mass_max));
    app_json_put(o, "asymmetry", app_json_number(i->asymmetry));
    app_json_put(o, "block_diagonal", json_boolean(i->block_diagonal));
    app_json_put(o, "compliant", json_boolean(i->compliant));
    return o;
}

void app_json_put_measures(json_t *o, const vs_measures *m) {
    app_json_put(o, "relative_error", app_json_number(m->relative_error));
    app_json_put(o, "island_error_J", app_json_number(m->island_error));
    app_json_put(o, "island_reference_J", app_json_number(m->island_reference));
    app_json_put(o, "island_floor_J", app_json_number(m->island_floor));
    app_json_put(o, "work_error_J", app_json_number(m->work_error));
    app_json_put(o, "islands", json_integer((json_int_t)m->islands));
    app_json_put(o, "energy_error_J", app_json_number(m->energy_error));
    app_json_put(o, "energy_scale_J", app_json_number(m->energy_scale));
    app_json_put(o, "natural_map_relative", app_json_number(m->natural_map_relative));
    app_json_put(o, "duality_gap_J", app_json_number(m->duality_gap));
    app_json_put(o, "complementarity_J", app_json_number(m->complementarity));
    json_t *r = json_object();
    app_json_put(r, "natural", app_json_number(m->natural_residual));
    app_json_put(r, "fischer_burmeister", app_json_number(m->fischer_burmeister));
    app_json_put(r, "impulse_balance_J", app_json_number(m->impulse_balance));
    app_json_put(r, "joint_error_J", app_json_number(m->joint_error_energy));
    app_json_put(r, "joint_error_m_per_s", app_json_number(m->joint_error_velocity));
    app_json_put(r, "cone_violation_N_s", app_json_number(m->cone_violation));
    app_json_put(r, "dual_violation_m_per_s", app_json_number(m->dual_violation));
    app_json_put(o, "residuals", r);
}

bool app_json_print(json_t *object, bool line) {
    const size_t flags = (line ? JSON_COMPACT : JSON_INDENT(2)) | JSON_REAL_PRECISION(17);
    const bool good = object && json_dumpf(object, stdout, flags) == 0 && putchar('\n') != EOF;
    json_decref(object);
    if (!good)
        app_complain("cannot write the JSON; check standard output and free memory");
    return good;
}
