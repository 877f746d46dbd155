// The broad phase: a tree of boxes, rebuilt by sorting and traversed against itself.
//
// The boxes are sorted by size class (a power of 4), within a class along a Morton curve through their centres. Cutting
// the sorted list at the highest bit in which its keys differ gives a binary tree; classes separate first, so that a
// few large boxes do not widen the nodes of the many small ones. Pairs are found by descending the tree against itself:
//
//     self(n) = self(left) + self(right) + cross(left, right),   cross(m, n) = nothing if their boxes are apart
//
// Costs O(n) for the (radix) sort, O(n log n) for the cuts, and O(n + pairs) for boxes of bounded density; nothing
// bounds the cost if everything overlaps everything. Infinite boxes are not handled here: planes are treated
// separately.
#include "collide/broad/broad.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"

enum { FEW = 64, DIGIT = 11, RADIX = 1 << DIGIT };   // bits: the counts fit into the first cache
enum { LEAF = 4, CLASS_BITS = 7, MORTON_BITS = 19 }; // 7 + 3 * 19 = 64

struct vs_broad_node {
    vs_box3 box;
    int begin, end; // into order
    int right;      // -1: a leaf; the left child is the next node
};

// ---- sorting ---------------------------------------------------------------------------------------

// Insertion sort, for so few that a radix sort costs more.
static void sort_few(uint64_t *key, int *value, int count) {
    for (int i = 1; i < count; i++) {
        uint64_t moved = key[i];
        int its_value = value[i], j = i;
        for (; j > 0 && key[j - 1] > moved; j--) {
            key[j] = key[j - 1];
            value[j] = value[j - 1];
        }
        key[j] = moved;
        value[j] = its_value;
    }
}

void vs_sort_keys(uint64_t *key, int *value, uint64_t *spare_key, int *spare_value, int count) {
    if (count <= FEW) {
        sort_few(key, value, count);
        return;
    }
    uint64_t *key_home = key;
    int *value_home = value;
    uint64_t differ = 0;
    for (int k = 1; k < count; k++)
        differ |= key[k] ^ key[0];
    for (int shift = 0; shift < 64; shift += DIGIT) {
        if ((differ >> shift & (RADIX - 1)) == 0) // all equal in this digit
            continue;
        int start[RADIX + 1] = {0};
        for (int k = 0; k < count; k++)
            start[(key[k] >> shift & (RADIX - 1)) + 1]++;
        for (int d = 0; d < RADIX; d++)
            start[d + 1] += start[d];
        for (int k = 0; k < count; k++) {
            int place = start[key[k] >> shift & (RADIX - 1)]++;
            spare_key[place] = key[k];
            spare_value[place] = value[k];
        }
        uint64_t *other_key = key;
        int *other_value = value;
        key = spare_key, value = spare_value;
        spare_key = other_key, spare_value = other_value;
    }
    if (key != key_home && count > 0) {
        memcpy(key_home, key, (size_t)count * sizeof *key);
        memcpy(value_home, value, (size_t)count * sizeof *value);
    }
}

// ---- the tree --------------------------------------------------------------------------------------

// Spreads the low 21 bits with two zeros between each.
static uint64_t spread(uint64_t x) {
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

static uint64_t place_on_axis(double x, double low, double scale) {
    const double most = (double)((1 << MORTON_BITS) - 1);
    double place = (x - low) * scale;
    return place > 0 ? (uint64_t)(place < most ? place : most) : 0; // NaN: 0
}

// Classes of a factor 4 in the longest side.
static uint64_t size_class(const vs_box3 *b) {
    double side = fmax(fmax(b->high.x - b->low.x, b->high.y - b->low.y), b->high.z - b->low.z);
    if (!(side > 0))
        return 0;
    int exponent;
    (void)frexp(side, &exponent);
    exponent = exponent / 2 + 64;
    return (uint64_t)(exponent < 0 ? 0 : exponent > 127 ? 127 : exponent);
}

static vs_box3 join(vs_box3 a, vs_box3 b) {
    return (vs_box3){{fmin(a.low.x, b.low.x), fmin(a.low.y, b.low.y), fmin(a.low.z, b.low.z)},
                     {fmax(a.high.x, b.high.x), fmax(a.high.y, b.high.y), fmax(a.high.z, b.high.z)}};
}

// Sorts the boxes at the positions [begin, end) along the curve through their own extent.
static void sort_range(vs_broad *broad, int begin, int end) {
    vs_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = begin; k < end; k++) {
        vs_vec3 twice = vs_add(broad->source[broad->order[k]].low, broad->source[broad->order[k]].high);
        low = (vs_vec3){fmin(low.x, twice.x), fmin(low.y, twice.y), fmin(low.z, twice.z)};
        high = (vs_vec3){fmax(high.x, twice.x), fmax(high.y, twice.y), fmax(high.z, twice.z)};
    }
    // one scale for all axes: cells are cubes
    double span = fmax(fmax(high.x - low.x, high.y - low.y), high.z - low.z);
    double scale = span > 0 ? (double)(1 << MORTON_BITS) / span : 0;
    for (int k = begin; k < end; k++) {
        const vs_box3 *box = &broad->source[broad->order[k]];
        vs_vec3 twice = vs_add(box->low, box->high);
        uint64_t x = place_on_axis(twice.x, low.x, scale), y = place_on_axis(twice.y, low.y, scale);
        uint64_t z = place_on_axis(twice.z, low.z, scale);
        broad->key[k] = size_class(box) << (3 * MORTON_BITS) | spread(z) << 2 | spread(y) << 1 | spread(x);
    }
    vs_sort_keys(broad->key + begin, broad->order + begin, broad->spare_key, broad->spare, end - begin);
    for (int k = begin; k < end; k++)
        broad->box[k] = broad->source[broad->order[k]];
}

// First key of [begin, end) with the highest differing bit set; the middle if all keys are equal.
static int cut(const uint64_t *key, int begin, int end) {
    uint64_t differ = key[begin] ^ key[end - 1];
    if (differ == 0)
        return begin + (end - begin) / 2;
    int bit = 63;
    while (!(differ >> bit & 1))
        bit--;
    int low = begin, high = end - 1; // bit is 0 at low and 1 at high
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (key[middle] >> bit & 1)
            high = middle;
        else
            low = middle;
    }
    return high;
}

// Depth: at most 64 cuts by a bit per sort of the range, and 31 at the middle.
static int build(vs_broad *broad, int begin, int end, int *nodes) {
    assert(broad->node);
    int me = (*nodes)++;
    struct vs_broad_node *node = &broad->node[me];
    *node = (struct vs_broad_node){.begin = begin, .end = end, .right = -1};
    if (end - begin <= LEAF) {
        node->box = broad->box[begin];
        for (int k = begin + 1; k < end; k++)
            node->box = join(node->box, broad->box[k]);
        return me;
    }
    // all in one cell, because another box is far away: sort them again with finer cells
    if (broad->key[begin] == broad->key[end - 1])
        sort_range(broad, begin, end);
    int middle = cut(broad->key, begin, end);
    int left = build(broad, begin, middle, nodes);
    node->right = build(broad, middle, end, nodes);
    node->box = join(broad->node[left].box, broad->node[node->right].box);
    return me;
}

// ---- pairs -----------------------------------------------------------------------------------------

vs_error vs_broad_add(vs_broad *broad, int first, int second) {
    if (broad->most > 0 && broad->pairs >= broad->most)
        return VS_ERROR_DATA;
    if (vs_array_reserve(broad->context, &broad->pair, &broad->pair_capacity, broad->pairs + 1, sizeof *broad->pair))
        return VS_ERROR_MEMORY;
    broad->pair[broad->pairs++] = (vs_box_pair){first, second};
    return VS_OK;
}

// The pair of boxes at the positions m and n along the curve.
static void consider(vs_broad *broad, int m, int n) {
    if (!vs_boxes_meet(&broad->box[m], &broad->box[n]))
        return;
    int i = broad->order[m], j = broad->order[n];
    int first = i < j ? i : j, second = i < j ? j : i;
    if (!broad->failed && broad->accept(broad->user, first, second))
        broad->failed = vs_broad_add(broad, first, second);
}

static void cross(vs_broad *broad, int m, int n) {
    const struct vs_broad_node *a = &broad->node[m], *b = &broad->node[n];
    if (broad->failed || !vs_boxes_meet(&a->box, &b->box))
        return;
    if (a->right < 0 && b->right < 0) {
        for (int i = a->begin; i < a->end; i++)
            if (vs_boxes_meet(&broad->box[i], &b->box))
                for (int j = b->begin; j < b->end; j++)
                    consider(broad, i, j);
        return;
    }
    // the one with more boxes is opened
    if (b->right < 0 || (a->right >= 0 && a->end - a->begin >= b->end - b->begin)) {
        cross(broad, m + 1, n);
        cross(broad, a->right, n);
    } else {
        cross(broad, m, n + 1);
        cross(broad, m, b->right);
    }
}

static void self(vs_broad *broad, int n) {
    const struct vs_broad_node *node = &broad->node[n];
    if (broad->failed)
        return;
    if (node->right < 0) {
        for (int i = node->begin; i < node->end; i++)
            for (int j = i + 1; j < node->end; j++)
                consider(broad, i, j);
        return;
    }
    self(broad, n + 1);
    self(broad, node->right);
    cross(broad, n + 1, node->right);
}

static void release_tree(vs_broad *broad) {
    vs_release(broad->context, broad->box);
    vs_release(broad->context, broad->node);
    vs_release(broad->context, broad->key);
    vs_release(broad->context, broad->spare_key);
    vs_release(broad->context, broad->order);
    vs_release(broad->context, broad->spare);
    broad->box = NULL;
    broad->node = NULL;
    broad->key = broad->spare_key = NULL;
    broad->order = broad->spare = NULL;
    broad->capacity = 0;
}

// All arrays have the same capacity, the tree has room for twice as many nodes.
static vs_error reserve(vs_broad *broad, int count) {
    void *const data[] = {&broad->box, &broad->node, &broad->key, &broad->spare_key, &broad->order, &broad->spare};
    const size_t size[] = {sizeof *broad->box,       2 * sizeof *broad->node, sizeof *broad->key,
                           sizeof *broad->spare_key, sizeof *broad->order,    sizeof *broad->spare};
    int64_t capacity = broad->capacity;
    for (size_t k = 0; k < sizeof data / sizeof *data; k++) {
        capacity = broad->capacity;
        vs_error error = vs_array_reserve(broad->context, data[k], &capacity, count, size[k]);
        if (error)
            return error;
    }
    broad->capacity = capacity;
    return VS_OK;
}

vs_error vs_broad_find(vs_broad *broad, const vs_box3 *box, int count,
                       bool (*accept)(void *user, int first, int second), void *user) {
    broad->pairs = 0;
    broad->failed = VS_OK;
    if (count == 0)
        return VS_OK;
    vs_error error = reserve(broad, count);
    if (error)
        return error;
    assert(broad->order && broad->node);
    broad->accept = accept;
    broad->user = user;
    broad->source = box;
    for (int k = 0; k < count; k++)
        broad->order[k] = k;
    sort_range(broad, 0, count);
    int nodes = 0;
    (void)build(broad, 0, count, &nodes);
    self(broad, 0);
    return broad->failed;
}

void vs_broad_release(vs_broad *broad) {
    release_tree(broad);
    vs_release(broad->context, broad->pair);
    *broad = (vs_broad){.context = broad->context};
}
