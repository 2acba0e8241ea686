// Step counts as the command line takes them: "e2e=60,window=10".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace stepgate {

/// Step counts by name. A count that is not named stays as the case declares it.
using NamedSteps = std::map<std::string, std::int64_t>;

/// Reads `text`, the value of `flag` ("--steps" of the launcher, "--stepgate_steps" of a perftest program). Throws
/// Error(usage) naming the flag and the entry for an unknown name, a name given twice, and anything but a whole number
/// from 1 (0 for exact_warmup) to most_steps.
NamedSteps read_step_counts(std::string_view text, std::string_view flag);

/// The text that read_step_counts reads.
std::string text_of(const NamedSteps& steps);

}  // namespace stepgate
