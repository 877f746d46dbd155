// Siconos' solvers as peers, with default options but for the tolerance and the number of iterations; see
// ../siconos_side.h for conventions.
//
// Problems in global form are condensed to local ones (W = D H^-1 D') for NSGS, NSN_AC and ADMM: their global versions
// are far slower. The interior point works on the global form only.
// Relaxed: ADMM with the update of s = mu|u_T| turned off, which only its global version obeys; the interior point of
// Siconos 4.4 knows nothing else.
#include "peer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "siconos_side.h"

#include <Friction_cst.h>

enum { DENSE_CONTACTS = 60 }; // up to which dense matrices are faster in NSN_AC and ADMM

static const unsigned EXACT = 1u << VS_MODEL_EXACT, RELAXED = 1u << VS_MODEL_RELAXED;

static const siconos_method nsgs = {.name = "NSGS", .solver = SICONOS_FRICTION_3D_NSGS, .storage = SICONOS_BLOCKS};
static const siconos_method nsn_ac = {
    .name = "NSN_AC", .solver = SICONOS_FRICTION_3D_NSN_AC, .storage = SICONOS_BLOCKS};
static const siconos_method admm = {.name = "ADMM", .solver = SICONOS_FRICTION_3D_ADMM, .storage = SICONOS_BLOCKS};
static const siconos_method admm_relaxed = {.name = "ADMM",
                                            .solver = SICONOS_GLOBAL_FRICTION_3D_ADMM,
                                            .global = true,
                                            .option = SICONOS_FRICTION_3D_ADMM_IPARAM_UPDATE_S,
                                            .value = SICONOS_FRICTION_3D_ADMM_UPDATE_S_NO};
static const siconos_method ipm = {.name = "IPM", .solver = SICONOS_GLOBAL_FRICTION_3D_IPM, .global = true};

static const char *refuse(const peer_task *task) {
    return siconos_takes(task->problem) ? NULL
                                        : "Siconos takes friction contacts only: no joints, no compliance, no rows "
                                          "without friction, no boxes";
}

static const char *refuse_admm(const peer_task *task) {
    return task->model == VS_MODEL_RELAXED && task->info.local
               ? "ADMM of Siconos solves the relaxed model in global form only; this problem is local"
               : refuse(task);
}

static const char *refuse_local(const peer_task *task) {
    return task->info.local ? "the interior point of Siconos needs the global form; this problem is local"
                            : refuse(task);
}

static void solve(const peer_task *task, siconos_method method, peer_outcome *outcome, double *r) {
    siconos_form form = task->info.local ? SICONOS_LOCAL : method.global ? SICONOS_GLOBAL : SICONOS_CONDENSED;
    const char *const names[] = {"local", "condensed", "global"};
    (void)snprintf(outcome->form, sizeof outcome->form, "%s", names[form]);
    if (method.solver != SICONOS_FRICTION_3D_NSGS && task->info.contacts <= DENSE_CONTACTS)
        method.storage = SICONOS_DENSE;
    outcome->seconds = INFINITY;
    for (int k = 0; k < task->repeat; k++) {
        siconos_outcome told = {0};
        siconos_side *side = siconos_side_create(task->problem, form, method.storage);
        if (!side) {
            (void)snprintf(outcome->message, sizeof outcome->message, "Siconos could not take the problem");
            return;
        }
        outcome->started = bench_now().processor;
        siconos_side_solve(side, &method, task->tolerance, r, &told);
        siconos_side_destroy(side);
        outcome->started = 0;
        double seconds = told.time.processor + told.condensing.processor;
        if (seconds < outcome->seconds) {
            outcome->seconds = seconds;
            outcome->condensing = told.condensing.processor;
        }
        outcome->iterations = told.iterations;
        outcome->error = told.error;
        (void)snprintf(outcome->status, sizeof outcome->status, "%s", told.solved ? "converged" : "inaccurate");
    }
}

static void run_nsgs(const peer_task *task, peer_outcome *outcome, double *r) {
    solve(task, nsgs, outcome, r);
}

static void run_nsn_ac(const peer_task *task, peer_outcome *outcome, double *r) {
    solve(task, nsn_ac, outcome, r);
}

static void run_admm(const peer_task *task, peer_outcome *outcome, double *r) {
    solve(task, task->model == VS_MODEL_RELAXED ? admm_relaxed : admm, outcome, r);
}

static void run_ipm(const peer_task *task, peer_outcome *outcome, double *r) {
    solve(task, ipm, outcome, r);
}

static bool always(void) {
    return true;
}

const peer *peer_siconos_get(int index) {
    static peer peers[] = {
        {.name = "siconos-nsgs", .solves = "exact", .refuse = refuse, .run = run_nsgs},
        {.name = "siconos-nsn-ac", .solves = "exact", .refuse = refuse, .run = run_nsn_ac},
        {.name = "siconos-admm", .solves = "exact and relaxed", .refuse = refuse_admm, .run = run_admm},
        {.name = "siconos-ipm", .solves = "relaxed", .refuse = refuse_local, .run = run_ipm},
    };
    const unsigned models[] = {EXACT, EXACT, EXACT | RELAXED, RELAXED};
    if (index < 0 || index >= (int)(sizeof peers / sizeof *peers))
        return NULL;
    peers[index].models = models[index];
    peers[index].startup = 60; // reading and condensing large problems
    peers[index].available = always;
    return &peers[index];
}
