// The runs of a sweep: the varied parameters and their values in the k-th run.
//
// A random value is a function of the seed, the name of the parameter and the number of the sample alone (a hash, no
// sequence): it does not depend on which process draws it, on how many there are, or on the other parameters. The
// points of a grid share their samples, so that differences between them are not random.
#include "sweep/space.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/message.h"
#include "cli/system/path.h"

enum { VALUES_MOST = 1000000 }; // of one axis

static const char *const kinds[] = {"grid", "table", "uniform", "normal", "log", "integer", NULL};

const char *app_axis_kind_name(app_axis_kind kind) {
    return kinds[kind];
}

// ---- axes --------------------------------------------------------------------------------------------------

// A new axis with this name; null: complained.
static app_sweep_axis *add_axis(app_space *space, const char *name, size_t length) {
    app_sweep_axis *axis = &space->axis[space->axes];
    if (space->axes == APP_SWEEP_AXES) {
        app_complain("sweep: more than %d parameters vary; fix some with --set", APP_SWEEP_AXES);
        return NULL;
    }
    if (length == 0 || length >= sizeof axis->name) {
        app_complain("sweep: '%.60s' does not start with the name of a parameter; for instance mu=0.1:0.9:9", name);
        return NULL;
    }
    *axis = (app_sweep_axis){.count = 1};
    memcpy(axis->name, name, length);
    for (int k = 0; k < space->axes; k++) {
        if (strcmp(space->axis[k].name, axis->name) == 0) {
            app_complain("sweep: parameter %s is varied twice; omit one", axis->name);
            return NULL;
        }
    }
    space->axes++;
    return axis;
}

// Numbers with separators; returns their count, -1: something else.
static int read_numbers(const char *text, char separator, double *x, int most) {
    int count = 0;
    for (const char *at = text;; at++) {
        char *end = NULL;
        const double number = strtod(at, &end);
        if (end == at || !isfinite(number) || count == most)
            return -1;
        x[count++] = number;
        if (*end == '\0')
            return count;
        if (*end != separator)
            return -1;
        at = end;
    }
}

static int count_letters(const char *text, char letter) {
    int count = 0;
    for (; *text; text++)
        count += *text == letter;
    return count;
}

static bool allocate(app_sweep_axis *axis, int count) {
    axis->count = count;
    axis->value = calloc((size_t)count, sizeof *axis->value);
    if (!axis->value)
        app_complain("sweep: out of memory; use fewer values");
    return axis->value != NULL;
}

static bool fill_range(app_sweep_axis *axis, const double range[3], bool logarithmic) {
    const int count = (int)range[2];
    if (!allocate(axis, count))
        return false;
    const double n = count > 1 ? count - 1 : 1, from = range[0], to = range[1];
    for (int k = 0; k < count; k++) {
        // Fifteen digits, so that 0.3 is the number written as 0.3.
        char text[32];
        const double x = logarithmic ? exp(((n - k) * log(from) + k * log(to)) / n) : ((n - k) * from + k * to) / n;
        (void)snprintf(text, sizeof text, "%.15g", x);
        axis->value[k] = strtod(text, NULL);
    }
    // The ends are exact.
    axis->value[count - 1] = to;
    axis->value[0] = from;
    return true;
}

bool app_space_add_grid(app_space *space, const char *text) {
    const size_t length = strcspn(text, "=");
    const char *said = text[length] ? text + length + 1 : "";
    app_sweep_axis *axis = add_axis(space, text, length);
    if (!axis)
        return false;
    axis->kind = APP_AXIS_GRID;
    char copy[256];
    double range[3];
    (void)snprintf(copy, sizeof copy, "%s", said);
    char *ending = strstr(copy, ":log");
    const bool logarithmic = ending && ending[4] == '\0';
    if (logarithmic)
        *ending = '\0';
    if (strlen(said) < sizeof copy && read_numbers(copy, ':', range, 3) == 3 && range[2] >= 1 &&
        range[2] <= VALUES_MOST && range[2] == floor(range[2]) && !(logarithmic && (range[0] <= 0 || range[1] <= 0)))
        return fill_range(axis, range, logarithmic);
    const int count = count_letters(said, ',') + 1;
    if (*said && !strchr(said, ':') && allocate(axis, count) && read_numbers(said, ',', axis->value, count) == count)
        return true;
    app_complain("--grid: '%.100s' is not NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log (both above 0) or NAME=A,B,C; for "
                 "instance --grid mu=0.1:0.9:9",
                 text);
    return false;
}

bool app_space_add_sample(app_space *space, const char *text) {
    const size_t length = strcspn(text, "=");
    const char *said = text[length] ? text + length + 1 : "";
    app_sweep_axis *axis = add_axis(space, text, length);
    double x[2] = {0, 0};
    if (!axis)
        return false;
    for (int k = APP_AXIS_UNIFORM; kinds[k]; k++) {
        const size_t name = strlen(kinds[k]);
        if (strncmp(said, kinds[k], name) != 0 || said[name] != ':' || read_numbers(said + name + 1, ':', x, 2) != 2)
            continue;
        axis->kind = (app_axis_kind)k;
        axis->a = x[0];
        axis->b = x[1];
        if (k == APP_AXIS_NORMAL ? x[1] >= 0 : x[0] <= x[1] && !(k == APP_AXIS_LOG && x[0] <= 0))
            return true;
    }
    app_complain(
        "--sample: '%.100s' is not NAME=uniform:FROM:TO, NAME=normal:MEAN:DEVIATION, NAME=log:FROM:TO (above 0) or "
        "NAME=integer:FROM:TO; for instance --sample mu=uniform:0.1:0.9",
        text);
    return false;
}

// ---- tables ------------------------------------------------------------------------------------------------

// The names of the first line; the caller knows their first axis. false: complained.
static bool read_head(app_space *space, char *line) {
    line[strcspn(line, "\r\n")] = '\0';
    for (char *word = line, *next = NULL; word; word = next) {
        next = strchr(word, ',');
        if (next)
            *next++ = '\0';
        word += strspn(word, " \t");
        app_sweep_axis *axis = add_axis(space, word, strlen(word));
        if (!axis)
            return false;
        axis->kind = APP_AXIS_TABLE;
        axis->count = 0;
    }
    return true;
}

static bool add_row(app_sweep_axis *axis, int columns, const double *x) {
    const int rows = axis[0].count;
    for (int k = 0; k < columns; k++) {
        // The capacity is a power of two and doubles when it is full.
        if ((rows & (rows - 1)) == 0) {
            double *larger = realloc(axis[k].value, (rows ? 2 * (size_t)rows : 1) * sizeof *larger);
            if (!larger)
                return false;
            axis[k].value = larger;
        }
        axis[k].value[rows] = x[k];
        axis[k].count = rows + 1;
    }
    return true;
}

static bool read_rows(app_space *space, const char *path, FILE *file, char **line, size_t *room) {
    const int first = space->axes;
    double x[APP_SWEEP_AXES];
    if (app_read_line(file, line, room) == 0) {
        app_complain("%s: is empty; the first line names the parameters, the following lines hold their values", path);
        return false;
    }
    if (!read_head(space, *line))
        return false;
    const int columns = space->axes - first;
    for (int number = 2; app_read_line(file, line, room) > 0; number++) {
        (*line)[strcspn(*line, "\r\n")] = '\0';
        if (!**line)
            continue;
        if (read_numbers(*line, ',', x, APP_SWEEP_AXES) != columns || space->axis[first].count == VALUES_MOST) {
            app_complain("%s:%d: expected %d numbers, in at most %d lines; correct the file", path, number, columns,
                         VALUES_MOST);
            return false;
        }
        if (!add_row(&space->axis[first], columns, x)) {
            app_complain("%s: out of memory; use fewer lines", path);
            return false;
        }
    }
    if (space->axis[first].count > 0)
        return true;
    app_complain("%s: no values below the names; add some lines", path);
    return false;
}

bool app_space_add_table(app_space *space, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        app_complain("%s: cannot read the file (%s); --table needs a CSV file", path, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t room = 0;
    const bool good = read_rows(space, path, file, &line, &room);
    free(line);
    (void)fclose(file);
    return good;
}

// ---- runs -----------------------------------------------------------------------------------------------

// Points of the grid; of the table and the grid together with `all`.
static int64_t points(const app_space *space, bool all) {
    int64_t count = 1;
    bool table = false;
    for (int k = 0; k < space->axes && count <= APP_SWEEP_MOST; k++) {
        const bool first = space->axis[k].kind == APP_AXIS_TABLE && !table;
        table = table || first;
        if (space->axis[k].kind == APP_AXIS_GRID || (all && first))
            count *= space->axis[k].count;
    }
    return count;
}

int64_t app_space_count(const app_space *space) {
    const int64_t count = points(space, true);
    return count > APP_SWEEP_MOST ? count : count * space->samples;
}

int64_t app_space_sample_of(const app_space *space, int64_t run) {
    return run / points(space, true);
}

// The mixing of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit of x.
static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// In the open interval (0, 1).
static double draw(const app_space *space, const char *name, int64_t sample, uint64_t which) {
    uint64_t x = mix((uint64_t)space->seed);
    for (; *name; name++)
        x = mix(x ^ (unsigned char)*name);
    x = mix(mix(x ^ (uint64_t)sample) ^ which);
    return ((double)(x >> 11) + .5) * 0x1p-53;
}

static double draw_value(const app_space *space, const app_sweep_axis *axis, int64_t sample) {
    const double a = axis->a, b = axis->b, u = draw(space, axis->name, sample, 0);
    const double pi = 3.14159265358979323846;
    switch (axis->kind) {
    case APP_AXIS_NORMAL: // Box and Muller
        return a + b * sqrt(-2 * log(u)) * cos(2 * pi * draw(space, axis->name, sample, 1));
    case APP_AXIS_LOG:
        return exp(log(a) + u * (log(b) - log(a)));
    case APP_AXIS_INTEGER:
        return fmin(ceil(a) + floor(u * (floor(b) - ceil(a) + 1)), floor(b));
    default:
        return a + u * (b - a);
    }
}

double app_space_value(const app_space *space, int axis, int64_t run) {
    const app_sweep_axis *x = &space->axis[axis];
    if (x->kind == APP_AXIS_TABLE)
        return x->value[run / points(space, false) % x->count];
    if (x->kind != APP_AXIS_GRID)
        return draw_value(space, x, app_space_sample_of(space, run));
    int64_t faster = 1; // runs until this axis advances
    for (int k = axis + 1; k < space->axes; k++)
        faster *= space->axis[k].kind == APP_AXIS_GRID ? space->axis[k].count : 1;
    return x->value[run / faster % x->count];
}

void app_space_describe(const app_space *space, int64_t run, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < space->axes && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s=%.6g", k ? " " : "", space->axis[k].name,
                                 app_space_value(space, k, run));
}

void app_space_release(app_space *space) {
    for (int k = 0; k < space->axes; k++)
        free(space->axis[k].value);
}
