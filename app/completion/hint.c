// Descriptions of options for shells, from their help texts.
#include "completion/hint.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Without parentheses and without quotes, which are special to shells.
void app_option_hint(const char *help, char hint[APP_HINT]) {
    size_t used = 0;
    int depth = 0;
    for (const char *at = help; *at && used < APP_HINT - 4; at++) {
        if (*at == ';' || *at == '{' || (*at == '.' && strchr(" \n", at[1])))
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
