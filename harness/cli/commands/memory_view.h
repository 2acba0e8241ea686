// `stepgate report --ledger` and `--timeline FILE`: what the last memory pass of a case saw.
#pragma once

#include <filesystem>
#include <string>

#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"
#include "report/text/console_style.h"

namespace stepgate {

struct MemoryView {
  Selection selection;
  std::string runner_class;  ///< whose baselines stand beside the ledger
  bool ledger = false;
  std::filesystem::path timeline;  ///< "" = none
  ConsoleStyle style;
};

/// Prints the ledger of each case named (of all, where none is), beside its baseline's. Writes the timeline of the one
/// case named to the file of --timeline; "-" is stdout. Throws Error(usage) where no stored measurement has a ledger,
/// and where --timeline is left with several cases.
int show_memory(const Project& project, const MemoryView& view);

}  // namespace stepgate
