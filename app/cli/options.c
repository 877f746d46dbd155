// Reads command lines by rows of options. For an unknown word the nearest name of the rows is suggested.
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/scene.h"
#include "voussoir/context.h"

enum { WORD = 40 };

// ---- rows ------------------------------------------------------------------------------------------------------

static const app_option help_row[] = {
    {.name = "--help", .letter = 'h', .help = "show the help of the command", .stored = APP_FLAG}, {.name = NULL}};

const app_option *app_option_at(const app_group *groups, int index, size_t *base) {
    for (const app_group *group = groups; group && group->rows; group++)
        for (const app_option *option = group->rows; option->name; option++)
            if (index-- == 0) {
                if (base)
                    *base = group->base;
                return option;
            }
    if (base)
        *base = 0;
    return index == 0 ? help_row : NULL;
}

const char *app_option_choice(const app_option *option, int index) {
    if (option->choice)
        return option->choice(index);
    const char *const *list = option->names ? option->names() : option->choices;
    for (int k = 0; list && list[k]; k++)
        if (k == index)
            return list[k];
    return NULL;
}

static bool has_choices(const app_option *option) {
    return option->choice || option->names || option->choices;
}

// ---- values --------------------------------------------------------------------------------------------------

// Seconds in the unit that follows a time; 0: no such unit.
static double seconds_of(const char *unit) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"\u00b5s", 1e-6}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(unit, units[k].name) == 0)
            return units[k].seconds;
    return 0;
}

static bool read_time(const app_option *option, const char *value, double *target) {
    char *end = NULL;
    const double number = strtod(value, &end), unit = seconds_of(end), x = number * unit;
    const bool good = end != value && unit > 0 && isfinite(x) && x >= option->least && !(option->open && x <= 0);
    if (good)
        *target = x;
    else
        app_complain("%s: '%s' is not a time%s; give seconds or a number with s, ms or us, for instance %s 2ms",
                     option->name, value, option->open ? " above 0" : "", option->name);
    return good;
}

static bool read_number(const app_option *option, const char *value, double *target) {
    char *end = NULL;
    const double x = strtod(value, &end);
    const bool number = end != value && *end == '\0' && isfinite(x);
    if (number && option->most > 0 && (x < option->least || x > option->most)) {
        app_complain("%s: '%s' is not a number from %g to %g; give one", option->name, value, option->least,
                     option->most);
        return false;
    }
    if (!number || x < option->least || (option->open && x <= option->least)) {
        app_complain("%s: '%s' is not a number %s %g; give one, for instance %s %s", option->name, value,
                     option->open ? "above" : "of at least", option->least, option->name,
                     option->example ? option->example : "1e-8");
        return false;
    }
    *target = x;
    return true;
}

static bool read_count(const app_option *option, const char *value, int *target) {
    char *end = NULL;
    errno = 0;
    const long x = strtol(value, &end, 10);
    const bool number = end != value && *end == '\0' && errno == 0;
    if (!number || (double)x < option->least || (double)x > option->most) {
        app_complain("%s: '%s' is not a whole number from %.0f to %.0f; give one", option->name, value, option->least,
                     option->most);
        return false;
    }
    *target = (int)x;
    return true;
}

enum { CHOICES = 63 };

static bool read_choice(const app_option *option, const char *value, int *target) {
    char list[256] = "";
    const char *names[CHOICES + 1] = {NULL}, *name;
    for (int k = 0; k < CHOICES && (name = app_option_choice(option, k)); k++) {
        if (strcmp(name, value) == 0) {
            *target = k;
            return true;
        }
        names[k] = name;
        const size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", name);
    }
    const char *near = vs_nearest_name(value, names);
    if (near)
        app_complain("%s: '%s' is unknown; did you mean '%s'? Choose one of: %s", option->name, value, near, list);
    else
        app_complain("%s: '%s' is unknown; choose one of: %s", option->name, value, list);
    return false;
}

static bool read_value(const app_option *option, const char *value, char *part) {
    void *target = part + option->at;
    if (option->take)
        return option->take(part, value);
    if (option->stored == APP_NUMBER)
        return (option->time ? read_time : read_number)(option, value, target);
    if (option->stored == APP_COUNT)
        return (has_choices(option) ? read_choice : read_count)(option, value, target);
    if (*value == '\0') {
        app_complain("%s: empty value; give %s%s", option->name, option->path ? "a path" : "one, for instance ",
                     option->path      ? ""
                     : option->example ? option->example
                                       : option->value);
        return false;
    }
    *(const char **)target = value;
    return true;
}

// ---- the line ------------------------------------------------------------------------------------------------

enum { ROWS = 127 };

static bool contains(const char *const *names, const char *name) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

// The option that had this name in an earlier version, or has it in another command, where it is too far from the name here
// to be recognized as misspelt; else the word itself.
static const char *renamed(const char *given, const char *const *names) {
    static const char *const pairs[][2] = {
        {"--out", "--output"}, {"--solver", "--method"}, {"--method", "--solvers"}, {"--warm", "--initial"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (strcmp(given, pairs[k][0]) == 0 && contains(names, pairs[k][1]))
            return pairs[k][1];
    return given;
}

static void complain_unknown(const char *command, const app_group *groups, const char *word, size_t length) {
    const char *names[ROWS + 1] = {NULL};
    const app_option *option;
    for (int k = 0; k < ROWS && (option = app_option_at(groups, k, NULL)); k++)
        names[k] = option->name;
    char given[WORD + 1];
    (void)snprintf(given, sizeof given, "%.*s", (int)length, word);
    const char *near = vs_nearest_name(renamed(given, names), names);
    if (near)
        app_complain("%s: unknown option %s; did you mean %s?", command, given, near);
    else
        app_complain("%s: unknown option %s; 'voussoir help %s' lists them", command, given, command);
}

static bool is_named(const app_option *option, const char *word, size_t length) {
    if (length == 2 && word[1] != '-')
        return option->letter && option->letter == word[1];
    return strlen(option->name) == length && strncmp(option->name, word, length) == 0;
}

static const app_option *find(const app_group *groups, const char *word, size_t length, size_t *base) {
    const app_option *option;
    for (int k = 0; (option = app_option_at(groups, k, base)); k++)
        if (is_named(option, word, length))
            return option;
    return NULL;
}

static void complain_missing(const char *command, const app_option *option) {
    if (option->example)
        app_complain("%s: %s needs a value; for instance %s %s", command, option->name, option->name, option->example);
    else
        app_complain("%s: %s needs a value; see 'voussoir help %s'", command, option->name, command);
}

// Reads the option at argv[*at] and moves *at to its last word.
static bool read_option(const char *command, const app_group *groups, char *options, app_line *line, int *at) {
    const char *word = line->argv[*at];
    const size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    size_t base = 0;
    const app_option *option = find(groups, word, length, &base);
    if (!option) {
        complain_unknown(command, groups, word, length);
        return false;
    }
    if (option->stored == APP_FLAG) {
        if (value)
            app_complain("%s: %s takes no value; omit '=%s'", command, option->name, value);
        *(option == help_row ? &line->help : (bool *)(void *)(options + base + option->at)) = true;
        return !value;
    }
    if (!value && *at + 1 < line->argc && strncmp(line->argv[*at + 1], "--", 2) != 0)
        value = line->argv[++*at];
    if (!value) {
        complain_missing(command, option);
        return false;
    }
    return read_value(option, value, options + base);
}

// ---- files -----------------------------------------------------------------------------------------------------

// The path that an option has got; null: none, or no path.
static const char *path_of(const app_option *option, const char *part) {
    return option->stored == APP_TEXT && option->path ? *(const char *const *)(const void *)(part + option->at) : NULL;
}

// Whether the output of option `index` is none of those before it.
static bool differs(const app_group *groups, const char *options, int index, const char *path) {
    size_t base = 0;
    for (int k = 0; k < index; k++) {
        const app_option *option = app_option_at(groups, k, &base);
        const char *other = option->writes ? path_of(option, options + base) : NULL;
        if (other && !app_output_differs(path, other))
            return false;
    }
    return true;
}

static bool is_scene_name(const char *operand) {
#ifdef APP_DYNAMICS
    vs_scene_info info;
    return app_scene_find(operand, &info);
#else
    (void)operand;
    return false;
#endif
}

// Every file of the line is an input unless the rows say otherwise; names of built-in scenes are no files.
static bool register_files(const app_group *groups, const char *options, const app_line *line) {
    bool good = true;
    const app_option *option;
    size_t base = 0;
    for (int k = 0; good && k < line->operands; k++)
        good = is_scene_name(line->operand[k]) || app_reads_word(line->operand[k]);
    for (int k = 0; good && (option = app_option_at(groups, k, &base)); k++) {
        const char *path = path_of(option, options + base);
        if (path && option->writes)
            good = app_writes(path) && differs(groups, options, k, path);
        else if (path && !option->continues)
            good = app_reads_word(path);
    }
    return good;
}

bool app_options_read(const char *command, const app_group *groups, void *options, app_line *line) {
    bool only_operands = false;
    for (int at = 1; at < line->argc; at++) {
        char *word = line->argv[at];
        if (!only_operands && strcmp(word, "--") == 0)
            only_operands = true;
        else if (only_operands || word[0] != '-' || word[1] == '\0')
            line->operand[line->operands++] = word;
        else if (!read_option(command, groups, options, line, &at))
            return false;
    }
    return line->help || register_files(groups, options, line);
}
