// Pairs of triangles of two meshes, kept from one search to the next.
//
// A step searches the same two meshes many times: at its beginning, at its end with every solution, along the way. Between these
// searches they hardly move. A list of pairs that may come together is collected once, each with a bound on how far apart the
// two triangles were. As long as no point of the first mesh has moved by more than the list's margin relative to the second, a
// search visits those pairs alone that the motion can have brought within reach,
//
//     apart <= reach + way          way: of any point of the first mesh since then, at most
//
// instead of descending two trees. The answers are those of the trees, bit for bit: what is left out has no contact.
#ifndef VS_COLLIDE_KEPT_PAIRS_H
#define VS_COLLIDE_KEPT_PAIRS_H

#include <string.h>

#include "base/array.h"
#include "shape/shape_data.h"

typedef struct vs_kept_list {
    struct vs_kept_store *store;
    vs_pose pose;    // of the first in the axes of the second, where it was collected
    double margin;   // m, way for which it holds; 0: no list
    double envelope; // m, the widest search for which it holds
    int hits;        // searches that it served
    vs_pose asked;   // of the last search without a list
    bool was_asked;  //
    int pause;       // searches until it is tried again
    VS_ARRAY(vs_leaf_pair) pair;
    VS_ARRAY(float) apart; // m
} vs_kept_list;

// The answer to a question about two meshes at a pose of the first relative to the second.
typedef struct vs_kept_answer {
    vs_pose pose;
    bool known, answer;
} vs_kept_answer;

// The contacts of two meshes at their poses.
typedef struct vs_kept_contacts {
    vs_pose pose[2];
    double envelope;             // m
    struct vs_mesh_point *point; // (count)
    int64_t count, capacity;     // 0: not known
} vs_kept_contacts;

// Of two colliders. Where nothing was found within a distance, nothing is found again at the same pose.
typedef struct vs_kept_pairs {
    uint64_t key;
    unsigned last;   // search in which it was asked for
    double envelope; // m, of the search at the beginning of a step; 0: there was none
    vs_kept_list facing, crossing;
    vs_kept_answer close, crossed, empty;
    double empty_within; // m
    vs_kept_contacts contacts;
    bool pierced;
    vs_leaf_pair piercing; // two triangles of which an edge of one pierced the other one, last
} vs_kept_pairs;

// Those of all pairs of a world's colliders; initialize to zero except for the context.
typedef struct vs_kept_store {
    vs_context *context;
    vs_kept_pairs **slot; // (slots) by key, null: free
    int64_t slots, used;
    int64_t pairs; // of triangles, in all lists
    unsigned search;
} vs_kept_store;

void vs_kept_store_release(vs_kept_store *store);
// A search for all contacts begins: what has not been asked for in a while is forgotten.
void vs_kept_store_begin(vs_kept_store *store);
// The pairs of two colliders by their identity; null: no memory, search the trees.
vs_kept_pairs *vs_kept_store_find(vs_kept_store *store, uint64_t key);

typedef bool vs_visit_triangles(void *user, int triangle_a, int triangle_b);

// As vs_triangles_facing_pairs(); kept may be null. The depth of two meshes is always the same.
void vs_kept_facing_pairs(vs_kept_pairs *kept, const vs_triangles *a, vs_pose pose, const vs_triangles *b,
                          const vs_gap_range *range, vs_visit_triangles *visit, void *user);
// As vs_triangles_pairs() with no reach, for edges that pierce triangles and have both ends farther than `depth` from them: all pairs
// that may, and others. kept may be null.
void vs_kept_crossing_pairs(vs_kept_pairs *kept, const vs_triangles *a, vs_pose pose, const vs_triangles *b,
                            double depth, vs_visit_triangles *visit, void *user);

// To the last bit, the sign of zeros included.
static inline bool vs_is_same_pose(const vs_pose *a, const vs_pose *b) {
    return memcmp(a, b, sizeof *a) == 0; // NOLINT(bugprone-suspicious-memory-comparison): seven doubles
}

// Is the answer known for this very pose?
static inline bool vs_kept_answer_is_known(const vs_kept_answer *a, const vs_pose *pose) {
    return a->known && vs_is_same_pose(&a->pose, pose);
}

#endif
