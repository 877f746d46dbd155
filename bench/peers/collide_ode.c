// Collision detection of ODE: a hash space, dCollide with up to 8 points per pair; of meshes 64, as few leave out pairs of triangles.
#include "collide_side.h"

#include <math.h>
#include <stdlib.h>

#include <ode/ode.h>

enum { POINTS_MOST = 8, MESH_POINTS_MOST = 64 };

typedef struct ode_state {
    dSpaceID space;
    dGeomID *geom; // (bodies)
    int bodies, pairs, capacity;
    bool *fixed;
    side_pair *pair;
    double **plane; // (hulls) memory of convex shapes, which ODE does not copy
    unsigned **polygon;
    dTriMeshDataID *mesh; // (bodies)
} ode_state;

static dGeomID make_hull(ode_state *s, int k, const side_body *b) {
    const int corners = b->face_start[b->faces];
    double *plane = malloc(sizeof *plane * (size_t)(4 * b->faces + 3 * b->points)), *point = plane + 4 * b->faces;
    unsigned *polygon = malloc(sizeof *polygon * (size_t)(b->faces + corners)), *at = polygon;
    for (int f = 0; f < b->faces; f++) {
        const double row[4] = {b->normal[f].x, b->normal[f].y, b->normal[f].z, b->offset[f]};
        for (int i = 0; i < 4; i++)
            plane[4 * f + i] = row[i];
        *at++ = (unsigned)(b->face_start[f + 1] - b->face_start[f]);
        for (int i = b->face_start[f]; i < b->face_start[f + 1]; i++)
            *at++ = (unsigned)b->face_vertex[i];
    }
    for (int i = 0; i < b->points; i++) {
        point[3 * i] = b->point[i].x;
        point[3 * i + 1] = b->point[i].y;
        point[3 * i + 2] = b->point[i].z;
    }
    s->plane[k] = plane;
    s->polygon[k] = polygon;
    return dCreateConvex(s->space, plane, (unsigned)b->faces, point, (unsigned)b->points, polygon);
}

static dGeomID make_mesh(ode_state *s, int k, const side_body *b) {
    s->mesh[k] = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(s->mesh[k], b->point, sizeof *b->point, b->points, b->triangle, 3 * b->triangles,
                                3 * sizeof *b->triangle);
    return dCreateTriMesh(s->space, s->mesh[k], NULL, NULL, NULL);
}

static dGeomID make_geom(ode_state *s, int k, const side_body *b, const vs_pose *pose) {
    const dQuaternion q = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    dMatrix3 R;
    dQtoR(q, R);
    switch (b->shape) {
    case SIDE_SPHERE:
        return dCreateSphere(s->space, b->radius);
    case SIDE_BOX:
        return dCreateBox(s->space, 2 * b->half.x, 2 * b->half.y, 2 * b->half.z);
    case SIDE_CAPSULE:
        return dCreateCapsule(s->space, b->radius, 2 * b->half_length);
    case SIDE_CYLINDER:
        return dCreateCylinder(s->space, b->radius, 2 * b->half_length);
    case SIDE_HULL:
        return make_hull(s, k, b);
    case SIDE_MESH:
        return make_mesh(s, k, b);
    default:
        return dCreatePlane(s->space, R[2], R[6], R[10],
                            R[2] * pose->position.x + R[6] * pose->position.y + R[10] * pose->position.z);
    }
}

static void place(void *state, const vs_pose *pose) {
    ode_state *s = state;
    for (int k = 0; k < s->bodies; k++) {
        if (s->fixed[k])
            continue;
        const dQuaternion q = {pose[k].rotation.w, pose[k].rotation.x, pose[k].rotation.y, pose[k].rotation.z};
        dGeomSetPosition(s->geom[k], pose[k].position.x, pose[k].position.y, pose[k].position.z);
        dGeomSetQuaternion(s->geom[k], q);
    }
}

static void *create(const side_body *body, int bodies, const vs_pose *pose) {
    ode_state *s = calloc(1, sizeof *s);
    (void)dInitODE2(0);
    s->space = dHashSpaceCreate(0);
    s->bodies = bodies;
    s->geom = calloc((size_t)bodies, sizeof(dGeomID));
    s->fixed = calloc((size_t)bodies, sizeof *s->fixed);
    s->plane = calloc((size_t)bodies, sizeof *s->plane);
    s->polygon = calloc((size_t)bodies, sizeof *s->polygon);
    s->mesh = calloc((size_t)bodies, sizeof *s->mesh);
    s->capacity = 64 * bodies;
    s->pair = calloc((size_t)s->capacity, sizeof *s->pair);
    for (int k = 0; k < bodies; k++) {
        s->fixed[k] = body[k].shape == SIDE_PLANE;
        s->geom[k] = make_geom(s, k, &body[k], &pose[k]);
        dGeomSetData(s->geom[k], &s->fixed[k]);
        // Planes do not meet each other: as bodies that are attached to nothing.
        dGeomSetCategoryBits(s->geom[k], s->fixed[k] ? 2 : 1);
        dGeomSetCollideBits(s->geom[k], s->fixed[k] ? 1 : 3);
    }
    place(s, pose);
    return s;
}

static void meet(void *data, dGeomID p, dGeomID q) {
    ode_state *s = data;
    dContactGeom contact[MESH_POINTS_MOST];
    const int most = dGeomGetClass(p) == dTriMeshClass ? MESH_POINTS_MOST : POINTS_MOST;
    const int count = dCollide(p, q, most, contact, sizeof(dContactGeom));
    if (count == 0 || s->pairs == s->capacity)
        return;
    const int i = (int)((bool *)dGeomGetData(p) - s->fixed), j = (int)((bool *)dGeomGetData(q) - s->fixed);
    side_pair pair = {i < j ? i : j, i < j ? j : i, count, INFINITY};
    for (int k = 0; k < count; k++)
        pair.deepest = fmin(pair.deepest, -contact[k].depth);
    s->pair[s->pairs++] = pair;
}

static void find(void *state) {
    ode_state *s = state;
    s->pairs = 0;
    dSpaceCollide(s->space, s, meet);
}

static int get(void *state, side_pair *pair, int most) {
    ode_state *s = state;
    for (int k = 0; k < s->pairs && k < most; k++)
        pair[k] = s->pair[k];
    return s->pairs;
}

static void destroy(void *state) {
    ode_state *s = state;
    dSpaceDestroy(s->space);
    for (int k = 0; k < s->bodies; k++) {
        free(s->plane[k]);
        free(s->polygon[k]);
        if (s->mesh[k])
            dGeomTriMeshDataDestroy(s->mesh[k]);
    }
    dCloseODE();
    free(s->geom);
    free(s->fixed);
    free(s->plane);
    free(s->polygon);
    free(s->mesh);
    free(s->pair);
    free(s);
}

const collide_side *collide_ode_get(void) {
    static const collide_side side = {"ODE", create, place, find, get, destroy};
    return &side;
}
