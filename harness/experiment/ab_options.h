// What a comparison of two builds is asked for.
#pragma once

#include "experiment/host/quiet_host.h"
#include "experiment/pairs/pair_options.h"
#include "experiment/plan/measure_options.h"
#include "experiment/plan/selection.h"

namespace stepgate {

struct AbOptions {
  Selection selection = {};
  MeasureOptions measure = {};
  HostOptions host = {};
  PairOptions pairs = {};
};

}  // namespace stepgate
