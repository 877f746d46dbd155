// Places of a scene file named from outside: JSON pointers (RFC 6901), "/materials/wood/mu", "/bodies/2/position/0".
#ifndef VS_SCENE_POINTER_H
#define VS_SCENE_POINTER_H

#include "scene/node.h"

// Puts a number in the place. The last step may name a member that is absent (a value left at its default), all else
// must be there; what stood there must have been a number or "$name". Otherwise VS_ERROR_ARGUMENT in the document.
void vs_pointer_set(const vs_node *root, const char *pointer, double value);

#endif
