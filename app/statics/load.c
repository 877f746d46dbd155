// Live loads and forces asked for, as the user writes them.
#include "statics/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/message.h"

// "1,0,-2" up to `stop`.
static bool read_vector(const char *text, char stop, vs_vec3 *v, const char **rest) {
    double *part[3] = {&v->x, &v->y, &v->z};
    for (int k = 0; k < 3; k++) {
        char *end = NULL;
        *part[k] = strtod(text, &end);
        if (end == text || *end != (k < 2 ? ',' : stop))
            return false;
        text = end + 1;
    }
    *rest = text;
    return true;
}

static bool read_axis(const char *text, vs_vec3 *v) {
    const double sign = text[0] == '-' ? -1 : 1;
    const char *axis = text[0] == '-' || text[0] == '+' ? text + 1 : text;
    *v = (vs_vec3){strcmp(axis, "x") == 0 ? sign : 0, strcmp(axis, "y") == 0 ? sign : 0,
                   strcmp(axis, "z") == 0 ? sign : 0};
    return v->x != 0 || v->y != 0 || v->z != 0;
}

bool app_load_direction(const char *text, vs_vec3 *direction) {
    const char *colon = strrchr(text, ':'), *rest;
    return (!colon && read_axis(text, direction)) || read_vector(colon ? colon + 1 : text, '\0', direction, &rest);
}

bool app_load_add(app_assembly *a, const char *text, bool *weight, vs_vec3 *direction) {
    const char *colon = strrchr(text, ':'), *sign = strchr(text, '@'), *rest;
    vs_vec3 point;
    vs_body_id body;
    *weight = !colon;
    if (!colon && (read_axis(text, direction) || read_vector(text, '\0', direction, &rest)))
        return app_assembly_check(a, vs_statics_add_live_weight(a->statics, *direction));
    const bool pointed = sign && colon && sign < colon;
    if (!colon || !read_vector(colon + 1, '\0', direction, &rest) ||
        (pointed && !read_vector(sign + 1, ':', &point, &rest))) {
        app_complain("--load: '%s' is not x, y, X,Y,Z, BODY:X,Y,Z or BODY@X,Y,Z:X,Y,Z; for instance --load "
                     "key:0,0,-1000",
                     text);
        return false;
    }
    return app_assembly_find(a, "--load", text, (size_t)((pointed ? sign : colon) - text), &body) &&
           app_assembly_check(a, vs_statics_add_live_force(a->statics, body, *direction, pointed ? &point : NULL));
}

static bool same(vs_body_id a, vs_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

bool app_range_find(app_assembly *a, const char *text, int *number, vs_vec3 *direction) {
    const char *slash = strchr(text, '/'), *colon = slash ? strchr(slash, ':') : NULL, *rest;
    vs_body_id from, on;
    if (!slash || (colon && !read_vector(colon + 1, '\0', direction, &rest))) {
        app_complain("--range: '%s' is not A/B or A/B:X,Y,Z; for instance --range pier/stone1", text);
        return false;
    }
    const size_t length = colon ? (size_t)(colon - slash - 1) : strlen(slash + 1);
    if (!app_assembly_find(a, "--range", text, (size_t)(slash - text), &from) ||
        !app_assembly_find(a, "--range", slash + 1, length, &on))
        return false;
    const int count = vs_statics_get_report(a->statics).interfaces;
    for (int k = 0; k < count; k++) {
        vs_interface i;
        if (vs_statics_get_interface(a->statics, k, &i) != VS_OK)
            break;
        const bool straight = same(i.a, from) && same(i.b, on), reversed = same(i.a, on) && same(i.b, from);
        if (!straight && !reversed)
            continue;
        const double sign = straight ? 1 : -1;
        const vs_vec3 d = colon ? *direction : i.normal;
        // The force on the first body is the opposite one; its normal as well.
        *direction = colon ? (vs_vec3){sign * d.x, sign * d.y, sign * d.z} : d;
        *number = k;
        return true;
    }
    app_complain("--range: '%s' names two bodies that do not meet; --interfaces lists those that do", text);
    return false;
}
