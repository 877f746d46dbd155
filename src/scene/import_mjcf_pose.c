#include "scene/import.h"
