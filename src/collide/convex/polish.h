// The last digits of the gap of two convex shapes.
#ifndef VS_COLLIDE_POLISH_H
#define VS_COLLIDE_POLISH_H

#include "collide/convex/touch.h"

// Increases f(n) = min over B of n.x - max over A of n.x near touch->normal; touch->gap becomes f(n), the gap if n is the
// best of all directions. Points stay.
void vs_touch_polish(const vs_convex *a, const vs_convex *b, vs_touch *touch);

#endif
