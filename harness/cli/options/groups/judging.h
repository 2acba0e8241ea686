// What counts as a failure, for whoever called a command that judges.
#pragma once

#include <string>

#include "cli/options/option_row.h"
#include "experiment/plan/project.h"

namespace stepgate {

struct Judging {
  bool require_baseline = false;
  bool require_gpu = false;
  std::string may_skip = {};  ///< CASE,...: may be skipped whatever is required
  bool ctest = false;         ///< CTest measurements, and 4 and 5 become 77 (skipped)
};
OptionRows rows_of(Judging& o);
/// Of the commands that compare the limits of a tree with those of a base build.
OptionRow allow_loosening_row(std::string& name);
/// The project options with what is required.
ProjectOptions judged(ProjectOptions project, const Judging& o);

}  // namespace stepgate
