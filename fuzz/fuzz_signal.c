// Bytes become an expression or a record. The first byte chooses: an expression with a parameter, columns of numbers or an
// accelerogram, and how it is read. The result must be finite samples in ascending order, or a value, or an error with a text.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "signal/expression.h"
#include "signal/record.h"
#include "signal/signal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good) {
    if (!good)
        abort();
}

static bool find(const void *user, const char *name, size_t length, double *value) {
    (void)user;
    *value = 2;
    return length == 1 && name[0] == 'a';
}

static void try_expression(vs_context *context, const char *text) {
    vs_expression *e = NULL;
    const vs_error error = vs_expression_compile(context, text, find, NULL, &e);
    check((error == VS_OK) == (e != NULL));
    check(e || (error == VS_ERROR_DATA && strncmp(vs_context_get_error_text(context), "column ", 7) == 0));
    if (e)
        check(vs_expression_has_time(e) || isfinite(vs_expression_at(e, 1)));
    vs_expression_release(context, e);
}

static void try_record(vs_context *context, const char *text, size_t size, uint8_t choice) {
    vs_record_options o = vs_record_options_default();
    vs_record *r = NULL;
    o.baseline = (vs_baseline)(choice / 8 % 3);
    o.step = choice & 4 ? .1 : 0;
    const vs_error error = vs_record_parse(context, choice & 2 ? "a.AT2" : "a.csv", text, size, &o, &r);
    check((error == VS_OK) == (r != NULL));
    if (!r) {
        check(error == VS_ERROR_DATA && vs_context_get_error_text(context)[0] != 0);
        return;
    }
    for (int k = 1; k < r->samples; k++)
        check(r->signal.time[k] >= r->signal.time[k - 1]);
    vs_record_destroy(context, r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    vs_context *context = NULL;
    if (size < 1 || vs_context_create(NULL, &context))
        return 0;
    const uint8_t choice = *data++;
    char *text = malloc(size);
    check(text != NULL);
    memcpy(text, data, size - 1);
    text[size - 1] = 0;
    if (choice & 1)
        try_expression(context, text);
    else
        try_record(context, text, size - 1, choice);
    free(text);
    vs_context_destroy(context);
    return 0;
}
