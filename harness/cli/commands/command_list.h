// `stepgate list`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/options/option_row.h"

namespace stepgate {

struct ListCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> filters;
  std::filesystem::path build;
  std::filesystem::path baseline_root;
};
OptionRows rows_of(ListCommand& o);

/// The exit status.
int command_list(const ListCommand& o);

}  // namespace stepgate
