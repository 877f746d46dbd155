// Which file is it?
#include "cli/file_kind.h"

#include <stddef.h>

#include "cli/system/message.h"
#include "cli/system/path.h"
#include "cli/scene.h"
#include "voussoir/voussoir.h"

// Contents of HDF5 files; the first reader that accepts it knows.
static app_file_kind read_kind(vs_context *context, const char *path) {
    app_file_kind kind = APP_FILE_UNKNOWN;
    vs_trajectory_reader *reader = NULL;
    vs_problem *problem = NULL;
    vs_checkpoint_info checkpoint;
    vs_table_info table;
    if (vs_trajectory_reader_open(context, path, &reader) == VS_OK)
        kind = APP_FILE_TRAJECTORY;
    else if (vs_checkpoint_read_info(context, path, &checkpoint) == VS_OK)
        kind = APP_FILE_CHECKPOINT;
    else if (vs_table_read_info(context, path, APP_SWEEP_TABLE, &table) == VS_OK)
        kind = APP_FILE_TABLE;
    else if (vs_fclib_read(context, path, &problem) == VS_OK)
        kind = APP_FILE_PROBLEM;
    vs_problem_destroy(problem);
    vs_trajectory_reader_close(reader);
    return kind;
}

app_file_kind app_file_find_kind(const char *path) {
    vs_context *context = NULL;
    if (app_has_extension(path, ".json") || app_scene_is_robot(path))
        return APP_FILE_SCENE;
    if (vs_context_create(NULL, &context) != VS_OK)
        return APP_FILE_UNKNOWN;
    const app_file_kind kind = read_kind(context, path);
    vs_context_destroy(context);
    return kind;
}

bool app_file_is_other(const char *path) {
    static const char *const remark[] = {
        [APP_FILE_UNKNOWN] = NULL,
        [APP_FILE_SCENE] = "is a scene, not a trajectory; simulate it first: voussoir run SCENE -o run.h5",
        [APP_FILE_TRAJECTORY] = NULL,
        [APP_FILE_CHECKPOINT] = "is a checkpoint, not a trajectory; continue it: voussoir run SCENE --resume FILE -o "
                                "run.h5",
        [APP_FILE_TABLE] = "is the table of a sweep, not a trajectory; 'sweep --trajectories' keeps those of its runs",
        [APP_FILE_PROBLEM] = "is a contact problem, not a trajectory; 'info' shows it, 'solve' and 'plot "
                             "--convergence' solve it",
    };
    const char *text = remark[app_file_find_kind(path)];
    if (text)
        app_complain("%s: %s", path, text);
    return text != NULL;
}
