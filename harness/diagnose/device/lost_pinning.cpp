#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary.h"
#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/calls/call_history.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"
#include "diagnose/work/work_location.h"

namespace stepgate {
namespace {

constexpr const char* pageable_metric = "pageable_copies_per_step";

/// aten::empty(size, dtype, layout, device, pin_memory, memory_format).
constexpr std::size_t device_argument = 3;
constexpr std::size_t pin_argument = 4;

bool makes_pageable_tensor(const OperatorSite& site) {
  return site.boundary == name_of(Boundary::data_wait) && site.name == "aten::empty" &&
         site.arguments.size() > pin_argument && !site.arguments[device_argument].starts_with("cuda") &&
         site.arguments[pin_argument] != "True";
}

bool was_page_locked(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr) return false;
  const auto at = baseline->exact.find(pageable_metric);
  return at != baseline->exact.end() &&
         std::all_of(at->second.begin(), at->second.end(), [](std::int64_t copies) { return copies == 0; });
}

/// New calls of the loader whose result is not page-locked though what they copy is.
std::vector<SourceFrame> lines_of_new_copies(const JudgedComparison& input) {
  constexpr std::array<std::string_view, 3> copies = {"aten::clone", "aten::_to_copy", "aten::cat"};
  const std::vector<OperatorChange> changes = operator_difference(input);
  std::vector<SourceFrame> lines;
  for (const std::string_view name : copies) {
    const std::string boundary(name_of(Boundary::data_wait));
    if (calls_more(changes, boundary, name) > 0) add_sources(sources_of(input, boundary, name), lines);
  }
  return lines;
}

/// Where the loader makes its tensors. Memory that it takes in another way has no line.
std::vector<SourceFrame> lines_of_pageable_tensors(const JudgedComparison& input) {
  if (!input.current.counts.observed) return {};
  std::vector<SourceFrame> lines = lines_of_new_copies(input);
  if (!lines.empty()) return lines;
  const ObservedWork& work = *input.current.counts.observed;
  if (std::none_of(work.sites.begin(), work.sites.end(), makes_pageable_tensor)) return lines;
  const CallHistory history(work_baseline(input), work);
  for (const OperatorSite& site : work.sites) {
    if (!makes_pageable_tensor(site)) continue;
    const NamedFrame named = history.frame_to_name(site);
    if (named.frame != nullptr) add_sources({*named.frame}, lines);
  }
  return lines;
}

}  // namespace

std::vector<Finding> explain_lost_pinning(const JudgedComparison& input) {
  if (!is_red(input, pageable_metric)) return {};
  const std::string boundary(name_of(Boundary::h2d));
  const double more = share_of(changed_shares(input, pageable_metric), boundary);
  // A batch that was pageable and has one tensor more lost nothing.
  const double copies = share_of(changed_shares(input, "h2d_copies_per_step"), boundary);
  if (more <= copies + share_rounding && !was_page_locked(input)) return {};
  const auto spread = step_spread(input, pageable_metric);
  const WholeAmounts amounts = amounts_of({{boundary, more}}, MetricUnit::count, spread);
  const std::vector<SourceFrame> lines = lines_of_pageable_tensors(input);
  return {{.code = FindingCode::pinning_lost,
           .severity = Severity::cause,
           .message = fmt::format("{}: {} {}{}{}{}", label_of(pageable_metric), boundary,
                                  difference_text(MetricUnit::count, amounts.factor * more), amounts.per,
                                  affected_steps(spread), lines.empty() ? "" : "; made" + at_sources(lines)),
           .advice = std::string(find_metric(pageable_metric)->advice),
           .metric = pageable_metric,
           .boundary = boundary,
           .sources = lines}};
}

}  // namespace stepgate
