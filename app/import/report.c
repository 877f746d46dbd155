// What was imported: bodies, sizes, units, interfaces.
#include "import/report.h"

#include <math.h>
#include <stdio.h>

#include "cli/body_name.h"
#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "cli/report.h"
#include "cli/scene.h"
#include "statics/report.h"

static const double LARGE = 500,
                    SMALL = .01; // m: extents beyond them are more often wrong units than buildings or toys

static double largest_extent(const vs_cad_report *r) {
    return fmax(r->high.x - r->low.x, fmax(r->high.y - r->low.y, r->high.z - r->low.z));
}

void app_import_report(const char *path, const vs_cad_report *r) {
    printf("%s: ", path);
    app_report_plural(r->bodies, r->bodies == 1 ? "body" : "bodie");
    printf("\n");
    app_report_name("shapes");
    printf("%d convex, %d not convex; %d static\n", r->hulls, r->meshes, r->fixed);
    if (r->split > 0 || r->open > 0 || r->omitted > 0) {
        app_report_name("to check");
        printf("%d objects with several solids, %d not closed, %d parts without volume\n", r->split, r->open,
               r->omitted);
    }
    if (r->flat > 0) {
        app_report_name("flat bodies");
        printf("%d, made %g m thick\n", r->flat, r->thickness);
    }
    if (r->joints > 0) {
        app_report_name("joints");
        printf("%d for fixed degrees of freedom", r->joints);
        if (r->auxiliary > 0)
            printf(", with %d auxiliary bod%s of 1e-6 of the mass", r->auxiliary, r->auxiliary == 1 ? "y" : "ies");
        printf("\n");
    }
    app_report_name("volume");
    printf("%.6g m^3; mass of moving bodies %.6g kg\n", r->volume, r->mass);
    if (!r->simulation) {
        app_report_name("materials");
        printf("density %.4g", r->density_least);
        if (r->density_most > r->density_least)
            printf(" to %.4g", r->density_most);
        printf(" kg/m^3%s, mu %.4g%s\n", r->density_stated ? " (stated by the file)" : "", r->mu,
               r->mu_stated ? " (stated by the file)" : "");
    }
    app_report_name("extents");
    printf("%.6g x %.6g x %.6g m, from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)\n", r->high.x - r->low.x,
           r->high.y - r->low.y, r->high.z - r->low.z, r->low.x, r->low.y, r->low.z, r->high.x, r->high.y, r->high.z);
    app_report_name("unit");
    if (r->simulation)
        printf("1 m, y up\n");
    else if (r->unit_stated)
        printf("%g m\n", r->unit);
    else
        printf("metres, as the file does not state it; --unit sets another one\n");
    if (r->snapped > 0) {
        app_report_name("snapped");
        printf("%d corners, by at most %.3g m\n", r->snapped, r->snap_most);
    }
}

void app_import_check_size(const char *path, const vs_cad_report *r) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"in", .0254}, {"ft", .3048}, {"m", 1}};
    const double extent = largest_extent(r), drawn = extent / r->unit;
    if (r->simulation)
        return;
    char likely[160] = "";
    for (size_t k = 0, used = 0; k < sizeof units / sizeof units[0]; k++)
        if (drawn * units[k].metres > .5 && drawn * units[k].metres < 50 && used < sizeof likely)
            used += (size_t)snprintf(likely + used, sizeof likely - used, "%s--unit %s (%.3g m)", used ? ", " : "",
                                     units[k].name, drawn * units[k].metres);
    if (extent <= LARGE && extent >= SMALL)
        return;
    if (app_scene_is_step(path))
        app_complain("%s: is %.4g m large; if that is wrong, check the unit in the program that wrote it", path,
                     extent);
    else
        app_complain("%s: is %.4g m large; if that is wrong, try %s", path, extent,
                     likely[0] ? likely : "another --unit");
}

// A block without interfaces, and the body that is nearest to it.
typedef struct open_joint {
    vs_body_id block, neighbour;
    double gap; // m; infinite: nothing is near
} open_joint;

static bool is_same(vs_body_id a, vs_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

static bool moves(const vs_world *world, vs_body_id id) {
    double mass = 0;
    return vs_world_get_body_mass(world, id, &mass, NULL) == VS_OK && mass > 0 && isfinite(mass);
}

static bool touches(const app_assembly *a, int interfaces, vs_body_id id) {
    vs_interface i;
    for (int k = 0; k < interfaces; k++)
        if (vs_statics_get_interface(a->statics, k, &i) == VS_OK && (is_same(i.a, id) || is_same(i.b, id)))
            return true;
    return false;
}

static open_joint find_neighbour(const vs_world *world, vs_body_id id, double reach) {
    open_joint found = {.block = id, .gap = INFINITY};
    for (int k = 0; k < vs_world_get_body_count(world); k++) {
        const vs_body_id other = vs_world_get_body_at(world, k);
        vs_body_distance d;
        if (!is_same(other, id) && vs_world_get_body_distance(world, id, other, reach, &d) == VS_OK &&
            d.distance < found.gap) {
            found.gap = d.distance;
            found.neighbour = other;
        }
    }
    return found;
}

// The next larger number with one digit.
static double round_up(double x) {
    const double unit = pow(10, floor(log10(x)));
    return unit * ceil(x / unit - 1e-9);
}

// The block with the widest joint tells what closes all of them. Joints wider than a tenth of a block are no joints.
void app_import_check_gaps(const char *path, const app_assembly *a, const vs_cad_report *r) {
    enum { LOOKED_AT = 100 }; // blocks: each is compared with all others
    const vs_interface_report i = vs_statics_get_report(a->statics);
    const vs_world *world = a->scene->world;
    const double reach = .1 * cbrt(r->volume / r->bodies);
    open_joint widest = {.gap = -1};
    char name[2][APP_BODY_NAME];
    int looked = 0;
    for (int k = 0; i.isolated > 0 && k < vs_world_get_body_count(world) && looked < LOOKED_AT; k++) {
        const vs_body_id id = vs_world_get_body_at(world, k);
        if (!moves(world, id) || touches(a, i.interfaces, id))
            continue;
        looked++;
        const open_joint found = find_neighbour(world, id, reach);
        if (found.gap <= reach && found.gap > widest.gap)
            widest = found;
    }
    if (widest.gap <= 0)
        return;
    app_body_name(world, widest.block, name[0]);
    app_body_name(world, widest.neighbour, name[1]);
    app_complain("%s: %d %s nothing; %s is %.3g m away from %s, its nearest neighbour. If the joints should be closed, "
                 "use --snap %g",
                 path, i.isolated, i.isolated == 1 ? "block touches" : "blocks touch", name[0], widest.gap, name[1],
                 round_up(1.1 * widest.gap));
}

bool app_import_report_statics(app_assembly *a) {
    vs_statics_result result;
    if (!app_assembly_check(a, vs_statics_solve(a->statics, &result)))
        return false;
    app_report_name("statics");
    printf("%s\n", vs_verdict_name(result.verdict));
    if (result.verdict == VS_VERDICT_STANDS)
        app_statics_report_forces(a, &result.forces);
    else if (result.verdict == VS_VERDICT_FALLS)
        app_statics_report_mechanism(a, &result.mechanism);
    a->code = APP_TOLERANCE;
    return result.verdict != VS_VERDICT_UNDECIDED;
}
