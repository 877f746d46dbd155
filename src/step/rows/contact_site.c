// Frames and right-hand sides of contacts: see contact_site.h.
#include "step/rows/contact_site.h"

#include <math.h>

#include "material/friction.h"
#include "material/material.h"
#include "step/rows/point_jacobian.h"
#include "step/rows/soft_contact.h"

static const double LEAST_GRAIN = 1e-3; // sine of its angle with the normal: less has no direction
static const double SLOP = 1e-9;        // of a body's size
static const double FAR = 10;           // sizes of a body, approached within a step of shake: its impacts have no time
static const double ADHERES = 1e-4;     // of a body's size: gaps over which a contact that touched still adheres
static const double CONTROLLED_SLOP = .1; // of the accuracy
// Of the size: overlaps of contacts that are not located are errors below this, too. A coarse accuracy is no reason to sink
// through a thin wall.
static const double DEEPEST = 1e-3;

void vs_contact_rows_release(vs_context *context, vs_contact_rows *rows) {
    VS_ARRAY_RELEASE(context, &rows->mark);
    VS_ARRAY_RELEASE(context, &rows->frame);
    VS_ARRAY_RELEASE(context, &rows->size);
    VS_ARRAY_RELEASE(context, &rows->offset);
    VS_ARRAY_RELEASE(context, &rows->restitution);
    VS_ARRAY_RELEASE(context, &rows->adhesion);
    VS_ARRAY_RELEASE(context, &rows->impact_time);
    VS_ARRAY_RELEASE(context, &rows->stretch);
}

vs_error vs_contact_rows_reserve(vs_contact_rows *rows, vs_context *context, int contacts) {
    vs_error error = VS_RESERVE(context, &rows->frame, 3 * (int64_t)contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->mark, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->size, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->restitution, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->adhesion, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->impact_time, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->stretch, contacts);
    return error ? error : VS_RESERVE(context, &rows->offset, 3 * (int64_t)contacts);
}

// ---- a contact between any two things --------------------------------------------------------------

// Axes of a contact. With a grain u is along it, and w is stretched: contact_rows.h.
void vs_contact_site_set_frame(vs_contact_rows *rows, const vs_contact_site *site) {
    vs_vec3 *frame = rows->frame.data + 3 * (int64_t)site->index;
    double *stretch = &rows->stretch.data[site->index];
    vs_contact_frame(site->normal, frame);
    *stretch = 1;
    if (!(site->material->across > 0))
        return;
    const vs_vec3 along = vs_add_scaled(site->grain, -vs_dot(site->grain, site->normal), site->normal);
    if (!(vs_length(along) > LEAST_GRAIN))
        return;
    *stretch = site->material->across / site->material->mu;
    frame[1] = vs_normalize(along);
    frame[2] = vs_scale(*stretch, vs_cross(site->normal, frame[1]));
}

vs_row_group vs_contact_rows_group(const vs_contact_site *site) {
    const vs_material *material = site->material;
    bool rolls = site->point && material->rolling > 0, spins = site->point && material->spinning > 0;
    bool friction = material->mu > 0 || rolls || spins;
    return (vs_row_group){.kind = friction ? VS_GROUP_FRICTION : VS_GROUP_FRICTIONLESS,
                          .rows = friction ? 3 + 2 * rolls + spins : 1,
                          .mu = material->mu,
                          .rolling = rolls ? material->rolling : 0,
                          .spinning = spins ? material->spinning : 0,
                          .elliptic =
                              (rolls || spins) && material->mu > 0 && material->coupling == VS_COUPLING_ELLIPTIC,
                          .key = site->key,
                          .source = site->index};
}

vs_error vs_contact_rows_begin(vs_contact_rows *rows, const vs_step_view *view, const vs_contact_site *site,
                               const vs_row_group *group, vs_row_group **added) {
    vs_error error = vs_row_groups_add(view->groups, view->world->context, *group, added);
    if (error)
        return error;
    vs_contact_site_set_frame(rows, site);
    rows->mark.data[site->index] = site->mark;
    rows->size.data[site->index] = site->size;
    bool closed = site->gap <= (isfinite(site->size) ? ADHERES * site->size : 0);
    rows->adhesion.data[site->index] = closed ? view->kick->push * site->material->adhesion : 0;
    return VS_OK;
}

double vs_contact_rows_slop(double size) {
    return isfinite(size) ? SLOP * size : 0;
}

double vs_contact_rows_controlled_slop(const vs_simulation_options *options, double size) {
    return CONTROLLED_SLOP * vs_contact_rows_deepest(options, size);
}

double vs_contact_rows_deepest(const vs_simulation_options *options, double size) {
    return isfinite(size) ? fmin(options->accuracy, DEEPEST) * size : 0;
}

double vs_contact_rows_least_impact(const vs_simulation_options *options, const vs_world *world, double size) {
    const double gravity = vs_length(world->gravity), depth = isfinite(size) ? options->accuracy * size : 0;
    if (options->restitution_speed >= 0)
        return options->restitution_speed;
    return gravity > 0 ? sqrt(2 * gravity * depth) : depth; // without gravity: depth in a second
}

double vs_contact_rows_slowest_impact(const vs_simulation_options *options, const vs_world *world, double h) {
    return options->restitution_speed < 0 ? 2 * vs_length(world->gravity) * h : options->restitution_speed;
}

// m/s, at most, with which a penetration opens. The body keeps it, and short controlled steps would throw it off: there
// a penetration of a L opens with the speed a sqrt(g L) that may be an error.
static double find_recovery_speed(const vs_step_view *view, const vs_contact_site *site) {
    const double g = vs_length(view->world->gravity), h = view->kick->h, size = site->size;
    if (view->options->recovery_speed > 0)
        return view->options->recovery_speed;
    if (!isfinite(size))
        return 1;
    const double fast = fmin(.1 / h, 1) * size;
    return view->kick->half ? fmin(fast, fmax(-site->gap, 0) * (g > 0 ? sqrt(g / size) : 1)) : fast;
}

// Right-hand side of the normal row without restitution: closes the gap, or opens a penetration.
static double closing_offset(const vs_step_view *view, const vs_contact_site *site, int block) {
    const vs_simulation_options *options = view->options;
    double h = view->kick->h, size = site->size, gap = site->gap;
    double v_rec = find_recovery_speed(view, site);
    // Gaps and penetrations within the tolerance of earlier steps are not corrected: a wall at rest then poses the same
    // problem in each step.
    double slop = view->kick->half ? vs_contact_rows_controlled_slop(options, size) : vs_contact_rows_slop(size);
    const bool calm = view->calm && view->calm[block] && !(site->material->compliance > 0);
    gap = calm ? fmax(gap, 0) : gap;
    if (site->late)
        return -gap / h;
    gap -= fmin(fmax(gap, -slop), slop);
    return -fmax(gap / h, -v_rec);
}

static bool rebounds(const vs_step_view *view, const vs_contact_site *site, double u_old, double u_free) {
    const vs_simulation_options *options = view->options;
    if (vs_material_is_soft(site->material) || site->bonded)
        return false; // its spring does, or it is crushed
    const double h = view->kick->h;
    if (view->kick->half)
        return view->kick->length == 0 && -u_old > vs_contact_rows_least_impact(options, view->world, site->size) &&
               vs_restitution_at(site->material, -u_old) > 0;
    const double v_min = vs_contact_rows_slowest_impact(options, view->world, h);
    return vs_restitution_at(site->material, -u_old) > 0 && site->gap + h * u_free <= 0 && -u_old > v_min;
}

// The normal row in the stages of rattle.
static void set_half_kick(const vs_step_view *view, const vs_contact_site *site, double u_old, vs_row_values values,
                          bool impact, double *offset) {
    const vs_kick *kick = view->kick;
    const bool soft = site->material->compliance > 0;
    if (soft) {
        offset[0] = u_old - site->gap / kick->mean;
        values.E[0] = site->material->compliance / (kick->mean * kick->length);
    } else if (kick->level && !impact) {
        offset[0] = 0;
    }
    if (soft || kick->level)
        values.recovery[0] = 0;
}

// An impact within a step of shake, at the time t after its beginning. Velocities are those of the middle of steps: forces change
// the speed u by a = u_free - u_old per step, and
//
//     gap + t (u_old + (1 + t/h)/2 a) = 0,    u_- = u_old + (1/2 + t/h) a,    u(k+1/2) = -e u_- + (1/2 - t/h) a
//
// A body that comes from far away within the step meets at its beginning, as with Moreau's scheme: what the impact sets in
// motion could otherwise pass through others in the rest of the step.
static double set_impact(const vs_step_view *view, const vs_contact_site *site, int block, double e,
                         vs_row_speeds speeds, double *time) {
    const double h = view->kick->h, a = speeds.free - speeds.old;
    if (!view->collision || !view->kick->centred || view->kick->half || view->blocks->flexible ||
        -h * speeds.old > FAR * site->size)
        return -e * speeds.old;
    const double latest = view->latest_impact ? fmin(view->latest_impact[block], h) : h;
    double t = 0;
    for (int k = 0; k < 3; k++)
        t = fmin(fmax(-site->gap / (speeds.old + .5 * (1 + t / h) * a), 0), latest);
    *time = t;
    return fmax(-e * (speeds.old + (.5 + t / h) * a) + (.5 - t / h) * a, 0);
}

static void set_soft(const vs_step_view *view, const vs_contact_site *site, double u_old, vs_row_values values,
                     double *offset) {
    const vs_soft_state state = {.gap = site->gap,
                                 .u_old = u_old,
                                 .inverse_mass = site->inverse_mass > 0 ? site->inverse_mass : INFINITY,
                                 .least = isfinite(site->size) ? SLOP * site->size : SLOP};
    vs_soft_contact_row(site->material, &state, view->kick->h, view->kick->length, &values.E[0], &offset[0]);
    values.recovery[0] = 0;
}

void vs_contact_rows_set(vs_contact_rows *rows, const vs_step_view *view, const vs_contact_site *site,
                         const vs_row_group *added, int i, vs_row_speeds speeds) {
    vs_row_values values = vs_row_groups_values(view->groups, added);
    double h = view->kick->h, *offset = rows->offset.data + 3 * (int64_t)site->index;
    double factor = view->restitution_factor ? view->restitution_factor[added->block[0]] : 1;
    double *e = &rows->restitution.data[site->index];
    if (i == 0) {
        bool impact = rebounds(view, site, speeds.old, speeds.free);
        *e = factor * vs_restitution_at(site->material, -speeds.old);
        rows->impact_time.data[site->index] = -1;
        offset[0] = impact ? set_impact(view, site, added->block[0], *e, speeds, &rows->impact_time.data[site->index])
                           : closing_offset(view, site, added->block[0]);
        values.recovery[0] = impact ? 0 : fmax(offset[0], 0);
        values.E[0] = site->material->compliance / (h * h);
        if (view->kick->half)
            set_half_kick(view, site, speeds.old, values, impact, offset);
        if (vs_material_is_soft(site->material))
            set_soft(view, site, speeds.old, values, offset);
    } else if (i < 3) {
        bool impact = offset[0] > 0 && values.recovery[0] == 0;
        offset[i] = impact && site->material->impact == VS_IMPACT_MOREAU ? -*e * speeds.old : 0;
    }
    values.b[i] = (i < 3 ? offset[i] : 0) - speeds.prescribed;
    values.prescribed[i] = speeds.prescribed;
    values.prescribed_mean[i] = speeds.prescribed_mean;
}
