// The explanation of a scene for people.
#include <math.h>
#include <stdio.h>

#include "cli/body_name.h"
#include "cli/report.h"
#include "explain/explanation.h"

static void print_bodies(const app_explanation *e) {
    const app_bodies *b = &e->bodies;
    double total = 0, least = INFINITY, most = 0, thin = INFINITY, dense = 0;
    int light = -1, heavy = -1;
    for (int k = 0; k < b->count; k++) {
        const app_body *one = &b->body[k];
        if (!one->dynamic)
            continue;
        total += one->mass;
        thin = fmin(thin, one->density);
        dense = fmax(dense, one->density);
        if (one->mass < least)
            least = one->mass, light = k;
        if (one->mass > most)
            most = one->mass, heavy = k;
    }
    char name[2][APP_BODY_NAME];
    app_report_name("bodies");
    printf("%d: %d dynamic, %d static or moved as prescribed\n", b->count, b->dynamic, b->count - b->dynamic);
    if (b->dynamic == 0)
        return;
    app_report_name("mass");
    printf("%.6g kg; from %.4g kg (%.60s) to %.4g kg (%.60s)\n", total, least, app_bodies_name(b, light, name[0]), most,
           app_bodies_name(b, heavy, name[1]));
    app_report_name("density");
    if (isfinite(dense))
        printf("%.4g to %.4g kg/m^3 (of the boxes with the same inertia)\n", thin, dense);
    else
        printf("%.4g kg/m^3 and more (of the boxes with the same inertia)\n", thin);
}

static void print_supports(const app_explanation *e) {
    enum { LISTED = 6 };
    const app_bodies *b = &e->bodies;
    char name[APP_BODY_NAME];
    int listed = 0;
    app_report_name("supports");
    for (int k = 0; k < b->count; k++)
        if (!b->body[k].dynamic && listed++ < LISTED)
            printf("%s%.60s", listed > 1 ? ", " : "", app_bodies_name(b, k, name));
    if (listed > LISTED)
        printf(", and %d more", listed - LISTED);
    printf("%s\n", listed > 0 ? "" : app_finding_find(&e->findings, "support") ? "none" : "the world");
}

static void print_freedom(const app_explanation *e) {
    const app_freedom *f = &e->freedom;
    app_report_name("joints");
    if (f->joints == 0) {
        printf("none: %d degrees of freedom\n", f->velocities);
        return;
    }
    if (!f->counted) {
        printf("%d: too many to count their degrees of freedom\n", f->joints);
        return;
    }
    printf("%d, which leave %d of %d degrees of freedom", f->joints, f->velocities - f->rank, f->velocities);
    if (f->prescribed > 0)
        printf(", %d of them prescribed by motors", f->prescribed);
    printf("\n");
    if (f->redundant == 0)
        return;
    app_report_name("redundant");
    for (int k = 0; k < f->redundant && k < APP_REDUNDANT; k++) {
        const char *name = vs_world_get_joint_name(e->scene->world, f->list[k].joint);
        printf("%s%.60s (%d of %d)", k > 0 ? ", " : "", name[0] ? name : "a joint without a name", f->list[k].rows,
               f->list[k].of);
    }
    if (f->redundant > APP_REDUNDANT)
        printf(", and %d more", f->redundant - APP_REDUNDANT);
    printf(": constraints that the joints before them already state\n");
}

static void print_group(const app_explanation *e, int kind, int count, const char *what, int *printed) {
    char name[APP_BODY_NAME];
    if (count == 0)
        return;
    printf("%s%d %s", (*printed)++ ? ", " : "", count, what);
    if (count < e->bodies.dynamic || count == 1)
        printf(" (%.60s%s)", app_bodies_name(&e->bodies, e->first.example[kind], name), count > 1 ? ", ..." : "");
}

static void print_first_step(const app_explanation *e) {
    const app_first_step *s = &e->first;
    int printed = 0;
    app_report_name("contacts");
    app_report_plural(s->report.contacts, "contact");
    printf(" within reach, %d carry; %d without support\n", s->report.active, s->floating);
    app_report_name("first step");
    printf("of %.4g s: ", e->scene->options.step);
    print_group(e, 0, s->resting, "stay as they are", &printed);
    print_group(e, 1, s->falling, "fall freely", &printed);
    print_group(e, 2, s->moving, "begin to move otherwise", &printed);
    printf("%s\n", printed ? "" : "nothing can move");
    app_report_name("then");
    if (e->decided)
        printf("as blocks with dry joints, this position %s (voussoir statics)\n", vs_verdict_name(e->verdict));
    else
        printf("run for %.4g s\n", e->scene->duration);
}

void app_explanation_print(const app_explanation *e) {
    const vs_vec3 g = vs_world_get_gravity(e->scene->world);
    printf("%s\n", e->path);
    print_bodies(e);
    print_supports(e);
    app_report_name("gravity");
    printf("(%.4g, %.4g, %.4g) m/s^2\n", g.x, g.y, g.z);
    print_freedom(e);
    print_first_step(e);
    app_report_name("suspicions");
    printf("%s\n", e->findings.count == 0 ? "none" : "");
    for (int k = 0; k < e->findings.count; k++)
        printf("    %s\n", e->findings.finding[k].text);
}
