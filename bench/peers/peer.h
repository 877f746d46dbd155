// Solvers of others on a problem of voussoir: what voussoir-peer runs.
//
// A peer works in a process of its own, because some of them crash, exit or never end. Impulses lie in memory that
// both processes share: what a solver has reached when it is stopped is not lost.
#ifndef PEERS_PEER_H
#define PEERS_PEER_H

#include "bench.h"

typedef struct peer_task {
    const vs_problem *problem;
    vs_problem_info info;
    vs_model model;
    double tolerance; // handed to the peer as its own
    double max_time;  // s of processor time, of one solve
    int repeat;       // the least time of so many solves counts
    bool loud;        // what the peer prints goes to standard error, else nowhere
    char scratch[96]; // a file that peers outside of this program are handed
} peer_task;

enum { PEER_TEXT = 100 };

typedef struct peer_outcome {
    volatile double
        started;       // s, processor clock of the peer's process when the present solve began; 0: it did not tell
    int iterations;    // -1: the peer did not tell (stopped, crashed)
    double seconds;    // processor time of the solve, with condensing
    double condensing; // s of it: making the local problem from a global one
    double error;      // as the peer says; NaN: it does not
    char form[16];     // "local", "condensed", "global"
    char status[24];   // "converged", "inaccurate", "time_limit", "crashed", "failed"
    char message[PEER_TEXT]; // one sentence more, or nothing
} peer_outcome;

typedef struct peer {
    const char *name;
    unsigned models;    // bits 1 << vs_model
    const char *solves; // the models in words
    double startup;     // s of processor time that it may take before a solve begins
    bool (*available)(void);
    const char *(*refuse)(const peer_task *task);                            // why it cannot take the problem, or null
    bool (*prepare)(const peer_task *task);                                  // null: nothing to do
    void (*run)(const peer_task *task, peer_outcome *outcome, double *r);    // in its process; may exec. r (m) from 0
    bool (*collect)(const peer_task *task, peer_outcome *outcome, double *r, // afterwards, from files; null: nothing
                    double *g);
} peer;

// The peers of this build: index 0, 1, …; null beyond the last.
const peer *peer_siconos_get(int index);
const peer *peer_cvxopt_get(int index);

#endif
