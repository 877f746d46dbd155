// voussoir-peer: contact problems in FCLIB files, solved by others.
//
//     voussoir-peer list
//     voussoir-peer solve NAME FILE [--tolerance 1e-8] [--max-time 10] [--model exact|relaxed] [--repeat 1] [--loud]
//                         [-o OUT.hdf5]
//
// Writes the problem with the peer's impulses (velocities follow from them by vs_measure()) and prints one line of
// JSON: iterations, seconds, status, and what vs_measure() says (status "unsupported": refused). Exit codes: 0 the peer
// ran, whatever it reached; 1 something failed; 2 refused: wrong usage, no such peer, or a problem or model that is not
// the peer's.
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "linalg/blas.h"

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS 0x20 // of Linux; not part of POSIX
#endif

enum { FAILED = 1, REFUSED = 2 };

static int fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(int code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    (void)fputs("voussoir-peer: ", stderr);
    (void)vfprintf(stderr, format, list);
    (void)fputs("\n", stderr);
    va_end(list);
    return code;
}

// A peer that does not do this: for people on standard error, for programs as JSON.
static int refuse(const peer *p, const char *file, const char *why, const char *more) {
    printf("{\"iterations\": -1, \"seconds\": null, \"status\": \"unsupported\", \"message\": \"%s%s\", \"peer\": "
           "\"%s\"}\n",
           why, more, p->name);
    return fail(REFUSED, "%s on %s: %s%s", p->name, file, why, more);
}

// ---- the peers ---------------------------------------------------------------------------------------

static const peer *peer_at(int index) {
#ifdef PEER_SICONOS
    int k = 0;
    for (; peer_siconos_get(k); k++)
        if (k == index)
            return peer_siconos_get(k);
    index -= k;
#endif
    return peer_cvxopt_get(index);
}

static const peer *find_peer(const char *name) {
    const peer *p;
    for (int k = 0; (p = peer_at(k)); k++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static int list_peers(void) {
    const peer *p;
    for (int k = 0; (p = peer_at(k)); k++)
        if (p->available())
            puts(p->name);
    return 0;
}

// ---- one solve in a process of its own ---------------------------------------------------------------

static double seconds_used(pid_t child) {
    clockid_t clock;
    struct timespec used = {0, 0};
    if (clock_getcpuclockid(child, &clock) == 0)
        (void)clock_gettime(clock, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

// Late by processor time, so that a busy machine takes nothing from it, or on the clock if it hangs. A peer that does
// not tell when it begins a solve watches the limit itself; all of its solves together have a limit here.
static bool is_late(pid_t child, const peer *p, const peer_task *task, const peer_outcome *outcome, double wall) {
    double started = outcome->started, whole = p->startup + task->repeat * task->max_time;
    double limit = started > 0 ? started + task->max_time : whole;
    return seconds_used(child) > limit || wall > 10 * whole;
}

static int wait_for(pid_t child, const peer *p, const peer_task *task, const peer_outcome *outcome, bool *late) {
    const struct timespec pause = {0, 1000000};
    double begin = bench_now().wall;
    int state = 0;
    for (;;) {
        pid_t ended = waitpid(child, &state, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR))
            return state;
        if (is_late(child, p, task, outcome, bench_now().wall - begin)) {
            *late = true;
            (void)kill(child, SIGKILL);
            (void)waitpid(child, &state, 0);
            return state;
        }
        (void)nanosleep(&pause, NULL);
    }
}

// Peers talk; standard output is not theirs.
static void be_peer(const peer *p, const peer_task *task, peer_outcome *outcome, double *r) {
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // ends together with voussoir-peer
#endif
    int to = task->loud ? STDERR_FILENO : open("/dev/null", O_WRONLY);
    (void)dup2(to, STDOUT_FILENO);
    (void)dup2(to, STDERR_FILENO);
    p->run(task, outcome, r);
    _exit(0);
}

static void tell(peer_outcome *outcome, const char *status, const char *message) {
    (void)snprintf(outcome->status, sizeof outcome->status, "%s", status);
    (void)snprintf(outcome->message, sizeof outcome->message, "%s", message);
}

static void run_apart(const peer *p, const peer_task *task, peer_outcome *outcome, double *r) {
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        be_peer(p, task, outcome, r);
    bool late = false;
    int state = child > 0 ? wait_for(child, p, task, outcome, &late) : 1;
    if (late) {
        outcome->seconds = fmin(outcome->seconds, task->max_time);
        tell(outcome, "time_limit", "the impulses are what it had reached");
    } else if (child > 0 && WIFSIGNALED(state)) {
        tell(outcome, "crashed", strsignal(WTERMSIG(state)));
    } else if (child < 0 || state != 0) {
        tell(outcome, "failed", "it ended without an answer");
    }
}

// ---- the answer --------------------------------------------------------------------------------------

static void print_number(const char *name, double x) {
    if (isfinite(x))
        printf(", \"%s\": %.9g", name, x);
    else
        printf(", \"%s\": null", name);
}

static void print_outcome(const peer *p, const peer_task *task, const peer_outcome *outcome, const vs_measures *m) {
    printf("{\"iterations\": %d", outcome->iterations);
    print_number("seconds", outcome->seconds);
    printf(", \"status\": \"%s\", \"message\": \"%s\", \"peer\": \"%s\", \"model\": \"%s\", \"form\": \"%s\"",
           outcome->status, outcome->message, p->name, vs_model_name(task->model), outcome->form);
    print_number("prepare_seconds", outcome->condensing);
    print_number("own_error", outcome->error);
    print_number("natural_map_relative", m->natural_map_relative);
    print_number("energy_error", m->energy_error);
    print_number("energy_scale", m->energy_scale);
    printf("}\n");
}

// Impulses that are no numbers count as none: a peer that diverged has solved nothing, but the file can be read.
static void clean(double *x, int count, peer_outcome *outcome) {
    bool good = true;
    for (int k = 0; k < count; k++)
        good = good && isfinite(x[k]);
    if (!good) {
        memset(x, 0, (size_t)count * sizeof *x);
        tell(outcome, "failed", "impulses are not finite; taken as zero");
    }
}

static vs_error answer(const peer *p, const peer_task *task, const char *path, peer_outcome *outcome, double *r,
                       double *g) {
    const size_t n = (size_t)task->info.n, m = (size_t)task->info.m;
    double *v = calloc(n + 1, sizeof *v), *y = calloc(m + 1, sizeof *y);
    vs_measurer *measurer = NULL;
    vs_measures measures;
    clean(r, task->info.m, outcome);
    clean(g, task->info.m_e, outcome);
    vs_error error = v && y ? vs_measurer_create(task->problem, task->model, &measurer) : VS_ERROR_MEMORY;
    if (!error)
        error = vs_measure(measurer, g, r, v, y, &measures);
    if (!error && path)
        error = vs_fclib_write(path, task->problem,
                               &(vs_solution_view){.v = task->info.local ? NULL : v, .g = g, .lambda = r, .y = y});
    if (!error)
        print_outcome(p, task, outcome, &measures);
    vs_measurer_destroy(measurer);
    free(v);
    free(y);
    return error;
}

// ---- the command -------------------------------------------------------------------------------------

typedef struct solve_arguments {
    const char *name, *file, *out;
    peer_task task;
} solve_arguments;

static bool parse_number(const char *text, double *x) {
    char *end;
    *x = strtod(text, &end);
    return *text && !*end && isfinite(*x) && *x > 0;
}

static bool parse(int argc, char **argv, solve_arguments *a) {
    double repeat = 1;
    *a = (solve_arguments){.task = {.model = VS_MODEL_EXACT, .tolerance = 1e-8, .max_time = 10}};
    for (int k = 0; k < argc; k++) {
        const char *value = k + 1 < argc ? argv[k + 1] : "";
        bool taken = true;
        if (strcmp(argv[k], "--loud") == 0) {
            a->task.loud = true;
            continue;
        }
        if (strcmp(argv[k], "--tolerance") == 0)
            taken = parse_number(value, &a->task.tolerance);
        else if (strcmp(argv[k], "--max-time") == 0)
            taken = parse_number(value, &a->task.max_time);
        else if (strcmp(argv[k], "--repeat") == 0)
            taken = parse_number(value, &repeat) && repeat >= 1 && repeat < 1e6;
        else if (strcmp(argv[k], "-o") == 0)
            taken = *(a->out = value) != 0;
        else if (strcmp(argv[k], "--model") == 0) {
            a->task.model = strcmp(value, "exact") == 0 ? VS_MODEL_EXACT : VS_MODEL_RELAXED;
            taken = strcmp(value, vs_model_name(a->task.model)) == 0;
        } else if (argv[k][0] != '-' && !a->file) {
            *(a->name ? &a->file : &a->name) = argv[k];
            continue;
        } else
            return false;
        if (!taken)
            return false;
        k++;
    }
    a->task.repeat = (int)repeat;
    return a->file != NULL;
}

// Memory that a process and its child share; zero.
static void *share(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// A folder for the scratch file; false after a message.
static bool make_scratch(char folder[64], peer_task *task) {
    const char *parent = getenv("TMPDIR");
    int length = snprintf(folder, 64, "%s/voussoir-peer-XXXXXX", parent && *parent ? parent : "/tmp");
    if (length >= 64 || !mkdtemp(folder))
        return fail(0, "no folder for temporary files could be made") != 0;
    (void)snprintf(task->scratch, sizeof task->scratch, "%s/problem.hdf5", folder);
    return true;
}

static int solve_by(const peer *p, solve_arguments *a) {
    peer_task *task = &a->task;
    char folder[64] = "";
    peer_outcome *outcome = share(sizeof *outcome);
    double *r = share((size_t)(task->info.m + 1) * sizeof *r), *g = calloc((size_t)task->info.m_e + 1, sizeof *g);
    int code = FAILED;
    if (!outcome || !r || !g) {
        (void)fail(FAILED, "out of memory");
        goto cleanup;
    }
    *outcome = (peer_outcome){.iterations = -1, .seconds = INFINITY, .error = NAN, .status = "failed"};
    if (p->prepare && !make_scratch(folder, task))
        goto cleanup;
    if (p->prepare && !p->prepare(task)) {
        (void)fail(FAILED, "the problem could not be written for %s", p->name);
        goto cleanup;
    }
    run_apart(p, task, outcome, r);
    if (p->collect && !p->collect(task, outcome, r, g))
        memset(r, 0, (size_t)task->info.m * sizeof *r);
    code = answer(p, task, a->out, outcome, r, g)
               ? fail(FAILED, "%s could not be written or measured", a->out ? a->out : a->file)
               : 0;
cleanup:
    if (*task->scratch)
        (void)unlink(task->scratch);
    if (*folder)
        (void)rmdir(folder);
    free(g);
    return code;
}

static int solve(int argc, char **argv) {
    solve_arguments a;
    if (!parse(argc, argv, &a))
        return fail(REFUSED, "usage: voussoir-peer list | solve NAME FILE [--tolerance 1e-8] [--max-time 10] "
                             "[--model exact|relaxed] [--repeat 1] [--loud] [-o OUT.hdf5]");
    const peer *p = find_peer(a.name);
    if (!p)
        return fail(REFUSED, "there is no peer '%s' in this build; 'voussoir-peer list' prints their names", a.name);
    if (!(p->models >> a.task.model & 1))
        return refuse(p, a.file, "it solves another model; known to it: ", p->solves);
    if (!p->available())
        return refuse(p, a.file, "it is not installed here", "");
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    if (!bench_read(a.file, &context, &problem))
        return FAILED;
    a.task.problem = problem;
    a.task.info = vs_problem_get_info(problem);
    const char *why = p->refuse(&a.task);
    int code = why ? refuse(p, a.file, why, "") : solve_by(p, &a);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return code;
}

int main(int argc, char **argv) {
    vs_blas_single_thread();
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list_peers();
    bool asked = argc >= 2 && strcmp(argv[1], "solve") == 0;
    return solve(asked ? argc - 2 : 0, argv + 2);
}
