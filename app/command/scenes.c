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

typedef struct scenes_options {
    bool json;
} scenes_options;

static int run(void *options, const app_line *line) {
    const scenes_options *o = options;
    if (line->operands > 0) {
        app_complain("scenes: unexpected argument '%s'; use 'voussoir run %s' to run a scene", line->operand[0],
                     line->operand[0]);
        return APP_USAGE;
    }
    if (o->json)
        return print_json() ? APP_DONE : APP_DATA;
    print_list();
    return APP_DONE;
}

static const app_option rows[] = {
    {.name = "--json", APP_TARGET(scenes_options, json), .help = "JSON instead of a list"},
    {.name = NULL},
};

const app_command app_scenes_command = {
    .name = "scenes",
    .summary = "list the built-in scenes and their parameters",
    .usage = "[--json]",
    .description = "Lists the built-in scenes with their parameters and default values (SI units, radians).",
    .groups = (const app_group[]){{.title = "options", .rows = rows}, {.rows = NULL}},
    .examples = "voussoir scenes\n"
                "voussoir run arch\n"
                "voussoir run arch --set stones=31 --set thickness=0.15",
    .exit_codes = "0 success, 1 usage error, 2 the list could not be written.",
    .size = sizeof(scenes_options),
    .run = run,
};
