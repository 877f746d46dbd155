// The table of kinds.
#include "shape/kind/kinds.h"

#include "voussoir/names.h"

#define FREEZE(kind, row, number) _Static_assert((kind) == (number), "files hold the numbers of kinds");
VS_SHAPE_LIST(FREEZE)

#define COUNT(kind, row, number) COUNTED_##number,
enum { VS_SHAPE_LIST(COUNT) ROWS };
_Static_assert((int)VS_SHAPE_KINDS == (int)ROWS, "a kind without a row");

#define ROW(kind, row, number) [kind] = &(row),
const vs_shape_class *const VS_SHAPE_CLASS[VS_SHAPE_KINDS] = {VS_SHAPE_LIST(ROW)};

const char *vs_shape_kind_name(int kind) {
    return kind >= 0 && kind < VS_SHAPE_KINDS ? VS_SHAPE_CLASS[kind]->name : NULL;
}
