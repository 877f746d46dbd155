// Defaults of the trajectory writer, also in a build that cannot write trajectories.
#include "voussoir/trajectory.h"

vs_trajectory_writer_options vs_trajectory_writer_options_default(void) {
    return (vs_trajectory_writer_options){.contacts = true, .flush_frames = 16};
}
