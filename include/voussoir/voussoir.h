// The whole public API of voussoir.
#ifndef VOUSSOIR_VOUSSOIR_H
#define VOUSSOIR_VOUSSOIR_H

#include "voussoir/batch.h"
#include "voussoir/bond.h"
#include "voussoir/cad.h"
#include "voussoir/context.h"
#include "voussoir/damage.h"
#include "voussoir/elastic.h"
#include "voussoir/fclib.h"
#include "voussoir/flexible.h"
#include "voussoir/measure.h"
#include "voussoir/mesh.h"
#include "voussoir/names.h"
#include "voussoir/observe.h"
#include "voussoir/outcome.h"
#include "voussoir/output_file.h"
#include "voussoir/problem.h"
#include "voussoir/query.h"
#include "voussoir/report.h"
#include "voussoir/run.h"
#include "voussoir/scene.h"
#include "voussoir/sensor.h"
#include "voussoir/shape.h"
#include "voussoir/signal.h"
#include "voussoir/simulation.h"
#include "voussoir/solver.h"
#include "voussoir/statics.h"
#include "voussoir/table.h"
#include "voussoir/trajectory.h"
#include "voussoir/world.h"

#endif
