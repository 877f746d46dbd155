// The files of this process: one that it reads is never written.
#include "cli/system/files.h"

#include <stdlib.h>
#include <string.h>

#include "cli/system/message.h"
#include "voussoir/output_file.h"

typedef struct named_file {
    const char *word; // of the command line, which outlives the command; null: from elsewhere
    char *path;
} named_file;

typedef struct file_list {
    named_file *file;
    size_t count;
} file_list;

static file_list inputs, outputs; // of the process
static bool refused;

static bool add(file_list *list, const char *path, const char *word) {
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->file[k].path, path) == 0)
            return true;
    named_file *longer = realloc(list->file, (list->count + 1) * sizeof *longer);
    char *copy = longer ? strdup(path) : NULL;
    if (longer)
        list->file = longer;
    if (!copy) {
        app_complain("out of memory");
        refused = true;
        return false;
    }
    list->file[list->count++] = (named_file){.word = word, .path = copy};
    return true;
}

static void drop_word(file_list *list, const char *word) {
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++) {
        if (list->file[k].word == word)
            free(list->file[k].path);
        else
            list->file[kept++] = list->file[k];
    }
    list->count = kept;
}

static bool spares(const char *output, const char *input) {
    if (!vs_output_file_replaces(output, input))
        return true;
    if (strcmp(output, input) == 0)
        app_complain("%s: is an input, which the output would overwrite; use another name for the output", output);
    else
        app_complain("%s: would overwrite the input %s; use another name for the output", output, input);
    refused = true;
    return false;
}

static bool read(const char *path, const char *word) {
    bool good = !path || add(&inputs, path, word);
    for (size_t k = 0; path && good && k < outputs.count; k++)
        good = spares(outputs.file[k].path, path);
    return good;
}

bool app_reads(const char *path) {
    return read(path, NULL);
}

bool app_reads_word(const char *word) {
    return read(word, word);
}

bool app_writes(const char *path) {
    if (path)
        drop_word(&inputs, path);
    bool good = !path || add(&outputs, path, NULL);
    for (size_t k = 0; path && good && k < inputs.count; k++)
        good = spares(path, inputs.file[k].path);
    return good;
}

bool app_files_refused(void) {
    return refused;
}
