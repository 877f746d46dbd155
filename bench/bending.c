// bending [hard] [newton] [search] [penalty]
//
// Three-point bending (26 x 12 x 3 cells, E = 10 MPa): 1 s of motion at steps from 2 ms to all of it, with hard contact
// and with the same cylinders as springs on the nodes, the usual method without a contact problem: a force
// stiffness x depth, evaluated at the beginning of the step, everything else being the same (linearly implicit
// elements). Springs hold if no node comes closer to a cylinder's axis than half its radius: then they let it pass.
// From about 0.6 s on the beam slips between the supports and falls.
// Stable: no inverted element after any step, and never more kinetic energy than at a mean speed of 15 m/s: the beam
// stores 7.5 kJ before it slips and falls by up to 4 m, 4 kJ, which makes 14 m/s.
// Hard contact is also measured by its energy balance: kinetic energy over the work of punch and gravity until then,
// and the largest increase of energy in a step beyond the work done. Newton: elements expanded up to 30 times per step.
// Search bisects the interval between the largest stable step and the smallest unstable one, above and below 0.06 s.
// If 1 s is not a multiple of the step the last one goes beyond: 2 steps of 0.6 s are 1.2 s, and the punch 0.2 m
// deeper.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "linalg/blas.h"
#include "voussoir/flexible.h"
#include "voussoir/scene.h"

static const double LENGTH = 1.3, WIDTH = .6, HEIGHT = .15, SPAN = 1, RADIUS = .05, SPEED = 1, DENSITY = 1000;

typedef struct outcome {
    int steps, iterations, inaccurate; // iterations: most of a step
    double iterations_mean;            //
    double kinetic, share, least;      // largest energy, J, and its ratio to the work done; least det F
    double gain;                       // J, largest energy gain in a step
    double problems;                   // mean per step
    double seconds;                    // processor time
    int inverted;                      // step after which elements were first inverted; 0: never
    bool failed;                       //
} outcome;

typedef struct penalty {
    double stiffness, step; // N/m per node
    vs_flexible_id beam;
    double depth; // largest
} penalty;

// ---- springs ---------------------------------------------------------------------------------------

// The force of a cylinder along y at (x, z) on a node.
static vs_vec3 spring(penalty *p, double x, double z, vs_vec3 node) {
    double dx = node.x - x, dz = node.z - z, distance = hypot(dx, dz), depth = RADIUS - distance;
    if (depth <= 0 || distance == 0)
        return (vs_vec3){0, 0, 0};
    p->depth = fmax(p->depth, depth);
    double force = p->stiffness * depth / distance;
    return (vs_vec3){force * dx, 0, force * dz};
}

static bool push(void *user, vs_world *world) {
    penalty *p = user;
    vs_flexible_view view;
    if (vs_world_get_flexible_view(world, p->beam, &view))
        return false;
    double below = -RADIUS - .5 * HEIGHT, punch = -below - SPEED * vs_world_get_time(world);
    for (int k = 0; k < view.nodes; k++) {
        const vs_vec3 at[] = {{-.5 * SPAN, 0, below}, {.5 * SPAN, 0, below}, {0, 0, punch}};
        for (int c = 0; c < 3; c++) {
            vs_vec3 force = spring(p, at[c].x, at[c].z, view.position[k]);
            if ((force.x != 0 || force.z != 0) && vs_world_push_nodes(world, p->beam, 1, &k, force))
                return false;
        }
    }
    return true;
}

static vs_error make_beam(vs_context *context, vs_world **world, vs_flexible_id *id) {
    static const int cells[] = {26, 12, 3};
    vs_mesh *mesh = NULL;
    vs_error error = vs_world_create(context, NULL, world);
    if (!error)
        error = vs_mesh_box(context, (vs_vec3){.5 * LENGTH, .5 * WIDTH, .5 * HEIGHT}, cells, 4, &mesh);
    vs_flexible_def def = vs_flexible_def_default();
    def.mesh = mesh;
    def.elastic = (vs_elastic_material){.young = 1e7, .poisson = .3, .density = DENSITY};
    def.collide = false;
    if (!error)
        error = vs_world_add_flexible(*world, &def, id);
    vs_mesh_destroy(mesh);
    return error;
}

// ---- one run ---------------------------------------------------------------------------------------

static double bound(void) {
    return .5 * DENSITY * LENGTH * WIDTH * HEIGHT * 15 * 15;
}

// Adds a step to the outcome.
static void note(outcome *o, const vs_step_report *report, double least, double given, double *energy) {
    double now = report->energy.kinetic + report->energy.potential;
    o->gain = fmax(o->gain, now - *energy - report->work + report->dissipation);
    *energy = now;
    o->problems += report->elastic_iterations;
    o->steps++;
    o->kinetic = fmax(o->kinetic, report->energy.kinetic);
    o->share = fmax(o->share, report->energy.kinetic / given);
    o->iterations = report->iterations > o->iterations ? report->iterations : o->iterations;
    o->iterations_mean += report->iterations;
    o->inaccurate += report->status != VS_STATUS_CONVERGED;
    o->least = fmin(o->least, least);
    o->inverted = report->inverted > 0 ? o->steps : 0;
}

// Steps of options->step, and a shorter one if they do not fill the duration.
static outcome run(vs_world *world, const vs_simulation_options *options, double duration) {
    outcome o = {.least = INFINITY};
    vs_flexible_id beam = vs_world_get_flexible_at(world, 0);
    vs_simulation_options now = *options;
    double work = 0, start = vs_world_get_energy(world).potential, energy = start;
    bench_time begin = bench_now();
    for (int part = 0; part < 2 && !o.failed; part++) {
        double left = duration - vs_world_get_time(world);
        int steps = part ? left > 1e-9 : (int)floor(duration / options->step + 1e-9);
        vs_simulation *simulation = NULL;
        now.step = part && steps ? left : options->step;
        o.failed = vs_simulation_create(world, &now, &simulation) != VS_OK;
        for (int k = 0; k < steps && !o.failed && o.inverted == 0 && o.kinetic < bound(); k++) {
            vs_step_report report;
            double least = 0;
            o.failed =
                vs_simulation_step(simulation, &report) || vs_world_get_flexible_inverted(world, beam, NULL, &least);
            if (o.failed)
                break;
            work += report.work;
            note(&o, &report, least, work + fmax(0, start - report.energy.potential), &energy);
        }
        vs_simulation_destroy(simulation);
    }
    o.iterations_mean /= o.steps > 0 ? o.steps : 1;
    o.problems /= o.steps > 0 ? o.steps : 1;
    o.seconds = bench_since(begin).processor;
    return o;
}

static bool stable(const outcome *o) {
    return !o->failed && o->inverted == 0 && o->kinetic < bound();
}

static bool try_hard(double step, int expansions) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    outcome o = {.failed = true};
    if (!vs_context_create(NULL, &context) && !vs_scene_make(context, "three-point-bending", NULL, 0, &scene)) {
        scene->options.step = step;
        scene->options.elastic_iterations = expansions;
        o = run(scene->world, &scene->options, 1);
    }
    printf("| %g | %d | %s | %.1f | %.1f, %d | %d | %.2f | %.0f | %.2f | %.2g | %.1f |\n", step, o.steps,
           stable(&o) ? "yes" : "no", o.problems, o.iterations_mean, o.iterations, o.inaccurate, o.least, o.kinetic,
           o.share, o.gain, o.seconds);
    (void)fflush(stdout);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return stable(&o);
}

static bool try_penalty(double stiffness, double step, double duration) {
    vs_context *context = NULL;
    vs_world *world = NULL;
    outcome o = {.failed = true};
    penalty p = {.stiffness = stiffness, .step = step};
    if (!vs_context_create(NULL, &context) && !make_beam(context, &world, &p.beam)) {
        vs_simulation_options options = vs_simulation_options_default();
        options.step = step;
        options.before = push;
        options.user = &p;
        o = run(world, &options, duration);
    }
    bool holds = p.depth < .5 * RADIUS;
    printf("| %g | %g | %g | %d | %s | %.2f | %.0f | %.1f | %.1f |\n", stiffness, duration, step, o.steps,
           !stable(&o) ? "no"
           : holds     ? "yes"
                       : "does not hold",
           o.least, o.kinetic, 1e3 * p.depth, o.seconds);
    (void)fflush(stdout);
    vs_world_destroy(world);
    vs_context_destroy(context);
    return stable(&o) && holds;
}

// ---- tables ----------------------------------------------------------------------------------------

static void show_hard_head(void) {
    printf(
        "\n| step, s | steps | stable | problems per step | iterations: mean, maximum | inaccurate steps | smallest "
        "det F | "
        "largest kinetic energy, J | relative to the energy supplied | largest gain in a step, J | processor time, s |"
        "\n|---|---|---|---|---|---|---|---|---|---|---|\n");
}

static void show_hard(int expansions) {
    static const double steps[] = {.002, .005, .01, .02, .03, .04, .05, .06, .07, .08, .1,
                                   .125, .15,  .2,  .25, .3,  .35, .4,  .5,  .6,  .8,  1};
    show_hard_head();
    for (size_t k = expansions > 1 ? 2 : 0; k < sizeof steps / sizeof *steps; k++)
        try_hard(steps[k], expansions);
}

// The end of the stable steps between 0.06 s and `end`, to 2 %.
static void search(double end) {
    double good = .06, bad = end;
    if (try_hard(end, 1)) {
        printf("\nStable from 0.06 s to %g s in all steps tried: no limit found.\n", end);
        return;
    }
    while (fabs(bad / good - 1) > .02) {
        double middle = sqrt(good * bad);
        if (try_hard(middle, 1))
            good = middle;
        else
            bad = middle;
    }
    printf("\nStable at %g s, not at %g s.\n", good, bad);
}

// Halved until two in a row are stable and hold. 0.4 s is before the beam slips.
static void show_penalty(void) {
    static const double stiffness[] = {1e5, 1e6, 1e7}, duration[] = {.4, 1};
    printf("\n| springs, N/m per node | motion, s | step, s | steps | stable | smallest det F | largest kinetic "
           "energy, J | "
           "largest depth, mm | processor time, s |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int d = 0; d < 2; d++)
        for (int s = 0; s < 3; s++)
            for (double step = .04, good = 0; step > 3e-4 && good < 2; step /= 2)
                good = try_penalty(stiffness[s], step, duration[d]) ? good + 1 : 0;
}

int main(int argc, char **argv) {
    bool hard = argc < 2, newton = argc < 2, both = argc < 2, springs = argc < 2;
    for (int k = 1; k < argc; k++) {
        hard = hard || strcmp(argv[k], "hard") == 0;
        newton = newton || strcmp(argv[k], "newton") == 0;
        both = both || strcmp(argv[k], "search") == 0;
        springs = springs || strcmp(argv[k], "penalty") == 0;
    }
    printf("# Three-point bending: the largest stable step\n\nBLAS: %s.\n", vs_blas_name());
    if (hard)
        show_hard(1);
    if (newton)
        show_hard(30);
    for (int k = 0; k < 2 && both; k++) {
        show_hard_head();
        search(k ? .002 : 1);
    }
    if (springs)
        show_penalty();
    return 0;
}
