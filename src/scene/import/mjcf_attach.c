// MJCF: parts of other models, <attach model="m" body="b" prefix="p"/> with <asset><model name="m" file="f"/></asset>,
// resolved in the tree of the file before it is read.
//
// A copy of the body (without `body`: of everything in the other worldbody) takes the place of <attach>, and copies of the
// other sections of that model join those of this one, each with the prefix before all names and references. Defaults and
// compiler settings stay those of the other model; its options and keyframes do not come along.
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "scene/import/mjcf_data.h"

// Attributes that are names, or refer to one.
#define NAMES                                                                                                          \
    "name class childclass body body1 body2 joint joint1 joint2 geom geom1 geom2 site site1 site2 mesh material "      \
    "texture tendon tendon1 tendon2 actuator hfield sidesite refsite cranksite slidersite objname reftarget target"

enum { DEPTH_MOST = 8 };

typedef struct attachment {
    vs_import *im;
    xmlNode *root; // of the model that is attached to
    const char *prefix;
} attachment;

static void fail_memory(vs_import *im, const xmlNode *node) {
    vs_import_fail(im, node, VS_ERROR_MEMORY, "out of memory");
}

static void set_text(const attachment *t, xmlNode *node, const char *name, const char *value) {
    const size_t room = strlen(t->prefix) + strlen(value) + 1;
    char *text = vs_import_make(t->im, node, (int64_t)room, 1);
    if (!text)
        return;
    (void)snprintf(text, room, "%s%s", t->prefix, value);
    if (!xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)text))
        fail_memory(t->im, node);
}

// Names of an element and those below.
static void prefix_names(const attachment *t, xmlNode *node) {
    for (const xmlAttr *a = node->properties; a && vs_import_good(t->im); a = a->next) {
        const char *name = (const char *)a->name;
        const char *value = vs_in_list(name, NAMES) ? vs_import_text(t->im, (vs_element){node, NULL}, name) : NULL;
        if (value && strcmp(value, "world") != 0)
            set_text(t, node, name, value);
    }
    for (xmlNode *n = node->children; n && vs_import_good(t->im); n = n->next)
        if (n->type == XML_ELEMENT_NODE)
            prefix_names(t, n);
}

// The class of the other model's defaults, where an element has none.
static void set_class(const attachment *t, xmlNode *node, const char *attribute) {
    if (vs_import_good(t->im) && !xmlHasProp(node, (const xmlChar *)attribute))
        set_text(t, node, attribute, "main");
}

static xmlNode *copy_element(const attachment *t, const xmlNode *node) {
    xmlNode *copy = xmlDocCopyNode((xmlNode *)node, t->root->doc, 1);
    if (!copy) {
        fail_memory(t->im, node);
        return NULL;
    }
    vs_mjcf_copy_marks(node, copy);
    prefix_names(t, copy);
    return copy;
}

// ---- the body --------------------------------------------------------------------------------------

static const xmlNode *find_body(const vs_import *im, const xmlNode *parent, const char *name) {
    const xmlNode *found = NULL;
    for (const xmlNode *n = vs_first_child(parent, NULL); n && !found; n = vs_next_sibling(n, NULL)) {
        xmlChar *own = vs_is_element(n, "body") ? xmlGetNoNsProp(n, (const xmlChar *)"name") : NULL;
        found = own && strcmp((const char *)own, name) == 0 ? n : find_body(im, n, name);
        xmlFree(own);
    }
    return found;
}

// In place of <attach>, which is freed.
static void place_body(const attachment *t, xmlNode *attach, const xmlNode *other) {
    const char *name = vs_import_text(t->im, (vs_element){attach, NULL}, "body");
    const xmlNode *worldbody = vs_first_child(other, "worldbody");
    const xmlNode *body = name ? find_body(t->im, worldbody, name) : worldbody;
    if (!body) {
        vs_import_fail(t->im, attach, VS_ERROR_DATA, "there is no body '%.60s' in that model", name ? name : "world");
        return;
    }
    xmlNode *copy = copy_element(t, body);
    if (!copy)
        return;
    if (!name)
        xmlNodeSetName(copy, (const xmlChar *)"frame");
    set_class(t, copy, "childclass");
    (void)xmlReplaceNode(attach, copy);
    xmlFreeNode(attach);
}

// ---- sections --------------------------------------------------------------------------------------

// A mesh without a name has that of its file; references to it have the prefix.
static void name_mesh(const attachment *t, xmlNode *mesh) {
    const char *file = vs_import_text(t->im, (vs_element){mesh, NULL}, "file");
    if (!file || xmlHasProp(mesh, (const xmlChar *)"name"))
        return;
    const char *slash = vs_path_slash(file), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    const size_t length = dot ? (size_t)(dot - base) : strlen(base);
    char *name = vs_import_make(t->im, mesh, (int64_t)length + 1, 1);
    if (!name)
        return;
    (void)snprintf(name, length + 1, "%s", base);
    set_text(t, mesh, "name", name);
}

static void join_section(const attachment *t, const xmlNode *section) {
    xmlNode *copy = copy_element(t, section);
    if (!copy)
        return;
    for (xmlNode *n = copy->children; n && vs_import_good(t->im); n = n->next) {
        if (n->type != XML_ELEMENT_NODE || vs_is_element(copy, "default"))
            continue;
        if (vs_is_element(n, "mesh"))
            name_mesh(t, n);
        set_class(t, n, "class");
    }
    if (vs_is_element(copy, "default"))
        set_class(t, copy, "class");
    if (!xmlAddChild(t->root, copy)) {
        xmlFreeNode(copy);
        fail_memory(t->im, section);
    }
}

// The first outermost <default> is that of this model; without one it would be the other's.
static void add_default(const attachment *t, const xmlNode *other) {
    if (!vs_first_child(t->root, "default") && !xmlNewChild(t->root, NULL, (const xmlChar *)"default", NULL))
        fail_memory(t->im, t->root);
    xmlNode *made = !vs_first_child(other, "default") && vs_import_good(t->im)
                        ? xmlNewChild(t->root, NULL, (const xmlChar *)"default", NULL)
                        : NULL;
    if (made)
        set_class(t, made, "class");
}

static void join_sections(const attachment *t, const xmlNode *other) {
    add_default(t, other);
    for (const xmlNode *n = vs_first_child(other, NULL); n && vs_import_good(t->im); n = vs_next_sibling(n, NULL))
        if (vs_in_list((const char *)n->name, "compiler default asset contact equality tendon actuator sensor"))
            join_section(t, n);
}

// ---- models ----------------------------------------------------------------------------------------

static const xmlNode *find_model(vs_import *im, const xmlNode *root, const xmlNode *attach) {
    const char *name = vs_import_need(im, (vs_element){attach, NULL}, "model");
    for (const xmlNode *a = vs_first_child(root, "asset"); a; a = vs_next_sibling(a, "asset"))
        for (const xmlNode *n = vs_first_child(a, "model"); n; n = vs_next_sibling(n, "model")) {
            const char *own = vs_import_text(im, (vs_element){n, NULL}, "name");
            if (own && strcmp(own, name) == 0)
                return n;
        }
    vs_import_fail(im, attach, VS_ERROR_DATA, "there is no <model> '%.60s' in <asset>", name);
    return NULL;
}

static void attach_one(vs_import *im, xmlNode *root, xmlNode *attach, int depth) {
    const xmlNode *model = find_model(im, root, attach);
    const char *prefix = vs_import_text(im, (vs_element){attach, NULL}, "prefix"), *path = NULL;
    const attachment t = {im, root, prefix ? prefix : ""};
    if (depth > DEPTH_MOST)
        vs_import_fail(im, attach, VS_ERROR_DATA, "models attach each other more than %d deep", DEPTH_MOST);
    vs_import_known(im, attach, "model body prefix", "");
    xmlDoc *document = model && vs_import_good(im) ? vs_mjcf_load(im, model, &path) : NULL;
    if (!document)
        return;
    xmlNode *other = xmlDocGetRootElement(document);
    if (im->models == VS_IMPORT_MODELS_MOST)
        vs_import_fail(im, attach, VS_ERROR_DATA, "more than %d models are attached", VS_IMPORT_MODELS_MOST);
    else
        im->model[++im->models] = path;
    vs_mjcf_mark(im, other, path, im->models);
    if (vs_import_good(im))
        vs_mjcf_expand(im, other, depth + 1);
    if (vs_import_good(im))
        place_body(&t, attach, other);
    if (vs_import_good(im))
        join_sections(&t, other);
    xmlFreeDoc(document);
}

static xmlNode *find_attach(xmlNode *parent) {
    xmlNode *found = NULL;
    for (xmlNode *n = parent->children; n && !found; n = n->next)
        if (n->type == XML_ELEMENT_NODE)
            found = vs_is_element(n, "attach") ? n : find_attach(n);
    return found;
}

void vs_mjcf_expand(vs_import *im, xmlNode *root, int depth) {
    xmlNode *attach;
    vs_mjcf_include(im, root);
    while (vs_import_good(im) && (attach = find_attach(root)))
        attach_one(im, root, attach, depth);
}
