// The tree of a world: which joints carry it, which ones close loops, and the order of its numbers.
//
// Joints in the order of their indices join the bodies at their ends to sets (Kruskal 1956); a joint that joins two sets is
// part of the tree, one within a set closes a loop. All bodies without mass are one set with the world, the ground. A set
// without ground hangs on its first body, which is free.
#include "base/disjoint_sets.h"
#include "base/hash.h"
#include "body/tree_data.h"

// While it is built.
typedef struct builder {
    vs_tree *tree;
    int *set;   // (bodies)
    int *queue; // (bodies)
    int *above; // (bodies) parent; -1: not reached
    int *by;    // (bodies) joint to it; -1: none
    bool *part; // (joints) of the tree
} builder;

// ---- joints of the tree ------------------------------------------------------------------------------

static bool carries(vs_joint_kind kind) {
    return kind != VS_JOINT_SPRING && !vs_joint_kind_couples(kind) && kind != VS_JOINT_DISTANCE &&
           kind != VS_JOINT_CABLE && kind != VS_JOINT_CONSTANT_VELOCITY;
}

static bool moves(const vs_world *world, int body) {
    return world->body[body].motion == VS_MOTION_DYNAMIC;
}

static bool is_closure(const vs_world *world, const vs_joint *joint) {
    return vs_joint_kind_couples(joint->def.kind) ||
           (joint->def.kind != VS_JOINT_SPRING && joint->def.kind != VS_JOINT_CABLE &&
            (moves(world, joint->a) || moves(world, joint->b)));
}

static void choose_joints(builder *b) {
    vs_tree *tree = b->tree;
    const vs_world *world = tree->world;
    for (int k = 0; k < world->bodies; k++)
        b->set[k] = k;
    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].alive && !moves(world, k))
            (void)vs_sets_join(b->set, 0, k);
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        const bool takes_part = joint->alive && (!tree->rigid || joint->def.compliance == 0);
        b->part[k] = takes_part && carries(joint->def.kind) && vs_sets_join(b->set, joint->a, joint->b);
        if (takes_part && !b->part[k] && is_closure(world, joint))
            tree->closure[tree->closures++] = k;
    }
}

// ---- parents and order -------------------------------------------------------------------------------

// Everything that hangs on the bodies in the queue.
static void reach(builder *b, int count) {
    const vs_world *world = b->tree->world;
    for (int k = 0; k < count; k++) {
        const int body = b->queue[k];
        for (int end = world->body[body].first_joint; end >= 0; end = world->joint[end / 2].next[end % 2]) {
            const vs_joint *joint = &world->joint[end / 2];
            const int other = end % 2 ? joint->a : joint->b;
            if (!b->part[end / 2] || !moves(world, other) || b->above[other] >= 0)
                continue;
            b->above[other] = body;
            b->by[other] = end / 2;
            b->queue[count++] = other;
        }
    }
}

static void find_parents(builder *b) {
    const vs_world *world = b->tree->world;
    int count = 0;
    for (int k = 0; k < world->bodies; k++) {
        b->above[k] = b->by[k] = -1;
        if (world->body[k].alive && !moves(world, k))
            b->queue[count++] = k;
    }
    reach(b, count);
    for (int k = 1; k < world->bodies; k++) {
        if (!world->body[k].alive || !moves(world, k) || b->above[k] >= 0)
            continue;
        b->above[k] = 0; // free
        b->queue[0] = k;
        reach(b, 1);
    }
}

static int positions_of(const vs_world *world, int joint, int *velocities) {
    static const int count[] = {
        [VS_JOINT_FIXED] = 0,       [VS_JOINT_SPHERICAL] = 3, [VS_JOINT_REVOLUTE] = 1, [VS_JOINT_PRISMATIC] = 1,
        [VS_JOINT_CYLINDRICAL] = 2, [VS_JOINT_UNIVERSAL] = 2, [VS_JOINT_PLANAR] = 3};
    const bool free = joint < 0, ball = !free && world->joint[joint].def.kind == VS_JOINT_SPHERICAL;
    *velocities = free ? 6 : count[world->joint[joint].def.kind];
    return *velocities + (free || ball);
}

static void add_node(builder *b, int body) {
    vs_tree *tree = b->tree;
    vs_node *node = &tree->node[tree->nodes];
    *node = (vs_node){.body = body, .above = b->above[body], .joint = b->by[body], .qpos = tree->nq, .qvel = tree->nv};
    node->parent = tree->node_of[node->above];
    node->reversed = node->joint >= 0 && tree->world->joint[node->joint].a == body;
    node->positions = positions_of(tree->world, node->joint, &node->velocities);
    tree->nq += node->positions;
    tree->nv += node->velocities;
    tree->node_of[body] = tree->nodes++;
}

// Ascending, ancestors first.
static void add_nodes(builder *b) {
    vs_tree *tree = b->tree;
    const vs_world *world = tree->world;
    for (int k = 0; k < world->bodies; k++)
        tree->node_of[k] = -1;
    for (int k = 1; k < world->bodies; k++) {
        int count = 0;
        if (!world->body[k].alive)
            continue;
        for (int body = k; moves(world, body) && tree->node_of[body] < 0; body = b->above[body])
            b->queue[count++] = body;
        while (count > 0)
            add_node(b, b->queue[--count]);
    }
    for (int k = 1; k < world->bodies; k++) {
        if (tree->node_of[k] >= 0)
            tree->node[tree->node_of[k]].row = tree->rows;
        tree->rows += world->body[k].alive;
    }
}

// Of all that decides where a number of a body or joint is in the arrays.
static uint64_t hash_order(const vs_tree *tree) {
    const vs_world *world = tree->world;
    uint64_t h = vs_hash_word(VS_HASH_EMPTY, (uint64_t)tree->rows);
    for (int k = 0; k < tree->nodes; k++) {
        const vs_node *node = &tree->node[k];
        h = vs_hash_word(vs_hash_word(h, (uint64_t)node->body), world->body[node->body].generation);
        h = vs_hash_word(vs_hash_word(h, (uint64_t)node->above), (uint64_t)node->joint);
        h = vs_hash_word(h, node->joint < 0 ? 0 : world->joint[node->joint].generation);
    }
    return h;
}

// ---- memory ------------------------------------------------------------------------------------------

static void release_parts(vs_tree *tree) {
    void *const part[] = {tree->node,   tree->node_of, tree->closure, tree->twist, tree->point,
                          tree->motion, tree->rate,    tree->column,  tree->path};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        vs_release(tree->context, part[k]);
    *tree = (vs_tree){.context = tree->context, .world = tree->world, .rigid = tree->rigid, .known = tree->known};
}

static void *take(vs_tree *tree, int count, size_t size, bool *good) {
    void *memory = vs_allocate(tree->context, (size_t)count * size);
    *good = *good && memory;
    return memory;
}

static vs_error build(builder *b) {
    vs_tree *tree = b->tree;
    const vs_world *world = tree->world;
    bool good = true;
    tree->node = take(tree, world->bodies, sizeof *tree->node, &good);
    tree->node_of = take(tree, world->bodies, sizeof *tree->node_of, &good);
    tree->closure = take(tree, world->joints, sizeof *tree->closure, &good);
    if (!good)
        return vs_fail_memory(tree->context);
    choose_joints(b);
    find_parents(b);
    add_nodes(b);
    tree->twist = take(tree, tree->nv, sizeof *tree->twist, &good);
    tree->point = take(tree, tree->nodes, sizeof *tree->point, &good);
    tree->motion = take(tree, tree->nodes, sizeof *tree->motion, &good);
    tree->rate = take(tree, tree->nv, sizeof *tree->rate, &good);
    tree->column = take(tree, tree->nv, 12 * sizeof *tree->column, &good);
    tree->path = take(tree, tree->nv, sizeof *tree->path, &good);
    tree->topology = world->topology;
    tree->order = hash_order(tree);
    return good ? VS_OK : vs_fail_memory(tree->context);
}

// Leaves an empty tree, older than its world, after an error.
static vs_error rebuild(vs_tree *tree) {
    const vs_world *world = tree->world;
    bool good = true;
    release_parts(tree);
    builder b = {.tree = tree};
    b.set = take(tree, world->bodies, sizeof *b.set, &good);
    b.queue = take(tree, world->bodies, sizeof *b.queue, &good);
    b.above = take(tree, world->bodies, sizeof *b.above, &good);
    b.by = take(tree, world->bodies, sizeof *b.by, &good);
    b.part = take(tree, world->joints, sizeof *b.part, &good);
    const vs_error error = good ? build(&b) : vs_fail_memory(tree->context);
    if (error) {
        release_parts(tree);
        tree->topology = world->topology - 1;
    }
    vs_release(tree->context, b.set);
    vs_release(tree->context, b.queue);
    vs_release(tree->context, b.above);
    vs_release(tree->context, b.by);
    vs_release(tree->context, b.part);
    return error;
}

// ---- interface ---------------------------------------------------------------------------------------

static vs_error create(vs_world *world, bool rigid, vs_tree **tree) {
    vs_tree *made = vs_allocate(world->context, sizeof *made);
    if (!made)
        return vs_fail_memory(world->context);
    *made = (vs_tree){.context = world->context, .world = world, .rigid = rigid, .topology = world->topology - 1};
    const vs_error error = vs_tree_update(made);
    if (error)
        vs_release(world->context, made);
    else
        *tree = made;
    return error;
}

vs_error vs_tree_create(vs_world *world, vs_tree **tree) {
    if (!world || !tree)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "tree: the world or the result is null");
    *tree = NULL;
    if (world->place)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED, "tree: the world is distributed");
    return create(world, false, tree);
}

vs_error vs_tree_create_rigid(vs_world *world, vs_tree **tree) {
    return create(world, true, tree);
}

void vs_tree_destroy(vs_tree *tree) {
    if (!tree)
        return;
    release_parts(tree);
    vs_release(tree->context, tree);
}

vs_error vs_tree_update(vs_tree *tree) {
    if (!tree)
        return VS_ERROR_ARGUMENT;
    const vs_error error = tree->topology == tree->world->topology ? VS_OK : rebuild(tree);
    tree->known = error ? tree->known : tree->order;
    return error;
}

// A motor that begins to prescribe a coordinate changes the topology, but not the order.
vs_error vs_tree_check(vs_tree *tree) {
    if (!tree)
        return VS_ERROR_ARGUMENT;
    const vs_error error = tree->topology == tree->world->topology ? VS_OK : rebuild(tree);
    if (!error && tree->known != tree->order)
        return vs_fail(tree->context, VS_ERROR_ARGUMENT,
                       "tree: bodies or joints of the world were added or removed; call vs_tree_update() and ask for "
                       "the sizes again");
    return error;
}

int vs_tree_get_position_count(const vs_tree *tree) {
    return tree ? tree->nq : 0;
}

int vs_tree_get_velocity_count(const vs_tree *tree) {
    return tree ? tree->nv : 0;
}

int vs_tree_get_node_count(const vs_tree *tree) {
    return tree ? tree->nodes : 0;
}

vs_error vs_tree_get_node_at(vs_tree *tree, int k, vs_tree_node *node) {
    const vs_error error = vs_tree_check(tree);
    if (error)
        return error;
    if (k < 0 || k >= tree->nodes || !node)
        return vs_fail(tree->context, VS_ERROR_ARGUMENT, "node %d: there are %d, and the result must not be null", k,
                       tree->nodes);
    const vs_node *n = &tree->node[k];
    const vs_world *world = tree->world;
    *node = (vs_tree_node){.body = {(uint32_t)n->body, world->body[n->body].generation},
                           .parent = {(uint32_t)n->above, world->body[n->above].generation},
                           .qpos = n->qpos,
                           .qvel = n->qvel,
                           .positions = n->positions,
                           .velocities = n->velocities};
    if (n->joint >= 0)
        node->joint = (vs_joint_id){(uint32_t)n->joint, world->joint[n->joint].generation};
    return VS_OK;
}
