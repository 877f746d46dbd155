// Expressions: recursive descent to a program in postfix notation, evaluated on a stack.
//
//     sum     = product { (+|-) product }
//     product = unary { (*|/) unary }
//     unary   = (+|-) unary | power
//     power   = atom [ ^ unary ]                    so that -2^2 = -4 and 2^3^2 = 2^9
//     atom    = number | t | pi | $name | function ( sum {, sum} ) | ( sum )
//
// Parentheses and the stack are limited, so that no text exhausts memory or recursion. Evaluation allocates nothing and
// gives the same bits for the same library of mathematical functions.
#include "signal/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/plain_locale.h"

enum {
    TEXT_MOST = 4000, // characters
    NEST_MOST = 50,   // parentheses, signs and exponents within each other
    STACK_MOST = 64,  // values that wait for their operator
};

// ---- functions -------------------------------------------------------------------------------------

static double sign_of(double x) {
    return (x > 0) - (x < 0);
}

static double step_at(double x) {
    return x >= 0;
}

typedef struct function {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
} function;

static const function functions[] = {
    {"abs", fabs, NULL},       {"acos", vs_acos, NULL}, {"asin", vs_asin, NULL}, {"atan", vs_atan, NULL},
    {"atan2", NULL, vs_atan2}, {"ceil", ceil, NULL},    {"cos", vs_cos, NULL},   {"cosh", vs_cosh, NULL},
    {"exp", vs_exp, NULL},     {"floor", floor, NULL},  {"log", vs_ln, NULL},    {"log10", vs_log10, NULL},
    {"max", NULL, fmax},       {"min", NULL, fmin},     {"pow", NULL, vs_pow},   {"sign", sign_of, NULL},
    {"sin", vs_sin, NULL},     {"sinh", vs_sinh, NULL}, {"sqrt", sqrt, NULL},    {"step", step_at, NULL},
    {"tan", vs_tan, NULL},     {"tanh", vs_tanh, NULL},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

// ---- programs --------------------------------------------------------------------------------------

typedef enum code { NUMBER, TIME, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, NEGATE, CALL } code;

typedef struct operation {
    code code;
    int function; // CALL
    double value; // NUMBER
} operation;

struct vs_expression {
    bool has_time;
    VS_ARRAY(operation) program;
};

double vs_expression_at(const vs_expression *e, double time) {
    double stack[STACK_MOST] = {0}, *top = stack; // one above the last value
    for (int64_t k = 0; k < e->program.count; k++) {
        const operation *o = &e->program.data[k];
        const function *f = &functions[o->code == CALL ? o->function : 0];
        switch (o->code) {
        case NUMBER:
            *top++ = o->value;
            break;
        case TIME:
            *top++ = time;
            break;
        case ADD:
            top--, top[-1] += top[0];
            break;
        case SUBTRACT:
            top--, top[-1] -= top[0];
            break;
        case MULTIPLY:
            top--, top[-1] *= top[0];
            break;
        case DIVIDE:
            top--, top[-1] /= top[0];
            break;
        case POWER:
            top--, top[-1] = vs_pow(top[-1], top[0]);
            break;
        case NEGATE:
            top[-1] = -top[-1];
            break;
        case CALL:
            if (f->one)
                top[-1] = f->one(top[-1]);
            else
                top--, top[-1] = f->two(top[-1], top[0]);
            break;
        }
    }
    return stack[0];
}

bool vs_expression_has_time(const vs_expression *e) {
    return e->has_time;
}

void vs_expression_release(vs_context *context, vs_expression *e) {
    if (!e)
        return;
    VS_ARRAY_RELEASE(context, &e->program);
    vs_release(context, e);
}

// ---- parsing ---------------------------------------------------------------------------------------

typedef struct parser {
    vs_context *context;
    const char *text, *at;
    vs_expression_lookup *lookup;
    const void *user;
    vs_expression *out;
    int nest, height; // parentheses and the like; values on the stack
    vs_error error;   // the first one
} parser;

static void fail(parser *p, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void fail(parser *p, const char *at, const char *format, ...) {
    char text[320];
    va_list list;
    if (p->error)
        return;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    p->error = vs_fail(p->context, VS_ERROR_DATA, "column %d: %s", (int)(at - p->text) + 1, text);
}

// Appends an operation that changes the number of values on the stack by `change`.
static void emit(parser *p, operation o, int change) {
    if (p->error)
        return;
    p->height += change;
    if (p->height > STACK_MOST)
        fail(p, p->at, "more than %d values wait for an operator; simplify the expression", STACK_MOST);
    else
        p->error = VS_RESERVE(p->context, &p->out->program, p->out->program.count + 1);
    if (!p->error)
        p->out->program.data[p->out->program.count++] = o;
}

static char peek(parser *p) {
    while (isspace((unsigned char)*p->at))
        p->at++;
    return p->error ? 0 : *p->at;
}

static bool accept(parser *p, char wanted) {
    if (peek(p) != wanted)
        return false;
    p->at++;
    return true;
}

static void expect(parser *p, char wanted, const char *why) {
    const char found = peek(p);
    if (found == wanted)
        p->at++;
    else if (found)
        fail(p, p->at, "expected '%c' %s, found '%.12s'", wanted, why, p->at);
    else
        fail(p, p->at, "expected '%c' %s, found the end", wanted, why);
}

static bool begins_name(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

static size_t name_length(const char *at) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

static bool is(const char *at, size_t length, const char *name) {
    return strlen(name) == length && strncmp(at, name, length) == 0;
}

static void parse_sum(parser *p);

// Decimal only: strtod() also reads hexadecimal numbers, infinities and nan.
static void parse_number(parser *p) {
    const char *from = p->at;
    size_t length = strspn(from, "0123456789");
    if (from[length] == '.')
        length += 1 + strspn(from + length + 1, "0123456789");
    const size_t sign =
        from[length] == 'e' || from[length] == 'E' ? (from[length + 1] == '-' || from[length + 1] == '+') : 0;
    if ((from[length] == 'e' || from[length] == 'E') && isdigit((unsigned char)from[length + 1 + sign]))
        length += 1 + sign + strspn(from + length + 1 + sign, "0123456789");
    char copy[64];
    if (length >= sizeof copy || (length == 1 && from[0] == '.')) {
        fail(p, from, "'%.12s' is not a number", from);
        return;
    }
    memcpy(copy, from, length);
    copy[length] = 0;
    const double value = strtod(copy, NULL);
    if (!isfinite(value))
        fail(p, from, "'%s' is too large", copy);
    p->at = from + length;
    emit(p, (operation){.code = NUMBER, .value = value}, 1);
}

static void parse_parameter(parser *p) {
    const char *from = p->at++;
    const size_t length = name_length(p->at);
    double value = 0;
    if (length == 0 || !begins_name(*p->at))
        fail(p, from, "the name of a parameter follows '$', for instance $mu");
    else if (!p->lookup || !p->lookup(p->user, p->at, length, &value))
        fail(p, from, "there is no parameter '%.*s'%s", (int)(length < 40 ? length : 40), p->at,
             p->lookup ? "; add it to \"parameters\"" : " here");
    p->at += length;
    emit(p, (operation){.code = NUMBER, .value = value}, 1);
}

static void parse_call(parser *p, int index) {
    const function *f = &functions[index];
    expect(p, '(', "after a function");
    parse_sum(p);
    if (f->two) {
        expect(p, ',', "and a second argument");
        parse_sum(p);
    }
    if (peek(p) == ',')
        fail(p, p->at, "%s has %s", f->name, f->two ? "two arguments" : "one argument");
    expect(p, ')', "after the arguments");
    emit(p, (operation){.code = CALL, .function = index}, f->two ? -1 : 0);
}

static void fail_unknown(parser *p, const char *name, size_t length) {
    char list[240] = "t, pi";
    for (int k = 0; k < FUNCTIONS; k++) {
        const size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, ", %s", functions[k].name);
    }
    fail(p, name, "'%.*s' is unknown; parameters begin with $, known are: %s", (int)(length < 20 ? length : 20), name,
         list);
}

static void parse_name(parser *p) {
    static const double PI = 3.141592653589793;
    const char *name = p->at;
    const size_t length = name_length(name);
    p->at += length;
    if (is(name, length, "t")) {
        p->out->has_time = true;
        emit(p, (operation){.code = TIME}, 1);
        return;
    }
    if (is(name, length, "pi")) {
        emit(p, (operation){.code = NUMBER, .value = PI}, 1);
        return;
    }
    for (int k = 0; k < FUNCTIONS; k++)
        if (is(name, length, functions[k].name)) {
            parse_call(p, k);
            return;
        }
    fail_unknown(p, name, length);
}

static void parse_atom(parser *p) {
    const char c = peek(p);
    if (c == '(') {
        p->at++;
        parse_sum(p);
        expect(p, ')', "to close a parenthesis");
    } else if (c == '$') {
        parse_parameter(p);
    } else if (isdigit((unsigned char)c) || c == '.') {
        parse_number(p);
    } else if (begins_name(c)) {
        parse_name(p);
    } else if (c) {
        fail(p, p->at, "expected a number, a name or '(', found '%.12s'", p->at);
    } else {
        fail(p, p->at, "expected a number, a name or '(', found the end");
    }
}

// All recursion passes here.
static void parse_unary(parser *p) {
    if (++p->nest > NEST_MOST)
        fail(p, p->at, "parentheses, signs or exponents nest deeper than %d", NEST_MOST);
    if (accept(p, '-')) {
        parse_unary(p);
        emit(p, (operation){.code = NEGATE}, 0);
    } else if (accept(p, '+')) {
        parse_unary(p);
    } else {
        parse_atom(p);
        if (accept(p, '^')) {
            parse_unary(p);
            emit(p, (operation){.code = POWER}, -1);
        }
    }
    p->nest--;
}

static void parse_product(parser *p) {
    parse_unary(p);
    for (char c = peek(p); c == '*' || c == '/'; c = peek(p)) {
        p->at++;
        parse_unary(p);
        emit(p, (operation){.code = c == '*' ? MULTIPLY : DIVIDE}, -1);
    }
}

static void parse_sum(parser *p) {
    parse_product(p);
    for (char c = peek(p); c == '+' || c == '-'; c = peek(p)) {
        p->at++;
        parse_product(p);
        emit(p, (operation){.code = c == '+' ? ADD : SUBTRACT}, -1);
    }
}

static void parse(parser *p) {
    if (strlen(p->text) > TEXT_MOST)
        fail(p, p->text + TEXT_MOST, "an expression has at most %d characters", TEXT_MOST);
    if (!p->error && !peek(p))
        fail(p, p->at, "the expression is empty");
    parse_sum(p);
    if (peek(p))
        fail(p, p->at, "expected an operator, found '%.12s'", p->at);
    // Without t it is a number already.
    const double value = !p->error && !p->out->has_time ? vs_expression_at(p->out, 0) : 0;
    if (!isfinite(value))
        fail(p, p->text, "the value is %s", isnan(value) ? "not a number" : "infinite");
}

vs_error vs_expression_compile(vs_context *context, const char *text, vs_expression_lookup *lookup, const void *user,
                               vs_expression **expression) {
    vs_plain_locale plain;
    *expression = NULL;
    vs_expression *made = vs_allocate(context, sizeof *made);
    if (!made || !vs_plain_locale_enter(&plain)) {
        vs_release(context, made);
        return vs_fail_memory(context);
    }
    *made = (vs_expression){0};
    parser p = {.context = context, .text = text, .at = text, .lookup = lookup, .user = user, .out = made};
    parse(&p);
    vs_plain_locale_leave(&plain);
    if (p.error)
        vs_expression_release(context, made);
    else
        *expression = made;
    return p.error;
}
