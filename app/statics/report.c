// Reports of statics for people.
#include "statics/report.h"

#include <math.h>
#include <stdio.h>

#include "cli/body_name.h"
#include "cli/report.h"
#include "statics/motion.h"

enum { JOINTS_LISTED = 20, JOINTS_SHOWN = 8 };

static void print_pair(const app_assembly *a, vs_body_id first, vs_body_id second) {
    char name[2][APP_BODY_NAME];
    app_body_name(a->scene->world, first, name[0]);
    app_body_name(a->scene->world, second, name[1]);
    printf("%s/%s", name[0], name[1]);
}

void app_statics_report_geometry(const app_assembly *a) {
    const vs_interface_report r = vs_statics_get_report(a->statics);
    app_report_name("blocks");
    printf("%d, weight and loads %.6g N\n", vs_statics_get_block_count(a->statics), vs_statics_get_weight(a->statics));
    app_report_name("interfaces");
    printf("%d of %.4g m^2, %d contacts", r.interfaces, r.area, r.contacts);
    if (r.points > 0)
        printf("; %d without area: points or edges", r.points);
    printf("\n");
    app_report_name("faces");
    printf("%d of %d have no partner", r.unmatched, r.faces);
    if (r.isolated > 0)
        printf("; %d %s nothing", r.isolated, r.isolated == 1 ? "block touches" : "blocks touch");
    printf("\n");
    app_report_name("largest gap");
    if (r.interfaces == 0) {
        printf("none: no faces meet\n");
        return;
    }
    printf("%.2g m", r.gap);
    if (r.gap > 0) {
        printf(" (");
        print_pair(a, r.gap_at[0], r.gap_at[1]);
        printf(")");
    }
    printf("; overlap %.2g m", r.overlap);
    if (r.overlap > 0) {
        printf(" (");
        print_pair(a, r.overlap_at[0], r.overlap_at[1]);
        printf(")");
    }
    printf("\n");
}

static vs_vec3 resultant_of(const vs_interface *i, const vs_vec3 *force) {
    vs_vec3 sum = {0, 0, 0};
    for (int k = i->first; k < i->first + i->corners; k++) {
        sum.x += force[k].x;
        sum.y += force[k].y;
        sum.z += force[k].z;
    }
    return sum;
}

static double dot(vs_vec3 a, vs_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

void app_statics_report_interfaces(const app_assembly *a, const vs_vec3 *force) {
    const int count = vs_statics_get_report(a->statics).interfaces;
    printf("\n  %-28s %12s %12s %12s %12s\n", "interface", "area m^2", "gap m", force ? "normal N" : "",
           force ? "shear N" : "");
    for (int k = 0; k < count; k++) {
        vs_interface i;
        char name[2][APP_BODY_NAME], pair[2 * APP_BODY_NAME + 2];
        if (vs_statics_get_interface(a->statics, k, &i) != VS_OK)
            return;
        app_body_name(a->scene->world, i.a, name[0]);
        app_body_name(a->scene->world, i.b, name[1]);
        (void)snprintf(pair, sizeof pair, "%s/%s", name[0], name[1]);
        printf("  %-28s %12.5g %12.2g", pair, i.area, fabs(i.gap_least) > i.gap_most ? i.gap_least : i.gap_most);
        if (force) {
            const vs_vec3 f = resultant_of(&i, force);
            const double normal = dot(f, i.normal);
            printf(" %12.6g %12.6g", normal, sqrt(fmax(0, dot(f, f) - normal * normal)));
        }
        printf("\n");
    }
}

// Ties and rods by their tension, other joints by their force and moment.
static void report_joints(const app_assembly *a, const vs_joint_force *joint) {
    const int count = vs_statics_get_joint_count(a->statics), shown = count < JOINTS_LISTED ? count : JOINTS_LISTED;
    for (int k = 0; k < shown; k++) {
        const vs_joint_force *j = &joint[k];
        vs_joint_def def;
        if (vs_world_get_joint_def(a->scene->world, j->id, &def) != VS_OK)
            return;
        app_report_name(k == 0 ? "joints carry" : "");
        if (def.name)
            printf("%s: ", def.name);
        else
            printf("joint %d: ", k);
        if (j->slack)
            printf("nothing, it is slack\n");
        else if (def.kind == VS_JOINT_DISTANCE)
            printf("%s %.6g N\n", j->tension < 0 ? "compression" : "tension", fabs(j->tension));
        else
            printf("force %.6g N, moment %.6g N m\n", sqrt(dot(j->force, j->force)), sqrt(dot(j->torque, j->torque)));
    }
    if (shown < count) {
        app_report_name("");
        printf("and %d more: --json lists all\n", count - shown);
    }
}

void app_statics_report_forces(const app_assembly *a, const vs_force_certificate *forces) {
    const int count = vs_statics_get_report(a->statics).interfaces;
    double largest = 0;
    vs_interface at = {.corners = 0};
    for (int k = 0; k < count && forces->force; k++) {
        vs_interface i;
        if (vs_statics_get_interface(a->statics, k, &i) != VS_OK)
            return;
        const double normal = dot(resultant_of(&i, forces->force), i.normal);
        if (normal > largest) {
            largest = normal;
            at = i;
        }
    }
    app_report_name("forces");
    printf("in equilibrium, residual %.1e of the loads; least distance from a cone %.3g N\n", forces->residual,
           forces->margin);
    if (at.corners == 0)
        return;
    app_report_name("largest thrust");
    printf("%.6g N (", largest);
    print_pair(a, at.a, at.b);
    printf(")\n");
    if (forces->joint)
        report_joints(a, forces->joint);
}

void app_statics_report_mechanism(const app_assembly *a, const vs_mechanism *m) {
    app_joint_motion motion[JOINTS_SHOWN];
    app_report_name("mechanism");
    printf("power of the loads %.4g W at 1 m/s; ", m->power);
    if (m->exact)
        printf("the joints allow it exactly\n");
    else
        printf("violation %.1e m/s: no equilibrium with normal forces below %.1e weights\n", m->violation, m->reach);
    const int shown = app_joint_motions(a, m, motion, JOINTS_SHOWN);
    for (int k = 0; k < shown; k++) {
        app_report_name(k == 0 ? "joints that move" : "");
        print_pair(a, motion[k].at.a, motion[k].at.b);
        printf(": opens %.3g to %.3g m/s, slides %.3g m/s\n", motion[k].opening[0], motion[k].opening[1],
               motion[k].slip);
    }
}
