// bending [hard] [penalty]
//
// Three-point bending (26 x 12 x 3 cells, E = 10 MPa): 1 s of motion at growing steps, with hard contact and with the
// same cylinders as springs on the nodes, which is how it would be done without a contact problem: a force
// stiffness x depth, taken at the beginning of the step, everything else being the same (linearly implicit elements).
// Springs hold if no node comes nearer to a cylinder's axis than half its radius: then they let it pass.
// They are followed for 0.4 s only: from 0.5 s on the beam slips between the supports, and with springs and small steps
// it is flung away.
// Stable: no element inside out after any step, and never more kinetic energy than at a mean speed of 10 m/s.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "linalg/blas.h"
#include "voussoir/flexible.h"
#include "voussoir/scene.h"

static const double LENGTH = 1.3, WIDTH = .6, HEIGHT = .15, SPAN = 1, RADIUS = .05, SPEED = 1, DENSITY = 1000;

typedef struct outcome {
    int steps, iterations, inaccurate; // largest number of iterations
    double kinetic, least, depth;      // largest energy, least det F, largest depth
    int inverted;                      // step after which elements were inside out first; 0: never
    bool failed;                       //
} outcome;

typedef struct penalty {
    double stiffness, step; // N/m a node
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
    if (vs_world_get_flexible(world, p->beam, &view))
        return false;
    double below = -RADIUS - .5 * HEIGHT, punch = -below - SPEED * vs_world_time(world);
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
    return .5 * DENSITY * LENGTH * WIDTH * HEIGHT * 100;
}

static outcome run(vs_world *world, const vs_simulation_options *options, double duration) {
    outcome o = {.least = INFINITY};
    vs_simulation *simulation = NULL;
    vs_flexible_id beam = vs_world_flexible_at(world, 0);
    o.failed = vs_simulation_create(world, options, &simulation) != VS_OK;
    int steps = (int)ceil(duration / options->step - 1e-9);
    while (o.steps < steps && !o.failed && o.inverted == 0 && o.kinetic < bound()) {
        vs_step_report report;
        int inverted = 0;
        double least = 0;
        o.failed = vs_simulation_step(simulation, &report) || vs_world_get_inverted(world, beam, &inverted, &least);
        if (o.failed)
            break;
        o.steps++;
        o.kinetic = fmax(o.kinetic, report.energy.kinetic);
        o.iterations = report.iterations > o.iterations ? report.iterations : o.iterations;
        o.inaccurate += report.status != VS_STATUS_CONVERGED;
        o.least = fmin(o.least, least);
        o.inverted = inverted > 0 ? o.steps : 0;
    }
    vs_simulation_destroy(simulation);
    return o;
}

static bool stable(const outcome *o) {
    return !o->failed && o->inverted == 0 && o->kinetic < bound();
}

static bool try_hard(double step) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    outcome o = {.failed = true};
    if (!vs_context_create(NULL, &context) && !vs_scene_make(context, "three-point-bending", NULL, 0, &scene)) {
        scene->options.step = step;
        o = run(scene->world, &scene->options, 1);
    }
    printf("| hard | %g | %d | %s | %d | %d | %.3g | %.2f | 0 |\n", step, o.steps, stable(&o) ? "yes" : "no",
           o.iterations, o.inaccurate, o.kinetic, o.least);
    (void)fflush(stdout);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return stable(&o);
}

static bool try_penalty(double stiffness, double step) {
    vs_context *context = NULL;
    vs_world *world = NULL;
    outcome o = {.failed = true};
    penalty p = {.stiffness = stiffness, .step = step};
    if (!vs_context_create(NULL, &context) && !make_beam(context, &world, &p.beam)) {
        vs_simulation_options options = vs_simulation_options_default();
        options.step = step;
        options.before = push;
        options.user = &p;
        o = run(world, &options, .4);
    }
    bool holds = p.depth < .5 * RADIUS;
    printf("| %g N/m | %g | %d | %s | - | - | %.3g | %.2f | %.1f |\n", stiffness, step, o.steps,
           !stable(&o) ? "no"
           : holds     ? "yes"
                       : "does not hold",
           o.kinetic, o.least, 1e3 * p.depth);
    (void)fflush(stdout);
    vs_world_destroy(world);
    vs_context_destroy(context);
    return stable(&o) && holds;
}

int main(int argc, char **argv) {
    bool hard = argc < 2, springs = argc < 2;
    for (int k = 1; k < argc; k++) {
        hard = hard || strcmp(argv[k], "hard") == 0;
        springs = springs || strcmp(argv[k], "penalty") == 0;
    }
    static const double steps[] = {.01, .02, .03, .04, .05, .06, .07, .08, .1, .125, .15, .2, .25, .5};
    printf("# Three-point bending: the largest stable step\n\nBLAS: %s.\n\n| contact | step, s | steps | stable | "
           "iterations at most | inaccurate steps | kinetic energy, J, at most | det F at least | depth, mm, at most |"
           "\n|---|---|---|---|---|---|---|---|---|\n",
           vs_blas_name());
    for (size_t k = 0; hard && k < sizeof steps / sizeof *steps; k++)
        try_hard(steps[k]);
    // halved until two in a row are stable
    static const double stiffness[] = {1e5, 1e6, 1e7};
    for (size_t s = 0; springs && s < sizeof stiffness / sizeof *stiffness; s++)
        for (double step = .04, good = 0; step > 3e-4 && good < 2; step /= 2)
            good = try_penalty(stiffness[s], step) ? good + 1 : 0;
    return 0;
}
