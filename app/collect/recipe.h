// Recipes of a collection: which scenes, with which ranges of their parameters.
#ifndef VS_APP_COLLECT_RECIPE_H
#define VS_APP_COLLECT_RECIPE_H

#include <stdint.h>
#include <stdio.h>

#include "voussoir/scene.h"

enum { APP_RECIPE_RANGES = 6 };

typedef enum app_range_kind {
    APP_RANGE_NONE,
    APP_RANGE_UNIFORM,
    APP_RANGE_LOG,
    APP_RANGE_COUNT,
    APP_RANGE_MU
} app_range_kind;

// A parameter and where it is drawn from. Values have three digits, so that a command line repeats them. MU: one in ten is
// 0, the others have uniform logarithms.
typedef struct app_range {
    const char *parameter;
    app_range_kind kind;
    double low, high;
} app_range;

typedef struct app_recipe {
    const char *family;
    const char *scene; // a named scene; null: written by `write`
    void (*write)(FILE *to, const vs_scene_parameter *parameter);
    app_range range[APP_RECIPE_RANGES];
    int steps;         // the step is drawn from 1 … steps, with uniform logarithms
    double tilt;       // rad; gravity is tilted by up to this
    double kick;       // m/s; velocities of free bodies change by up to this
    double rolling;    // m; rolling friction of up to this
    const char *holds; // what is held there, a few words
} app_recipe;

extern const app_recipe app_recipes[]; // ends with a null family

// The draw of a problem: its parameters, and what is changed in the scene.
typedef struct app_draw {
    vs_scene_parameter parameter[APP_RECIPE_RANGES]; // (parameters)
    int parameters, step;
    double tilt, heading; // rad
    double kick, rolling;
    uint64_t state; // of the generator that drew all this: draws of bodies continue with it
} app_draw;

// Problem `number` of a recipe; `attempt` counts draws that were of no use.
app_draw app_recipe_draw(const app_recipe *recipe, uint64_t seed, int number, int attempt);
double app_draw_uniform(app_draw *draw, double low, double high); // the next number
// "stones=7 mu=0.6, gravity tilted by 0.1 rad towards 2.3 rad, step 12"
void app_draw_describe(const app_recipe *recipe, const app_draw *draw, char *text, size_t size);

#endif
