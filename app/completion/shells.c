// The scripts of `voussoir completion`. Each is self-contained: it does not call the command.
#include "completion/shells.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "completion/hint.h"

static void put_words(const app_command *command, const char *between) {
    const char *word;
    for (int k = 0; command->word && (word = command->word(k)); k++)
        printf("%s%s", k ? between : "", word);
}

// The extensions of the files of a command, with a prefix and a separator: "json xml" -> "*.json|*.xml".
static void put_endings(const char *files, const char *before, const char *between) {
    for (const char *at = files; at && *at;) {
        const size_t length = strcspn(at, " ");
        printf("%s%s%.*s", at == files ? "" : between, before, (int)length, at);
        at += length + (at[length] == ' ');
    }
}

static void put_choices(const app_option *option) {
    for (int k = 0; app_option_choice(option, k); k++)
        printf("%s%s", k ? " " : "", app_option_choice(option, k));
}

static void put_commands(void) {
    for (int k = 0; app_commands[k]; k++)
        printf("%s ", app_commands[k]->name);
}

// ---- bash ------------------------------------------------------------------------------------------------------

static void bash_begin(void) {
    printf("# bash completion for voussoir, written by 'voussoir completion bash'\n\n"
           "# Files with one of the extensions, or any if none is given, and folders\n"
           "_voussoir_files() {\n"
           "    local IFS=$'\\n' path ending\n"
           "    compopt -o filenames 2>/dev/null\n"
           "    for path in $(compgen -f -- \"$cur\"); do\n"
           "        if [[ $# -eq 0 || -d $path ]]; then COMPREPLY+=(\"$path\"); continue; fi\n"
           "        for ending; do\n"
           "            if [[ $path == *.\"$ending\" ]]; then COMPREPLY+=(\"$path\"); fi\n"
           "        done\n"
           "    done\n"
           "}\n\n"
           "_voussoir_words() {\n"
           "    local IFS=$' \\n'\n"
           "    COMPREPLY+=($(compgen -W \"$*\" -- \"$cur\"))\n"
           "}\n\n"
           "_voussoir() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    COMPREPLY=()\n"
           "    # --name=value is three words to bash\n"
           "    if [[ $cur == = ]]; then cur=\n"
           "    elif [[ $prev == = && $COMP_CWORD -gt 2 ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
           "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
           "        _voussoir_words ");
    put_commands();
    printf("help --help --version\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n"
           "    help) _voussoir_words ");
    put_commands();
    printf(";;\n");
}

// "--output" or "-o--output" with something in between.
static void put_names(const app_option *option, const char *between) {
    if (option->letter)
        printf("-%c%s", option->letter, between);
    printf("%s", option->name);
}

static bool is_choice(const app_option *option) {
    return option->stored == APP_COUNT && app_option_choice(option, 0);
}

// One branch for all options with a kind of value; `kind`: 0 paths, 1 values that cannot be completed.
static void bash_group(const app_command *command, int kind) {
    int count = 0;
    const app_option *option;
    for (int k = 0; (option = app_option_at(command->groups, k, NULL)); k++)
        if (option->stored != APP_FLAG && !is_choice(option) && (kind == 0) == option->path) {
            printf("%s", count++ ? "|" : "        ");
            put_names(option, "|");
        }
    if (count > 0)
        printf(kind == 0 ? ") _voussoir_files ;;\n" : ") ;;\n");
}

static void bash_command(const app_command *command) {
    const app_option *option;
    printf("    %s)\n        case $prev in\n", command->name);
    for (int k = 0; (option = app_option_at(command->groups, k, NULL)); k++)
        if (is_choice(option)) {
            printf("        %s) _voussoir_words ", option->name);
            put_choices(option);
            printf(" ;;\n");
        }
    bash_group(command, 0);
    bash_group(command, 1);
    printf("        *)\n            if [[ $cur == -* ]]; then\n                _voussoir_words");
    for (int k = 0; (option = app_option_at(command->groups, k, NULL)); k++) {
        printf(" ");
        put_names(option, " ");
    }
    printf("\n            else\n                :\n");
    if (command->word) {
        printf("                _voussoir_words ");
        put_words(command, " ");
        printf("\n");
    }
    if (command->files) {
        printf("                _voussoir_files ");
        put_endings(command->files, "", " ");
        printf("\n");
    }
    printf("            fi ;;\n        esac ;;\n");
}

static void bash_end(void) {
    printf("    esac\n}\n\ncomplete -F _voussoir voussoir\n");
}

const app_shell app_bash = {"bash", bash_begin, bash_command, bash_end};

// ---- zsh -------------------------------------------------------------------------------------------------------

static void zsh_begin(void) {
    printf("#compdef voussoir\n"
           "# zsh completion for voussoir, written by 'voussoir completion zsh'\n\n"
           "_voussoir() {\n"
           "  local -a commands\n"
           "  commands=(\n");
    for (int k = 0; app_commands[k]; k++)
        printf("    '%s:%s'\n", app_commands[k]->name, app_commands[k]->summary);
    printf("    'help:explain a command'\n"
           "  )\n"
           "  if (( CURRENT == 2 )); then\n"
           "    _describe -t commands command commands\n"
           "    _values option '--help[list the commands]' '--version[version of this build]' 2>/dev/null\n"
           "    return\n"
           "  fi\n"
           "  local command=$words[2]\n"
           "  shift words\n"
           "  (( CURRENT-- ))\n"
           "  case $command in\n"
           "  help) _describe -t commands command commands ;;\n");
}

// What follows the name of an option.
static void zsh_value(const app_option *option, const char *assign) {
    char hint[APP_HINT];
    app_option_hint(option->help, hint);
    printf("%s[%s]", option->stored == APP_FLAG ? "" : assign, hint);
    if (is_choice(option)) {
        printf(":value:(");
        put_choices(option);
        printf(")");
    } else if (option->stored != APP_FLAG)
        printf(option->path ? ":file:_files" : ":value: ");
    printf("'");
}

static void zsh_command(const app_command *command) {
    const app_option *option;
    printf("  %s)\n    _arguments -S", command->name);
    for (int k = 0; (option = app_option_at(command->groups, k, NULL)); k++) {
        const char *many = option->take ? "*" : "";
        printf(" \\\n      '%s%s", many, option->name);
        zsh_value(option, "=");
        if (option->letter) {
            printf(" \\\n      '%s-%c", many, option->letter);
            zsh_value(option, "+");
        }
    }
    if (command->word && command->files) {
        printf(" \\\n      '*:scene or file:{_alternative \"names:name:(");
        put_words(command, " ");
        printf(")\" \"files:file:_files -g \\\"*.(");
        put_endings(command->files, "", "|");
        printf(")(-.)\\\"\"}'"); // the qualifier: a single extension in parentheses would be read as one
    } else if (command->word) {
        printf(" \\\n      '*:name:(");
        put_words(command, " ");
        printf(")'");
    } else if (command->files) {
        printf(" \\\n      '*:file:_files -g \"*.(");
        put_endings(command->files, "", "|");
        printf(")(-.)\"'");
    }
    printf(" ;;\n");
}

static void zsh_end(void) {
    printf("  esac\n}\n\n"
           "# sourced, or loaded as a function by compinit\n"
           "if [[ $funcstack[1] == _voussoir ]]; then _voussoir \"$@\"; else compdef _voussoir voussoir; fi\n");
}

const app_shell app_zsh = {"zsh", zsh_begin, zsh_command, zsh_end};

// ---- fish ------------------------------------------------------------------------------------------------------

static void fish_begin(void) {
    printf("# fish completion for voussoir, written by 'voussoir completion fish'\n\n"
           "complete -c voussoir -f\n");
    for (int k = 0; app_commands[k]; k++)
        printf("complete -c voussoir -n __fish_use_subcommand -a %s -d '%s'\n", app_commands[k]->name,
               app_commands[k]->summary);
    printf("complete -c voussoir -n __fish_use_subcommand -a help -d 'explain a command'\n"
           "complete -c voussoir -n __fish_use_subcommand -l help -d 'list the commands'\n"
           "complete -c voussoir -n __fish_use_subcommand -l version -d 'version of this build'\n"
           "complete -c voussoir -n '__fish_seen_subcommand_from help' -a '");
    put_commands();
    printf("'\n");
}

static void fish_command(const app_command *command) {
    char hint[APP_HINT];
    const app_option *option;
    printf("\n");
    for (int k = 0; (option = app_option_at(command->groups, k, NULL)); k++) {
        app_option_hint(option->help, hint);
        printf("complete -c voussoir -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name + 2);
        if (option->letter)
            printf(" -s %c", option->letter);
        if (is_choice(option)) {
            printf(" -x -a '");
            put_choices(option);
            printf("'");
        } else if (option->stored != APP_FLAG)
            printf(option->path ? " -r -F" : " -x");
        printf(" -d '%s'\n", hint);
    }
    if (command->word) {
        printf("complete -c voussoir -n '__fish_seen_subcommand_from %s' -a '", command->name);
        put_words(command, " ");
        printf("'\n");
    }
    if (command->files) {
        printf("complete -c voussoir -n '__fish_seen_subcommand_from %s' -k -a '(", command->name);
        put_endings(command->files, "__fish_complete_suffix .", "; ");
        printf(")'\n");
    }
}

static void fish_end(void) {}

const app_shell app_fish = {"fish", fish_begin, fish_command, fish_end};
