// The ten most influential parameters of a limit load, and all of them as JSON. Parameters of different kinds are compared by
// what a change of 1 % does: of the density of a block, of the friction of an interface, of the size of an interface (the
// root of its area) in the position of one of its corners.
#include "statics/gradient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/body_name.h"
#include "cli/json.h"
#include "cli/report.h"
#include "cli/system/message.h"

enum { SHOWN = 10 };

typedef enum kind { DENSITY, FRICTION, CORNER } kind;

typedef struct influence {
    kind kind;
    int index;     // block, interface, contact
    int interface; // of a corner
    double value;  // by the parameter's unit
    double share;  // of 1 %
} influence;

static double length_of(vs_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static int compare(const void *a, const void *b) {
    const influence *x = a, *y = b;
    const double difference = fabs(y->share) - fabs(x->share);
    if (difference != 0)
        return difference > 0 ? 1 : -1;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : x->index - y->index;
}

// All parameters; list: room for them. Returns their number.
static int list_parameters(const app_assembly *a, const vs_limit_gradient *g, influence *list) {
    int count = 0;
    for (int b = 0; b < vs_statics_get_block_count(a->statics); b++)
        list[count++] = (influence){DENSITY, b, 0, g->density[b], g->density[b] / 100};
    for (int k = 0; k < vs_statics_get_report(a->statics).interfaces; k++) {
        vs_interface i;
        if (vs_statics_get_interface(a->statics, k, &i) != VS_OK)
            continue;
        list[count++] = (influence){FRICTION, k, k, g->mu[k], g->mu[k] * i.mu / 100};
        for (int c = i.first; c < i.first + i.corners; c++) {
            const double value = length_of(g->point[c]);
            list[count++] = (influence){CORNER, c, k, value, value * sqrt(i.area) / 100};
        }
    }
    return count;
}

static void print_parameter(const app_assembly *a, const vs_limit_gradient *g, const influence *p) {
    char name[2][APP_BODY_NAME];
    vs_interface i = {.mu = 0};
    if (p->kind == DENSITY) {
        app_body_name(a->scene->world, vs_statics_get_block(a->statics, p->index), name[0]);
        printf("%+.3e  density of %s\n", p->share, name[0]);
        return;
    }
    if (vs_statics_get_interface(a->statics, p->interface, &i) != VS_OK)
        return;
    app_body_name(a->scene->world, i.a, name[0]);
    app_body_name(a->scene->world, i.b, name[1]);
    if (p->kind == FRICTION) {
        printf("%+.3e  friction of %s/%s, now %.4g: %+.4g for each 0.01\n", p->share, name[0], name[1], i.mu,
               p->value / 100);
        return;
    }
    const vs_vec3 at = vs_statics_get_point(a->statics, p->index), d = g->point[p->index];
    const double size = p->value > 0 ? p->value : 1;
    printf("%+.3e  corner (%.4g, %.4g, %.4g) of %s/%s: %+.4g for each 10 mm towards (%.2f, %.2f, %.2f)\n", p->share,
           at.x, at.y, at.z, name[0], name[1], p->value / 100, d.x / size, d.y / size, d.z / size);
}

bool app_gradient_report(const app_assembly *a, const vs_limit_gradient *gradient) {
    const vs_interface_report r = vs_statics_get_report(a->statics);
    const int room = vs_statics_get_block_count(a->statics) + r.interfaces + r.contacts;
    influence *list = calloc((size_t)room + 1, sizeof *list);
    if (!list) {
        app_complain("limit: out of memory");
        return false;
    }
    const int count = list_parameters(a, gradient, list);
    qsort(list, (size_t)count, sizeof *list, compare);
    for (int k = 0; k < count && k < SHOWN; k++) {
        app_report_name(k == 0 ? "factor, by 1 % of" : "");
        print_parameter(a, gradient, &list[k]);
    }
    free(list);
    return true;
}

// ---- JSON --------------------------------------------------------------------------------------------

static json_t *block_object(const app_assembly *a, const vs_limit_gradient *g, int b) {
    char name[APP_BODY_NAME];
    json_t *o = json_object();
    app_body_name(a->scene->world, vs_statics_get_block(a->statics, b), name);
    app_json_put(o, "body", app_json_text(name));
    app_json_put(o, "density_relative", app_json_number(g->density[b]));
    app_json_put(o, "force_per_N", app_json_vector(g->force[b]));
    app_json_put(o, "moment_per_Nm", app_json_vector(g->moment[b]));
    return o;
}

json_t *app_gradient_json(const app_assembly *a, const vs_limit_gradient *gradient) {
    json_t *o = json_object(), *blocks = json_array(), *interfaces = json_array();
    for (int b = 0; b < vs_statics_get_block_count(a->statics); b++)
        (void)json_array_append_new(blocks, block_object(a, gradient, b));
    for (int k = 0; k < vs_statics_get_report(a->statics).interfaces; k++) {
        vs_interface i;
        json_t *it = json_object(), *corners = json_array();
        if (vs_statics_get_interface(a->statics, k, &i) == VS_OK)
            for (int c = i.first; c < i.first + i.corners; c++)
                (void)json_array_append_new(corners, app_json_vector(gradient->point[c]));
        app_json_put(it, "mu", app_json_number(gradient->mu[k]));
        app_json_put(it, "corners_per_m", corners);
        (void)json_array_append_new(interfaces, it);
    }
    app_json_put(o, "blocks", blocks);
    app_json_put(o, "interfaces", interfaces);
    return o;
}
