// Property tests that shrink: a scene for which a property fails is made smaller, a body or a link at a time, as long
// as it still fails, and what is left is printed with all digits, to be typed in again.
#ifndef VS_TESTS_SOLVER_SHRINK_H
#define VS_TESTS_SOLVER_SHRINK_H

#include "solving.h"

enum { WHY = 256 };

// Does it hold? If not, `why` (WHY characters) says what is wrong. Must not end the test itself.
typedef bool (*scene_property)(void *user, const scene *s, char *why);

// ---- smaller scenes ----------------------------------------------------------------------------------

static inline bool touches(const scene_link *link, int body) {
    for (int a = 0; a < link->blocks; a++)
        if (link->block[a] == body)
            return true;
    return false;
}

static inline scene without_link(const scene *s, int link) {
    scene out = copy_scene(s);
    out.links--;
    for (int k = link; k < out.links; k++)
        out.link[k] = s->link[k + 1];
    return out;
}

// The links go with the body.
static inline scene without_body(const scene *s, int body) {
    scene out = copy_scene(s);
    out.bodies--, out.links = 0;
    for (int k = body; k < out.bodies; k++)
        out.body[k] = s->body[k + 1];
    for (int k = 0; k < s->links; k++) {
        if (touches(&s->link[k], body))
            continue;
        scene_link *link = &out.link[out.links++];
        *link = s->link[k];
        for (int a = 0; a < link->blocks; a++)
            link->block[a] -= link->block[a] > body;
    }
    return out;
}

static inline scene without_compliance(const scene *s, int link) {
    scene out = copy_scene(s);
    memset(out.link[link].compliance, 0, sizeof out.link[link].compliance);
    return out;
}

// Takes `smaller` (owned) if the property fails for it too.
static inline bool take_if_failing(scene *s, scene smaller, scene_property holds, void *user, char *why) {
    char other[WHY] = "";
    bool fails = smaller.bodies > 0 && !holds(user, &smaller, other);
    if (fails)
        memcpy(why, other, sizeof other);
    scene gone = fails ? *s : smaller;
    *s = fails ? smaller : *s;
    free_scene(&gone);
    return fails;
}

// The smallest failing scene that leaving out one thing after the other leads to; why: of that one.
static inline scene shrink(const scene *failing, scene_property holds, void *user, char *why) {
    scene s = copy_scene(failing);
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (int k = s.bodies - 1; k >= 0; k--)
            smaller |= take_if_failing(&s, without_body(&s, k), holds, user, why);
        for (int k = s.links - 1; k >= 0; k--)
            smaller |= take_if_failing(&s, without_link(&s, k), holds, user, why);
    }
    for (int k = 0; k < s.links; k++)
        (void)take_if_failing(&s, without_compliance(&s, k), holds, user, why);
    return s;
}

// ---- what is left ------------------------------------------------------------------------------------

static inline void print_numbers(const char *name, const double *x, int count) {
    bool zeros = true;
    for (int k = 0; k < count; k++)
        zeros = zeros && x[k] == 0;
    if (zeros)
        return;
    print_error(", %s = {", name);
    for (int k = 0; k < count; k++)
        print_error("%s%.17g", k ? ", " : "", x[k]);
    print_error("}");
}

static inline void print_scene(const scene *s) {
    static const char *const kinds[] = {"FRICTION", "SMOOTH", "JOINT", "BOUNDS"};
    for (int k = 0; k < s->bodies; k++) {
        print_error("  body %d: dofs = %d", k, s->body[k].dofs);
        print_numbers("H", s->body[k].H, s->body[k].dofs * s->body[k].dofs);
        print_numbers("c", s->body[k].c, s->body[k].dofs);
        print_error("\n");
    }
    for (int k = 0; k < s->links; k++) {
        const scene_link *link = &s->link[k];
        print_error("  link %d: %s, rows = %d, mu = %.17g", k, kinds[link->kind], link->rows, link->mu);
        for (int a = 0; a < link->blocks; a++) {
            char name[32];
            snprintf(name, sizeof name, "J on body %d", link->block[a]);
            print_numbers(name, link->J[a], link->rows * s->body[link->block[a]].dofs);
        }
        print_numbers("b", link->b, link->rows);
        print_numbers("lo", link->lo, link->rows);
        print_numbers("hi", link->hi, link->rows);
        print_numbers("compliance", link->compliance, link->rows);
        print_error("\n");
    }
}

// Ends the test if the property does not hold, with the smallest scene that shows it.
static inline void check_property(const char *name, scene_property holds, void *user, const scene *s) {
    char why[WHY] = "";
    if (holds(user, s, why))
        return;
    print_error("%s fails on a scene of %d bodies and %d links: %s\nthe smallest that fails:\n", name, s->bodies,
                s->links, why);
    scene small = shrink(s, holds, user, why);
    print_scene(&small);
    free_scene(&small);
    fail_msg("%s: %s", name, why);
}

#endif
