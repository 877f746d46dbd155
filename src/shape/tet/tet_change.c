// Meshes from meshes: middle nodes for 4-node elements, moving and scaling.
//
// The node in the middle of edge k becomes the vertex (vertices + k), so that neighbours share it. Sets of vertices
// get the middles of the edges that lie in them; an edge between two of their vertices that runs through the interior
// of the body is left out, which is known where faces have a set of the same name.
#include "shape/mesh_data.h"

#include <math.h>
#include <string.h>

// ---- middle nodes ----------------------------------------------------------------------------------

static int compare_edge(const int *edge, int low, int high) {
    if (edge[0] != low)
        return edge[0] < low ? -1 : 1;
    return (edge[1] > high) - (edge[1] < high);
}

// The number of the edge between two vertices; it must exist.
static int find_edge(const vs_mesh *mesh, int a, int b) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    int begin = 0, end = mesh->edges - 1;
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        if (compare_edge(mesh->edge + 2 * (int64_t)middle, low, high) < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static vs_vec3 halfway(void *user, vs_vec3 a, vs_vec3 b) {
    (void)user;
    return vs_scale(.5, vs_add(a, b));
}

static vs_error refine_elements(const vs_mesh *mesh, vs_arena *scratch, vs_mesh_def *def) {
    int *element = VS_NEW(scratch, int, 10 * (int64_t)mesh->elements);
    if (!element)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < mesh->elements; k++) {
        const int *corner = mesh->element + 4 * k;
        memcpy(element + 10 * k, corner, 4 * sizeof *corner);
        for (int e = 0; e < 6; e++)
            element[10 * k + 4 + e] =
                mesh->vertices + find_edge(mesh, corner[VS_MESH_EDGE[e][0]], corner[VS_MESH_EDGE[e][1]]);
    }
    def->element = element;
    return VS_OK;
}

// ---- sets ------------------------------------------------------------------------------------------

// Edges whose middles may join a set of vertices: all, or those of the face set of the same name.
static void mark_edges(const vs_mesh *mesh, const char *name, bool *marked) {
    const int index = vs_mesh_find_set(mesh, VS_MESH_SET_FACES, name);
    memset(marked, index < 0, (size_t)mesh->edges * sizeof *marked);
    for (int k = 0; index >= 0 && k < mesh->set[index].count; k++) {
        int node[6];
        (void)vs_mesh_get_side_nodes(mesh, mesh->set[index].item[k], node);
        for (int c = 0; c < 3; c++)
            marked[find_edge(mesh, node[c], node[(c + 1) % 3])] = true;
    }
}

static vs_error refine_vertex_set(const vs_mesh *mesh, vs_arena *scratch, const vs_mesh_set *set, bool *member,
                                  bool *marked, vs_mesh_set_def *out) {
    int count = set->count;
    memset(member, 0, (size_t)mesh->vertices * sizeof *member);
    for (int k = 0; k < set->count; k++)
        member[set->item[k]] = true;
    mark_edges(mesh, set->name, marked);
    for (int k = 0; k < mesh->edges; k++) {
        const int *edge = mesh->edge + 2 * (int64_t)k;
        marked[k] = marked[k] && member[edge[0]] && member[edge[1]];
        count += marked[k];
    }
    int *item = VS_NEW(scratch, int, count);
    if (!item)
        return VS_ERROR_MEMORY;
    memcpy(item, set->item, (size_t)set->count * sizeof *item);
    for (int k = 0, at = set->count; k < mesh->edges; k++)
        if (marked[k])
            item[at++] = mesh->vertices + k;
    out->count = count;
    out->item = item;
    return VS_OK;
}

// Corners of the faces, as a definition needs them.
static vs_error list_corners(const vs_mesh *mesh, vs_arena *scratch, const vs_mesh_set *set, vs_mesh_set_def *out) {
    int *item = VS_NEW(scratch, int, 3 * (int64_t)set->count);
    if (!item)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < set->count; k++) {
        int node[6];
        (void)vs_mesh_get_side_nodes(mesh, set->item[k], node);
        memcpy(item + 3 * (int64_t)k, node, 3 * sizeof *node);
    }
    out->item = item;
    return VS_OK;
}

static vs_error refine_sets(const vs_mesh *mesh, vs_arena *scratch, vs_mesh_def *def) {
    vs_mesh_set_def *out = VS_NEW(scratch, vs_mesh_set_def, mesh->sets);
    bool *member = VS_NEW(scratch, bool, mesh->vertices), *marked = VS_NEW(scratch, bool, mesh->edges);
    vs_error error = out && member && marked ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; !error && k < mesh->sets; k++) {
        const vs_mesh_set *set = mesh->set + k;
        out[k] = (vs_mesh_set_def){
            .kind = set->kind, .name = set->name, .tag = set->tag, .count = set->count, .item = set->item};
        if (set->kind == VS_MESH_SET_VERTICES)
            error = refine_vertex_set(mesh, scratch, set, member, marked, out + k);
        else if (set->kind == VS_MESH_SET_FACES)
            error = list_corners(mesh, scratch, set, out + k);
    }
    def->sets = mesh->sets;
    def->set = out;
    return error;
}

// ---- together --------------------------------------------------------------------------------------

vs_error vs_mesh_refine(const vs_mesh *mesh, vs_vec3 (*place)(void *user, vs_vec3 a, vs_vec3 b), void *user,
                        vs_mesh **quadratic) {
    static const vs_mesh_labels plain = {.begin = ""};
    vs_context *context = mesh->arena.context;
    if (mesh->edges > VS_MESH_MOST - mesh->vertices)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%d vertices and %d edges are too many", mesh->vertices,
                       mesh->edges);
    vs_mesh_def def = vs_mesh_def_default();
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    vs_vec3 *vertex = VS_NEW(&scratch, vs_vec3, mesh->vertices + (int64_t)mesh->edges);
    vs_error error = vertex ? VS_OK : VS_ERROR_MEMORY;
    if (error || (error = refine_elements(mesh, &scratch, &def)) || (error = refine_sets(mesh, &scratch, &def)))
        goto cleanup;
    memcpy(vertex, mesh->vertex, (size_t)mesh->vertices * sizeof *vertex);
    for (int k = 0; k < mesh->edges; k++) {
        const int *edge = mesh->edge + 2 * (int64_t)k;
        vertex[mesh->vertices + k] = (place ? place : halfway)(user, mesh->vertex[edge[0]], mesh->vertex[edge[1]]);
    }
    def.vertices = mesh->vertices + mesh->edges;
    def.vertex = vertex;
    def.elements = mesh->elements;
    def.nodes = 10;
    def.tag = mesh->tag;
    error = vs_mesh_build(context, &def, &plain, quadratic);
cleanup:
    vs_arena_release(&scratch);
    return error;
}

vs_error vs_mesh_make_quadratic(const vs_mesh *mesh, vs_mesh **quadratic) {
    vs_context *context = mesh ? mesh->arena.context : NULL;
    if (quadratic)
        *quadratic = NULL;
    if (!mesh || !quadratic)
        return vs_fail(context, VS_ERROR_ARGUMENT, "mesh or quadratic is null");
    if (mesh->nodes != 4)
        return vs_fail(context, VS_ERROR_ARGUMENT, "the elements already have %d nodes", mesh->nodes);
    return vs_mesh_refine(mesh, NULL, NULL, quadratic);
}

vs_error vs_mesh_transform(vs_mesh *mesh, vs_pose pose, double scale) {
    const vs_quat q = pose.rotation;
    const double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z), least = 1e-30, most = 1e30;
    if (!mesh)
        return VS_ERROR_ARGUMENT;
    vs_context *context = mesh->arena.context;
    if (!(scale >= least && scale <= most))
        return vs_fail(context, VS_ERROR_ARGUMENT, "scale must be positive and finite (is %g)", scale);
    if (!(fabs(length - 1) < 1e-6))
        return vs_fail(context, VS_ERROR_ARGUMENT, "pose.rotation must have length 1 (has %g)", length);
    pose.rotation = vs_quat_normalize(q);
    // Checked before anything changes: the largest coordinate that a vertex can get.
    const vs_vec3 p = pose.position,
                  far = {fmax(fabs(mesh->low.x), fabs(mesh->high.x)), fmax(fabs(mesh->low.y), fabs(mesh->high.y)),
                         fmax(fabs(mesh->low.z), fabs(mesh->high.z))};
    if (!(scale * vs_length(far) + fabs(p.x) + fabs(p.y) + fabs(p.z) <= most))
        return vs_fail(context, VS_ERROR_ARGUMENT, "the mesh would be too far away (scale %g, position %g, %g, %g)",
                       scale, p.x, p.y, p.z);
    for (int k = 0; k < mesh->vertices; k++)
        mesh->vertex[k] = vs_pose_apply(pose, vs_scale(scale, mesh->vertex[k]));
    vs_mesh_measure(mesh);
    return VS_OK;
}
