// Histories of a trajectory, column by column.
#include "cli/history.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

vs_error app_history_read(vs_trajectory_reader *reader, const char *name, app_history *h) {
    const int64_t frames = vs_trajectory_reader_get_info(reader)->frames;
    *h = (app_history){.name = name};
    vs_error error = vs_trajectory_reader_find_history(reader, name, &h->info);
    if (error)
        return error;
    const int columns = h->info.columns;
    double *rows = malloc(((size_t)frames * (size_t)columns + 1) * sizeof *rows);
    h->value = malloc(((size_t)frames * (size_t)columns + 1) * sizeof *h->value);
    error = rows && h->value ? vs_trajectory_reader_read_history(reader, name, rows) : VS_ERROR_MEMORY;
    for (int64_t k = 0; !error && k < frames; k++)
        for (int c = 0; c < columns; c++)
            h->value[frames * c + k] = rows[columns * k + c];
    free(rows);
    if (error)
        app_history_free(h);
    return error;
}

void app_history_free(app_history *h) {
    free(h->value);
    h->value = NULL;
}

void app_history_title(const app_history *h, int column, char title[APP_HISTORY_TITLE]) {
    const bool component = column >= 0 && h->info.columns > 1, unit = *h->info.unit != '\0';
    (void)snprintf(title, APP_HISTORY_TITLE, "%.200s%s%s%s%s%s", h->name, component ? "." : "",
                   component ? h->info.label[column] : "", unit ? " (" : "", h->info.unit, unit ? ")" : "");
}

bool app_history_is_kind(const char *name) {
    for (int k = 0; k < vs_history_kind_count(); k++)
        if (strcmp(vs_history_kind_at(k)->name, name) == 0)
            return true;
    return false;
}

void app_history_help(FILE *to) {
    for (int k = 0; k < vs_history_kind_count(); k++) {
        const vs_history_kind *kind = vs_history_kind_at(k);
        char name[64];
        (void)snprintf(name, sizeof name, "%s:%s", kind->name, kind->object);
        (void)fprintf(to, "  %-28s %s (%s)\n", name, kind->description, kind->unit);
    }
    (void)fputs(
        "\nVectors are in world axes, with the components .x .y .z .magnitude; bodies without a name are #0, #1, …\n"
        "in the order of the file, and 'world' is the fixed frame. Forces are means over the last step before a\n"
        "frame: impulse divided by the time step.\n\n"
        "A BOX has three ranges in m, X0:X1,Y0:Y1,Z0:Z1; a REGION is a box that may lack bounds, as in :,:,0:.5, or\n"
        "'all'. Dynamic bodies count where their centres are, contacts where they act. Stresses have the components\n"
        ".xx .yy .zz and .yz .xz .xy, fabric .xx .yy .zz.\n",
        to);
}
