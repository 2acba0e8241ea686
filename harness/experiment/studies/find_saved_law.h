// The law of saved bytes: one case at several sizes, one process of group exact each, and the integers behind them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/study/saved_law.h"
#include "experiment/host/quiet_host.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/measure_options.h"
#include "experiment/plan/project.h"

namespace stepgate {

struct SavedLawOptions {
  std::string case_name;
  std::vector<std::string> parameters = {};  ///< "length=16,32,64": the sizes; another one may vary the rows
  MeasureOptions measure = {};
  HostOptions host = {};
};

/// Measures every setting once, since counts repeat exactly, and fits the law. A setting whose process fails has the
/// reason and is left out of the fit. Records lie under <out>/sweep/<case>/law. Throws Error(usage) for a grid that
/// makes no sense and for a parameter that the case does not declare.
SavedLawStudy find_saved_law(const Project& project, const SavedLawOptions& options, const Caller& caller);

}  // namespace stepgate
