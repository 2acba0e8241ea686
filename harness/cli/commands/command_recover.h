// `stepgate recover`: restores what a killed run left changed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/options/option_row.h"

namespace stepgate {

struct RecoverCommand {
  std::vector<std::string> arguments;
  std::filesystem::path state_folder;  ///< "" = /var/lib/stepgate
};
OptionRows rows_of(RecoverCommand& o);

/// The exit status.
int command_recover(const RecoverCommand& o);

}  // namespace stepgate
