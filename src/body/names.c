// Names of the enumerations of worlds and simulations.
#include "base/names.h"

#include <stddef.h>

#include "voussoir/bond.h"
#include "voussoir/elastic.h"
#include "voussoir/flexible.h"
#include "voussoir/outcome.h"
#include "voussoir/signal.h"
#include "voussoir/simulation.h"
#include "voussoir/world.h"

VS_NAMES(vs_scheme, VS_SCHEME_QUASI_STATIC, "moreau", "shake", "quasi-static")
VS_NAMES(vs_on_inaccurate, VS_INACCURATE_STOP, "continue", "relaxed", "stop")
VS_NAMES(vs_motion, VS_MOTION_STATIC, "dynamic", "kinematic", "static")
VS_NAMES(vs_joint_kind, VS_JOINT_CAM, "fixed", "spherical", "revolute", "prismatic", "cylindrical", "universal",
         "planar", "distance", "gear", "spring", "cable", "constant-velocity", "cam")
VS_NAMES(vs_softening, VS_SOFTENING_EXPONENTIAL, "linear", "exponential")
VS_NAMES(vs_elastic_law, VS_ELASTIC_NEO_HOOKEAN, "corotational", "st-venant", "neo-hookean")
VS_NAMES(vs_section, VS_SECTION_RECTANGLE, "circle", "pipe", "rectangle")
VS_NAMES(vs_baseline, VS_BASELINE_DISPLACEMENT, "none", "velocity", "displacement")
VS_NAMES(vs_stop_when, VS_STOP_FALL, "displacement", "rotation", "speed", "rest", "contact", "falls")
VS_NAMES(vs_outcome_state, VS_OUTCOME_DISPLACED, "stands", "moving", "displaced")
