// Names of the values of enumerations, as scenes, options, reports, Python and the viewer call them. Each list is in the order of the
// values and ends with null; static storage. Methods are listed by vs_method_at() (solver.h), fields of materials by
// vs_material_field_at() (world.h).
#ifndef VOUSSOIR_NAMES_H
#define VOUSSOIR_NAMES_H

#include "voussoir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// of the solver
VS_API const char *const *vs_model_names(void);
VS_API const char *const *vs_status_names(void);
VS_API const char *const *vs_criterion_names(void);
VS_API const char *const *vs_warm_start_names(void);
VS_API const char *const *vs_form_names(void);
VS_API const char *const *vs_start_names(void);
VS_API const char *const *vs_sweep_names(void);
VS_API const char *const *vs_outer_names(void);
VS_API const char *const *vs_fallback_names(void);
// of worlds and simulations
VS_API const char *const *vs_scheme_names(void);
VS_API const char *const *vs_on_inaccurate_names(void);
VS_API const char *const *vs_motion_names(void);
VS_API const char *const *vs_joint_kind_names(void);
VS_API const char *const *vs_softening_names(void);
VS_API const char *const *vs_elastic_law_names(void);
VS_API const char *const *vs_section_names(void);
VS_API const char *const *vs_baseline_names(void);
VS_API const char *const *vs_stop_when_names(void);
VS_API const char *const *vs_outcome_state_names(void);
// The name of a vs_shape_kind; null beyond the last.
VS_API const char *vs_shape_kind_name(int kind);

#ifdef __cplusplus
}
#endif

#endif
