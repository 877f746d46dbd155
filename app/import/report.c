// What was imported: bodies, sizes, units, interfaces.
#include "import/report.h"

#include <math.h>
#include <stdio.h>

#include "cli/exit_code.h"
#include "cli/message.h"
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
    app_report_name("volume");
    printf("%.6g m^3; mass of moving bodies %.6g kg\n", r->volume, r->mass);
    app_report_name("extents");
    printf("%.6g x %.6g x %.6g m, from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)\n", r->high.x - r->low.x,
           r->high.y - r->low.y, r->high.z - r->low.z, r->low.x, r->low.y, r->low.z, r->high.x, r->high.y, r->high.z);
    app_report_name("unit");
    if (r->unit_stated)
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
