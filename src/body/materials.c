// Materials of a world, and pairs of them.
//
// What holds between two materials is combined once (material/material.h) and kept: pairs a <= b lie at b (b + 1)/2 + a. That is
// quadratic in memory, and only the first materials have it; pairs of later ones, of which no scene has many, are combined when
// they are asked for.
#include "body/check.h"
#include "body/world_data.h"

#include <string.h>

#include "base/array.h"
#include "material/friction.h"
#include "material/material.h"

enum { KEPT = 64 }; // materials whose pairs are kept, 1.4 MB at most

bool vs_world_has_material(const vs_world *world, int index) {
    return index >= 0 && index < (world->materials > 0 ? world->materials : 1);
}

int vs_world_find_material(const vs_world *world, const char *name) {
    return world ? vs_names_find(&world->material_names, name) : -1;
}

// ---- pairs -----------------------------------------------------------------------------------------

static int64_t kept_at(int low, int high) {
    return (int64_t)high * (high + 1) / 2 + low;
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

static bool is_pair(const vs_world *world, int at, int low, int high) {
    return at < world->pairs && world->pair[at].a == low && world->pair[at].b == high;
}

// That of the user, or by the rule.
static void make_pair(const vs_world *world, int low, int high, vs_material *pair) {
    const int at = find_pair(world, low, high);
    const vs_material normal = vs_material_default();
    if (is_pair(world, at, low, high))
        *pair = world->pair[at].material;
    else if (world->materials == 0)
        vs_material_combine(&normal, &normal, pair);
    else
        vs_material_combine(&world->material[low], &world->material[high], pair);
}

const vs_material *vs_world_material_between(const vs_world *world, int a, int b, vs_material *room) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    if (high < KEPT && high < world->materials)
        return &world->kept[kept_at(low, high)];
    make_pair(world, low, high, room);
    return room;
}

const vs_material *vs_world_material_of(const vs_world *world, int collider_a, int collider_b, vs_material *room) {
    return vs_world_material_between(world, world->collider[collider_a].material, world->collider[collider_b].material,
                                     room);
}

vs_material vs_world_get_material_pair(const vs_world *world, int a, int b) {
    vs_material room;
    if (!world || !vs_world_has_material(world, a) || !vs_world_has_material(world, b))
        return vs_material_default();
    return *vs_world_material_between(world, a, b, &room);
}

vs_error vs_world_set_material_pair(vs_world *world, int a, int b, const vs_material *material) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    vs_context *context = world->context;
    if (!vs_world_has_material(world, a) || !vs_world_has_material(world, b) || !material)
        return vs_fail(context, VS_ERROR_ARGUMENT, "pair of materials %d and %d: only %d materials exist", a, b,
                       world->materials);
    const vs_material given = vs_material_at_rest(material);
    vs_error error = vs_material_check(context, &given, 2 * VS_TABLE_POINTS);
    if (error)
        return error;
    int low = a < b ? a : b, high = a < b ? b : a, at = find_pair(world, low, high);
    if (!is_pair(world, at, low, high)) {
        if (vs_array_reserve(context, &world->pair, &world->pair_capacity, world->pairs + 1, sizeof *world->pair))
            return VS_ERROR_MEMORY;
        memmove(world->pair + at + 1, world->pair + at, sizeof *world->pair * (size_t)(world->pairs - at));
        world->pairs++;
    }
    world->pair[at] = (vs_material_pair){low, high, given};
    if (high < KEPT && high < world->materials)
        world->kept[kept_at(low, high)] = given;
    return VS_OK;
}

// ---- materials -------------------------------------------------------------------------------------

// The arrays of materials have the same capacity; they grow one after the other.
static vs_error reserve_material(vs_world *world) {
    vs_context *context = world->context;
    const int wanted = world->materials + 1;
    int64_t capacity = world->material_capacity;
    vs_error error = vs_array_reserve(context, &world->material_name, &capacity, wanted, sizeof *world->material_name);
    if (!error)
        error = vs_array_reserve(context, &world->material, &world->material_capacity, wanted, sizeof *world->material);
    if (!error && wanted <= KEPT)
        error = vs_array_reserve(context, &world->kept, &world->kept_capacity, kept_at(0, wanted), sizeof *world->kept);
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
    const vs_material given = vs_material_at_rest(material);
    vs_error error = vs_material_check(context, &given, VS_TABLE_POINTS);
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
    const int added = world->materials++;
    for (int k = 0; k <= added && added < KEPT; k++)
        make_pair(world, k, added, &world->kept[kept_at(k, added)]);
    return VS_OK;
}

// ---- what a world has ------------------------------------------------------------------------------

static bool any(const vs_world *world, bool (*is)(const vs_material *)) {
    bool found = false;
    for (int k = 0; k < world->materials && !found; k++)
        found = is(&world->material[k]);
    for (int k = 0; k < world->pairs && !found; k++)
        found = is(&world->pair[k].material);
    return found;
}

// A material with static friction and one with stribeck are a pair of the latter kind; a pair of its own may have any.
bool vs_world_remembers_friction(const vs_world *world) {
    return any(world, vs_friction_remembers);
}

static bool is_soft(const vs_material *material) {
    return vs_material_is_soft(material);
}

bool vs_world_has_soft_contacts(const vs_world *world) {
    return any(world, is_soft);
}

bool vs_world_meets_softly(const vs_world *world, int collider_a, int collider_b) {
    vs_material room;
    return vs_material_is_soft(vs_world_material_of(world, collider_a, collider_b, &room));
}
