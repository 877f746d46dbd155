// Records: tables of numbers and PEER accelerograms (.AT2) in text files, with a correction of the baseline.
//
// The header of an AT2 file has four lines; the last one is "NPTS= 4000, DT= .0050 SEC" or, in older files,
// "4000 0.0050 NPTS, DT". The values follow, in g, as many per line as fit.
//
// An accelerogram a(t) that begins at rest ends with the velocity V and the displacement D after its duration T. With
//
//     a(t) - (p + q t),   q = (6 V T - 12 D)/T^3,   p = V/T - q T/2
//
// both become 0; with q = 0 only the velocity does. The integrals are exact for the piecewise linear record, and the
// correction is linear: the result is a piecewise linear record again. What real correction does (filters, known
// permanent displacements) is the task of those who publish records: this one removes what is left.
#include "signal/record.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/plain_locale.h"

static const double LARGEST = 1e30; // products of a few numbers stay within the range of doubles

typedef struct reading {
    vs_context *context;
    const vs_record_options *options;
    const char *name;
    const char *at, *end; // of the text, which has a zero byte at its end
    int line;             // of `at`, from 1
    uint64_t hash;        // of the text
    VS_ARRAY(double) time;
    VS_ARRAY(double) value;
} reading;

// ---- lines and fields ------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c) { // CR alone, of old programs, and CR LF as well
    return c == '\n' || c == '\r';
}

static bool is_separator(char c) {
    return c == ',' || c == ';';
}

static bool ends_line(const reading *r) {
    return r->at >= r->end || is_line_end(*r->at);
}

static void skip_blanks(reading *r) {
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

static void skip_line(reading *r) {
    while (!ends_line(r))
        r->at++;
    if (r->at < r->end) {
        r->at += *r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n' ? 2 : 1;
        r->line++;
    }
}

// The next field of the line, without blanks around it; *at is then after its separator.
static const char *take_field(reading *r, size_t *length) {
    skip_blanks(r);
    const char *field = r->at;
    while (!ends_line(r) && !is_blank(*r->at) && !is_separator(*r->at))
        r->at++;
    *length = (size_t)(r->at - field);
    skip_blanks(r);
    if (!ends_line(r) && is_separator(*r->at))
        r->at++;
    return field;
}

static vs_error fail_field(const reading *r, const char *field, size_t length, const char *what) {
    enum { SHOWN = 24 };
    char found[SHOWN + 1] = "";
    for (size_t k = 0; k < length && k < SHOWN; k++)
        found[k] = isprint((unsigned char)field[k]) ? field[k] : '?';
    if (length == 0)
        return vs_fail(r->context, VS_ERROR_DATA, "%s:%d: expected %s, found nothing", r->name, r->line, what);
    return vs_fail(r->context, VS_ERROR_DATA, "%s:%d: expected %s, found '%s'", r->name, r->line, what, found);
}

static bool read_number(const char *field, size_t length, double *x) {
    char *end;
    *x = length > 0 ? strtod(field, &end) : 0;
    return length > 0 && end == field + length && fabs(*x) <= LARGEST;
}

static vs_error append(reading *r, double time, double value) {
    vs_error error = VS_RESERVE(r->context, &r->time, r->time.count + 1);
    if (!error)
        error = VS_RESERVE(r->context, &r->value, r->value.count + 1);
    if (error)
        return error;
    if (r->time.count > 0 && !(time > r->time.data[r->time.count - 1]))
        return vs_fail(r->context, VS_ERROR_DATA, "%s:%d: times must ascend, %g s follows %g s", r->name, r->line, time,
                       r->time.data[r->time.count - 1]);
    r->time.data[r->time.count++] = time;
    r->value.data[r->value.count++] = value;
    return VS_OK;
}

// ---- decimal commas --------------------------------------------------------------------------------

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Does a field of blanks or semicolons, which may have commas inside, end at `to`, and is it "-0,25e-3"?
static bool is_comma_number(const char *from, const char *to) {
    from += from < to && (*from == '-' || *from == '+');
    while (from < to && is_digit(*from))
        from++;
    if (from >= to || *from++ != ',' || from >= to || !is_digit(*from))
        return false;
    while (from < to && is_digit(*from))
        from++;
    if (from < to && (*from == 'e' || *from == 'E'))
        from += 1 + (from + 1 < to && (from[1] == '-' || from[1] == '+'));
    while (from < to && is_digit(*from))
        from++;
    return from == to;
}

// A comma is a separator, unless it looks like a decimal one: "0,01 0,5" and "0,01;0,5", or "0,05" with a leading zero after it.
// Such a line would be read as other numbers.
static vs_error refuse_commas(const reading *r) {
    const char *from = r->at;
    int fields = 0, numbers = 0;
    bool zero = false;
    while (from < r->end && !is_line_end(*from) && *from != '#') {
        const char *to = from;
        while (to < r->end && !is_line_end(*to) && !is_blank(*to) && *to != ';' && *to != '#')
            to++;
        fields += to > from;
        numbers += is_comma_number(from, to);
        for (const char *c = from; c + 2 < to; c++)
            zero = zero || (*c == ',' && c[1] == '0' && is_digit(c[2]));
        from = to + (to < r->end && (is_blank(*to) || *to == ';'));
    }
    if (zero || (fields > 1 && numbers > 0))
        return vs_fail(r->context, VS_ERROR_DATA,
                       "%s:%d: has decimal commas; write decimal points, and commas only between columns", r->name,
                       r->line);
    return VS_OK;
}

// ---- columns ---------------------------------------------------------------------------------------

// The numbers of the columns that are needed; the line is not empty.
static vs_error read_row(reading *r) {
    const vs_record_options *o = r->options;
    const bool timed = o->step <= 0;
    const int last = timed && o->time_column > o->column ? o->time_column : o->column;
    double time = o->step * (double)r->time.count, value = 0;
    vs_error error = refuse_commas(r);
    if (error)
        return error;
    for (int column = 1; column <= last; column++) {
        size_t length;
        const bool over = ends_line(r);
        const char *field = take_field(r, &length);
        if (over && length == 0)
            return vs_fail(r->context, VS_ERROR_DATA, "%s:%d: there is no column %d, the line has %d", r->name, r->line,
                           last, column - 1);
        if (timed && column == o->time_column && !read_number(field, length, &time))
            return fail_field(r, field, length,
                              r->time.count == 0 ? "a time, s (skip headings with \"skip\": lines)" : "a time, s");
        if (column == o->column && !read_number(field, length, &value))
            return fail_field(r, field, length,
                              r->time.count == 0 ? "a number (skip headings with \"skip\": lines)" : "a number");
    }
    return append(r, time, o->scale * value);
}

static vs_error read_columns(reading *r) {
    vs_error error = VS_OK;
    for (int k = 0; k < r->options->skip && r->at < r->end; k++)
        skip_line(r);
    for (; !error && r->at < r->end; skip_line(r)) {
        skip_blanks(r);
        if (!ends_line(r) && *r->at != '#')
            error = read_row(r);
    }
    if (!error && r->time.count == 0)
        error = vs_fail(r->context, VS_ERROR_DATA, "%s: has no numbers%s", r->name,
                        r->options->skip > 0 ? " after the skipped lines; skip fewer" : "");
    return error;
}

// ---- AT2 -------------------------------------------------------------------------------------------

// Where a word begins in the present line, in any case; null: nowhere.
static const char *find_word(const reading *r, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = r->at; at + length <= r->end && !is_line_end(*at); at++)
        if (strncasecmp(at, word, length) == 0)
            return at;
    return NULL;
}

// The number after "NPTS" or "DT" with '=', ':' or blanks between; null `from`: none.
static bool read_named(const char *from, size_t name, double *x) {
    char *end;
    if (!from)
        return false;
    for (from += name; *from == '=' || *from == ':' || is_blank(*from);)
        from++;
    *x = strtod(from, &end);
    return end != from;
}

static vs_error read_at2_sizes(reading *r, int *count, double *step) {
    double points = 0;
    char *end;
    if (!read_named(find_word(r, "NPTS"), 4, &points) || !read_named(find_word(r, "DT"), 2, step)) {
        points = strtod(r->at, &end); // older files: the numbers come first
        *step = strtod(end, &end);
    }
    if (!(points >= 2 && points <= 1e8 && points == floor(points) && *step > 0 && *step <= LARGEST))
        return vs_fail(r->context, VS_ERROR_DATA,
                       "%s:%d: expected the number of values and the time step, as in 'NPTS= 4000, DT= .005 SEC'",
                       r->name, r->line);
    *count = (int)points;
    skip_line(r);
    return VS_OK;
}

static vs_error read_at2_values(reading *r, int count, double step) {
    const double unit = VS_STANDARD_GRAVITY * r->options->scale;
    int checked = 0; // line
    for (int k = 0; k < count; k++) {
        size_t length;
        double value;
        vs_error error = VS_OK;
        for (skip_blanks(r); r->at < r->end && is_line_end(*r->at); skip_blanks(r))
            skip_line(r);
        if (r->line != checked)
            error = refuse_commas(r);
        checked = r->line;
        if (error)
            return error;
        if (r->at >= r->end)
            return vs_fail(r->context, VS_ERROR_DATA,
                           "%s:%d: the file ends after %d of NPTS = %d values; get it again, or correct NPTS", r->name,
                           r->line, k, count);
        const char *field = take_field(r, &length);
        if (!read_number(field, length, &value))
            return fail_field(r, field, length, "an acceleration, g");
        error = append(r, step * k, unit * value);
        if (error)
            return error;
    }
    for (skip_blanks(r); r->at < r->end && is_line_end(*r->at); skip_blanks(r))
        skip_line(r);
    if (r->at < r->end)
        return vs_fail(r->context, VS_ERROR_DATA, "%s:%d: more than NPTS = %d values; correct NPTS", r->name, r->line,
                       count);
    return VS_OK;
}

static vs_error read_at2(reading *r) {
    int count = 0;
    double step = 0;
    for (int k = 0; k < 3; k++) {
        if (k == 2 && !find_word(r, "UNITS OF G"))
            return vs_fail(r->context, VS_ERROR_DATA,
                           "%s:3: expected '… IN UNITS OF G': .AT2 files are accelerograms of PEER; rename a file in "
                           "another format",
                           r->name);
        skip_line(r);
    }
    vs_error error = read_at2_sizes(r, &count, &step);
    return error ? error : read_at2_values(r, count, step);
}

// ---- baseline --------------------------------------------------------------------------------------

typedef struct motion {
    double velocity, displacement;           // at the end
    double peak_velocity, peak_displacement; // at the samples
} motion;

static motion integrate(const double *time, const double *value, int count) {
    motion m = {0};
    for (int k = 1; k < count; k++) {
        const double d = time[k] - time[k - 1], a = value[k - 1], b = value[k];
        m.displacement += d * m.velocity + d * d * (2 * a + b) / 6;
        m.velocity += .5 * d * (a + b);
        m.peak_velocity = fmax(m.peak_velocity, fabs(m.velocity));
        m.peak_displacement = fmax(m.peak_displacement, fabs(m.displacement));
    }
    return m;
}

static void correct(vs_record *record, vs_baseline baseline, const double *time, double *value) {
    const double T = record->end - record->begin, V = record->drift[0], D = record->drift[1];
    if (baseline == VS_BASELINE_NONE || !(T > 0))
        return;
    const double q = baseline == VS_BASELINE_DISPLACEMENT ? (6 * V * T - 12 * D) / (T * T * T) : 0;
    record->removed[0] = V / T - .5 * q * T;
    record->removed[1] = q;
    for (int k = 0; k < record->samples; k++)
        value[k] -= record->removed[0] + q * (time[k] - record->begin);
}

// ---- the record ------------------------------------------------------------------------------------

// The samples as a table. If it `rests` outside, as accelerograms and corrected records do, the value there is 0: a jump at either end.
static vs_error make_table(const reading *r, bool rests, vs_signal *table) {
    const int count = (int)r->time.count, before = rests && r->time.data[0] > 0, room = count + before + rests;
    double *time = vs_allocate(r->context, 2 * sizeof(double) * (size_t)room), *value = time ? time + room : NULL;
    if (!time)
        return vs_fail_memory(r->context);
    time[0] = r->time.data[0];
    time[room - 1] = r->time.data[count - 1];
    value[0] = value[room - 1] = 0;
    memcpy(time + before, r->time.data, sizeof(double) * (size_t)count);
    memcpy(value + before, r->value.data, sizeof(double) * (size_t)count);
    *table = (vs_signal){.kind = VS_SIGNAL_TABLE, .time = time, .sample = value, .count = room};
    return VS_OK;
}

static vs_error finish(reading *r, bool at2, vs_record **out) {
    const int count = (int)r->time.count;
    double *time = r->time.data, *value = r->value.data;
    if (!time || !value)
        return vs_fail(r->context, VS_ERROR_DATA, "%s: has no numbers", r->name);
    const motion file = integrate(time, value, count);
    vs_record made = {.samples = count, .hash = r->hash, .begin = time[0], .end = time[count - 1]};
    made.drift[0] = file.velocity;
    made.drift[1] = file.displacement;
    correct(&made, r->options->baseline, time, value);
    const motion left = integrate(time, value, count);
    made.peak_integral = left.peak_velocity;
    made.peak_double_integral = left.peak_displacement;
    for (int k = 0; k < count; k++)
        made.peak = fmax(made.peak, fabs(value[k]));
    vs_record *record = vs_allocate(r->context, sizeof *record);
    if (!record || make_table(r, at2 || r->options->baseline != VS_BASELINE_NONE, &made.signal)) {
        vs_release(r->context, record);
        return vs_fail_memory(r->context);
    }
    *record = made;
    *out = record;
    return VS_OK;
}

vs_record_options vs_record_options_default(void) {
    return (vs_record_options){.column = 2, .time_column = 1, .scale = 1};
}

static vs_error check_options(vs_context *context, const vs_record_options *o) {
    if (o->column < 1 || o->time_column < 1)
        return vs_fail(context, VS_ERROR_ARGUMENT, "record: columns count from 1, they are %d and %d", o->column,
                       o->time_column);
    if (o->skip < 0 || !(o->step >= 0) || isinf(o->step))
        return vs_fail(context, VS_ERROR_ARGUMENT, "record: skip is %d, step is %g s; they must not be negative",
                       o->skip, o->step);
    if (!isfinite(o->scale))
        return vs_fail(context, VS_ERROR_ARGUMENT, "record: scale is not finite");
    if ((unsigned)o->baseline > VS_BASELINE_DISPLACEMENT)
        return vs_fail(context, VS_ERROR_ARGUMENT, "record: unknown baseline %d", (int)o->baseline);
    return VS_OK;
}

// The mark at the beginning of UTF-8 files is skipped; UTF-16 has zero bytes between its digits.
static vs_error skip_mark(reading *r, size_t length) {
    if (length >= 3 && memcmp(r->at, "\xEF\xBB\xBF", 3) == 0)
        r->at += 3;
    else if (length >= 2 && (memcmp(r->at, "\xFF\xFE", 2) == 0 || memcmp(r->at, "\xFE\xFF", 2) == 0))
        return vs_fail(r->context, VS_ERROR_DATA, "%s:1: is UTF-16; save it as plain text (ASCII or UTF-8)", r->name);
    return VS_OK;
}

vs_error vs_record_parse(vs_context *context, const char *name, const char *text, size_t length,
                         const vs_record_options *options, vs_record **record) {
    const vs_record_options standard = vs_record_options_default();
    reading r = {.context = context, .options = options ? options : &standard, .name = name, .line = 1};
    r.at = text;
    r.end = text + length;
    r.hash = vs_hash_bytes(VS_HASH_EMPTY, text, length);
    const char *dot = strrchr(name, '.');
    const bool at2 = dot && strcasecmp(dot, ".at2") == 0;
    vs_plain_locale plain;
    vs_error error = check_options(context, r.options);
    if (!error)
        error = skip_mark(&r, length);
    if (error)
        return error;
    if (!vs_plain_locale_enter(&plain))
        return vs_fail_memory(context);
    error = at2 ? read_at2(&r) : read_columns(&r);
    vs_plain_locale_leave(&plain);
    if (!error)
        error = finish(&r, at2, record);
    VS_ARRAY_RELEASE(context, &r.time);
    VS_ARRAY_RELEASE(context, &r.value);
    return error;
}

vs_error vs_record_read(vs_context *context, const char *path, const vs_record_options *options, vs_record **record) {
    if (record)
        *record = NULL;
    if (!context || !path || !record)
        return vs_fail(context, VS_ERROR_ARGUMENT, "record: an argument is null");
    char *text;
    size_t length = 0;
    vs_error error = vs_file_load(context, path, &text, &length);
    if (!error)
        error = vs_record_parse(context, path, text, length, options, record);
    vs_release(context, text);
    return error;
}

void vs_record_destroy(vs_context *context, vs_record *record) {
    if (!record)
        return;
    vs_release(context, (void *)record->signal.time);
    vs_release(context, record);
}
