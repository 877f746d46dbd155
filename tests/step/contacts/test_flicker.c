// Contacts keep their identities from step to step. A contact flickers if its pair of bodies touches in three steps in
// turn, and the contact only in the first and the last of them: it has lost its impulse for nothing.
//
// Structures at rest have always the same contacts. In scenes that move contacts change, but few of them flicker: between
// faces that lie almost flat on each other either may be the reference, and without the features of the last step the
// choice alternated in almost every step.
#include <stdlib.h>

#include "kit/snapshot.h"
#include "voussoir/scene.h"
#include "step/worlds.h"

// The contacts of a step by bodies and key.
typedef struct identity {
    uint32_t a, b;
    uint64_t key;
} identity;

enum { MOST = 4096 };
typedef struct contacts {
    int count;
    identity at[MOST];
} contacts;

typedef struct changes {
    int new;     // contacts between bodies that touched before
    int flicker; // those of them that were there two steps before
} changes;

static bool knows(const contacts *c, identity wanted, bool pair) {
    for (int k = 0; k < c->count; k++)
        if (c->at[k].a == wanted.a && c->at[k].b == wanted.b && (pair || c->at[k].key == wanted.key))
            return true;
    return false;
}

static void list(const vs_simulation *simulation, contacts *c) {
    c->count = vs_simulation_get_contact_count(simulation);
    assert_in_range(c->count, 0, MOST);
    for (int k = 0; k < c->count; k++) {
        vs_contact_view view;
        assert_int_equal(vs_simulation_get_contact_at(simulation, k, &view), VS_OK);
        c->at[k] = (identity){view.a.index, view.b.index, view.key};
    }
}

// Steps from `begin` to `end` (s), counted from the first one on that is after `begin`.
static changes count_changes(const char *name, const vs_scene_parameter *parameter, int parameters, double begin,
                             double end) {
    memory m;
    vs_context *context = make_context(&m);
    vs_scene *scene;
    vs_simulation *simulation;
    must(vs_scene_make(context, name, parameter, parameters, &scene), context);
    must(vs_simulation_create(scene->world, &scene->options, &simulation), context);
    must(vs_simulation_run(simulation, begin), context);
    contacts *last = calloc(3, sizeof *last);
    assert_non_null(last);
    changes c = {0};
    int steps = (int)((end - begin) / scene->options.step);
    list(simulation, &last[0]);
    for (int k = 1; k <= steps; k++) {
        contacts *now = &last[k % 3], *before = &last[(k + 2) % 3], *earlier = &last[(k + 1) % 3];
        must(vs_simulation_step(simulation, NULL), context);
        list(simulation, now);
        for (int i = 0; i < now->count; i++) {
            bool new = knows(before, now->at[i], true) && !knows(before, now->at[i], false);
            c.new += new;
            c.flicker += new &&knows(earlier, now->at[i], false);
        }
    }
    free(last);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    end_context(context, &m);
    printf("  %s: %d new, %d flicker in %d steps\n", name, c.new, c.flicker, steps);
    return c;
}

static void structures_at_rest_keep_their_contacts(void **state) {
    (void)state;
    const char *const scene[] = {"brick-wall", "arch", "stone-bridge", "kapla-tower", "card-house"};
    for (int k = 0; k < 5; k++)
        assert_int_equal(count_changes(scene[k], NULL, 0, .1, .5).new, 0);
}

// Ten dominoes fall onto each other and slide to rest. Without the features of the last step 484 contacts flickered in one
// second; some do while dominoes still fall.
static void dominoes_that_lie_on_each_other_do_not_flicker(void **state) {
    (void)state;
    const vs_scene_parameter count = {"count", 10};
    assert_in_range(count_changes("domino", &count, 1, 0, 1).flicker, 0, 40);
}

// All pairs of shapes, which roll and slide: 105 without the features of the last step.
static void shapes_in_a_pit_flicker_little(void **state) {
    (void)state;
    const vs_scene_parameter count = {"count", 36};
    assert_in_range(count_changes("primitive-soup", &count, 1, 0, .7).flicker, 0, 50);
}

// Dominoes until 0.9 s, with a new simulation at 0.6 s that goes on from the state of the old one, or without: the bits.
static uint64_t run_dominoes(bool resume) {
    memory m;
    vs_context *context = make_context(&m);
    const vs_scene_parameter count = {"count", 10};
    vs_scene *scene;
    vs_simulation *simulation;
    must(vs_scene_make(context, "domino", &count, 1, &scene), context);
    must(vs_simulation_create(scene->world, &scene->options, &simulation), context);
    must(vs_simulation_run(simulation, .6), context);
    if (resume) {
        snapshot saved = take_snapshot(simulation, context);
        vs_simulation_destroy(simulation);
        must(vs_simulation_create(scene->world, &scene->options, &simulation), context);
        use_snapshot(simulation, &saved, context);
        free_snapshot(&saved);
    }
    must(vs_simulation_run(simulation, .9), context);
    uint64_t hash = vs_world_get_hash(scene->world);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    end_context(context, &m);
    return hash;
}

static void a_resumed_run_makes_the_same_choices(void **state) {
    (void)state;
    assert_true(run_dominoes(true) == run_dominoes(false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_at_rest_keep_their_contacts),
        cmocka_unit_test(dominoes_that_lie_on_each_other_do_not_flicker),
        cmocka_unit_test(shapes_in_a_pit_flicker_little),
        cmocka_unit_test(a_resumed_run_makes_the_same_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
