// Containers of a world's objects: slots in use, names, pairs of bodies; ids to indices.
//
// Slots: a Fenwick tree of zeros and ones. Entry i (from 1) is the sum over the i & -i slots that end with slot i - 1,
// so that setting one, finding the k-th in use and the first free one take logarithmic time. Names and pairs: open
// addressing with linear probing; at most half of the table is full. Removed entries keep their place until the table
// is rebuilt. Nothing here depends on addresses, so the order of everything is reproducible.
#include "body/world_data.h"

#include <limits.h>
#include <string.h>

#include "base/array.h"

// ---- slots -----------------------------------------------------------------------------------------

static int highest_bit(int n) {
    int bit = 1;
    while (bit <= n / 2)
        bit *= 2;
    return bit;
}

static vs_error reserve_slots(vs_context *context, vs_slots *slots, int capacity) {
    if (capacity <= slots->capacity)
        return VS_OK;
    int *tree = vs_allocate(context, sizeof(int) * ((size_t)capacity + 1));
    if (!tree)
        return vs_fail_memory(context);
    // Back to zeros and ones, then sums again: linear in the capacity.
    int old = slots->capacity;
    memset(tree, 0, sizeof(int) * ((size_t)capacity + 1));
    if (old > 0)
        memcpy(tree, slots->tree, sizeof(int) * ((size_t)old + 1));
    for (int i = old; i > 0; i--)
        if (i + (i & -i) <= old)
            tree[i + (i & -i)] -= tree[i];
    for (int i = 1; i <= capacity; i++)
        if (i <= capacity - (i & -i))
            tree[i + (i & -i)] += tree[i];
    vs_release(context, slots->tree);
    slots->tree = tree;
    slots->capacity = capacity;
    return VS_OK;
}

void vs_slots_set(vs_slots *slots, int index, bool used) {
    int change = used ? 1 : -1;
    slots->used += change;
    for (int i = index + 1;; i += i & -i) {
        slots->tree[i] += change;
        if (i > slots->capacity - (i & -i))
            break;
    }
}

int vs_slots_first_free(const vs_slots *slots) {
    int at = 0;
    for (int bit = highest_bit(slots->capacity); bit > 0; bit /= 2)
        if (at <= slots->capacity - bit && slots->tree[at + bit] == bit)
            at += bit;
    return at;
}

vs_error vs_slots_make_room(vs_context *context, vs_slots *slots, void *data, int64_t *capacity, size_t size,
                            int *index) {
    const int most = INT_MAX / 2; // slots; sums of two of their numbers fit into an int
    if (slots->used >= most)
        return vs_fail_memory(context);
    vs_error error = vs_array_reserve(context, data, capacity, slots->used + 1, size);
    if (!error)
        error = reserve_slots(context, slots, *capacity < most ? (int)*capacity : most);
    if (!error)
        *index = vs_slots_first_free(slots);
    return error;
}

int vs_slots_find(const vs_slots *slots, int k) {
    int at = 0;
    for (int bit = highest_bit(slots->capacity); bit > 0; bit /= 2)
        if (at <= slots->capacity - bit && slots->tree[at + bit] <= k) {
            at += bit;
            k -= slots->tree[at];
        }
    return at;
}

void vs_slots_release(vs_context *context, vs_slots *slots) {
    vs_release(context, slots->tree);
    *slots = (vs_slots){0};
}

// ---- names -----------------------------------------------------------------------------------------

static uint64_t hash_text(const char *text) {
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

// The slot with this text, or the empty one where the search ends. There is always an empty one.
static vs_name *probe_name(const vs_names *names, const char *text) {
    uint64_t mask = (uint64_t)names->capacity - 1, at = hash_text(text) & mask;
    while (names->slot[at].text && (names->slot[at].index < 0 || strcmp(names->slot[at].text, text) != 0))
        at = (at + 1) & mask;
    return &names->slot[at];
}

int vs_names_find(const vs_names *names, const char *text) {
    if (names->capacity == 0 || !text)
        return -1;
    const vs_name *slot = probe_name(names, text);
    return slot->text ? slot->index : -1;
}

// Rebuilds the table, at most a quarter full, from the remaining names.
static vs_error renew_names(vs_context *context, vs_names *names) {
    int kept = 0, capacity = 16;
    for (int k = 0; k < names->capacity; k++)
        kept += names->slot[k].text && names->slot[k].index >= 0;
    while (capacity / 4 <= kept && capacity <= INT_MAX / 2)
        capacity *= 2;
    vs_names larger = {.capacity = capacity, .count = kept};
    larger.slot = vs_allocate(context, sizeof(vs_name) * (size_t)capacity);
    if (!larger.slot)
        return vs_fail_memory(context);
    memset(larger.slot, 0, sizeof(vs_name) * (size_t)capacity);
    for (int k = 0; k < names->capacity; k++)
        if (names->slot[k].text && names->slot[k].index >= 0)
            *probe_name(&larger, names->slot[k].text) = names->slot[k];
    vs_release(context, names->slot);
    *names = larger;
    return VS_OK;
}

vs_error vs_names_add(vs_context *context, vs_names *names, const char *text, int index) {
    if (2 * ((int64_t)names->count + 1) > names->capacity) {
        vs_error error = renew_names(context, names);
        if (error)
            return error;
    }
    *probe_name(names, text) = (vs_name){text, index};
    names->count++;
    return VS_OK;
}

void vs_names_remove(vs_names *names, const char *text) {
    if (names->capacity == 0 || !text)
        return;
    vs_name *slot = probe_name(names, text);
    // The text is released with its owner; a removed slot is never compared.
    if (slot->text)
        *slot = (vs_name){"", -1};
}

void vs_names_release(vs_context *context, vs_names *names) {
    vs_release(context, names->slot);
    *names = (vs_names){0};
}

// ---- pairs of bodies -------------------------------------------------------------------------------

static uint64_t pair_key(int a, int b) {
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return (low << 32 | high) + 1;
}

static vs_pair *probe_pair(const vs_pair_set *set, uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15u, mask = (uint64_t)set->capacity - 1, at = (hash ^ hash >> 32) & mask;
    while (set->slot[at].key != 0 && set->slot[at].key != key)
        at = (at + 1) & mask;
    return &set->slot[at];
}

// Do both bodies still exist, and is there a reason to keep the pair?
static bool is_valid(const vs_world *world, const vs_pair *pair) {
    const vs_body *low = &world->body[(pair->key - 1) >> 32], *high = &world->body[(pair->key - 1) & 0xffffffffu];
    return low->generation == pair->generation[0] && high->generation == pair->generation[1] && low->alive &&
           high->alive && (pair->ignored || pair->joints);
}

vs_pair *vs_pair_find(const vs_world *world, int a, int b) {
    if (world->ignored.capacity == 0)
        return NULL;
    vs_pair *pair = probe_pair(&world->ignored, pair_key(a, b));
    return pair->key != 0 && is_valid(world, pair) ? pair : NULL;
}

static vs_error renew_pairs(vs_world *world) {
    vs_pair_set *set = &world->ignored;
    int kept = 0, capacity = 16;
    for (int k = 0; k < set->capacity; k++)
        kept += set->slot[k].key != 0 && is_valid(world, &set->slot[k]);
    while (capacity / 4 <= kept && capacity <= INT_MAX / 2)
        capacity *= 2;
    vs_pair_set larger = {.capacity = capacity, .count = kept};
    larger.slot = vs_allocate(world->context, sizeof(vs_pair) * (size_t)capacity);
    if (!larger.slot)
        return vs_fail_memory(world->context);
    memset(larger.slot, 0, sizeof(vs_pair) * (size_t)capacity);
    for (int k = 0; k < set->capacity; k++)
        if (set->slot[k].key != 0 && is_valid(world, &set->slot[k]))
            *probe_pair(&larger, set->slot[k].key) = set->slot[k];
    vs_release(world->context, set->slot);
    *set = larger;
    return VS_OK;
}

vs_pair *vs_pair_add(vs_world *world, int a, int b) {
    vs_pair_set *set = &world->ignored;
    if (2 * ((int64_t)set->count + 1) > set->capacity && renew_pairs(world))
        return NULL;
    vs_pair *pair = probe_pair(set, pair_key(a, b));
    set->count += pair->key == 0;
    if (pair->key == 0 || !is_valid(world, pair)) {
        int low = a < b ? a : b, high = a < b ? b : a;
        *pair = (vs_pair){.key = pair_key(a, b)};
        pair->generation[0] = world->body[low].generation;
        pair->generation[1] = world->body[high].generation;
    }
    return pair;
}

// ---- ids --------------------------------------------------------------------------------------------

int vs_world_body_index(const vs_world *world, vs_body_id id) {
    if (id.index >= (uint32_t)world->bodies)
        return -1;
    const vs_body *body = &world->body[id.index];
    return body->alive && body->generation == id.generation ? (int)id.index : -1;
}

int vs_world_joint_index(const vs_world *world, vs_joint_id id) {
    if (id.index >= (uint32_t)world->joints)
        return -1;
    const vs_joint *joint = &world->joint[id.index];
    return joint->alive && joint->generation == id.generation ? (int)id.index : -1;
}
