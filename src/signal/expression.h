// Expressions of the time t and of named parameters, compiled once and evaluated at any time.
#ifndef VS_SIGNAL_EXPRESSION_H
#define VS_SIGNAL_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/context.h"

typedef struct vs_expression vs_expression;

// The value of "$name", whose `length` characters are not followed by a zero. false: there is none.
typedef bool vs_expression_lookup(const void *user, const char *name, size_t length, double *value);

// VS_ERROR_DATA with a text that begins with the column of the error. Null lookup: there are no parameters.
vs_error vs_expression_compile(vs_context *context, const char *text, vs_expression_lookup *lookup, const void *user,
                               vs_expression **expression);
void vs_expression_release(vs_context *context, vs_expression *e); // null is allowed
double vs_expression_at(const vs_expression *e, double time);
bool vs_expression_has_time(const vs_expression *e); // does it depend on t?

#endif
