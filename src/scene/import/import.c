// Robot descriptions as scenes: opens the file and calls the reader of its format. URDF has the root <robot>, MJCF <mujoco>.
#include "scene/import/import_data.h"

#include "base/plain_locale.h"
#include "scene/data/locked.h"
#include "scene/data/scene_data.h"
#include "scene/read/text.h"

// ---- scenes ----------------------------------------------------------------------------------------

// The body (MJCF) or link (URDF) of the file that has the shape. Null: none.
static const char *name_shape(void *user, int shape) {
    vs_import *im = user;
    const vs_import_item *item = im->item;
    const vs_collider_id id = {(uint32_t)shape, im->scene->world->collider[shape].generation};
    while (item && (item->id.index != id.index || item->id.generation != id.generation))
        item = item->next;
    const xmlNode *node = item ? item->node : NULL;
    while (node && !vs_is_element(node, "body") && !vs_is_element(node, "link"))
        node = node->parent;
    return node ? vs_import_text(im, (vs_element){node, NULL}, "name") : NULL;
}

static void read_document(vs_import *im, const xmlDoc *document) {
    xmlNode *root = xmlDocGetRootElement(document);
    vs_scene_name(im->scene, im->name);
    if (root && vs_is_element(root, "robot"))
        vs_import_urdf(im, root);
    else if (root && vs_is_element(root, "mujoco"))
        vs_import_mjcf(im, root);
    else
        vs_import_fail(im, root, VS_ERROR_DATA, "the root must be <robot> (URDF) or <mujoco> (MJCF)");
    if (vs_import_good(im))
        vs_import_build(im);
    vs_import_build_controls(im);
    vs_import_build_sensors(im);
    vs_import_build_keys(im);
    vs_import_build_loops(im);
    vs_import_close_keys(im);
    if (vs_import_good(im) && im->joint && !im->self_collision) {
        const vs_locked_options options = {.file = im->name, .reference = true, .name_shape = name_shape, .user = im};
        vs_import_check(im, NULL, vs_scene_leave_out_locked(im->scene, &options));
    }
    vs_import_list(im);
}

static void release_import(vs_import *im) {
    for (vs_import_item *item = im->item; item; item = item->next)
        vs_shape_release(item->shape);
    for (vs_import_sensor *sensor = im->sensor; sensor; sensor = sensor->next)
        vs_shape_release(sensor->def.zone);
    vs_arena_release(&im->arena);
}

static vs_error import(vs_context *context, const char *text, size_t length, const char *name, const char *folder,
                       vs_scene **scene) {
    vs_import im = {.context = context, .name = name, .folder = folder};
    im.link_end = &im.link;
    im.item_end = &im.item;
    im.joint_end = &im.joint;
    im.control_end = &im.control;
    im.sensor_end = &im.sensor;
    im.key_end = &im.key;
    im.note_end = &im.note;
    vs_plain_locale plain;
    if (!vs_plain_locale_enter(&plain))
        return vs_fail_memory(context);
    vs_arena_init(&im.arena, context);
    xmlDoc *document = vs_import_parse(&im, name, text, length);
    vs_error error = document ? vs_scene_new(context, name, &im.scene) : im.error;
    if (!error) {
        read_document(&im, document);
        error = im.error;
    }
    xmlFreeDoc(document);
    release_import(&im);
    vs_plain_locale_leave(&plain);
    if (error)
        vs_scene_destroy(im.scene);
    else
        *scene = im.scene;
    return error;
}

vs_error vs_scene_import_text(vs_context *context, const char *text, size_t length, const char *name,
                              vs_scene **scene) {
    if (!context || !scene)
        return vs_fail(context, VS_ERROR_ARGUMENT, "import: an argument is null");
    *scene = NULL;
    if (!text)
        return vs_fail(context, VS_ERROR_ARGUMENT, "import: the text is null");
    return import(context, text, length, name ? name : "import", NULL, scene);
}

vs_error vs_scene_import(vs_context *context, const char *path, vs_scene **scene) {
    if (!context || !scene)
        return vs_fail(context, VS_ERROR_ARGUMENT, "import: an argument is null");
    *scene = NULL;
    if (!path)
        return vs_fail(context, VS_ERROR_ARGUMENT, "import: the path is null");
    char *text = NULL, *folder = NULL;
    size_t length = 0;
    vs_error error = vs_text_load(context, path, &text, &length);
    if (!error)
        error = vs_text_folder(context, path, &folder);
    if (!error)
        error = import(context, text, length, path, folder, scene);
    if (!error && (error = vs_scene_add_file(*scene, path))) {
        vs_scene_destroy(*scene);
        *scene = NULL;
    }
    vs_release(context, folder);
    vs_release(context, text);
    return error;
}
