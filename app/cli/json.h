// JSON output: values, and the objects that several commands print. Numbers that do not exist are null.
#ifndef VS_APP_CLI_JSON_H
#define VS_APP_CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "voussoir/geometry.h"
#include "voussoir/measure.h"
#include "voussoir/problem.h"

json_t *app_json_number(double x); // JSON has no infinities and no NaN: null
json_t *app_json_count(int64_t x);
json_t *app_json_vector(vs_vec3 v);   // [x, y, z]
json_t *app_json_text(const char *s); // null: null; bytes that are not UTF-8 become '?'
// Takes ownership of the value. Without memory the key is missing.
void app_json_put(json_t *object, const char *key, json_t *value);
json_t *app_json_problem(const vs_problem_info *i);
void app_json_put_measures(json_t *o, const vs_measures *m);
// Prints and releases an object: indented, or on one line with `line`. false: complained.
bool app_json_print(json_t *object, bool line);

#endif
