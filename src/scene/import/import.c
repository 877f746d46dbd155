// Robot descriptions as scenes: opens the file, parses the XML and calls the reader of its format.
//
// URDF has the root <robot>, MJCF <mujoco>. Files are untrusted: nothing is fetched, entities are refused before they
// can expand, elements nest at most as deep as libxml2 allows (256), and the size of a file is limited. libxml2 itself
// uses malloc(), everything else the context.
#include "scene/import/import_data.h"

#include <libxml/parser.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/plain_locale.h"
#include "scene/data/locked.h"
#include "scene/data/scene_data.h"
#include "scene/read/text.h"

// ---- XML -------------------------------------------------------------------------------------------

// The first error; the parser itself remembers the last one.
typedef struct fault {
    bool entity, memory;
    int line; // 0: no error
    char text[160];
} fault;

static void refuse_entity(void *user, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                          xmlChar *content) {
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    xmlParserCtxt *parser = user;
    ((fault *)parser->_private)->entity = true;
    xmlStopParser(parser);
}

static void keep_first(void *user, xmlError *why) {
    fault *first = ((const xmlParserCtxt *)user)->_private;
    first->memory |= why->code == XML_ERR_NO_MEMORY;
    if (first->line > 0 || why->level < XML_ERR_ERROR)
        return;
    const char *text = why->message ? why->message : "this is not XML";
    first->line = why->line > 0 ? why->line : 1;
    (void)snprintf(first->text, sizeof first->text, "%.*s", (int)strcspn(text, "\r\n"), text);
}

static vs_error explain(vs_import *im, const fault *first) {
    if (first->entity)
        return vs_fail(im->context, VS_ERROR_UNSUPPORTED,
                       "%s:1: entities are not supported; replace them by their text", im->name);
    if (first->memory)
        return vs_fail_memory(im->context);
    return vs_fail(im->context, VS_ERROR_DATA, "%s:%d: %s", im->name, first->line > 0 ? first->line : 1,
                   first->line > 0 ? first->text : "this is not XML");
}

static vs_error parse_xml(vs_import *im, const char *text, size_t length, xmlDoc **document) {
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES;
    fault first = {0};
    if (length > INT_MAX)
        return vs_fail(im->context, VS_ERROR_DATA, "%s:1: is larger than %d bytes", im->name, INT_MAX);
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (!parser)
        return vs_fail_memory(im->context);
    parser->_private = &first;
    parser->sax->entityDecl = refuse_entity;
    parser->sax->serror = keep_first;
    xmlDoc *made = xmlCtxtReadMemory(parser, text, (int)length, NULL, NULL, options);
    vs_error error = VS_OK;
    if (!made || first.entity) {
        error = explain(im, &first);
        xmlFreeDoc(made);
    } else {
        *document = made;
    }
    xmlFreeParserCtxt(parser);
    return error;
}

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
    const xmlNode *root = xmlDocGetRootElement(document);
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
    vs_import_build_keys(im);
    if (vs_import_good(im) && im->joint) {
        const vs_locked_options options = {.file = im->name, .name_shape = name_shape, .user = im};
        vs_import_check(im, NULL, vs_scene_leave_out_locked(im->scene, &options));
    }
}

static void release_import(vs_import *im) {
    for (vs_import_item *item = im->item; item; item = item->next)
        vs_shape_release(item->shape);
    vs_arena_release(&im->arena);
}

static vs_error import(vs_context *context, const char *text, size_t length, const char *name, const char *folder,
                       vs_scene **scene) {
    vs_import im = {.context = context, .name = name, .folder = folder};
    im.link_end = &im.link;
    im.item_end = &im.item;
    im.joint_end = &im.joint;
    im.control_end = &im.control;
    im.key_end = &im.key;
    xmlDoc *document = NULL;
    vs_plain_locale plain;
    if (!vs_plain_locale_enter(&plain))
        return vs_fail_memory(context);
    vs_arena_init(&im.arena, context);
    vs_error error = parse_xml(&im, text, length, &document);
    if (!error)
        error = vs_scene_new(context, name, &im.scene);
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
