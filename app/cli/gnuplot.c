// The style of plots, and gnuplot, which draws them.
#include "cli/gnuplot.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/process.h"

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#777777"};
static const int points[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
static const char *const dashes[] = {"1", "(9,4)", "(3,3)", "(9,3,3,3)", "(15,4)"}; // 5 and 7: 35 pairs
enum {
    COLOURS = sizeof colours / sizeof *colours,
    SHAPES = sizeof points / sizeof *points,
    DASHES = sizeof dashes / sizeof *dashes,
    PATH = 1024,
    SECONDS = 60,
    FILE_MOST = 1 << 30 // bytes of a picture
};

const char *app_gnuplot_colour(int k) {
    return colours[k % COLOURS];
}

int app_gnuplot_shape(int k) {
    return points[k % SHAPES];
}

// ---- files --------------------------------------------------------------------------------------------------------

FILE *app_gnuplot_file(const char *folder, const char *name, const char *ending) {
    char path[PATH];
    if (snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending) >= PATH)
        path[0] = '\0'; // no file has this name
    const bool spared = app_writes(path);
    FILE *file = spared ? fopen(path, "w") : NULL;
    if (!file && spared)
        app_complain("%s: cannot write the file; check the permissions of the directory and the disk space", path);
    return file;
}

bool app_gnuplot_close(FILE *file, const char *name) {
    const bool good = file && !ferror(file);
    if (file && fclose(file) == 0 && good)
        return true;
    if (file)
        app_complain("plots/%s: cannot write the file; check the disk space", name);
    return false;
}

bool app_gnuplot_style(const char *folder, int lines) {
    FILE *file = app_gnuplot_file(folder, "style", "gp");
    if (!file)
        return false;
    (void)fputs("# Style of the plots. Each script draws one plot: gnuplot NAME.gp\n"
                "set encoding utf8\n"
                "set border 3 lw 0.8 lc rgb '#333333'\n"
                "set tics nomirror out scale 0.6,0.3\n"
                "set grid lt 1 lw 0.6 lc rgb '#dddddd'\n"
                "set key noenhanced Left reverse samplen 3.2 spacing 1.15\n",
                file);
    // The first is the reference for the others: black and bold.
    (void)fputs("set style line 1 lc rgb '#000000' dt 1 pt 7 lw 2.6 ps 0.45\n", file);
    for (int k = 1; k < lines; k++)
        (void)fprintf(file, "set style line %d lc rgb '%s' dt %s pt %d lw 1.7 ps 0.45\n", k + 1,
                      colours[(k - 1) % COLOURS], dashes[k % DASHES], points[k % SHAPES]);
    return app_gnuplot_close(file, "style.gp");
}

void app_gnuplot_text(FILE *file, const char *text) {
    (void)fputc('\'', file);
    for (; *text; text++) {
        if (*text == '\'')
            (void)fputc('\'', file);
        (void)fputc(*text == '\n' ? ' ' : *text, file);
    }
    (void)fputc('\'', file);
}

FILE *app_gnuplot_script(const char *folder, const char *name, int width, int height) {
    FILE *file = app_gnuplot_file(folder, name, "gp");
    if (!file)
        return NULL;
    (void)fprintf(
        file,
        "load 'style.gp'\n"
        "png = strstrt(GPVAL_TERMINALS, 'pngcairo') ? 'pngcairo fontscale 1 linewidth 2 pointscale 3' : 'png'\n"
        "do for [format in 'svg png'] {\n"
        "if (format eq 'svg') {\n"
        "    set terminal svg size %d,%d dynamic enhanced font 'sans-serif,13' background '#ffffff'\n"
        "} else {\n"
        "    eval 'set terminal '.png.' size %d,%d enhanced font \"sans,19\" background \"#ffffff\"'\n"
        "}\n"
        "set output '%s.'.format\n",
        width, height, 2 * width, 2 * height, name);
    return file;
}

bool app_gnuplot_end(FILE *file, const char *name) {
    (void)fputs("unset output\n}\n", file);
    return app_gnuplot_close(file, name);
}

// ---- drawing ------------------------------------------------------------------------------------------------------

// gnuplot does not notice a full disk: a picture is complete if the mark is in its last bytes.
static bool is_complete(const char *folder, const char *name, const char *ending, const char *mark) {
    char path[PATH], tail[16 + 1] = "";
    (void)snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    const size_t got = fseek(file, -(long)(sizeof tail - 1), SEEK_END) == 0 ? fread(tail, 1, sizeof tail - 1, file) : 0;
    (void)fclose(file);
    const size_t length = strlen(mark);
    for (size_t k = 0; k + length <= got; k++)
        if (memcmp(tail + k, mark, length) == 0)
            return true;
    return false;
}

int app_gnuplot_run(const char *folder, const char *name) {
    char script[PATH];
    (void)snprintf(script, sizeof script, "%s.gp", name);
    const app_process process = {
        .argv = (const char *const[]){"gnuplot", "-d", script, NULL}, // without settings of the user
        .folder = folder,
        .log = "gnuplot.log",
        .seconds = SECONDS,
        .memory = app_process_memory(),
        .file = FILE_MOST};
    const int code = app_process_run(&process, NULL);
    const bool complete =
        code == 0 && is_complete(folder, name, "svg", "</svg>") && is_complete(folder, name, "png", "IEND");
    return code == 0 && !complete ? 1 : code;
}
