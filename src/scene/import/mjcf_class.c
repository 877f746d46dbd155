// Default classes of MJCF: entries that stand for attributes which an element does not have.
#include "scene/import/mjcf_data.h"

#include <string.h>

static const xmlNode *find_class(vs_mjcf *m, const xmlNode *parent, const char *name) {
    const xmlNode *found = NULL;
    for (const xmlNode *d = vs_first_child(parent, "default"); d && !found; d = vs_next_sibling(d, "default")) {
        xmlChar *text = xmlGetNoNsProp(d, (const xmlChar *)"class");
        // The outermost one is called main if it has no name.
        const char *own = text ? (const char *)text : parent == m->root ? "main" : "";
        found = strcmp(own, name) == 0 ? d : find_class(m, d, name);
        xmlFree(text);
    }
    return found;
}

const xmlNode *vs_mjcf_class(vs_mjcf *m, const xmlNode *node, const char *attribute, const xmlNode *otherwise) {
    const char *name = vs_import_text(m->im, (vs_element){node, NULL}, attribute);
    if (!name)
        return otherwise;
    const xmlNode *found = find_class(m, m->root, name);
    if (!found)
        vs_import_fail(m->im, node, VS_ERROR_DATA, "there is no default class '%.60s'", name);
    return found;
}

vs_element vs_mjcf_element(vs_mjcf *m, const xmlNode *node, const xmlNode *defaults) {
    return (vs_element){node, vs_mjcf_class(m, node, "class", defaults ? defaults : m->main)};
}
