// Internals of statics: the assembly as matrices, and its cone program.
//
// Scaled quantities: forces on a block in units of its F_b, forces of a contact in units of its F_c, power in units of F
// times 1 m/s; speeds of rotation times the size R of a block. All three are the mean load of a block, unless loads differ
// so much that the light blocks would be lost in the rounding of the heavy ones (units.c). A contact has the rows n, mu u,
// mu w, so that its friction cone becomes the Lorentz cone; without friction the row n alone.
//
//     x = F_b v / F,  y = D x = (y_n, mu y_T) F_c / F in L        l = F_c (z_n n + mu (z_u u + z_w w)),  z in L
//
// The program has the matrix G = -D and one more column p with the cone p >= 0, which bounds a load factor where that is
// wanted (limit <= cap: a_p = 1, c_p = cap) and is idle elsewhere (a_p = 0, c_p = 1).
#ifndef VS_STATICS_STATICS_DATA_H
#define VS_STATICS_STATICS_DATA_H

#include "statics/cone_program.h"
#include "statics/interfaces.h"

typedef struct vs_block {
    vs_body_id id;
    vs_vec3 centre;        // m
    double size;           // m, R
    double mass;           // kg
    vs_mat3 inertia;       // kg m^2, about the centre, world axes
    vs_vec3 force, torque; // N, N m: weight and loads
    double unit;           // N, F_b
} vs_block;

// One row of a joint: a force, or a moment, on block[1] along the direction, and its opposite on block[0].
typedef struct vs_link {
    int joint;         // of vs_statics
    int block[2];      // -1: not a block
    vs_vec3 point[2];  // m, where it acts on either
    vs_vec3 direction; // unit, world axes
    bool moment;
    bool both; // the next one, or the last one, is its opposite: it allows no motion at all
} vs_link;

// A bound of the normal force of a contact in mortar: sign (z_n - value) >= 0 (strength.c).
typedef struct vs_bound {
    int contact;
    double sign, value; // N
    double strength;    // N, of which it is a bound
} vs_bound;

// Derivatives of a limit load (limit_gradient.c); null until they are asked for.
typedef struct vs_gradient_arrays {
    double *density;         // (blocks)
    double *mu;              // (interfaces)
    vs_vec3 *force, *moment; // (blocks)
    vs_vec3 *point;          // (contacts)
} vs_gradient_arrays;

struct vs_statics {
    vs_context *context;
    vs_statics *around; // the same with polygons around round faces, for mechanisms; null: there are none
    vs_arena arena;
    vs_interfaces interfaces;
    vs_vec3 gravity;       // m/s^2
    vs_block *block;       // (blocks)
    vs_vec3 *axis;         // (3 interfaces) n, u, w
    int *of_contact;       // (contacts) its interface
    double unit;           // N, F
    double *cone_unit;     // (groups of G) N, F_c
    double *mean;          // (groups of G) scaled load from which the margin of a contact counts
    double weight;         // N, sum of |force| over blocks
    vs_rows G;             // groups: contacts, bounds, links, then p
    vs_joint_force *joint; // (joints)
    vs_link *link;         // (links)
    vs_bound *bound;       // (bounds) by contacts; the columns after those of blocks are theirs
    double *pull;          // (contacts) N, largest of mortar: l_n = z_n - pull, z_n of the cone or of its lower bound
    double *shift;         // (columns) part of the load that comes from mortar
    double *load;          // (columns) f, scaled; p: 0
    double *live;          // (columns) load that a factor multiplies
    vs_vec3 live_weight;   // m/s^2, of it: the part in proportion to masses
    vs_gradient_arrays gradient;
    vs_cone_program *program;
    // Work space and results:
    double *c, *a, *x, *target, *total; // (columns)
    double *h, *z, *inner, *optimal;    // (rows)
    double *loose;            // (columns) a motion that opens every contact by 1 at least; known, if `loosened`
    vs_vec3 *force;           // (contacts)
    vs_vec3 *velocity, *spin; // (blocks)
    int blocks;
    int columns; // 6 blocks + bounds + 1; the last one is p
    int joints, links, bounds;
    bool adapted;          // units are not all the same
    bool bonded;           // there is mortar
    bool loosened, jammed; // jammed: there is none
    char refusal[400];     // why there is no verdict; empty: nothing
};

// Fails where there can be no verdict.
vs_error vs_statics_check(const vs_statics *s);
// Axes, and memory for G.
vs_error vs_statics_make_rows(vs_statics *s);
// G from interfaces and blocks, in the present units.
void vs_statics_fill_values(vs_statics *s);
// Puts the tension of mortar into the load, once.
void vs_statics_shift_load(vs_statics *s);
// Units of force (units.c): all the same; or fitted to forces z (rows; null: unknown) that were found, which is false, and
// nothing changes, where loads of blocks do not differ much. z and other vectors lose their meaning.
void vs_statics_reset_units(vs_statics *s);
bool vs_statics_adapt_units(vs_statics *s, const double *z);
// The norm of the load f of a block, scaled; of mortar's part at most what is beside it.
double vs_statics_own_load(const vs_statics *s, const double *f, int block);
// The row of a contact's normal force.
int vs_statics_normal_row(const vs_statics *s, int contact);
// Scaled load of a force and a torque on a block, added to f (columns).
void vs_statics_add_load(const vs_statics *s, int block, vs_vec3 force, vs_vec3 torque, double *f);
// Index of a block; -1: the body is not one.
int vs_statics_find_block(const vs_statics *s, vs_body_id id);
// Direction of a force on an interface as a vector of the rows of the program: force . direction = F q'z, added to q.
void vs_statics_add_component(const vs_statics *s, int k, vs_vec3 direction, double *q);
// Forces and mechanism in world axes, from scaled ones.
void vs_statics_show_forces(vs_statics *s, const double *z);
void vs_statics_show_mechanism(vs_statics *s, const double *x);
// Largest speed of a block, of its centre or its rotation times its size, m/s.
double vs_statics_top_speed(const vs_statics *s, const double *x);

// The verdict of these polygons alone.
vs_error vs_statics_decide(vs_statics *s, vs_statics_result *result);

// Forces z and mechanism x of the margin program (equilibrium.c); margin: its optimum, - infinite if no forces balance the
// load. Adds to iterations. Neither is checked.
enum { VS_STATICS_ADAPTIONS = 3 }; // attempts with units fitted to the last result
vs_error vs_statics_find_margin(vs_statics *s, const double *load, double *z, double *x, double *margin,
                                int *iterations);

#endif
