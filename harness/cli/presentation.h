// How the report of a command is shown and published.
#pragma once

#include <filesystem>

#include "cli/options/groups/documents.h"
#include "cli/options/groups/judging.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Refers to the options of the command, which outlive it.
struct Presentation {
  const ReportOutput& output;
  const Judging& judging;
  const Project& project;  ///< the page draws what lies in its folders
  bool quiet = false;
  std::filesystem::path plan = {};  ///< the plan that `project` is of, "" for none
};

}  // namespace stepgate
