// Checks of a scene file: what it does not state, so that a default applies, and numbers that look like degrees.
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/system/path.h"
#include "check/checks.h"

static const double TURN = 6.2832; // rad
static const double ROUGHEST = 10; // friction coefficient; rubber has up to 2, and 5 stands for no sliding
static const double WATER = 1000;  // kg/m^3, the default density

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static const char *name_of(const json_t *body) {
    const char *name = text_of(body, "name");
    return name[0] ? name : "a body without a name";
}

static bool is_dynamic(const json_t *body) {
    const char *motion = text_of(body, "motion");
    return !motion[0] || strcmp(motion, "dynamic") == 0;
}

// ---- friction ----------------------------------------------------------------------------------------------------

static bool states_friction(const json_t *material) {
    return json_object_get(material, "mu") || json_object_get(material, "static_mu");
}

static void check_coefficients(const json_t *materials, app_findings *f) {
    const char *name;
    const json_t *material;
    json_object_foreach((json_t *)materials, name, material) {
        const double mu = json_number_value(json_object_get(material, "mu"));
        if (mu >= ROUGHEST)
            app_finding_add(f, "rough",
                            "material %.40s: mu = %.4g; mu is the coefficient, the tangent of the angle of friction%s",
                            name, mu, mu < 90 ? " (is it an angle in degrees?)" : "");
    }
}

static bool has_shapes(const json_t *body) {
    return json_object_get(body, "shape") || json_object_get(body, "shapes");
}

// The material of a body's first shape is that of the body here: shapes with materials of their own count as stated.
static bool is_covered(const json_t *root, const json_t *body) {
    const json_t *materials = json_object_get(root, "materials");
    const char *name = text_of(body, "material");
    if (json_object_get(body, "shapes"))
        return json_object_size(materials) > 0;
    if (!name[0] && json_object_size(materials) > 0) {
        void *first = json_object_iter((json_t *)materials);
        return states_friction(json_object_iter_value(first));
    }
    return states_friction(json_object_get(materials, name));
}

static bool pairs_state_friction(const json_t *root) {
    size_t k;
    const json_t *pair;
    json_array_foreach(json_object_get(root, "pairs"), k, pair) {
        if (states_friction(pair))
            return true;
    }
    return false;
}

// Whether a joint names the body: parts of mechanisms often touch nothing.
static bool is_joined(const json_t *root, const json_t *body) {
    const char *name = text_of(body, "name");
    size_t k, i;
    const json_t *joint, *point;
    json_array_foreach(json_object_get(root, "joints"), k, joint) {
        if (strcmp(text_of(joint, "a"), name) == 0 || strcmp(text_of(joint, "b"), name) == 0)
            return name[0] != '\0';
        json_array_foreach(json_object_get(joint, "path"), i, point) {
            if (name[0] && strcmp(text_of(point, "body"), name) == 0)
                return true;
        }
    }
    return false;
}

static void check_friction(const json_t *root, app_findings *f) {
    size_t k;
    const json_t *body, *first = NULL;
    int shaped = 0, uncovered = 0, moving = 0;
    check_coefficients(json_object_get(root, "materials"), f);
    json_array_foreach(json_object_get(root, "bodies"), k, body) {
        if (!has_shapes(body))
            continue;
        shaped += json_object_get(body, "array") ? 2 : 1;
        moving += is_dynamic(body) && !is_joined(root, body);
        if (!is_covered(root, body) && uncovered++ == 0)
            first = body;
    }
    if (shaped < 2 || moving == 0 || uncovered == 0 || pairs_state_friction(root))
        return;
    if (uncovered < shaped)
        app_finding_add(f, "friction",
                        "%.60s: its material states no friction coefficient, so that mu is 0.5; state \"mu\"",
                        name_of(first));
    else
        app_finding_add(f, "friction",
                        "no friction coefficient is stated, so that mu is 0.5 everywhere; state \"mu\" in "
                        "\"materials\"");
}

// ---- density -----------------------------------------------------------------------------------------------------

static bool is_stone(const char *name) {
    static const char *const stones[] = {"stone", "brick", "masonry", "voussoir", "granite", "marble", "concrete"};
    char small[64];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof small; n++)
        small[n] = (char)tolower((unsigned char)name[n]);
    small[n] = '\0';
    for (size_t k = 0; k < sizeof stones / sizeof stones[0]; k++)
        if (strstr(small, stones[k]))
            return true;
    return false;
}

// A density that is an expression counts as another one.
static bool is_of_water(const json_t *body) {
    const json_t *density = json_object_get(body, "density");
    return !density || (json_is_number(density) && fabs(json_number_value(density) - WATER) < 1e-3 * WATER);
}

static void check_density(const json_t *root, app_findings *f) {
    size_t k;
    const json_t *body, *first = NULL;
    int count = 0;
    json_array_foreach(json_object_get(root, "bodies"), k, body) {
        if (is_dynamic(body) && json_object_get(body, "shape") && !json_object_get(body, "mass") && is_of_water(body) &&
            (is_stone(text_of(body, "material")) || is_stone(text_of(body, "name"))) && count++ == 0)
            first = body;
    }
    char who[APP_FINDING_NAMES];
    if (count == 0)
        return;
    app_finding_names(name_of(first), count, who);
    app_finding_add(f, "water", "%s: 1000 kg/m^3, the density of water%s; stone has 2000 to 2700", who,
                    json_object_get(first, "density") ? "" : " and the default");
}

// ---- angles ------------------------------------------------------------------------------------------------------

// 90, -45, 180: nobody writes that in radians.
static bool is_degrees(double x) {
    return fabs(x) >= 10 && fabs(x) <= 360 && fmod(fabs(x), 5) == 0;
}

static void check_rotation(const json_t *of, const char *what, const char *name, app_findings *f) {
    const double angle = json_number_value(json_object_get(json_object_get(of, "rotation"), "angle"));
    if (fabs(angle) > TURN)
        app_finding_add(
            f, "degrees",
            "%s %.60s: a rotation of %g rad is more than a turn; angles are in radians (%g degrees are %.5g)", what,
            name, angle, angle, angle * TURN / 360);
}

static void check_angles(const json_t *root, app_findings *f) {
    size_t k;
    const json_t *body, *joint;
    json_array_foreach(json_object_get(root, "bodies"), k, body) {
        check_rotation(body, "body", name_of(body), f);
    }
    json_array_foreach(json_object_get(root, "joints"), k, joint) {
        const json_t *limits = json_object_get(joint, "limits");
        const double low = json_number_value(json_array_get(limits, 0)),
                     high = json_number_value(json_array_get(limits, 1));
        check_rotation(json_object_get(joint, "frame"), "joint", text_of(joint, "name"), f);
        if (strcmp(text_of(joint, "kind"), "revolute") == 0 && (low == 0 || is_degrees(low)) &&
            (high == 0 || is_degrees(high)) && (low != 0 || high != 0))
            app_finding_add(f, "limits", "joint %.60s: limits of %g to %g rad are many turns; angles are in radians",
                            text_of(joint, "name"), low, high);
    }
}

void app_check_file(const char *path, app_findings *f) {
    json_t *root = app_has_extension(path, ".json") ? json_load_file(path, 0, NULL) : NULL;
    if (root) {
        check_friction(root, f);
        check_density(root, f);
        check_angles(root, f);
    }
    json_decref(root);
}
