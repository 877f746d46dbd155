// Internals of a distributed simulation: owners of bodies, and the transfer of states.
#ifndef VS_MPI_TEAM_DATA_H
#define VS_MPI_TEAM_DATA_H

#include "mpi/exchange.h"
#include "mpi/regions.h"
#include "step/account/contact_view.h"

// A body in transfer: to a new owner, to ranks that need a copy, or to rank 0. Or a joint, sent with its bodies.
typedef struct vs_traveller {
    int body, joint; // slots; joint -1: a body
    int there;       // index on its owner
    int reserved;    //
    double load;     // its contacts; a joint's angle, rad
    vs_pose pose;
    vs_vec3 velocity, spin, held, force, torque; // of a joint the last two
    vs_lead lead;
} vs_traveller;

typedef struct vs_team {
    vs_division division; // the interface; its user is this struct
    vs_simulation *simulation;
    vs_context *context;
    vs_arena arena; // lives as long as this
    MPI_Comm comm;
    int rank, size;
    uint64_t topology; // of the world at its division

    vs_arena link; // of exchange
    vs_exchange exchange;

    vs_regions regions;
    bool divided;         // there are regions
    double uneven;        // largest load of a rank over the mean, just after balancing
    int64_t since;        // steps since then
    int *owner, *there;   // (bodies) of ghosts
    unsigned char *place; // (bodies)
    double *load;         // (bodies) contacts of a body here in the last step
    int *leader;          // (bodies) lowest of the bodies connected by joints, which are always on one rank
    int leaders;          // with mass
    int owned, ghosts;    //
    VS_ARRAY(int) mine;   // (owned) bodies with mass, ascending
    VS_ARRAY(int) ghost;  // (ghosts)

    VS_ARRAY(vs_box3) box;       // (owned)
    VS_ARRAY(vs_box3) all_boxes; // (size)
    VS_ARRAY(vs_traveller) leaving, arriving;
    VS_ARRAY(int) to;              // ranks of those leaving
    VS_ARRAY(vs_traveller) sorted; // leaving, by rank
    int *send, *receive;           // (size) counts
    int *send_at, *receive_at;     // (size)
    MPI_Datatype traveller;        //
    int64_t moved, balanced, bytes;
    int64_t gathered; // step whose states rank 0 has
} vs_team;

// travel.c: appends a body and its joints to those leaving.
vs_error vs_team_leave(vs_team *team, int body, int to);
void vs_team_unpack(vs_team *team, const vs_traveller *traveller);
// Bodies that have left their region move to their new owners; `exact`: without a margin. Collective.
vs_error vs_team_migrate(vs_team *team, bool exact);
// Exchanges copies of bodies that may touch those of other ranks; those of the last step are dropped. Collective.
vs_error vs_team_copy_ghosts(vs_team *team);
void vs_team_forget_ghosts(vs_team *team);

// balance.c: the division's arrange().
vs_error vs_team_arrange(void *user);

// team.c: agrees on an error of any rank.
vs_error vs_team_agree(void *user, vs_error error);

#endif
