// Materials and pairs of materials, colliders, and which of them may collide.
//
// Two materials without an entry of their own:
//
//     mu = sqrt(mu_a mu_b),  restitution = max(restitution_a, restitution_b),  compliance = compliance_a + compliance_b,
//     Moreau's law of impact if either has it; tables over a speed: speed_table.c
//     rolling, spinning, adhesion: the larger; coupling: elliptic if either is; other laws: contact_law.c
//
// Colliders of a body are a doubly linked list through the array, newest first.
#include "body/check.h"
#include "body/contact_law.h"
#include "body/speed_table.h"
#include "body/world_data.h"

#include <string.h>

#include "base/array.h"

// ---- materials -------------------------------------------------------------------------------------

vs_material vs_material_default(void) {
    return (vs_material){.mu = .5};
}

// `points`: most of its tables.
static vs_error check_material(vs_context *context, const vs_material *m, int points) {
    if (!(m->mu >= 0) || !isfinite(m->mu))
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: mu must not be negative (is %g)", m->mu);
    if (!(m->compliance >= 0) || !isfinite(m->compliance))
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: compliance must not be negative (is %g)", m->compliance);
    const struct {
        const char *name;
        double value;
    } more[] = {{"rolling", m->rolling}, {"spinning", m->spinning}, {"adhesion", m->adhesion}};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        if (!(more[k].value >= 0) || !isfinite(more[k].value))
            return vs_fail(context, VS_ERROR_ARGUMENT, "material: %s must not be negative (is %g)", more[k].name,
                           more[k].value);
    if ((unsigned)m->impact > VS_IMPACT_MOREAU)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: impact: unknown value %d", (int)m->impact);
    if ((unsigned)m->coupling > VS_COUPLING_ELLIPTIC)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: coupling: unknown value %d", (int)m->coupling);
    const vs_error error = vs_contact_law_check(context, m);
    return error ? error : vs_speed_tables_check(context, m, points);
}

// With friction over the speed, mu is that at rest.
static vs_material at_rest(const vs_material *material) {
    vs_material m = *material;
    if (m.mu_table.count > 0)
        m.mu = m.mu_table.value[0];
    return m;
}

// Both arrays have the same capacity; they grow one after the other.
static vs_error reserve_material(vs_world *world) {
    vs_context *context = world->context;
    const int wanted = world->materials + 1;
    int64_t capacity = world->material_capacity;
    vs_error error = vs_array_reserve(context, &world->material_name, &capacity, wanted, sizeof *world->material_name);
    if (!error)
        error = vs_array_reserve(context, &world->material, &world->material_capacity, wanted, sizeof *world->material);
    return error;
}

vs_error vs_world_add_material(vs_world *world, const vs_material *material, const char *name, int *index) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    vs_context *context = world->context;
    if (!material)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: material is null");
    if (vs_names_find(&world->material_names, name) >= 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "material: the name \"%s\" is already in use", name);
    char *copy = NULL;
    const vs_material given = at_rest(material);
    vs_error error = check_material(context, &given, VS_TABLE_POINTS);
    if (!error)
        error = reserve_material(world);
    if (!error)
        error = vs_copy_text(context, name, &copy);
    if (!error && copy)
        error = vs_names_add(context, &world->material_names, copy, world->materials);
    if (error) {
        vs_release(context, copy);
        return error;
    }
    world->material[world->materials] = given;
    world->material_name[world->materials] = copy;
    if (index)
        *index = world->materials;
    world->materials++;
    return VS_OK;
}

int vs_world_find_material(const vs_world *world, const char *name) {
    return world ? vs_names_find(&world->material_names, name) : -1;
}

// Position of the pair a <= b in the sorted list, or where to insert it.
static int find_pair(const vs_world *world, int a, int b) {
    int low = 0, high = world->pairs;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const vs_material_pair *pair = &world->pair[middle];
        if (pair->a < a || (pair->a == a && pair->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_material(const vs_world *world, int index) {
    return index >= 0 && index < (world->materials > 0 ? world->materials : 1);
}

vs_error vs_world_set_material_pair(vs_world *world, int a, int b, const vs_material *material) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    vs_context *context = world->context;
    if (!is_material(world, a) || !is_material(world, b) || !material)
        return vs_fail(context, VS_ERROR_ARGUMENT, "pair of materials %d and %d: only %d materials exist", a, b,
                       world->materials);
    const vs_material given = at_rest(material);
    vs_error error = check_material(context, &given, 2 * VS_TABLE_POINTS);
    if (error)
        return error;
    int low = a < b ? a : b, high = a < b ? b : a, at = find_pair(world, low, high);
    bool there = at < world->pairs && world->pair[at].a == low && world->pair[at].b == high;
    if (!there) {
        if (vs_array_reserve(context, &world->pair, &world->pair_capacity, world->pairs + 1, sizeof *world->pair))
            return VS_ERROR_MEMORY;
        memmove(world->pair + at + 1, world->pair + at, sizeof *world->pair * (size_t)(world->pairs - at));
        world->pairs++;
    }
    world->pair[at] = (vs_material_pair){low, high, given};
    return VS_OK;
}

vs_material vs_world_get_material_pair(const vs_world *world, int a, int b) {
    if (!world || !is_material(world, a) || !is_material(world, b))
        return vs_material_default();
    int low = a < b ? a : b, high = a < b ? b : a, at = find_pair(world, low, high);
    if (at < world->pairs && world->pair[at].a == low && world->pair[at].b == high)
        return world->pair[at].material;
    vs_material p = world->materials > 0 ? world->material[a] : vs_material_default();
    vs_material q = world->materials > 0 ? world->material[b] : vs_material_default();
    vs_material pair = {.mu = sqrt(p.mu * q.mu),
                        .compliance = p.compliance + q.compliance,
                        .impact = p.impact > q.impact ? p.impact : q.impact,
                        .rolling = fmax(p.rolling, q.rolling),
                        .spinning = fmax(p.spinning, q.spinning),
                        .adhesion = fmax(p.adhesion, q.adhesion),
                        .coupling = p.coupling > q.coupling ? p.coupling : q.coupling};
    vs_speed_tables_combine(&p, &q, &pair);
    vs_contact_law_combine(&p, &q, &pair);
    return pair;
}

bool vs_world_meets_softly(const vs_world *world, int collider_a, int collider_b) {
    const vs_material material =
        vs_world_get_material_pair(world, world->collider[collider_a].material, world->collider[collider_b].material);
    return vs_material_is_soft(&material);
}

// ---- colliders -------------------------------------------------------------------------------------

vs_collider_def vs_collider_def_default(void) {
    return (vs_collider_def){.pose = VS_IDENTITY_POSE, .group = 1, .mask = UINT32_MAX};
}

static vs_error check_collider(const vs_world *world, vs_collider_def *def, int *body) {
    vs_context *context = world->context;
    *body = vs_world_body_index(world, def->body);
    if (*body < 0)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "collider: the body does not exist; it was removed, or the id is of another world");
    if (!def->shape)
        return vs_fail(context, VS_ERROR_ARGUMENT, "collider: the shape is null");
    vs_shape_kind kind = vs_shape_get_kind(def->shape);
    bool fixed = kind == VS_SHAPE_PLANE || kind == VS_SHAPE_HEIGHT_FIELD;
    if (fixed && world->body[*body].motion == VS_MOTION_DYNAMIC)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "collider: planes and height fields need a static or kinematic body");
    if (!is_material(world, def->material))
        return vs_fail(context, VS_ERROR_ARGUMENT, "collider: material %d does not exist, there are %d", def->material,
                       world->materials);
    if (!vs_is_finite3(def->surface_velocity))
        return vs_fail(context, VS_ERROR_ARGUMENT, "collider: the surface velocity is not finite");
    if (!vs_is_finite3(def->grain))
        return vs_fail(context, VS_ERROR_ARGUMENT, "collider: the grain is not finite");
    return vs_check_pose(context, "collider", &def->pose);
}

static vs_error reserve_collider(vs_world *world, int *index) {
    return vs_slots_make_room(world->context, &world->collider_slots, &world->collider, &world->collider_capacity,
                              sizeof *world->collider, index);
}

vs_error vs_world_add_collider(vs_world *world, const vs_collider_def *def, vs_collider_id *id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!def)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "collider: def is null");
    vs_collider_def checked = *def;
    int body = 0, index = 0;
    vs_error error = check_collider(world, &checked, &body);
    if (!error)
        error = reserve_collider(world, &index);
    // Material 0 becomes the default one: a material added later must not change this collider.
    const vs_material normal = vs_material_default();
    if (!error && world->materials == 0)
        error = vs_world_add_material(world, &normal, NULL, NULL);
    if (error)
        return error;

    vs_body *owner = &world->body[body];
    vs_collider *collider = &world->collider[index];
    uint32_t generation = collider->generation + 1;
    *collider = (vs_collider){.generation = generation ? generation : 1,
                              .alive = true,
                              .body = body,
                              .next = owner->first_collider,
                              .previous = -1,
                              .shape = checked.shape,
                              .pose = checked.pose,
                              .material = checked.material,
                              .group = checked.group,
                              .mask = checked.mask,
                              .surface_velocity = checked.surface_velocity,
                              .sensor = checked.sensor};
    if (vs_length(checked.grain) > 0)
        collider->grain = vs_normalize(checked.grain);
    vs_shape_retain(checked.shape);
    if (owner->first_collider >= 0)
        world->collider[owner->first_collider].previous = index;
    owner->first_collider = index;
    vs_slots_set(&world->collider_slots, index, true);
    world->colliders = index >= world->colliders ? index + 1 : world->colliders;
    world->topology++;
    if (id)
        *id = (vs_collider_id){(uint32_t)index, collider->generation};
    return VS_OK;
}

void vs_world_drop_collider(vs_world *world, int index) {
    vs_collider *collider = &world->collider[index];
    if (collider->next >= 0)
        world->collider[collider->next].previous = collider->previous;
    if (collider->previous >= 0)
        world->collider[collider->previous].next = collider->next;
    else
        world->body[collider->body].first_collider = collider->next;
    vs_shape_release(collider->shape);
    *collider = (vs_collider){.generation = collider->generation, .next = -1, .previous = -1};
    vs_slots_set(&world->collider_slots, index, false);
    world->topology++;
}

vs_error vs_world_remove_collider(vs_world *world, vs_collider_id id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (id.index >= (uint32_t)world->colliders || !world->collider[id.index].alive ||
        world->collider[id.index].generation != id.generation)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "collider: the id is stale or unknown");
    vs_world_drop_collider(world, (int)id.index);
    return VS_OK;
}

vs_pose vs_collider_pose(const vs_world *world, const vs_collider *collider) {
    return vs_pose_multiply(world->body[collider->body].pose, collider->pose);
}

// ---- collision filters -----------------------------------------------------------------------------

vs_error vs_world_ignore_pair(vs_world *world, vs_body_id a, vs_body_id b) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    int i = vs_world_body_index(world, a), j = vs_world_body_index(world, b);
    if (i < 0 || j < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "ignored pair: one of the bodies does not exist; it was removed, or the id is of another world");
    if (i == j)
        return VS_OK;
    vs_pair *pair = vs_pair_add(world, i, j);
    if (!pair)
        return VS_ERROR_MEMORY;
    pair->ignored = 1;
    world->topology++;
    return VS_OK;
}

bool vs_world_ignores(const vs_world *world, int a, int b) {
    return vs_pair_find(world, a, b) != NULL;
}

bool vs_world_may_collide(const vs_world *world, const vs_collider *a, const vs_collider *b) {
    if (a->body == b->body || a->sensor || b->sensor || !(a->group & b->mask) || !(b->group & a->mask))
        return false;
    if (world->body[a->body].motion != VS_MOTION_DYNAMIC && world->body[b->body].motion != VS_MOTION_DYNAMIC)
        return false;
    return !vs_world_ignores(world, a->body, b->body);
}
