// Statics of a world: interfaces, blocks and loads, taken once.
#include <math.h>

#include "statics/statics_data.h"
#include "voussoir/bond.h"

vs_interface_options vs_interface_options_default(void) {
    return (vs_interface_options){.angle = .01, .distance = 1e-3};
}

static vs_error check(const vs_world *world, const vs_interface_options *o) {
    if (!(o->angle > 0 && o->angle < .5))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "interfaces: angle must be between 0 and 0.5 rad, is %g",
                       o->angle);
    if (!(o->distance > 0 && o->distance < .5))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "interfaces: distance must be between 0 and 0.5, is %g",
                       o->distance);
    if (vs_world_get_joint_count(world) > 0)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "statics: the scene has joints; statics is for blocks with dry contacts, use 'voussoir run'");
    if (vs_world_get_mortar_count(world) > 0)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "statics: the scene has mortar; statics is for dry joints, remove it or use 'voussoir run'");
    if (world->flexible_slots.used > 0)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "statics: the scene has flexible bodies; statics is for rigid blocks, use 'voussoir run'");
    return VS_OK;
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

static void add_block(vs_statics *s, const vs_world *world, int index) {
    const vs_body *body = &world->body[index];
    const vs_kick now = vs_kick_over(world, 0);
    vs_block *b = &s->block[s->blocks++];
    *b = (vs_block){.id = {(uint32_t)index, body->generation},
                    .centre = body->pose.position,
                    .size = scale_of(world, body),
                    .mass = body->mass};
    const vs_mat3 R = vs_quat_matrix(body->pose.rotation), Rt = vs_mat3_transpose(&R);
    const vs_mat3 RI = vs_mat3_multiply(&R, &body->inertia);
    b->inertia = vs_mat3_multiply(&RI, &Rt);
    vs_body_push(world, index, &now, &b->force, &b->torque);
    b->force = vs_add_scaled(b->force, body->mass, world->gravity);
    s->weight += vs_length(b->force);
}

static vs_error take_blocks(vs_statics *s, const vs_world *world) {
    int count = 0;
    for (int k = 1; k < world->bodies; k++)
        count += world->body[k].alive && world->body[k].motion == VS_MOTION_DYNAMIC;
    if (count == 0)
        return vs_fail(s->context, VS_ERROR_DATA, "statics: the scene has no dynamic body; nothing can fall");
    s->block = VS_NEW_ZERO(&s->arena, vs_block, count);
    if (!s->block)
        return VS_ERROR_MEMORY;
    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].alive && world->body[k].motion == VS_MOTION_DYNAMIC)
            add_block(s, world, k);
    s->unit = s->weight > 0 ? s->weight / s->blocks : 1;
    for (int b = 0; b < count; b++)
        s->block[b].unit = s->unit;
    s->columns = 6 * s->blocks + 1;
    return VS_OK;
}

// ---- memory ------------------------------------------------------------------------------------------

static vs_error allocate(vs_statics *s) {
    const int contacts = s->interfaces.report.contacts, rows = 3 * contacts + 1;
    double **of_columns[] = {&s->load, &s->c, &s->a, &s->x, &s->target, &s->loose, &s->live, &s->total},
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

// Cones of dry friction, and faces of all bodies, are all that this knows.
static vs_error check_interfaces(const vs_statics *s, const vs_world *world) {
    if (s->interfaces.mesh >= 0) {
        const char *name = world->body[s->interfaces.mesh].name;
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "statics: body '%s' is a mesh or height field; use boxes, hulls or a plane as supports",
                       name ? name : "");
    }
    if (s->interfaces.beyond_coulomb)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "statics: a material has adhesion, rolling or spinning friction or a grain; remove it from the "
                       "scene");
    return VS_OK;
}

static vs_error fill(vs_statics *s, const vs_world *world, const vs_interface_options *options) {
    vs_error error = take_blocks(s, world);
    if (!error)
        error = vs_interfaces_find(world, options, &s->interfaces);
    if (!error)
        error = check_interfaces(s, world);
    if (!error)
        error = allocate(s);
    if (!error)
        error = vs_statics_make_rows(s);
    if (!error)
        vs_statics_reset_units(s);
    for (int b = 0; b < s->blocks && !error; b++)
        vs_statics_add_load(s, b, s->block[b].force, s->block[b].torque, s->load);
    return error ? error : vs_cone_program_create(s->context, &s->G, &s->program);
}

vs_error vs_statics_create(const vs_world *world, const vs_interface_options *options, vs_statics **statics) {
    if (!world || !statics)
        return VS_ERROR_ARGUMENT;
    *statics = NULL;
    const vs_interface_options chosen = options ? *options : vs_interface_options_default();
    vs_error error = check(world, &chosen);
    vs_statics *s = error ? NULL : vs_allocate(world->context, sizeof *s);
    if (!s)
        return error ? error : vs_fail_memory(world->context);
    *s = (vs_statics){.context = world->context, .gravity = world->gravity};
    vs_arena_init(&s->arena, world->context);
    error = fill(s, world, &chosen);
    if (error) {
        vs_statics_destroy(s);
        return error;
    }
    *statics = s;
    return VS_OK;
}

void vs_statics_destroy(vs_statics *s) {
    if (!s)
        return;
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

double vs_statics_get_weight(const vs_statics *s) {
    return s ? s->weight : 0;
}
