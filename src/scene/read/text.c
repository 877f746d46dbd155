// The text of a scene file. The JSON parser does not keep line numbers; they are recovered by scanning the text, which
// costs time only when an error is reported.
#include "scene/read/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"

typedef struct cursor {
    const char *at, *end;
} cursor;

static bool more(const cursor *c) {
    return c->at < c->end;
}

// From the opening quote to after the closing one.
static void skip_string(cursor *c) {
    for (c->at++; more(c) && *c->at != '"'; c->at++)
        if (*c->at == '\\' && c->at + 1 < c->end)
            c->at++;
    if (more(c))
        c->at++;
}

static bool is_space(char x) {
    return x == ' ' || x == '\t' || x == '\n' || x == '\r';
}

static void skip_space(cursor *c) {
    while (more(c) && is_space(*c->at))
        c->at++;
}

static bool opens(char x) {
    return x == '{' || x == '[';
}

static bool closes(char x) {
    return x == '}' || x == ']';
}

// Skips a value: a string, a whole object or array, or a word up to its delimiter.
static void skip_value(cursor *c) {
    int depth = 0;
    skip_space(c);
    while (more(c)) {
        if (*c->at == '"') {
            skip_string(c);
        } else if (opens(*c->at)) {
            depth++;
            c->at++;
        } else if (closes(*c->at)) {
            depth--;
            c->at++;
        } else if (depth > 0) {
            c->at++;
            continue;
        } else {
            while (more(c) && *c->at != ',' && !closes(*c->at) && !is_space(*c->at))
                c->at++;
        }
        if (depth <= 0)
            return;
    }
}

// From before an object or array to the wanted member (its key) or item.
static void enter(cursor *c, int wanted) {
    skip_space(c);
    if (!more(c) || !opens(*c->at))
        return;
    bool object = *c->at++ == '{';
    for (int k = 0; k < wanted && more(c); k++) {
        skip_space(c);
        if (object) {
            skip_value(c);
            skip_space(c);
            c->at += more(c);
        }
        skip_value(c);
        skip_space(c);
        c->at += more(c);
    }
    skip_space(c);
}

// From a key to its value; stays if there is none.
static void pass_key(cursor *c) {
    cursor ahead = *c;
    if (!more(&ahead) || *ahead.at != '"')
        return;
    skip_string(&ahead);
    skip_space(&ahead);
    if (more(&ahead) && *ahead.at == ':') {
        ahead.at++;
        *c = ahead;
    }
}

static int line_at(const char *text, const char *at) {
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

int vs_text_line(const char *text, size_t length, const int *ordinal, int depth) {
    cursor c = {text, text + length};
    skip_space(&c);
    for (int k = 0; k < depth; k++) {
        pass_key(&c);
        enter(&c, ordinal[k]);
    }
    return line_at(text, c.at);
}

int vs_text_depth(const char *text, size_t length, int most, int *line) {
    cursor c = {text, text + length};
    int depth = 0, deepest = 0;
    *line = 0;
    while (more(&c)) {
        if (*c.at == '"') {
            skip_string(&c);
            continue;
        }
        depth += opens(*c.at) - closes(*c.at);
        deepest = depth > deepest ? depth : deepest;
        if (depth > most && *line == 0)
            *line = line_at(text, c.at);
        c.at++;
    }
    return deepest;
}

// ---- reading files ---------------------------------------------------------------------------------

static const int64_t FILE_MOST = 1 << 30, PIECE = 1 << 16; // bytes

// The whole file; grows, because a pipe has no size.
static vs_error read_all(vs_context *context, FILE *file, const char *path, char **text, size_t *length) {
    VS_ARRAY(char) all = {0};
    vs_error error = VS_OK;
    do {
        error = VS_RESERVE(context, &all, all.count + PIECE);
        if (!error)
            all.count += (int64_t)fread(all.data + all.count, 1, (size_t)(all.capacity - all.count), file);
        if (!error && all.count > FILE_MOST)
            error = vs_fail(context, VS_ERROR_DATA, "%s: is larger than %lld bytes", path, (long long)FILE_MOST);
    } while (!error && all.count == all.capacity);
    if (!error && ferror(file))
        error = vs_fail(context, VS_ERROR_IO, "%s: cannot be read", path);
    if (error)
        vs_release(context, all.data);
    else
        *text = all.data, *length = (size_t)all.count;
    return error;
}

vs_error vs_text_load(vs_context *context, const char *path, char **text, size_t *length) {
    FILE *file = vs_path_stream(path, "rb");
    if (!file)
        return vs_fail(context, VS_ERROR_IO, "%s: cannot be opened; check the path", path);
    vs_error error = read_all(context, file, path, text, length);
    (void)fclose(file);
    return error;
}

vs_error vs_text_folder(vs_context *context, const char *path, char **folder) {
    const char *slash = vs_path_slash(path);
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    *folder = vs_allocate(context, length + 1);
    if (!*folder)
        return vs_fail_memory(context);
    memcpy(*folder, path, length);
    (*folder)[length] = 0;
    return VS_OK;
}
