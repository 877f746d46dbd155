// Scanning of text files: blanks, words, numbers, and errors that name the line.
#include "shape/build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

void vs_scan_blanks(vs_scan *scan, bool lines) {
    while (is_blank(*scan->at) || (lines && *scan->at == '\n'))
        scan->line += *scan->at++ == '\n';
}

void vs_scan_line(vs_scan *scan) {
    const char *end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = end ? end : scan->end;
}

// A zero byte inside the text belongs to its word, which then belongs to no format.
size_t vs_scan_word(const vs_scan *scan) {
    const char *at = scan->at;
    while (at < scan->end && *at != '\n' && !is_blank(*at))
        at++;
    return (size_t)(at - scan->at);
}

bool vs_scan_is(const vs_scan *scan, const char *word) {
    const size_t length = strlen(word);
    return vs_scan_word(scan) == length && strncasecmp(scan->at, word, length) == 0;
}

bool vs_scan_number(vs_scan *scan, double *number) {
    const size_t length = vs_scan_word(scan);
    char *end;
    if (length == 0)
        return false;
    *number = strtod(scan->at, &end);
    if (end != scan->at + length)
        return false;
    scan->at = end;
    return true;
}

vs_error vs_scan_fail(vs_context *context, const char *name, const vs_scan *scan, const char *expected) {
    enum { SHOWN = 24 };
    char found[SHOWN + 1] = "";
    vs_scan at = *scan;
    vs_scan_blanks(&at, false);
    const size_t length = vs_scan_word(&at);
    for (size_t k = 0; k < length && k < SHOWN; k++)
        found[k] = at.at[k] > 31 && at.at[k] < 127 ? at.at[k] : '?';
    if (length == 0)
        return vs_fail(context, VS_ERROR_DATA, "%s, line %" PRId64 ": expected %s, found the end of the %s", name,
                       at.line, expected, at.at == at.end ? "file" : "line");
    return vs_fail(context, VS_ERROR_DATA, "%s, line %" PRId64 ": expected %s, found '%s'", name, at.line, expected,
                   found);
}

vs_error vs_marks_report(const vs_marks *marks, vs_mark mark, const vs_scan *scan, int triangle) {
    vs_scan at = *scan;
    at.at += vs_scan_word(&at);
    vs_scan_blanks(&at, false);
    const char *text = at.at;
    vs_scan_line(&at);
    while (at.at > text && is_blank(at.at[-1]))
        at.at--;
    return marks->take(marks->user, mark, text, (size_t)(at.at - text), triangle);
}
