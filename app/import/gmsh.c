// STEP and IGES files, through gmsh: a program of its own (GPL), found on PATH, that meshes the surface of every solid.
//
// A script asks for metres, for as few triangles as possible (a flat face needs only its corners, a circle 24 edges), and for
// a physical surface per solid with the name of the part, which the file that comes back keeps. Edges of flat faces have no
// nodes between their ends: corners are those of the drawing.
//
// gmsh chooses a reader by the name of a file, and runs a name that it does not know as a script, which may start programs.
// So it never sees the user's name, and the file begins as its format says before it is handed over.
#include "import/gmsh.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/process.h"

#ifdef APP_POSIX

static const double FILE_MOST = 2147483648; // bytes of what it writes: 30 million triangles

static const char STEP[] = "model.step", IGES[] = "model.iges"; // names whose reader gmsh knows

static const char SCRIPT[] = "Geometry.OCCTargetUnit = \"M\";\n"
                             "Merge \"%s\";\n"
                             "v() = Volume{:};\n"
                             "For k In {0:#v()-1}\n"
                             "  Physical Surface(StrCat(Sprintf(\"%%g/\", v(k)), Volume{v(k)}), k + 1) =\n"
                             "      Abs(Boundary{ Volume{v(k)}; });\n"
                             "EndFor\n"
                             "Mesh.MeshSizeMax = 1e22;\n"
                             "Mesh.MeshSizeFromPoints = 0;\n"
                             "Mesh.MeshSizeExtendFromBoundary = 0;\n"
                             "Mesh.MeshSizeFromCurvature = 24;\n"
                             "Mesh.MshFileVersion = 2.2;\n";

typedef struct work {
    const char *path;
    double seconds, memory; // limits
    const char *name;       // of the copy, in the folder
    char folder[APP_SCRATCH];
    char file[APP_SCRATCH + 16];
} work;

static const char *in_folder(work *w, const char *name) {
    (void)snprintf(w->file, sizeof w->file, "%s/%s", w->folder, name);
    return w->file;
}

// STEP begins with its keyword, perhaps after white space; column 73 of an IGES file's first line says which section it is:
// start, or flag for the compressed form.
static bool begins_like(const char *name, const char *line) {
    if (strcmp(name, STEP) == 0)
        return strncmp(line + strspn(line, " \t\r\n"), "ISO-10303-21", 12) == 0;
    return strlen(line) >= 73 && (line[72] == 'S' || line[72] == 'C');
}

// Chooses the name of the copy by the extension, which app_scene_is_step() knows; false: complained.
static bool recognize(work *w) {
    char line[128] = "";
    w->name = strncasecmp(strrchr(w->path, '.'), ".st", 3) == 0 ? STEP : IGES;
    FILE *file = fopen(w->path, "rb");
    if (!file) {
        app_complain("%s: cannot be read: %s", w->path, strerror(errno));
        return false;
    }
    line[fread(line, 1, sizeof line - 1, file)] = '\0';
    (void)fclose(file);
    if (begins_like(w->name, line))
        return true;
    app_complain("%s: does not begin like %s file; check that it opens in the program that wrote it", w->path,
                 w->name == STEP ? "a STEP" : "an IGES");
    return false;
}

// A copy with a plain name: the script holds no text of the user.
static bool prepare(work *w) {
    if (!recognize(w))
        return false;
    if (!app_output_copy(w->path, in_folder(w, w->name)))
        return false;
    FILE *file = fopen(in_folder(w, "read.geo"), "w");
    bool good = file && fprintf(file, SCRIPT, w->name) > 0;
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        app_complain("%s: cannot be written: %s; set TMPDIR to another place", w->file, strerror(errno));
    return good;
}

// The first error in what gmsh said.
static void complain(work *w) {
    char line[400], found[400] = "";
    FILE *file = fopen(in_folder(w, "log"), "r");
    while (file && !found[0] && fgets(line, sizeof line, file)) {
        const char *colon = strncmp(line, "Error", 5) == 0 ? strchr(line, ':') : NULL;
        if (colon)
            (void)snprintf(found, sizeof found, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (file)
        (void)fclose(file);
    app_complain("%s: gmsh cannot read it%s%s; check that it opens in the program that wrote it", w->path,
                 found[0] ? ": " : "", found);
}

// The whole file; null: complained.
static char *load(work *w, size_t *length) {
    FILE *file = fopen(in_folder(w, "out.msh"), "rb");
    char *bytes = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)size);
    if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    if (file)
        (void)fclose(file);
    *length = bytes ? (size_t)size : 0;
    if (!bytes)
        complain(w);
    return bytes;
}

// gmsh, in our folder: settings of the user could change what the script means. false: complained.
static bool run(work *w) {
    static const char remedy[] = "export OBJ or STL, or fewer parts";
    const char *const argv[] = {"gmsh", "read.geo", "-2", "-o", "out.msh", NULL};
    const app_process process = {.argv = argv,
                                 .folder = w->folder,
                                 .log = "log",
                                 .seconds = w->seconds,
                                 .memory = w->memory,
                                 .file = FILE_MOST,
                                 .home = true};
    app_process_end end;
    const int code = app_process_run(&process, &end);
    if (end == APP_ENDED_INTERRUPTED)
        app_complain("%s: interrupted while gmsh was reading it", w->path);
    else if (end == APP_ENDED_TIME)
        app_complain("%s: gmsh did not finish within %g s; allow more with --max-time, %s", w->path, w->seconds,
                     remedy);
    else if (end == APP_ENDED_FILE)
        app_complain("%s: gmsh wrote a file of more than %.3g GB; %s", w->path, 1e-9 * FILE_MOST, remedy);
    else if (end == APP_ENDED_CRASH)
        app_complain("%s: gmsh crashed, or needs more than the %.3g GB of memory that it may use; %s", w->path,
                     1e-9 * w->memory, remedy);
    else if (code > 0)
        complain(w);
    return code == 0;
}

// Faces of the drawing as a file of gmsh.
static int mesh(work *w, char **bytes, size_t *length) {
    if (!prepare(w))
        return APP_DATA;
    if (!run(w))
        return app_interrupted() ? APP_INTERRUPTED : APP_DATA;
    *bytes = load(w, length);
    return *bytes ? APP_DONE : APP_DATA;
}

static int parse(const work *w, vs_context *context, const char *bytes, size_t length, const vs_cad_options *options,
                 vs_cad **cad) {
    const vs_error error = vs_cad_parse(context, bytes, length, w->path, "msh", options, cad);
    if (error == VS_OK)
        return APP_DONE;
    if (error == VS_ERROR_DATA && strstr(vs_context_get_error_text(context), ": no faces"))
        app_complain("%s: no solids; export solids, not surfaces or wires", w->path);
    else
        app_complain("%s", vs_context_get_error_text(context));
    return app_exit_code(error);
}

int app_gmsh_read(vs_context *context, const char *path, double seconds, const vs_cad_options *options, vs_cad **cad) {
    work w = {.path = path, .seconds = seconds, .memory = app_process_memory()};
    if (!app_process_is_there("gmsh")) {
        app_complain(
            "%s: STEP and IGES files are read through gmsh, which is not installed; install it (apt install gmsh), "
            "or export OBJ or STL",
            path);
        return APP_DATA;
    }
    if (!app_scratch_make(w.folder))
        return APP_DATA;
    char *bytes = NULL;
    size_t length = 0;
    app_catch_interrupts(); // gmsh and our folder must not outlive us
    int code = mesh(&w, &bytes, &length);
    app_scratch_remove(w.folder);
    if (code == APP_DONE && app_interrupted())
        code = APP_INTERRUPTED;
    app_interrupt_at_once(true); // what follows looks at no request, and has written nothing
    if (code == APP_DONE)
        code = parse(&w, context, bytes, length, options, cad);
    free(bytes);
    return code;
}

#else

int app_gmsh_read(vs_context *context, const char *path, double seconds, const vs_cad_options *options, vs_cad **cad) {
    (void)context, (void)seconds, (void)options, (void)cad;
    app_complain("%s: STEP and IGES files are not available on this system; export OBJ or STL", path);
    return APP_DATA;
}

#endif
