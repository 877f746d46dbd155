// The saved state of a simulation: one that starts from it continues with the same bits, damaged ones are refused.
#include <string.h>

#include "kit/snapshot.h"
#include "step/worlds.h"

enum { LINKS = 4, BALL = LINKS, BODIES = LINKS + 1 };

// A chain that hangs from the world and swings a little, and a ball that leaves the floor: contacts at first, later
// joints only.
static void build(rig *s, vs_scheme scheme, vs_body_id body[BODIES]) {
    open_rig(s, .5, 0, true);
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
    start_rig(s);
}

// Saved after each step in turn: with contacts, while they vanish, and long after.
static void continue_with_the_same_bits(vs_scheme scheme) {
    enum { STEPS = 60, EVERY = 6 };
    int with = 0, without = 0;
    for (int at = 1; at < STEPS; at += EVERY) {
        rig s[2];
        vs_body_id body[BODIES];
        for (int again = 0; again < 2; again++) {
            build(&s[again], scheme, body);
            for (int k = 0; k < STEPS; k++) {
                vs_step_report report = take_step(&s[again]);
                with += report.contacts > 0, without += report.contacts == 0;
                if (!again || k != at)
                    continue;
                snapshot saved = take_snapshot(s[again].simulation, s[again].context);
                vs_simulation_destroy(s[again].simulation);
                start_rig(&s[again]);
                use_snapshot(s[again].simulation, &saved, s[again].context);
                free_snapshot(&saved);
            }
        }
        for (int k = 0; k < BODIES; k++) {
            vs_body_state one = state_of(&s[0], body[k]), other = state_of(&s[1], body[k]);
            assert_memory_equal(&one, &other, sizeof one);
        }
        close_rig(&s[0]);
        close_rig(&s[1]);
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
        rig s, other;
        vs_body_id body[BODIES];
        build(&s, (vs_scheme)scheme, body);
        build(&other, (vs_scheme)(1 - scheme), body);
        take_step(&s);
        snapshot saved = take_snapshot(s.simulation, s.context);
        assert_int_equal(vs_simulation_restore(other.simulation, saved.bytes, saved.count), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_get_error_text(other.context), scheme ? "scheme shake" : "scheme moreau"));
        free_snapshot(&saved);
        close_rig(&s);
        close_rig(&other);
    }
}

static void assert_unchanged(const rig *s, const snapshot *before) {
    snapshot now = take_snapshot(s->simulation, s->context);
    assert_int_equal(now.count, before->count);
    assert_memory_equal(now.bytes, before->bytes, now.count);
    free_snapshot(&now);
}

static void refuse(const rig *s, const snapshot *wrong, vs_error error, const char *said) {
    snapshot before = take_snapshot(s->simulation, s->context);
    assert_int_equal(vs_simulation_restore(s->simulation, wrong->bytes, wrong->count), error);
    const char *text = vs_context_get_error_text(s->context);
    if (!strstr(text, said))
        fail_msg("\"%s\" without \"%s\"", text, said);
    assert_unchanged(s, &before);
    free_snapshot(&before);
}

static void states_that_are_cut_are_refused(void **state) {
    (void)state;
    rig s;
    vs_body_id body[BODIES];
    build(&s, VS_SCHEME_SHAKE, body);
    take_step(&s);
    snapshot saved = take_snapshot(s.simulation, s.context);
    for (size_t less = 1; less <= saved.count; less++)
        assert_int_equal(vs_simulation_restore(s.simulation, saved.bytes, saved.count - less), VS_ERROR_DATA);
    // the same within each part, whose number of bytes agrees
    for (const char *at = saved.bytes + STATE_HEAD; at < saved.bytes + saved.count; at += part_bytes(at)) {
        char part[4096], tag[5] = {at[0], at[1], at[2], at[3], 0};
        const size_t size = part_bytes(at);
        assert_true(size + 8 < sizeof part);
        memset(part, 0, sizeof part);
        memcpy(part, at, size);
        for (int more = -1; more <= 1; more += 2) {
            if (size == PART_HEAD && more < 0)
                continue;
            const size_t other = more < 0 ? size - 8 : size + 8;
            put_number(part + 8, 8, other - PART_HEAD);
            snapshot wrong = replace_part(&saved, tag, part, other);
            refuse(&s, &wrong, VS_ERROR_DATA, more < 0 ? "is damaged" : tag);
            free_snapshot(&wrong);
        }
    }
    use_snapshot(s.simulation, &saved, s.context);
    free_snapshot(&saved);
    close_rig(&s);
}

// A newer version may have parts, or versions of them, that this one cannot know.
static void parts_that_are_not_known_are_refused_by_name(void **state) {
    (void)state;
    rig s;
    vs_body_id body[BODIES];
    build(&s, VS_SCHEME_MOREAU, body);
    take_step(&s);
    snapshot saved = take_snapshot(s.simulation, s.context);
    const struct {
        size_t offset; // in the head of the part IMPU
        uint64_t value;
        int bytes;
        vs_error error;
        const char *said;
    } wrong[] = {
        {0, 'W', 1, VS_ERROR_UNSUPPORTED, "the part WMPU (version 1), which this version does not know"},
        {4, 7, 4, VS_ERROR_UNSUPPORTED, "version 7 of the part IMPU (impulses); this version reads 1 to 1"},
        {4, 0, 4, VS_ERROR_UNSUPPORTED, "version 0 of the part IMPU"},
        {8, 1 << 30, 8, VS_ERROR_DATA, "truncated"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        snapshot copy = copy_snapshot(&saved);
        put_number(find_part(&copy, "IMPU") + wrong[k].offset, wrong[k].bytes, wrong[k].value);
        refuse(&s, &copy, wrong[k].error, wrong[k].said);
        free_snapshot(&copy);
    }
    for (char *at = saved.bytes + STATE_HEAD; at < saved.bytes + saved.count; at += part_bytes(at)) {
        char tag[5] = {at[0], at[1], at[2], at[3], 0}, said[64];
        snapshot without = replace_part(&saved, tag, "", 0);
        (void)snprintf(said, sizeof said, "the part %s (", tag);
        refuse(&s, &without, VS_ERROR_DATA, said);
        assert_non_null(strstr(vs_context_get_error_text(s.context), "is missing"));
        free_snapshot(&without);
    }
    const char *impulses = find_part(&saved, "IMPU");
    snapshot twice = replace_part(&saved, "FRIC", impulses, part_bytes(impulses));
    refuse(&s, &twice, VS_ERROR_DATA, "it has the part IMPU (impulses) twice");
    free_snapshot(&twice);
    free_snapshot(&saved);
    close_rig(&s);
}

// Bytes that were changed on purpose: a field of any part is refused, or comes back as it is.
static void wild_states_are_refused_and_change_nothing(void **state) {
    (void)state;
    rig s;
    vs_body_id body[BODIES];
    build(&s, VS_SCHEME_SHAKE, body);
    take_step(&s);
    snapshot saved = take_snapshot(s.simulation, s.context);
    const double numbers[] = {(double)NAN, 1e200, -1e200};
    uint64_t wild[5] = {UINT64_MAX, 1 << 20};
    memcpy(wild + 2, numbers, sizeof numbers);
    int refused = 0, taken = 0;
    for (size_t at = STATE_HEAD; at + 8 <= saved.count; at += 8) {
        for (int k = 0; k < 5; k++) {
            snapshot copy = copy_snapshot(&saved);
            put_number(copy.bytes + at, 8, wild[k]);
            if (vs_simulation_restore(s.simulation, copy.bytes, copy.count) != VS_OK) {
                refused++;
                assert_true(vs_context_get_error_text(s.context)[0] != 0);
                assert_unchanged(&s, &saved);
            } else {
                taken++;
                use_snapshot(s.simulation, &saved, s.context);
                assert_unchanged(&s, &saved);
            }
            free_snapshot(&copy);
        }
    }
    assert_true(refused > taken && taken > 0);
    free_snapshot(&saved);
    close_rig(&s);
}

static void wild_numbers_are_named(void **state) {
    (void)state;
    rig s;
    vs_body_id body[BODIES];
    build(&s, VS_SCHEME_SHAKE, body);
    take_step(&s);
    snapshot saved = take_snapshot(s.simulation, s.context);
    enum { IMPULSE = 80 };
    const uint64_t minus = UINT64_MAX;
    const double nan = (double)NAN, huge = 1e200;
    const struct {
        const char *tag;
        size_t offset;
        const void *value;
        const char *said;
    } wild[] = {
        {"STEP", 0, &minus, "number of steps is -1"},
        {"STEP", 8, &minus, "number of inaccurate steps is -1"},
        {"IMPU", 0, &minus, "number of items"},
        {"IMPU", 8 + 8, &nan, "impulse 0: impulse is (nan"},
        {"IMPU", 8 + IMPULSE + 24, &huge, "impulse 1: impulse is ("},
        {"IMPU", 8 + 40, &minus, "impulse 1 is out of order"},
        {"IMPU", 8 + 56, &nan, "impulse 0: point is (nan"},
        {"LEAD", 8, &nan, "body 0: lead is (nan"},
        {"SCHM", 16, &nan, "last error is nan"},
        {"OUTC", 8, &huge, "the beginning of body 0: position is (1e+200"},
    };
    for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
        snapshot copy = copy_snapshot(&saved);
        memcpy(find_part(&copy, wild[k].tag) + PART_HEAD + wild[k].offset, wild[k].value, 8);
        refuse(&s, &copy, VS_ERROR_DATA, wild[k].said);
        free_snapshot(&copy);
    }
    free_snapshot(&saved);
    close_rig(&s);
}

// Memory for what is restored may be missing: then nothing has changed.
static void a_restore_without_memory_changes_nothing(void **state) {
    (void)state;
    rig s;
    vs_body_id body[BODIES];
    build(&s, VS_SCHEME_MOREAU, body);
    take_step(&s);
    snapshot saved = take_snapshot(s.simulation, s.context);
    vs_error error = VS_ERROR_MEMORY;
    int refused = 0;
    for (int k = 0; error; k++, refused++) {
        vs_simulation_destroy(s.simulation);
        start_rig(&s);
        snapshot before = take_snapshot(s.simulation, s.context);
        refuse_call(&s.memory, k);
        error = vs_simulation_restore(s.simulation, saved.bytes, saved.count);
        refuse_none(&s.memory);
        if (error)
            assert_unchanged(&s, &before);
        free_snapshot(&before);
    }
    assert_true(refused > 1);
    assert_unchanged(&s, &saved);
    free_snapshot(&saved);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_simulation_continues_with_the_same_bits),
        cmocka_unit_test(states_of_another_scheme_are_refused),
        cmocka_unit_test(states_that_are_cut_are_refused),
        cmocka_unit_test(parts_that_are_not_known_are_refused_by_name),
        cmocka_unit_test(wild_numbers_are_named),
        cmocka_unit_test(a_restore_without_memory_changes_nothing),
        cmocka_unit_test(wild_states_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
