#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/inference/stalled_requests.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// A boundary that explains less than half of the increase is not "the" cause.
constexpr double leading_share = 0.5;
/// Proportions of all boundaries within this factor of each other look like the machine, not like one change of code.
constexpr double alike_factor = 1.5;

struct BoundaryTime {
  std::string boundary;
  TimedPair time;

  double proportion() const { return time.before > 0 ? time.difference() / time.before : 0; }
};

std::vector<BoundaryTime> boundary_times(const JudgedComparison& input) {
  std::vector<BoundaryTime> times;
  for (const std::string& name : boundary_names(input)) {
    if (const auto pair = timed_pair(input, boundary_time_metric(name))) times.push_back({name, *pair});
  }
  std::stable_sort(times.begin(), times.end(), [](const BoundaryTime& a, const BoundaryTime& b) {
    return a.time.difference() > b.time.difference();
  });
  return times;
}

/// In the order of Boundary.
constexpr std::array<std::string_view, boundary_count> advice_by_boundary = {
    "the loader is too slow: look at decoding, augmentation, workers and storage.",
    "the batch grew, or lost pinned memory or non_blocking copies.",
    "model or loss do more work; the exact half of the gate names the operators.",
    "backward does more work: more tensors saved for it, another kernel, or checkpointing.",
    "the update does more work: foreach or fused was switched off, or there are more parameter groups.",
    "logging after a step costs more; a log line that reads a tensor waits for the device."};

std::string advice_on(const std::string& boundary) {
  const auto of_table = boundary_named(boundary);
  if (!of_table) return "this part of the loop does more work; the exact half of the gate names the operators.";
  return std::string(advice_by_boundary[static_cast<std::size_t>(*of_table)]);
}

/// All boundaries that matter (5 % of the step) grew by about the same proportion.
bool grew_alike(const std::vector<BoundaryTime>& times, const TimedPair& step) {
  double least = 0;
  double most = 0;
  int seen = 0;
  for (const BoundaryTime& time : times) {
    if (time.time.before < 0.05 * step.before) continue;
    least = seen == 0 ? time.proportion() : std::min(least, time.proportion());
    most = std::max(most, time.proportion());
    ++seen;
  }
  return seen >= 3 && least > 0 && most <= alike_factor * least;
}

std::string_view name_of_whole(const std::string& metric) { return metric == "latency_mean_ns" ? "request" : "step"; }

std::string boundary_share_text(const BoundaryTime& time, const TimedPair& step, const std::string& metric) {
  return fmt::format("{} {} of the {}'s {} ({:.0f} %)", time.boundary,
                     difference_text(MetricUnit::ns, time.time.difference()), name_of_whole(metric),
                     difference_text(MetricUnit::ns, step.difference()),
                     100 * std::min(time.time.difference() / step.difference(), 1.0));
}

/// "forward +2 ms, backward +1.9 ms" where no single boundary leads.
std::string growing_boundaries(const std::vector<BoundaryTime>& times) {
  std::string text;
  for (const BoundaryTime& time : times) {
    if (time.time.difference() <= 0) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", time.boundary,
                        difference_text(MetricUnit::ns, time.time.difference()));
  }
  return text;
}

/// False where the boundaries that both sides have are a small part of the step, as a compiled step has one of its own.
/// Then they tell nothing of where the rest went.
bool cover_step(const std::vector<BoundaryTime>& times, const TimedPair& step) {
  double before = 0;
  for (const BoundaryTime& time : times) before += time.time.before;
  return before >= leading_share * step.before;
}

std::optional<Finding> slower(const std::vector<BoundaryTime>& times, const TimedPair& step,
                              const std::string& metric) {
  const BoundaryTime& most = times.front();
  const double share = most.time.difference() / step.difference();
  if (share >= leading_share) {
    return Finding{FindingCode::boundary_slower, Severity::cause, boundary_share_text(most, step, metric),
                   advice_on(most.boundary),     metric,          most.boundary};
  }
  if (!cover_step(times, step)) return std::nullopt;
  double sum = 0;
  for (const BoundaryTime& time : times) sum += std::max(time.time.difference(), 0.0);
  if (sum < leading_share * step.difference()) {
    return Finding{
        FindingCode::overlap_lost, Severity::cause,
        fmt::format("the {} grew by {}, but its boundaries, measured one by one, only by {}", name_of_whole(metric),
                    difference_text(MetricUnit::ns, step.difference()), duration_text(sum)),
        "work that ran in parallel now waits (copy and compute, a loader thread, a host sync inside the step), or time "
        "is spent between the boundaries.",
        metric};
  }
  return Finding{FindingCode::boundary_slower, Severity::cause,
                 fmt::format("several boundaries: {} of the {}'s {}", growing_boundaries(times), name_of_whole(metric),
                             difference_text(MetricUnit::ns, step.difference())),
                 advice_on(most.boundary), metric};
}

Finding alike(const TimedPair& step, const std::string& metric) {
  return {FindingCode::slower_everywhere, Severity::warning,
          fmt::format("every boundary grew by about the same proportion ({} of the step)",
                      change_text(step.difference() / step.before)),
          "the machine or the build is a likelier reason than one change of code: compare with the base build by pairs "
          "(stepgate ab) before you search the code.",
          metric};
}

}  // namespace

std::vector<Finding> explain_boundary_time(const JudgedComparison& input) {
  std::vector<Finding> findings;
  const std::string stalled = stalled_latency(input);  // the medians of boundaries say nothing of a few requests
  for (const std::string metric : {"step_time_ns", "step_time_mean_ns", "latency_mean_ns"}) {
    const MetricVerdict* verdict = verdict_on(input, metric);
    const auto step = timed_pair(input, metric);
    if (metric == stalled || verdict == nullptr || !step || step->difference() == 0) continue;
    const auto times = boundary_times(input);
    if (times.empty()) continue;
    if (verdict->status == Status::regressed && step->difference() > 0) {
      if (auto found = slower(times, *step, metric)) findings.push_back(*std::move(found));
      if (grew_alike(times, *step)) findings.push_back(alike(*step, metric));
      break;  // median and mean of the same steps have the same cause
    }
    const TimedPair& fastest = times.back().time;
    if (verdict->status == Status::improved && step->difference() < 0 && fastest.difference() < 0) {
      findings.push_back(
          {FindingCode::boundary_faster, Severity::note, boundary_share_text(times.back(), *step, metric), "", metric});
      break;
    }
  }
  return findings;
}

std::vector<Finding> note_slower_boundaries(const JudgedComparison& input) {
  std::vector<Finding> findings;
  const auto step = timed_pair(input, leading_time(input));
  if (!step || !(step->before > 0)) return findings;
  for (const BoundaryTime& boundary : boundary_times(input)) {
    const MetricVerdict* verdict = verdict_on(input, boundary_time_metric(boundary.boundary));
    if (verdict == nullptr || verdict->reason != ReasonCode::slower_below_margin || !verdict->change) continue;
    const std::string interval =
        verdict->interval ? " " + interval_text(verdict->interval->lower, verdict->interval->upper) : "";
    findings.push_back({.code = FindingCode::boundary_slower_below_margin,
                        .severity = Severity::note,
                        .message = fmt::format("{} got slower, {}{}: {} of the step, below its margin",
                                               boundary.boundary, change_text(*verdict->change), interval,
                                               share_text(boundary.time.difference() / step->before)),
                        .advice = advice_on(boundary.boundary),
                        .metric = verdict->metric,
                        .boundary = boundary.boundary});
  }
  return findings;
}

}  // namespace stepgate
