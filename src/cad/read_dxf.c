// DXF files (text): entities 3DFACE; their layers are objects.
//
//     pairs of lines: a code, a value. 0: an entity, section or end begins; 2: name of a section; 8: layer;
//     10 20 30 … 13 23 33: x, y, z of the four corners; 9, then 70: a variable of the header and its value
//
// The fourth corner of a triangle repeats the third. $INSUNITS states the unit. Entities inside of blocks are skipped.
#include "cad/cad_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct face {
    bool open; // is being read
    double x[4][3];
    const char *layer;
    size_t length;
} face;

typedef struct reader {
    vs_drawing *drawing;
    vs_scan scan;
    bool section;  // the name of a section follows
    bool entities; // inside that section
    bool units;    // the value of $INSUNITS follows
    face face;
    int others; // entities of other kinds
} reader;

// The value of a pair, without blanks around it.
typedef struct value {
    const char *text;
    size_t length;
} value;

static bool is(value v, const char *word) {
    return v.length == strlen(word) && memcmp(v.text, word, v.length) == 0;
}

static value take_line(vs_scan *scan) {
    vs_scan_blanks(scan, false);
    value v = {scan->at, 0};
    vs_scan_line(scan);
    const char *end = scan->at;
    while (end > v.text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    v.length = (size_t)(end - v.text);
    if (scan->at < scan->end) {
        scan->at++;
        scan->line++;
    }
    return v;
}

// A code and its value; *more: there was one.
static vs_error read_pair(reader *r, int *code, value *v, bool *more) {
    double number;
    vs_scan_blanks(&r->scan, true);
    *more = r->scan.at < r->scan.end;
    if (!*more)
        return VS_OK;
    const vs_scan before = r->scan;
    if (!vs_scan_number(&r->scan, &number) || !(number >= -5 && number <= 1071) || number != floor(number)) {
        r->scan = before;
        return vs_drawing_expected(r->drawing, &r->scan, "a group code (is this a DXF file in text form?)");
    }
    *code = (int)number;
    (void)take_line(&r->scan);
    *v = take_line(&r->scan);
    return VS_OK;
}

static vs_error finish_face(reader *r) {
    const face *f = &r->face;
    vs_drawing *d = r->drawing;
    int corner[4];
    const double *last = f->x[3], *third = f->x[2];
    const bool triangle = third[0] == last[0] && third[1] == last[1] && third[2] == last[2];
    vs_error error = vs_drawing_begin(d, f->layer, f->length, vs_drawing_count(d));
    for (int k = 0; k < 4 - triangle && !error; k++) {
        corner[k] = (int)d->vertex.count;
        error = vs_drawing_add_vertex(d, (vs_vec3){f->x[k][0], f->x[k][1], f->x[k][2]});
    }
    return error ? error : vs_drawing_add_face(d, corner, 4 - triangle);
}

static vs_error begin_entity(reader *r, value v) {
    vs_error error = r->face.open ? finish_face(r) : VS_OK;
    r->face = (face){.open = r->entities && is(v, "3DFACE"), .layer = ""};
    r->section = is(v, "SECTION");
    if (is(v, "ENDSEC"))
        r->entities = false;
    else
        r->others += r->entities && !r->face.open;
    return error;
}

static void set_unit(reader *r, double code) {
    static const double unit[] = {0, .0254, .3048, 1609.344, 1e-3, 1e-2, 1, 1e3}; // none, in, ft, mi, mm, cm, m, km
    enum { UNITS = sizeof unit / sizeof unit[0] };
    if (code >= 0 && code < UNITS)
        r->drawing->unit = unit[(int)code];
}

static vs_error read_coordinate(reader *r, int code, value v) {
    vs_scan scan = {v.text, r->scan.end, r->scan.line - 1};
    double x;
    if (!vs_scan_number(&scan, &x) || !isfinite(x)) {
        scan.at = v.text;
        return vs_drawing_expected(r->drawing, &scan, "a finite number");
    }
    r->face.x[code % 10][code / 10 - 1] = x;
    return VS_OK;
}

static vs_error take_pair(reader *r, int code, value v) {
    if (code == 0)
        return begin_entity(r, v);
    if (code == 9) {
        r->units = is(v, "$INSUNITS");
    } else if (code == 70 && r->units) {
        vs_scan scan = {v.text, r->scan.end, r->scan.line};
        double number;
        if (vs_scan_number(&scan, &number))
            set_unit(r, number);
        r->units = false;
    } else if (code == 2 && r->section) {
        r->entities = is(v, "ENTITIES");
        r->section = false;
    } else if (code == 8 && r->face.open) {
        r->face.layer = v.text;
        r->face.length = v.length;
    } else if (r->face.open && code >= 10 && code < 40 && code % 10 < 4) {
        return read_coordinate(r, code, v);
    }
    return VS_OK;
}

vs_error vs_cad_read_dxf(vs_drawing *d, const char *bytes, size_t length) {
    reader r = {.drawing = d, .scan = {bytes, bytes + length, 1}, .face = {.layer = ""}};
    bool more = true;
    vs_error error = VS_OK;
    while (more && !error) {
        int code = 0;
        value v = {"", 0};
        error = read_pair(&r, &code, &v, &more);
        if (!error && more)
            error = take_pair(&r, code, v);
    }
    if (!error && r.face.open)
        error = finish_face(&r);
    if (!error && vs_drawing_count(d) == 0)
        error =
            vs_fail(d->arena->context, VS_ERROR_DATA,
                    "%s: no 3DFACE among %d entities; use 'export as 3D faces' or 'explode' in the program that wrote "
                    "it",
                    d->file, r.others);
    else if (!error && r.others > 0)
        vs_log(d->arena->context, VS_LOG_WARNING, "%s: %d entities are not 3DFACE and are ignored", d->file, r.others);
    return error;
}
