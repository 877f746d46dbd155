// voussoir scenes: the named scenes and their parameters.
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/exit_code.h"
#include "cli/system/message.h"
#include "cli/options.h"
#include "command/commands.h"
#include "voussoir/scene.h"

void app_scenes_help(FILE *to) {
    (void)fputs("usage: voussoir scenes [--json]\n\n"
                "Lists the built-in scenes with their parameters and default values (SI units, radians).\n\n"
                "  --json    JSON instead of a list\n\n"
                "examples\n"
                "  voussoir scenes\n"
                "  voussoir run arch\n"
                "  voussoir run arch --set stones=31 --set thickness=0.15\n",
                to);
}

static bool print_json(void) {
    json_t *list = json_array();
    for (int k = 0; k < vs_scene_count(); k++) {
        const vs_scene_info info = vs_scene_at(k);
        json_t *scene = json_object(), *parameters = json_object();
        for (int i = 0; i < info.parameter_count; i++)
            (void)json_object_set_new(parameters, info.parameters[i].name, json_real(info.parameters[i].value));
        (void)json_object_set_new(scene, "name", json_string(info.name));
        (void)json_object_set_new(scene, "description", json_string(info.description));
        (void)json_object_set_new(scene, "parameters", parameters);
        (void)json_array_append_new(list, scene);
    }
    const bool good = list && json_dumpf(list, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(list);
    if (!good)
        app_complain("cannot write the JSON; check standard output and free memory");
    return good;
}

static void print_list(void) {
    for (int k = 0; k < vs_scene_count(); k++) {
        const vs_scene_info info = vs_scene_at(k);
        printf("%-21s%s\n%-21s", info.name, info.description, "");
        for (int i = 0; i < info.parameter_count; i++)
            printf("%s%s=%g", i ? "  " : "", info.parameters[i].name, info.parameters[i].value);
        printf("\n");
    }
}

int app_scenes(int argc, char **argv) {
    bool help = false, json = false;
    int operands = 0;
    const app_option table[] = {{.name = "--help", .flag = &help}, {.name = "--json", .flag = &json}, {.name = NULL}};
    if (!app_options_read("scenes", table, argc, argv, &operands))
        return APP_USAGE;
    if (help) {
        app_scenes_help(stdout);
        return APP_DONE;
    }
    if (operands > 0) {
        app_complain("scenes: unexpected argument '%s'; use 'voussoir run %s' to run a scene", argv[1], argv[1]);
        return APP_USAGE;
    }
    if (json)
        return print_json() ? APP_DONE : APP_DATA;
    print_list();
    return APP_DONE;
}
