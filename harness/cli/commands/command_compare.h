// `stepgate compare`: two measurements, without a baseline.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/options/groups/documents.h"
#include "cli/options/option_row.h"
#include "core/verdict/tier_choice.h"
#include "experiment/compare_measurements.h"

namespace stepgate {

struct CompareCommand {
  std::vector<std::string> arguments;
  std::filesystem::path build;
  std::filesystem::path policy_root;
  std::vector<std::string> filters;
  TierChoice tier = TierChoice::all;
  ReportOutput output;
};
OptionRows rows_of(CompareCommand& o);

/// Throws Error(usage) unless two files or folders are named.
ComparisonOptions comparison_options(const CompareCommand& o);

/// The exit status.
int command_compare(const CompareCommand& o);

}  // namespace stepgate
