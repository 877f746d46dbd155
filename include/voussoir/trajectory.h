// Trajectories in HDF5 (docs/formats.md): written while running, readable at the same time, recoverable after a kill.
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
} vs_trajectory_writer_options;

VS_API vs_trajectory_writer_options vs_trajectory_writer_options_default(void);
// Records the bodies that exist now, not those added later. An existing file is replaced.
VS_API vs_error vs_trajectory_writer_create(const char *path, const vs_world *world,
                                            const vs_trajectory_writer_options *options, vs_trajectory_writer **writer);
// Continues a file (also one left open by a kill: recovered first) after the last frame not later than `time`.
VS_API vs_error vs_trajectory_writer_resume(const char *path, const vs_world *world, double time,
                                            const vs_trajectory_writer_options *options, vs_trajectory_writer **writer);
// simulation null: no contacts; report null: the state before the first step.
VS_API vs_error vs_trajectory_writer_write(vs_trajectory_writer *writer, const vs_world *world,
                                           const vs_simulation *simulation, const vs_step_report *report);
// Everything written so far is in the file and visible to readers. Call it before a checkpoint is written: a run
// resumed from it then finds every frame up to there.
VS_API vs_error vs_trajectory_writer_flush(vs_trajectory_writer *writer);
VS_API vs_error vs_trajectory_writer_close(vs_trajectory_writer *writer); // null is legal

// ---- reading: a finished file, one that is being written, or one left open by a kill ----------------------------

typedef struct vs_trajectory_reader vs_trajectory_reader;

// Constant data of a file. Arrays live as long as the reader.
typedef struct vs_trajectory_info {
    int64_t frames; // complete ones, when it was opened
    int bodies, joints;
    double step;           // s, of the simulation; 0: unknown
    vs_vec3 gravity;       // m/s^2
    const int *motion;     // (bodies) 0 dynamic, 1 kinematic, 2 static
    const double *mass;    // (bodies) kg; 0 unless dynamic
    const double *inertia; // (9 bodies) kg m^2 about the centre of mass, body axes, row by row; 0 unless dynamic
} vs_trajectory_info;

VS_API vs_error vs_trajectory_reader_open(vs_context *context, const char *path, vs_trajectory_reader **reader);
VS_API void vs_trajectory_reader_close(vs_trajectory_reader *reader); // null is legal
VS_API const vs_trajectory_info *vs_trajectory_reader_get_info(const vs_trajectory_reader *reader);
// One number per frame: "time" (s), or a dataset of /solver such as "energy_error" (docs/formats.md). value (frames)
VS_API vs_error vs_trajectory_reader_read_series(vs_trajectory_reader *reader, const char *name, double *value);
// State of a frame 0 … frames-1; null: not requested. pose (7 bodies) x y z of the centre of mass, w x y z, NaN once a
// body was removed; velocity (6 bodies) m/s, rad/s, world axes
VS_API vs_error vs_trajectory_reader_read_state(vs_trajectory_reader *reader, int64_t frame, double *pose,
                                                double *velocity);

// ---- recovery and export -----------------------------------------------------------------------------------------

// Clears the flags of a file left open by a kill, completes an interrupted flush, and truncates it after the last
// complete frame. A kill during recovery does no harm.
VS_API vs_error vs_trajectory_recover(vs_context *context, const char *path, int64_t *frames);
// Writes OUT.xdmf and OUT.h5 (one dataset per frame) for ParaView: bodies as points with orientation and size,
// contacts as points with force vectors.
VS_API vs_error vs_trajectory_export_xdmf(vs_context *context, const char *path, const char *out);

// Writes glTF 2.0 (binary, .glb) for Blender and others: one node per body, animated by every `every`-th frame (>= 1)
// and the last one, with meshes of its shapes; planes as squares.
VS_API vs_error vs_trajectory_export_gltf(vs_context *context, const char *path, const char *out, int64_t every);

// A checkpoint: the data for a bit-exact continuation. Written to a temporary name and renamed.
VS_API vs_error vs_checkpoint_write(const char *path, const vs_world *world, const vs_simulation *simulation);
// Into a world and a simulation made from the same scene; VS_ERROR_DATA if they do not match.
VS_API vs_error vs_checkpoint_read(const char *path, vs_world *world, vs_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
