// Numbers of a gmsh file, text or binary, behind one interface, so that sections are read by the same code.
//
// Text is read line by line, so that a line with too few or too many numbers is reported with its position. Binary
// numbers have the order of bytes of the machine that wrote them, which a 1 in the header reveals.
#include "shape/file/msh_data.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// ---- errors ----------------------------------------------------------------------------------------

vs_error vs_msh_fail_at(const vs_msh *msh, vs_scan at, const char *expected) {
    if (!msh->binary)
        return vs_scan_fail(msh->arena->context, msh->name, &at, expected);
    return vs_fail(msh->arena->context, VS_ERROR_DATA, "%s, byte %td: expected %s%s", msh->name, at.at - msh->begin,
                   expected, at.at == at.end ? ", found the end of the file" : "");
}

vs_error vs_msh_fail(const vs_msh *msh, const char *expected) {
    return vs_msh_fail_at(msh, msh->scan, expected);
}

vs_error vs_msh_check_room(const vs_msh *msh, int64_t count, int text, int binary, const char *what) {
    const int64_t left = msh->scan.end - msh->scan.at;
    const int64_t place = msh->binary ? msh->scan.at - msh->begin : msh->scan.line;
    // The last line may have no end: one byte more.
    if (count <= (left + 1) / (msh->binary ? binary : text) && count <= VS_MESH_MOST)
        return VS_OK;
    return vs_fail(msh->arena->context, VS_ERROR_DATA,
                   "%s, %s %" PRId64 ": %" PRId64 " %s do not fit into the remaining %" PRId64 " bytes", msh->name,
                   msh->binary ? "byte" : "line", place, count, what, left);
}

// ---- text ------------------------------------------------------------------------------------------

// Reads an integer; false, and nothing is read, if there is none.
static bool read_whole(vs_scan *scan, int64_t *x) {
    const size_t length = vs_scan_word(scan);
    const char *at = scan->at, *end = at + length;
    const bool negative = length > 0 && *at == '-';
    at += negative;
    int64_t value = 0;
    if (at == end || end - at > 18) // 10^18 fits
        return false;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        value = 10 * value + (*at - '0');
    }
    *x = negative ? -value : value;
    scan->at = end;
    return true;
}

void vs_msh_begin_line(vs_msh *msh) {
    if (!msh->binary)
        vs_scan_blanks(&msh->scan, true);
}

vs_error vs_msh_end_line(vs_msh *msh) {
    if (msh->binary)
        return VS_OK;
    vs_scan_blanks(&msh->scan, false);
    if (vs_scan_word(&msh->scan) > 0)
        return vs_msh_fail(msh, "the end of the line");
    return VS_OK;
}

vs_error vs_msh_count_line(vs_msh *msh, const char *what, int64_t *count) {
    vs_scan_blanks(&msh->scan, true);
    const vs_scan before = msh->scan;
    if (!read_whole(&msh->scan, count) || *count < 0)
        return vs_msh_fail_at(msh, before, what);
    vs_scan_blanks(&msh->scan, false);
    if (vs_scan_word(&msh->scan) > 0 || msh->scan.at == msh->scan.end)
        return vs_msh_fail(msh, "the end of the line");
    msh->scan.at++; // what follows may be binary
    msh->scan.line++;
    return VS_OK;
}

// ---- numbers ---------------------------------------------------------------------------------------

// Reads the next `size` bytes in this machine's order; false if there are fewer.
static bool take_bytes(vs_msh *msh, size_t size, void *out) {
    if ((size_t)(msh->scan.end - msh->scan.at) < size)
        return false;
    unsigned char *to = out;
    for (size_t k = 0; k < size; k++)
        to[msh->swap ? size - 1 - k : k] = (unsigned char)msh->scan.at[k];
    msh->scan.at += size;
    return true;
}

vs_error vs_msh_int(vs_msh *msh, const char *expected, int *x) {
    if (!msh->binary)
        vs_scan_blanks(&msh->scan, false);
    const vs_scan before = msh->scan;
    int64_t whole = 0;
    int32_t four = 0;
    const bool good = msh->binary ? take_bytes(msh, sizeof four, &four) : read_whole(&msh->scan, &whole);
    if (msh->binary)
        whole = four;
    if (!good || whole < -INT_MAX || whole > INT_MAX)
        return vs_msh_fail_at(msh, before, expected);
    *x = (int)whole;
    return VS_OK;
}

vs_error vs_msh_size(vs_msh *msh, const char *expected, int64_t *x) {
    if (!msh->binary)
        vs_scan_blanks(&msh->scan, false);
    const vs_scan before = msh->scan;
    *x = 0;
    const bool good = msh->binary ? take_bytes(msh, sizeof *x, x) : read_whole(&msh->scan, x);
    return good && *x >= 0 ? VS_OK : vs_msh_fail_at(msh, before, expected);
}

vs_error vs_msh_double(vs_msh *msh, const char *expected, double *x) {
    if (!msh->binary)
        vs_scan_blanks(&msh->scan, false);
    const vs_scan before = msh->scan;
    const bool good = msh->binary ? take_bytes(msh, sizeof *x, x) : vs_scan_number(&msh->scan, x);
    return good && isfinite(*x) ? VS_OK : vs_msh_fail_at(msh, before, expected);
}
