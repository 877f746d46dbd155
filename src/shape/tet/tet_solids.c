// Boxes, cylinders and spheres of tetrahedra: a grid of cells, each cut into six, and mapped.
//
// Kuhn's subdivision: the six paths from one corner of a cell to the opposite one along its edges, x, y and z in any
// order. The same diagonals are cut on both sides of a face, hence neighbours fit.
//
// In a box every other cell is the mirror image of its neighbour, along each axis. With even numbers of cells the mesh
// then has the box's symmetries, so that symmetric problems stay symmetric, and six elements meet in every corner
// instead of two in most of them, where a load on one node would meet very little material. (With the same cut
// everywhere a block pressed straight down leans.)
//
// A cylinder is mapped from a grid over [-1, 1]^2 x [-1, 1], a sphere from [-1, 1]^3, in rings (shells) t = max |p_i|:
//
//     q_i = tan(pi/4 p_i / t),    x = R t q / |q|
//
// so that the ring t becomes the circle (sphere) of radius R t, in equal angles. An edge of the square or cube becomes
// smooth, and a cell's corner there nearly flat: the diagonal must run into it. Therefore the cut is mirrored at the
// middle planes, and every path leads from the centre outwards. Then no element has two sides on the curved surface,
// and dihedral angles of the sphere stay between 29 and 115 degrees for any number of cells.
#include "base/elementary.h"
#include "shape/mesh_data.h"

#include <math.h>
#include <stdint.h>

typedef struct grid {
    int cells[3];  // along x, y, z
    int middle[3]; // paths begin here and lead to both sides; 0: they lead upwards
    bool mirrored; // paths of every other cell lead downwards
    vs_vec3 half;  // box: half sides; others: radius, radius, half length (radius)
    int round;     // axes that are mapped into a circle or a sphere: 0, 2 or 3
    vs_vec3 *vertex;
    int *element;
} grid;

static int64_t vertex_at(const grid *g, const int at[3]) {
    return at[0] + (g->cells[0] + (int64_t)1) * (at[1] + (g->cells[1] + (int64_t)1) * at[2]);
}

// ---- geometry --------------------------------------------------------------------------------------

static vs_vec3 map_round(const grid *g, const double p[3]) {
    const double pi = 3.14159265358979323846;
    double t = 0, sum = 0, q[3] = {0, 0, 0};
    for (int a = 0; a < g->round; a++)
        t = fmax(t, fabs(p[a]));
    for (int a = 0; t > 0 && a < g->round; a++) {
        q[a] = vs_tan(pi / 4 * (p[a] / t));
        sum += q[a] * q[a];
    }
    const double s = t > 0 ? t / sqrt(sum) : 0;
    return (vs_vec3){g->half.x * (s * q[0]), g->half.y * (s * q[1]), g->half.z * (g->round == 3 ? s * q[2] : p[2])};
}

static void place_vertices(const grid *g) {
    int at[3];
    for (at[2] = 0; at[2] <= g->cells[2]; at[2]++)
        for (at[1] = 0; at[1] <= g->cells[1]; at[1]++)
            for (at[0] = 0; at[0] <= g->cells[0]; at[0]++) {
                double p[3];
                for (int a = 0; a < 3; a++) // in [-1, 1], the same on both sides of 0
                    p[a] = (2 * (double)at[a] - g->cells[a]) / g->cells[a];
                g->vertex[vertex_at(g, at)] =
                    g->round ? map_round(g, p) : (vs_vec3){g->half.x * p[0], g->half.y * p[1], g->half.z * p[2]};
            }
}

// Edges of the curved surface get their middle on it.
static vs_vec3 bend(void *user, vs_vec3 a, vs_vec3 b) {
    const grid *g = user;
    const double radius = g->half.x, outside = radius * (1 - 1e-9); // rings are 1 / 1000 or more apart
    vs_vec3 m = vs_scale(.5, vs_add(a, b));
    if (g->round == 2)
        a.z = b.z = 0;
    if (!g->round || vs_length(a) < outside || vs_length(b) < outside)
        return m;
    const double s = radius / (g->round == 2 ? vs_hypot(m.x, m.y) : vs_length(m));
    return (vs_vec3){s * m.x, s * m.y, g->round == 2 ? m.z : s * m.z};
}

// ---- topology --------------------------------------------------------------------------------------

static void cut_cell(const grid *g, const int cell[3], int *element) {
    static const int way[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}; // odd from 3 on
    int begin[3], step[3];
    for (int a = 0; a < 3; a++) {
        step[a] = cell[a] < g->middle[a] || (g->mirrored && cell[a] % 2) ? -1 : 1;
        begin[a] = cell[a] + (step[a] < 0);
    }
    for (int w = 0; w < 6; w++, element += 4) {
        int at[3] = {begin[0], begin[1], begin[2]};
        const bool negative = (step[0] * step[1] * step[2] < 0) != (w >= 3);
        element[0] = (int)vertex_at(g, at);
        for (int k = 0; k < 3; k++) {
            at[way[w][k]] += step[way[w][k]];
            // Inverted: corners 1 and 2 change places.
            element[negative && k < 2 ? 2 - k : k + 1] = (int)vertex_at(g, at);
        }
    }
}

static void cut_cells(const grid *g) {
    int cell[3], *element = g->element;
    for (cell[2] = 0; cell[2] < g->cells[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < g->cells[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < g->cells[0]; cell[0]++, element += 24)
                cut_cell(g, cell, element);
}

// ---- sets ------------------------------------------------------------------------------------------

// Does a vertex of the grid lie on side 2 a (low) or 2 a + 1 (high) of axis a?
static bool is_on(const grid *g, int vertex, int side) {
    int rest = vertex, at = 0;
    for (int a = 0; a <= side / 2; a++) {
        at = rest % (g->cells[a] + 1);
        rest /= g->cells[a] + 1;
    }
    return at == (side % 2 ? g->cells[side / 2] : 0);
}

// The corners of element e that lie on a side, as a face, if there are three of them.
static bool face_on(const grid *g, int64_t e, int side, int face[3]) {
    int count = 0;
    for (int c = 0; c < 4; c++)
        if (is_on(g, g->element[4 * e + c], side)) {
            if (count < 3)
                face[count] = g->element[4 * e + c];
            count++;
        }
    return count == 3;
}

// Vertices and faces of the sides in a bit set, as two definitions of one name.
static vs_error list_sides(const grid *g, vs_arena *scratch, unsigned sides, const vs_mesh_def *def, const char *name,
                           vs_mesh_set_def set[2]) {
    int count = 0, face[3], *item = NULL;
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (int64_t e = 0; e < def->elements; e++)
            for (int side = 0; side < 6; side++) {
                if (!(sides >> side & 1) || !face_on(g, e, side, face))
                    continue;
                for (int c = 0; pass && c < 3; c++)
                    item[3 * (int64_t)count + c] = face[c];
                count++;
            }
        if (!pass && !(item = VS_NEW(scratch, int, 3 * (int64_t)count)))
            return VS_ERROR_MEMORY;
    }
    // Every vertex of a side is a corner of its faces; more than once does no harm.
    set[0] = (vs_mesh_set_def){.kind = VS_MESH_SET_VERTICES, .name = name, .count = 3 * count, .item = item};
    set[1] = (vs_mesh_set_def){.kind = VS_MESH_SET_FACES, .name = name, .count = count, .item = item};
    return VS_OK;
}

typedef struct named_sides {
    const char *name;
    unsigned sides; // bits: -x, +x, -y, +y, -z, +z
} named_sides;

static const named_sides BOX[] = {{"-x", 1}, {"+x", 2}, {"-y", 4}, {"+y", 8}, {"-z", 16}, {"+z", 32}};
static const named_sides CYLINDER[] = {{"side", 15}, {"-z", 16}, {"+z", 32}};
static const named_sides SPHERE[] = {{"surface", 63}};

// ---- making ----------------------------------------------------------------------------------------

static vs_error fill(grid *g, vs_arena *scratch, const named_sides *named, int names, vs_mesh_def *def) {
    vs_mesh_set_def *set = VS_NEW(scratch, vs_mesh_set_def, 2 * names);
    g->vertex = VS_NEW(scratch, vs_vec3, def->vertices);
    g->element = VS_NEW(scratch, int, 4 * (int64_t)def->elements);
    if (!set || !g->vertex || !g->element)
        return VS_ERROR_MEMORY;
    place_vertices(g);
    cut_cells(g);
    def->vertex = g->vertex;
    def->element = g->element;
    def->sets = 2 * names;
    def->set = set;
    vs_error error = VS_OK;
    for (int k = 0; !error && k < names; k++)
        error = list_sides(g, scratch, named[k].sides, def, named[k].name, set + 2 * k);
    return error;
}

static vs_error make(vs_context *context, grid *g, const named_sides *named, int names, int nodes, vs_mesh **mesh) {
    static const vs_mesh_labels plain = {.begin = ""};
    if (nodes != 4 && nodes != 10)
        return vs_fail(context, VS_ERROR_ARGUMENT, "nodes must be 4 or 10 (is %d)", nodes);
    double vertices = 1, elements = 6;
    for (int a = 0; a < 3; a++) {
        if (g->cells[a] < 1)
            return vs_fail(context, VS_ERROR_ARGUMENT, "cells must be 1 or more in every direction");
        vertices *= 1. + g->cells[a];
        elements *= g->cells[a];
    }
    if (vertices > VS_MESH_MOST || elements > VS_MESH_MOST)
        return vs_fail(context, VS_ERROR_ARGUMENT, "cells: %g elements are too many (at most %d)", elements,
                       VS_MESH_MOST);
    vs_mesh *straight = NULL;
    vs_mesh_def def = vs_mesh_def_default();
    def.vertices = (int)vertices;
    def.elements = (int)elements;
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    vs_error error = fill(g, &scratch, named, names, &def);
    if (!error)
        error = vs_mesh_build(context, &def, &plain, nodes == 4 ? mesh : &straight);
    vs_arena_release(&scratch);
    if (!error && nodes == 10)
        error = vs_mesh_refine(straight, bend, g, mesh);
    vs_mesh_destroy(straight);
    return error;
}

static vs_error check_call(vs_context *context, const int *cells, vs_mesh **mesh) {
    if (mesh)
        *mesh = NULL;
    if (!context || !cells || !mesh)
        return vs_fail(context, VS_ERROR_ARGUMENT, "context, cells or mesh is null");
    return VS_OK;
}

static vs_error check_size(vs_context *context, const char *name, double size) {
    const double least = 1e-30, most = 1e30; // m
    if (!(size >= least && size <= most))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s must be a positive length in m (is %g)", name, size);
    return VS_OK;
}

// Twice as many cells as rings; an invalid number stays invalid.
static int across(int rings) {
    return rings < 1 || rings > VS_MESH_MOST ? rings : 2 * rings;
}

vs_error vs_mesh_box(vs_context *context, vs_vec3 half, const int *cells, int nodes, vs_mesh **mesh) {
    vs_error error = check_call(context, cells, mesh);
    if (error || (error = check_size(context, "half.x", half.x)) || (error = check_size(context, "half.y", half.y)) ||
        (error = check_size(context, "half.z", half.z)))
        return error;
    grid g = {.cells = {cells[0], cells[1], cells[2]}, .mirrored = true, .half = half};
    return make(context, &g, BOX, 6, nodes, mesh);
}

vs_error vs_mesh_cylinder(vs_context *context, double radius, double half_length, const int *cells, int nodes,
                          vs_mesh **mesh) {
    vs_error error = check_call(context, cells, mesh);
    if (error || (error = check_size(context, "radius", radius)) ||
        (error = check_size(context, "half_length", half_length)))
        return error;
    const int n = across(cells[0]);
    grid g = {
        .cells = {n, n, cells[1]}, .middle = {n / 2, n / 2, 0}, .half = {radius, radius, half_length}, .round = 2};
    return make(context, &g, CYLINDER, 3, nodes, mesh);
}

vs_error vs_mesh_sphere(vs_context *context, double radius, int cells, int nodes, vs_mesh **mesh) {
    vs_error error = check_call(context, &cells, mesh);
    if (error || (error = check_size(context, "radius", radius)))
        return error;
    const int n = across(cells);
    grid g = {.cells = {n, n, n}, .middle = {n / 2, n / 2, n / 2}, .half = {radius, radius, radius}, .round = 3};
    return make(context, &g, SPHERE, 1, nodes, mesh);
}
