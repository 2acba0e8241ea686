// What a sweep is asked for.
#pragma once

#include <string>
#include <vector>

#include "experiment/host/quiet_host.h"
#include "experiment/plan/measure_options.h"

namespace stepgate {

struct SweepOptions {
  std::string case_name;
  std::vector<std::string> parameters = {};  ///< "batch_size=4,8,16": the values of each
  std::string metric = "samples_per_s";      ///< what settings are ranked by
  MeasureOptions measure = {};               ///< timed_replicates is the number of rounds
  HostOptions host = {};
};

}  // namespace stepgate
