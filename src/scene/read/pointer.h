// References to values of a scene file: JSON pointers (RFC 6901), "/materials/wood/mu", "/bodies/2/position/0".
#ifndef VS_SCENE_POINTER_H
#define VS_SCENE_POINTER_H

#include "scene/read/node.h"

// Sets a number. The last step may be an absent member (a value left at its default), everything else must exist; an
// existing value must be a number or a text with "$name". Otherwise VS_ERROR_ARGUMENT in the document.
void vs_pointer_set(const vs_node *root, const char *pointer, double value);

#endif
