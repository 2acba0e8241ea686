#include "report/gate/judged_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "core/judged/judged_tiers.h"
#include "core/metric.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"
#include "core/text/text_lines.h"
#include "report/gate/skip_reason.h"

namespace stepgate {
namespace {

/// "failed [replicate-failed]": the code is what the pages list.
std::string with_reason(std::string_view what, const VerdictReason& reason) {
  return reason.empty() ? std::string(what) : fmt::format("{} [{}]", what, name_of(reason));
}

std::string missing_baseline(const JudgedTier& tier) {
  if (tier.metric == nullptr) return with_reason("no baseline", tier.outcome->verdict.reason);
  const VerdictReason& reason = tier.metric->reason;
  if (reason.is(&ReasonRow::not_in_baseline)) return "the baseline does not hold this half";
  if (reason != ReasonCode::no_baseline && !reason.empty()) return with_reason("no baseline", reason);
  switch (tier.metric->scope) {
    case Scope::runner:
      return "no baseline of this machine";
    case Scope::device:
      return "no baseline of this GPU";
    case Scope::portable:
      return "no portable baseline";
  }
  return "no baseline";
}

/// A program may advise after "; next: ", which each case shows below.
std::string short_skip_reason(const Outcome& outcome) {
  const std::string said = on_one_line(skip_reason(outcome));
  return excerpt(std::string_view(said).substr(0, said.find("; next: ")));
}

std::string why_open(const JudgedTier& tier) {
  if (tier.outcome == nullptr) return "not measured";
  const VerdictReason& reason = tier.metric != nullptr ? tier.metric->reason : tier.outcome->verdict.reason;
  switch (tier.status) {
    case Status::no_baseline:
      return missing_baseline(tier);
    case Status::skipped:
      return "skipped: " + short_skip_reason(*tier.outcome);
    default:
      return with_reason(name_of(tier.status), reason);
  }
}

/// Failed before not measured, then by status.
std::size_t rank_of(const JudgedTier& tier) {
  if (tier.outcome == nullptr) return 1;
  const auto* const at = std::find(case_statuses.begin(), case_statuses.end(), tier.status);
  return at == case_statuses.begin() ? 0 : 1 + static_cast<std::size_t>(at - case_statuses.begin());
}

using HalfCounts = std::array<std::size_t, both_halves.size()>;

/// "5 exact, 5 timed"
std::string text_of_counts(const HalfCounts& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], name_of(both_halves[i]));
  }
  return text;
}

std::string judged_line(const std::vector<JudgedTier>& tiers) {
  std::string text = "judged:";
  const char* separator = " ";
  for (const TierChoice half : both_halves) {
    const TierCount count = count_tiers(tiers, half);
    if (count.expected == 0) continue;
    text += fmt::format("{}{} {} of {}", std::exchange(separator, ", "), count.judged, name_of(half), count.expected);
  }
  return text;
}

void add_open_lines(const std::vector<JudgedTier>& tiers, std::vector<std::string>& lines) {
  std::map<std::pair<std::size_t, std::string>, HalfCounts> by_reason;
  for (const JudgedTier& tier : tiers) {
    if (!tier.is_judged()) ++by_reason[{rank_of(tier), why_open(tier)}][tier.half == TierChoice::exact ? 0 : 1];
  }
  for (const auto& [reason, counts] : by_reason)
    lines.push_back(fmt::format("not judged: {} ({})", text_of_counts(counts), reason.second));
}

/// Why a metric of that half is open without withholding a verdict; "" for the others.
std::string_view why_withholds_nothing(const VerdictReason& reason, TierChoice half) {
  if (half == TierChoice::exact)
    return reason == ReasonCode::library_shapes_differ ? "the shapes of library calls differ" : "";
  if (reason == ReasonCode::too_noisy || reason == ReasonCode::left_undecided) return "too noisy here";
  return reason == ReasonCode::limit_not_judged ? "its limit, in alternating windows" : "";
}

/// Such metrics withhold no verdict, so their halves count as judged.
void add_metric_lines(const std::vector<JudgedTier>& tiers, std::vector<std::string>& lines) {
  std::map<std::pair<std::string, std::string_view>, std::size_t> cases_by_metric;
  for (const JudgedTier& tier : tiers) {
    if (!tier.is_judged() || tier.outcome == nullptr) continue;
    for (const MetricVerdict& metric : tier.outcome->verdict.metrics) {
      const std::string_view why = why_withholds_nothing(metric.reason, tier.half);
      if (!why.empty()) ++cases_by_metric[{label_of(metric.metric), why}];
    }
  }
  for (const auto& [metric, cases] : cases_by_metric)
    lines.push_back(fmt::format("not judged: {} of {} ({})", metric.first, counted(cases, "case"), metric.second));
}

void add_ungated_line(const RunReport& report, std::vector<std::string>& lines) {
  const auto count =
      static_cast<std::size_t>(std::count_if(report.one_half.begin(), report.one_half.end(),
                                             [](const auto& entry) { return entry.second == TierChoice::exact; }));
  if (count > 0)
    lines.push_back(
        fmt::format("not gated: the times of {} (TIERS exact): stepgate ab compares them", counted(count, "case")));
}

bool is_of_two_measurements(const RunReport& report) {
  return std::any_of(report.outcomes.begin(), report.outcomes.end(),
                     [](const Outcome& outcome) { return outcome.kind.reference == ReferenceKind::measurement; });
}

std::string minutes_text(double fewest_s, double most_s) {
  const auto minutes = [](double seconds) { return std::max(1.0, std::ceil(seconds / 60)); };
  const double fewest = minutes(fewest_s);
  const double most = minutes(most_s);
  return fewest == most ? fmt::format("about {:.0f} min", most)
                        : fmt::format("about {:.0f} to {:.0f} min", fewest, most);
}

}  // namespace

std::vector<std::string> judged_lines(const RunReport& report) {
  if (report.outcomes.empty() || is_of_two_measurements(report)) return {};
  const std::vector<JudgedTier> tiers = judged_tiers(report);
  std::vector<std::string> lines = {judged_line(tiers)};
  add_open_lines(tiers, lines);
  add_metric_lines(tiers, lines);
  add_ungated_line(report, lines);
  return tiers.size() == 1 && lines.size() == 1 ? std::vector<std::string>() : lines;
}

std::string judging_sentence(const RunReport& report) {
  const JudgingCommand& judging = report.judging;
  if (judging.text.empty()) return "";
  std::string text =
      fmt::format("{} judges {} of what was not", judging.against_base ? "on a branch, this" : "this", judging.halves);
  if (judging.fewest_s && judging.most_s)
    text += fmt::format(", in {} and the build of the base", minutes_text(*judging.fewest_s, *judging.most_s));
  return text + ":";
}

}  // namespace stepgate
