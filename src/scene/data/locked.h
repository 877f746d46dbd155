// Shapes of one mechanism that overlap wherever its joints move.
//
// Descriptions of mechanisms overlap at their joints: a link and the base below it, the two neighbours of a short link, a wheel and
// the floor that its axle lies in. No motion of the joints separates such bodies, so that contacts between them contradict the
// joints, and no step could fulfil both. They get no contacts. Overlaps that some position of the joints opens, and those of
// separate mechanisms, are left: they are mistakes of the initial state, and such bodies must collide later.
//
// Descriptions of robots are different (`reference`): shapes of their links are coarse, and links that overlap in the position
// of the file are meant to. Two bodies of one robot that do so get no contacts, whatever their joints do; one line says
// which. So do branches that are joined to the ground each for itself: fingers on a fixed palm, two arms on a table.
// Contacts with the ground are as above.
#ifndef VS_SCENE_LOCKED_H
#define VS_SCENE_LOCKED_H

#include "voussoir/scene.h"

typedef struct vs_locked_options {
    const char *file; // for messages
    bool keep_asked;  // contacts that a joint asks for ("collide") stay
    bool reference;   // robots: bodies of one mechanism that overlap in its first position
    const char *(*name_shape)(void *user, int shape); // of a shape of the world, for messages; or null
    void *user;
} vs_locked_options;

// Leaves out the contacts of such shapes, once everything is made. Logged.
vs_error vs_scene_leave_out_locked(vs_scene *scene, const vs_locked_options *options);

#endif
