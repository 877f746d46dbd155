// Enzenhöfer et al.: the energy error of a mixed linear complementarity problem.
//
// The case study is a rod on two contacts. Figure 5 is projected Gauss-Seidel on a brick wall: the energy error
// decreases from the first iteration, the Fischer-Burmeister and natural residuals increase at first.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/entry.h"
#include "reproduce/figure.h"
#include "reproduce/simulate.h"
#include "reproduce/sources.h"
#include "voussoir/voussoir.h"

// ---- the case study --------------------------------------------------------------------------------

static const double MASS = 1.5, LENGTH = 1.5, TORQUE = 10, STEP = .01, GRAVITY = 9.81; // SI units

// Finishes a builder and returns its problem, or null.
static vs_problem *finish(app_repro *r, vs_problem_builder *builder, vs_error error) {
    vs_problem *problem = NULL;
    if (error) {
        vs_problem_builder_destroy(builder);
        (void)app_repro_check(r, error);
        return NULL;
    }
    (void)app_repro_check(r, vs_problem_builder_finish(builder, &problem));
    return problem;
}

// The rod in its two unknowns, the velocity of its centre and its spin: D = [1 -l/2; 1 l/2].
static vs_problem *make_rod(app_repro *r) {
    const double H[] = {MASS, 0, 0, MASS * LENGTH * LENGTH / 12};
    const double c[] = {STEP * MASS * GRAVITY, -STEP * TORQUE}; // -(M v_old + h f)
    vs_problem_builder *builder = NULL;
    int block = 0, index;
    vs_error error = vs_problem_builder_create(r->context, &builder);
    if (!error)
        error = vs_problem_builder_add_block(builder, 2, H, c, &block);
    for (int side = -1; side <= 1 && !error; side += 2) {
        const double row[] = {1, side * .5 * LENGTH}, *const jacobian[] = {row};
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        contact.blocks = 1;
        contact.block = &block;
        contact.jacobian = jacobian;
        contact.frictionless = true;
        error = vs_problem_builder_add_contact(builder, &contact, &index);
    }
    return finish(r, builder, error);
}

// Two bodies of 1 kg, one row each, so that a = 1/kg; w = x - b.
static vs_problem *make_unit(app_repro *r, const double b[2]) {
    const double one = 1, zero = 0, *const jacobian[] = {&one};
    vs_problem_builder *builder = NULL;
    int index;
    vs_error error = vs_problem_builder_create(r->context, &builder);
    for (int k = 0; k < 2 && !error; k++) {
        int block = 0;
        error = vs_problem_builder_add_block(builder, 1, &one, &zero, &block);
        if (error)
            break;
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        contact.blocks = 1;
        contact.block = &block;
        contact.jacobian = jacobian;
        contact.frictionless = true;
        contact.b[0] = b[k];
        error = vs_problem_builder_add_contact(builder, &contact, &index);
    }
    return finish(r, builder, error);
}

// Measures x (2); y receives w.
static bool measure(app_repro *r, const vs_problem *problem, const double x[2], double y[2], vs_measures *measures) {
    vs_measurer *measurer = NULL;
    vs_error error = vs_measurer_create(problem, VS_MODEL_FRICTIONLESS, &measurer);
    if (!error)
        error = vs_measure(measurer, NULL, x, NULL, y, measures);
    vs_measurer_destroy(measurer);
    return app_repro_check(r, error);
}

// The printed x and w give the printed energies with a = 1.
static void run_printed(app_repro *r) {
    const double x[] = {0, -.1019}, b[] = {.2981, -.1019}; // w = (-0.2981, 0)
    double w[2];
    vs_measures measures;
    vs_problem *problem = make_unit(r, b);
    if (problem && measure(r, problem, x, w, &measures)) {
        app_repro_put(r, &(app_value){.what = "energy error of the printed x and w, with a = 1/kg (J)",
                                      .format = "%.4f",
                                      .source = 4.96e-2,
                                      .ours = measures.energy_error,
                                      .aim = APP_WITHIN,
                                      .tolerance = 5e-5,
                                      .note = "the measure itself; agrees to the printed digits"});
        app_repro_put(r, &(app_value){.what = "Fischer-Burmeister residual of the same x and w (m/s + N s)",
                                      .format = "%.4f",
                                      .source = .2981 + .1019,
                                      .ours = measures.fischer_burmeister,
                                      .aim = APP_NOTHING,
                                      .note = "eq. 5 of the source gives 2 |x2|, not |x2|; ours: 2-norm"});
    }
    vs_problem_destroy(problem);
}

// Recomputed from the stated data: x1 = w2 = 0 is the initial iterate of the pivoting method.
static void run_stated(app_repro *r, const vs_problem *problem) {
    const double a = 4 / MASS, couple = -2 / MASS;
    const double b1 = -STEP * (GRAVITY + 6 * TORQUE / (MASS * LENGTH));
    const double b2 = -STEP * (GRAVITY - 6 * TORQUE / (MASS * LENGTH));
    const double x[] = {0, -b2 / a};
    double w[2];
    vs_measures measures;
    if (!measure(r, problem, x, w, &measures))
        return;
    const double closed = .5 / a * (b1 + couple * x[1]) * (b1 + couple * x[1]) + .5 * a * x[1] * x[1];
    const char *const printed = "the printed value is not consistent with the stated data";
    app_repro_put(r, &(app_value){.what = "initial iterate, x2 (N s)",
                                  .format = "%.4f",
                                  .source = -.1019,
                                  .ours = x[1],
                                  .aim = APP_NOTHING,
                                  .note = printed});
    app_repro_put(r, &(app_value){.what = "initial iterate, w1 (m/s)",
                                  .format = "%.4f",
                                  .source = -.2981,
                                  .ours = w[0],
                                  .aim = APP_NOTHING,
                                  .note = printed});
    app_repro_put(r, &(app_value){.what = "energy error of the initial iterate (J)",
                                  .format = "%.5f",
                                  .source = 4.96e-2,
                                  .ours = measures.energy_error,
                                  .aim = APP_NOTHING,
                                  .note = printed});
    app_repro_put(r, &(app_value){.what = "the same by hand: w1^2/(2a) + a x2^2/2 (J)",
                                  .format = "%.5f",
                                  .source = closed,
                                  .ours = measures.energy_error,
                                  .aim = APP_WITHIN,
                                  .tolerance = 1e-12,
                                  .note = "from the stated data"});
}

// Principal pivoting, and everything else that solves it.
static void run_solved(app_repro *r, const vs_problem *problem) {
    static const vs_method methods[] = {VS_METHOD_PIVOTING, VS_METHOD_LEMKE, VS_METHOD_IPM};
    // w = 0: A x = -b, A = 2/m [2 -1; -1 2]; both impulses are positive.
    const double x1 = STEP * MASS * (GRAVITY / 2 + TORQUE / (MASS * LENGTH));
    for (int k = 0; k < 3; k++) {
        vs_solver_options options = vs_solver_options_default();
        vs_solver *solver = NULL;
        vs_result result = {0};
        options.model = VS_MODEL_FRICTIONLESS;
        options.method = methods[k];
        const vs_method_info info = vs_method_at((int)methods[k]);
        vs_error error = vs_solver_create(problem, &options, &solver);
        if (!error)
            error = vs_solver_solve(solver, &result);
        if (error != VS_ERROR_UNSUPPORTED && app_repro_check(r, error) && result.lambda) {
            char what[96], note[96];
            (void)snprintf(what, sizeof what, "solution by %s, x1 (N s)", info.name);
            (void)snprintf(note, sizeof note, "by hand; %d iterations, energy error %.1e J", result.iterations,
                           result.measures.energy_error);
            app_repro_put(r, &(app_value){.what = what,
                                          .format = "%.6f",
                                          .source = x1,
                                          .ours = result.lambda[0],
                                          .aim = APP_WITHIN,
                                          .tolerance = 1e-7,
                                          .note = note});
        }
        vs_solver_destroy(solver);
    }
}

static void run_case(app_repro *r) {
    run_printed(r);
    vs_problem *problem = app_repro_goes_on(r) ? make_rod(r) : NULL;
    if (problem)
        run_stated(r, problem);
    if (problem && app_repro_goes_on(r))
        run_solved(r, problem);
    vs_problem_destroy(problem);
}

// ---- figure 5: the iterates ------------------------------------------------------------------------

enum { SWEEPS = 100, STEPS = 500, MEASURES = 3, ENERGY = 0, SHOWN = 5 };
static const char *const names[] = {"energy error", "Fischer-Burmeister residual", "natural residual"};

// Of each sweep (0: rest); NaN where an iterate is unknown.
typedef double curve[SWEEPS + 1][MEASURES];

typedef struct wall {
    curve *of;                              // (STEPS)
    int steps;                              //
    int rises, pairs;                       // of the energy error, from one iterate to the next
    double mean[SWEEPS + 1][MEASURES];      //
    double deviation[SWEEPS + 1][MEASURES]; // standard, as in the source's eq 25
} wall;

// The source's eq 5, 6 and 8, 9 for a row lo <= x <= hi; an infinite hi gives the limits.
static void residuals(double x, double w, double lo, double hi, double *fischer_burmeister, double *natural) {
    const double up = fmax(-w, 0), down = fmax(w, 0), to_hi = hi - x, to_lo = x - lo;
    const double upper = isinf(hi) ? up : to_hi + up - hypot(to_hi, up), lower = to_lo + down - hypot(to_lo, down);
    *fischer_burmeister += fmax(fabs(upper), fabs(lower));
    *natural += fmax(fabs(fmin(to_hi, up)), fabs(fmin(to_lo, down)));
}

// The literature's two as the source has them: sums over rows, friction bounded by +-mu l_n. (vs_measure() has them on
// cones, as roots of sums of squares.) At zero impulses only the contacts with the floor are
// violated; sweeps spread the violation over all contacts, which increases a sum.
static void keep(const vs_problem *problem, double energy, const double *lambda, const double *y, double at[MEASURES]) {
    const int contacts = vs_problem_get_info(problem).contacts, *row = vs_problem_get_contact_rows(problem);
    const double *mu = vs_problem_get_vectors(problem).mu;
    at[ENERGY] = energy;
    at[1] = at[2] = 0;
    for (int k = 0; k < contacts; k++) {
        const double *l = lambda + row[k], *w = y + row[k], bound = mu[k] * l[0];
        residuals(l[0], w[0], 0, INFINITY, &at[1], &at[2]);
        for (int i = 1; i < 3; i++)
            residuals(l[i], w[i], -bound, bound, &at[1], &at[2]);
    }
}

static vs_error measure_rest(const vs_problem *problem, const double *lambda, double *y, double at[MEASURES]) {
    vs_measurer *measurer = NULL;
    vs_measures measures = {0};
    vs_error error = vs_measurer_create(problem, VS_MODEL_EXACT, &measurer);
    if (!error)
        error = vs_measure(measurer, NULL, lambda, NULL, y, &measures);
    if (!error)
        keep(problem, measures.energy_error, lambda, y, at);
    vs_measurer_destroy(measurer);
    return error;
}

// Does at most `most` sweeps from lambda, which is iterate k. Stores the energy error of all of them and all measures
// of the best one, and moves lambda there. Returns the number of these sweeps: 0 if none is better.
static vs_error sweep(const vs_problem *problem, int most, int k, double *lambda, curve to, int *moved) {
    vs_solver_options options = vs_solver_options_default();
    options.method = VS_METHOD_GAUSS_SEIDEL;
    options.criterion = VS_CRITERION_ENERGY;
    options.tolerance = 1e-15;
    options.gauss_seidel.relaxation = options.jacobi.relaxation = options.check_every = 1;
    options.max_iterations = most;
    vs_solver *solver = NULL;
    vs_result result;
    vs_error error = vs_solver_create(problem, &options, &solver);
    if (!error)
        error = vs_solver_warm_start(solver, NULL, NULL, lambda);
    if (!error)
        error = vs_solver_solve(solver, &result);
    *moved = 0;
    double least = to[k][ENERGY];
    for (int i = 0; !error && i < result.history_count; i++) {
        const vs_iteration *line = &result.history[i];
        if (line->iteration < 1)
            continue;
        to[k + line->iteration][ENERGY] = line->energy_error;
        if (line->energy_error < least) {
            least = line->energy_error;
            *moved = line->iteration;
        }
    }
    if (!error && *moved > 0) {
        memcpy(lambda, result.lambda, (size_t)vs_problem_get_info(problem).m * sizeof *lambda);
        keep(problem, result.measures.energy_error, result.lambda, result.y, to[k + *moved]);
    }
    vs_solver_destroy(solver);
    return error;
}

// Gauss-Seidel from zero, sweep by sweep. A solver that is stopped early returns its best iterate, not its last one:
// where the error increases, more sweeps are made until there is a better one, and the residuals in between are
// unknown. Sweeps with omega = 1 have no memory, so the iterates are those of one long solve.
static bool follow(app_repro *r, const vs_problem *problem, wall *w) {
    double(*to)[MEASURES] = w->of[w->steps];
    const size_t m = (size_t)vs_problem_get_info(problem).m + 1;
    double *lambda = calloc(m, sizeof *lambda), *y = calloc(m, sizeof *y);
    for (int k = 0; k <= SWEEPS; k++)
        for (int i = 0; i < MEASURES; i++)
            to[k][i] = NAN;
    vs_error error = lambda && y ? measure_rest(problem, lambda, y, to[0]) : VS_ERROR_MEMORY;
    for (int k = 0, most = 1, moved = 0; k < SWEEPS && !error; k += moved) {
        most = most < SWEEPS - k ? most : SWEEPS - k;
        error = sweep(problem, most, k, lambda, to, &moved);
        if (moved == 0 && most == SWEEPS - k)
            break;
        most = moved > 0 ? 1 : 2 * most;
    }
    for (int k = 1; k <= SWEEPS; k++) {
        w->pairs += isfinite(to[k][ENERGY]) ? 1 : 0;
        w->rises += to[k][ENERGY] > to[k - 1][ENERGY];
    }
    free(lambda);
    free(y);
    w->steps++;
    return app_repro_check(r, error);
}

// 12 rows of 3 and 2 bricks in turn: 30 bricks. At rest our wall would give the same problem 500 times; the direction
// of gravity oscillates slightly, too little to topple or slide anything, so that the steps differ.
static void sway(vs_world *world) {
    const double t = vs_world_get_time(world), x = .25 * sin(7 * t), y = .08 * sin(12 * t); // rad
    (void)vs_world_set_gravity(world, (vs_vec3){GRAVITY * x, GRAVITY * y, -GRAVITY});
}

static bool simulate(app_repro *r, wall *w) {
    const vs_scene_parameter parameter[] = {{"rows", 12}, {"columns", 3}};
    vs_scene *scene = app_repro_scene(r, "brick-wall", parameter, 2);
    vs_simulation *simulation = app_repro_simulate(r, scene);
    app_repro_steps sums = {0};
    while (simulation && w->steps < STEPS && app_repro_step(r, simulation, 1, &sums)) {
        if (w->steps % 10 == 0)
            app_repro_say(r, "step %d of %d", w->steps, STEPS);
        sway(scene->world);
        if (!follow(r, vs_simulation_get_problem(simulation), w))
            break;
    }
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return w->steps == STEPS && app_repro_goes_on(r);
}

static void average(wall *w) {
    for (int k = 0; k <= SWEEPS; k++)
        for (int i = 0; i < MEASURES; i++) {
            double sum = 0, squares = 0;
            int count = 0;
            for (int t = 0; t < w->steps; t++)
                if (isfinite(w->of[t][k][i])) {
                    sum += w->of[t][k][i];
                    count++;
                }
            const double mean = sum / count;
            for (int t = 0; t < w->steps; t++)
                if (isfinite(w->of[t][k][i]))
                    squares += (w->of[t][k][i] - mean) * (w->of[t][k][i] - mean);
            w->mean[k][i] = mean;
            w->deviation[k][i] = count > 1 ? sqrt(squares / (count - 1)) : 0;
        }
}

// ---- figure 5: what is shown -----------------------------------------------------------------------

// Means and deviations; then the curves of every SHOWN-th step, separated by blank lines.
static bool write_data(app_repro *r, const wall *w, const char *name, const char *curves) {
    FILE *file = app_repro_csv(r, name);
    if (!file)
        return false;
    (void)fputs("iteration,energy_J,energy_deviation,fischer_burmeister,fischer_burmeister_deviation,natural,"
                "natural_deviation\n",
                file);
    for (int k = 0; k <= SWEEPS; k++) {
        (void)fprintf(file, "%d", k);
        for (int i = 0; i < MEASURES; i++)
            (void)fprintf(file, ",%.9g,%.9g", w->mean[k][i], w->deviation[k][i]);
        (void)fputs("\n", file);
    }
    if (!app_repro_csv_close(r, file, name) || !(file = app_repro_csv(r, curves)))
        return false;
    (void)fputs("iteration,energy_J,fischer_burmeister,natural\n", file);
    for (int t = 0; t < w->steps; t += SHOWN) {
        for (int k = 0; k <= SWEEPS; k++)
            (void)fprintf(file, "%d,%.6g,%.6g,%.6g\n", k, w->of[t][k][0], w->of[t][k][1], w->of[t][k][2]);
        (void)fputs("\n", file);
    }
    return app_repro_csv_close(r, file, curves);
}

// As in the source: means with standard deviations on the left, single steps on the right, one row per measure.
static void draw(app_repro *r, const char *name, const char *curves) {
    static const char *const units[] = {"J", "m/s and N s", "m/s and N s"};
    FILE *file = app_repro_figure(r, name, 920, 900);
    if (!file)
        return;
    (void)fputs("set multiplot layout 3,2 margins 0.1,0.97,0.065,0.96 spacing 0.1,0.085\nset logscale y\n"
                "set format y '10^{%T}'\nunset mytics\nset xrange [0:100]\nset title offset 0,-0.6\n"
                "set xlabel offset 0,0.5\nset key top right\n",
                file);
    for (int i = 0; i < MEASURES; i++) {
        const char *const x = i == MEASURES - 1 ? "iteration" : "";
        const int column = 2 + 2 * i;
        (void)fprintf(file,
                      "set xlabel '%s'\nset title '%s (%s)'\n"
                      "plot '%s.csv' u 1:%d w l ls 1 t 'mean of 500 steps', "
                      "'' u 1:($%d+$%d) w l lt 1 dt (9,4) lw 1.4 lc rgb '#0072b2' t 'mean ± standard deviation', "
                      "'' u 1:($%d>$%d?$%d-$%d:NaN) w l lt 1 dt (9,4) lw 1.4 lc rgb '#0072b2' notitle\n",
                      x, names[i], units[i], name, column, column, column + 1, column, column + 1, column, column + 1);
        (void)fprintf(file,
                      "set title 'every %dth step'\nset key off\n"
                      "plot '%s.csv' u 1:%d w l lt 1 lw 0.5 lc rgb '#400072b2' notitle\nset key top right\n",
                      SHOWN, curves, i + 2);
    }
    (void)fputs("unset multiplot\n", file);
    app_repro_draw(r, file, name);
}

static int peak(const wall *w, int measure_at) {
    int at = 0;
    for (int k = 1; k <= SWEEPS; k++)
        if (w->mean[k][measure_at] > w->mean[at][measure_at])
            at = k;
    return at;
}

static void compare(app_repro *r, const wall *w) {
    int rises = 0;
    char note[120];
    for (int k = 1; k <= SWEEPS; k++)
        rises += w->mean[k][ENERGY] > w->mean[k - 1][ENERGY];
    (void)snprintf(note, sizeof note, "from %.2e to %.2e J; %d of %d means increase", w->mean[0][ENERGY],
                   w->mean[SWEEPS][ENERGY], rises, SWEEPS);
    app_repro_claim(r, "mean energy error decreases in every iteration", "yes", rises == 0, note);
    app_repro_put(r, &(app_value){.what = "share of single increases of the energy error (%)",
                                  .format = "%.2f",
                                  .source = NAN,
                                  .ours = 100. * w->rises / w->pairs,
                                  .aim = APP_NOTHING,
                                  .note = "over all steps and iterations; not stated in the source"});
    for (int i = 1; i < MEASURES; i++) {
        char what[96];
        const int at = peak(w, i);
        (void)snprintf(what, sizeof what, "%s increases at first", names[i]);
        (void)snprintf(note, sizeof note, "from %.3g initially to %.3g after %d iterations; source: about 10",
                       w->mean[0][i], w->mean[at][i], at);
        app_repro_claim(r, what, "yes", at > 1, note);
    }
}

static void run_figure(app_repro *r) {
    wall *w = calloc(1, sizeof *w);
    if (w)
        w->of = malloc(STEPS * sizeof *w->of);
    if (!w || !w->of) {
        (void)app_repro_check(r, VS_ERROR_MEMORY);
    } else if (simulate(r, w)) {
        average(w);
        compare(r, w);
        if (write_data(r, w, "enzenhofer-fig5", "enzenhofer-fig5-steps"))
            draw(r, "enzenhofer-fig5", "enzenhofer-fig5-steps");
    }
    if (w)
        free(w->of);
    free(w);
}

const app_repro_entry app_repro_enzenhofer[] = {
    {"enzenhofer-case", "Rod on two contacts: energy error of the initial iterate, printed and recomputed",
     "Enzenhöfer et al., case study", "1 s", run_case},
    {"enzenhofer-fig5", "Gauss-Seidel on a brick wall: three error measures over the iterations",
     "Enzenhöfer et al., figure 5", "1 min", run_figure},
    {0},
};
