// The text of a scene file: reading, nesting depth, and line numbers of values.
#ifndef VS_SCENE_TEXT_H
#define VS_SCENE_TEXT_H

#include <stddef.h>

#include "base/context.h"

// Deeper than any scene; the JSON parser recurses once per level.
enum { VS_TEXT_DEPTH_MOST = 24 };

// Deepest nesting of brackets and braces outside of strings. *line: the first line that exceeds `most`, 0 if none.
int vs_text_depth(const char *text, size_t length, int most, int *line);
// Line (1, 2, …) of the value reached by descending to the ordinal[0]-th member or item of the root, in it to the
// ordinal[1]-th, … . For a member it is the line of its key. The text must be JSON; for absent values: the last line.
int vs_text_line(const char *text, size_t length, const int *ordinal, int depth);

// The whole file, or the part of the path up to its last '/' ("" if there is none); to be released with
// vs_release(), also after an error.
vs_error vs_text_load(vs_context *context, const char *path, char **text, size_t *length);
vs_error vs_text_folder(vs_context *context, const char *path, char **folder);

#endif
