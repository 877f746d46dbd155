// Objects of OBJ and STL files.
//
// OBJ: `o` begins an object; in files without any, `g` does; `usemtl` names the material of an object's first face. STL as
// text: each `solid` is an object. STL as bytes has no names.
#include "cad/cad_data.h"

#include <string.h>

typedef struct listener {
    vs_drawing *drawing;
    bool groups; // g names objects
} listener;

static vs_error take(void *user, vs_mark mark, const char *text, size_t length, int triangle) {
    const listener *l = user;
    if (mark == VS_MARK_MATERIAL)
        return vs_drawing_set_material(l->drawing, text, length, triangle);
    if ((mark == VS_MARK_GROUP) != l->groups)
        return VS_OK;
    return vs_drawing_begin(l->drawing, text, length, triangle);
}

static bool has_objects(const char *bytes, size_t length) {
    vs_scan scan = {bytes, bytes + length, 1};
    for (vs_scan_blanks(&scan, true); scan.at < scan.end; vs_scan_blanks(&scan, true)) {
        if (vs_scan_is(&scan, "o"))
            return true;
        vs_scan_line(&scan);
    }
    return false;
}

vs_error vs_cad_read_obj(vs_drawing *d, const char *bytes, size_t length) {
    listener l = {d, !has_objects(bytes, length)};
    const vs_marks marks = {take, &l};
    return vs_obj_read(d->arena, d->file, bytes, length, &marks, &d->soup);
}

vs_error vs_cad_read_stl(vs_drawing *d, const char *bytes, size_t length) {
    listener l = {d, false};
    const vs_marks marks = {take, &l};
    return vs_stl_read(d->arena, d->file, bytes, length, &marks, &d->soup);
}
