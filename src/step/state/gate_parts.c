// A part of a state: the gates of the world, and which bodies are absent.
#include <float.h>

#include "body/gate/gate.h"
#include "step/state/parts.h"

static void visit_gate(vs_archive *a, vs_gate *to) {
    vs_gate gate = *to;
    int64_t draws = (int64_t)gate.draws;
    vs_archive_same(a, gate.sink);
    vs_archive_same(a, gate.bodies);
    vs_archive_integer(a, &gate.passed, 0, INT64_MAX, "number of bodies that passed");
    vs_archive_real(a, &gate.mass, 0, DBL_MAX, "mass that passed");
    vs_archive_number(a, &gate.energy);
    vs_archive_integer(a, &gate.waiting, 0, INT64_MAX, "number of waiting bodies");
    vs_archive_int(a, &gate.next, 0, gate.bodies, "next body");
    vs_archive_integer(a, &draws, 0, INT64_MAX, "number of random numbers");
    gate.draws = (uint64_t)draws;
    if (vs_archive_loads(a))
        *to = gate;
}

void vs_visit_gates(vs_archive *a, const vs_state *s) {
    vs_world *world = s->world;
    for (int k = 0; k < world->gates && !a->error; k++) {
        vs_archive_begin_item(a, "gate", k, world->gate[k].name);
        visit_gate(a, &world->gate[k]);
    }
    for (int k = 0; k < world->bodies && !a->error; k++) {
        bool absent = world->body[k].absent;
        vs_archive_begin_item(a, "body", k, world->body[k].name);
        vs_archive_flag(a, &absent, "whether it is absent");
        if (vs_archive_loads(a))
            world->body[k].absent = absent;
    }
    if (vs_archive_loads(a))
        world->topology++;
}
