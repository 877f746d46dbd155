// The table of subcommands: what main.c starts, help lists and shells complete.
#include <stddef.h>

#include "cli/command.h"
#include "command/commands.h"
#include "compare/compare.h"
#include "compare/options.h"
#include "completion/completion.h"
#include "plot/plot.h"
#include "render/render.h"
#include "reproduce/reproduce.h"
#include "run/options.h"
#include "run/run.h"
#include "solve/options.h"
#include "solve/solve.h"
#include "sweep/options.h"
#include "sweep/sweep.h"
#include "view/view.h"
#include "voussoir/scene.h"

#ifdef APP_DYNAMICS

static const char *scene_name(int index) {
    vs_scene_info info;
    return vs_scene_list(index, &info) ? info.name : NULL;
}
#else
#define scene_name NULL
#endif

static const char *shell_name(int index) {
    static const char *const names[] = {"bash", "zsh", "fish", "table"};
    return index < (int)(sizeof names / sizeof names[0]) ? names[index] : NULL;
}

const app_command app_commands[] = {
#ifdef APP_DYNAMICS
    {.name = "new", .summary = "write a commented scene to start from", .run = app_new, .help = app_new_help},
    {.name = "run",
     .summary = "simulate a scene and report how good every step was",
     .run = app_run,
     .help = app_run_help,
     .computes = true,
     .files = "json urdf xml",
     .word = scene_name},
    {.name = "sweep",
     .summary = "many runs of a scene with different parameters, in one table",
     .run = app_sweep_main,
     .help = app_sweep_help,
     .computes = true,
     .files = "json urdf xml",
     .word = scene_name},
    {.name = "reproduce",
     .summary = "published tables and figures, done again and compared",
     .run = app_reproduce,
     .help = app_reproduce_help,
     .computes = true,
     .word = app_reproduce_word},
    {.name = "scenes",
     .summary = "the scenes that come with voussoir, and their parameters",
     .run = app_scenes,
     .help = app_scenes_help},
#endif
#ifdef APP_TRAJECTORIES
    {.name = "view",
     .summary = "see a trajectory in the browser",
     .run = app_view,
     .help = app_view_help,
     .files = "h5"},
    {.name = "render",
     .summary = "a picture or a film of a trajectory",
     .run = app_render,
     .help = app_render_help,
     .files = "h5"},
    {.name = "plot",
     .summary = "a trajectory over time, or the convergence of a step, as a figure",
     .run = app_plot,
     .help = app_plot_help,
     .computes = true,
     .files = "h5 hdf5"},
    {.name = "export",
     .summary = "a trajectory for ParaView (XDMF) or Blender (glTF)",
     .run = app_export,
     .help = app_export_help,
     .files = "h5 xdmf glb"},
#endif
    {.name = "solve",
     .summary = "solve contact problems and report every error measure",
     .run = app_solve,
     .help = app_solve_help,
     .computes = true,
     .files = "hdf5"},
    {.name = "compare",
     .summary = "run all solvers on the same problems: tables, plots, a report",
     .run = app_compare_main,
     .help = app_compare_help,
     .computes = true,
     .files = "hdf5 json",
     .word = scene_name},
    {.name = "info",
     .summary = "sizes, masses and friction of problem files",
     .run = app_info,
     .help = app_info_help,
     .files = "hdf5"},
    {.name = "convert",
     .summary = "write a problem anew: other friction, perturbed, contacts left out",
     .run = app_convert,
     .help = app_convert_help,
     .files = "hdf5"},
    {.name = "doctor",
     .summary = "versions, licences, BLAS of this build; what is slow here",
     .run = app_doctor,
     .help = app_doctor_help,
     .computes = true},
    {.name = "completion",
     .summary = "completion of commands and options for bash, zsh and fish",
     .run = app_completion,
     .help = app_completion_help,
     .word = shell_name},
    {.name = NULL},
};
