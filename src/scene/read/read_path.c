// Files that a scene file refers to: by paths relative to its own folder.
#include "scene/read/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "scene/data/scene_data.h"

const char *vs_read_path(vs_reader *reader, const vs_node *node) {
    const char *path = vs_node_text(node);
    if (vs_node_good(node) && !reader->folder)
        vs_node_fail(node, VS_ERROR_DATA, "files need a scene that is itself a file");
    if (!vs_node_good(node) || !reader->folder)
        return NULL;
    const size_t size = strlen(reader->folder) + strlen(path) + 1;
    char *whole = VS_NEW(&reader->arena, char, (int64_t)size);
    if (!whole) {
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    (void)snprintf(whole, size, "%s%s", vs_path_is_absolute(path) ? "" : reader->folder, path);
    vs_node_check(node, vs_scene_add_file(reader->scene, whole));
    return vs_node_good(node) ? whole : NULL;
}
