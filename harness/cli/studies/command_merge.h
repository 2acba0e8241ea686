// `stepgate merge`: judges what the machines of a plan have measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/options/groups/documents.h"
#include "cli/options/groups/judging.h"
#include "cli/options/option_row.h"

namespace stepgate {

struct MergeCommand {
  std::vector<std::string> arguments;
  std::filesystem::path out;
  bool mixed_nodes = false;
  Judging judging;
  ReportOutput output;
};
OptionRows rows_of(MergeCommand& o);

/// The exit status.
int command_merge(const MergeCommand& o);

}  // namespace stepgate
