// Surfaces of MSH files (version 2.2, text), as gmsh writes them: each physical surface is an object.
//
//     $PhysicalNames   n, then n times: dimension, number, "name"
//     $Nodes           n, then n times: number, x, y, z
//     $Elements        n, then n times: number, type, tags, the tags (the first is the physical number), nodes
//
// Triangles (type 2) and quadrangles (type 3) are read, other elements are skipped. From names of the form "12/a/b/c" only the
// last part is kept: a number in front makes equal names of parts different for gmsh, which also writes the way to a part
// through its assemblies. Such objects stay different here.
#include "cad/cad_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIANGLE = 2, QUADRANGLE = 3, TAGS_MOST = 64 };

typedef struct node {
    int64_t number;
    int vertex;
} node;

typedef struct group {
    int64_t number;
    const char *name; // in the file
    size_t length;
} group;

typedef struct reader {
    vs_drawing *drawing;
    vs_scan scan;
    VS_ARRAY(node) node;
    VS_ARRAY(group) group;
    VS_ARRAY(char) text; // scratch
    int64_t current;     // physical number of the last face
} reader;

static vs_error read_number(reader *r, const char *what, double *x) {
    vs_scan_blanks(&r->scan, true);
    const vs_scan before = r->scan;
    if (vs_scan_number(&r->scan, x) && isfinite(*x))
        return VS_OK;
    r->scan = before;
    return vs_drawing_expected(r->drawing, &r->scan, what);
}

static vs_error read_whole(reader *r, const char *what, int64_t *x) {
    double number = 0;
    vs_error error = read_number(r, what, &number);
    if (!error && !(fabs(number) < 9e15 && number == floor(number)))
        error = vs_drawing_expected(r->drawing, &r->scan, what);
    *x = error ? 0 : (int64_t)number;
    return error;
}

static vs_error read_count(reader *r, int64_t *count) {
    vs_error error = read_whole(r, "a number of entries", count);
    // The shortest entry has 4 characters.
    if (!error && (*count < 0 || *count > (r->scan.end - r->scan.at) / 4 + 1))
        error = vs_drawing_expected(r->drawing, &r->scan, "as many entries as the file can hold");
    return error;
}

// ---- sections --------------------------------------------------------------------------------------

static vs_error read_format(reader *r) {
    double version = 0;
    int64_t binary = 0;
    vs_error error = read_number(r, "a version", &version);
    if (!error)
        error = read_whole(r, "0 (text)", &binary);
    if (!error && (version < 2 || version >= 3 || binary != 0))
        error = vs_fail(r->drawing->arena->context, VS_ERROR_UNSUPPORTED,
                        "%s: MSH version %g%s; use 'gmsh FILE -2 -format msh2 -o out.msh'", r->drawing->file, version,
                        binary ? " binary" : "");
    return error;
}

static vs_error read_names(reader *r) {
    int64_t count = 0, dimension = 0;
    vs_error error = read_count(r, &count);
    for (int64_t k = 0; k < count && !error; k++) {
        group g = {0};
        error = read_whole(r, "a dimension", &dimension);
        if (!error)
            error = read_whole(r, "the number of a group", &g.number);
        if (!error)
            error = VS_RESERVE(r->drawing->arena->context, &r->group, r->group.count + 1);
        if (error)
            break;
        vs_scan_blanks(&r->scan, false);
        g.name = r->scan.at;
        vs_scan_line(&r->scan);
        const char *end = r->scan.at;
        while (end > g.name && (end[-1] == '\r' || end[-1] == ' '))
            end--;
        g.name += g.name < end && *g.name == '"';
        end -= end > g.name && end[-1] == '"';
        g.length = (size_t)(end - g.name);
        if (dimension == 2)
            r->group.data[r->group.count++] = g;
    }
    return error;
}

static vs_error read_nodes(reader *r) {
    int64_t count = 0;
    vs_error error = read_count(r, &count);
    for (int64_t k = 0; k < count && !error; k++) {
        double x[3] = {0};
        int64_t number = 0;
        error = read_whole(r, "the number of a node", &number);
        for (int i = 0; i < 3 && !error; i++)
            error = read_number(r, "a finite number", x + i);
        if (!error)
            error = VS_RESERVE(r->drawing->arena->context, &r->node, r->node.count + 1);
        if (error)
            break;
        r->node.data[r->node.count] = (node){number, (int)r->node.count};
        r->node.count++;
        error = vs_drawing_add_vertex(r->drawing, (vs_vec3){x[0], x[1], x[2]});
    }
    return error;
}

static int compare_nodes(const void *a, const void *b) {
    const node *p = a, *q = b;
    return (p->number > q->number) - (p->number < q->number);
}

static int compare_groups(const void *a, const void *b) {
    const group *p = a, *q = b;
    return (p->number > q->number) - (p->number < q->number);
}

// ---- elements --------------------------------------------------------------------------------------

// The last part of a name with '/'.
static void shorten(const group *g, const char **name, size_t *length) {
    *name = g->name;
    *length = g->length;
    for (size_t k = 0; k < g->length; k++)
        if (g->name[k] == '/') {
            *name = g->name + k + 1;
            *length = g->length - k - 1;
        }
}

// "12/name", which vs_cad_read_msh() reduces to "name".
static vs_error begin_group(reader *r, int64_t number) {
    const group key = {.number = number};
    const char *name = NULL;
    size_t length = 0;
    if (r->current == number)
        return VS_OK;
    r->current = number;
    const group *g =
        r->group.count > 0 ? bsearch(&key, r->group.data, (size_t)r->group.count, sizeof key, compare_groups) : NULL;
    if (g)
        shorten(g, &name, &length);
    const size_t room = length + 64; // two numbers and a word
    vs_error error = VS_RESERVE(r->drawing->arena->context, &r->text, (int64_t)room);
    if (error)
        return error;
    char *text = r->text.data;
    if (length > 0)
        (void)snprintf(text, room, "%" PRId64 "/%.*s", number, (int)length, name);
    else
        (void)snprintf(text, room, "%" PRId64 "/solid-%" PRId64, number, number);
    return vs_drawing_begin(r->drawing, text, strlen(text), vs_drawing_count(r->drawing));
}

static vs_error read_face(reader *r, int count, int64_t physical) {
    int corner[4];
    vs_error error = begin_group(r, physical < 0 ? -physical : physical);
    for (int k = 0; k < count && !error; k++) {
        node key = {0};
        error = read_whole(r, "a node", &key.number);
        const node *found = error || r->node.count == 0
                                ? NULL
                                : bsearch(&key, r->node.data, (size_t)r->node.count, sizeof key, compare_nodes);
        if (!error && !found)
            return vs_fail(r->drawing->arena->context, VS_ERROR_DATA, "%s, line %" PRId64 ": there is no node %" PRId64,
                           r->drawing->file, r->scan.line, key.number);
        corner[k] = found ? found->vertex : 0;
    }
    return error ? error : vs_drawing_add_face(r->drawing, corner, count);
}

static vs_error read_elements(reader *r) {
    int64_t count = 0;
    vs_error error = read_count(r, &count);
    if (r->node.count > 0)
        qsort(r->node.data, (size_t)r->node.count, sizeof *r->node.data, compare_nodes);
    if (r->group.count > 0)
        qsort(r->group.data, (size_t)r->group.count, sizeof *r->group.data, compare_groups);
    for (int64_t k = 0; k < count && !error; k++) {
        int64_t number = 0, type = 0, tags = 0, tag = 0, physical = 0;
        error = read_whole(r, "the number of an element", &number);
        if (!error)
            error = read_whole(r, "a type", &type);
        if (!error)
            error = read_whole(r, "a number of tags", &tags);
        if (!error && (tags < 0 || tags > TAGS_MOST))
            error = vs_drawing_expected(r->drawing, &r->scan, "at most 64 tags");
        for (int64_t i = 0; i < tags && !error; i++) {
            error = read_whole(r, "a tag", &tag);
            physical = i == 0 ? tag : physical;
        }
        if (!error && (type == TRIANGLE || type == QUADRANGLE))
            error = read_face(r, type == TRIANGLE ? 3 : 4, physical);
        else if (!error)
            vs_scan_line(&r->scan);
    }
    return error;
}

// ---- the file --------------------------------------------------------------------------------------

static vs_error read_sections(reader *r) {
    static const struct {
        const char *name;
        vs_error (*read)(reader *r);
    } section[] = {{"$MeshFormat", read_format},
                   {"$PhysicalNames", read_names},
                   {"$Nodes", read_nodes},
                   {"$Elements", read_elements}};
    bool first = true;
    vs_error error = VS_OK;
    for (vs_scan_blanks(&r->scan, true); r->scan.at < r->scan.end && !error; vs_scan_blanks(&r->scan, true)) {
        size_t k = 0;
        while (k < 4 && !vs_scan_is(&r->scan, section[k].name))
            k++;
        if (first && k != 0)
            return vs_drawing_expected(r->drawing, &r->scan, "$MeshFormat");
        first = false;
        vs_scan_line(&r->scan); // lines of other sections are skipped one by one
        if (k < 4)
            error = section[k].read(r);
    }
    return error;
}

vs_error vs_cad_read_msh(vs_drawing *d, const char *bytes, size_t length) {
    reader r = {.drawing = d, .scan = {bytes, bytes + length, 1}, .current = -1};
    vs_error error = read_sections(&r);
    for (int64_t k = 0; k < d->object.count; k++) {
        const char *slash = strchr(d->object.data[k].name, '/');
        if (slash)
            d->object.data[k].name = slash + 1;
    }
    VS_ARRAY_RELEASE(d->arena->context, &r.node);
    VS_ARRAY_RELEASE(d->arena->context, &r.group);
    VS_ARRAY_RELEASE(d->arena->context, &r.text);
    return error;
}
