// The table of commands: started by main.c, listed by help, completed by shells.
#include <stddef.h>

#include "cli/command.h"
#include "command/commands.h"
#include "compare/compare.h"
#include "compare/options.h"
#include "completion/completion.h"
#include "find/find.h"
#include "find/options.h"
#include "import/import.h"
#include "plot/plot.h"
#include "render/render.h"
#include "reproduce/reproduce.h"
#include "run/options.h"
#include "run/run.h"
#include "solve/options.h"
#include "solve/solve.h"
#include "statics/options.h"
#include "statics/statics.h"
#include "sweep/options.h"
#include "sweep/sweep.h"
#include "view/view.h"
#include "voussoir/scene.h"

#ifdef APP_DYNAMICS

static const char *scene_name(int index) {
    return vs_scene_at(index).name;
}
#else
#define scene_name NULL
#endif

#ifdef APP_POSIX
static const char *shell_name(int index) {
    static const char *const names[] = {"bash", "zsh", "fish", "table"};
    return index < (int)(sizeof names / sizeof names[0]) ? names[index] : NULL;
}
#endif

const app_command app_commands[] = {
#ifdef APP_DYNAMICS
    {.name = "new", .summary = "write a commented starter scene", .run = app_new, .help = app_new_help},
    {.name = "import",
     .summary = "make a scene of blocks drawn in a CAD program",
     .run = app_import,
     .help = app_import_help,
     .files = "obj stl ply step stp iges igs dxf msh json"},
    {.name = "run",
     .summary = "simulate a scene and report the accuracy of every step",
     .run = app_run,
     .help = app_run_help,
     .computes = true,
     .files = "json urdf xml",
     .word = scene_name},
#ifdef APP_POSIX
    {.name = "sweep",
     .summary = "run a scene with many parameter values and tabulate the results",
     .run = app_sweep_main,
     .help = app_sweep_help,
     .computes = true,
     .files = "json urdf xml",
     .word = scene_name},
    {.name = "find",
     .summary = "find the parameter value at which a scene falls, stands or stops",
     .run = app_find,
     .help = app_find_help,
     .computes = true,
     .files = "json",
     .word = scene_name},
#endif
    {.name = "statics",
     .summary = "tell whether blocks with dry joints stand, with a proof",
     .run = app_statics,
     .help = app_statics_help,
     .computes = true,
     .files = "json",
     .word = scene_name},
    {.name = "limit",
     .summary = "find the largest load that blocks with dry joints carry, with proofs",
     .run = app_limit,
     .help = app_limit_help,
     .computes = true,
     .files = "json",
     .word = scene_name},
#ifdef APP_POSIX
    {.name = "reproduce",
     .summary = "repeat published tables and figures and compare the results",
     .run = app_reproduce,
     .help = app_reproduce_help,
     .computes = true,
     .word = app_reproduce_word},
#endif
    {.name = "scenes",
     .summary = "list the built-in scenes and their parameters",
     .run = app_scenes,
     .help = app_scenes_help},
#endif
#ifdef APP_TRAJECTORIES
    {.name = "view",
     .summary = "show a trajectory in the browser",
     .run = app_view,
     .help = app_view_help,
     .files = "h5"},
#ifdef APP_POSIX
    {.name = "render",
     .summary = "render a trajectory as a picture or a film",
     .run = app_render,
     .help = app_render_help,
     .files = "h5"},
#endif
    {.name = "plot",
     .summary = "plot a trajectory over time, or the convergence of a solver",
     .run = app_plot,
     .help = app_plot_help,
     .computes = true,
     .files = "h5 hdf5"},
    {.name = "export",
     .summary = "export a trajectory to ParaView, Blender or a spreadsheet",
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
#ifdef APP_POSIX
    {.name = "compare",
     .summary = "compare all solvers on the same problems: tables, plots, a report",
     .run = app_compare_main,
     .help = app_compare_help,
     .computes = true,
     .files = "hdf5 json",
     .word = scene_name},
#endif
    {.name = "info",
     .summary = "show sizes, masses and friction of problem files",
     .run = app_info,
     .help = app_info_help,
     .files = "hdf5"},
    {.name = "convert",
     .summary = "rewrite a problem: change friction, perturb it, drop contacts",
     .run = app_convert,
     .help = app_convert_help,
     .files = "hdf5"},
    {.name = "doctor",
     .summary = "check versions, licences, BLAS and speed of this installation",
     .run = app_doctor,
     .help = app_doctor_help,
     .computes = true},
#ifdef APP_POSIX
    {.name = "completion",
     .summary = "write completion scripts for bash, zsh and fish",
     .run = app_completion,
     .help = app_completion_help,
     .word = shell_name},
#endif
    {.name = NULL},
};
