// Elements and attributes of robot descriptions: texts and numbers, with file and line in every error, and a list of
// unsupported items.
//
// Numbers are finite. Absent attributes may come from the <default> of the element's class (MJCF): from
// the entry with the element's name there, or in the enclosing defaults.
#include "scene/import/import_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 400 };

// ---- texts -----------------------------------------------------------------------------------------

static void keep(vs_import *im, const xmlNode *node, vs_error error, const char *text) {
    if (im->error)
        return;
    im->error = error;
    if (error == VS_ERROR_MEMORY)
        (void)vs_fail_memory(im->context);
    else if (node)
        (void)vs_fail(im->context, error, "%s:%ld: <%.40s>: %s", vs_import_file(im, node), xmlGetLineNo(node),
                      (const char *)node->name, text);
    else
        (void)vs_fail(im->context, error, "%s:1: %s", im->name, text);
}

void vs_import_fail(vs_import *im, const xmlNode *node, vs_error error, const char *format, ...) {
    char text[TEXT];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    keep(im, node, error, text);
}

void vs_import_check(vs_import *im, const xmlNode *node, vs_error error) {
    char text[TEXT];
    if (error == VS_OK || im->error)
        return;
    (void)snprintf(text, sizeof text, "%s", vs_context_get_error_text(im->context));
    // An invalid argument of a call is invalid data of the file.
    keep(im, node, error == VS_ERROR_ARGUMENT ? VS_ERROR_DATA : error, text);
}

void *vs_import_make(vs_import *im, const xmlNode *node, int64_t count, size_t size) {
    void *made = vs_import_good(im) ? vs_arena_allocate_zero(&im->arena, count, size) : NULL;
    if (!made)
        vs_import_fail(im, node, VS_ERROR_MEMORY, "out of memory");
    return made;
}

static const char *copy_text(vs_import *im, const char *text) {
    return VS_COPY(&im->arena, char, text, (int64_t)strlen(text) + 1);
}

static vs_import_note *find_note(vs_import *im, const char *file, const char *element, const char *text) {
    vs_import_note *n = im->note;
    while (n && (strcmp(n->file, file) != 0 || strcmp(n->element, element) != 0 || strcmp(n->text, text) != 0))
        n = n->next;
    return n;
}

void vs_import_ignore(vs_import *im, const xmlNode *node, const char *format, ...) {
    char text[TEXT];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    im->scene->ignored++;
    const char *file = vs_import_file(im, node);
    vs_import_note *note = find_note(im, file, (const char *)node->name, text);
    if (note) {
        note->count++;
        return;
    }
    note = vs_import_make(im, node, 1, sizeof *note);
    // The tree may change or go before the list is logged.
    const char *element = note ? copy_text(im, (const char *)node->name) : NULL,
               *kept = note ? copy_text(im, text) : NULL;
    if (!element || !kept) {
        vs_import_fail(im, node, VS_ERROR_MEMORY, "out of memory");
        return;
    }
    *note = (vs_import_note){NULL, file, element, kept, xmlGetLineNo(node), 1};
    *im->note_end = note;
    im->note_end = &note->next;
}

// Attributes and elements that say how soft MuJoCo's constraints are, or how it computes them.
static const char *const SOFT[] = {"solref",
                                   "solimp",
                                   "solreflimit",
                                   "solimplimit",
                                   "solreffriction",
                                   "solimpfriction",
                                   "solreffix",
                                   "solimpfix",
                                   "solmix",
                                   "margin",
                                   "gap",
                                   "cone",
                                   "impratio",
                                   "solver",
                                   "iterations",
                                   "tolerance",
                                   "ls_iterations",
                                   "ls_tolerance",
                                   "noslip_iterations",
                                   "noslip_tolerance",
                                   "ccd_iterations",
                                   "ccd_tolerance",
                                   "mpr_iterations",
                                   "mpr_tolerance",
                                   "sdf_iterations",
                                   "sdf_initpoints",
                                   "jacobian",
                                   "integrator",
                                   "apirate",
                                   "o_solref",
                                   "o_solimp",
                                   "o_margin",
                                   "o_friction",

                                   "maxhullvert",
                                   "octree_maxdepth"};
enum { SOFT_COUNT = sizeof SOFT / sizeof *SOFT };
_Static_assert(SOFT_COUNT <= 64, "one bit each");

static bool note_soft(vs_import *im, const char *name) {
    for (int k = 0; k < SOFT_COUNT; k++)
        if (strcmp(name, SOFT[k]) == 0) {
            im->soft |= UINT64_C(1) << k;
            return true;
        }
    return false;
}

static void list_soft(vs_import *im) {
    char names[TEXT] = "";
    size_t length = 0;
    for (int k = 0; k < SOFT_COUNT; k++)
        if (im->soft >> k & 1 && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", SOFT[k]);
    if (length == 0)
        return;
    im->scene->ignored++;
    vs_log(im->context, VS_LOG_WARNING,
           "%s: %s: without meaning, since contacts and limits are rigid and solved to tolerance; ignored", im->name,
           names);
}

void vs_import_list(vs_import *im) {
    list_soft(im);
    for (const vs_import_note *n = im->note; n; n = n->next) {
        char more[40] = "";
        if (n->count > 1)
            (void)snprintf(more, sizeof more, " (and %d more)", n->count - 1);
        vs_log(im->context, VS_LOG_WARNING, "%s:%ld: <%.40s>: %s%s", n->file, n->line, n->element, n->text, more);
    }
}

// ---- elements --------------------------------------------------------------------------------------

const char *vs_import_file(const vs_import *im, const xmlNode *node) {
    const vs_import_source *source = node->_private;
    return source ? source->file : im->name;
}

bool vs_is_element(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && (!name || strcmp((const char *)node->name, name) == 0);
}

bool vs_in_list(const char *word, const char *list) {
    const size_t length = strlen(word);
    for (const char *at = list; length > 0 && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

static const xmlNode *find_from(const xmlNode *node, const char *name) {
    while (node && !vs_is_element(node, name))
        node = node->next;
    return node;
}

const xmlNode *vs_first_child(const xmlNode *parent, const char *name) {
    return parent ? find_from(parent->children, name) : NULL;
}

const xmlNode *vs_next_sibling(const xmlNode *node, const char *name) {
    return find_from(node->next, name);
}

void vs_import_known(vs_import *im, const xmlNode *node, const char *used, const char *silent) {
    char unknown[TEXT / 2] = "";
    size_t length = 0;
    for (const xmlAttr *a = node->properties; a; a = a->next) {
        const char *name = (const char *)a->name;
        if (vs_in_list(name, used) || vs_in_list(name, silent) || note_soft(im, name) || length >= sizeof unknown - 1)
            continue;
        length += (size_t)snprintf(unknown + length, sizeof unknown - length, "%s%s", length ? ", " : "", name);
    }
    if (length > 0)
        vs_import_ignore(im, node, "%s: not supported, ignored", unknown);
    for (const xmlNode *n = vs_first_child(node, NULL); n; n = vs_next_sibling(n, NULL))
        if (!vs_in_list((const char *)n->name, used) && !vs_in_list((const char *)n->name, silent) &&
            !note_soft(im, (const char *)n->name))
            vs_import_ignore(im, n, "not supported, ignored");
}

// ---- attributes ------------------------------------------------------------------------------------

static const char *own_text(vs_import *im, const xmlNode *node, const char *name) {
    if (!xmlHasProp(node, (const xmlChar *)name))
        return NULL;
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    const char *copy = value ? VS_COPY(&im->arena, char, (const char *)value, (int64_t)strlen((char *)value) + 1) : "";
    xmlFree(value);
    if (!copy)
        vs_import_fail(im, node, VS_ERROR_MEMORY, "out of memory");
    return copy;
}

// ---- defaults (MJCF) -------------------------------------------------------------------------------

#define ACTUATORS "motor position velocity intvelocity damper general cylinder muscle adhesion"

// All kinds of actuators share one entry in MuJoCo, so that a range given for one kind applies to the others.
static const char *actuator_text(vs_import *im, const xmlNode *defaults, const char *name) {
    const char *text = NULL;
    if (!vs_in_list(name, "gear ctrlrange ctrllimited forcerange forcelimited"))
        return NULL;
    for (const xmlNode *n = vs_first_child(defaults, NULL); n; n = vs_next_sibling(n, NULL))
        if (!text && vs_in_list((const char *)n->name, ACTUATORS))
            text = own_text(im, n, name);
    return text;
}

// Tendons and equality constraints of all kinds have one entry each.
static const char *entry_of(const xmlNode *node) {
    if (node->parent && vs_is_element(node->parent, "equality"))
        return "equality";
    if (node->parent && vs_is_element(node->parent, "tendon"))
        return "tendon";
    return (const char *)node->name;
}

const char *vs_import_text(vs_import *im, vs_element e, const char *name) {
    const char *text = own_text(im, e.node, name);
    const bool actuator = e.node->parent && vs_is_element(e.node->parent, "actuator");
    for (const xmlNode *d = e.defaults; !text && d && vs_is_element(d, "default"); d = d->parent) {
        const xmlNode *entry = vs_first_child(d, entry_of(e.node));
        text = entry ? own_text(im, entry, name) : NULL;
        if (!text && actuator)
            text = actuator_text(im, d, name);
    }
    return text;
}

const char *vs_import_need(vs_import *im, vs_element e, const char *name) {
    const char *text = vs_import_text(im, e, name);
    if (!text)
        vs_import_fail(im, e.node, VS_ERROR_DATA, "%s is missing; add it", name);
    return text ? text : "";
}

int vs_import_numbers(vs_import *im, vs_element e, const char *name, double *number, int least, int most) {
    const char *text = vs_import_text(im, e, name), *at = text;
    int count = 0;
    if (!text || !vs_import_good(im))
        return 0;
    for (at += strspn(at, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || (*end && !strchr(" \t\r\n", *end)) || !isfinite(value)) {
            vs_import_fail(im, e.node, VS_ERROR_DATA, "%s: '%.40s' is not a finite number", name, at);
            return 0;
        }
        if (count < most)
            number[count] = value;
        count++;
        at = end;
    }
    if (count >= least && count <= most)
        return count;
    if (least == most)
        vs_import_fail(im, e.node, VS_ERROR_DATA, "%s: has %d numbers, must have %d", name, count, least);
    else
        vs_import_fail(im, e.node, VS_ERROR_DATA, "%s: has %d numbers, must have %d to %d", name, count, least, most);
    return 0;
}

double vs_import_number(vs_import *im, vs_element e, const char *name, double otherwise) {
    double value = otherwise;
    return vs_import_numbers(im, e, name, &value, 1, 1) == 1 ? value : otherwise;
}

vs_vec3 vs_import_vector(vs_import *im, vs_element e, const char *name, vs_vec3 otherwise) {
    double x[3];
    return vs_import_numbers(im, e, name, x, 3, 3) == 3 ? (vs_vec3){x[0], x[1], x[2]} : otherwise;
}
