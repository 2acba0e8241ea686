#include "diagnose/work/saved_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/questions.h"
#include "diagnose/work/device_call_change.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

/// The most operators that fit on a line.
constexpr std::size_t named_savers = 3;

/// The innermost lines at which this operator saves, most bytes first.
std::vector<SourceFrame> saving_lines(const ObservedWork& work, std::string_view boundary, std::string_view name) {
  std::vector<const OperatorSite*> sites;
  for (const OperatorSite& site : work.sites) {
    const bool known = site.place && *site.place < work.places.size() && !work.places[*site.place].frames.empty();
    if (known && site.saved_bytes > 0 && site.boundary == boundary && site.name == name) sites.push_back(&site);
  }
  std::stable_sort(sites.begin(), sites.end(),
                   [](const OperatorSite* a, const OperatorSite* b) { return a->saved_bytes > b->saved_bytes; });
  std::vector<SourceFrame> lines;
  for (const OperatorSite* site : sites) add_sources({work.places[*site->place].frames.front()}, lines);
  return lines;
}

/// The lines that call it more often. If none does and each call saves more: all lines at which it saves.
std::vector<SourceFrame> lines_of(const JudgedComparison& input, const std::string& boundary, const std::string& name) {
  if (!input.current.counts.observed) return {};
  std::vector<SourceFrame> lines = sources_of(input, boundary, name);
  return lines.empty() ? saving_lines(*input.current.counts.observed, boundary, name) : lines;
}

/// "+1.25 MiB by aten::mul, +4 B by aten::mm (and 2 more)"; "" where one of the sides does not know operators.
std::string savers_text(const std::vector<DeviceCallChange>& changes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), named_savers); ++i) {
    text += fmt::format("{}{} by {}", i == 0 ? "" : ", ", difference_text(MetricUnit::bytes, changes[i].change),
                        changes[i].call);
  }
  if (changes.size() > named_savers) text += fmt::format(" (and {} more)", changes.size() - named_savers);
  return text;
}

Finding finding_on(const JudgedComparison& input, const BoundaryShare& share, bool red) {
  const std::string metric(saved_bytes_per_step);
  const auto changes = device_call_changes(input, metric, share.boundary);
  const bool named = red && !changes.empty() && changes.front().change > 0;
  const auto lines = named ? lines_of(input, share.boundary, changes.front().call) : std::vector<SourceFrame>{};
  const std::string savers = savers_text(changes);
  return {.code = red ? FindingCode::saved_bytes_grew : FindingCode::saved_bytes_shrank,
          .severity = red ? Severity::cause : Severity::note,
          .message = fmt::format("saved for backward: {} {} per step{}{}{}", share.boundary,
                                 difference_text(MetricUnit::bytes, share.change), savers.empty() ? "" : ": ", savers,
                                 at_sources(lines)),
          .advice = red ? std::string(find_metric(metric)->advice) : "",
          .metric = metric,
          .boundary = share.boundary,
          .sources = lines};
}

}  // namespace

std::vector<Finding> explain_saved_bytes(const JudgedComparison& input) {
  const MetricVerdict* verdict = verdict_on(input, saved_bytes_per_step);
  if (verdict == nullptr) return {};
  const bool red = verdict->status == Status::regressed;
  if (!red && verdict->status != Status::improved) return {};
  std::vector<Finding> findings;
  for (const BoundaryShare& share : changed_shares(input, std::string(saved_bytes_per_step))) {
    if ((share.change > 0) == red) findings.push_back(finding_on(input, share, red));
  }
  return findings;
}

}  // namespace stepgate
