// Families of random assemblies, meant to provoke false proofs.
#ifndef FORGE_FAMILY_H
#define FORGE_FAMILY_H

#include "draft.h"

int family_count(void);
const char *family_name(int family);
// A random assembly of a family; -1: of any.
void draw_assembly(stream *random, int family, assembly *a);

// Structures of one family each.
void draw_tower(draft *d); // tower.c
void draw_slope(draft *d);
void draw_drums(draft *d);
void draw_plate(draft *d); // support.c
void draw_lean(draft *d);
void draw_groove(draft *d);
void draw_roll(draft *d);
void draw_courses(draft *d); // masonry.c
void draw_jam(draft *d);
void draw_arch(draft *d);
void draw_buried(draft *d); // fault.c
void draw_floating(draft *d);
void draw_driven(draft *d);
void draw_loaded(draft *d);

#endif
