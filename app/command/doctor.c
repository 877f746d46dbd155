// voussoir doctor: the parts of this build with their licences, and whether the machine is used well. Ends with a list
// of performance issues and their remedies, which may be empty.
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/blas.h"
#include "cli/exit_code.h"
#include "cli/system/embedded.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "cli/system/process.h"
#include "cli/system/system.h"
#include "command/commands.h"
#include "voussoir/voussoir.h"

// Performance issues: the reason and the remedy.
enum { FINDINGS = 8, FINDING = 320 };
typedef struct findings {
    char text[FINDINGS][FINDING];
    int count;
} findings;

__attribute__((format(printf, 2, 3))) static void find(findings *f, const char *format, ...) {
    va_list list;
    if (f->count == FINDINGS)
        return;
    va_start(list, format);
    (void)vsnprintf(f->text[f->count++], FINDING, format, list);
    va_end(list);
}

// ---- the build -------------------------------------------------------------------------------------------------

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

#ifdef __OPTIMIZE__
static const bool optimized = true;
#else
static const bool optimized = false;
#endif

#ifdef NDEBUG
static const bool asserts = false;
#else
static const bool asserts = true;
#endif

static void show_build(findings *f) {
    printf("voussoir %s\n  compiled by %s%s, %s, assertions %s%s\n", vs_version(),
#ifdef __clang__
           "", __VERSION__,
#else
           "GCC ", __VERSION__,
#endif
           optimized ? "optimized" : "not optimized", asserts ? "on" : "off", SANITIZED ? ", sanitizers" : "");
    if (SANITIZED)
        find(f, "This is a build with sanitizers, several times slower: build with 'cmake --preset release'.");
    else if (!optimized)
        find(f, "This build is not optimized: build with 'cmake --preset release'.");
    else if (asserts)
        find(f, "This build checks assertions, which is slightly slower: build with 'cmake --preset release'.");
}

// A build without HDF5 reports that before it opens the file.
static bool reads_files(void) {
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    if (vs_context_create(NULL, &context) != VS_OK)
        return false;
    const vs_error error = vs_fclib_read(context, "", &problem);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return error != VS_ERROR_UNSUPPORTED;
}

// GPL, but neither LGPL nor AGPL.
static bool is_gpl(const char *licence) {
    for (const char *at = licence; (at = strstr(at, "GPL")); at += 3)
        if (at == licence || (at[-1] != 'L' && at[-1] != 'A'))
            return true;
    return false;
}

static void show_solvers(findings *f) {
    const char *gpl = NULL;
    bool large = false;
    printf("\nlinear solvers\n");
    for (int k = 0; k < vs_backend_count(); k++) {
        const vs_backend_info backend = vs_backend_at(k);
        printf("  %-14s%-10s%s\n  %-24slicence %s\n", backend.name, backend.version, backend.purpose, "",
               backend.licence);
        if (is_gpl(backend.licence))
            gpl = backend.name;
        large = large || strcmp(backend.name, "mumps") == 0;
    }
    if (!large)
        find(f, "There is no linear solver for large systems: install libmumps-seq-dev and build with "
                "-DVOUSSOIR_MUMPS=ON.");
#ifndef APP_WITH_METIS
    find(f, "Large problems are ordered by AMD only: install libmetis-dev and build with -DVOUSSOIR_METIS=ON.");
#endif
    printf("\nlicence\n  voussoir itself is BSD-3-Clause.\n");
    if (gpl)
        printf("  This binary as a whole is under the GPL, because a part of %s is: you must comply with it if you\n  "
               "distribute the binary, not if you only use it. -DVOUSSOIR_CHOLMOD=OFF builds without it.\n",
               gpl);
    else
        printf("  Nothing in this binary is under the GPL; it may be linked dynamically by programs of any licence.\n");
    printf("  Other libraries: jansson (MIT)"
#ifdef APP_WITH_HDF5
           ", HDF5 (BSD-3-Clause)"
#endif
#ifdef APP_WITH_METIS
           ", METIS (Apache-2.0)"
#endif
#ifdef APP_WITH_DYNAMICS
           ", qhull (BSD-like)"
#ifdef APP_WITH_XML
           ", libxml2 (MIT)"
#endif
#endif
           ".\n");
}

// ---- files and helpers -----------------------------------------------------------------------------------------

// Libraries that the command does not call itself are queried if they are loaded, or named if they were compiled with it.
static void show_versions(void) {
#ifdef APP_BUNDLED
    printf("  compiled in: %s\n", APP_BUNDLED);
#else
    int (*hdf5)(unsigned *, unsigned *, unsigned *) = NULL;
    unsigned v[3] = {0, 0, 0};
    void *symbol = app_system_find_symbol("H5get_libversion");
    memcpy(&hdf5, &symbol, sizeof hdf5); // an object pointer cannot be cast to a function pointer
    printf("  jansson %s", jansson_version_str());
    if (hdf5 && hdf5(&v[0], &v[1], &v[2]) >= 0)
        printf(", HDF5 %u.%u.%u", v[0], v[1], v[2]);
    const char *const *xml = app_system_find_symbol("xmlParserVersion");
    const long number = xml && *xml ? strtol(*xml, NULL, 10) : 0; // 20914 is 2.9.14
    if (number > 0)
        printf(", libxml2 %ld.%ld.%ld", number / 10000, number / 100 % 100, number % 100);
    printf("\n");
#endif
}

// On PATH, or beside this command.
static bool has_mpi_command(void) {
    char self[APP_SYSTEM_PATH], path[APP_SYSTEM_PATH + 64];
    app_system_own_folder(self);
    (void)snprintf(path, sizeof path, "%s/voussoir-mpi", self);
    return app_process_is_there("voussoir-mpi") || access(path, X_OK) == 0;
}

#ifdef APP_TRAJECTORIES
// Where 'voussoir view' looks first: VOUSSOIR_VIEWER, else installed beside the command.
static bool has_viewer(void) {
    if (app_pages[0].name)
        return true;
    const char *chosen = getenv("VOUSSOIR_VIEWER");
    char self[APP_SYSTEM_PATH], page[APP_SYSTEM_PATH + 64];
    app_system_own_folder(self);
    if (chosen)
        (void)snprintf(page, sizeof page, "%s/index.html", chosen);
    else
        (void)snprintf(page, sizeof page, "%s/../share/voussoir/viewer/index.html", self);
    return access(page, R_OK) == 0;
}
#endif

static void show_files(void) {
    printf("\nfiles\n  FCLIB (HDF5): %s\n", reads_files() ? "yes" : "no; build with -DVOUSSOIR_HDF5=ON");
#ifdef APP_TRAJECTORIES
    printf("  trajectories: yes\n  viewer: %s\n",
           has_viewer() ? "yes" : "not installed; use 'voussoir export' and ParaView");
#endif
    printf("  gnuplot: %s\n", app_process_is_there("gnuplot") ? "yes" : "no; install gnuplot-nox for plots");
    show_versions();
    printf("\nMPI\n  voussoir-mpi: %s\n  This command runs in one process, with several threads if --threads is "
           "given; 'mpirun -np 4 voussoir-mpi' runs on\n  several ranks. 'voussoir sweep --mpi' distributes runs over "
           "ranks and needs no MPI library.\n",
           has_mpi_command() ? "yes"
                             : "not installed; build with -DVOUSSOIR_MPI=ON, or install the package voussoir-mpi");
}

// ---- the BLAS and the machine ----------------------------------------------------------------------------------

static void show_blas(findings *f) {
    const char *before = app_blas_repaired_from(), *remedy = app_blas_remedy(), *core = getenv("OPENBLAS_CORETYPE");
    printf("\nBLAS\n  %s\n", vs_solver_blas());
    if (strcmp(vs_solver_blas(), "unknown") == 0)
        find(f, "The BLAS is not OpenBLAS, perhaps the reference one: install libopenblas0-pthread (Debian).");
    if (remedy) {
        find(f, "OpenBLAS runs a fallback kernel: export OPENBLAS_CORETYPE=%s", remedy);
        printf("  This is a fallback: OpenBLAS does not recognize this processor and runs several times slower than\n  "
               "it could. To fix this, also for other programs:\n\n"
               "    export OPENBLAS_CORETYPE=%s\n\n",
               remedy);
        if (core)
            printf("  OPENBLAS_CORETYPE is set to %s%s.\n", core, before ? ", which did not help" : "");
    } else if (before && core)
        printf("  OpenBLAS does not recognize this processor and had chosen the slow kernel %s; voussoir therefore\n  "
               "restarted itself with OPENBLAS_CORETYPE=%s. To avoid the restart, and for other programs:\n\n"
               "    export OPENBLAS_CORETYPE=%s\n\n",
               before, core, core);
    else if (core && strcmp(vs_solver_blas(), "none") != 0)
        printf("  OPENBLAS_CORETYPE is set to %s.\n", core);
    if (strcmp(vs_solver_blas(), "none") != 0)
        printf("  Always one thread, whatever OPENBLAS_NUM_THREADS is: other numbers would change the last bits of "
               "results.\n");
}

static void show_machine(findings *f) {
    const app_machine m = app_system_machine();
    const double gigabyte = 1024.0 * 1024.0 * 1024.0;
    printf("\nmachine\n  %ld processor%s%s%s; solves use one unless --threads is given\n", m.processors,
           m.processors == 1 ? "" : "s", app_cpu_has_avx2() ? ", AVX2" : "", app_cpu_has_avx512() ? ", AVX-512" : "");
    if (m.memory > 0)
        printf("  %.1f GiB of memory", m.memory / gigabyte);
    if (m.available > 0)
        printf(", %.1f GiB available", m.available / gigabyte);
    printf(", load %.1f\n", m.load);
    if (m.processors > 0 && m.load > 1.2 * (double)m.processors)
        find(f, "Other programs keep the processors busy (load %.1f on %ld): expect longer times.", m.load,
             m.processors);
    if (m.available > 0 && m.available < 0.5 * gigabyte)
        find(f, "Only %.1f GiB of memory are available: close other programs before solving large problems.",
             m.available / gigabyte);
#ifdef __x86_64__
    if (!app_cpu_has_avx2())
        find(f, "This processor has no AVX2: dense kernels run at half speed or less.");
#endif
}

static void show_findings(const findings *f) {
    printf("\nperformance issues\n");
    for (int k = 0; k < f->count; k++)
        printf("  * %s\n", f->text[k]);
    if (f->count == 0)
        printf("  none found\n");
}

static int run(void *options, const app_line *line) {
    (void)options;
    if (line->operands > 0) {
        app_complain("doctor: unexpected argument '%s'; it takes no files", line->operand[0]);
        return APP_USAGE;
    }
    findings found = {.count = 0};
    show_build(&found);
    show_solvers(&found);
    show_files();
    show_blas(&found);
    show_machine(&found);
    show_findings(&found);
    return APP_DONE;
}

const app_command app_doctor_command = {
    .name = "doctor",
    .summary = "check versions, licences, BLAS and speed of this installation",
    .usage = "",
    .description =
        "Checks this installation: versions, linear solvers and their licences, supported files and helper programs, "
        "MPI, the processor kernel and threads of the BLAS, processors and memory. It ends with a list of what is slow "
        "and how to fix it.",
    .examples = "voussoir doctor\n"
                "OPENBLAS_CORETYPE=Haswell voussoir doctor     with another OpenBLAS kernel",
    .exit_codes = "0 success, whatever was found; 1 usage error.",
    .run = run,
    .computes = true,
};
