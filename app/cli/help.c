// The help of a command, from its rows:
//
//   usage: voussoir NAME …
//
//   Description.
//
//   heading
//     -o, --output FILE       what it does; default: …
//
//   examples
//     voussoir NAME …
//
//   Exit code: 0 …
//
// tools/help_to_man.py and the tests read this layout.
#include "cli/help.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/system/rank.h"

enum { WIDTH = 110, COLUMN = 26, TEXT = 2048 };

// ---- wrapping ----------------------------------------------------------------------------------------------------

// Characters of UTF-8.
static int count_characters(const char *text, size_t length) {
    int count = 0;
    for (size_t k = 0; k < length; k++)
        count += ((unsigned char)text[k] & 0xc0) != 0x80;
    return count;
}

// Writes words from column `at` on; new lines begin at `indent`. A line break of the text is kept.
static void put_wrapped(const char *text, int at, int indent, FILE *to) {
    bool first = true;
    while (*text) {
        const size_t length = strcspn(text, " \n");
        const int width = count_characters(text, length);
        if (!first && at + 1 + width > WIDTH) {
            (void)fprintf(to, "\n%*s", indent, "");
            at = indent;
        } else if (!first) {
            (void)fputc(' ', to);
            at++;
        }
        (void)fprintf(to, "%.*s", (int)length, text);
        at += width, first = false;
        text += length;
        for (; *text == '\n'; text++, at = indent, first = true)
            (void)fprintf(to, "\n%*s", text[1] && text[1] != '\n' ? indent : 0, "");
        text += strspn(text, " ");
    }
    (void)fputc('\n', to);
}

void app_help_entry(const char *word, const char *text, FILE *to) {
    const int written = fprintf(to, "  %-*s", COLUMN - 4, word) + fprintf(to, "  ");
    put_wrapped(text, written, COLUMN, to);
}

static void put_paragraphs(const char *text, FILE *to) {
    put_wrapped(text, 0, 0, to);
}

// ---- one option --------------------------------------------------------------------------------------------------

static void append(char text[TEXT], const char *more) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, TEXT - used, "%s", more);
}

// "1e-08" as people write it: "1e-8".
static void append_number(char text[TEXT], double x, bool time) {
    char number[40];
    (void)snprintf(number, sizeof number, "%g", x);
    char *zero = strstr(number, "e-0");
    if (zero)
        memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
    append(text, number);
    if (time && x > 0)
        append(text, " s");
}

static void append_choices(char text[TEXT], const app_option *option) {
    const char *name;
    for (int k = 0; (name = app_option_choice(option, k)); k++) {
        append(text, k ? ", " : "");
        append(text, name);
    }
}

// The default that is stored at `target`; false: none, "not given" is a negative number, NaN or null.
static bool append_stored(char text[TEXT], const app_option *option, const char *target) {
    if (option->stored == APP_TEXT && *(const char *const *)(const void *)target) {
        append(text, *(const char *const *)(const void *)target);
    } else if (option->stored == APP_NUMBER && *(const double *)(const void *)target >= 0) {
        append_number(text, *(const double *)(const void *)target, option->time);
    } else if (option->stored == APP_COUNT && *(const int *)(const void *)target >= 0) {
        const int value = *(const int *)(const void *)target;
        const char *name = app_option_choice(option, value);
        if (name)
            append(text, name);
        else
            append_number(text, value, false);
    } else {
        return false;
    }
    return true;
}

static void append_default(char text[TEXT], const app_option *option, const char *target) {
    char value[TEXT] = "";
    if (option->otherwise)
        append(value, option->otherwise);
    else if (!append_stored(value, option, target))
        return;
    if (*value) {
        append(text, "; default: ");
        append(text, value);
    }
}

static void put_option(const app_option *option, const char *target, FILE *to) {
    char word[128], text[TEXT] = "";
    const char letter[] = {'-', option->letter, ',', ' ', '\0'};
    (void)snprintf(word, sizeof word, "%s%s%s%s", option->letter ? letter : "", option->name, option->value ? " " : "",
                   option->value ? option->value : "");
    const char *list = strstr(option->help, "{choices}");
    (void)snprintf(text, sizeof text, "%.*s", (int)(list ? list - option->help : (long)strlen(option->help)),
                   option->help);
    if (list) {
        append_choices(text, option);
        append(text, list + strlen("{choices}"));
    }
    if (option->take)
        append(text, "; may be repeated");
    else
        append_default(text, option, target);
    app_help_entry(word, text, to);
}

// ---- the whole ---------------------------------------------------------------------------------------------------

static void put_usage(const app_command *command, FILE *to) {
    for (const char *line = command->usage; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        (void)fprintf(to, "%s %s %s%s%.*s\n", line == command->usage ? "usage:" : "      ", app_invocation(),
                      command->name, *line ? " " : "", (int)strcspn(line, "\n"), line);
    (void)fputc('\n', to);
}

static void put_lines(const char *text, FILE *to) {
    for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        (void)fprintf(to, "  %.*s\n", (int)strcspn(line, "\n"), line);
}

static void put_groups(const app_command *command, const char *defaults, FILE *to) {
    for (const app_group *group = command->groups; group && group->rows; group++) {
        if (group->title)
            (void)fprintf(to, "\n%s\n", group->title);
        for (const app_option *option = group->rows; option->name; option++)
            put_option(option, defaults + group->base + option->at, to);
    }
}

void app_help_print(const app_command *command, FILE *to) {
    put_usage(command, to);
    put_paragraphs(command->description, to);
    void *defaults = calloc(1, command->size + 1);
    if (defaults && command->prepare)
        command->prepare(defaults);
    if (defaults)
        put_groups(command, defaults, to);
    free(defaults);
    if (command->more)
        command->more(to);
    (void)fputs("\nexamples\n", to);
    put_lines(command->examples, to);
    if (command->notes) {
        (void)fputc('\n', to);
        put_paragraphs(command->notes, to);
    }
    (void)fputs("\nExit code: ", to);
    put_wrapped(command->exit_codes, (int)strlen("Exit code: "), 0, to);
}
