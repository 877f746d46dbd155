// A part of a state: what servos measured in the last step.
#include <float.h>

#include "body/servo/servo.h"
#include "step/state/parts.h"

void vs_visit_servos(vs_archive *a, const vs_state *s) {
    for (int k = 1; k < s->world->bodies && !a->error; k++) {
        const vs_body *body = &s->world->body[k];
        if (!body->servo)
            continue;
        double force = body->servo->force;
        vs_archive_begin_item(a, "servo", k, body->name);
        vs_archive_real(a, &force, -DBL_MAX, DBL_MAX, "force");
        if (vs_archive_loads(a))
            body->servo->force = force;
    }
}
