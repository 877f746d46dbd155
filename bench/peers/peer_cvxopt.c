// CVXOPT's coneqp as a peer: tools/peer_cvxopt.py in Python. It is handed the problem as an FCLIB file and adds the
// impulses, and what it says about the solve as attributes of the group `solution`, to that file.
#include "peer.h"

#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "problem/problem_data.h"

static const char *python(void) {
    const char *chosen = getenv("VOUSSOIR_PYTHON");
    return chosen && *chosen ? chosen : PEER_PYTHON;
}

static void silence(void) {
    int nowhere = open("/dev/null", O_WRONLY);
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
}

static bool available(void) {
    pid_t child = fork();
    if (child == 0) {
        silence();
        (void)execl(python(), python(), "-c", "import cvxopt, h5py, numpy, scipy", (char *)NULL);
        _exit(127);
    }
    int state = 1;
    return child > 0 && waitpid(child, &state, 0) == child && state == 0;
}

static const char *refuse(const peer_task *task) {
    const vs_problem *p = task->problem;
    if (task->info.compliant)
        return "compliance is not handed over to CVXOPT";
    for (int i = 0; i < p->contacts; i++)
        if (p->kind[i] != VS_CONE_SECOND_ORDER)
            return "rows without friction and boxes are not handed over to CVXOPT";
    // The matrices of measured problems are unsymmetric by rounding, which is averaged away; more is no convex problem.
    return task->info.asymmetry > 1e-6 ? "the matrix is unsymmetric: there is no convex problem for CVXOPT to solve"
                                       : NULL;
}

static bool prepare(const peer_task *task) {
    return vs_fclib_write(task->scratch, task->problem, NULL) == VS_OK;
}

static void run(const peer_task *task, peer_outcome *outcome, double *r) {
    (void)outcome, (void)r;
    char tolerance[32], limit[32], repeat[32];
    (void)snprintf(tolerance, sizeof tolerance, "%.17g", task->tolerance);
    (void)snprintf(limit, sizeof limit, "%.17g", task->max_time);
    (void)snprintf(repeat, sizeof repeat, "%d", task->repeat);
    (void)execl(python(), python(), PEER_SCRIPT, task->scratch, "--tolerance", tolerance, "--max-time", limit,
                "--repeat", repeat, (char *)NULL);
    _exit(127);
}

static double read_number(hid_t group, const char *name, double absent) {
    double x = absent;
    if (H5Aexists(group, name) <= 0)
        return absent;
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &x) < 0)
        x = absent;
    (void)H5Aclose(attribute);
    return x;
}

// An attribute of fixed length.
static void read_text(hid_t group, const char *name, char *text, size_t size) {
    if (H5Aexists(group, name) <= 0)
        return;
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
    char value[PEER_TEXT] = "";
    if (H5Tset_size(type, sizeof value) >= 0 && H5Aread(attribute, type, value) >= 0)
        (void)snprintf(text, size, "%.*s", (int)sizeof value - 1, value);
    (void)H5Tclose(type);
    (void)H5Aclose(attribute);
}

static bool collect(const peer_task *task, peer_outcome *outcome, double *r, double *g) {
    hid_t file = H5Fopen(task->scratch, H5F_ACC_RDONLY, H5P_DEFAULT);
    bool found = file >= 0 && H5Lexists(file, "solution", H5P_DEFAULT) > 0;
    if (found) {
        hid_t group = H5Gopen2(file, "solution", H5P_DEFAULT);
        outcome->iterations = (int)read_number(group, "iterations", -1);
        outcome->seconds = read_number(group, "seconds", NAN);
        outcome->condensing = read_number(group, "condensing", 0);
        outcome->error = read_number(group, "error", NAN);
        read_text(group, "status", outcome->status, sizeof outcome->status);
        read_text(group, "message", outcome->message, sizeof outcome->message);
        read_text(group, "form", outcome->form, sizeof outcome->form);
        (void)H5Gclose(group);
    }
    if (file >= 0)
        (void)H5Fclose(file);
    return found && vs_fclib_read_solution(task->scratch, task->problem, NULL, g, r, NULL) == VS_OK;
}

const peer *peer_cvxopt_get(int index) {
    static const peer cvxopt = {.name = "cvxopt",
                                .models = 1u << VS_MODEL_RELAXED,
                                .solves = "relaxed",
                                .startup = 10, // Python, its modules, the file
                                .available = available,
                                .refuse = refuse,
                                .prepare = prepare,
                                .run = run,
                                .collect = collect};
    return index == 0 ? &cvxopt : NULL;
}
