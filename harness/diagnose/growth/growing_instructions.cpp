#include "diagnose/growth/growing_instructions.h"

#include <algorithm>
#include <vector>

#include "core/catalogue/memory_metrics.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

/// One process may rise by chance, or by what only it met.
constexpr std::size_t fewest_risen_processes = 2;

std::vector<StepSeries> instructions_of(const CaseValues& values) {
  std::vector<StepSeries> processes;
  for (const ExactProcess& process : values.exact_processes) {
    if (!process.instructions.empty()) processes.push_back(process.instructions);
  }
  return processes;
}

bool rises_clearly(const StepSeries& steps) {
  const auto rise = static_cast<double>(steps.back() - steps.front());
  return rises_with_steps(steps) && rise > catalogue::host_instructions_margin * static_cast<double>(steps.front());
}

double least_rise(const std::vector<StepSeries>& processes) {
  double least = rise_per_step(processes.front());
  for (const StepSeries& steps : processes) least = std::min(least, rise_per_step(steps));
  return least;
}

/// Another build that was measured in the same way.
std::vector<StepSeries> instructions_of_base(const JudgedComparison& input) {
  const CaseValues* base = interleaved_base(input);
  if (base == nullptr) base = earlier_values(input);
  return base == nullptr ? std::vector<StepSeries>{} : instructions_of(*base);
}

}  // namespace

std::optional<StepSeries> growing_instructions(const JudgedComparison& input) {
  const std::vector<StepSeries> processes = instructions_of(input.current);
  if (processes.size() < fewest_risen_processes || !std::all_of(processes.begin(), processes.end(), rises_clearly))
    return std::nullopt;
  const std::vector<StepSeries> base = instructions_of_base(input);
  if (base.empty() && !has_equal_batches(input.current)) return std::nullopt;
  const bool is_new = std::all_of(base.begin(), base.end(), [&](const StepSeries& steps) {
    return steps.size() < 2 || 2 * rise_per_step(steps) < least_rise(processes);
  });
  return is_new ? std::optional(processes.front()) : std::nullopt;
}

}  // namespace stepgate
