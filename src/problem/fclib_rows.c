// Position of our rows in an FCLIB file, whose contacts all have three: a row of a frictionless contact, of a box or
// of rolling and spinning friction is the normal row of a contact of its own, whose other two rows are zero.
#include "problem/fclib_data.h"

int64_t vs_fclib_map_rows(int contacts, const int *row, const vs_cone_kind *kind, int64_t *at) {
    int64_t next = 0;
    for (int i = 0; i < contacts; i++) {
        const bool friction = kind[i] >= VS_CONE_SECOND_ORDER;
        for (int k = row[i]; k < row[i + 1]; k++) {
            at[k] = next;
            next += friction && k < row[i] + 3 ? 1 : 3;
        }
    }
    return next;
}
