// Gears, a thread, blocks of extreme masses, mechanisms with redundant joints. Numbers have nine digits, so that the text
// does not depend on the last bits of functions; where more joints meet than are needed, the scene has expressions, which
// have the same bits on every machine.
#include "collect/texts.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979324;

static void put_head(FILE *to, double mu) {
    (void)fprintf(to, "{\"voussoir\": 1, \"materials\": {\"all\": {\"mu\": %.9g}}, \"bodies\": [\n", mu);
}

// Pins around a disc, the first one at an angle; turns about z.
static void put_wheel(FILE *to, const char *name, double x, int teeth, double first) {
    const double radius = .1, pitch = 2 * PI * radius / teeth, pin = .2 * pitch;
    (void)fprintf(to, "{\"name\": \"%s\", \"density\": 7800, \"position\": [%.9g, 0, 0], \"shapes\": [\n", name, x);
    for (int k = 0; k < teeth; k++) {
        const double angle = first + 2 * PI * k / teeth;
        (void)fprintf(
            to, "{\"kind\": \"cylinder\", \"radius\": %.9g, \"half_length\": 0.01, \"position\": [%.9g, %.9g, 0]},\n",
            pin, radius * cos(angle), radius * sin(angle));
    }
    (void)fprintf(to, "{\"kind\": \"cylinder\", \"radius\": 0.05, \"half_length\": 0.01}]}");
}

// Two wheels, one driven with a limited torque, the other one braked: a jam stops the drive.
void app_write_gears(FILE *to, const vs_scene_parameter *parameter) {
    const int teeth = (int)parameter[0].value;
    put_head(to, parameter[3].value);
    put_wheel(to, "driver", 0, teeth, 0);
    (void)fprintf(to, ",\n");
    put_wheel(to, "driven", .2, teeth, PI + PI / teeth);
    (void)fprintf(
        to,
        "], \"joints\": [{\"kind\": \"revolute\", \"b\": \"driver\", \"frame\": {\"position\": [0, 0, 0], "
        "\"axis\": [0, 0, 1]}, \"motor\": {\"speed\": %.9g, \"limit\": 100}},\n{\"kind\": \"revolute\", \"b\": "
        "\"driven\", \"frame\": {\"position\": [0.2, 0, 0], \"axis\": [0, 0, 1]}, \"motor\": {\"speed\": 0, "
        "\"limit\": %.9g}}]}\n",
        parameter[1].value, parameter[2].value);
}

// A fixed helix of capsules, and a nut that stands on it by spheres.
void app_write_thread(FILE *to, const vs_scene_parameter *parameter) {
    enum { SEGMENTS = 24 }; // per turn
    const double radius = .1, ridge = .012, foot = .015, rise = parameter[0].value / (2 * PI * radius);
    const int turns = (int)parameter[1].value, feet = (int)parameter[2].value;
    const double step = 2 * PI / SEGMENTS, half = .5 * step * radius * sqrt(1 + rise * rise),
                 lift = sqrt(1 + rise * rise);
    put_head(to, parameter[3].value);
    (void)fprintf(to, "{\"name\": \"bolt\", \"motion\": \"static\", \"shapes\": [\n");
    for (int k = 0; k < turns * SEGMENTS; k++) {
        // The axis of a capsule is z: turned about an axis across it, onto the tangent.
        const double angle = (k + .5) * step, tilt = .5 * PI - atan(rise);
        (void)fprintf(to,
                      "%s{\"kind\": \"capsule\", \"radius\": %.9g, \"half_length\": %.9g, \"position\": [%.9g, %.9g, "
                      "%.9g], \"rotation\": {\"axis\": [%.9g, %.9g, 0], \"angle\": %.9g}}",
                      k ? ",\n" : "", ridge, half, radius * cos(angle), radius * sin(angle), rise * radius * angle,
                      -cos(angle), -sin(angle), tilt);
    }
    const double start = 2 * PI * (turns - 1);
    const double height = rise * radius * start;
    (void)fprintf(to,
                  "]},\n{\"name\": \"nut\", \"mass\": 1, \"inertia\": [0.01, 0.01, 0.015], \"position\": [0, 0, %.9g], "
                  "\"shapes\": [",
                  height);
    for (int k = 0; k < feet; k++) {
        const double angle = start + 2 * PI * (k + .25) / feet;
        (void)fprintf(to, "%s{\"kind\": \"sphere\", \"radius\": %.9g, \"position\": [%.9g, %.9g, %.9g]}", k ? ", " : "",
                      foot, radius * cos(angle), radius * sin(angle),
                      rise * radius * (angle - start) + (ridge + foot) * lift);
    }
    (void)fprintf(to,
                  "]}], \"joints\": [{\"kind\": \"cylindrical\", \"b\": \"nut\", \"frame\": {\"position\": [0, 0, "
                  "%.9g], \"axis\": [0, 0, 1]}}]}\n",
                  height);
}

// Two columns of blocks side by side, whose masses spread over the ratio.
void app_write_masses(FILE *to, const vs_scene_parameter *parameter) {
    const int count = (int)parameter[0].value;
    const double ratio = parameter[1].value, jitter = parameter[2].value;
    put_head(to, parameter[3].value);
    (void)fprintf(to, "{\"motion\": \"static\", \"shape\": {\"kind\": \"plane\"}}");
    for (int k = 0; k < count; k++) {
        // The golden ratio spreads them: light below heavy, heavy below light.
        const double share = fmod(.618034 * k, 1), x = k % 2 ? .055 : -.055;
        const int level = k / 2;
        (void)fprintf(to,
                      ",\n{\"density\": %.9g, \"shape\": {\"kind\": \"box\", \"size\": [0.1, 0.1, 0.1]}, \"position\": "
                      "[%.9g, %.9g, %.9g]}",
                      pow(ratio, share), x + .1 * jitter * sin(3.1 * k), jitter * sin(5.7 * k), .05 + .1 * level);
    }
    (void)fprintf(to, "]}\n");
}

// A plate on parallel links, each with a hinge at both ends, and boxes on it. Hinges that contradict each other by more than
// rounding would leave no solution.
void app_write_platform(FILE *to, const vs_scene_parameter *parameter) {
    static const char X[] = "0.3*sin($lean)", Z[] = "0.3*cos($lean)"; // from one end of a link to the other
    const int links = (int)parameter[0].value, boxes = (int)parameter[1].value;
    (void)fprintf(to,
                  "{\"voussoir\": 1, \"parameters\": {\"lean\": %.9g}, \"materials\": {\"all\": {\"mu\": %.9g}}, "
                  "\"bodies\": [\n{\"name\": \"plate\", \"density\": 500, \"position\": [\"%s\", 0, \"%s\"], "
                  "\"shape\": {\"kind\": \"box\", \"size\": [0.8, 0.3, 0.02]}}",
                  parameter[2].value, parameter[3].value, X, Z);
    for (int k = 0; k < links; k++)
        (void)fprintf(to,
                      ",\n{\"name\": \"link%d\", \"mass\": 0.2, \"inertia\": [0.0015, 0.0015, 1e-5], \"position\": "
                      "[\"%s/2+0.6*%d/%d-0.3\", %.9g, \"%s/2\"]}",
                      k, X, k, links - 1, k % 2 ? .12 : -.12, Z);
    for (int k = 0; k < boxes; k++)
        (void)fprintf(to,
                      ",\n{\"density\": 1000, \"position\": [\"%s+%.9g\", 0, \"%s+0.05\"], \"shape\": {\"kind\": "
                      "\"box\", \"size\": [0.08, 0.08, 0.08]}}",
                      X, .1 * k - .25, Z);
    (void)fprintf(to, "], \"joints\": [");
    for (int k = 0; k < links; k++) {
        const double aside = k % 2 ? .12 : -.12;
        (void)fprintf(
            to,
            "%s{\"kind\": \"revolute\", \"b\": \"link%d\", \"frame\": {\"position\": [\"0.6*%d/%d-0.3\", %.9g, 0], "
            "\"axis\": [0, 1, 0]}}, {\"kind\": \"revolute\", \"a\": \"link%d\", \"b\": \"plate\", \"frame\": "
            "{\"position\": [\"%s+0.6*%d/%d-0.3\", %.9g, \"%s\"], \"axis\": [0, 1, 0]}}",
            k ? ",\n" : "\n", k, k, links - 1, aside, k, X, k, links - 1, aside, Z);
    }
    (void)fprintf(to, "]}\n");
}

// A door on hinges with one axis, of which the first is driven, pushes a box on the floor. With much friction the box jams, and
// no velocities would go with a drive without a limit.
void app_write_door(FILE *to, const vs_scene_parameter *parameter) {
    const int hinges = (int)parameter[0].value;
    put_head(to, parameter[2].value);
    (void)fprintf(
        to, "{\"motion\": \"static\", \"shape\": {\"kind\": \"plane\"}},\n{\"name\": \"door\", \"density\": 600, "
            "\"position\": [0.5, 0, 1.02], \"shape\": {\"kind\": \"box\", \"size\": [0.9, 0.04, 2]}},\n"
            "{\"density\": 300, \"position\": [0.7, 0.131, 0.1], \"shape\": {\"kind\": \"box\", \"size\": [0.2, 0.2, "
            "0.2]}}], \"joints\": [");
    for (int k = 0; k < hinges; k++)
        (void)fprintf(to,
                      "%s{\"kind\": \"revolute\", \"b\": \"door\", \"frame\": {\"position\": [0, 0, %.9g], \"axis\": "
                      "[0, 0, 1]}",
                      k ? "},\n" : "\n", .2 + 1.6 * k / (hinges - 1));
    (void)fprintf(to, ", \"motor\": {\"speed\": %.9g, \"limit\": 5000}}]}\n", parameter[1].value);
}
