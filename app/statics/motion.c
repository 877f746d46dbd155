// The relative motion of a mechanism at its interfaces.
#include "statics/motion.h"

#include <math.h>
#include <string.h>

static const double MOVES = 1e-6; // m/s, with the fastest block at 1 m/s: less is none

// Velocity of the point p of a body; zero unless it is a block.
static vs_vec3 velocity_at(const app_assembly *a, const vs_mechanism *m, vs_body_id id, vs_vec3 p) {
    const int count = vs_statics_get_block_count(a->statics);
    vs_body_state state;
    for (int k = 0; k < count; k++) {
        const vs_body_id block = vs_statics_get_block(a->statics, k);
        if (block.index != id.index || vs_world_get_body_state(a->scene->world, id, &state) != VS_OK)
            continue;
        const vs_vec3 v = m->velocity[k], w = m->spin[k], c = state.pose.position;
        const vs_vec3 r = {p.x - c.x, p.y - c.y, p.z - c.z};
        return (vs_vec3){v.x + w.y * r.z - w.z * r.y, v.y + w.z * r.x - w.x * r.z, v.z + w.x * r.y - w.y * r.x};
    }
    return (vs_vec3){0, 0, 0};
}

static app_joint_motion motion_of(const app_assembly *a, const vs_mechanism *m, const vs_interface *i) {
    app_joint_motion motion = {.at = *i, .opening = {(double)INFINITY, -(double)INFINITY}};
    for (int k = i->first; k < i->first + i->corners; k++) {
        const vs_vec3 p = vs_statics_get_point(a->statics, k);
        const vs_vec3 of_a = velocity_at(a, m, i->a, p), of_b = velocity_at(a, m, i->b, p);
        const vs_vec3 u = {of_b.x - of_a.x, of_b.y - of_a.y, of_b.z - of_a.z};
        const double n = u.x * i->normal.x + u.y * i->normal.y + u.z * i->normal.z;
        motion.opening[0] = fmin(motion.opening[0], n);
        motion.opening[1] = fmax(motion.opening[1], n);
        motion.slip = fmax(motion.slip, sqrt(fmax(0, u.x * u.x + u.y * u.y + u.z * u.z - n * n)));
    }
    return motion;
}

static double size_of(const app_joint_motion *m) {
    return fmax(fabs(m->opening[1]), m->slip);
}

int app_joint_motions(const app_assembly *a, const vs_mechanism *mechanism, app_joint_motion *motion, int most) {
    const int interfaces = vs_statics_get_report(a->statics).interfaces;
    int count = 0;
    for (int k = 0; k < interfaces; k++) {
        vs_interface i;
        if (vs_statics_get_interface(a->statics, k, &i) != VS_OK)
            break;
        const app_joint_motion m = motion_of(a, mechanism, &i);
        int place = count;
        while (place > 0 && size_of(&motion[place - 1]) < size_of(&m))
            place--;
        if (!(size_of(&m) > MOVES) || place == most)
            continue;
        count = count < most ? count + 1 : most;
        memmove(motion + place + 1, motion + place, (size_t)(count - 1 - place) * sizeof *motion);
        motion[place] = m;
    }
    return count;
}
