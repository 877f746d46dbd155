// Snapshots: a simulation that goes back to one takes the same steps again, bit for bit, as does another simulation of the same
// scene: every named scene, every law. And each part of a snapshot is needed: with the part of another time, steps differ.
#include "kit/fixture.h"
#include "kit/snapshot.h"
#include "scenes.h"

#include "base/hash.h"
#include "voussoir/bond.h"

// ---- what a step shows ----------------------------------------------------------------------------------

static uint64_t hash_id(uint64_t h, vs_body_id id) {
    return vs_hash_word(vs_hash_word(h, id.index), id.generation);
}

static uint64_t hash_events(uint64_t h, const vs_simulation *s) {
    for (int k = 0; k < vs_simulation_get_event_count(s); k++) {
        vs_contact_event event;
        assert_int_equal(vs_simulation_get_event_at(s, k, &event), VS_OK);
        h = hash_id(hash_id(vs_hash_word(h, (uint64_t)event.kind), event.a), event.b);
        h = vs_hash_bytes(vs_hash_bytes(h, &event.impulse, sizeof event.impulse), &event.point, sizeof event.point);
    }
    return h;
}

static uint64_t hash_outcome(uint64_t h, const vs_simulation *s) {
    vs_outcome o;
    assert_int_equal(vs_simulation_get_outcome(s, &o), VS_OK);
    const double number[] = {o.met_value, o.speed, o.displacement, o.residual, o.rotation};
    h = vs_hash_word(vs_hash_word(vs_hash_word(h, (uint64_t)o.condition), (uint64_t)o.state), o.at_rest);
    h = hash_id(hash_id(hash_id(hash_id(h, o.met_by), o.farthest), o.most_turned), o.displaced);
    return vs_hash_bytes(h, number, sizeof number);
}

static uint64_t hash_contacts(uint64_t h, const vs_simulation *s) {
    for (int k = 0; k < vs_simulation_get_contact_count(s); k++) {
        vs_contact_view view;
        assert_int_equal(vs_simulation_get_contact_at(s, k, &view), VS_OK);
        h = vs_hash_bytes(vs_hash_double(vs_hash_word(h, view.key), view.mu), &view.impulse, sizeof view.impulse);
    }
    for (int k = 0; k < vs_simulation_get_bond_count(s); k++) {
        vs_bond_view bond;
        assert_int_equal(vs_simulation_get_bond_at(s, k, &bond), VS_OK);
        h = vs_hash_double(vs_hash_double(vs_hash_double(h, bond.strength), bond.crushed), bond.work);
    }
    return h;
}

// Everything but times on the clock.
static uint64_t hash_step(uint64_t h, const vs_world *world, const vs_simulation *s, const vs_step_report *r) {
    const double number[] = {r->energy.kinetic, r->energy.potential, r->discretization_share, r->penetration};
    h = vs_hash_word(h, vs_world_get_hash(world));
    h = vs_hash_word(vs_hash_word(h, (uint64_t)r->step), (uint64_t)r->iterations);
    h = vs_hash_word(vs_hash_word(h, (uint64_t)r->factorizations), (uint64_t)r->unbalanced);
    h = vs_hash_word(h, (uint64_t)vs_simulation_get_inaccurate_steps(s));
    h = vs_hash_bytes(vs_hash_bytes(h, number, sizeof number), &r->total, sizeof r->total);
    for (int k = 0; k < vs_world_get_control_count(world); k++) {
        double value;
        assert_int_equal(vs_world_get_control(world, k, &value), VS_OK);
        h = vs_hash_double(h, value);
    }
    const char *note = vs_simulation_get_note(s);
    h = vs_hash_bytes(h, note, strlen(note));
    return hash_contacts(hash_outcome(hash_events(h, s), s), s);
}

// ---- a case ---------------------------------------------------------------------------------------------

enum { BEFORE = 20, AFTER = 100 }; // steps to the snapshot, and from it

typedef struct scenario {
    const char *name; // of a named scene, or of the law
    const char *text; // of the law's scene; null: a named scene
    int before, after;
} scenario;

typedef struct running {
    vs_scene *scene;
    vs_simulation *simulation;
} running;

static running start(const fixture *f, const scenario *c) {
    running r = {NULL, NULL};
    vs_error error = c->text ? vs_scene_parse(f->context, c->text, strlen(c->text), c->name, NULL, 0, &r.scene)
                             : vs_scene_make(f->context, c->name, NULL, 0, &r.scene);
    if (!error && strcmp(c->name, "a control") == 0) {
        vs_control_def def = vs_control_def_default();
        def.name = "speed", def.joint = vs_world_get_joint_at(r.scene->world, 0), def.motor = VS_MOTOR_SPEED;
        error = vs_world_add_control(r.scene->world, &def, NULL);
    }
    if (!error)
        error = vs_simulation_create(r.scene->world, &r.scene->options, &r.simulation);
    if (error)
        fail_msg("%s: %s", c->name, vs_context_get_error_text(f->context));
    return r;
}

static void end(running *r) {
    vs_simulation_destroy(r->simulation);
    vs_scene_destroy(r->scene);
}

// What a user does before step k: commands to the first joint if it has a motor, before the snapshot and after it.
static void act(const fixture *f, const running *r, const scenario *c, int k) {
    vs_world *world = r->scene->world;
    if (vs_world_get_joint_count(world) == 0)
        return;
    const vs_joint_id joint = vs_world_get_joint_at(world, 0);
    vs_joint_def def;
    must(vs_world_get_joint_def(world, joint, &def), f->context);
    if (def.motor == VS_MOTOR_SPEED && def.motor_limit > 0 && k == c->before + 5)
        must(vs_world_set_joint_speed(world, joint, -3), f->context);
    if (def.motor == VS_MOTOR_POSITION && def.motor_stiffness > 0 && (k == c->before / 2 || k == c->before + 5)) {
        must(vs_world_set_joint_target(world, joint, k < c->before ? .3 : -.3), f->context);
        must(vs_world_set_joint_gains(world, joint, k < c->before ? 200 : 100, 5), f->context);
    }
    if (vs_world_get_control_count(world) > 0 && k == c->before + 5)
        must(vs_world_set_control(world, 0, .5), f->context);
}

static uint64_t take_steps(const fixture *f, const running *r, const scenario *c, int from, int count) {
    uint64_t h = VS_HASH_EMPTY;
    for (int k = from; k < from + count; k++) {
        vs_step_report report;
        act(f, r, c, k);
        if (vs_simulation_step(r->simulation, &report) != VS_OK)
            fail_msg("%s, step %d: %s", c->name, k, vs_context_get_error_text(f->context));
        h = hash_step(h, r->scene->world, r->simulation, &report);
    }
    return h;
}

// A buffer that is too small gets nothing but the number of bytes.
static snapshot save(const fixture *f, const running *r) {
    snapshot s = take_snapshot(r->simulation, f->context);
    char byte;
    size_t count;
    assert_int_equal(vs_simulation_save(r->simulation, &byte, 1, &count), VS_ERROR_ARGUMENT);
    assert_int_equal(count, s.count);
    return s;
}

static void restore(const fixture *f, const running *r, const scenario *c, const snapshot *s) {
    if (vs_simulation_restore(r->simulation, s->bytes, s->count) != VS_OK)
        fail_msg("%s: %s", c->name, vs_context_get_error_text(f->context));
}

// With something that waits for the next step.
static running run_to_snapshot(const fixture *f, const scenario *c) {
    running r = start(f, c);
    must(vs_simulation_set_note(r.simulation, "before"), f->context);
    take_steps(f, &r, c, 0, c->before);
    must(vs_simulation_set_note(r.simulation, "a note"), f->context);
    if (vs_world_get_body_count(r.scene->world) > 0)
        must(vs_world_apply_force(r.scene->world, vs_world_get_body_at(r.scene->world, 0), (vs_vec3){1e-3, 0, 0}, NULL),
             f->context);
    return r;
}

static void steps_are_the_same_again(const fixture *f, const scenario *c) {
    running r = run_to_snapshot(f, c), other = start(f, c);
    snapshot s = save(f, &r);
    const uint64_t once = take_steps(f, &r, c, c->before, c->after);
    must(vs_simulation_set_note(r.simulation, "another"), f->context);
    restore(f, &r, c, &s);
    snapshot again = save(f, &r);
    assert_int_equal(again.count, s.count);
    assert_memory_equal(again.bytes, s.bytes, s.count);
    const uint64_t twice = take_steps(f, &r, c, c->before, c->after);
    restore(f, &other, c, &s);
    const uint64_t elsewhere = take_steps(f, &other, c, c->before, c->after);
    if (twice != once || elsewhere != once)
        fail_msg("%s: steps after a snapshot differ in %s", c->name,
                 twice != once ? "the same simulation" : "another one");
    free_snapshot(&s);
    free_snapshot(&again);
    end(&r);
    end(&other);
}

// ---- named scenes ---------------------------------------------------------------------------------------

// Scenes whose steps take long take fewer of them; all were run with 100 once.
static const struct {
    const char *name;
    int before, after;
} slow[] = {
    {"domino", 20, 40},       {"filled-bridge", 3, 5},
    {"barrel-vault", 5, 10},  {"groin-vault", 3, 5},
    {"rib-vault", 5, 40},     {"dome", 3, 5},
    {"colonnade", 5, 20},     {"window-wall", 5, 10},
    {"brick-tower", 3, 5},    {"brick-wall", 20, 40},
    {"hopper", 20, 20},       {"rotating-drum", 4, 4},
    {"primitive-soup", 9, 9}, {"three-point-bending", 1, 2},
    {"soft-gripper", 2, 3},   {"rolling-ring", 2, 3},
    {"rope-on-drum", 3, 5},   {"elastic-foundation", 2, 3},
    {"folded-strip", 2, 3},
};

static void every_named_scene_goes_on_from_a_snapshot(void **state) {
    const fixture *f = *state;
    for (int k = 0; k < vs_scene_count(); k++) {
        scenario c = {vs_scene_at(k).name, NULL, BEFORE, AFTER};
        for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
            if (strcmp(slow[i].name, c.name) == 0)
                c.before = slow[i].before, c.after = slow[i].after;
        steps_are_the_same_again(f, &c);
    }
}

// ---- laws -----------------------------------------------------------------------------------------------

// A box that slides, a pile of two, a ball that rolls, and one that falls, with a material.
#define BODIES                                                                                                         \
    "\"shapes\": {\"box\": {\"kind\": \"box\", \"half\": [0.1, 0.1, 0.1]}, \"ball\": {\"kind\": \"sphere\", "          \
    "\"radius\": "                                                                                                     \
    "0.1}, \"floor\": {\"kind\": \"plane\"}}, \"bodies\": [{\"name\": \"slider\", \"shape\": \"box\", \"position\": "  \
    "[0, 0, 0.1], \"velocity\": [1, 0.2, 0]}, {\"name\": \"low\", \"shape\": \"box\", \"position\": [0, 1, 0.1]}, "    \
    "{\"name\": \"high\", \"shape\": \"box\", \"position\": [0.03, 1, 0.3]}, {\"name\": \"roller\", \"shape\": "       \
    "\"ball\", "                                                                                                       \
    "\"position\": [0, 2, 0.1], \"velocity\": [0.5, 0, 0], \"spin\": [0, 2, 3]}, {\"name\": \"faller\", \"shape\": "   \
    "\"ball\", \"position\": [0, 3, 0.2]}, {\"name\": \"ground\", \"motion\": \"static\", \"shape\": \"floor\"}]"
#define MATERIAL(fields) "{\"voussoir\": 1, \"materials\": {\"m\": {" fields "}}, " BODIES "}"
#define SOLVER(fields) "{\"voussoir\": 1, \"solver\": {" fields "}, " BODIES "}"
// Two blocks with mortar; the upper one is pulled up and sideways, and pressed, more and more.
#define MORTAR(fields)                                                                                                 \
    "{\"voussoir\": 1, \"step\": 0.001, \"materials\": {\"m\": {\"mu\": 0.6}}, \"shapes\": {\"block\": {\"kind\": "    \
    "\"box\", \"half\": [0.1, 0.1, 0.05]}}, \"bodies\": [{\"name\": \"low\", \"motion\": \"static\", \"shape\": "      \
    "\"block\"}, {\"name\": \"high\", \"shape\": \"block\", \"position\": [0, 0, 0.1]}], \"mortar\": [{" fields "]}"
// A hinge and a slide, with joint fields.
#define JOINTS(solver, fields)                                                                                         \
    "{\"voussoir\": 1, \"solver\": {" solver                                                                           \
    "}, \"shapes\": {\"bar\": {\"kind\": \"box\", \"half\": [0.2, 0.02, 0.02]}}, "                                     \
    "\"bodies\": [{\"name\": \"arm\", \"shape\": \"bar\", \"position\": [0.2, 0, 1]}, {\"name\": \"hand\", "           \
    "\"shape\": "                                                                                                      \
    "\"bar\", \"position\": [0.6, 0, 1]}], \"joints\": [{\"kind\": \"revolute\", \"b\": \"arm\", \"frame\": "          \
    "{\"position\": [0, 0, 1], \"axis\": [0, 1, 0]}" fields "}, {\"kind\": \"revolute\", \"a\": \"arm\", \"b\": "      \
    "\"hand\", \"frame\": {\"position\": [0.4, 0, 1], \"axis\": [0, 1, 0]}, \"limits\": [-0.3, 0.3], \"friction\": "   \
    "0.1}]}"

static const scenario laws[] = {
    {"coulomb", MATERIAL("\"mu\": 0.3"), BEFORE, AFTER},
    {"restitution", MATERIAL("\"mu\": 0.3, \"restitution\": 0.7"), BEFORE, AFTER},
    {"impact of moreau", MATERIAL("\"restitution\": 0.7, \"impact\": \"moreau\""), BEFORE, AFTER},
    {"restitution by speed", MATERIAL("\"restitution\": [[0.1, 0.9], [2, 0.5]]"), BEFORE, AFTER},
    {"friction by speed", MATERIAL("\"mu\": [[0, 0.6], [1, 0.2]]"), BEFORE, AFTER},
    {"compliance", MATERIAL("\"compliance\": 1e-5"), BEFORE, AFTER},
    {"rolling and spinning", MATERIAL("\"rolling\": 0.002, \"spinning\": 0.001"), BEFORE, AFTER},
    {"elliptic", MATERIAL("\"rolling\": 0.002, \"spinning\": 0.001, \"coupling\": \"elliptic\""), BEFORE, AFTER},
    {"adhesion", MATERIAL("\"adhesion\": 20"), BEFORE, AFTER},
    {"friction that weakens and heals",
     MATERIAL("\"mu\": 0.2, \"static_mu\": 0.5, \"weakening\": 0.05, \"healing\": 0.3"), BEFORE, AFTER},
    {"stribeck", MATERIAL("\"mu\": 0.2, \"static_mu\": 0.5, \"stribeck\": 0.1"), BEFORE, AFTER},
    {"soft contact", MATERIAL("\"stiffness\": 1e5, \"damping\": 50"), BEFORE, AFTER},
    {"hertz", MATERIAL("\"hertz\": 1e6, \"damping\": 50"), BEFORE, AFTER},
    {"relaxed", SOLVER("\"model\": \"relaxed\""), BEFORE, AFTER},
    {"no warm start", SOLVER("\"warm_start\": \"none\""), BEFORE, AFTER},
    {"shake", SOLVER("\"scheme\": \"shake\""), BEFORE, AFTER},
    {"quasi-static", SOLVER("\"scheme\": \"quasi-static\""), BEFORE, AFTER},
    {"controlled accuracy", SOLVER("\"accuracy\": 1e-3"), BEFORE, AFTER},
    {"mortar",
     MORTAR("\"tension\": 1e4, \"cohesion\": 2e4, \"fracture_energy\": 5}], \"loads\": [{\"body\": \"high\", "
            "\"force\": [\"5000*t\", 0, \"15000*t\"]}"),
     BEFORE, AFTER},
    {"exponential mortar",
     MORTAR("\"tension\": 1e4, \"fracture_energy\": 5, \"softening\": \"exponential\"}], \"loads\": "
            "[{\"body\": \"high\", \"force\": [0, 0, \"15000*t\"]}"),
     BEFORE, AFTER},
    {"crushing",
     MORTAR("\"tension\": 1e4, \"compression\": 1e5}], \"loads\": [{\"body\": \"high\", \"force\": [0, 0, "
            "\"-60000*t\"], \"point\": [0.02, 0, 0]}"),
     BEFORE, AFTER},
    {"dilatancy",
     MORTAR("\"tension\": 1e3, \"cohesion\": 1e3, \"fracture_energy\": 5, \"dilatancy\": 10, "
            "\"dilatancy_slip\": 0.01}], \"loads\": [{\"body\": \"high\", \"force\": [\"5000*t\", 0, -50]}"),
     BEFORE, AFTER},
    {"joints", JOINTS("", ""), BEFORE, AFTER},
    {"limits and springs", JOINTS("", ", \"limits\": [-0.2, 0.2], \"spring\": {\"stiffness\": 10, \"damping\": 0.1}"),
     BEFORE, AFTER},
    {"motor", JOINTS("", ", \"motor\": {\"speed\": \"2*sin(5*t)\", \"limit\": 50}"), BEFORE, AFTER},
    {"turns", JOINTS("", ", \"motor\": {\"position\": \"40*t\"}"), BEFORE, AFTER},
    {"a control", JOINTS("", ", \"motor\": {\"speed\": 1, \"limit\": 50}"), BEFORE, AFTER},
    {"prescribed motor", JOINTS("", ", \"motor\": {\"position\": \"0.1*sin(5*t)\"}"), BEFORE, AFTER},
    {"motor with gains",
     JOINTS("", ", \"motor\": {\"position\": \"0.1*sin(5*t)\", \"stiffness\": 200, \"damping\": 5}"), BEFORE, AFTER},
    {"armature", JOINTS("", ", \"armature\": 0.1, \"friction\": 0.5, \"compliance\": 1e-7"), BEFORE, AFTER},
    {"joints by shake", JOINTS("\"scheme\": \"shake\"", ", \"limits\": [-1, 0.5]"), BEFORE, AFTER},
    {"joints with controlled accuracy", JOINTS("\"accuracy\": 1e-5", ", \"limits\": [-1, 0.5]"), 3, 4},
    {"a driven table and a stop condition",
     "{\"voussoir\": 1, \"shapes\": {\"box\": {\"kind\": \"box\", \"half\": [0.1, 0.1, 0.1]}, \"table\": {\"kind\": "
     "\"box\", "
     "\"half\": [1, 1, 0.1]}}, \"bodies\": [{\"name\": \"table\", \"motion\": \"kinematic\", \"shape\": \"table\", "
     "\"drive\": {\"velocity\": [\"sin(20*t)\", 0, 0]}}, {\"name\": \"stone\", \"shape\": \"box\", \"position\": [0, "
     "0, "
     "0.2]}], \"stop\": [{\"when\": \"rest\", \"below\": 10, \"for\": 0.2, \"body\": \"stone\"}, {\"when\": "
     "\"displacement\", \"above\": 0.02, \"body\": \"stone\"}]}",
     BEFORE, AFTER},
    {"gravity that turns", "{\"voussoir\": 1, \"gravity\": [\"sin(t)\", 0, -9.81], " BODIES "}", BEFORE, AFTER},
    {"a flexible solid",
     "{\"voussoir\": 1, \"materials\": {\"m\": {\"mu\": 0.4}}, \"shapes\": {\"floor\": {\"kind\": \"plane\"}}, "
     "\"bodies\": "
     "[{\"name\": \"ground\", \"motion\": \"static\", \"shape\": \"floor\"}], \"flexible\": [{\"name\": \"cube\", "
     "\"mesh\": "
     "{\"kind\": \"box\", \"half\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}, \"elastic\": {\"young\": 1e5, \"beta\": "
     "1e-3}, "
     "\"position\": [0, 0, 0.11], \"velocity\": [0.5, 0, 0]}]}",
     BEFORE, AFTER},
    {"a flexible solid by shake",
     "{\"voussoir\": 1, \"solver\": {\"scheme\": \"shake\"}, \"shapes\": {\"floor\": {\"kind\": \"plane\"}}, "
     "\"bodies\": "
     "[{\"name\": \"ground\", \"motion\": \"static\", \"shape\": \"floor\"}], \"flexible\": [{\"name\": \"cube\", "
     "\"mesh\": "
     "{\"kind\": \"box\", \"half\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}, \"elastic\": {\"young\": 1e5}, "
     "\"position\": [0, 0, 0.11], \"velocity\": [0.5, 0, 0]}]}",
     BEFORE, AFTER},
    {"factories and sinks",
     "{\"voussoir\": 1, \"shapes\": {\"floor\": {\"kind\": \"plane\"}}, \"bodies\": [{\"motion\": \"static\", "
     "\"shape\": \"floor\"}], \"factories\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.02}, \"count\": "
     "20, \"rate\": 100, \"reuse\": true, \"within\": [[-0.1, -0.1, 0.1], [0.1, 0.1, 0.2]]}], \"sinks\": "
     "[{\"within\": [[0, -1, -1], [1, 1, 0.05]]}]}",
     BEFORE, AFTER},
    {"a beam",
     "{\"voussoir\": 1, \"flexible\": [{\"name\": \"rod\", \"points\": [[0, 0, 1], [0.25, 0, 1], [0.5, 0, 1], "
     "[0.75, 0, 1], [1, 0, 1]], \"section\": \"circle\", \"radius\": 0.01, \"elastic\": {\"young\": 1e8}}], "
     "\"joints\": [{\"kind\": \"fixed\", \"b\": \"rod.0\", \"frame\": {\"position\": [0, 0, 1]}}]}",
     BEFORE, AFTER},
};
enum { LAWS = sizeof laws / sizeof *laws };

static void every_law_goes_on_from_a_snapshot(void **state) {
    const fixture *f = *state;
    for (int k = 0; k < LAWS; k++)
        steps_are_the_same_again(f, &laws[k]);
}

// ---- parts ----------------------------------------------------------------------------------------------

enum { PARTS_MOST = 32 };

// For all parts in which two times of a law differ: is it noticed that a snapshot has the wrong one?
static void exchange_parts(const fixture *f, const scenario *c, char noticed[PARTS_MOST][5], int *count) {
    running r = run_to_snapshot(f, c);
    snapshot s = save(f, &r);
    const uint64_t right = take_steps(f, &r, c, c->before, c->after);
    must(vs_simulation_set_note(r.simulation, "another"), f->context);
    snapshot later = save(f, &r);
    for (const char *at = s.bytes + STATE_HEAD; at < s.bytes + s.count; at += part_bytes(at)) {
        const char *there = find_part(&later, at);
        int k = 0;
        while (k < *count && memcmp(noticed[k], at, 4) != 0)
            k++;
        if (k < *count || (part_bytes(at) == part_bytes(there) && memcmp(at, there, part_bytes(at)) == 0))
            continue;
        snapshot wrong = replace_part(&s, at, there, part_bytes(there));
        bool differs = vs_simulation_restore(r.simulation, wrong.bytes, wrong.count) != VS_OK;
        differs = differs || take_steps(f, &r, c, c->before, c->after) != right;
        free_snapshot(&wrong);
        if (differs)
            memcpy(noticed[(*count)++], at, 4);
    }
    free_snapshot(&s);
    free_snapshot(&later);
    end(&r);
}

static void each_part_of_a_snapshot_is_needed(void **state) {
    const fixture *f = *state;
    // Not SIGN and SOFT, which only warn of another scene and of other software.
    static const char *const needed[] = {"WRLD", "BODY", "JOIN", "CMND", "CTRL", "FLEX", "SCHM", "STEP", "LEAD",
                                         "IMPU", "FRIC", "BOND", "FLOW", "EVNT", "OUTC", "NOTE", "GATE"};
    char noticed[PARTS_MOST][5] = {{0}};
    int count = 0;
    for (int k = 0; k < LAWS; k++)
        exchange_parts(f, &laws[k], noticed, &count);
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        bool found = false;
        for (int i = 0; i < count; i++)
            found = found || strcmp(noticed[i], needed[k]) == 0;
        if (!found)
            fail_msg("a snapshot with the part %s of another time makes no difference", needed[k]);
    }
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(every_law_goes_on_from_a_snapshot),
        CASE(each_part_of_a_snapshot_is_needed),
        CASE(every_named_scene_goes_on_from_a_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
