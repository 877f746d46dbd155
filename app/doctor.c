// voussoir doctor: what this build consists of, under which licences, and whether the machine is used well.
#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void app_doctor_help(FILE *to) {
    (void)fputs(
        "usage: voussoir doctor\n\n"
        "Tells the version, the linear solvers with their licences, whether files can be read, which processor\n"
        "kernel the BLAS uses and how to repair a wrong one, processors and memory.\n",
        to);
}

// A build without HDF5 says so before it looks for the file.
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

static void show_solvers(void) {
    vs_backend_info backend;
    const char *gpl = NULL;
    printf("\nlinear solvers\n");
    for (int k = 0; vs_solver_backend(k, &backend); k++) {
        printf("  %-14s%-10s%s\n  %-24slicence %s\n", backend.name, backend.version, backend.purpose, "",
               backend.licence);
        if (is_gpl(backend.licence))
            gpl = backend.name;
    }
    printf("\nlicence\n  voussoir itself is BSD-3-Clause.\n");
    if (gpl)
        printf("  This binary as a whole falls under the GPL, because a part of %s is GPL: that is for you to heed if\n"
               "  you pass the binary on, not if you only use it. -DVOUSSOIR_CHOLMOD=OFF builds without it.\n",
               gpl);
    else
        printf("  Nothing in this binary is GPL; linked dynamically, it may be part of programs of any licence.\n");
}

static void show_blas(void) {
    const char *before = app_blas_repaired_from(), *remedy = app_blas_remedy(), *core = getenv("OPENBLAS_CORETYPE");
    printf("\nBLAS\n  %s\n", vs_solver_blas());
    if (remedy) {
        printf("  This is a fallback: OpenBLAS does not know this processor and is several times slower than it could "
               "be.\n"
               "  To repair it for this and for other programs:\n\n"
               "    export OPENBLAS_CORETYPE=%s\n\n",
               remedy);
        if (core)
            printf("  OPENBLAS_CORETYPE is set to %s now%s.\n", core, before ? ", which did not help" : "");
    } else if (before && core)
        printf("  OpenBLAS does not know this processor and had chosen the slow kernel %s; voussoir therefore started\n"
               "  itself once more with OPENBLAS_CORETYPE=%s. To save that, and for other programs:\n\n"
               "    export OPENBLAS_CORETYPE=%s\n\n",
               before, core, core);
    else if (core)
        printf("  OPENBLAS_CORETYPE is set to %s.\n", core);
    if (strcmp(vs_solver_blas(), "none") != 0)
        printf("  One thread: other numbers change the last bits of results.\n");
}

// Memory that programs can still get, in bytes; 0 if unknown.
static double available_memory(void) {
    double kilobytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file)
        return 0;
    while (kilobytes == 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kilobytes = strtod(line + 13, NULL);
    (void)fclose(file);
    return 1024 * kilobytes;
}

static void show_machine(void) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES),
               page = sysconf(_SC_PAGESIZE);
    const double gigabyte = 1024.0 * 1024.0 * 1024.0, available = available_memory();
    printf("\nmachine\n  %ld processor%s%s%s; solves use one unless --threads says otherwise\n", processors,
           processors == 1 ? "" : "s", app_cpu_has_avx2() ? ", AVX2" : "", app_cpu_has_avx512() ? ", AVX-512" : "");
    if (pages > 0 && page > 0)
        printf("  %.1f GiB of memory", (double)pages * (double)page / gigabyte);
    if (available > 0)
        printf(", %.1f GiB available", available / gigabyte);
    printf("\n");
}

int app_doctor(int argc, char **argv) {
    bool help = false;
    int operands = 0;
    const app_option table[] = {{.name = "--help", .flag = &help}, {.name = NULL}};
    if (!app_options_read("doctor", table, argc, argv, &operands))
        return APP_USAGE;
    if (help) {
        app_doctor_help(stdout);
        return APP_DONE;
    }
    if (operands > 0) {
        app_complain("doctor: '%s' is too much; it takes no files", argv[1]);
        return APP_USAGE;
    }
    printf("voussoir %s\n", vs_version());
    show_solvers();
    printf("\nfiles\n  FCLIB (HDF5): %s\n", reads_files() ? "yes" : "no; build with -DVOUSSOIR_HDF5=ON to read files");
    show_blas();
    show_machine();
    return APP_DONE;
}
