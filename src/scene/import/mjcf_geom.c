// MJCF: poses and shapes.
//
// Lower-case letters of the Euler sequence rotate about moving axes (q <- q r), upper-case ones about fixed axes
// (q <- r q). Meshes: mjcf_mesh.c. Planes are half spaces: their size is for display only. Geoms that collide with nothing
// and have no mass are for display: they are not made, and their meshes not read. Not supported: height fields, signed
// distances; they are listed.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "scene/import/mjcf_data.h"

// ---- poses -----------------------------------------------------------------------------------------

static vs_quat turn_euler(const vs_mjcf_settings *set, const double *angle) {
    vs_quat q = {1, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const char axis = set->sequence[k];
        const double a = angle[k] * set->angle;
        const vs_quat r =
            vs_quat_exp((vs_vec3){strchr("xX", axis) ? a : 0, strchr("yY", axis) ? a : 0, strchr("zZ", axis) ? a : 0});
        q = axis >= 'x' ? vs_quat_multiply(q, r) : vs_quat_multiply(r, q);
    }
    return q;
}

// Of the matrix with these columns; x and y are made perpendicular, z follows.
static vs_quat turn_axes(vs_vec3 x, vs_vec3 y) {
    x = vs_normalize(x);
    y = vs_normalize(vs_add_scaled(y, -vs_dot(x, y), x));
    // First align z, then rotate about it to align x.
    const vs_quat lift = vs_quat_from_z_to(vs_cross(x, y));
    const vs_vec3 seen = vs_rotate_back(lift, x);
    return vs_quat_multiply(lift, vs_quat_exp((vs_vec3){0, 0, vs_atan2(seen.y, seen.x)}));
}

static vs_quat read_rotation(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    double v[6];
    vs_quat q = {1, 0, 0, 0};
    if (vs_import_numbers(im, e, "quat", v, 4, 4))
        q = (vs_quat){v[0], v[1], v[2], v[3]};
    else if (vs_import_numbers(im, e, "axisangle", v, 4, 4))
        q = vs_quat_exp(vs_scale(v[3] * vs_mjcf_set(m, e.node)->angle, vs_normalize((vs_vec3){v[0], v[1], v[2]})));
    else if (vs_import_numbers(im, e, "euler", v, 3, 3))
        q = turn_euler(vs_mjcf_set(m, e.node), v);
    else if (vs_import_numbers(im, e, "xyaxes", v, 6, 6))
        q = turn_axes((vs_vec3){v[0], v[1], v[2]}, (vs_vec3){v[3], v[4], v[5]});
    else if (vs_import_numbers(im, e, "zaxis", v, 3, 3))
        q = vs_quat_from_z_to((vs_vec3){v[0], v[1], v[2]});
    const double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (size > 0 && isfinite(size))
        return vs_quat_normalize(q);
    vs_import_fail(im, e.node, VS_ERROR_DATA, "the rotation has no direction");
    return (vs_quat){1, 0, 0, 0};
}

vs_pose vs_mjcf_pose(vs_mjcf *m, vs_element e) {
    return (vs_pose){vs_import_vector(m->im, e, "pos", VS_ZERO3), read_rotation(m, e)};
}

// ---- shapes ----------------------------------------------------------------------------------------

// Sizes, also from two end points, which change the pose of the shape.
static void read_size(vs_import *im, vs_element e, double size[3], vs_pose *pose) {
    double end[6];
    size[0] = size[1] = size[2] = 0;
    const int sizes = vs_import_numbers(im, e, "size", size, 1, 3);
    if (!vs_import_numbers(im, e, "fromto", end, 6, 6) || sizes == 0)
        return;
    // As in MuJoCo; what is not used must not look as if it were.
    static const char *const unused[] = {"pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"};
    for (size_t k = 0; k < sizeof unused / sizeof *unused; k++)
        if (vs_import_text(im, e, unused[k]))
            vs_import_ignore(im, e.node, "%s is ignored: fromto gives the place of the geom", unused[k]);
    const vs_vec3 from = {end[0], end[1], end[2]}, to = {end[3], end[4], end[5]}, along = vs_subtract(to, from);
    *pose = (vs_pose){vs_scale(.5, vs_add(from, to)), vs_quat_from_z_to(along)};
    size[1] = .5 * vs_length(along);
    const char *type = vs_import_text(im, e, "type");
    // A box or an ellipsoid between two points is as wide as it is deep.
    if (type && vs_in_list(type, "box ellipsoid")) {
        size[2] = size[1];
        size[1] = size[0];
    }
}

static vs_shape *read_shape(vs_mjcf *m, vs_element e, vs_pose *pose) {
    vs_import *im = m->im;
    vs_context *context = im->context;
    vs_shape *shape = NULL;
    const char *type = vs_import_text(im, e, "type");
    double s[3];
    type = type ? type : "sphere";
    read_size(im, e, s, pose);
    if (!vs_import_good(im))
        return NULL;
    if (strcmp(type, "mesh") == 0)
        return vs_mjcf_mesh_hull(m, e);
    if (vs_import_text(im, e, "mesh") && vs_in_list(type, "sphere capsule cylinder ellipsoid box") &&
        !vs_mjcf_mesh_fit(m, e, type, s, pose))
        return NULL;
    if (strcmp(type, "plane") == 0)
        vs_import_check(im, e.node, vs_shape_plane(context, &shape));
    else if (strcmp(type, "sphere") == 0)
        vs_import_check(im, e.node, vs_shape_sphere(context, s[0], &shape));
    else if (strcmp(type, "capsule") == 0)
        vs_import_check(im, e.node, vs_shape_capsule(context, s[0], s[1], &shape));
    else if (strcmp(type, "cylinder") == 0)
        vs_import_check(im, e.node, vs_shape_cylinder(context, s[0], s[1], &shape));
    else if (strcmp(type, "ellipsoid") == 0)
        vs_import_check(im, e.node, vs_shape_ellipsoid(context, (vs_vec3){s[0], s[1], s[2]}, &shape));
    else if (strcmp(type, "box") == 0)
        vs_import_check(im, e.node, vs_shape_box(context, (vs_vec3){s[0], s[1], s[2]}, &shape));
    else
        vs_import_ignore(im, e.node, "a shape of type '%.40s' is not supported, ignored", type);
    return shape;
}

// ---- geoms -----------------------------------------------------------------------------------------

static uint32_t read_bits(vs_import *im, vs_element e, const char *name) {
    const double x = vs_import_number(im, e, name, 1);
    if (x != floor(x) || x < INT32_MIN || x > UINT32_MAX) {
        vs_import_fail(im, e.node, VS_ERROR_DATA, "%s must be a 32-bit integer, is %g", name, x);
        return 0;
    }
    return (uint32_t)(int64_t)x; // -1: all bits
}

// Sliding, spinning (m), rolling (m); condim 1: none, 3: the first, 4: and the second, 6: all.
static void read_friction(vs_import *im, vs_element e, vs_import_item *item) {
    double friction[3] = {1, .005, .0001};
    const int condim = (int)fmax(0, fmin(9, vs_import_number(im, e, "condim", 3)));
    (void)vs_import_numbers(im, e, "friction", friction, 1, 3);
    item->mu = condim == 1 ? 0 : friction[0];
    item->spinning = condim == 4 || condim == 6 ? friction[1] : 0;
    item->rolling = condim == 6 ? friction[2] : 0;
}

void vs_mjcf_add_mass(vs_mjcf *m, vs_import_link *link, const vs_mass_properties *mass, vs_pose pose) {
    vs_mass_properties lifted = *mass;
    vs_import_add_mass(link, mass, pose);
    lifted.mass *= m->lifted;
    if (lifted.mass > 0)
        link->lifted = vs_mass_properties_add(&link->lifted, &lifted, vs_pose_relative(pose, link->pose));
}

static void add_mass(vs_mjcf *m, vs_element e, vs_import_link *link, const vs_shape *shape, vs_pose pose) {
    vs_import *im = m->im;
    const double density = vs_import_number(im, e, "density", 1000), mass = vs_import_number(im, e, "mass", -1);
    vs_mass_properties p;
    if (!vs_import_good(im) || vs_shape_get_kind(shape) == VS_SHAPE_PLANE || mass == 0 || (mass < 0 && density == 0))
        return;
    if (vs_shape_get_kind(shape) != VS_SHAPE_HULL)
        vs_import_check(im, e.node, vs_shape_get_mass(shape, 1, &p));
    else if (!vs_mjcf_mesh_mass(m, e, shape, &p))
        return;
    if (!vs_import_good(im))
        return;
    const double factor = mass > 0 ? mass / p.mass : density;
    p.mass *= factor;
    for (int k = 0; k < 9; k++)
        p.inertia.a[k] *= factor;
    vs_mjcf_add_mass(m, link, &p, pose);
}

// A geom that a tendon passes.
static void add_drum(vs_mjcf *m, vs_element e, const char *name, vs_import_link *link, vs_pose pose) {
    double s[3] = {0, 0, 0};
    vs_pose place = vs_mjcf_pose(m, e);
    read_size(m->im, e, s, &place);
    vs_mjcf_add_drum(m, name, link, vs_import_text(m->im, e, "type"), s[0], vs_pose_multiply(pose, place));
}

void vs_mjcf_geom(vs_mjcf *m, vs_element e, vs_import_link *link, vs_pose pose, bool weighs) {
    vs_import *im = m->im;
    vs_import_known(im, e.node, VS_MJCF_GEOM);
    const uint32_t type = read_bits(im, e, "contype"), affinity = read_bits(im, e, "conaffinity");
    const double group = vs_import_number(im, e, "group", 0);
    const double *groups = vs_mjcf_set(m, e.node)->mass_groups;
    weighs = weighs && !link->world && group >= groups[0] && group <= groups[1];
    const char *name = vs_import_text(im, e, "name");
    if (name && vs_names_find(&m->drum_names, name) >= 0)
        add_drum(m, e, name, link, pose);
    if (!weighs && type == 0 && affinity == 0 && !(name && vs_names_find(&m->paired, name) >= 0))
        return;
    vs_pose place = vs_mjcf_pose(m, e);
    vs_shape *shape = read_shape(m, e, &place);
    if (!shape)
        return;
    place = vs_pose_multiply(pose, place);
    if (weighs)
        add_mass(m, e, link, shape, place);
    vs_import_item *item = vs_import_add_item(im, e.node, link, shape, place);
    if (!item)
        return;
    read_friction(im, e, item);
    item->type = type;
    item->affinity = affinity;
    item->priority = (int)fmax(-1e6, fmin(1e6, vs_import_number(im, e, "priority", 0)));
}
