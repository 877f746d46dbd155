// Mazhar et al. 2014, figures 8 to 20: a sliding ball and box, and a box on two slopes, with the relaxed and the exact model,
// compared with closed forms. (The report has these four tests; figures 8 to 11 belong to the first.)
//
//     ball    v = v0 - mu g t until it rolls at t = 2 v0/(7 mu g), then 5/7 v0
//     box     v = v0 - mu g t until it rests
//     slope   v = v0 + g (sin a - mu cos a) t, until it rests if it ever does
//
// In the relaxed model a sliding contact separates at mu |u_T|: the body lifts off. Axes here are those of the slope: x
// down the slope, in the direction of motion; z away from it.
#include "reproduce/mazhar_dynamics.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/entry.h"
#include "reproduce/figure.h"
#include "reproduce/simulate.h"
#include "voussoir/voussoir.h"

static const double GRAVITY = 9.81, STEP = .0025; // m/s^2, s
enum { FRAMES = 1000 };

typedef struct test {
    const char *name; // of the files
    bool ball;
    double mu, speed, angle; // -, m/s, degrees
    double time;             // s, simulated
} test;

typedef struct frame {
    double t, x, v, height, up, spin; // s, m, m/s, m, m/s, rad/s
} frame;

typedef struct motion {
    frame at[FRAMES];
    int frames;
    int inaccurate;
} motion;

// ---- simulation ------------------------------------------------------------------------------------

static const char scene_text[] =
    "{\"voussoir\": 1, \"parameters\": {\"mu\": 0, \"speed\": 0, \"height\": 0},"
    " \"materials\": {\"m\": {\"mu\": \"$mu\"}},"
    " \"bodies\": [{\"name\": \"floor\", \"motion\": \"static\", \"shape\": {\"kind\": \"plane\"}},"
    " {\"name\": \"body\", \"position\": [0, 0, \"$height\"], \"velocity\": [\"$speed\", 0, 0], \"shape\": %s}]}";

static vs_scene *make(app_repro *r, const test *t) {
    char text[sizeof scene_text + 64];
    vs_scene *scene = NULL;
    const vs_scene_parameter parameter[] = {{"mu", t->mu}, {"speed", t->speed}, {"height", t->ball ? 1 : .5}};
    const double a = t->angle * acos(-1.0) / 180;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(text, sizeof text, scene_text,
                   t->ball ? "{\"kind\": \"sphere\", \"radius\": 1}" : "{\"kind\": \"box\", \"size\": [1, 1, 1]}");
#pragma GCC diagnostic pop
    if (!app_repro_check(r, vs_scene_parse(r->context, text, strlen(text), t->name, parameter, 3, &scene)))
        return NULL;
    (void)vs_world_set_gravity(scene->world, (vs_vec3){GRAVITY * sin(a), 0, -GRAVITY * cos(a)});
    return scene;
}

static bool record(app_repro *r, const test *t, const vs_world *world, motion *m) {
    vs_body_state s;
    if (!app_repro_check(r, vs_world_get_body_state(world, vs_world_find_body(world, "body"), &s)))
        return false;
    m->at[m->frames++] = (frame){vs_world_get_time(world),
                                 s.pose.position.x,
                                 s.velocity.x,
                                 s.pose.position.z - (t->ball ? 1 : .5),
                                 s.velocity.z,
                                 s.spin.y};
    return true;
}

static bool simulate(app_repro *r, const test *t, vs_model model, motion *m) {
    vs_scene *scene = make(r, t);
    m->frames = m->inaccurate = 0;
    if (scene) {
        scene->options.step = STEP;
        scene->options.solver.model = model;
        scene->options.solver.tolerance = 1e-10;
    }
    vs_simulation *simulation = app_repro_simulate(r, scene);
    const int steps = (int)lround(t->time / STEP);
    app_repro_steps sums = {0};
    bool good = simulation && record(r, t, scene->world, m);
    for (int k = 0; k < steps && k + 1 < FRAMES && good; k++)
        good = app_repro_step(r, simulation, 1, &sums) && record(r, t, scene->world, m);
    m->inaccurate = sums.inaccurate;
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return good;
}

// ---- closed forms ----------------------------------------------------------------------------------

static double acceleration(const test *t) {
    const double a = t->angle * acos(-1.0) / 180;
    return GRAVITY * (sin(a) - t->mu * cos(a));
}

// When sliding ends; infinity if never.
static double end_of_sliding(const test *t) {
    const double a = acceleration(t);
    if (t->ball)
        return 2 * t->speed / (7 * t->mu * GRAVITY);
    return a < 0 ? -t->speed / a : INFINITY;
}

static frame closed_form(const test *t, double time) {
    const double a = acceleration(t), end = end_of_sliding(t), slide = fmin(time, end);
    const double v = t->speed + a * slide;
    const double x = t->speed * slide + .5 * a * slide * slide + (time > end ? (time - end) * v : 0);
    return (frame){time, x, v, 0, 0, t->ball ? 2.5 * t->mu * GRAVITY * slide : 0};
}

// ---- comparison ------------------------------------------------------------------------------------

static double highest(const motion *m) {
    double most = 0;
    for (int k = 0; k < m->frames; k++)
        most = fmax(most, m->at[k].height);
    return most;
}

static double worst_speed(const test *t, const motion *m) {
    double most = 0;
    for (int k = 0; k < m->frames; k++)
        most = fmax(most, fabs(m->at[k].v - closed_form(t, m->at[k].t).v));
    return most;
}

// The first frame from which it rolls or rests; the last one's time if it never does.
static double found_end(const test *t, const motion *m) {
    int k = m->frames - 1;
    while (k > 0 && fabs(m->at[k - 1].v - (t->ball ? m->at[k - 1].spin : 0)) < 1e-6)
        k--;
    return m->at[k].t;
}

static void compare(app_repro *r, const test *t, const motion *exact, const motion *relaxed) {
    char note[120];
    const double end = end_of_sliding(t), step = fabs(acceleration(t)) * STEP;
    if (isfinite(end))
        app_repro_put(r, &(app_value){.what = t->ball ? "exact: start of rolling (s)" : "exact: time of stopping (s)",
                                      .format = "%.4f",
                                      .source = end,
                                      .ours = found_end(t, exact),
                                      .aim = APP_WITHIN,
                                      .tolerance = 1.001 * STEP,
                                      .note = "closed form; within one step of 0.0025 s"});
    (void)snprintf(note, sizeof note, "within the change of one step; %d inaccurate steps", exact->inaccurate);
    app_repro_put(r, &(app_value){.what = "exact: maximum difference in speed from the closed form (m/s)",
                                  .format = "%.1e",
                                  .source = 0,
                                  .ours = worst_speed(t, exact),
                                  .aim = APP_WITHIN,
                                  .tolerance = 1.001 * step,
                                  .note = note});
    app_repro_put(r, &(app_value){.what = "exact: maximum height above the plane (m)",
                                  .format = "%.1e",
                                  .source = 0,
                                  .ours = highest(exact),
                                  .aim = APP_WITHIN,
                                  .tolerance = 1e-6,
                                  .note = "must not lift off"});
    (void)snprintf(note, sizeof note, "by %.2e m, a property of the model; maximum difference in speed %.2e m/s",
                   highest(relaxed), worst_speed(t, relaxed));
    app_repro_claim(r, "relaxed: lifts off", "yes", highest(relaxed) > 1e-4, note);
}

static bool write_data(app_repro *r, const test *t, const motion *exact, const motion *relaxed) {
    FILE *file = app_repro_csv(r, t->name);
    if (!file)
        return false;
    (void)fputs("time_s,exact_x,exact_v,exact_height,exact_speed,exact_spin,relaxed_x,relaxed_v,relaxed_height,"
                "relaxed_speed,relaxed_spin,closed_x,closed_v,closed_height,closed_speed,closed_spin\n",
                file);
    for (int k = 0; k < exact->frames; k++) {
        const frame all[] = {exact->at[k], relaxed->at[k], closed_form(t, exact->at[k].t)};
        (void)fprintf(file, "%.6g", exact->at[k].t);
        for (int i = 0; i < 3; i++)
            (void)fprintf(file, ",%.9g,%.9g,%.9g,%.9g,%.9g", all[i].x, all[i].v, all[i].height,
                          hypot(all[i].v, all[i].up), all[i].spin);
        (void)fputs("\n", file);
    }
    return app_repro_csv_close(r, file, t->name);
}

static void draw(app_repro *r, const test *t) {
    static const char *const titles[] = {"position along the plane (m)", "velocity along the plane (m/s)",
                                         "height above the plane (m)", "magnitude of the velocity (m/s)",
                                         "spin (rad/s)"};
    static const int panels[] = {0, 1, 2, 3};
    FILE *file = app_repro_figure(r, t->name, 920, 640);
    if (!file)
        return;
    (void)fprintf(file,
                  "set multiplot layout 2,2 margins 0.085,0.975,0.09,0.94 spacing 0.1,0.14\nset key off\n"
                  "set xrange [0:%g]\nset title offset 0,-0.6\nset offsets 0,0,graph 0.06,graph 0.06\n",
                  t->time);
    for (int k = 0; k < 4; k++) {
        // For a ball, spin is shown instead of position.
        const int column = t->ball && panels[k] == 0 ? 4 : panels[k];
        (void)fprintf(file, "set xlabel '%s'\nset title '{/:Bold %c}   %s'\nset key %s\n", k > 1 ? "time (s)" : "",
                      'a' + k, titles[column], k == 0 ? t->ball ? "bottom right" : "top left" : "off");
        (void)fprintf(file,
                      "plot '%s.csv' u 1:%d w l lt 1 lw 2 lc rgb '#d55e00' dt (9,4) t 'relaxed', "
                      "'' u 1:%d w l ls 1 t 'exact', "
                      "'' u 1:%d every 25::1 w p pt 6 ps 0.7 lw 1.2 lc rgb '#0072b2' t 'closed form'\n",
                      t->name, column + 7, column + 2, column + 12);
    }
    (void)fputs("unset multiplot\n", file);
    app_repro_draw(r, file, t->name);
}

static void run_test(app_repro *r, const test *t) {
    static motion exact, relaxed;
    if (!simulate(r, t, VS_MODEL_EXACT, &exact) || !simulate(r, t, VS_MODEL_RELAXED, &relaxed))
        return;
    compare(r, t, &exact, &relaxed);
    if (write_data(r, t, &exact, &relaxed))
        draw(r, t);
}

void app_repro_mazhar_ball(app_repro *r) {
    run_test(r, &(test){"mazhar-dynamics-ball", true, .2, 2, 0, .5});
}

void app_repro_mazhar_box(app_repro *r) {
    run_test(r, &(test){"mazhar-dynamics-box", false, .3, 2, 0, 1});
}

void app_repro_mazhar_incline_65(app_repro *r) {
    run_test(r, &(test){"mazhar-dynamics-incline-65", false, .2, 0, 65, 1});
}

void app_repro_mazhar_incline_25(app_repro *r) {
    run_test(r, &(test){"mazhar-dynamics-incline-25", false, .6, 2, 25, 2});
}
