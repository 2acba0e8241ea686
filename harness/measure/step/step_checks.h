// Refuses step counts with which a pass cannot run, before anything runs.
#pragma once

#include <cstdint>
#include <string_view>

namespace stepgate {

/// One of the counts of StepCounts, by the name it has on the command line ("e2e", "window", "phase", ...).
struct NamedCount {
  std::string_view name;
  std::int64_t value = 0;
};

/// Throws Error(usage) naming --stepgate_steps and the value where `count` is zero or negative.
void require_positive(NamedCount count);
/// The same where `count` may be zero but not negative.
void require_not_negative(NamedCount count);
/// Throws Error(usage) where `steps` is not a positive multiple of `window`: in a shorter last
/// window the one synchronisation would weigh more than in the others.
void require_whole_windows(NamedCount steps, std::int64_t window);

}  // namespace stepgate
