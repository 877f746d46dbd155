// How a run ended, in words.
#include "run/outcome.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/report.h"

static const double DEGREES = 57.29577951308232; // per radian

// "" if there is none.
static void name_body(const vs_world *world, vs_body_id id, char name[APP_BODY_NAME]) {
    name[0] = '\0';
    if (id.index > 0)
        app_body_name(world, id, name);
}

static void describe_stop(const vs_world *world, const vs_stop_condition *c, const vs_outcome *o, char *text,
                          size_t size) {
    static const char *const units[] = {"m", "rad", "m/s"};
    char body[APP_BODY_NAME], other[APP_BODY_NAME];
    const char *when = vs_stop_when_name(c->when);
    name_body(world, o->met_by, body);
    app_body_name(world, c->other, other);
    switch (c->when) {
    case VS_STOP_DISPLACEMENT:
    case VS_STOP_ROTATION:
    case VS_STOP_SPEED:
        (void)snprintf(text, size, "%s of %s above %.4g %s", when, body, c->limit, units[c->when]);
        break;
    case VS_STOP_REST:
        (void)snprintf(text, size, "%s at rest for %.4g s", body[0] ? body : "all bodies", c->hold);
        break;
    case VS_STOP_CONTACT:
        (void)snprintf(text, size, "contact of %s%s%s", body, c->pair ? " with " : "", c->pair ? other : "");
        break;
    case VS_STOP_FALL:
        (void)snprintf(text, size, "%s falls", body);
        break;
    }
}

static void name_interface(const vs_world *world, double margin, const vs_body_id between[2],
                           char name[2 * APP_BODY_NAME]) {
    char body[2][APP_BODY_NAME];
    name[0] = '\0';
    if (isnan(margin))
        return;
    for (int k = 0; k < 2; k++)
        app_body_name(world, between[k], body[k]);
    (void)snprintf(name, 2 * (size_t)APP_BODY_NAME, "%s/%s", body[0], body[1]);
}

// Only of what stands: forces of a moving structure say nothing about its reserve.
static void read_margin(const vs_simulation *simulation, const vs_world *world, app_run_outcome *o) {
    o->margin = (vs_margin){.sliding = (double)NAN, .tipping = (double)NAN};
    if (o->outcome.state == VS_OUTCOME_STANDS && vs_simulation_get_margin(simulation, &o->margin) != VS_OK)
        return;
    name_interface(world, o->margin.sliding, o->margin.sliding_between, o->sliding);
    name_interface(world, o->margin.tipping, o->margin.tipping_between, o->tipping);
}

void app_run_outcome_read(const vs_simulation *simulation, const vs_scene *scene, app_run_outcome *o) {
    *o = (app_run_outcome){.known = false};
    o->known = vs_simulation_get_outcome(simulation, &o->outcome) == VS_OK;
    if (!o->known)
        return;
    const int k = o->outcome.condition;
    if (k >= 0)
        describe_stop(scene->world, &scene->options.stop[k], &o->outcome, o->stop, sizeof o->stop);
    name_body(scene->world, o->outcome.farthest, o->farthest);
    name_body(scene->world, o->outcome.most_turned, o->most_turned);
    name_body(scene->world, o->outcome.displaced, o->first_displaced);
    name_body(scene->world, o->outcome.residual_of, o->residual_of);
    name_body(scene->world, o->outcome.farthest_on, o->farthest_on);
    name_body(scene->world, o->outcome.residual_on, o->residual_on);
    read_margin(simulation, scene->world, o);
}

// "to sliding 0.43 (stone1/stone2), to tipping 0.2 (ground/stone1); 1: none of the reserve is used"
static void show_margin(const app_run_outcome *o) {
    if (!o->sliding[0] && !o->tipping[0])
        return;
    app_report_name("margin");
    if (o->sliding[0])
        printf("%.3g to sliding (%s)%s", o->margin.sliding, o->sliding, o->tipping[0] ? ", " : "");
    if (o->tipping[0])
        printf("%.3g to tipping (%s)", o->margin.tipping, o->tipping);
    printf("\n");
}

// " (brick)", " (brick on table)": where it is displaced on a support that moves.
static void show_body(const char *body, const char *support) {
    printf(" (%s%s%s)", body, support[0] ? " on " : "", support);
}

void app_run_outcome_report(const app_run_outcome *o) {
    const vs_outcome *found = &o->outcome;
    if (!o->known)
        return;
    app_report_name("outcome");
    printf("%s: ", vs_outcome_state_name(found->state));
    if (found->state == VS_OUTCOME_DISPLACED)
        printf("%s left its place; ", o->first_displaced);
    if (found->at_rest)
        printf("at rest\n");
    else
        printf("fastest point at %.3g m/s\n", found->speed);
    app_report_name("moved");
    printf("at most %.3g m", found->displacement);
    if (o->farthest[0])
        show_body(o->farthest, o->farthest_on);
    printf(", turned at most %.3g degrees", DEGREES * found->rotation);
    if (o->most_turned[0])
        printf(" (%s)", o->most_turned);
    printf("\n");
    if (found->residual > 0) {
        app_report_name("residual");
        printf("%.3g m", found->residual);
        show_body(o->residual_of, o->residual_on);
        printf(" at the end\n");
    }
    show_margin(o);
}
