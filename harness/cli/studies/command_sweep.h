// `stepgate sweep`: a case with several values of its parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/documents.h"
#include "cli/options/groups/machine.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/places.h"
#include "cli/options/groups/swept.h"
#include "cli/options/option_row.h"
#include "experiment/swept/run_sweep.h"

namespace stepgate {

struct SweepCommand {
  std::vector<std::string> arguments;
  MeasuredPlaces places;
  std::optional<std::int64_t> replicates;
  Measuring measuring;
  GuardedMachine machine;
  Swept swept;
  bool law = false;                          ///< what saved bytes grow by, instead of a ranking
  std::optional<std::int64_t> memory_bytes;  ///< the batch that fits in so much, by the law
  std::optional<std::int64_t> most_growth;   ///< the law may grow by so much per token of length
  std::string nodes;                         ///< local:N, slurm:N or exec:PROGRAM, "" = this machine
  std::optional<std::int64_t> shards;
  bool mixed_nodes = false;
  StudyOutput output;
};
OptionRows rows_of(SweepCommand& o);

/// Throws Error(usage) unless one case is named.
SweepOptions sweep_options(const SweepCommand& o);

/// The exit status.
int command_sweep(const SweepCommand& o);

}  // namespace stepgate
