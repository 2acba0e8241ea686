#include "diagnose/growth/growing_series.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>

#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

/// With two rises a count that depends on the batch would pass for one that grows.
constexpr std::size_t fewest_rises = 3;

/// As in the growth of levels: what waits for longer has come to an end.
constexpr std::size_t most_gaps_around = 2;

constexpr std::size_t listed_values = 5;

constexpr std::array sizes_of_batches = {"samples_per_step", "padded_tokens_per_step", "effective_tokens_per_step",
                                         "h2d_bytes_per_step"};

/// nullptr where it was not counted.
const StepSeries* find_size(const std::map<std::string, StepSeries>& counts, const char* name) {
  const auto found = counts.find(name);
  return found == counts.end() || found->second.empty() ? nullptr : &found->second;
}

bool falls_or_rises(StepSeries values) {
  if (rises_with_steps(values)) return true;
  std::reverse(values.begin(), values.end());
  return rises_with_steps(values);
}

}  // namespace

bool rises_with_steps(std::span<const std::int64_t> values) {
  std::vector<std::size_t> rises;
  for (std::size_t step = 1; step < values.size(); ++step) {
    if (values[step] < values[step - 1]) return false;
    if (values[step] > values[step - 1]) rises.push_back(step);
  }
  if (rises.size() < fewest_rises) return false;
  std::size_t longest = 0;
  for (std::size_t i = 1; i < rises.size(); ++i) longest = std::max(longest, rises[i] - rises[i - 1]);
  return std::max(rises.front() - 1, values.size() - 1 - rises.back()) <= most_gaps_around * longest;
}

double rise_per_step(std::span<const std::int64_t> values) {
  return static_cast<double>(values.back() - values.front()) / static_cast<double>(values.size() - 1);
}

std::string series_text(std::span<const std::int64_t> values, const std::function<std::string(double)>& text) {
  const bool all = values.size() <= listed_values;
  const std::size_t first = all ? values.size() : 3;
  std::string list;
  for (std::size_t step = 0; step < first; ++step)
    list += (step == 0 ? "" : ", ") + text(static_cast<double>(values[step]));
  return all ? list : list + " ... " + text(static_cast<double>(values.back()));
}

bool has_equal_batches(const CaseValues& values) {
  return std::all_of(sizes_of_batches.begin(), sizes_of_batches.end(), [&](const char* name) {
    const StepSeries* sizes = find_size(values.counts.per_step, name);
    return sizes == nullptr ||
           std::all_of(sizes->begin(), sizes->end(), [&](std::int64_t size) { return size == sizes->front(); });
  });
}

bool batches_explain_a_rise(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  return std::any_of(sizes_of_batches.begin(), sizes_of_batches.end(), [&](const char* name) {
    const StepSeries* now = find_size(input.current.counts.per_step, name);
    if (now == nullptr) return false;
    const StepSeries* before = baseline == nullptr ? nullptr : find_size(baseline->exact, name);
    // Copies may themselves be what grows, so only their own rise in the baseline would explain another.
    const bool is_copied = std::string_view(name) == "h2d_bytes_per_step";
    if (before != nullptr && *before != *now && !is_copied) return true;
    return falls_or_rises(before != nullptr ? *before : *now);
  });
}

}  // namespace stepgate
