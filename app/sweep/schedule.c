// Sweeps under external schedulers: parts for GNU parallel and xargs, ranks of mpirun and srun, array jobs of Slurm.
// Parts communicate only through the directory: no library is needed.
#include "sweep/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/process.h"
#include "cli/system/system.h"
#include "sweep/state.h"

// ---- the command line --------------------------------------------------------------------------------------

// As a shell reads it. false: it does not fit.
static bool add_word(char *line, size_t size, const char *word) {
    const bool plain = *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                  "_-+=:,./%@")] == '\0';
    size_t used = strlen(line);
    if (used + 4 * strlen(word) + 4 > size)
        return false;
    line[used++] = ' ';
    if (!plain)
        line[used++] = '\'';
    for (; *word; word++) {
        if (*word == '\'') {
            memcpy(line + used, "'\\'", 3); // ends the quotes, adds one, begins again
            used += 3;
        }
        line[used++] = *word;
    }
    if (!plain)
        line[used++] = '\'';
    line[used] = '\0';
    return true;
}

// Scheduler options; 2: with a value.
static int is_scheduling(const char *word) {
    static const struct {
        const char *name;
        int words;
    } list[] = {{"--slurm", 2}, {"--commands", 2}, {"--part", 2}, {"--submit", 1}, {"--mpi", 1}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        const size_t length = strlen(list[k].name);
        if (strcmp(word, list[k].name) == 0)
            return list[k].words;
        if (strncmp(word, list[k].name, length) == 0 && word[length] == '=')
            return 1;
    }
    return 0;
}

void app_sweep_keep_line(app_sweep *s, int argc, char **argv) {
    char self[APP_SYSTEM_PATH];
    bool good = add_word(s->arguments, sizeof s->arguments, app_system_find_self(self) ? self : "voussoir");
    for (int k = 0; k < argc && good; k++) {
        const int skipped = is_scheduling(argv[k]);
        if (skipped == 0)
            good = add_word(s->arguments, sizeof s->arguments, argv[k]);
        else
            k += skipped - 1;
    }
    if (!good)
        s->arguments[0] = '\0';
}

static bool check_line(const app_sweep *s) {
    if (!s->arguments[0])
        app_complain("sweep: the command line is too long; put the values into a file for --table");
    return s->arguments[0] != '\0';
}

// ---- parts -------------------------------------------------------------------------------------------------

static bool read_part(app_sweep *s, const char *text) {
    char *end = NULL;
    const long part = strtol(text, &end, 10);
    const long parts = end != text && *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (*end || parts < 1 || parts > 10000000 || part < 0 || part >= parts) {
        app_complain("--part: '%s' is not K/N with K from 0 to N - 1; for instance --part 0/4", text);
        return false;
    }
    s->part = (int)part;
    s->parts = (int)parts;
    return true;
}

static bool read_rank(app_sweep *s) {
    // Open MPI, MPICH and Intel MPI, MVAPICH, srun. mpirun inside a Slurm job sets both: its own takes precedence.
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                                           {"SLURM_PROCID", "SLURM_NTASKS"}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *rank = getenv(names[k][0]), *size = getenv(names[k][1]);
        char text[64];
        if (!rank || !size)
            continue;
        (void)snprintf(text, sizeof text, "%s/%s", rank, size);
        return read_part(s, text);
    }
    app_complain(
        "sweep: --mpi: this process is not a rank; start it with 'mpirun -np 4 voussoir sweep ... --mpi' or srun");
    return false;
}

bool app_sweep_find_part(app_sweep *s) {
    s->part = 0;
    s->parts = 1;
    if (s->options->mpi)
        return read_rank(s);
    return !s->options->part || read_part(s, s->options->part);
}

int app_sweep_commands(const app_sweep *s) {
    if (!check_line(s))
        return APP_USAGE;
    const int64_t parts = s->options->commands < s->runs ? s->options->commands : s->runs;
    for (int64_t k = 0; k < parts; k++)
        printf("%s --quiet --part %" PRId64 "/%" PRId64 "\n", s->arguments + 1, k, parts);
    return APP_DONE;
}

// ---- Slurm -------------------------------------------------------------------------------------------------

static bool write_script(const app_sweep *s, const char *path, const char *folder) {
    const int64_t tasks = s->options->slurm < s->runs ? s->options->slurm : s->runs;
    app_output out;
    char quoted[PATH_MAX + 64] = "";
    if (!add_word(quoted, sizeof quoted, folder)) {
        app_complain("%s: the path of the folder is too long; use a shorter one", folder);
        return false;
    }
    if (!app_output_open(&out, path))
        return false;
    (void)fprintf(out.file,
                  "#!/bin/sh\n"
                  "# A sweep as an array job: submit it with 'sbatch %s', adding the options your site requires "
                  "(--time, --account).\n"
                  "# Submitting it again completes the missing runs. The task that ends last writes the table.\n"
                  "#SBATCH --job-name=voussoir-sweep\n"
                  "#SBATCH --array=0-%" PRId64 "\n"
                  "#SBATCH --ntasks=1\n"
                  "#SBATCH --cpus-per-task=1\n"
                  "#SBATCH --output=\"%s/slurm-%%a.log\"\n"
                  "cd%s || exit 2\n"
                  "export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1\n"
                  "exec%s --quiet --jobs \"${SLURM_CPUS_PER_TASK:-1}\" --part \"$SLURM_ARRAY_TASK_ID/%" PRId64 "\"\n",
                  path, tasks - 1, s->options->out, quoted, s->arguments, tasks);
    return app_output_close(&out, true);
}

static int submit(const char *path) {
    char how[APP_PROCESS_HOW];
    const char *const argv[] = {"sbatch", path, NULL};
    if (app_process_is_there("sbatch"))
        return app_process_call(argv, NULL, NULL, how) == 0 ? APP_DONE : APP_DATA;
    app_complain("sweep: cannot start sbatch; submit %s on a machine with Slurm", path);
    return APP_DATA;
}

int app_sweep_slurm(const app_sweep *s) {
    char path[APP_SWEEP_PATH], folder[PATH_MAX];
    if (!check_line(s))
        return APP_USAGE;
    app_sweep_path(s, "sweep.sbatch", path);
    if (!getcwd(folder, sizeof folder)) {
        app_complain("sweep: the current folder cannot be found (%s); change to another one", strerror(errno));
        return APP_DATA;
    }
    if (!write_script(s, path, folder))
        return APP_DATA;
    if (s->options->submit)
        return submit(path);
    printf("written to %s; submit it with: sbatch %s\n", path, path);
    return APP_DONE;
}
