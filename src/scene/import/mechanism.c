// Makes a world from a mechanism: bodies at the links' centres of mass, colliders from shapes, joints.
#include "scene/import/import_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body/joint_coordinate.h"
#include "scene/data/scene_data.h"
#include "shape/shape_data.h"

// ---- calls of the readers --------------------------------------------------------------------------

vs_import_link *vs_import_add_link(vs_import *im, const xmlNode *node, const char *name, vs_pose pose) {
    vs_import_link *link = vs_import_make(im, node, 1, sizeof *link);
    if (!link)
        return NULL;
    *link = (vs_import_link){.node = node, .name = name && *name ? name : NULL, .pose = pose, .body = VS_IDENTITY_POSE};
    *im->link_end = link;
    im->link_end = &link->next;
    return link;
}

vs_import_item *vs_import_add_item(vs_import *im, const xmlNode *node, vs_import_link *link, vs_shape *shape,
                                   vs_pose pose) {
    vs_import_item *item = shape ? vs_import_make(im, node, 1, sizeof *item) : NULL;
    if (!item) {
        vs_shape_release(shape);
        return NULL;
    }
    *item = (vs_import_item){.node = node, .link = link, .shape = shape, .pose = pose, .type = 1, .affinity = 1};
    item->owner = vs_import_owner(node);
    item->mu = vs_material_default().mu;
    *im->item_end = item;
    im->item_end = &item->next;
    return item;
}

vs_import_joint *vs_import_add_joint(vs_import *im, const xmlNode *node, vs_joint_kind kind, vs_import_link *a,
                                     vs_import_link *b, vs_pose frame) {
    vs_import_joint *joint = vs_import_make(im, node, 1, sizeof *joint);
    if (!joint)
        return NULL;
    *joint = (vs_import_joint){.node = node, .a = a, .b = b, .frame = frame, .def = vs_joint_def_default()};
    joint->def.kind = kind;
    *im->joint_end = joint;
    im->joint_end = &joint->next;
    return joint;
}

vs_import_exclude *vs_import_add_exclude(vs_import *im, const xmlNode *node, const vs_import_link *a,
                                         const vs_import_link *b) {
    vs_import_exclude *exclude = a != b ? vs_import_make(im, node, 1, sizeof *exclude) : NULL;
    if (!exclude)
        return NULL;
    *exclude = (vs_import_exclude){.next = im->exclude, .node = node, .a = a, .b = b, .whole = true};
    im->exclude = exclude;
    return exclude;
}

void vs_import_add_mass(vs_import_link *link, const vs_mass_properties *mass, vs_pose pose) {
    link->mass = vs_mass_properties_add(&link->mass, mass, vs_pose_relative(pose, link->pose));
}

// ---- shapes from files -----------------------------------------------------------------------------

static vs_shape *make_hull(vs_import *im, const xmlNode *node, const vs_vec3 *point, int count, vs_vec3 scale) {
    vs_shape *shape = NULL;
    vs_vec3 *scaled = vs_import_good(im) ? VS_NEW(&im->arena, vs_vec3, count) : NULL;
    if (!scaled) {
        vs_import_fail(im, node, VS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    for (int k = 0; k < count; k++)
        scaled[k] = (vs_vec3){scale.x * point[k].x, scale.y * point[k].y, scale.z * point[k].z};
    vs_import_check(im, node, vs_shape_hull(im->context, scaled, count, &shape));
    return shape;
}

vs_shape *vs_import_mesh(vs_import *im, const xmlNode *node, const char *path, vs_vec3 scale) {
    vs_shape *read = NULL, *shape = NULL;
    if (!vs_import_good(im))
        return NULL;
    if (!im->folder) {
        vs_import_fail(im, node, VS_ERROR_UNSUPPORTED, "'%.200s': shape files need a description that is itself a file",
                       path);
        return NULL;
    }
    vs_error error = vs_scene_add_file(im->scene, path);
    if (!error)
        error = vs_shape_from_file(im->context, path, 1, true, &read);
    if (error == VS_ERROR_UNSUPPORTED)
        vs_import_ignore(im, node, "the shape is ignored: %s", vs_context_get_error_text(im->context));
    else
        vs_import_check(im, node, error);
    if (!read || (scale.x == 1 && scale.y == 1 && scale.z == 1))
        return read;
    // The hull of scaled points is the scaled hull, also with different or negative factors.
    shape = make_hull(im, node, read->polytope.vertex, read->polytope.vertices, scale);
    vs_shape_release(read);
    return shape;
}

// ---- the world -------------------------------------------------------------------------------------

static void build_link(vs_import *im, vs_import_link *link) {
    vs_body_def def = vs_body_def_default();
    if (link->world)
        return;
    // The mass of auxiliary parts is taken from the link.
    const double share = link->of ? VS_IMPORT_SHARE : 1 - VS_IMPORT_SHARE * link->parts;
    const vs_mass_properties *whole = link->of ? &link->of->mass : &link->mass;
    if (!(whole->mass > 0)) {
        vs_import_fail(im, link->node, VS_ERROR_DATA, "'%.60s' moves but has no mass; give it an <inertial>",
                       link->name ? link->name : "");
        return;
    }
    def.pose = (vs_pose){vs_pose_apply(link->pose, whole->centre), link->pose.rotation};
    def.mass = share * whole->mass;
    for (int k = 0; k < 9; k++)
        def.inertia.a[k] = share * whole->inertia.a[k];
    def.name = link->name;
    vs_import_check(im, link->node, vs_world_add_body(im->scene->world, &def, &link->id));
    link->body = def.pose;
}

static bool rubs_in_pairs(const vs_import *im, const vs_import_item *item) {
    for (const vs_import_pair *p = im->pair; p; p = p->next)
        if (p->rubs && (p->a == item || p->b == item))
            return true;
    return false;
}

static int find_material(vs_import *im, const vs_import_item *item) {
    char name[120];
    int length = snprintf(name, sizeof name, "mu %.17g", item->mu);
    if (item->rolling > 0 || item->spinning > 0)
        (void)snprintf(name + length, sizeof name - (size_t)length, ", rolling %.17g m, spinning %.17g m",
                       item->rolling, item->spinning);
    if (item->priority != 0)
        (void)snprintf(name + strlen(name), sizeof name - strlen(name), ", priority %d", item->priority);
    if (rubs_in_pairs(im, item))
        (void)snprintf(name + strlen(name), sizeof name - strlen(name), ", pairs %d", item->mark);
    int index = vs_world_find_material(im->scene->world, name);
    vs_material material = vs_material_default();
    material.mu = item->mu, material.rolling = item->rolling, material.spinning = item->spinning;
    material.coupling = item->rolling > 0 || item->spinning > 0 ? VS_COUPLING_ELLIPTIC : VS_COUPLING_SEPARATE;
    if (index < 0)
        vs_import_check(im, item->node, vs_world_add_material(im->scene->world, &material, name, &index));
    if (index >= 0 && vs_import_good(im))
        im->priority[index] = item->priority;
    return index < 0 ? 0 : index;
}

static void build_items(vs_import *im) {
    int items = 0;
    for (const vs_import_item *item = im->item; item; item = item->next)
        items++;
    // The world has materials of its own.
    im->priority = vs_import_make(im, NULL, items + im->scene->world->materials + 1, sizeof *im->priority);
    if (vs_import_good(im))
        vs_import_filter(im);
    for (vs_import_item *item = im->item; item && vs_import_good(im); item = item->next) {
        vs_collider_def def = vs_collider_def_default();
        if (item->mask == 0)
            continue;
        item->material = find_material(im, item);
        def.body = item->link->id;
        def.shape = item->shape;
        def.pose = vs_pose_relative(item->pose, item->link->body);
        def.material = item->material;
        def.group = UINT32_C(1) << item->group;
        def.mask = item->mask;
        if (vs_import_good(im))
            vs_import_check(im, item->node, vs_world_add_collider(im->scene->world, &def, &item->id));
    }
}

// Points in the axes of their bodies, and terms of joints that are made.
static void lay_cable(vs_import *im, vs_import_joint *joint) {
    const vs_import_route *route = joint->route;
    vs_joint_def *def = &joint->def;
    vs_cable_point *point = vs_import_make(im, joint->node, route->stations + 1, sizeof *point);
    vs_joint_term *term = vs_import_make(im, joint->node, route->terms + 1, sizeof *term);
    if (!point || !term)
        return;
    for (int k = 0; k < route->stations; k++) {
        const vs_import_station *station = &route->station[k];
        point[k] = station->point;
        point[k].body = station->link->id;
        point[k].pose = vs_pose_relative(station->point.pose, station->link->body);
    }
    for (int k = 0; k < route->terms; k++)
        term[k] = (vs_joint_term){route->joint[k]->id, route->factor[k]};
    def->point = point, def->points = route->stations;
    def->term = term, def->terms = route->terms;
    if (route->rests) {
        const vs_joint present = {.def = *def};
        (void)vs_joint_coordinate_row(im->scene->world, &present, NULL, &def->rest, NULL);
    }
}

static void build_joint(vs_import *im, vs_import_joint *joint) {
    vs_joint_def *def = &joint->def;
    if (def->kind == VS_JOINT_CABLE) {
        lay_cable(im, joint);
        if (!vs_import_good(im))
            return;
    } else if (def->kind == VS_JOINT_GEAR) {
        def->joint_a = joint->gear_a->id;
        def->joint_b = joint->gear_b->id;
    } else {
        def->a = joint->a->id;
        def->b = joint->b->id;
        def->frame_a = vs_pose_relative(joint->frame, joint->a->body);
        def->frame_b = vs_pose_relative(joint->apart ? joint->other : joint->frame, joint->b->body);
    }
    vs_import_check(im, joint->node, vs_world_add_joint(im->scene->world, def, &joint->id));
}

// For every two materials the larger mu, and the larger coefficients of rolling and spinning friction; the table grows with
// the square of their number.
static void build_pairs(vs_import *im, const xmlNode *root) {
    vs_world *world = im->scene->world;
    if (world->materials > VS_IMPORT_PAIRS_MOST) {
        vs_import_ignore(im, root, "%d different friction values: between two of them the geometric mean is used",
                         world->materials);
        return;
    }
    for (int a = 0; a < world->materials; a++)
        for (int b = a + 1; b < world->materials && vs_import_good(im); b++) {
            const vs_material *first = &world->material[a], *second = &world->material[b];
            vs_material larger = first->mu > second->mu ? *first : *second;
            larger.rolling = fmax(first->rolling, second->rolling);
            larger.spinning = fmax(first->spinning, second->spinning);
            larger.coupling = first->coupling > second->coupling ? first->coupling : second->coupling;
            if (im->priority[a] != im->priority[b])
                larger = im->priority[a] > im->priority[b] ? *first : *second;
            vs_import_check(im, root, vs_world_set_material_pair(world, a, b, &larger));
        }
}

// Pairs with friction of their own; their shapes have materials that no others have.
static void rub_pairs(vs_import *im) {
    for (const vs_import_pair *p = im->pair; p && vs_import_good(im); p = p->next) {
        if (!p->rubs)
            continue;
        vs_material material = vs_material_default();
        material.mu = p->mu, material.rolling = p->rolling, material.spinning = p->spinning;
        material.coupling = p->rolling > 0 || p->spinning > 0 ? VS_COUPLING_ELLIPTIC : VS_COUPLING_SEPARATE;
        vs_import_check(im, p->node,
                        vs_world_set_material_pair(im->scene->world, p->a->material, p->b->material, &material));
    }
}

// The weight that is compensated, upwards.
static void lift(vs_import *im, const vs_import_link *link) {
    vs_world *world = im->scene->world;
    const vs_vec3 g = vs_world_get_gravity(world);
    vs_load_def def = vs_load_def_default();
    if (!(link->lifted.mass > 0) || link->world)
        return;
    def.force[0].value = -link->lifted.mass * g.x;
    def.force[1].value = -link->lifted.mass * g.y;
    def.force[2].value = -link->lifted.mass * g.z;
    // Body axes are those of the link.
    def.point = vs_subtract(link->lifted.centre, link->mass.centre);
    vs_import_check(im, link->node, vs_world_add_load_at(world, link->id, &def));
}

void vs_import_build(vs_import *im) {
    for (vs_import_link *link = im->link; link && vs_import_good(im); link = link->next)
        build_link(im, link);
    if (vs_import_good(im))
        build_items(im);
    if (vs_import_good(im) && im->largest_mu && im->item)
        build_pairs(im, im->item->node);
    rub_pairs(im);
    for (vs_import_joint *joint = im->joint; joint && vs_import_good(im); joint = joint->next)
        if (!joint->loop)
            build_joint(im, joint);
    for (const vs_import_exclude *e = im->exclude; e && vs_import_good(im); e = e->next)
        if (!e->partial)
            vs_import_check(im, e->node, vs_world_ignore_pair(im->scene->world, e->a->id, e->b->id));
    for (const vs_import_link *link = im->link; link && vs_import_good(im); link = link->next)
        lift(im, link);
}

void vs_import_build_loops(vs_import *im) {
    for (vs_import_joint *joint = im->joint; joint && vs_import_good(im); joint = joint->next)
        if (joint->loop)
            build_joint(im, joint);
    if (vs_import_good(im) && im->joint)
        vs_import_check(im, im->joint->node, vs_world_assemble(im->scene->world, VS_SCENE_ASSEMBLED));
}
