// The scene from which a run was made.
#include "report/origin.h"

#include <math.h>
#include <stdio.h>

#include "check/checks.h"
#include "cli/exit_code.h"
#include "cli/scene.h"
#include "cli/system/files.h"
#include "cli/system/message.h"

// Friction of the contacts in the first step, on a simulation of its own: only their coefficients are used.
static vs_error read_friction(app_origin *o) {
    vs_simulation *simulation = NULL;
    vs_error error = vs_simulation_create(o->scene->world, &o->scene->options, &simulation);
    if (!error)
        error = vs_simulation_step(simulation, NULL);
    for (int k = 0; !error && k < vs_simulation_get_contact_count(simulation); k++) {
        vs_contact_view c;
        if (vs_simulation_get_contact_at(simulation, k, &c) != VS_OK)
            continue;
        o->mu[0] = fmin(o->mu[0], c.mu); // fmin and fmax ignore NaN
        o->mu[1] = fmax(o->mu[1], c.mu);
    }
    vs_simulation_destroy(simulation);
    return error;
}

// Before the step that moves it: the initial position.
static void decide(app_origin *o) {
    vs_interface_options options = vs_interface_options_default();
    options.time = 0;
    vs_error error = vs_statics_create(o->scene->world, &options, &o->held);
    if (!error) {
        o->interfaces = vs_statics_get_report(o->held);
        o->weight = vs_statics_get_weight(o->held);
        error = vs_statics_solve(o->held, &o->statics);
    }
    o->decided = error == VS_OK;
    if (error)
        (void)snprintf(o->undecided, sizeof o->undecided, "%s", vs_context_get_error_text(o->context));
}

int app_origin_read(const char *path, const vs_scene_parameter *setting, int settings, app_origin *o) {
    vs_context_def def = vs_context_def_default();
    app_bodies bodies;
    *o = (app_origin){.path = path, .mu = {(double)NAN, (double)NAN}};
    def.log = app_scene_warn;
    vs_error error = vs_context_create(&def, &o->context);
    if (!error)
        error = app_scene_open(o->context, path, setting, settings, &o->scene);
    if (!error) {
        error = app_bodies_read(o->scene->world, &bodies) ? VS_OK : VS_ERROR_MEMORY;
        if (!error) {
            app_check_world(o->scene, &bodies, &o->findings);
            app_check_file(path, &o->findings);
            decide(o);
            error = read_friction(o);
        }
        app_bodies_release(&bodies);
    }
    if (error && !app_files_refused())
        app_complain("%s", o->context ? vs_context_get_error_text(o->context) : "out of memory");
    return error ? app_exit_code(error) : APP_DONE;
}

void app_origin_release(app_origin *o) {
    vs_statics_destroy(o->held);
    vs_scene_destroy(o->scene);
    vs_context_destroy(o->context);
    *o = (app_origin){0};
}
