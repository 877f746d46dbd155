// The look of plots, and the process that draws them.
#define _GNU_SOURCE
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#777777"};
static const int points[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
static const char *const dashes[] = {"1", "(9,4)", "(3,3)", "(9,3,3,3)", "(15,4)"}; // 5 and 7: 35 pairs
enum {
    COLOURS = sizeof colours / sizeof *colours,
    SHAPES = sizeof points / sizeof *points,
    DASHES = sizeof dashes / sizeof *dashes,
    PATH = 1024,
    SECONDS = 60
};

const char *app_plot_colour(int k) {
    return colours[k % COLOURS];
}

int app_plot_shape(int k) {
    return points[k % SHAPES];
}

// ---- files --------------------------------------------------------------------------------------------------------

FILE *app_plot_file(const char *folder, const char *name, const char *ending) {
    char path[PATH];
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending) >= PATH)
        path[0] = '\0'; // no file has this name
    FILE *file = fopen(path, "w");
    if (!file)
        app_complain("%s: cannot be written; check the directory's permissions and the disk", path);
    return file;
}

bool app_plot_close(FILE *file, const char *name) {
    const bool good = file && !ferror(file);
    if (file && fclose(file) == 0 && good)
        return true;
    if (file)
        app_complain("plots/%s: could not be written; check that the disk is not full", name);
    return false;
}

bool app_plot_style(const char *folder, int lines) {
    FILE *file = app_plot_file(folder, "style", "gp");
    if (!file)
        return false;
    (void)fputs("# The look of the plots. Each script draws one of them: gnuplot NAME.gp\n"
                "set encoding utf8\n"
                "set border 3 lw 0.8 lc rgb '#333333'\n"
                "set tics nomirror out scale 0.6,0.3\n"
                "set grid lt 1 lw 0.6 lc rgb '#dddddd'\n"
                "set key noenhanced Left reverse samplen 3.2 spacing 1.15\n",
                file);
    // The first is what the others are compared with: black and bold.
    (void)fputs("set style line 1 lc rgb '#000000' dt 1 pt 7 lw 2.6 ps 0.45\n", file);
    for (int k = 1; k < lines; k++)
        (void)fprintf(file, "set style line %d lc rgb '%s' dt %s pt %d lw 1.7 ps 0.45\n", k + 1,
                      colours[(k - 1) % COLOURS], dashes[k % DASHES], points[k % SHAPES]);
    return app_plot_close(file, "style.gp");
}

FILE *app_plot_script(const char *folder, const char *name, int width, int height) {
    FILE *file = app_plot_file(folder, name, "gp");
    if (!file)
        return NULL;
    (void)fprintf(
        file,
        "load 'style.gp'\n"
        "png = strstrt(GPVAL_TERMINALS, 'pngcairo') ? 'pngcairo fontscale 1 linewidth 2 pointscale 3' : 'png'\n"
        "do for [format in 'svg png'] {\n"
        "if (format eq 'svg') {\n"
        "    set terminal svg size %d,%d dynamic enhanced font 'sans-serif,13'\n"
        "} else {\n"
        "    eval 'set terminal '.png.' size %d,%d enhanced font \"sans,19\" background \"#ffffff\"'\n"
        "}\n"
        "set output '%s.'.format\n",
        width, height, 2 * width, 2 * height, name);
    return file;
}

bool app_plot_end(FILE *file, const char *name) {
    (void)fputs("unset output\n}\n", file);
    return app_plot_close(file, name);
}

// ---- drawing ------------------------------------------------------------------------------------------------------

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int app_plot_run(const char *folder, const char *name) {
    char script[PATH];
    (void)snprintf(script, sizeof script, "%s.gp", name);
    const pid_t pid = fork();
    if (pid == 0) {
        const int log = chdir(folder) == 0 ? open("gnuplot.log", O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
        if (log >= 0 && dup2(log, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0)
            (void)execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(log >= 0 && errno == ENOENT ? 127 : 126);
    }
    int status = -1;
    const struct timespec pause = {.tv_nsec = 10000000};
    const double start = now();
    while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) {
        if (now() - start > SECONDS)
            (void)kill(pid, SIGKILL);
        (void)nanosleep(&pause, NULL);
    }
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
