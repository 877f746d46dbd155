// Statics of rigid blocks with dry joints, mortar and ties: does an assembly stand in its given geometry, how much can it
// carry, how does it fall. Answers are certificates: contact forces in equilibrium, or a mechanism that no forces can resist.
//
//     stands   D'l + f = 0,  l in K          forces l in the friction cones balance the loads f
//     falls    D v in K*,    f'v > 0         the loads do work on a motion v that the contacts allow (Farkas' lemma)
//
// Blocks meet in interfaces, found face to face and independent of the collision envelope of a simulation. Each corner of
// an interface carries a force: any pressure on the interface has the resultant of such forces. Friction about the normal of
// an interface (torsion) is overestimated by forces at its corners.
//
// Sliding is associated: a joint that slides opens by mu times the slip. An assembly for which no equilibrium exists falls
// under Coulomb's law, too; one that has an equilibrium may still fall, if it was not built so that its forces arise.
#ifndef VOUSSOIR_STATICS_H
#define VOUSSOIR_STATICS_H

#include <stdbool.h>

#include "voussoir/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_statics vs_statics;

// ---- interfaces --------------------------------------------------------------------------------------

// How faces are matched; start from vs_interface_options_default().
typedef struct vs_interface_options {
    double angle;    // rad, largest angle between a face and the opposite of its partner; default 0.01
    double distance; // largest gap or overlap, relative to the size of the smaller stone; default 1e-3
    // s, at which gravity and loads that change with time are taken, and supports that move are at rest in their present
    // place, of which it must be the time. NaN, the default: both are refused
    double time;
    // In which direction round faces are followed exactly. They become polygons, inside of them for forces and around them for
    // mechanisms, so that both are proved for the round faces, and factors of loads in other directions have bounds up to
    // 0.24 % apart. Default 0: that of gravity, where it is not across the faces; else x of the collider
    vs_vec3 toward;
} vs_interface_options;

// Two bodies that meet: in a polygon, or in single points where no faces meet.
typedef struct vs_interface {
    vs_body_id a, b;
    vs_vec3 normal;             // unit, from a to b, world axes
    vs_vec3 centre;             // m, of the polygon; the mean of points
    double area;                // m^2; 0: points
    double gap_least, gap_most; // m, at the corners; negative: overlap
    double mu;                  //
    int first, corners;         // its contacts: first … first + corners - 1
} vs_interface;

// All interfaces together.
typedef struct vs_interface_report {
    int interfaces, contacts;
    int points;           // interfaces without area
    int faces;            // of blocks
    int unmatched;        // faces without a partner
    int isolated;         // blocks without any interface
    double area;          // m^2
    double gap, overlap;  // m, largest
    vs_body_id gap_at[2]; // of the largest gap
    vs_body_id overlap_at[2];
} vs_interface_report;

VS_API vs_interface_options vs_interface_options_default(void);

// Finds the interfaces of a world in its present state and takes its gravity and loads. Destroy with vs_statics_destroy().
// Null options: the defaults. The world may change or be destroyed afterwards. Joints carry what they must, a distance joint with
// limits only pulls at the upper and only pushes at the lower one; mortar has its full strength everywhere at once (bond.h).
// VS_ERROR_UNSUPPORTED, with a text, for motors, springs, gears, joint friction, limits of other joints, mortar with dilatancy,
// flexible bodies, adhesion, rolling friction, friction with a grain, meshes and height fields. Contacts are rigid,
// friction is that at rest. The same for loads that change and for supports that move, unless options tell the time, and for
// moving surfaces. Where bodies overlap by more than the distance of the options, what follows from forces fails with
// VS_ERROR_DATA and a text that names them.
VS_API vs_error vs_statics_create(const vs_world *world, const vs_interface_options *options, vs_statics **statics);
VS_API void vs_statics_destroy(vs_statics *statics); // null is allowed
VS_API vs_interface_report vs_statics_get_report(const vs_statics *statics);
// Interfaces k = 0 … report.interfaces - 1; VS_ERROR_ARGUMENT for another k.
VS_API vs_error vs_statics_get_interface(const vs_statics *statics, int k, vs_interface *found);
// Position of a contact, m; zero if there is none of this number.
VS_API vs_vec3 vs_statics_get_point(const vs_statics *statics, int contact);

// Blocks (dynamic bodies): k = 0 … count - 1; the zero id for another k.
VS_API int vs_statics_get_block_count(const vs_statics *statics);
VS_API vs_body_id vs_statics_get_block(const vs_statics *statics, int k);
// Sum of the forces on all blocks without contacts: their weights and loads, as lengths of vectors; N.
VS_API double vs_statics_get_weight(const vs_statics *statics);
// Number of joints of the world.
VS_API int vs_statics_get_joint_count(const vs_statics *statics);

// ---- equilibrium -------------------------------------------------------------------------------------

typedef enum vs_verdict {
    VS_VERDICT_STANDS,   // forces in equilibrium were found and checked
    VS_VERDICT_FALLS,    // a mechanism was found and checked
    VS_VERDICT_UNDECIDED // neither: at the limit both vanish
} vs_verdict;
VS_API const char *vs_verdict_name(vs_verdict verdict); // "stands", "falls", "undecided"

// What a joint carries.
typedef struct vs_joint_force {
    vs_joint_id id;
    vs_vec3 force, torque; // on b, at the origin of its frame; N, N m, world axes
    double tension;        // N, of a distance joint: > 0 pulls
    bool slack;            // a distance joint within its limits: it carries nothing
} vs_joint_force;

// Forces that prove an equilibrium.
typedef struct vs_force_certificate {
    bool holds;      // all forces are in their cones, and the residual is rounding
    double residual; // largest |D'l + f| / |f| of a block, f its own load; moments divided by the size of the block
    double margin;   // least distance of a force from the surface of its cone, N
    const vs_vec3 *force;        // (contacts) on b of the interface, world axes, N; null: none was found
    const vs_joint_force *joint; // (joints) of the world, in its order; null: none was found
} vs_force_certificate;

// A motion that proves that there is no equilibrium.
typedef struct vs_mechanism {
    bool holds;       // the loads do work on it, and the contacts allow it
    bool exact;       // D v is in K* without any violation
    double power;     // f'v, W, with the largest speed of a block 1 m/s
    double violation; // largest, m/s; 0 if exact
    double reach;     // an equilibrium would need normal forces with a sum above this many weights; infinite if exact
    const vs_vec3 *velocity, *spin; // (blocks) m/s of the centre of mass, rad/s; world axes. Null: none was found
} vs_mechanism;

// Arrays belong to the statics and are valid until its next call.
typedef struct vs_statics_result {
    vs_verdict verdict;
    // Largest s such that all contacts may keep the distance s W/contacts from the surfaces of their cones, W the weight; at
    // most 1. Negative: so much is missing. If loads of blocks differ too much for that, each contact counts in forces that
    // it was found to carry.
    double margin;
    vs_force_certificate forces;
    vs_mechanism mechanism;
    int iterations; // of the interior-point method
    bool between;   // undecided, because polygons inside of round faces fall and those around them stand
} vs_statics_result;

// Does the assembly stand in its present geometry?
VS_API vs_error vs_statics_solve(vs_statics *statics, vs_statics_result *result);

// Whether Coulomb's law lets an assembly move that has an equilibrium.
typedef struct vs_law_check {
    bool decided;                   // the step was solved to its tolerance
    bool moves;                     // it moves: equilibrium depends on how the forces arose
    double speed;                   // after a step from rest, relative to that of free blocks
    double error;                   // of the step, relative (vs_measures)
    const vs_vec3 *velocity, *spin; // (blocks) as of a mechanism
} vs_law_check;

// One step from rest with the exact law and a small compliance of contacts, which excludes forces that no motion creates.
// VS_ERROR_UNSUPPORTED with joints or mortar.
VS_API vs_error vs_statics_check_law(vs_statics *statics, vs_law_check *check);

// Least and largest component along `direction` (of any length) of the force on b of interface k, N, over all equilibria;
// infinite if there is no bound. VS_ERROR_DATA if there is no equilibrium.
VS_API vs_error vs_statics_find_range(vs_statics *statics, int k, vs_vec3 direction, double range[2]);

// ---- limit loads -------------------------------------------------------------------------------------

// The live load: its factor grows, weights and loads of the world stay. Several add up.
VS_API void vs_statics_clear_live_load(vs_statics *statics);
// The weight of each block, mass times |gravity|, along a direction (of any length). Across gravity, its factor is the
// tangent of the angle by which the ground may be tilted.
VS_API vs_error vs_statics_add_live_weight(vs_statics *statics, vs_vec3 direction);
// A force (N) on a block at a point in world axes; null: at its centre of mass.
VS_API vs_error vs_statics_add_live_force(vs_statics *statics, vs_body_id body, vs_vec3 force, const vs_vec3 *point);

typedef enum vs_limit_status {
    VS_LIMIT_FOUND, // both bounds are proved and agree to 1e-5 of the factor (0.25 % with round faces), or, where it is
                    // zero, to 1e-9 of the load of any block that bears the live load
    VS_LIMIT_UNBOUNDED, // forces carry the live load alone: any factor is possible
    VS_LIMIT_FALLS,     // without the live load already
    VS_LIMIT_UNDECIDED  // a proof is missing; the bounds that were found are valid
} vs_limit_status;
VS_API const char *vs_limit_status_name(vs_limit_status status); // "found", "unbounded", "falls", "undecided"

// Arrays belong to the statics and are valid until its next call of solve or limit.
typedef struct vs_limit_result {
    vs_limit_status status;
    double factor;               // the optimum as computed; NaN: none
    double lower, upper;         // proved bounds; infinite: none
    vs_force_certificate forces; // at the factor `lower`
    vs_mechanism mechanism;      // that forbids more than `upper`; power: of the live load alone
    int iterations;              // of the interior-point method
} vs_limit_result;

// The largest factor of the live load for which an equilibrium exists: the associated load factor, an upper bound of those of
// Coulomb's law without dilatancy.
VS_API vs_error vs_statics_find_limit(vs_statics *statics, vs_limit_result *result);

// Derivatives of a limit load's factor. Arrays belong to the statics and are valid until its next call.
typedef struct vs_limit_gradient {
    const double *density; // (blocks) by the logarithm of a block's density: of 1 % more, a hundredth of it
    const double *mu;      // (interfaces) by the friction coefficient of one interface
    const vs_vec3 *force;  // (blocks) by a dead force at the centre of mass, 1/N
    const vs_vec3 *moment; // (blocks) by a dead moment, 1/(N m)
    const vs_vec3 *point;  // (contacts) by the position of a corner of an interface, masses and normals kept, 1/m
} vs_limit_gradient;

// From the forces and the mechanism of a limit that was found, by the envelope theorem: no further program is solved. Where
// several mechanisms or several states of forces are optimal, the factor has a kink, and this is one of its derivatives.
// VS_ERROR_DATA if the limit was not found; VS_ERROR_UNSUPPORTED with round faces.
VS_API vs_error vs_statics_differentiate_limit(vs_statics *statics, const vs_limit_result *limit,
                                               vs_limit_gradient *gradient);

// A factor at which a mechanism satisfies Coulomb's law without dilatancy, up to an error.
typedef struct vs_nonassociative {
    double factor;  // NaN: none was found
    double error;   // of the law: sum of |l'y| + l_n max(0, -y_n), relative to the power of the live load
    int iterations; // cone programs
    bool converged; // the sequence settled; otherwise it is the best iterate (least error)
} vs_nonassociative;

// Such factors are not unique. Two sequences of cone programs: `high` corrects the dilatancy of the associated solution, `low`
// keeps the friction forces of the last one. Call vs_statics_find_limit() before: nothing is proved here. VS_ERROR_UNSUPPORTED
// with joints or mortar.
VS_API vs_error vs_statics_find_nonassociative(vs_statics *statics, vs_nonassociative *high, vs_nonassociative *low);

#ifdef __cplusplus
}
#endif

#endif
