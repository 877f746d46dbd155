// PLY files, text and binary: vertices and faces.
//
//     ply
//     format ascii 1.0                 or binary_little_endian, binary_big_endian
//     element vertex 8
//     property float x                 … y, z; other properties are skipped
//     element face 6
//     property list uchar int vertex_indices
//     end_header
//
// Elements follow each other in the order of the header, vertices before faces; others are skipped. Faces have 3 to 512
// corners. There are no names: connected triangles become bodies.
#include "cad/cad_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ELEMENTS_MOST = 16, PROPERTIES_MOST = 64 };

typedef enum encoding { TEXT, LITTLE, BIG } encoding;

typedef struct type {
    const char *name, *other;
    int bytes;
    char kind; // i: signed, u: unsigned, f: floating
} type;

static const type types[] = {{"char", "int8", 1, 'i'},     {"uchar", "uint8", 1, 'u'},   {"short", "int16", 2, 'i'},
                             {"ushort", "uint16", 2, 'u'}, {"int", "int32", 4, 'i'},     {"uint", "uint32", 4, 'u'},
                             {"float", "float32", 4, 'f'}, {"double", "float64", 8, 'f'}};

typedef struct property {
    const type *count; // of a list; null: one value
    const type *value;
    int axis;     // 0, 1, 2: x, y, z of a vertex; -1: another one
    bool corners; // of a face
} property;

typedef struct element {
    bool vertex, face;
    int64_t count;
    int properties;
    property property[PROPERTIES_MOST];
} element;

typedef struct reader {
    vs_drawing *drawing;
    vs_scan scan;
    encoding encoding;
    int elements;
    element element[ELEMENTS_MOST];
} reader;

// ---- the header ------------------------------------------------------------------------------------

static bool take_word(reader *r, const char *word) {
    vs_scan_blanks(&r->scan, false);
    if (!vs_scan_is(&r->scan, word))
        return false;
    r->scan.at += strlen(word);
    vs_scan_blanks(&r->scan, false);
    return true;
}

static const type *take_type(reader *r) {
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (take_word(r, types[k].name) || take_word(r, types[k].other))
            return &types[k];
    return NULL;
}

static vs_error read_format(reader *r) {
    if (take_word(r, "ascii"))
        r->encoding = TEXT;
    else if (take_word(r, "binary_little_endian"))
        r->encoding = LITTLE;
    else if (take_word(r, "binary_big_endian"))
        r->encoding = BIG;
    else
        return vs_drawing_expected(r->drawing, &r->scan, "ascii, binary_little_endian or binary_big_endian");
    return VS_OK;
}

static vs_error read_element(reader *r) {
    double count;
    if (r->elements == ELEMENTS_MOST)
        return vs_drawing_expected(r->drawing, &r->scan, "at most 16 elements");
    element *e = &r->element[r->elements++];
    *e = (element){.vertex = vs_scan_is(&r->scan, "vertex"), .face = vs_scan_is(&r->scan, "face")};
    r->scan.at += vs_scan_word(&r->scan);
    vs_scan_blanks(&r->scan, false);
    const vs_scan before = r->scan;
    if (!vs_scan_number(&r->scan, &count) || !(count >= 0 && count <= VS_TRIANGLES_MOST) || count != floor(count)) {
        r->scan = before;
        return vs_drawing_expected(r->drawing, &r->scan, "a number of elements");
    }
    e->count = (int64_t)count;
    return VS_OK;
}

static vs_error read_property(reader *r) {
    static const char *const axes[] = {"x", "y", "z"};
    element *e = r->elements > 0 ? &r->element[r->elements - 1] : NULL;
    if (!e || e->properties == PROPERTIES_MOST)
        return vs_drawing_expected(r->drawing, &r->scan,
                                   e ? "at most 64 properties" : "an element before its properties");
    property *p = &e->property[e->properties++];
    *p = (property){.axis = -1};
    if (take_word(r, "list") && !(p->count = take_type(r)))
        return vs_drawing_expected(r->drawing, &r->scan, "a type");
    if (!(p->value = take_type(r)))
        return vs_drawing_expected(r->drawing, &r->scan, "a type");
    for (int k = 0; k < 3 && e->vertex && !p->count; k++)
        if (vs_scan_is(&r->scan, axes[k]))
            p->axis = k;
    p->corners =
        e->face && p->count && (vs_scan_is(&r->scan, "vertex_indices") || vs_scan_is(&r->scan, "vertex_index"));
    return VS_OK;
}

static vs_error read_header(reader *r) {
    vs_error error = VS_OK;
    if (!take_word(r, "ply"))
        return vs_drawing_expected(r->drawing, &r->scan, "ply");
    bool known = false;
    while (!error) {
        vs_scan_line(&r->scan);
        vs_scan_blanks(&r->scan, true);
        if (take_word(r, "format"))
            error = read_format(r), known = true;
        else if (take_word(r, "element"))
            error = read_element(r);
        else if (take_word(r, "property"))
            error = read_property(r);
        else if (take_word(r, "end_header"))
            break;
        else if (!take_word(r, "comment") && !take_word(r, "obj_info"))
            error = vs_drawing_expected(r->drawing, &r->scan, "format, element, property, comment or end_header");
    }
    if (!error && !known)
        error = vs_fail(r->drawing->arena->context, VS_ERROR_DATA, "%s: the header has no format", r->drawing->file);
    // The data begin after the line.
    vs_scan_line(&r->scan);
    if (!error && r->scan.at < r->scan.end) {
        r->scan.at++;
        r->scan.line++;
    }
    return error;
}

// ---- values ----------------------------------------------------------------------------------------

static double decode(const unsigned char *byte, const type *t, bool big) {
    uint64_t bits = 0;
    for (int k = 0; k < t->bytes; k++)
        bits |= (uint64_t)byte[big ? t->bytes - 1 - k : k] << 8 * k;
    if (t->kind == 'u')
        return (double)bits;
    if (t->kind == 'i') {
        const uint64_t sign = (uint64_t)1 << (8 * t->bytes - 1);
        return bits & sign ? -(double)((sign << 1) - bits) : (double)bits;
    }
    if (t->bytes == 8) {
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    const uint32_t half = (uint32_t)bits;
    float x;
    memcpy(&x, &half, sizeof x);
    return (double)x;
}

static vs_error read_value(reader *r, const type *t, double *x) {
    if (r->encoding == TEXT) {
        vs_scan_blanks(&r->scan, true);
        return vs_scan_number(&r->scan, x) ? VS_OK : vs_drawing_expected(r->drawing, &r->scan, "a number");
    }
    if (r->scan.end - r->scan.at < t->bytes)
        return vs_fail(r->drawing->arena->context, VS_ERROR_DATA, "%s: the file ends before its last element",
                       r->drawing->file);
    *x = decode((const unsigned char *)r->scan.at, t, r->encoding == BIG);
    r->scan.at += t->bytes;
    return VS_OK;
}

static vs_error add_face(reader *r, const int *corner, int count) {
    if (count < 3)
        return vs_fail(r->drawing->arena->context, VS_ERROR_DATA, "%s: face %d has fewer than 3 corners",
                       r->drawing->file, vs_drawing_count(r->drawing));
    return vs_drawing_add_face(r->drawing, corner, count);
}

static vs_error read_list(reader *r, const property *p) {
    vs_context *context = r->drawing->arena->context;
    double count = 0, x = 0;
    int corner[VS_POLYGON_MOST];
    vs_error error = read_value(r, p->count, &count);
    if (!error && !(count >= 0 && count <= (p->corners ? (double)VS_POLYGON_MOST : 1e9)))
        error = vs_fail(context, VS_ERROR_DATA, "%s: a list of %g values; faces have 3 to %d corners", r->drawing->file,
                        count, VS_POLYGON_MOST);
    for (int k = 0; !error && k < (int)count; k++) {
        error = read_value(r, p->value, &x);
        if (error || !p->corners)
            continue;
        if (!(x >= 0 && x < (double)r->drawing->vertex.count))
            return vs_fail(context, VS_ERROR_DATA, "%s: a face has vertex %g of %" PRId64, r->drawing->file, x,
                           r->drawing->vertex.count);
        corner[k] = (int)x;
    }
    return !error && p->corners ? add_face(r, corner, (int)count) : error;
}

static vs_error read_item(reader *r, const element *e) {
    double x = 0, at[3] = {0};
    vs_error error = VS_OK;
    for (int k = 0; k < e->properties && !error; k++) {
        const property *p = &e->property[k];
        error = p->count ? read_list(r, p) : read_value(r, p->value, &x);
        if (p->axis >= 0)
            at[p->axis] = x;
    }
    if (error || !e->vertex)
        return error;
    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]))
        return vs_fail(r->drawing->arena->context, VS_ERROR_DATA, "%s: vertex %" PRId64 " is not finite",
                       r->drawing->file, r->drawing->vertex.count);
    return vs_drawing_add_vertex(r->drawing, (vs_vec3){at[0], at[1], at[2]});
}

// Every item with properties takes at least a byte: the file bounds the loop.
vs_error vs_cad_read_ply(vs_drawing *d, const char *bytes, size_t length) {
    reader r = {.drawing = d, .scan = {bytes, bytes + length, 1}};
    vs_error error = read_header(&r);
    for (int k = 0; k < r.elements && !error; k++) {
        const element *e = &r.element[k];
        for (int64_t i = 0; i < e->count && e->properties > 0 && !error; i++)
            error = read_item(&r, e);
    }
    return error;
}
