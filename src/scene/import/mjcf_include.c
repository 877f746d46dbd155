// MJCF: <include> and several <default> sections, resolved in the tree of the file before it is read.
//
// The children of the root of an included file take the place of <include>, wherever it is; its root may have any name.
// As in MuJoCo a path is relative to the folder of the first file, and a file may be included once. Where there is no
// such file, the folder of the including file is tried. Several outermost <default> sections are one: entries of the same
// name and classes of the same name are merged, later attributes replace earlier ones.
#include "scene/import/mjcf_data.h"

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/path.h"
#include "scene/data/scene_data.h"
#include "scene/read/text.h"

// Files of one model, and includes within each other: more than any model has.
enum { FILES_MOST = 200, DEPTH_MOST = 20 };

// ---- files -----------------------------------------------------------------------------------------

static char *join(vs_import *im, const xmlNode *node, const char *folder, size_t length, const char *file) {
    const size_t room = length + strlen(file) + 1;
    char *path = vs_import_make(im, node, (int64_t)room, 1);
    if (path)
        (void)snprintf(path, room, "%.*s%s", (int)length, folder, file);
    return path;
}

// Of an included file: relative to the first file, else to the one with the element.
static const char *load(vs_import *im, const xmlNode *node, const char *file, char **text, size_t *length) {
    const char *here = vs_import_file(im, node), *slash = vs_path_slash(here);
    const char *path = vs_path_is_absolute(file) ? file : join(im, node, im->folder, strlen(im->folder), file);
    if (!path)
        return NULL;
    vs_error error = vs_text_load(im->context, path, text, length);
    if (error == VS_ERROR_IO && !vs_path_is_absolute(file) && slash) {
        const char *near = join(im, node, here, (size_t)(slash - here) + 1, file);
        vs_release(im->context, *text);
        *text = NULL;
        if (near && strcmp(near, path) != 0 && vs_text_load(im->context, near, text, length) == VS_OK)
            return near;
        vs_import_fail(im, node, VS_ERROR_IO, "there is no file '%.200s'", path);
    }
    vs_import_check(im, node, error);
    return path;
}

xmlDoc *vs_mjcf_load(vs_import *im, const xmlNode *node, const char **path) {
    const char *file = vs_import_need(im, (vs_element){node, NULL}, "file");
    char *text = NULL;
    size_t length = 0;
    xmlDoc *document = NULL;
    if (vs_import_good(im) && !im->folder)
        vs_import_fail(im, node, VS_ERROR_UNSUPPORTED, "'%.200s': other files need a description that is itself a file",
                       file);
    if (vs_import_good(im))
        *path = load(im, node, file, &text, &length);
    if (vs_import_good(im))
        document = vs_import_parse(im, *path, text, length);
    vs_release(im->context, text);
    if (document && vs_scene_add_file(im->scene, *path))
        vs_import_fail(im, node, VS_ERROR_MEMORY, "out of memory");
    if (document && (!vs_import_good(im) || !xmlDocGetRootElement(document))) {
        vs_import_fail(im, node, VS_ERROR_DATA, "'%.200s' is empty", *path);
        xmlFreeDoc(document);
        return NULL;
    }
    return document;
}

// ---- <include> -------------------------------------------------------------------------------------

typedef struct included {
    vs_import *im;
    const char *file[FILES_MOST];
    int files;
} included;

static void set_source(xmlNode *node, vs_import_source *source) {
    for (xmlNode *n = node->children; n; n = n->next)
        if (n->type == XML_ELEMENT_NODE)
            set_source(n, source);
    node->_private = source;
}

void vs_mjcf_mark(vs_import *im, xmlNode *node, const char *file, int model) {
    vs_import_source *source = vs_import_make(im, node, 1, sizeof *source);
    if (!source)
        return;
    *source = (vs_import_source){file, model};
    set_source(node, source);
}

void vs_mjcf_copy_marks(const xmlNode *from, xmlNode *to) {
    const xmlNode *f = from->children;
    to->_private = from->_private;
    for (xmlNode *t = to->children; t && f; t = t->next, f = f->next)
        if (t->type == XML_ELEMENT_NODE)
            vs_mjcf_copy_marks(f, t);
}

int vs_mjcf_model(const xmlNode *node) {
    const vs_import_source *source = node->_private;
    return source ? source->model : 0;
}

static void remember(included *d, const xmlNode *node, const char *path) {
    for (int k = 0; k < d->files; k++)
        if (strcmp(d->file[k], path) == 0)
            vs_import_fail(d->im, node, VS_ERROR_DATA, "'%.200s' is included more than once, or includes itself", path);
    if (d->files == FILES_MOST)
        vs_import_fail(d->im, node, VS_ERROR_DATA, "more than %d files are included", FILES_MOST);
    else
        d->file[d->files++] = path;
}

// Copies of the elements below the root of another file, in front of `node`.
static void insert(included *d, xmlNode *node, const xmlDoc *document) {
    const xmlNode *root = xmlDocGetRootElement(document);
    for (const xmlNode *n = vs_first_child(root, NULL); n && vs_import_good(d->im); n = vs_next_sibling(n, NULL)) {
        xmlNode *copy = xmlDocCopyNode((xmlNode *)n, node->doc, 1);
        if (!copy || !xmlAddPrevSibling(node, copy)) {
            vs_import_fail(d->im, node, VS_ERROR_MEMORY, "out of memory");
            xmlFreeNode(copy);
            return;
        }
        vs_mjcf_copy_marks(n, copy);
    }
}

static void expand(included *d, xmlNode *parent, int depth);

static void expand_one(included *d, xmlNode *node, int depth) {
    const char *path = NULL;
    xmlDoc *document = vs_mjcf_load(d->im, node, &path);
    if (!document)
        return;
    remember(d, node, path);
    if (depth > DEPTH_MOST)
        vs_import_fail(d->im, node, VS_ERROR_DATA, "files include each other more than %d deep", DEPTH_MOST);
    vs_mjcf_mark(d->im, xmlDocGetRootElement(document), path, vs_mjcf_model(node));
    if (vs_import_good(d->im))
        expand(d, xmlDocGetRootElement(document), depth + 1);
    if (vs_import_good(d->im))
        insert(d, node, document);
    xmlFreeDoc(document);
}

static void expand(included *d, xmlNode *parent, int depth) {
    xmlNode *next;
    for (xmlNode *n = parent->children; n && vs_import_good(d->im); n = next) {
        next = n->next;
        if (vs_is_element(n, "include")) {
            expand_one(d, n, depth);
            xmlUnlinkNode(n);
            xmlFreeNode(n);
        } else if (n->type == XML_ELEMENT_NODE) {
            expand(d, n, depth);
        }
    }
}

// ---- <default> -------------------------------------------------------------------------------------

static bool same_class(const xmlNode *a, const xmlNode *b) {
    xmlChar *x = xmlGetNoNsProp(a, (const xmlChar *)"class"), *y = xmlGetNoNsProp(b, (const xmlChar *)"class");
    const bool same = x && y && xmlStrEqual(x, y);
    xmlFree(x);
    xmlFree(y);
    return same;
}

static xmlNode *find_same(const xmlNode *into, const xmlNode *node) {
    const bool is_class = vs_is_element(node, "default");
    const xmlNode *n = vs_first_child(into, (const char *)node->name);
    while (n && is_class && !same_class(n, node))
        n = vs_next_sibling(n, (const char *)node->name);
    return (xmlNode *)n;
}

// Moves the children of a section into another one, and the attributes.
static void merge(vs_import *im, xmlNode *into, xmlNode *from) {
    xmlNode *next;
    for (const xmlAttr *a = from->properties; a && vs_import_good(im); a = a->next) {
        xmlChar *value = xmlGetNoNsProp(from, a->name);
        if (!value || !xmlSetProp(into, a->name, value))
            vs_import_fail(im, from, VS_ERROR_MEMORY, "out of memory");
        xmlFree(value);
    }
    for (xmlNode *n = from->children; n && vs_import_good(im); n = next) {
        next = n->next;
        xmlNode *same = n->type == XML_ELEMENT_NODE ? find_same(into, n) : NULL;
        if (same) {
            merge(im, same, n);
        } else {
            xmlUnlinkNode(n);
            (void)xmlAddChild(into, n);
        }
    }
}

static void merge_defaults(vs_import *im, xmlNode *root) {
    xmlNode *first = (xmlNode *)vs_first_child(root, "default");
    while (first && vs_import_good(im)) {
        xmlNode *other = (xmlNode *)vs_next_sibling(first, "default");
        if (!other)
            return;
        merge(im, first, other);
        xmlUnlinkNode(other);
        xmlFreeNode(other);
    }
}

void vs_mjcf_include(vs_import *im, xmlNode *root) {
    included *d = vs_import_make(im, root, 1, sizeof *d);
    if (!d)
        return;
    d->im = im;
    expand(d, root, 0);
    merge_defaults(im, root);
}
