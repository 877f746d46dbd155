// Trajectories in HDF5 (docs/formats.md): written during a run, readable at the same time, recoverable after a crash.
// VS_ERROR_UNSUPPORTED in a build without HDF5.
#ifndef VOUSSOIR_TRAJECTORY_H
#define VOUSSOIR_TRAJECTORY_H

#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_trajectory_writer vs_trajectory_writer;

typedef struct vs_trajectory_writer_options {
    const char *title; // of /meta
    bool contacts;     // record contacts; default true
    int flush_frames;  // frames between flushes; default 16
    double step;       // s, of /meta; 0: unknown (exports then have impulses, no forces). Default 0
    double frame;      // s between frames that are due; 0: every step. Default 0
} vs_trajectory_writer_options;

VS_API vs_trajectory_writer_options vs_trajectory_writer_options_default(void);
// Creates a file; close it with vs_trajectory_writer_close(). Recorded are the bodies that exist now; bodies added
// later are not. An existing file is replaced. Null options: the defaults.
VS_API vs_error vs_trajectory_writer_create(const char *path, const vs_world *world,
                                            const vs_trajectory_writer_options *options, vs_trajectory_writer **writer);
// Continues a file after the last frame not later than `time` (s). A file left open by a crash is recovered first.
VS_API vs_error vs_trajectory_writer_resume(const char *path, const vs_world *world, double time,
                                            const vs_trajectory_writer_options *options, vs_trajectory_writer **writer);
// Appends a frame. Null simulation: no contacts; null report: the state before the first step.
VS_API vs_error vs_trajectory_writer_write(vs_trajectory_writer *writer, const vs_world *world,
                                           const vs_simulation *simulation, const vs_step_report *report);
// The same with given contacts, for instance the forces of an equilibrium: `impulse` of each is the force on b times
// options.step. Null report: the present state.
VS_API vs_error vs_trajectory_writer_write_contacts(vs_trajectory_writer *writer, const vs_world *world, int count,
                                                    const vs_contact_view *contact, const vs_step_report *report);
// Is a frame due at this time (s)? The first one is, and then one every options.frame.
VS_API bool vs_trajectory_writer_is_due(const vs_trajectory_writer *writer, double time);
// Records a simulation: appends its present state, which a resumed file already has, and from now on each step that is
// due, before the callback `after`. A frame that cannot be written is an error of the step. Closing the writer or
// destroying the simulation ends it. VS_ERROR_UNSUPPORTED for distributed simulations: gather, then write.
VS_API vs_error vs_trajectory_writer_attach(vs_trajectory_writer *writer, vs_simulation *simulation);
// Makes all frames so far visible to readers. Call it before writing a checkpoint: a run resumed from there then finds
// every frame up to it.
VS_API vs_error vs_trajectory_writer_flush(vs_trajectory_writer *writer);
// Flushes, closes the file and destroys the writer, also on failure. Null is allowed.
VS_API vs_error vs_trajectory_writer_close(vs_trajectory_writer *writer);

// ---- reading: a finished file, one being written, or one left open by a crash ------------------------------------

typedef struct vs_trajectory_reader vs_trajectory_reader;

// Properties of a trajectory. Arrays are owned by the reader.
typedef struct vs_trajectory_info {
    int64_t frames; // complete frames when it was opened
    int bodies, joints;
    double step;                  // s, of the simulation; 0: unknown
    vs_vec3 gravity;              // m/s^2
    const int *motion;            // (bodies) 0 dynamic, 1 kinematic, 2 static
    const double *mass;           // (bodies) kg; 0 unless dynamic
    const double *inertia;        // (9 bodies) kg m^2 about the centre of mass, body axes, row by row; 0 unless dynamic
    const char *software;         // that wrote it: a line per library, "name version"; "" if unknown
    const char *const *body_name; // (bodies) "" if unnamed
    const char *const *joint_name; // (joints)
    vs_vec3 period;                // m, after which space repeats itself (world.h); 0: it does not
} vs_trajectory_info;

// Opens a file; close it with vs_trajectory_reader_close().
VS_API vs_error vs_trajectory_reader_open(vs_context *context, const char *path, vs_trajectory_reader **reader);
VS_API void vs_trajectory_reader_close(vs_trajectory_reader *reader); // null is allowed
VS_API const vs_trajectory_info *vs_trajectory_reader_get_info(const vs_trajectory_reader *reader);
// Reads one number per frame: "time" (s), a dataset of /solver such as "energy_error", or one of /energy such as
// "energy/motors", which files before version 0.2 do not have (docs/formats.md). value (frames)
VS_API vs_error vs_trajectory_reader_read_series(vs_trajectory_reader *reader, const char *name, double *value);
// Reads the state of a frame 0 … frames - 1; null: not read. pose (7 bodies): x y z of the centre of mass, w x y z of
// the rotation, NaN once a body was removed; velocity (6 bodies): m/s, rad/s, world axes.
VS_API vs_error vs_trajectory_reader_read_state(vs_trajectory_reader *reader, int64_t frame, double *pose,
                                                double *velocity);

// ---- histories: a quantity of a body, a joint or a pair of bodies over time ----------------------------------------

// A kind of history. Its name has the form NAME:OBJECT or NAME:OBJECT.COMPONENT, for instance "position:drum5.x",
// "speed:drum5", "force:stone3/stone4". Objects without a name are written #0, #1, … by their row in the file, and
// "world" is the fixed frame. Vectors are in world axes; their components are x, y, z and magnitude. Forces are means
// over the last step before a frame: impulse divided by the time step. Before the first step they are unknown: NaN.
// Means over a region, as of a continuum: "normal-stress:-.1:.1,0:2,0:.5.zz", "coordination:all"; the region has ranges
// of x, y and z in m, where a missing end has no bound. Components of tensors are xx, yy, zz, or yz, xz, xy.
typedef struct vs_history_kind {
    const char *name;        // "position"
    const char *object;      // "BODY"
    const char *unit;        // "m"
    const char *description; // one line
    bool vector;             // has components
} vs_history_kind;

VS_API int vs_history_kind_count(void);
VS_API const vs_history_kind *vs_history_kind_at(int k); // null if k is out of range

// One history.
typedef struct vs_history_info {
    int columns;          // numbers per frame: 3 for a vector without a component, else 1
    const char *unit;     // "m"; "": none
    const char *label[3]; // (columns) "x", "y", "z" or "xx", "yy", "zz"; "" if there is one
} vs_history_info;

// Finds a history by its name, which may also be that of a series (see above). VS_ERROR_ARGUMENT if there is no such
// quantity, object or component; the text suggests the nearest name. VS_ERROR_DATA if the file does not have what it
// needs, such as contacts.
VS_API vs_error vs_trajectory_reader_find_history(vs_trajectory_reader *reader, const char *name,
                                                  vs_history_info *info);
// Reads it. value (frames x columns), frame by frame; NaN where it is not defined.
VS_API vs_error vs_trajectory_reader_read_history(vs_trajectory_reader *reader, const char *name, double *value);

// ---- recovery and export -----------------------------------------------------------------------------------------

// Repairs a file left open by a crash: clears its flags, completes an interrupted flush and truncates it after the last
// complete frame. `frames` receives their number (may be null). Safe against a crash in between.
VS_API vs_error vs_trajectory_recover(vs_context *context, const char *path, int64_t *frames);
// Writes OUT.xdmf and OUT.h5 (one dataset per frame) for ParaView: bodies as points with orientation and size, contacts
// as points with force vectors.
VS_API vs_error vs_trajectory_export_xdmf(vs_context *context, const char *path, const char *out);

// Writes glTF 2.0 (binary, .glb) for Blender and others: one node per body with meshes of its shapes, animated by every
// `every`-th frame (>= 1) and the last one; planes as squares.
VS_API vs_error vs_trajectory_export_gltf(vs_context *context, const char *path, const char *out, int64_t every);

// Writes load cases for finite elements as CSV: contacts, joints and gravity on every dynamic body in every `every`-th frame (>= 1) and
// the last one, in the body's axes about its centre of mass, and a row that balances them: inertia, and loads that the file does not
// have. VS_ERROR_UNSUPPORTED with gears, cams and cables.
VS_API vs_error vs_trajectory_export_loads(vs_context *context, const char *path, const char *out, int64_t every);

// Writes a checkpoint: the complete state for a bitwise identical continuation. Written to a temporary file and
// renamed.
VS_API vs_error vs_checkpoint_write(const char *path, const vs_world *world, const vs_simulation *simulation);
// Reads a checkpoint into a world and a simulation created from the same scene; VS_ERROR_DATA if they do not match.
// The log gets a warning for each library whose version, or processor kernel, is not the one that wrote it.
VS_API vs_error vs_checkpoint_read(const char *path, vs_world *world, vs_simulation *simulation);

// Properties of a checkpoint.
typedef struct vs_checkpoint_info {
    double time; // s
    int64_t bodies, joints, flexibles;
    char software[512]; // that wrote it: a line per library, "name version"; "" if unknown
} vs_checkpoint_info;

VS_API vs_error vs_checkpoint_read_info(vs_context *context, const char *path, vs_checkpoint_info *info);

#ifdef __cplusplus
}
#endif

#endif
