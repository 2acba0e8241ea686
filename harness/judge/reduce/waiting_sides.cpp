#include "judge/reduce/waiting_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace stepgate {
namespace {

/// The highest over its processes; absent where none waited.
std::optional<double> waiting_cpu(const Measurement& side) {
  std::optional<double> highest;
  for (const Replicate& replicate : side.replicates) {
    const auto found = replicate.evidence.values.find(EvidenceKey::waiting_cpu_fraction);
    if (found != replicate.evidence.values.end()) highest = std::max(highest.value_or(0), found->second);
  }
  return highest;
}

bool has_set_aside(const Measurement& side) {
  return std::any_of(side.replicates.begin(), side.replicates.end(),
                     [](const Replicate& replicate) { return !replicate.set_aside.empty(); });
}

}  // namespace

std::string busy_while_waiting(const MeasuredPair& pair, std::string_view head_name) {
  const double base = waiting_cpu(pair.base).value_or(0);
  const double head = waiting_cpu(pair.head).value_or(0);
  if (std::max(base, head) <= most_waiting_cpu) return "";
  if (base == head) {  // as measure_alternating.cpp leaves it
    return fmt::format("what base or {} left behind used {:.2g} % of a CPU while the other one had its window",
                       head_name, 100 * base);
  }
  const bool is_base = base > head;
  return fmt::format("{} used {:.2g} % of a CPU while {} had its window", is_base ? "base" : head_name,
                     100 * std::max(base, head), is_base ? head_name : "base");
}

bool set_aside_alternating(const std::string& why, MeasuredPair& pair) {
  const bool alternated = waiting_cpu(pair.base).has_value() || waiting_cpu(pair.head).has_value();
  if (!alternated || is_set_aside(pair)) return false;
  for (Measurement* side : {&pair.base, &pair.head}) {
    for (Replicate& replicate : side->replicates) replicate.set_aside = why;
  }
  return true;
}

void set_aside_where_busy(std::vector<MeasuredPair>& pairs) {
  std::string why;
  for (const MeasuredPair& pair : pairs) {
    if (why.empty()) why = busy_while_waiting(pair);
  }
  if (why.empty()) return;
  for (MeasuredPair& pair : pairs) set_aside_alternating(why, pair);
}

bool is_set_aside(const MeasuredPair& pair) { return has_set_aside(pair.base) || has_set_aside(pair.head); }

}  // namespace stepgate
