// Statics of a world: interfaces, blocks and loads, taken once.
#include <math.h>
#include <stdio.h>

#include "statics/scope.h"
#include "statics/strength.h"

vs_interface_options vs_interface_options_default(void) {
    return (vs_interface_options){.angle = .01, .distance = 1e-3, .time = (double)NAN};
}

// ---- blocks ------------------------------------------------------------------------------------------

// Largest distance of a collider from the centre of mass.
static double size_of(const vs_world *world, const vs_body *body) {
    double size = 0;
    for (int k = body->first_collider; k >= 0; k = world->collider[k].next) {
        const vs_collider *c = &world->collider[k];
        size = fmax(size, vs_shape_arm(c->shape, c->pose));
    }
    return size;
}

// Radius of gyration: the size of a body as far as forces are concerned. Bodies without shape have one, too.
static double scale_of(const vs_world *world, const vs_body *body) {
    const double trace = body->inertia.a[0] + body->inertia.a[4] + body->inertia.a[8];
    const double gyration = sqrt(.5 * trace / body->mass), size = size_of(world, body);
    return gyration > 0 && isfinite(gyration) ? gyration : size;
}

static vs_error add_block(vs_statics *s, const vs_world *world, int index, double time) {
    const vs_body *body = &world->body[index];
    vs_block *b = &s->block[s->blocks++];
    *b = (vs_block){.id = {(uint32_t)index, body->generation},
                    .centre = body->pose.position,
                    .size = scale_of(world, body),
                    .mass = body->mass};
    const vs_mat3 R = vs_quat_matrix(body->pose.rotation), Rt = vs_mat3_transpose(&R);
    const vs_mat3 RI = vs_mat3_multiply(&R, &body->inertia);
    b->inertia = vs_mat3_multiply(&RI, &Rt);
    vs_body_push(world, index, time, &b->force, &b->torque);
    const vs_error error = vs_statics_check_load(world, index, time, b->force, b->torque);
    b->force = vs_add_scaled(b->force, body->mass, s->gravity);
    s->weight += vs_length(b->force);
    return error;
}

static vs_error take_blocks(vs_statics *s, const vs_world *world, double time) {
    int count = 0;
    vs_error error = VS_OK;
    for (int k = 1; k < world->bodies; k++)
        count += world->body[k].alive && world->body[k].motion == VS_MOTION_DYNAMIC;
    if (count == 0)
        return vs_fail(s->context, VS_ERROR_DATA, "statics: the scene has no dynamic body; nothing can fall");
    s->block = VS_NEW_ZERO(&s->arena, vs_block, count);
    if (!s->block)
        return VS_ERROR_MEMORY;
    for (int k = 1; k < world->bodies && !error; k++)
        if (world->body[k].alive && world->body[k].motion == VS_MOTION_DYNAMIC)
            error = add_block(s, world, k, time);
    s->unit = s->weight > 0 ? s->weight / s->blocks : 1;
    for (int b = 0; b < count; b++)
        s->block[b].unit = s->unit;
    s->columns = 6 * s->blocks + 1;
    return error;
}

// ---- memory ------------------------------------------------------------------------------------------

static vs_error allocate(vs_statics *s) {
    const int contacts = s->interfaces.report.contacts, rows = 3 * contacts + s->bounds + s->links + 1;
    double **of_columns[] = {&s->load, &s->c, &s->a, &s->x, &s->target, &s->loose, &s->live, &s->total, &s->shift},
           **of_rows[] = {&s->h, &s->z, &s->inner, &s->optimal};
    bool made = true;
    for (size_t k = 0; k < sizeof of_columns / sizeof of_columns[0]; k++)
        made = (*of_columns[k] = VS_NEW_ZERO(&s->arena, double, s->columns)) && made;
    for (size_t k = 0; k < sizeof of_rows / sizeof of_rows[0]; k++)
        made = (*of_rows[k] = VS_NEW_ZERO(&s->arena, double, rows)) && made;
    s->axis = VS_NEW_ZERO(&s->arena, vs_vec3, 3 * (int64_t)s->interfaces.report.interfaces + 1);
    s->of_contact = VS_NEW_ZERO(&s->arena, int, contacts + 1);
    s->force = VS_NEW_ZERO(&s->arena, vs_vec3, contacts + 1);
    s->velocity = VS_NEW_ZERO(&s->arena, vs_vec3, s->blocks);
    s->spin = VS_NEW_ZERO(&s->arena, vs_vec3, s->blocks);
    return made && s->axis && s->of_contact && s->force && s->velocity && s->spin ? VS_OK : VS_ERROR_MEMORY;
}

// Stones that overlap deeply have no equilibrium that means anything. The interfaces can still be looked at.
static void note_overlap(vs_statics *s, const vs_world *world) {
    const vs_interfaces *found = &s->interfaces;
    char name[2][VS_STATICS_NAME];
    if (found->deep[0] < 0)
        return;
    vs_statics_name_body(world, found->deep[0], name[0]);
    vs_statics_name_body(world, found->deep[1], name[1]);
    (void)snprintf(s->refusal, sizeof s->refusal,
                   "statics: bodies '%s' and '%s' overlap by %.3g m, more than %.3g m (distance times the size of the "
                   "smaller one); move them apart, or allow more with --distance",
                   name[0], name[1], found->depth, found->allowed);
}

vs_error vs_statics_check(const vs_statics *s) {
    return s->refusal[0] ? vs_fail(s->context, VS_ERROR_DATA, "%s", s->refusal) : VS_OK;
}

static vs_error fill(vs_statics *s, const vs_world *world, const vs_interface_options *options, vs_outline outline) {
    const double time = isnan(options->time) ? world->time : options->time;
    s->gravity = world->gravity_changes ? vs_signals_at(world->gravity_signal, time) : world->gravity;
    const vs_round_faces round = {outline, vs_length(options->toward) > 0 ? options->toward : s->gravity};
    vs_error error = take_blocks(s, world, time);
    if (!error)
        error = vs_statics_take_joints(s, world);
    if (!error)
        error = vs_interfaces_find(world, options, &round, &s->interfaces);
    if (!error)
        error = vs_statics_check_interfaces(world, &s->interfaces, options->time);
    if (!error)
        note_overlap(s, world);
    if (!error)
        error = vs_statics_take_mortar(s, world);
    if (!error)
        error = allocate(s);
    if (!error)
        error = vs_statics_make_rows(s);
    if (!error)
        vs_statics_reset_units(s);
    for (int b = 0; b < s->blocks && !error; b++)
        vs_statics_add_load(s, b, s->block[b].force, s->block[b].torque, s->load);
    if (!error)
        vs_statics_shift_load(s);
    return error ? error : vs_cone_program_create(s->context, &s->G, &s->program);
}

static vs_error create(const vs_world *world, const vs_interface_options *options, vs_outline outline,
                       vs_statics **statics) {
    vs_statics *s = vs_allocate(world->context, sizeof *s);
    if (!s)
        return vs_fail_memory(world->context);
    *s = (vs_statics){.context = world->context};
    vs_arena_init(&s->arena, world->context);
    vs_error error = fill(s, world, options, outline);
    if (!error && s->interfaces.round && outline == VS_OUTLINE_INSIDE)
        error = create(world, options, VS_OUTLINE_AROUND, &s->around);
    if (error) {
        vs_statics_destroy(s);
        return error;
    }
    *statics = s;
    return VS_OK;
}

vs_error vs_statics_create(const vs_world *world, const vs_interface_options *options, vs_statics **statics) {
    if (!world || !statics)
        return VS_ERROR_ARGUMENT;
    *statics = NULL;
    const vs_interface_options chosen = options ? *options : vs_interface_options_default();
    const vs_error error = vs_statics_check_world(world, &chosen);
    return error ? error : create(world, &chosen, VS_OUTLINE_INSIDE, statics);
}

void vs_statics_destroy(vs_statics *s) {
    if (!s)
        return;
    vs_statics_destroy(s->around);
    vs_cone_program_destroy(s->program);
    vs_interfaces_release(s->context, &s->interfaces);
    vs_arena_release(&s->arena);
    vs_release(s->context, s);
}

// ---- views -------------------------------------------------------------------------------------------

vs_interface_report vs_statics_get_report(const vs_statics *s) {
    return s ? s->interfaces.report : (vs_interface_report){0};
}

vs_error vs_statics_get_interface(const vs_statics *s, int k, vs_interface *found) {
    if (!s || !found)
        return VS_ERROR_ARGUMENT;
    if (k < 0 || k >= s->interfaces.report.interfaces)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "statics: there is no interface %d, only %d of them", k,
                       s->interfaces.report.interfaces);
    *found = s->interfaces.list.data[k];
    return VS_OK;
}

vs_vec3 vs_statics_get_point(const vs_statics *s, int contact) {
    return s && contact >= 0 && contact < s->interfaces.report.contacts ? s->interfaces.point.data[contact] : VS_ZERO3;
}

int vs_statics_get_block_count(const vs_statics *s) {
    return s ? s->blocks : 0;
}

vs_body_id vs_statics_get_block(const vs_statics *s, int k) {
    return s && k >= 0 && k < s->blocks ? s->block[k].id : (vs_body_id){0, 0};
}

int vs_statics_get_joint_count(const vs_statics *s) {
    return s ? s->joints : 0;
}

double vs_statics_get_weight(const vs_statics *s) {
    return s ? s->weight : 0;
}
