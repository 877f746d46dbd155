// The XML of robot descriptions. Files are untrusted: nothing is fetched, entities are refused before they can expand,
// elements nest at most as deep as libxml2 allows (256), and the size of a file is limited. libxml2 itself uses malloc(),
// everything else the context.
#include "scene/import/import_data.h"

#include <libxml/parser.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

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

static vs_error explain(vs_import *im, const char *name, const fault *first) {
    if (first->entity)
        return vs_fail(im->context, VS_ERROR_UNSUPPORTED,
                       "%s:1: entities are not supported; replace them by their text", name);
    if (first->memory)
        return vs_fail_memory(im->context);
    return vs_fail(im->context, VS_ERROR_DATA, "%s:%d: %s", name, first->line > 0 ? first->line : 1,
                   first->line > 0 ? first->text : "this is not XML");
}

static void keep_error(vs_import *im, vs_error error) {
    im->error = im->error ? im->error : error;
}

xmlDoc *vs_import_parse(vs_import *im, const char *name, const char *text, size_t length) {
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES;
    fault first = {0};
    if (length > INT_MAX) {
        keep_error(im, vs_fail(im->context, VS_ERROR_DATA, "%s:1: is larger than %d bytes", name, INT_MAX));
        return NULL;
    }
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (!parser) {
        keep_error(im, vs_fail_memory(im->context));
        return NULL;
    }
    parser->_private = &first;
    parser->sax->entityDecl = refuse_entity;
    parser->sax->serror = keep_first;
    xmlDoc *made = xmlCtxtReadMemory(parser, text, (int)length, NULL, NULL, options);
    if (!made || first.entity) {
        keep_error(im, explain(im, name, &first));
        xmlFreeDoc(made);
        made = NULL;
    }
    xmlFreeParserCtxt(parser);
    return made;
}
