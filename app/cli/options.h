// Command lines read by rows of options. One row holds everything about an option: help, manual pages, completion and
// messages follow from it.
#ifndef VS_APP_CLI_OPTIONS_H
#define VS_APP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum app_stored { APP_TAKEN, APP_FLAG, APP_COUNT, APP_NUMBER, APP_TEXT } app_stored;

typedef struct app_option {
    const char *name;      // "--tolerance"
    const char *value;     // what the help calls its value, "T"; null: a flag
    const char *help;      // what it does, "{choices}" stands for their names; shells show the first clause
    const char *otherwise; // the default in words, where the value does not tell it; "": not shown
    const char *example;   // of a value, for messages; null: none

    size_t at;         // these two by APP_TARGET(type, field): where in the command's options, and what is stored
    app_stored stored; //
    char letter;       // 'o': -o is the same; 0: none
    bool open;         // least itself is not allowed
    bool time;         // a number in seconds: "3", "3s", "2ms", "50us"
    bool path;         // a text that names a file or a folder: an input unless `writes`
    bool continues;    // an input that may be the output at the same time
    bool writes;       // a file or a folder that the command writes (cli/system/files.h)
    bool (*take)(void *options, const char *value); // instead of a target: may be repeated; complains itself

    const char *const *(*names)(void); // of a count: the names of 0, 1, …, by a function of voussoir/names.h
    const char *const *choices;        // the same by a list that ends with null
    const char *(*choice)(int index);  // the same by a function; null beyond the last
    double least, most;                // of a count, and of a number if `most` is not 0
} app_option;

// bool: a flag; int or an enum: a count or a choice; double: a number, const char *: a text, null if not given.
#define APP_TARGET(type, field)                                                                                        \
    .stored = _Generic(((type *)0)->field,                                                                             \
        bool: APP_FLAG,                                                                                                \
        int: APP_COUNT,                                                                                                \
        unsigned: APP_COUNT,                                                                                           \
        double: APP_NUMBER,                                                                                            \
        const char *: APP_TEXT),                                                                                       \
    .at = offsetof(type, field)

// Rows below one heading of the help. Several commands may share rows: each says where their struct lies in its own.
typedef struct app_group {
    const char *title;      // null: below the heading of the group before
    const app_option *rows; // ends with a null name; null ends a list of groups
    size_t base;            // of the struct of these rows in the command's options
} app_group;

// The option of an index over all groups, --help after the last one; null beyond. `base` may be null.
const app_option *app_option_at(const app_group *groups, int index, size_t *base);
const char *app_option_choice(const app_option *option, int index); // a name; null beyond the last, or if it has none

// A command line: its words, argv[0] is the command's name, and those that are no options.
typedef struct app_line {
    int argc;
    char **argv;
    int operands;
    char **operand; // (argc)
    bool help;      // --help is one of the options
} app_line;

// Reads line->argv: "--name value", "--name=value", operands in between, "--" ends options.
// Complains and returns false if something is wrong, also if an output would overwrite an input or another output.
bool app_options_read(const char *command, const app_group *groups, void *options, app_line *line);

#endif
