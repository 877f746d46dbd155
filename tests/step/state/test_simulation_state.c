// The saved state of a simulation: one that starts from it continues with the same bits, damaged ones are refused.
#include <string.h>

#include "base/arena.h"
#include "step/state/simulation_state.h"
#include "step/worlds.h"

enum { LINKS = 4, BALL = LINKS, BODIES = LINKS + 1, HEAD = 24 };

// A chain that hangs from the world and swings a little, and a ball that leaves the floor: contacts at first, later
// joints only.
static void build(stage *s, vs_scheme scheme, vs_body_id body[BODIES]) {
    open_stage(s, .5, 0, true);
    s->options.scheme = scheme;
    s->options.solver.tolerance = 1e-8;
    for (int k = 0; k < LINKS; k++) {
        body[k] = add_ball(s, .1, 1000, (vs_vec3){5, 0, 9 - k}, (vs_vec3){.01 * (k + 1), .003, 0});
        vs_joint_def def = vs_joint_def_default();
        def.kind = VS_JOINT_SPHERICAL, def.b = body[k], def.frame_b.position.z = 1;
        if (k > 0)
            def.a = body[k - 1];
        else
            def.frame_a.position = (vs_vec3){5, 0, 10};
        must(vs_world_add_joint(s->world, &def, NULL), s->context);
    }
    body[BALL] = add_ball(s, .1, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){0, 0, 3});
    start_stage(s);
}

static void *save(stage *s, vs_arena *arena, size_t *count) {
    void *bytes;
    must(vs_simulation_save(s->simulation, arena, &bytes, count), s->context);
    return bytes;
}

// Saved after each step in turn: with contacts, while they vanish, and long after.
static void continue_with_the_same_bits(vs_scheme scheme) {
    enum { STEPS = 60, EVERY = 6 };
    int with = 0, without = 0;
    for (int at = 1; at < STEPS; at += EVERY) {
        stage s[2];
        vs_body_id body[BODIES];
        for (int again = 0; again < 2; again++) {
            build(&s[again], scheme, body);
            for (int k = 0; k < STEPS; k++) {
                vs_step_report report = take_step(&s[again]);
                with += report.contacts > 0, without += report.contacts == 0;
                if (!again || k != at)
                    continue;
                vs_arena arena;
                vs_arena_init(&arena, s[again].context);
                size_t count;
                const void *bytes = save(&s[again], &arena, &count);
                vs_simulation_destroy(s[again].simulation);
                start_stage(&s[again]);
                must(vs_simulation_load(s[again].simulation, bytes, count, VS_STATE_PRESENT), s[again].context);
                vs_arena_release(&arena);
            }
        }
        for (int k = 0; k < BODIES; k++) {
            vs_body_state one = state_of(&s[0], body[k]), other = state_of(&s[1], body[k]);
            assert_memory_equal(&one, &other, sizeof one);
        }
        close_stage(&s[0]);
        close_stage(&s[1]);
    }
    assert_true(with > 0 && without > 0);
}

static void a_simulation_continues_with_the_same_bits(void **state) {
    (void)state;
    continue_with_the_same_bits(VS_SCHEME_MOREAU);
    continue_with_the_same_bits(VS_SCHEME_SHAKE);
}

// The other scheme's velocities are half a step apart.
static void states_of_another_scheme_are_refused(void **state) {
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        stage s, other;
        vs_body_id body[BODIES];
        build(&s, (vs_scheme)scheme, body);
        build(&other, (vs_scheme)(1 - scheme), body);
        take_step(&s);
        vs_arena arena;
        vs_arena_init(&arena, s.context);
        size_t count;
        const void *bytes = save(&s, &arena, &count);
        assert_int_equal(vs_simulation_load(other.simulation, bytes, count, VS_STATE_PRESENT), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_get_error_text(other.context), scheme ? "scheme shake" : "scheme moreau"));
        vs_arena_release(&arena);
        close_stage(&s);
        close_stage(&other);
    }
}

static void states_of_the_wrong_size_are_refused(void **state) {
    (void)state;
    stage s;
    vs_body_id body[BODIES];
    build(&s, VS_SCHEME_SHAKE, body);
    take_step(&s);
    vs_arena arena;
    vs_arena_init(&arena, s.context);
    size_t count;
    const void *bytes = save(&s, &arena, &count);
    for (size_t less = 1; less <= count; less++)
        assert_int_equal(vs_simulation_load(s.simulation, bytes, count - less, VS_STATE_PRESENT), VS_ERROR_DATA);
    must(vs_simulation_load(s.simulation, bytes, count, VS_STATE_PRESENT), s.context);
    vs_arena_release(&arena);
    close_stage(&s);
}

// Bytes that were changed on purpose: counters that do not agree, impulses that are not numbers or out of order.
static void wild_states_are_refused_and_change_nothing(void **state) {
    (void)state;
    stage s;
    vs_body_id body[BODIES];
    build(&s, VS_SCHEME_SHAKE, body);
    take_step(&s);
    vs_arena arena;
    vs_arena_init(&arena, s.context);
    size_t count, after;
    const char *bytes = save(&s, &arena, &count);
    enum { IMPULSE = 80, POINT = 56 };
    assert_true(count >= HEAD + 2 * IMPULSE);
    const int64_t minus = -1, many = 2;
    const double nan = NAN, huge = 1e200;
    const uint64_t last = UINT64_MAX;
    const struct {
        size_t offset;
        const void *value;
    } wild[] = {{0, &minus},         {8, &minus},      {8, &many},
                {HEAD + 40, &last},  {HEAD + 8, &nan}, {HEAD + IMPULSE + 24, &huge},
                {HEAD + POINT, &nan}};
    for (size_t k = 0; k < sizeof wild / sizeof wild[0]; k++) {
        char *copy = VS_COPY(&arena, char, bytes, (int64_t)count);
        memcpy(copy + wild[k].offset, wild[k].value, 8);
        if (vs_simulation_load(s.simulation, copy, count, VS_STATE_PRESENT) != VS_ERROR_DATA)
            fail_msg("wild number %zu was accepted", k);
        const void *now = save(&s, &arena, &after);
        assert_int_equal(after, count);
        assert_memory_equal(now, bytes, count);
    }
    vs_arena_release(&arena);
    close_stage(&s);
}

// The first release kept a key and an impulse, 32 bytes, in the order of the keys: the next step starts from them as from
// what is kept now, and ends with the same bits.
static void states_of_the_first_release_are_read(void **state) {
    (void)state;
    enum { NOW = 80, THEN = 32, MOST = 64 };
    stage s[2];
    vs_body_id body[BODIES];
    vs_arena arena;
    for (int old = 0; old < 2; old++) {
        build(&s[old], VS_SCHEME_MOREAU, body);
        assert_true(take_step(&s[old]).contacts > 0);
    }
    vs_arena_init(&arena, s[1].context);
    size_t count;
    char *bytes = save(&s[1], &arena, &count), old[HEAD + THEN * MOST];
    const size_t impulses = (count - HEAD - offsetof(vs_energy_flow, fracture)) / NOW;
    assert_in_range(impulses, 1, MOST);
    memcpy(old, bytes, HEAD);
    for (size_t k = 0; k < impulses; k++) { // sorted by insertion
        uint64_t key, other;
        memcpy(&key, bytes + HEAD + NOW * k, sizeof key);
        size_t place = k;
        for (; place > 0; place--) {
            memcpy(&other, old + HEAD + THEN * (place - 1), sizeof other);
            if (other < key)
                break;
            memcpy(old + HEAD + THEN * place, old + HEAD + THEN * (place - 1), THEN);
        }
        memcpy(old + HEAD + THEN * place, bytes + HEAD + NOW * k, THEN);
    }
    must(vs_simulation_load(s[1].simulation, old, HEAD + THEN * impulses, VS_STATE_FIRST), s[1].context);
    for (int again = 0; again < 2; again++)
        take_step(&s[again]);
    for (int k = 0; k < BODIES; k++) {
        vs_body_state one = state_of(&s[0], body[k]), other = state_of(&s[1], body[k]);
        assert_memory_equal(&one, &other, sizeof one);
    }
    vs_arena_release(&arena);
    close_stage(&s[0]);
    close_stage(&s[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_simulation_continues_with_the_same_bits),
        cmocka_unit_test(states_of_another_scheme_are_refused),
        cmocka_unit_test(states_of_the_wrong_size_are_refused),
        cmocka_unit_test(states_of_the_first_release_are_read),
        cmocka_unit_test(wild_states_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
