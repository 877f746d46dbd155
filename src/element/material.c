// Isotropic materials: a small library, and the validity of a material.
//
// Values are at room temperature and rounded: of a class of materials, not of a sample. Sources:
//     [EN]   EN 1993-1-1 (steel), EN 1999-1-1 (aluminium), EN 1992-1-1 (concrete), the design values
//     [G]    J. M. Gere, Mechanics of Materials, 6th ed., appendix H: ranges of properties. Also in
//            web.mst.edu/jthomas/classes/2211/lessons/thermal/assignment/example_properties.html, whose ranges hold E
//            and nu of all [G] but titanium, which is not listed (other tables have 114e9 … 120e9 and 0.33 … 0.36)
//     [FPL]  Wood Handbook, USDA Forest Products Laboratory, ch. 5: along the grain. Wood is not isotropic; as an
//            isotropic material it represents beams that bend along the grain
//     [M]    suppliers' data sheets of the plastic, injection moulded; printed parts are softer
//     [A]    M. F. Ashby, Materials Selection in Mechanical Design, appendix: ranges of properties
// Rubber is nearly incompressible: nu = 0.49 locks 4-node tetrahedra, use 10-node ones.
#include "element/material.h"

#include <math.h>
#include <string.h>

static const vs_elastic_material LIBRARY[] = {
    {"steel", 7850, 210e9, 0.30, 0, 0},           // [EN]
    {"stainless-steel", 7900, 200e9, 0.30, 0, 0}, // [EN] austenitic
    {"cast-iron", 7200, 110e9, 0.26, 0, 0},       // [G] grey
    {"aluminium", 2700, 70e9, 0.33, 0, 0},        // [EN] 0.30 there, 0.33 measured [G]
    {"titanium", 4430, 114e9, 0.34, 0, 0},        // [G] Ti-6Al-4V
    {"copper", 8940, 117e9, 0.34, 0, 0},          // [G]
    {"brass", 8500, 100e9, 0.34, 0, 0},           // [G]
    {"glass", 2500, 70e9, 0.22, 0, 0},            // [G] soda lime
    {"concrete", 2400, 33e9, 0.20, 0, 0},         // [EN] C30/37, uncracked
    {"granite", 2700, 60e9, 0.25, 0, 0},          // [G]
    {"brick", 1900, 15e9, 0.20, 0, 0},            // [A]
    {"wood", 450, 11e9, 0.37, 0, 0},              // [FPL] spruce
    {"oak", 680, 12.3e9, 0.37, 0, 0},             // [FPL] white oak
    {"pla", 1240, 3.5e9, 0.36, 0, 0},             // [M]
    {"abs", 1050, 2.2e9, 0.35, 0, 0},             // [M]
    {"nylon", 1140, 2.7e9, 0.40, 0, 0},           // [M] PA6, dry
    {"polycarbonate", 1200, 2.3e9, 0.37, 0, 0},   // [M]
    {"hdpe", 950, 1.0e9, 0.42, 0, 0},             // [M]
    {"rubber", 1100, 5e6, 0.49, 0, 0},            // filled, about 68 Shore A (Gent's relation); [G] 0.7e6 … 4e6
    {"silicone", 1100, 1e6, 0.49, 0, 0},          // [A] soft
    {"foam", 50, 0.1e6, 0.10, 0, 0},              // [A] flexible polyurethane
};
enum { COUNT = sizeof LIBRARY / sizeof LIBRARY[0] };

int vs_elastic_material_count(void) {
    return COUNT;
}

vs_elastic_material vs_elastic_material_at(int index) {
    return index >= 0 && index < COUNT ? LIBRARY[index] : (vs_elastic_material){0};
}

const vs_elastic_material *vs_elastic_material_find(const char *name) {
    for (int k = 0; name && k < COUNT; k++)
        if (strcmp(LIBRARY[k].name, name) == 0)
            return &LIBRARY[k];
    return NULL;
}

vs_error vs_elastic_material_validate(vs_context *context, const vs_elastic_material *m) {
    const char *name = m->name ? m->name : "(nameless)";
    // "not (x > 0)" is also true of NaN
    if (!(m->density > 0 && isfinite(m->density)))
        return vs_fail(context, VS_ERROR_DATA, "material %s: density must be positive (%g kg/m^3)", name, m->density);
    if (!(m->young > 0 && isfinite(m->young)))
        return vs_fail(context, VS_ERROR_DATA, "material %s: Young's modulus must be positive (%g Pa)", name, m->young);
    if (!(m->poisson > -1 && m->poisson < .5))
        return vs_fail(context, VS_ERROR_DATA, "material %s: Poisson's ratio must be in (-1, 0.5) (%g)", name,
                       m->poisson);
    if (!(m->alpha >= 0 && isfinite(m->alpha)))
        return vs_fail(context, VS_ERROR_DATA, "material %s: damping alpha must not be negative (%g 1/s)", name,
                       m->alpha);
    if (!(m->beta >= 0 && isfinite(m->beta)))
        return vs_fail(context, VS_ERROR_DATA, "material %s: damping beta must not be negative (%g s)", name, m->beta);
    return VS_OK;
}
