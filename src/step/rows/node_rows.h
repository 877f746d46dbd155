// Rows of flexible solids: contacts of their nodes and faces, and nodes glued to bodies.
//
//     contact, axis d:    D = -+ w_k d' at the nodes of a face (weights w_k) or at the node that touches it;
//                         at a rigid body as between bodies
//     glue:               v_node - v_body(place) = -(x_node - x_body(place))/h
#ifndef VS_STEP_NODE_ROWS_H
#define VS_STEP_NODE_ROWS_H

#include "collide/node/node_contact.h"
#include "step/rows/contact_rows.h"

// Contacts of flexible solids, numbered from `first` on in the step.
vs_error vs_node_rows_add(vs_contact_rows *rows, const vs_step_view *view, const vs_node_contacts *contacts, int first);
// Nodes glued to bodies with mass: three bilateral rows each.
vs_error vs_glue_rows_add(const vs_step_view *view);

#endif
