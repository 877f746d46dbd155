// Pairs that pass through each other within a trial: see passing.h.
#include "step/controlled/passing.h"

#include <math.h>

static const double NEVER = 2;

static vs_error set_paths(vs_simulation *s, double h) {
    vs_swept_pairs *pairs = &s->contacts.swept;
    const vs_world *world = s->world;
    vs_error error = VS_RESERVE(s->context, &pairs->path, world->bodies);
    if (!error)
        error = VS_RESERVE(s->context, &pairs->bound, world->bodies);
    if (error)
        return error;
    pairs->path.count = pairs->bound.count = world->bodies;
    for (int k = 0; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        const bool moves = vs_body_takes_part(body) && body->motion != VS_MOTION_STATIC;
        const vs_path path = vs_path_between(moves ? s->saved.body.data[k].pose : body->pose, body->pose,
                                             moves ? vs_scale(h, body->spin) : VS_ZERO3);
        pairs->path.data[k] = path;
        pairs->bound.data[k] = (vs_motion_bound){vs_length(path.way), vs_length(path.turn)};
    }
    return VS_OK;
}

vs_error vs_passing_find(vs_simulation *s, double h, double *first) {
    vs_swept_pairs *pairs = &s->contacts.swept;
    *first = NEVER;
    vs_error error = set_paths(s, h);
    if (error || !vs_swept_pairs_expected(pairs, s->contacts.collision))
        return error;
    error = vs_swept_pairs_find(pairs, s->contacts.collision);
    for (int64_t k = 0; k < pairs->pair.count && !error; k++)
        *first = fmin(*first, vs_swept_pairs_meet(pairs, s->world, pairs->pair.data[k], 0, false));
    return error;
}
