// `stepgate shard run`: measures one share of a plan on this machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/machine.h"
#include "cli/options/option_row.h"

namespace stepgate {

struct ShardRunCommand {
  std::vector<std::string> arguments;
  GuardedMachine machine;
  std::filesystem::path run_lock;  ///< held while measuring, "" = that of the machine
  std::optional<std::int64_t> attempt;
  bool quiet = false;
};
OptionRows rows_of(ShardRunCommand& o);

/// The exit status.
int command_shard_run(const ShardRunCommand& o);

}  // namespace stepgate
