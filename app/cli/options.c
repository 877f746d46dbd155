// Reads command lines by a table of options: "--name value", "--name=value", operands in between, "--" ends options.
// For an unknown word the nearest name of the table is suggested.
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/scene.h"
#include "voussoir/context.h"

enum { WORD = 40 };

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

static bool read_time(const app_option *option, const char *value) {
    char *end = NULL;
    const double number = strtod(value, &end), unit = seconds_of(end), x = number * unit;
    const bool good = end != value && unit > 0 && isfinite(x) && x >= option->least && !(option->open && x <= 0);
    if (good)
        *option->number = x;
    else
        app_complain("%s: '%s' is not a time%s; give seconds or a number with s, ms or us, for instance %s 2ms",
                     option->name, value, option->open ? " above 0" : "", option->name);
    return good;
}

static bool read_number(const app_option *option, const char *value) {
    char *end = NULL;
    const double x = strtod(value, &end);
    const bool number = end != value && *end == '\0' && isfinite(x);
    if (number && option->most > 0 && (x < option->least || x > option->most)) {
        app_complain("%s: '%s' is not a number from %g to %g; give one", option->name, value, option->least,
                     option->most);
        return false;
    }
    if (!number || x < option->least || (option->open && x <= option->least)) {
        app_complain("%s: '%s' is not a number %s %g; give one, for instance %s 1e-8", option->name, value,
                     option->open ? "above" : "of at least", option->least, option->name);
        return false;
    }
    *option->number = x;
    return true;
}

static bool read_count(const app_option *option, const char *value) {
    char *end = NULL;
    errno = 0;
    const long x = strtol(value, &end, 10);
    const bool number = end != value && *end == '\0' && errno == 0;
    if (!number || (double)x < option->least || (double)x > option->most) {
        app_complain("%s: '%s' is not a whole number from %.0f to %.0f; give one", option->name, value, option->least,
                     option->most);
        return false;
    }
    *option->count = (int)x;
    return true;
}

static bool read_choice(const app_option *option, const char *value) {
    char list[256] = "";
    for (int k = 0; option->choices[k]; k++) {
        if (strcmp(option->choices[k], value) == 0) {
            *option->choice = k;
            return true;
        }
        const size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", option->choices[k]);
    }
    const char *near = vs_nearest_name(value, option->choices);
    if (near)
        app_complain("%s: '%s' is unknown; did you mean '%s'? Choose one of: %s", option->name, value, near, list);
    else
        app_complain("%s: '%s' is unknown; choose one of: %s", option->name, value, list);
    return false;
}

static bool read_value(const app_option *option, const char *value) {
    if (option->time)
        return read_time(option, value);
    if (option->number)
        return read_number(option, value);
    if (option->count)
        return read_count(option, value);
    if (option->choice)
        return read_choice(option, value);
    if (*value == '\0') {
        app_complain("%s: empty value; give a path", option->name);
        return false;
    }
    *option->text = value;
    return true;
}

// ---- the line ------------------------------------------------------------------------------------------------

enum { TABLE = 63 };

static void complain_unknown(const char *command, const app_option *table, const char *word, size_t length) {
    const char *names[TABLE + 1] = {NULL};
    for (int k = 0; k < TABLE && table[k].name; k++)
        names[k] = table[k].name;
    char given[WORD + 1];
    (void)snprintf(given, sizeof given, "%.*s", (int)length, word);
    const char *near = vs_nearest_name(given, names);
    if (near)
        app_complain("%s: unknown option %s; did you mean %s?", command, given, near);
    else
        app_complain("%s: unknown option %s; 'voussoir help %s' lists them", command, given, command);
}

static const app_option *find(const app_option *table, const char *word, size_t length) {
    for (; table->name; table++) {
        const char *former = table->former;
        if ((strlen(table->name) == length && strncmp(table->name, word, length) == 0) ||
            (former && strlen(former) == length && strncmp(former, word, length) == 0))
            return table;
    }
    return NULL;
}

// Reads the option at argv[*at] and moves *at to its last word.
static bool read_option(const char *command, const app_option *table, int argc, char **argv, int *at) {
    const char *word = strcmp(argv[*at], "-h") == 0 ? "--help" : argv[*at];
    const size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    const app_option *option = find(table, word, length);
    if (!option) {
        complain_unknown(command, table, word, length);
        return false;
    }
    if (option->flag) {
        if (value)
            app_complain("%s: %s takes no value; omit '=%s'", command, option->name, value);
        *option->flag = true;
        return !value;
    }
    if (!value && *at + 1 < argc && strncmp(argv[*at + 1], "--", 2) != 0)
        value = argv[++*at];
    if (!value) {
        app_complain("%s: %s needs a value; see 'voussoir help %s'", command, option->name, command);
        return false;
    }
    return read_value(option, value);
}

// Set while a table is requested.
static struct {
    void (*visit)(const app_option *table, void *user);
    void *user;
} asked;

void app_options_ask(const app_command *command, void (*visit)(const app_option *table, void *user), void *user) {
    char name[WORD + 1];
    (void)snprintf(name, sizeof name, "%s", command->name);
    char *argv[] = {name, NULL};
    asked.visit = visit, asked.user = user;
    (void)command->run(1, argv); // returns APP_USAGE, as for any invalid line
    asked.visit = NULL;
}

static bool is_written(const app_option *option) {
    return option->name && option->writes && *option->text;
}

// Options of the same target are two names of one output.
static bool differ(const app_option *table, const app_option *one) {
    for (; table < one; table++)
        if (is_written(table) && table->text != one->text && !app_output_differs(*one->text, *table->text))
            return false;
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

// Every file of the line is an input unless the table says otherwise; names of built-in scenes are no files.
static bool register_files(const app_option *table, int operands, char **argv) {
    bool good = true;
    for (int k = 1; good && k <= operands; k++)
        good = is_scene_name(argv[k]) || app_reads_word(argv[k]);
    for (const app_option *o = table; good && o->name; o++) {
        if (is_written(o))
            good = app_writes(*o->text) && differ(table, o);
        else if (o->path && !o->continues && *o->text)
            good = app_reads_word(*o->text);
    }
    return good;
}

bool app_options_read(const char *command, const app_option *table, int argc, char **argv, int *operands) {
    bool options = true;
    *operands = 0;
    if (asked.visit) {
        asked.visit(table, asked.user);
        return false;
    }
    for (int at = 1; at < argc; at++) {
        if (options && strcmp(argv[at], "--") == 0)
            options = false;
        else if (!options || argv[at][0] != '-' || argv[at][1] == '\0')
            argv[++*operands] = argv[at];
        else if (!read_option(command, table, argc, argv, &at))
            return false;
    }
    return register_files(table, *operands, argv);
}

bool app_options_take(const app_repeated *option, int *argc, char **argv) {
    const char *name = option->name;
    const size_t length = strlen(name);
    int kept = 1;
    for (int at = 1; at < *argc; at++) {
        if (strncmp(argv[at], name, length) == 0 && argv[at][length] == '=') {
            if (!option->take(option->user, argv[at] + length + 1))
                return false;
        } else if (strcmp(argv[at], name) == 0) {
            if (at + 1 == *argc) {
                app_complain("%s: %s needs a value; for instance %s %s", option->command, name, name, option->example);
                return false;
            }
            if (!option->take(option->user, argv[++at]))
                return false;
        } else {
            argv[kept++] = argv[at];
        }
    }
    *argc = kept;
    return true;
}
