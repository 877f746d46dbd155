// Crushing of bonds: a contact whose bond has a compressive strength f carries at most the normal force A f, and approaches under
// more. In a step, with the length h, the bond's strength s and pull p (bonds.h), which the contact balances, too,
//
//     0 <= l_n <= h (A f + s p),      y_n < 0 only where l_n is the most
//
// Which contacts are crushed is found by solving several times. A crushed one has a known normal impulse: its normal row loses its
// columns, as the friction of bonds has it (bond_rows.h), and the bodies get the impulse as they get a load. So every solution is one
// of a problem of Coulomb friction, with its certificate, and the last one is that of the step.
//
//     l_n > the most                               it becomes crushed
//     crushed, y_n > 0 by more than counts         it becomes an ordinary contact again
//
// with y_n = D_n v - b_n of the row as it was, beginning with those of the last step. Several contacts of one bond share its strength as they pressed. Depths grow by
// -h y_n, in vs_crushing_deepen(). All that such a contact's normal impulse dissipates is the work of crushing, also in the step in
// which it stops, and counts as fracture.
//
// By the relaxed model the impulse is larger by |y_T|/E while it slides, as with bonds.
#ifndef VS_STEP_CRUSHING_H
#define VS_STEP_CRUSHING_H

#include "step/bond/bonds.h"
#include "step/contacts/contacts.h"
#include "step/rows/contact_rows.h"

// A contact whose bond may be crushed.
typedef struct vs_crushing_contact {
    int contact;     // of the step, and its group
    int64_t bond;    //
    bool crushed;    //
    int changes;     // to crushed and back
    double known;    // N s, normal impulse of a crushed one
    double speed;    // m/s, -y_n of a crushed one
    double J[2 * 6]; // its normal row as it is without crushing, of each block
    double E, b;     // likewise
} vs_crushing_contact;

typedef struct vs_crushing {
    VS_ARRAY(vs_crushing_contact) contact; // ascending
    VS_ARRAY(double) load;                 // (bonds) work: N s, normal impulses of their contacts; m/s
    bool applied;                          // rows of crushed contacts have no columns now
    bool unsettled;                        // the rounds did not suffice
} vs_crushing;

void vs_crushing_release(vs_context *context, vs_crushing *crushing);
// Lists the contacts of the step that may be crushed; those of bonds that were are crushed. To be called after the rows were made;
// `any`: the problem is to be updated.
vs_error vs_crushing_begin(vs_crushing *crushing, const vs_step_view *s, bool *any);
// Evaluates a solution. True: other contacts are crushed now, and the problem is to be updated and solved again.
bool vs_crushing_check(vs_crushing *crushing, const vs_step_view *s);
// Rows are again as they were; velocities of the solution are kept.
void vs_crushing_end(vs_crushing *crushing, const vs_step_view *s);
// Adds the known impulses to the momentum c (n).
void vs_crushing_add_push(const vs_crushing *crushing, const vs_row_groups *groups, const vs_blocks *blocks, double *c);
// The contact of the step with this index; null: it cannot be crushed.
const vs_crushing_contact *vs_crushing_find(const vs_crushing *crushing, int contact);
// Adds the work of crushing in a step to that of the bonds and of fracture.
void vs_crushing_account(const vs_crushing *crushing, const vs_step_view *s, vs_energy_flow *flow);
// The depths after a step.
void vs_crushing_deepen(const vs_crushing *crushing, const vs_step_view *s);

#endif
