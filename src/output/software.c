// Names and versions of the libraries that numbers depend on: see software.h.
#include "output/software.h"

#include <stdio.h>
#include <string.h>
#include "voussoir/solver.h"
#include "voussoir/version.h"

// A line that does not fit is omitted.
static void add_line(char text[VS_SOFTWARE_TEXT], const char *name, const char *version) {
    const size_t used = strlen(text), room = VS_SOFTWARE_TEXT - used;
    if ((size_t)snprintf(text + used, room, "%s %s\n", name, version) >= room)
        text[used] = '\0';
}

void vs_software_describe(char text[VS_SOFTWARE_TEXT]) {
    char hdf5[VS_SOFTWARE_VERSION];
    text[0] = '\0';
    add_line(text, "voussoir", vs_version());
    add_line(text, "blas", vs_solver_blas());
    if (vs_software_hdf5(hdf5))
        add_line(text, "hdf5", hdf5);
    for (int k = 0; k < vs_backend_count(); k++)
        add_line(text, vs_backend_at(k).name, vs_backend_at(k).version);
}

void vs_software_read(const char *from, size_t size, char text[VS_SOFTWARE_TEXT]) {
    size_t used = 0;
    for (size_t k = 0; k < size && from[k] && used < VS_SOFTWARE_TEXT - 1; k++)
        if (from[k] == '\n' || (from[k] >= ' ' && from[k] <= '~'))
            text[used++] = from[k];
    text[used] = '\0';
}

// The line of `text` that begins with the same word as `line`; null: there is none.
static const char *find_line(const char *text, const char *line) {
    const size_t length = strcspn(line, " \n") + 1;
    for (; *text; text += strcspn(text, "\n") + 1) {
        if (strncmp(text, line, length) == 0)
            return text;
        if (!strchr(text, '\n'))
            break;
    }
    return NULL;
}

void vs_software_compare(vs_context *context, const char *path, const char *text) {
    char here[VS_SOFTWARE_TEXT];
    vs_software_describe(here);
    for (const char *line = here; *line; line += strcspn(line, "\n") + 1) {
        const char *there = find_line(text, line);
        const int length = (int)strcspn(line, "\n"), other = there ? (int)strcspn(there, "\n") : 0;
        if (there && (length != other || strncmp(line, there, (size_t)length) != 0))
            vs_log(
                context, VS_LOG_WARNING,
                "%s: written with %.*s, continued with %.*s; the last bits may differ from those of an uninterrupted "
                "run",
                path, other, there, length, line);
    }
}
