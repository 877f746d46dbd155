// The list of commands: started by main.c, listed by help, completed by shells.
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cli/command.h"
#include "cli/system/message.h"
#include "collect/collect.h"
#include "command/commands.h"
#include "compare/compare.h"
#include "completion/completion.h"
#include "explain/explain.h"
#include "find/find.h"
#include "import/import.h"
#include "plot/plot.h"
#include "render/render.h"
#include "report/report.h"
#include "reproduce/reproduce.h"
#include "run/run.h"
#include "solve/solve.h"
#include "statics/statics.h"
#include "sweep/sweep.h"
#include "view/view.h"
#include "voussoir/context.h"

const app_command *const app_commands[] = {
#ifdef APP_DYNAMICS
    &app_new_command,
    &app_import_command,
    &app_explain_command,
    &app_run_command,
    &app_sweep_command,
    &app_find_command,
#ifdef APP_POSIX
    &app_collect_command,
#endif
    &app_statics_command,
    &app_limit_command,
    &app_reproduce_command,
    &app_scenes_command,
#endif
#ifdef APP_TRAJECTORIES
    &app_view_command,
#ifdef APP_POSIX
    &app_render_command,
#endif
    &app_plot_command,
    &app_report_command,
    &app_export_command,
#endif
    &app_solve_command,
    &app_compare_command,
    &app_info_command,
    &app_convert_command,
    &app_doctor_command,
#ifdef APP_POSIX
    &app_completion_command,
#endif
    NULL,
};

bool app_command_computes(const char *name) {
    for (int k = 0; app_commands[k]; k++)
        if (strcmp(app_commands[k]->name, name) == 0)
            return app_commands[k]->computes;
    return false;
}

enum { COMMANDS = sizeof app_commands / sizeof app_commands[0] };

const app_command *app_command_find(const char *name) {
    const char *names[COMMANDS + 3]; // the list's null is one place
    int count = 0;
    for (; app_commands[count]; count++) {
        if (strcmp(app_commands[count]->name, name) == 0)
            return app_commands[count];
        names[count] = app_commands[count]->name;
    }
    names[count++] = "help";
    names[count++] = "--help";
    names[count++] = "--version";
    names[count] = NULL;
    const char *near = vs_nearest_name(name, names), *what = name[0] == '-' ? "option" : "command";
    if (near)
        app_complain("unknown %s %s; did you mean '%s'?", what, name, near);
    else
        app_complain("unknown %s %s; 'voussoir help' lists them", what, name);
    return NULL;
}
