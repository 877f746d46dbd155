// Geometry of the bodies of a Rigid IPC scene: hulls or a mesh of each, about the centre of mass, once per file, scale and use.
//
// Convex parts become hulls, all others meshes with the triangles of the file. A mesh in one plane is a face there, without
// volume; here it has the thickness of the options: half of it to either side, but all of it away from the moving bodies if
// it is static, so that floors stay where they are. An open surface stays what it is on a body that does not move freely, and
// is replaced by its hull on one that does. Points and edges without faces ("codimensional" bodies) are refused.
#include "cad/ipc_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "voussoir/shape.h"

static const double FLAT = 1e-6;   // of the size: what lies in one plane; files have six digits
static const double FILLED = 1e-6; // of the area: what a convex face may lack

// ---- solids ----------------------------------------------------------------------------------------

// The vertices of some solids of the drawing, and their triangles.
static vs_error collect(const vs_drawing *d, const vs_solids *s, int from, int to, vs_arena *arena, vs_cad_block *b) {
    const int first = s->start[from];
    const int64_t corners = 3 * (int64_t)(s->start[to] - first);
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    int *number = VS_NEW_ZERO(&scratch, int, d->soup.vertices);
    *b = (vs_cad_block){.triangles = (int)(corners / 3), .index = VS_NEW(arena, int, corners)};
    for (int64_t k = 0; k < corners && number && b->index; k++) {
        const int vertex = d->soup.index[3 * (int64_t)s->triangle[first + k / 3] + k % 3];
        if (!number[vertex])
            number[vertex] = ++b->vertices;
        b->index[k] = number[vertex] - 1;
    }
    b->vertex = number ? VS_NEW(arena, vs_vec3, b->vertices) : NULL;
    const bool good = b->vertex && b->index;
    for (int k = 0; k < d->soup.vertices && good; k++)
        if (number[k])
            b->vertex[number[k] - 1] = d->soup.vertex[k];
    vs_arena_release(&scratch);
    return good ? VS_OK : VS_ERROR_MEMORY;
}

static vs_vec3 area_of(const vs_cad_block *b, int triangle) {
    const int *c = b->index + 3 * (int64_t)triangle;
    const vs_vec3 o = b->vertex[c[0]];
    return vs_scale(.5, vs_cross(vs_subtract(b->vertex[c[1]], o), vs_subtract(b->vertex[c[2]], o)));
}

// Does everything lie in one plane? Then `normal` is its direction and `area` that of the triangles.
static bool is_flat(const vs_cad_block *b, vs_vec3 *normal, double *area) {
    const vs_box3 box = vs_ipc_bounds(b->vertex, b->vertices);
    const double size = vs_length(vs_subtract(box.high, box.low));
    vs_vec3 largest = {0, 0, 0};
    *area = 0;
    for (int k = 0; k < b->triangles; k++) {
        const vs_vec3 a = area_of(b, k);
        *area += vs_length(a);
        largest = vs_length(a) > vs_length(largest) ? a : largest;
    }
    vs_vec3 sum = {0, 0, 0}; // in one plane whichever way each of them faces
    for (int k = 0; k < b->triangles; k++) {
        const vs_vec3 a = area_of(b, k);
        sum = vs_add_scaled(sum, vs_dot(a, largest) < 0 ? -1 : 1, a);
    }
    *normal = vs_normalize(sum);
    bool flat = *area > 0;
    for (int k = 0; k < b->vertices && flat; k++)
        flat = fabs(vs_dot(*normal, vs_subtract(b->vertex[k], b->vertex[0]))) <= FLAT * size;
    return flat;
}

// A slab on both sides of the plane.
static vs_error thicken(vs_arena *arena, vs_vec3 normal, double thickness, vs_cad_block *b) {
    vs_vec3 *vertex = VS_NEW(arena, vs_vec3, 2 * (int64_t)b->vertices);
    if (!vertex)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < 2 * b->vertices; k++)
        vertex[k] = vs_add_scaled(b->vertex[k / 2], (k & 1 ? .5 : -.5) * thickness, normal);
    *b = (vs_cad_block){.vertex = vertex, .vertices = 2 * b->vertices, .convex = true};
    return VS_OK;
}

// Volume and centre; VS_ERROR_UNSUPPORTED: the surface is open.
static vs_error weigh(vs_context *context, const vs_cad_block *b, vs_mass_properties *mass) {
    vs_shape *shape = NULL;
    vs_error error = b->convex ? vs_shape_hull(context, b->vertex, b->vertices, &shape)
                               : vs_shape_mesh(context, b->vertex, b->vertices, b->index, b->triangles, &shape);
    if (!error)
        error = vs_shape_get_mass(shape, 1, mass);
    vs_shape_release(shape);
    return error;
}

// Keeps corners of convex solids; false: one of them is not convex, or open.
static vs_error make_hulls(const vs_drawing *d, const vs_solids *s, int from, int to, vs_arena *arena,
                           vs_ipc_solid *solid, bool *good) {
    vs_cad_block *block = VS_NEW(arena, vs_cad_block, to - from);
    vs_error error = block ? VS_OK : VS_ERROR_MEMORY;
    *good = block != NULL;
    for (int k = from; k < to && *good && !error; k++) {
        error = vs_cad_block_make(d, s, k, arena, &block[k - from]);
        *good = !error && block[k - from].convex && !block[k - from].open && block[k - from].vertices > 0;
    }
    solid->block = block;
    solid->blocks = to - from;
    return error;
}

// One mesh of everything, or of an open surface that moves the hull.
static vs_error make_mesh(vs_ipc_model *m, const vs_ipc_body *b, vs_ipc_solid *solid, vs_cad_block *whole) {
    vs_context *context = m->scene.arena->context;
    vs_mass_properties mass;
    int kept = 0;
    for (int k = 0; k < whole->triangles; k++) {
        const int *c = whole->index + 3 * (int64_t)k;
        if (!vs_triangle_has_area(whole->vertex[c[0]], whole->vertex[c[1]], whole->vertex[c[2]]))
            continue;
        memmove(whole->index + 3 * (int64_t)kept++, c, 3 * sizeof *c);
    }
    whole->triangles = kept;
    if (kept == 0)
        return vs_ipc_fail(&m->scene, b, "has no triangle with an area");
    const vs_error error = weigh(context, whole, &mass);
    if (error && error != VS_ERROR_UNSUPPORTED)
        return error;
    if (error && b->motion == VS_IPC_DYNAMIC) {
        *whole = (vs_cad_block){.vertex = whole->vertex, .vertices = whole->vertices, .convex = true, .open = true};
        vs_log(context, VS_LOG_WARNING, "%s: rigid_bodies[%d] (%s) is not closed; its convex hull is used",
               m->scene.file, b->number, b->mesh);
    }
    solid->block = VS_COPY(m->scene.arena, vs_cad_block, whole, 1);
    solid->blocks = 1;
    return solid->block ? VS_OK : VS_ERROR_MEMORY;
}

// Moves the blocks to their common centre. Open surfaces stay: what does not move has no use for one.
static vs_error centre(vs_ipc_model *m, const vs_ipc_body *b, vs_ipc_solid *solid) {
    vs_mass_properties sum = {0}, one;
    const vs_pose here = {.rotation = {1, 0, 0, 0}};
    for (int k = 0; k < solid->blocks; k++) {
        const vs_error error = weigh(m->scene.arena->context, &solid->block[k], &one);
        if (error == VS_ERROR_UNSUPPORTED)
            return VS_OK;
        if (error == VS_ERROR_MEMORY)
            return error;
        if (error || !(one.mass > 0))
            return vs_ipc_fail(&m->scene, b, "has no volume");
        sum = k > 0 ? vs_mass_properties_add(&sum, &one, here) : one;
    }
    solid->centre = sum.centre;
    solid->volume = sum.mass;
    for (int k = 0; k < solid->blocks; k++)
        for (int i = 0; i < solid->block[k].vertices; i++)
            solid->block[k].vertex[i] = vs_subtract(solid->block[k].vertex[i], sum.centre);
    return VS_OK;
}

static vs_error make_solid(vs_ipc_model *m, const vs_ipc_body *b, const vs_drawing *d, const vs_solids *s, int from,
                           int to) {
    vs_context *context = m->scene.arena->context;
    vs_ipc_solid *solid = VS_NEW_ZERO(m->scene.arena, vs_ipc_solid, 1);
    vs_cad_block whole;
    double area = 0;
    bool hulls = false;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    vs_error error = solid ? VS_RESERVE(context, &m->solid, m->solid.count + 1) : VS_ERROR_MEMORY;
    if (!error)
        error = collect(d, s, from, to, m->scene.arena, &whole);
    if (error)
        return error;
    solid->number = (int)m->solid.count;
    solid->flat = is_flat(&whole, &solid->normal, &area);
    if (solid->flat) {
        error = thicken(m->scene.arena, solid->normal, m->options->thickness, &whole);
        solid->block = error ? NULL : VS_COPY(m->scene.arena, vs_cad_block, &whole, 1);
        solid->blocks = 1;
        error = solid->block ? VS_OK : VS_ERROR_MEMORY;
    } else {
        error = make_hulls(d, s, from, to, m->scene.arena, solid, &hulls);
        if (!error && !hulls)
            error = make_mesh(m, b, solid, &whole);
    }
    if (!error)
        error = centre(m, b, solid);
    if (!error && solid->flat && solid->volume > (1 + FILLED) * area * m->options->thickness)
        vs_log(context, VS_LOG_WARNING, "%s: rigid_bodies[%d] (%s) is flat and not convex; its convex hull is used",
               m->scene.file, b->number, b->mesh);
    if (!error)
        m->solid.data[m->solid.count++] = solid;
    return error;
}

// ---- meshes of bodies --------------------------------------------------------------------------------

static vs_error make_solids(vs_ipc_model *m, const vs_ipc_body *b) {
    vs_arena scratch;
    vs_drawing d;
    vs_solids solids;
    vs_arena_init(&scratch, m->scene.arena->context);
    vs_drawing_init(&d, &scratch, m->scene.file);
    vs_error error = vs_ipc_load(m, b, &d);
    if (!error)
        error = vs_solids_find(&d, &solids);
    const int parts = !error && b->split ? solids.solids : 1;
    if (!error && solids.solids == 0)
        error = vs_ipc_fail(&m->scene, b, "has no triangle with an area");
    for (int k = 0; k < parts && !error; k++)
        error = make_solid(m, b, &d, &solids, b->split ? k : 0, b->split ? k + 1 : solids.solids);
    vs_drawing_release(&d);
    vs_arena_release(&scratch);
    return error;
}

// The mesh of a body, among those read before.
static vs_error find_mesh(vs_ipc_model *m, const vs_ipc_body *b, int *mesh) {
    vs_context *context = m->scene.arena->context;
    char key[1280];
    bool added;
    (void)snprintf(key, sizeof key, "%.1024s|%d|%a %a %a|%d%d%d", b->mesh, b->mesh[0] ? -1 : b->number, b->scale.x,
                   b->scale.y, b->scale.z, b->dimensions, b->split, b->motion == VS_IPC_DYNAMIC);
    vs_error error = vs_name_table_add(m->scene.arena, &m->meshes, key, mesh, &added);
    if (!error && added) {
        error = VS_RESERVE(context, &m->first, m->first.count + 2);
        if (!error)
            error = make_solids(m, b);
        if (!error)
            m->first.data[++m->first.count] = (int)m->solid.count;
    }
    return error;
}

// cube-3, or cube-3.0 if it is a part: the number is that in rigid_bodies.
static const char *name_item(vs_ipc_model *m, const vs_ipc_body *b, int part) {
    char stem[VS_CAD_NAME_MOST + 1], name[VS_CAD_NAME_MOST + 40];
    const char *slash = strrchr(b->mesh, '/'), *base = slash ? slash + 1 : b->mesh, *dot = strrchr(base, '.');
    vs_name_clean(base, dot ? (size_t)(dot - base) : strlen(base), stem, VS_CAD_NAME_MOST);
    (void)snprintf(name, sizeof name, b->split ? "%s-%d.%d" : "%s-%d", stem[0] ? stem : "body", b->number, part);
    return VS_COPY(m->scene.arena, char, name, (int64_t)strlen(name) + 1);
}

static vs_error add_items(vs_ipc_model *m, const vs_ipc_body *b) {
    int mesh = 0;
    vs_error error = find_mesh(m, b, &mesh);
    for (int k = error ? 0 : m->first.data[mesh]; !error && k < m->first.data[mesh + 1]; k++) {
        error = VS_RESERVE(m->scene.arena->context, &m->item, m->item.count + 1);
        if (error)
            return error;
        const vs_ipc_solid *solid = m->solid.data[k];
        const char *name = name_item(m, b, k - m->first.data[mesh]);
        m->item.data[m->item.count++] = (vs_ipc_item){b, solid, name, vs_pose_apply(b->pose, solid->centre)};
        m->open += solid->block[0].open;
        error = name ? VS_OK : VS_ERROR_MEMORY;
    }
    return error;
}

// Static faces become thick on the side where the moving bodies are not, or against gravity.
static void lower_floors(vs_ipc_model *m) {
    vs_vec3 middle = {0, 0, 0};
    int moving = 0;
    for (int64_t k = 0; k < m->item.count; k++)
        if (m->item.data[k].body->motion != VS_IPC_STATIC)
            middle = vs_add_scaled(vs_scale(moving / (moving + 1.), middle), 1 / (moving + 1.), m->item.data[k].centre),
            moving++;
    for (int64_t k = 0; k < m->item.count; k++) {
        vs_ipc_item *i = &m->item.data[k];
        if (i->body->motion != VS_IPC_STATIC || !i->solid->flat)
            continue;
        const vs_vec3 normal = vs_rotate(i->body->pose.rotation, i->solid->normal);
        double side = moving > 0 ? vs_dot(normal, vs_subtract(middle, i->centre)) : 0;
        if (fabs(side) <= m->options->thickness)
            side = -vs_dot(normal, m->scene.gravity);
        i->centre = vs_add_scaled(i->centre, (side < 0 ? .5 : -.5) * m->options->thickness, normal);
    }
}

vs_error vs_ipc_make(vs_ipc_model *m) {
    vs_error error = VS_OK;
    for (int64_t k = 0; k < m->scene.body.count && !error; k++)
        error = add_items(m, &m->scene.body.data[k]);
    if (!error)
        lower_floors(m);
    return error ? error : vs_ipc_face(m);
}
