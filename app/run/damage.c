// Damage of the dry joints of a run: see damage.h.
#include "run/damage.h"

#include <stdio.h>

#include "cli/body_name.h"
#include "cli/csv.h"
#include "cli/system/output.h"
#include "cli/report.h"

void app_damage_add(vs_damage *damage, const vs_simulation *simulation) {
    vs_damage_update(damage);
    for (int k = 0; k < vs_simulation_get_contact_count(simulation); k++) {
        vs_contact_view contact;
        // Flexible bodies have no joints.
        if (vs_simulation_get_contact_at(simulation, k, &contact) == VS_OK && !contact.flexible_a.generation &&
            !contact.flexible_b.generation)
            (void)vs_damage_dissipate(damage, contact.a, contact.b, contact.dissipation);
    }
}

// ---- table -------------------------------------------------------------------------------------------

static void put_vector(FILE *file, vs_vec3 v) {
    (void)fprintf(file, ",%.9g,%.9g,%.9g", v.x, v.y, v.z);
}

static void put_joint(FILE *file, const vs_world *world, const vs_interface_damage *joint) {
    char name[APP_BODY_NAME];
    app_body_name(world, joint->a, name);
    app_csv_text(file, name);
    (void)fputc(',', file);
    app_body_name(world, joint->b, name);
    app_csv_text(file, name);
    put_vector(file, joint->centre);
    put_vector(file, joint->normal);
    (void)fprintf(file, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", joint->area, joint->opening_most, joint->slip_most,
                  joint->opening, joint->slip, joint->dissipation);
}

bool app_damage_write(const vs_damage *damage, const vs_world *world, const char *path) {
    app_output output;
    bool good = app_output_open(&output, path);
    if (good)
        (void)fputs("a,b,x (m),y (m),z (m),normal.x,normal.y,normal.z,area (m^2),opening_most (m),slip_most (m),"
                    "opening_end (m),slip_end (m),dissipation (J)\n",
                    output.file);
    for (int k = 0; good && k < vs_damage_get_joint_count(damage); k++) {
        vs_interface_damage joint;
        if (vs_damage_get_joint(damage, k, &joint) == VS_OK)
            put_joint(output.file, world, &joint);
    }
    return app_output_close(&output, good) && good;
}

// ---- report ------------------------------------------------------------------------------------------

typedef struct worst {
    double value;
    vs_interface_damage joint;
} worst;

static void find_worst(worst *w, double value, const vs_interface_damage *joint) {
    if (value > w->value)
        *w = (worst){value, *joint};
}

static void print_worst(const vs_world *world, const char *words, const worst *w) {
    char a[APP_BODY_NAME], b[APP_BODY_NAME];
    app_body_name(world, w->joint.a, a);
    app_body_name(world, w->joint.b, b);
    printf("%s at most %.3g m", words, w->value);
    if (w->value > 0)
        printf(" (%s/%s)", a, b);
}

void app_damage_report(const vs_damage *damage, const vs_world *world, const char *path) {
    worst opening = {0}, slip = {0}, opening_end = {0}, slip_end = {0};
    const int joints = vs_damage_get_joint_count(damage);
    double dissipation = 0;
    for (int k = 0; k < joints; k++) {
        vs_interface_damage joint;
        if (vs_damage_get_joint(damage, k, &joint) != VS_OK)
            continue;
        find_worst(&opening, joint.opening_most, &joint);
        find_worst(&slip, joint.slip_most, &joint);
        find_worst(&opening_end, joint.opening, &joint);
        find_worst(&slip_end, joint.slip, &joint);
        dissipation += joint.dissipation;
    }
    app_report_name("dry joints");
    printf("%d, %.3g J dissipated by friction; each in %s\n", joints, dissipation, path);
    app_report_name("");
    print_worst(world, "opened", &opening);
    print_worst(world, ", at the end", &opening_end);
    printf("\n");
    app_report_name("");
    print_worst(world, "slipped", &slip);
    print_worst(world, ", at the end", &slip_end);
    printf("\n");
}
