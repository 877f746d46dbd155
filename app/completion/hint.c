// Descriptions of options, taken from the help texts.
#include "completion/hint.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// The line of the help text that begins with the option: "  --name …" or "  -o, --name …"; null if there is none.
static const char *find_line(const char *help, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = help; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        const char *at = line;
        if (strncmp(at, "  -", 3) != 0)
            continue;
        at += 2;
        if (strncmp(at, name, length) == 0 && strchr(" ,\n", at[length]))
            return at + length;
        const char *second = strncmp(at + 2, ", ", 2) == 0 ? at + 4 : NULL;
        if (second && strncmp(second, name, length) == 0 && strchr(" \n", second[length]))
            return second + length;
    }
    return NULL;
}

// The first clause of `text`, across lines, without parentheses and without quotes, which are special to shells.
static void copy_clause(const char *text, char hint[APP_HINT]) {
    size_t used = 0;
    int depth = 0;
    for (const char *at = text; *at && used < APP_HINT - 4; at++) {
        if (*at == ';' || (*at == '.' && strchr(" \n", at[1])) || strncmp(at, ", default", 9) == 0 ||
            strncmp(at, "\n  -", 4) == 0 || strncmp(at, "\n\n", 2) == 0)
            break;
        depth += (strchr("([", *at) != NULL) - (strchr(")]", *at) != NULL);
        if (depth > 0 || strchr(")]\"`$\\|", *at))
            continue;
        if (*at == ' ' || *at == '\n') {
            if (used > 0 && hint[used - 1] != ' ')
                hint[used++] = ' ';
        } else if (*at == '\'') {
            memcpy(hint + used, "\u2019", 3);
            used += 3;
        } else {
            if (strchr(",:", *at) && used > 0 && hint[used - 1] == ' ') // after a parenthesis
                used--;
            hint[used++] = *at;
        }
    }
    // A long clause is cut after a whole word.
    if (used >= APP_HINT - 4)
        while (used > 0 && hint[used - 1] != ' ')
            used--;
    while (used > 0 && strchr(" ,:", hint[used - 1]))
        used--;
    hint[used] = '\0';
}

void app_option_hint(const char *help, const char *name, char hint[APP_HINT]) {
    hint[0] = '\0';
    const char *line = find_line(help, name);
    const char *end = line ? strchr(line, '\n') : NULL, *gap = line ? strstr(line, "  ") : NULL;
    if (gap && (!end || gap < end))
        copy_clause(gap + strspn(gap, " "), hint);
    else if (strcmp(name, "--help") == 0)
        (void)snprintf(hint, APP_HINT, "show the help of the command");
}
