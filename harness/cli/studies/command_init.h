// `stepgate init`.
#pragma once

#include <string>
#include <vector>

#include "cli/options/option_row.h"

namespace stepgate {

struct InitCommand {
  std::vector<std::string> arguments;
  bool own_loop = false;   ///< a project around a training loop
  bool inference = false;  ///< a project with a case that answers requests
  bool gpu = false;        ///< a project with a case for a GPU, too
};
OptionRows rows_of(InitCommand& o);

/// The exit status.
int command_init(const InitCommand& o);

}  // namespace stepgate
