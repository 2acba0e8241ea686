#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using Growths = std::vector<LevelGrowth>;

constexpr const char* chunk_growth = "host_heap_chunks_bytes_per_step";

const Growths* find_growths(const CaseValues* values, const std::string& metric) {
  if (values == nullptr) return nullptr;
  const auto found = values->growth.find(metric);
  return found == values->growth.end() || found->second.empty() ? nullptr : &found->second;
}

/// The measured side whose growth is known; nullptr where there is none.
const CaseValues* measured_side(const JudgedComparison& input) {
  const CaseValues* base = interleaved_base(input);
  return base == nullptr ? earlier_values(input) : base;
}

/// In each step, or in chunks that come again.
bool goes_on(const LevelGrowth& growth) {
  return growth.in_every_step || (growth.repeated && 2 * growth.rises < growth.steps);
}

/// Below the floor, with nothing to compare with.
std::optional<Finding> below_floor(const JudgedComparison& input, const Metric& metric, const Growths& growths) {
  const std::string name(metric.name);
  const Baseline* baseline = work_baseline(input);
  const auto known = [&](const auto& bytes) {
    const auto found = bytes.find(name);
    return found != bytes.end() &&
           std::any_of(found->second.begin(), found->second.end(), [](std::int64_t value) { return value > 0; });
  };
  const bool is_stored = baseline != nullptr && (known(baseline->bytes) || baseline->growth.contains(name));
  if (exact_is_measured(input) || known(input.current.bytes) || is_stored) return std::nullopt;
  double least = growths.front().per_step;
  for (const LevelGrowth& growth : growths) {
    if (!goes_on(growth)) return std::nullopt;
    least = std::min(least, growth.per_step);
  }
  if (least < static_cast<double>(metric.resolution)) return std::nullopt;
  return Finding{
      .code = FindingCode::grows_with_steps,
      .severity = Severity::note,
      .message = fmt::format("grows with the number of the step: {}, {} with each in every process; below {} "
                             "it is not judged without a base build",
                             metric.label, difference_text(metric.unit, std::round(least)),
                             quantity_text(metric.unit, static_cast<double>(metric.noise_floor))),
      .advice = std::string(metric.advice),
      .metric = name};
}

/// A rise that came once in each process and in no process of the base: a cache, or the first of many chunks.
std::optional<Finding> rose_once(const Metric& metric, const Growths& growths, const Growths& base,
                                 bool chunks_were_sought) {
  std::int64_t least = growths.front().one_off;
  for (const LevelGrowth& growth : growths) least = std::min(least, growth.one_off);
  const bool is_new =
      std::all_of(base.begin(), base.end(), [&](const LevelGrowth& growth) { return 2 * growth.one_off < least; });
  if (least < metric.noise_floor || !is_new) return std::nullopt;
  return Finding{.code = FindingCode::grows_with_steps,
                 .severity = Severity::note,
                 .message = fmt::format("{}: one rise of {} in the {} counted steps of each process, and none in the "
                                        "base; it may be a cache, or the first chunk of a growth",
                                        metric.label, quantity_text(metric.unit, static_cast<double>(least)),
                                        growths.front().steps + 1),
                 .advice = chunks_were_sought
                               ? "three such rises did not come in the steps of the numerics pass and in "
                                 "those that followed it; --steps numerics=200 follows more."
                               : "count more steps: with --steps memory=48 a chunk in each 16th step "
                                 "comes three times.",
                 .metric = std::string(metric.name)};
}

}  // namespace

std::vector<Finding> explain_growing_levels(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (const auto& [name, growths] : input.current.growth) {
    const Metric* metric = find_metric(name);
    if (metric == nullptr || metric->noise_floor <= 0 || growths.empty() || is_red(input, name)) continue;
    const Growths* base = find_growths(measured_side(input), name);
    if (metric->series == "host_heap_bytes" && is_red(input, chunk_growth)) continue;  // it is one of the chunks
    const bool chunks_were_sought = input.current.bytes.contains(chunk_growth);
    auto finding =
        base == nullptr ? below_floor(input, *metric, growths) : rose_once(*metric, growths, *base, chunks_were_sought);
    if (finding) findings.push_back(std::move(*finding));
  }
  return findings;
}

}  // namespace stepgate
